import LibCrypto
import PolicyCompiler
import PolicyTools
import TestPKI
import Testing
import TrustEngine

/// HW316 and HW317: the certificates of anchor sets that do not meet demands on their issuer.
@Suite("lint: demands of issuance") struct IssuanceRuleTests {
    private static let pki = MarkedLint.pki
    private static let waiver = "reason: being issued again, owner: web, until: 2026-08-31"

    private static func policy(_ set: String, rule: String = "note: plain") -> MarkedLint {
        MarkedLint(
            """
            hawser: 1
            default: deny
            anchors:
              acme:
            \(set.split(separator: "\n").map { "    \($0)\n" }.joined())rules:
              api:
                hosts: ["api.acme.example"]
                anchors: [acme]
                owner: web
                \(rule)

            """)
    }

    private static func pem(_ authority: Authority) -> [UInt8] { Array(authority.pem.utf8) }

    /// Holds the two rules alone to the marks, at the level at which remarks are told.
    private static func expect(
        _ policy: MarkedLint, _ files: [String: [UInt8]], says phrases: [String] = [],
        sourceLocation: SourceLocation = #_sourceLocation
    ) {
        var options = MarkedLint.options(.audit)
        options.selected = [.issuanceBreach, .issuanceRefused]
        policy.expect(options, files: files, says: phrases, sourceLocation: sourceLocation)
    }

    /// A CA with name constraints that are not critical.
    private static func uncritical(_ name: String) -> Authority {
        MarkedLint.root.issueCA(TestName(name), key: .p256("issuance \(name)")) {
            $0.extensions.append(
                .nameConstraints(permitted: [.dns("acme.example")], critical: false))
        }
    }

    @Test("HW316: each certificate is told at its place, with every demand and who mends it")
    func remarks() {
        let first = Self.uncritical("Acme Issuing")
        let second = MarkedLint.root.issueCA("Acme Other", key: .p256("issuance other")) {
            $0.serial = [0]
            $0.remove(OID.authorityKeyIdentifier)
        }
        let files = ["one.pem": Self.pem(first), "two.pem": Self.pem(second)]
        Self.expect(
            Self.policy(
                "files: [corp.pem]\nintermediates: [«HW316:one.pem», «HW316:two.pem»]"), files,
            says: [
                "through `CN=Acme Issuing`, which does not meet the demand "
                    + "`name-constraints-not-critical` on its issuer",
                "2 demands on its issuer: `serial-not-positive`, `authority-key-identifier-missing`",
                "the certificate of `two.pem` has the serial number `00`",
                "whoever runs `CN=Acme Root` can issue it again: ",
            ])
        // A place has one finding, which names every certificate of the file.
        let both = ["both.pem": Self.pem(first) + Self.pem(second)]
        Self.expect(
            Self.policy("files: [corp.pem]\nintermediates: [«HW316:both.pem»]"), both,
            says: [
                "through `CN=Acme Issuing`, which does not meet",
                "so with certificate 2 of `both.pem`, `CN=Acme Other`, which does not meet 2 demands",
            ])
        // Remarks begin at `audit`.
        let plain = Self.policy("files: [corp.pem]\nintermediates: [both.pem]").lint(files: both)
        #expect(plain.findings.isEmpty)
    }

    @Test("HW316: an anchor is judged beside what it issued, where the unit knows it")
    func anchors() {
        let root = Self.pki.root("Acme Old Root", key: .p256("issuance root")) {
            $0.remove(OID.subjectKeyIdentifier)
        }
        let issuing = root.issueCA("Acme Issuing", key: .p256("issuance below")) {
            $0.set(.raw(OID.authorityKeyIdentifier, [0x30, 0x03, 0x80, 0x01, 0x07]))
        }
        let files = ["old.pem": Self.pem(root), "issuing.pem": Self.pem(issuing)]
        Self.expect(Self.policy("files: [old.pem]"), files)
        Self.expect(
            Self.policy("files: [«HW316:old.pem»]\nintermediates: [issuing.pem]"), files,
            says: [
                "`subject-key-identifier-missing` on its issuer", "whoever runs this CA can issue",
            ])
        // The same names, and another key: nothing says that the root issued it.
        let other = Self.pki.root("Acme Old Root", key: .p256("issuance other root"))
            .issueCA("Acme Issuing", key: .p256("issuance below")) {
                $0.set(.raw(OID.authorityKeyIdentifier, [0x30, 0x03, 0x80, 0x01, 0x07]))
            }
        Self.expect(
            Self.policy("files: [old.pem]\nintermediates: [issuing.pem]"),
            files.merging(["issuing.pem": Self.pem(other)]) { $1 })
        // A member that is taken out is nobody's anchor.
        Self.expect(
            Self.policy(
                "files: [old.pem, corp.pem]\nintermediates: [issuing.pem]\n"
                    + "exclude: { old: { certificate-file: old.pem } }"), files)
    }

