import Foundation
import TestPKI
import Testing
import TrustEngine

/// `hawser import trust-store` and `hawser import certdata`: the unit, the findings, and files that
/// are refused.
@Suite("hawser import trust-store and certdata")
struct ImportStoreTests {
    private static let root = Workshop.root
    private static let oak = Workshop.pki.root("Oak Root", key: .p256("cli-store-oak"))

    // MARK: Java

    private static func number(_ value: Int, _ octets: Int) -> [UInt8] {
        (0..<octets).map { UInt8(value >> (8 * (octets - 1 - $0)) & 0xFF) }
    }

    private static func text(_ text: String) -> [UInt8] {
        number(text.utf8.count, 2) + Array(text.utf8)
    }

    private static func trusted(_ alias: String, _ der: [UInt8]) -> [UInt8] {
        number(2, 4) + text(alias) + number(0, 8) + text("X.509") + number(der.count, 4) + der
    }

    private static func key(_ alias: String) -> [UInt8] {
        number(1, 4) + text(alias) + number(0, 8) + number(16, 4)
            + [UInt8](repeating: 7, count: 16) + number(0, 4)
    }

    /// A JKS store with the digest of the password `changeit`.
    private static func store(_ entries: [[UInt8]]) throws -> [UInt8] {
        let bytes =
            number(0xFEED_FEED, 4) + number(2, 4) + number(entries.count, 4)
            + entries.flatMap { $0 }
        let password = "changeit".utf16.flatMap { [UInt8($0 >> 8), UInt8($0 & 0xFF)] }
        return bytes
            + (try OpenSSL.run(
                ["dgst", "-sha1", "-binary"], password + Array("Mighty Aphrodite".utf8) + bytes))
    }

    private static func write(_ octets: [UInt8], _ name: String, _ workshop: Workshop) throws {
        try Data(octets).write(to: workshop.folder.appending(path: name))
    }

    private static func read(_ path: String, _ workshop: Workshop) throws -> String {
        try String(contentsOf: workshop.folder.appending(path: path), encoding: .utf8)
    }

    private static func exists(_ path: String, _ workshop: Workshop) -> Bool {
        FileManager.default.fileExists(atPath: workshop.folder.appending(path: path).path)
    }

    @Test("a Java trust store: the unit, its findings, and what check, fmt and lint say of it")
    func java() throws {
        let workshop = try Workshop()
        try Self.write(
            try Self.store([
                Self.trusted("Acme Root", Self.root.der), Self.trusted("oak", Self.oak.der),
                Self.trusted("broken", [0x30, 0]),
                Self.trusted("api", Workshop.leaf.der),
            ]), "cacerts", workshop)
        let made = try workshop.run(
            "import", "trust-store", "cacerts", "-o", "java", "--owner", "web", "--at",
            "2026-06-01")
        #expect(made.status == 1)
        var page = made.transcript + "\n--- java/policy.yaml\n"
        page += try Self.read("java/policy.yaml", workshop) + "\n"
        for words in [
            ["check", "java"], ["fmt", "--check", "java"],
            ["lint", "java", "--at", "2026-06-01", "--format", "concise"],
        ] {
            let run = try workshop.run(words)
            page += run.transcript + "\n"
            if words[0] != "lint" { #expect(run.status == 0, "\(run.transcript)") }
        }
        try expectGolden("import-trust-store", transcript: page)
    }

    @Test("a password from a file, from the environment and Java's own; never two of them")
    func passwords() throws {
        let workshop = try Workshop()
        try Self.write(
            try Self.store([Self.trusted("acme", Self.root.der)]), "trust.jks", workshop)
        try workshop.write("right", "changeit\r\nsecond line\n")
        try workshop.write("wrong", "other\n")
        let words = ["import", "trust-store", "trust.jks", "--owner", "web", "-o"]
        for (index, more) in [["--changeit"], ["--password-file", "right"]].enumerated() {
            let run = try workshop.run(words + ["made-\(index)"] + more)
            #expect(run.status == 0 && !run.output.contains("HX605"), "\(run.transcript)")
        }
        let wrong = try workshop.run(words + ["made", "--password-file", "wrong"])
        #expect(wrong.status == 1 && wrong.output.contains("error[HX604]"), "\(wrong.transcript)")
        // No message repeats a password.
        #expect(!wrong.transcript.contains("other"))
        let absent = try workshop.run(words + ["made", "--password-env", "NO_SUCH_VARIABLE"])
        #expect(absent.status == 2 && absent.error.contains("`NO_SUCH_VARIABLE`"))
        let both = try workshop.run(words + ["made", "--changeit", "--password-file", "right"])
        #expect(both.status == 2 && both.error.contains("a store has one"), "\(both.transcript)")
        #expect(!Self.exists("made", workshop))
    }

    @Test("PKCS#12 of OpenSSL: locked, opened, and taken whole")
    func pkcs12() throws {
        let workshop = try Workshop()
        try workshop.write("ca.pem", Self.root.pem + Self.oak.pem)
        let path = workshop.folder.appending(path: "ca.pem").path
        for (options, name) in [([], "aes.p12"), (["-certpbe", "NONE"], "open.p12")] {
            let octets = try OpenSSL.run(
                ["pkcs12", "-export", "-nokeys", "-in", path, "-passout", "pass:changeit"]
                    + options)
            try Self.write(octets, name, workshop)
        }
        let words = ["import", "trust-store", "aes.p12", "--owner", "web", "-o", "made"]
        let locked = try workshop.run(words)
        #expect(
            locked.status == 1 && locked.output.contains("error[HX603]"), "\(locked.transcript)")
        let unmarked = try workshop.run(words + ["--changeit"])
        #expect(unmarked.output.contains("error[HX607]"), "\(unmarked.transcript)")
        #expect(unmarked.output.contains("HX606"))
        #expect(!Self.exists("made", workshop))
        let made = try workshop.run(words + ["--changeit", "--all-certificates"])
        #expect(made.status == 0, "\(made.transcript)")
        let open = try workshop.run(
            "import", "trust-store", "open.p12", "--all-certificates", "-o", "open")
        #expect(open.status == 0 && open.output.contains("HX605"), "\(open.transcript)")
        // Both have the same certificates.
        let texts = try ["made", "open"].map {
            try Self.read("\($0)/anchors/cn-acme-root.pem", workshop)
        }
        #expect(Set(texts).count == 1)
        let key = try OpenSSL.run([
            "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-subj", "/CN=web", "-keyout",
            workshop.folder.appending(path: "k.pem").path,
        ])
        try Self.write(key, "c.pem", workshop)
        let keyed = try OpenSSL.run([
            "pkcs12", "-export", "-inkey", workshop.folder.appending(path: "k.pem").path, "-in",
            workshop.folder.appending(path: "c.pem").path, "-passout", "pass:changeit",
        ])
        try Self.write(keyed, "web.p12", workshop)
        for more in [[], ["--changeit"]] {
            let run = try workshop.run(["import", "trust-store", "web.p12", "-o", "keyed"] + more)
            #expect(run.status == 1 && run.output.contains("error[HX602]"), "\(run.transcript)")
            #expect(!Self.exists("keyed", workshop))
        }
    }

