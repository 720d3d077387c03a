import Foundation
import TestPKI
import Testing
import TrustEngine

/// Forms in which certificates are handed out and in which none is read. Each is named, in a policy
/// and on the command line, and the command that the help prints writes every certificate as PEM.
@Suite("forms of certificate files") struct CertificateFormTests {
    private static let pki = Scenario()
    private static let root = pki.root("Acme Root", key: .p256("form root"))
    private static let other = pki.root("Other Root", key: .p256("form other"))
    private static var pem: String { root.pem + other.pem }

    private static let policy = """
        hawser: 1
        default: deny
        anchors:
          acme:
            files:
              - FILE
        rules:
          api:
            hosts:
              - "api.acme.example"
            anchors: [acme]
            owner: web

        """

    /// SignedData of PKCS#7 with only certificates, in DER.
    private static var pkcs7: [UInt8] {
        func element(_ tag: UInt8, _ content: [UInt8]) -> [UInt8] {
            let count = content.count
            let length: [UInt8] =
                count < 128
                ? [UInt8(count)] : [0x82, UInt8(count >> 8 & 0xFF), UInt8(count & 0xFF)]
            return [tag] + length + content
        }
        let data: [UInt8] = [0x06, 9, 0x2A, 0x86, 0x48, 0x86, 0xF7, 0x0D, 1, 7, 1]
        let signedData: [UInt8] = [0x06, 9, 0x2A, 0x86, 0x48, 0x86, 0xF7, 0x0D, 1, 7, 2]
        let contents =
            element(0x02, [1]) + element(0x31, []) + element(0x30, data)
            + element(0xA0, root.der + other.der) + element(0x31, [])
        return element(0x30, signedData + element(0xA0, element(0x30, contents)))
    }

    private static func utf16(_ text: String) -> [UInt8] {
        [0xFF, 0xFE] + text.utf16.flatMap { [UInt8($0 & 0xFF), UInt8($0 >> 8)] }
    }

    private static func base64(_ octets: [UInt8]) -> [UInt8] {
        Array(Data(octets).base64EncodedString(options: .lineLength76Characters).utf8) + [0x0A]
    }

    private static func form(_ name: String) -> (bytes: [UInt8], says: String) {
        let text = Array(pem.utf8)
        switch name {
        case "pkcs7-der": return (pkcs7, "is PKCS#7")
        case "pkcs7-pem": return (Array(PEMWriter.block("PKCS7", pkcs7).utf8), "is PKCS#7")
        case "bom": return ([0xEF, 0xBB, 0xBF] + text, "begins with a byte order mark")
        case "utf16": return (utf16(pem.replacing("\n", with: "\r\n")), "is text in UTF-16")
        case "indented":
            let lines = pem.split(separator: "\n").map { "   \t\($0)\n" }.joined()
            return (Array(lines.utf8), "has a BEGIN line behind blanks")
        case "half-indented":
            let lines = other.pem.split(separator: "\n").map { "  \($0)\n" }.joined()
            return (Array((root.pem + lines).utf8), "has a BEGIN line behind blanks")
        case "joined":
            return (
                Array((String(root.pem.dropLast()) + other.pem).utf8),
                "has an END line and a BEGIN line in one line"
            )
        default: return (base64(text), "is base64 of PEM")
        }
    }

    private static let names = [
        "pkcs7-der", "pkcs7-pem", "bom", "utf16", "indented", "half-indented", "joined", "base64",
    ]

    @Test(
        "an anchor file is named, and the help's command makes one with every certificate",
        arguments: names)
    func anchors(_ name: String) throws {
        let workshop = try Self.workshop()
        let (bytes, says) = Self.form(name)
        try Data(bytes).write(to: workshop.folder.appending(path: "ca.pem"))
        try workshop.write("policy.yaml", Self.policy.replacing("FILE", with: "ca.pem"))
        let refused = try workshop.run("check", ".")
        #expect(refused.status == 1)
        #expect(refused.output.contains("error[HW301]: `ca.pem` \(says)"), "\(refused.output)")
        try Self.follow(refused.output, in: workshop)
        try workshop.write("policy.yaml", Self.policy.replacing("FILE", with: "ca.plain.pem"))
        #expect(try workshop.run("check", ".").status == 0)
        let pins = try workshop.run("pin", "ca.plain.pem").output
        for authority in [Self.root, Self.other] {
            #expect(pins.contains(PEMWriter.base64(authority.key.spkiSHA256)), "\(pins)")
        }
    }

    @Test("a chain is refused with exit status 2, never judged", arguments: names)
    func chains(_ name: String) throws {
        let workshop = try Self.workshop()
        let (bytes, says) = Self.form(name)
        try Data(bytes).write(to: workshop.folder.appending(path: "chain file.p7b"))
        try workshop.write("ca.pem", Self.pem)
        try workshop.write("policy.yaml", Self.policy.replacing("FILE", with: "ca.pem"))
        let words = ["explain", "api.acme.example", "--policy", ".", "--at", "2026-06-01"]
        let refused = try workshop.run(words + ["--chain", "chain file.p7b"])
        #expect(refused.status == 2)
        #expect(refused.output.isEmpty)
        #expect(refused.error.contains("`chain file.p7b` \(says)"), "\(refused.error)")
        try Self.follow(refused.error, in: workshop)
        let judged = try workshop.run(words + ["--chain", "chain file.plain.pem"])
        #expect(judged.status == 1)
        #expect(!judged.output.contains("end-entity-unreadable"))
    }

    @Test("a private key in another form is still a private key")
    func privateKeys() throws {
        let key = "-----BEGIN PRIVATE KEY-----\nMAoCAQAwBQYDK2Vw\n-----END PRIVATE KEY-----\n"
        let text = Self.root.pem + key
        let indented = text.split(separator: "\n").map { "  \($0)\n" }.joined()
        for bytes in [
            [0xEF, 0xBB, 0xBF] + Array(text.utf8), Self.utf16(text), Array(indented.utf8),
        ] {
            let workshop = try Self.workshop()
            try Data(bytes).write(to: workshop.folder.appending(path: "ca.pem"))
            try workshop.write("policy.yaml", Self.policy.replacing("FILE", with: "ca.pem"))
            #expect(try workshop.run("check", ".").output.contains("error[HW307]"))
        }
    }

    /// A folder without a unit.
    private static func workshop() throws -> Workshop {
        let workshop = try Workshop()
        try FileManager.default.removeItem(at: workshop.folder.appending(path: "unit"))
        return workshop
    }

    /// Runs the command that a help prints.
    private static func follow(_ output: String, in workshop: Workshop) throws {
        let help = try #require(
            output.split(separator: "\n").first { $0.contains("writes it as PEM") })
        let before = try #require(help.range(of: "` writes it as PEM")?.lowerBound)
        let command = try #require(
            help[..<before].split(separator: "`", omittingEmptySubsequences: false).last)
        let shell = Process()
        shell.executableURL = URL(filePath: "/bin/sh")
        shell.arguments = ["-c", String(command)]
        shell.currentDirectoryURL = workshop.folder
        try shell.run()
        shell.waitUntilExit()
        #expect(shell.terminationStatus == 0, "\(command)")
    }
}
