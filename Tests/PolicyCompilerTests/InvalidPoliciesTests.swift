import Foundation
import LibCrypto
import PolicyCompiler
import TestPKI
import Testing

/// `policies/invalid`: one failing policy for each diagnostic, which shows that code and no other.
@Suite("invalid policies")
struct InvalidPoliciesTests {
    static let folder = URL(filePath: #filePath).deletingLastPathComponent()
        .deletingLastPathComponent().deletingLastPathComponent().appending(path: "policies/invalid")

    /// Codes of binding and of the checks; the parser's, the unit loader's and the linter's have
    /// tests of their own.
    static let codes = DiagnosticCode.allCases.filter { code in
        guard code.finder == .check else { return false }
        return ["HW004", "HW005", "HW012"].contains(code.rawValue) || code.rawValue >= "HW101"
    }

    /// What the policies of that folder name: made by a test rather than kept by hand.
    static let files: [(name: String, bytes: [UInt8])] =
        [
            ("leaf.pem", Array(leaf.pem.utf8)), ("root.pem", Array(root.pem.utf8)),
            (
                "certificate-and-key.pem",
                Array((root.pem + SketchedCertificate.pem("PRIVATE KEY", root.privateKey)).utf8)
            ),
            ("issuing.pem", Array(issuing.pem.utf8)), ("ending.pem", Array(ending.pem.utf8)),
            ("not-a-certificate.pem", Array("the certificate is in the other folder\n".utf8)),
            (
                "trusted-bundle.pem",
                Array(
                    (root.pem
                        + SketchedCertificate.pem(
                            "TRUSTED CERTIFICATE",
                            authority("Retired").der + rejectsServers)).utf8)
            ),
            ("acme-issuing.pem", Array(acmeIssuing.pem.utf8)),
            (
                "acme-leaf.pem", Array(acmeIssuing.issueLeaf(dns: ["api.acme.example"]).pem.utf8)
            ),
            ("old-log-list.json", Array(logList("2026-01-02").utf8)),
            ("ageing-log-list.json", Array(logList("2026-04-05").utf8)),
        ] + authorities.map { (name: $0.name, bytes: Array($0.authority.pem.utf8)) }
    /// A CA with a certificate that it has issued.
    private static let acmeIssuing = authority("Parent").issueCA(
        "Acme Issuing", key: .p256("invalid acme issuing"))

    /// Roots in which the linter finds what no check looks at.
    private static let authorities = [
        (
            name: "ending-root.pem",
            authority: authority("Ending") { $0.notAfter = .at("2026-07-31") }
        ),
        (
            name: "expired-root.pem",
            authority: authority("Expired") { $0.notAfter = .at("2026-03-31T23:59:59Z") }
        ),
        (
            name: "limited-root.pem",
            authority: authority("Limited") {
                $0.extensions.append(.nameConstraints(permitted: [.dns("corp.example")]))
            }
        ),
        (
            name: "code-root.pem",
            authority: authority("Code") {
                $0.extensions.append(.extendedKeyUsage([OID.codeSigning]))
            }
        ),
        (
            name: "unmarked-issuing.pem",
            authority: authority("Limited").issueCA("Unmarked Issuing", key: .p256("unmarked")) {
                $0.extensions.append(
                    .nameConstraints(permitted: [.dns("acme.example")], critical: false))
            }
        ),
        (name: "weak-root.pem", authority: authority("Weak", key: .rsa1024("invalid weak"))),
        (name: "parent-root.pem", authority: authority("Parent")),
        (name: "retired-root.pem", authority: authority("Retired")),
        (
            name: "retired-cross.pem",
            authority: authority("Parent").issueCA("Retired Root", key: .p256("invalid Retired"))
        ),
        (
            name: "version-1-root.pem",
            authority: authority("Version 1") {
                $0.version = 1
                $0.extensions = []
            }
        ),
    ]

    private static func authority(
        _ name: String, key: TestKey? = nil,
        _ change: (inout CertificateRecipe) -> Void = { _ in }
    ) -> Authority {
        Scenario().root("\(name) Root", key: key ?? .p256("invalid \(name)"), change)
    }

    private static func logList(_ issued: String) -> String {
        TestLogList.json(
            [TestLog("Alpha", of: "A"), TestLog("Beta", of: "B")], issued: .at(issued))
    }

    /// What OpenSSL writes behind a certificate that is rejected for servers.
    private static let rejectsServers: [UInt8] =
        [0x30, 0x0C, 0xA0, 0x0A, 0x06, 0x08, 0x2B, 0x06, 0x01, 0x05, 0x05, 0x07, 0x03, 0x01]

    private static let root = SketchedCertificate()
    private static let leaf = SketchedCertificate(
        subject: "www.acme.example", issuer: "Issuing", isCA: false, key: 9)

    private static let issuing = SketchedCertificate(subject: "Issuing", key: 3)
    private static let ending = SketchedCertificate(
        subject: "api.acme.example", issuer: "Issuing", isCA: false, key: 10, end: "260615000000Z")

    @Test("each shows its code alone", arguments: codes)
    func code(_ code: DiagnosticCode) throws {
        var paths = ["\(code.rawValue).yaml"]
        let several = InvalidPoliciesTests.folder.appending(path: code.rawValue)
        if let names = try? FileManager.default.contentsOfDirectory(atPath: several.path()) {
            paths = names.filter { $0.hasSuffix(".yaml") }.sorted().map { "\(code.rawValue)/\($0)" }
        }
        var sources: [String: [UInt8]] = [:]
        for path in paths { sources[path] = try InvalidPoliciesTests.read(path) }
        let resources = Dictionary(
            InvalidPoliciesTests.files.map { ("files/\($0.name)", $0.bytes) },
            uniquingKeysWith: { first, _ in first })
        let unit = MemoryUnit.unit(sources, resources: resources, isDirectory: false)
        let compilation = CompilerPipeline.compile(unit, crypto: LibCryptoBackend())
        #expect(!compilation.diagnostics.isEmpty)
        #expect(
            Set(compilation.diagnostics.map(\.code)) == [code],
            "\(compilation.diagnostics.map(\.message))")
        #expect((compilation.table == nil) == (code.severity == .error))
    }

    /// `UPDATE_GOLDEN=1` writes them.
    @Test("the files beside them are as they are made", arguments: files.map(\.name))
    func madeFiles(_ name: String) throws {
        let bytes = try #require(InvalidPoliciesTests.files.first { $0.name == name }?.bytes)
        let path = InvalidPoliciesTests.folder.appending(path: "files/\(name)")
        if ProcessInfo.processInfo.environment["UPDATE_GOLDEN"] == "1" {
            try FileManager.default.createDirectory(
                at: path.deletingLastPathComponent(), withIntermediateDirectories: true)
            try Data(bytes).write(to: path)
        }
        #expect(try Array(Data(contentsOf: path)) == bytes)
    }

    static func read(_ path: String) throws -> [UInt8] {
        try Array(Data(contentsOf: folder.appending(path: path)))
    }
}