    @Test("stores that are refused name the octet, and nothing is written")
    func refused() throws {
        let workshop = try Workshop()
        let whole = try Self.store([Self.trusted("acme", Self.root.der)])
        let files: [(octets: [UInt8], status: Int32, words: String)] = [
            (Array(whole.prefix(40)), 1, "error[HX601]"),
            (try Self.store([Self.key("web")]), 1, "error[HX602]"),
            (try Self.store([]), 1, "error[HX607]"),
            (Array("\u{202E}hello".utf8), 1, "neither a Java key store"),
            ([UInt8](repeating: 0x30, count: 5 << 20), 2, "bytes"),
        ]
        for (index, file) in files.enumerated() {
            try Self.write(file.octets, "store-\(index)", workshop)
            let run = try workshop.run("import", "trust-store", "store-\(index)", "-o", "made")
            #expect(run.status == file.status, "\(run.transcript.prefix(2_000))")
            #expect(run.transcript.contains(file.words), "\(run.transcript.prefix(2_000))")
            #expect(!run.transcript.contains("\u{202E}"))
            #expect(!Self.exists("made", workshop))
        }
    }

    @Test("where a store is given for a policy or for certificates, the import is named")
    func hints() throws {
        let workshop = try Workshop()
        try Self.write(
            try Self.store([Self.trusted("acme", Self.root.der)]), "trust.jks", workshop)
        try workshop.write("certdata.txt", "BEGINDATA\n")
        for (words, hint) in [
            (["lint", "trust.jks"], "hawser import trust-store trust.jks -o policy"),
            (["check", "certdata.txt"], "hawser import certdata certdata.txt -o policy"),
            (["pin", "trust.jks"], "hawser import trust-store trust.jks"),
        ] {
            let run = try workshop.run(words)
            #expect(run.status == 2 && run.transcript.contains(hint), "\(run.transcript)")
        }
    }

    // MARK: Mozilla

    private static func octal(_ name: String, _ octets: [UInt8]) -> String {
        var text = "\(name) MULTILINE_OCTAL\n"
        for start in stride(from: 0, to: octets.count, by: 16) {
            for octet in octets[start..<min(start + 16, octets.count)] {
                let digits = String(octet, radix: 8)
                text += "\\" + String(repeating: "0", count: 3 - digits.count) + digits
            }
            text += "\n"
        }
        return text + "END\n"
    }

