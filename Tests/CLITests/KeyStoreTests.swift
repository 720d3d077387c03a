import Foundation
import TestPKI
import Testing

/// Java key stores and PKCS#12: a store of certificates is named as one and is never called an
/// exposed key, and the commands of the help write its certificates as PEM.
@Suite("key stores") struct KeyStoreTests {
    private static let pki = Scenario()
    private static let root = pki.root("Acme Root", key: .p256("store root"))
    private static let other = pki.root("Other Root", key: .p256("store other"))

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

    // MARK: Java

    private static func number(_ value: Int, _ octets: Int) -> [UInt8] {
        (0..<octets).map { UInt8(value >> (8 * (octets - 1 - $0)) & 0xFF) }
    }

    private static func certificate(_ alias: String, _ der: [UInt8]) -> [UInt8] {
        number(2, 4) + number(alias.utf8.count, 2) + Array(alias.utf8) + number(0, 8)
            + number(5, 2) + Array("X.509".utf8) + number(der.count, 4) + der
    }

    private static func key(_ alias: String) -> [UInt8] {
        number(1, 4) + number(alias.utf8.count, 2) + Array(alias.utf8) + number(0, 8)
            + number(16, 4) + [UInt8](repeating: 7, count: 16) + number(0, 4)
    }

    /// A store with the digest that keytool checks: SHA-1 over the password in UTF-16, a fixed text
    /// and the store.
    private static func store(magic: Int, _ entries: [[UInt8]], count: Int? = nil) throws -> [UInt8]
    {
        let bytes =
            number(magic, 4) + number(2, 4) + number(count ?? entries.count, 4)
            + entries.flatMap { $0 }
        let password = "changeit".utf16.flatMap { [UInt8($0 >> 8), UInt8($0 & 0xFF)] }
        let digested = password + Array("Mighty Aphrodite".utf8) + bytes
        return bytes + (try Shell.run("openssl dgst -sha1 -binary", digested))
    }

    private static let jks = 0xFEED_FEED
    private static let jceks = 0xCECE_CECE

    @Test(
        "a Java trust store is named, in a policy and on the command line", arguments: [jks, jceks])
    func trustStores(_ magic: Int) throws {
        let bytes = try Self.store(
            magic: magic,
            [Self.certificate("acme", Self.root.der), Self.certificate("other", Self.other.der)])
        let name = magic == Self.jks ? "JKS" : "JCEKS"
        let says = "is a trust store in Java's form \(name), with 2 certificates and no key"
        let workshop = try Self.workshop(bytes, as: "cacerts")
        let refused = try workshop.run("check", ".")
        #expect(refused.status == 1)
        #expect(refused.output.contains("error[HW301]: `cacerts` \(says)"), "\(refused.output)")
        #expect(!refused.output.contains("HW307") && !refused.output.contains("secret"))
        let commands =
            "`keytool -importkeystore -srckeystore cacerts -srcstoretype \(name) "
            + "-destkeystore cacerts.plain.p12 -deststoretype PKCS12`, then `openssl pkcs12 -in "
            + "cacerts.plain.p12 -nokeys -out cacerts.plain.pem`"
        #expect(refused.output.contains(commands), "\(refused.output)")
        for words in [
            ["pin", "cacerts"], ["init", "new", "--private-ca", "cacerts"],
            ["explain", "api.acme.example", "--policy", ".", "--chain", "cacerts"],
        ] {
            let run = try workshop.run(words)
            #expect(run.status == 2 && run.error.contains("`cacerts` \(says)"), "\(run.transcript)")
        }
        let base64 = Array(Data(bytes).base64EncodedString().utf8)
        let secret = try Self.workshop(base64, as: "cacerts").run("check", ".")
        #expect(secret.output.contains("`cacerts` is base64 of a file that \(says)"))
    }

    @Test("a Java key store with a key is HW307, wherever the key stands in it")
    func keys() throws {
        let certificate = Self.certificate("acme", Self.root.der)
        for entries in [[Self.key("web")], [certificate, Self.key("web")]] {
            let bytes = try Self.store(magic: Self.jks, entries)
            let refused = try Self.workshop(bytes, as: "web.jks").run("check", ".")
            #expect(refused.output.contains("error[HW307]: `web.jks` holds a private key"))
        }
    }