    @Test("HW316: demands of `web-pki` are made where a set says `web-pki`")
    func standards() {
        let root = Self.pki.root("Acme Old Root", key: .p256("issuance root")) {
            $0.remove(OID.keyUsage)
        }
        let files = ["old.pem": Self.pem(root)]
        Self.expect(Self.policy("files: [old.pem]"), files)
        Self.expect(
            Self.policy("files: [«HW316:old.pem»]\nstandard: web-pki"), files,
            says: ["`key-usage-of-ca-missing`"])
        // Name constraints that are not critical: the other way.
        let issuing = ["one.pem": Self.pem(Self.uncritical("Acme Issuing"))]
        Self.expect(
            Self.policy("files: [corp.pem]\nstandard: web-pki\nintermediates: [one.pem]"), issuing)
    }

    @Test("HW317: a warning where a rule enforces what no waiver names")
    func enforced() {
        let files = ["one.pem": Self.pem(Self.uncritical("Acme Issuing"))]
        func expect(_ code: String, _ rule: String, says phrases: [String] = []) {
            Self.expect(
                Self.policy("files: [corp.pem]\nintermediates: [«\(code):one.pem»]", rule: rule),
                files, says: phrases)
        }
        expect("HW316", "path: { issuance: report }")
        expect(
            "HW317", "path: { issuance: enforce }",
            says: [
                "`api` refuses every path through `CN=Acme Issuing`", "enforced here",
                "the waiver `issuance` with `demands: [name-constraints-not-critical]`",
            ])
        let waived = "demands: [name-constraints-not-critical], \(Self.waiver)"
        expect("HW316", "path: { issuance: enforce }\n    waivers: { issuance: { \(waived) } }")
        let other = "demands: [serial-too-long], \(Self.waiver)"
        expect("HW317", "path: { issuance: enforce }\n    waivers: { issuance: { \(other) } }")
        // It is a warning of plain `lint`.
        let plain = Self.policy(
            "files: [corp.pem]\nintermediates: [one.pem]", rule: "path: { issuance: enforce }"
        ).lint(files: files)
        #expect(plain.findings.map(\.code) == [.issuanceRefused])
        #expect(plain.findings.map(\.severity) == [.warning])
    }

    // MARK: Against verdicts

    private typealias Spoilt = (
        name: String, change: @Sendable (inout CertificateRecipe) -> Void
    )

    /// The damage to a CA.
    private static let spoilt: [Spoilt] = [
        ("nothing", { _ in }),
        ("serial number", { $0.serial = [0] }),
        ("no authority key identifier", { $0.remove(OID.authorityKeyIdentifier) }),
        ("no key usage", { $0.remove(OID.keyUsage) }),
        (
            "name constraints",
            {
                $0.extensions.append(
                    .nameConstraints(permitted: [.dns("acme.example")], critical: false))
            }
        ),
        (
            "basic constraints",
            {
                $0.set(
                    .raw(OID.basicConstraints, critical: false, [0x30, 0x03, 0x01, 0x01, 0xFF]))
            }
        ),
    ]

    /// The leaf breaches nothing, so a path is rejected under `enforce` exactly where HW317 is
    /// told, and has a notice under `report` exactly where HW316 is told.
    @Test("what is told is what evaluation says", arguments: ["rfc5280", "web-pki"])
    func verdicts(standard: String) throws {
        for (name, change) in Self.spoilt {
            for isAnchor in [true, false] {
                let root = Self.pki.root("Acme Told Root", key: .p256("told root")) {
                    if isAnchor { change(&$0) }
                }
                let issuing = root.issueCA("Acme Told Issuing", key: .p256("told issuing")) {
                    if !isAnchor { change(&$0) }
                }
                let leaf = issuing.issueLeaf(dns: ["api.acme.example"])
                let files = ["old.pem": Self.pem(root), "issuing.pem": Self.pem(issuing)]
                for mode in ["report", "enforce"] {
                    let policy = Self.policy(
                        "files: [old.pem]\nintermediates: [issuing.pem]\nstandard: \(standard)",
                        rule: "path: { issuance: \(mode) }")
                    let told = policy.lint(MarkedLint.options(.audit), files: files).findings
                        .filter { [.issuanceBreach, .issuanceRefused].contains($0.code) }
                    let verdict = try Self.verdict(policy, files, [leaf.der])
                    let row = "\(name), \(isAnchor), \(standard), \(mode): \(verdict)"
                    let isRefused = told.contains { $0.code == .issuanceRefused }
                    #expect(isRefused == !verdict.isAccept, "\(row)")
                    let isNoticed = verdict.accepted?.notices.contains { $0.id == "issuance" }
                    let isRemarked = told.contains { $0.code == .issuanceBreach }
                    #expect(isRemarked == (isNoticed ?? false), "\(row)")
                }
            }
        }
    }

    private static func verdict(
        _ policy: MarkedLint, _ files: [String: [UInt8]], _ chain: [[UInt8]]
    ) throws -> Verdict {
        let crypto = LibCryptoBackend()
        let compilation = CompilerPipeline.compile(policy.unit(files), crypto: crypto)
        let table = try #require(compilation.table, "\(compilation.diagnostics.map(\.message))")
        return try Engine(table: table, crypto: crypto).evaluate(
            TrustRequest(
                host: "api.acme.example", port: 443, presentedChain: chain, time: MarkedLint.time,
                tls: .assumed(TLSParameters(version: .tls13))))
    }
}

extension Verdict {
    fileprivate var accepted: Acceptance? {
        guard case .accept(let acceptance) = outcome else { return nil }
        return acceptance
    }
}