    private static func records(
        _ authority: Authority, _ label: String, _ word: String, date: String? = nil,
        misplaced: String? = nil
    ) throws -> String {
        let certificate = try authority.certificate.parsed()
        let serial = certificate.serialBytes
        let names =
            octal("CKA_ISSUER", certificate.der.span.copied(certificate.layout.issuer))
            + octal("CKA_SERIAL_NUMBER", [2, UInt8(serial.count)] + serial)
        func distrust(_ date: String?) -> String {
            date.map { octal("CKA_NSS_SERVER_DISTRUST_AFTER", Array($0.utf8)) } ?? ""
        }
        let never = "CKA_NSS_SERVER_DISTRUST_AFTER CK_BBOOL CK_FALSE\n"
        return "CKA_CLASS CK_OBJECT_CLASS CKO_CERTIFICATE\nCKA_LABEL UTF8 \"\(label)\"\n" + names
            + octal("CKA_VALUE", certificate.der)
            + (date == nil && misplaced == nil ? never : distrust(date))
            + "\nCKA_CLASS CK_OBJECT_CLASS CKO_NSS_TRUST\nCKA_LABEL UTF8 \"\(label)\"\n" + names
            + distrust(misplaced) + "CKA_TRUST_SERVER_AUTH CK_TRUST \(word)\n\n"
    }

    @Test("certdata.txt: the unit, its findings, and verdicts on both sides of a date")
    func certdata() throws {
        let workshop = try Workshop()
        let bogus = Self.root.issueCA("Bogus CA", key: .p256("cli-store-bogus"))
        let mail = Workshop.pki.root("Mail Root", key: .p256("cli-store-mail"))
        let delegator = "CKT_NSS_TRUSTED_DELEGATOR"
        try workshop.write(
            "certdata.txt",
            "# Roots.\nBEGINDATA\n" + Self.records(Self.root, "Acme Root", delegator)
                + Self.records(Self.oak, "Oak Root", delegator, date: "260415235959Z")
                + Self.records(mail, "Mail Root", "CKT_NSS_MUST_VERIFY_TRUST")
                + Self.records(
                    Workshop.otherRoot, "Other Root", delegator, misplaced: "260415235959Z")
                + Self.records(bogus, "Bogus CA", "CKT_NSS_NOT_TRUSTED"))
        let made = try workshop.run(
            "import", "certdata", "certdata.txt", "-o", "mozilla", "--owner", "web", "--at",
            "2026-06-01")
        #expect(made.status == 1)
        var page = made.transcript + "\n--- mozilla/policy.yaml\n"
        page += try Self.read("mozilla/policy.yaml", workshop) + "\n"
        for words in [
            ["check", "mozilla"], ["fmt", "--check", "mozilla"],
            ["lint", "mozilla", "--at", "2026-06-01", "--format", "concise"],
        ] {
            let run = try workshop.run(words)
            page += run.transcript + "\n"
            if words[0] != "lint" { #expect(run.status == 0, "\(run.transcript)") }
        }
        try expectGolden("import-certdata", transcript: page)
        for (start, status) in [
            ("2026-04-15T23:59:59Z", 0), ("2026-04-16T00:00:00Z", 1),
        ] {
            let leaf = Self.oak.issueLeaf(dns: ["api.acme.example"]) { $0.notBefore = .at(start) }
            try workshop.write("chain.pem", leaf.pem)
            let run = try workshop.run(
                "explain", "api.acme.example", "--policy", "mozilla", "--chain", "chain.pem",
                "--at",
                "2026-06-01")
            #expect(run.status == status, "\(run.transcript)")
        }
        let below = bogus.issueLeaf(dns: ["api.acme.example"])
        try workshop.write("chain.pem", below.pem + bogus.pem)
        let distrusted = try workshop.run(
            "explain", "api.acme.example", "--policy", "mozilla", "--chain", "chain.pem", "--at",
            "2026-06-01")
        #expect(distrusted.status == 1, "\(distrusted.transcript)")
        #expect(distrusted.output.contains("distrusted-bogus-ca"), "\(distrusted.transcript)")
    }

    @Test("a certdata.txt that is refused names line and column")
    func refusedCertdata() throws {
        let workshop = try Workshop()
        try workshop.write("certdata.txt", "BEGINDATA\nCKA_CLASS\n")
        let run = try workshop.run("import", "certdata", "certdata.txt", "-o", "made")
        #expect(run.status == 1, "\(run.transcript)")
        #expect(run.output.contains("error[HX611]") && run.output.contains("certdata.txt:2:1"))
        #expect(!Self.exists("made", workshop))
    }
}

/// Runs the command `openssl`.
private enum OpenSSL {
    static func run(_ arguments: [String], _ input: [UInt8] = []) throws -> [UInt8] {
        let process = Process()
        process.executableURL = URL(filePath: "/usr/bin/env")
        process.arguments = ["openssl"] + arguments
        let (standardInput, output) = (Pipe(), Pipe())
        process.standardInput = standardInput
        process.standardOutput = output
        process.standardError = FileHandle.nullDevice
        try process.run()
        try standardInput.fileHandleForWriting.write(contentsOf: Data(input))
        try standardInput.fileHandleForWriting.close()
        let printed = try output.fileHandleForReading.readToEnd() ?? Data()
        process.waitUntilExit()
        #expect(process.terminationStatus == 0, "\(arguments)")
        return [UInt8](printed)
    }
}