    @Test("what cannot be read is not called a store without keys")
    func damaged() throws {
        let certificate = Self.certificate("acme", Self.root.der)
        let whole = try Self.store(magic: Self.jks, [certificate])
        for bytes in [
            Array(whole.dropLast()), try Self.store(magic: Self.jks, [certificate], count: 2),
            try Self.store(magic: Self.jks, [certificate], count: 0xFFFF_FFFF),
            try Self.store(magic: Self.jks, [Self.number(9, 4)]), Array(whole.prefix(30)),
        ] {
            let refused = try Self.workshop(bytes, as: "web.jks").run("check", ".")
            #expect(
                refused.output.contains(
                    "error[HW301]: `web.jks` is a Java key store (JKS), and its encryption hides "
                        + "whether a private key is in it"), "\(refused.output)")
        }
    }

    // MARK: PKCS#12

    private static func pkcs12(_ options: String) throws -> [UInt8] {
        let folder = try TemporaryFolder()
        defer { folder.remove() }
        try Data((root.pem + other.pem).utf8).write(to: folder.url.appending(path: "ca.pem"))
        return try Shell.run(
            "openssl pkcs12 -export \(options) -in ca.pem -passout pass:changeit",
            in: folder.url)
    }

    @Test(
        "PKCS#12 without a key: what the octets prove, and no more",
        arguments: [
            (
                "-nokeys -certpbe NONE",
                "is a trust store in PKCS#12, with 2 certificates and no key"
            ),
            (
                "-nokeys",
                "is a PKCS#12 file, and its encryption hides whether a private key is in it"
            ),
        ])
    func certificates(_ options: String, _ says: String) throws {
        let workshop = try Self.workshop(try Self.pkcs12(options), as: "ca.p12")
        let refused = try workshop.run("check", ".")
        #expect(refused.output.contains("error[HW301]: `ca.p12` \(says)"), "\(refused.output)")
        #expect(!refused.output.contains("HW307"))
        let command = "openssl pkcs12 -in ca.p12 -nokeys -out ca.plain.pem"
        #expect(refused.output.contains("`\(command)`"))
        let pinned = try workshop.run("pin", "ca.p12")
        #expect(pinned.status == 2 && pinned.error.contains("`ca.p12` \(says)"))
        // The command works, and so does its output.
        _ = try Shell.run("\(command) -passin pass:changeit", in: workshop.folder)
        try workshop.write("policy.yaml", Self.policy.replacing("FILE", with: "ca.plain.pem"))
        #expect(try workshop.run("check", ".").status == 0)
    }

    @Test("PKCS#12 with a key is HW307")
    func keyed() throws {
        let folder = try TemporaryFolder()
        defer { folder.remove() }
        let request =
            "openssl req -x509 -newkey rsa:2048 -nodes -subj /CN=web -keyout k.pem -out c.pem"
        _ = try Shell.run(request, in: folder.url)
        for options in ["", "-keypbe NONE", "-certpbe NONE"] {
            let bytes = try Shell.run(
                "openssl pkcs12 -export \(options) -inkey k.pem -in c.pem -passout pass:changeit",
                in: folder.url)
            let workshop = try Self.workshop(bytes, as: "web.p12")
            #expect(
                try workshop.run("check", ".").output.contains(
                    "error[HW307]: `web.p12` holds a private key"))
            let pinned = try workshop.run("pin", "web.p12")
            #expect(pinned.error.contains("is a PKCS#12 file with a private key in it"))
        }
    }

    // MARK: Merkle tree certificates

    @Test(
        "the file of a CA for Merkle tree certificates is named, as anchor, offer and pin",
        arguments: ["1.3.6.1.5.5.7.1.38", "1.3.6.1.4.1.44363.47.2"])
    func merkleTrees(_ identifier: String) throws {
        let authority = Self.pki.root("Acme Trees", key: .p256("store trees")) {
            $0.extensions.append(.raw(identifier, critical: true, [0x30, 0]))
        }
        let says = "holds the certificate of a CA for Merkle tree certificates"
        let workshop = try Self.workshop(Array(authority.pem.utf8), as: "trees.pem")
        let refused = try workshop.run("check", ".")
        #expect(refused.output.contains("error[HW301]: `trees.pem` \(says)"), "\(refused.output)")
        try workshop.write("ca.pem", Self.root.pem)
        let rest = Self.policy.replacing("- FILE", with: "- ca.pem")
        try workshop.write(
            "policy.yaml",
            rest.replacing("\nrules", with: "\n    intermediates: [trees.pem]\nrules"))
        #expect(try workshop.run("check", ".").output.contains("`trees.pem` \(says)"))
        let pins = """
            pins:
              p: { keys: { a: { spki-file: trees.pem } }, backups: { b: { spki-file: ca.pem } } }

            """
        try workshop.write(
            "policy.yaml",
            pins + rest.replacing("    owner", with: "    pins: [p]\n    owner"))
        #expect(try workshop.run("check", ".").output.contains("`trees.pem` \(says)"))
    }

    /// A folder whose policy names a file with these octets.
    private static func workshop(_ bytes: [UInt8], as name: String) throws -> Workshop {
        let workshop = try Workshop()
        try FileManager.default.removeItem(at: workshop.folder.appending(path: "unit"))
        try Data(bytes).write(to: workshop.folder.appending(path: name))
        try workshop.write("policy.yaml", policy.replacing("FILE", with: name))
        return workshop
    }
}

/// A folder that is removed again.
private struct TemporaryFolder {
    let url: URL

    init() throws {
        url = FileManager.default.temporaryDirectory.appending(path: "store-\(UUID())")
        try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
    }

    func remove() { try? FileManager.default.removeItem(at: url) }
}

/// Runs a command of a shell with octets on its standard input, and returns its output.
private enum Shell {
    static func run(
        _ command: String, _ input: [UInt8] = [], in folder: URL? = nil
    ) throws -> [UInt8] {
        let shell = Process()
        shell.executableURL = URL(filePath: "/bin/sh")
        shell.arguments = ["-c", command]
        if let folder { shell.currentDirectoryURL = folder }
        let (standardInput, output) = (Pipe(), Pipe())
        shell.standardInput = standardInput
        shell.standardOutput = output
        shell.standardError = FileHandle.nullDevice
        try shell.run()
        try standardInput.fileHandleForWriting.write(contentsOf: Data(input))
        try standardInput.fileHandleForWriting.close()
        let printed = try output.fileHandleForReading.readToEnd() ?? Data()
        shell.waitUntilExit()
        #expect(shell.terminationStatus == 0, "\(command)")
        return [UInt8](printed)
    }
}
