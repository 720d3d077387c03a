import LibCrypto
import PolicyCompiler
import PolicyTools
import TestPKI
import Testing
import TrustEngine

/// The rules on anchors say what evaluations do: where no path can end, none does, and otherwise
/// one does.
@Suite("lint: anchors, against verdicts") struct AnchorVerdictTests {
    /// A CA with something wrong, or nothing.
    private struct Spoilt: Sendable {
        let name: String
        var key = TestKey.p256("verdict anchor")
        var change: @Sendable (inout CertificateRecipe) -> Void = { _ in }
    }

    private static let spoilt = [
        Spoilt(name: "nothing"),
        Spoilt(name: "ended") { $0.notAfter = .at("2026-05-31T23:59:59Z") },
        Spoilt(name: "future") { $0.notBefore = .at("2026-06-02") },
        Spoilt(name: "RSA of 1024 bits", key: .rsa1024("verdict weak")),
        Spoilt(name: "RSA of 2048 bits", key: .rsa2048("verdict rsa")),
        Spoilt(name: "no keyCertSign") { $0.set(.keyUsage([.cRLSign])) },
        Spoilt(name: "no key usage") { $0.remove(OID.keyUsage) },
        Spoilt(name: "critical extension") { $0.extensions.append(.unknown(critical: true)) },
        Spoilt(name: "other extension") { $0.extensions.append(.unknown(critical: false)) },
        Spoilt(name: "for clients") { $0.set(.extendedKeyUsage([OID.clientAuth])) },
        Spoilt(name: "for both") {
            $0.set(.extendedKeyUsage([OID.clientAuth, OID.serverAuth]))
        },
        Spoilt(name: "basicConstraints not critical") {
            $0.set(.raw(OID.basicConstraints, critical: false, [0x30, 0x03, 0x01, 0x01, 0xFF]))
        },
    ]

    private static let waiver = "reason: late, owner: web, until: 2026-08-31"

    /// What a set and a rule say besides.
    private static let terms = [
        (set: "owner: pki", rule: "note: plain"),
        (set: "standard: web-pki", rule: "note: plain"),
        (set: "ignore-limits: [dates, key-purposes]", rule: "note: plain"),
        (set: "owner: pki", rule: "validity: { clock-skew: 24h }"),
        (set: "owner: pki", rule: "path: { key-purposes: [client-auth, server-auth] }"),
        (set: "owner: pki", rule: "keys: { types: [p256] }"),
        (set: "owner: pki", rule: "waivers: { expired: { tolerance: 7d, \(waiver) } }"),
        (set: "owner: pki", rule: "waivers: { keys: { rsa-minimum: 1024, \(waiver) } }"),
        (set: "owner: pki", rule: "path: { issuance: enforce }"),
        (set: "standard: web-pki", rule: "path: { issuance: enforce }"),
        (
            set: "owner: pki",
            rule: "path: { issuance: enforce }\n    waivers: { issuance: { "
                + "demands: [basic-constraints-not-critical], \(waiver) } }"
        ),
    ]

    @Test("where no path can end the engine rejects, and elsewhere it accepts", arguments: spoilt)
    private func verdicts(_ spoilt: Spoilt) throws {
        let root = MarkedLint.pki.root("Acme Root", key: spoilt.key, spoilt.change)
        try Self.compare(spoilt, root.certificate, [Self.leaf(of: root).der])
    }

    @Test("so it is where another CA issued the anchor", arguments: spoilt)
    private func intermediateVerdicts(_ spoilt: Spoilt) throws {
        let issuing = MarkedLint.root.issueCA("Acme Issuing", key: spoilt.key, spoilt.change)
        try Self.compare(
            spoilt, issuing.certificate, [Self.leaf(of: issuing).der], kind: "intermediate")
    }

    @Test("and where a certificate vouches for itself alone", arguments: spoilt)
    private func leafVerdicts(_ spoilt: Spoilt) throws {
        let leaf = MarkedLint.pki.selfSignedLeaf(dns: ["api.acme.example"], key: spoilt.key) {
            spoilt.change(&$0)
            // A rule on anchors does not report that a leaf lacks the marks of a CA.
            $0.set(.basicConstraints(ca: false))
        }
        try Self.compare(spoilt, leaf, [leaf.der], kind: "leaf")
    }

    /// For clients too, so that the anchor's purposes decide.
    private static func leaf(of authority: Authority) -> Minted {
        authority.issueLeaf(dns: ["api.acme.example"]) {
            $0.set(.extendedKeyUsage([OID.serverAuth, OID.clientAuth]))
        }
    }

    private static func compare(
        _ spoilt: Spoilt, _ anchor: Minted, _ chain: [[UInt8]], kind: String = "root"
    ) throws {
        let files = ["anchor.pem": Array(anchor.pem.utf8)]
        for terms in Self.terms {
            let policy = MarkedLint(
                """
                hawser: 1
                default: deny
                anchors:
                  acme:
                    files: [anchor.pem]
                    kind: \(kind)
                    \(terms.set)
                rules:
                  api:
                    hosts: ["api.acme.example"]
                    anchors: [acme]
                    owner: web
                    \(terms.rule)

                """)
            let told = policy.lint(files: files).findings.filter { finding in
                [.anchorExpired, .weakAnchor, .anchorDeadEnd, .issuanceRefused].contains(
                    finding.code)
            }
            let engine = try Self.engine(policy, files)
            #expect(
                Self.accepts(engine, "api.acme.example", chain) == told.isEmpty,
                "\(spoilt.name), \(kind), \(terms): \(told.map(\.message))")
        }
    }

    @Test("a path goes on through an excluded root, as told, and never through a forbidden key")
    func excluded() throws {
        let retired = MarkedLint.pki.root("Acme Old Root", key: .p256("verdict retired"))
        let cross = MarkedLint.root.issueCA("Acme Old Root", key: .p256("verdict retired"))
        let files = ["old.pem": Array(retired.pem.utf8), "cross.pem": Array(cross.pem.utf8)]
        let chain = [Self.leaf(of: retired).der]
        func policy(_ trusted: String, _ rule: String = "note: plain") -> MarkedLint {
            MarkedLint(
                """
                hawser: 1
                default: deny
                anchors:
                  acme:
                    files: [\(trusted), old.pem]
                    intermediates: [cross.pem]
                    exclude: { old: { spki-file: old.pem } }
                rules:
                  api:
                    hosts: ["api.acme.example"]
                    anchors: [acme]
                    owner: web
                    \(rule)

                """)
        }
        let forbidden = "forbidden-keys: { old: { spki-file: old.pem } }"
        let cases: [(policy: MarkedLint, isAccepted: Bool)] = [
            (policy("corp.pem"), true), (policy("other.pem"), false),
            (policy("corp.pem", forbidden), false),
        ]
        for (policy, isAccepted) in cases {
            let isTold = policy.lint(files: files).findings.contains {
                $0.code == .excludedStillReached
            }
            let engine = try Self.engine(policy, files)
            #expect(Self.accepts(engine, "api.acme.example", chain) == isAccepted)
            #expect(isTold == isAccepted)
        }
    }

    @Test("a host is told as excluded when no certificate for it is accepted")
    func names() throws {
        let seed: UInt64 = 20_260_601
        var random = SplitMix(state: seed)
        var (told, untold) = (0, 0)
        for round in 0..<100 {
            let world = NameWorld(&random)
            let root = world.root
            let files = ["root.pem": Array(root.pem.utf8)]
            let policy = MarkedLint(world.text)
            let isTold = policy.lint(files: files).findings.contains {
                $0.code == .nameConstraintsExclude
            }
            let engine = try Self.engine(policy, files)
            let accepted = NameWorld.hosts.first { host in
                world.covers(host)
                    && Self.accepts(
                        engine, host, [root.issueLeaf(dns: [host], key: NameWorld.key).der])
            }
            #expect(
                isTold == (accepted == nil),
                "seed \(seed), round \(round), \(accepted ?? "none")\n\(world.text)\n\(world)")
            if isTold { told += 1 } else { untold += 1 }
        }
        #expect(told > 15 && untold > 15, "\(told) told, \(untold) not")
    }

    private static func engine(_ policy: MarkedLint, _ files: [String: [UInt8]]) throws -> Engine {
        let crypto = LibCryptoBackend()
        let compilation = CompilerPipeline.compile(policy.unit(files), crypto: crypto)
        let table = try #require(
            compilation.table, "\(compilation.diagnostics.map(\.message))")
        return try Engine(table: table, crypto: crypto)
    }

    private static func accepts(_ engine: borrowing Engine, _ host: String, _ chain: [[UInt8]])
        -> Bool
    {
        engine.evaluate(
            TrustRequest(
                host: host, port: 443, presentedChain: chain, time: MarkedLint.time,
                tls: .assumed(TLSParameters(version: .tls13)))
        ).isAccept
    }
}

/// A rule for one pattern, whose only anchor and whose set permit and exclude names at random.
private struct NameWorld {
    let pattern: String
    let permitted: [String]
    let excluded: [String]
    let permittedBySet: [String]
    let excludedBySet: [String]

    static let key = TestKey.p256("name world leaf")
    /// Names up to two labels above `example`: what constraints are written about.
    private static let bases = names(["a", "b"], depth: 2)
    /// Every name that a witness could be, with a label that no constraint has.
    static let hosts = names(["a", "b", "q"], depth: 4)

    private static func names(_ labels: [String], depth: Int) -> [String] {
        var (all, last): ([String], [String]) = ([], ["example"])
        for _ in 0..<depth {
            last = last.flatMap { name in labels.map { "\($0).\(name)" } }
            all += last
        }
        return all
    }

    init(_ random: inout SplitMix) {
        func pick(_ names: [String], _ most: Int) -> [String] {
            Array(names.shuffled(using: &random).prefix(Int.random(in: 0...most, using: &random)))
        }
        let patterns = NameWorld.bases + NameWorld.bases.flatMap { ["*.\($0)", "**.\($0)"] }
        pattern = patterns.randomElement(using: &random) ?? "a.example"
        permitted = pick(NameWorld.bases, 2)
        excluded = pick(NameWorld.bases, 2)
        permittedBySet = pick(patterns, 3)
        excludedBySet = pick(patterns, 2)
    }

    var root: Authority {
        MarkedLint.pki.root("Name World", key: .p256("name world")) {
            guard !permitted.isEmpty || !excluded.isEmpty else { return }
            $0.extensions.append(
                .nameConstraints(
                    permitted: permitted.map { .dns($0) }, excluded: excluded.map { .dns($0) }))
        }
    }

    func covers(_ host: String) -> Bool {
        guard pattern.hasPrefix("*") else { return host == pattern }
        let base = pattern.drop { $0 == "*" }
        guard host.hasSuffix(base) else { return false }
        return pattern.hasPrefix("**") || !host.dropLast(base.count).contains(".")
    }

    var text: String {
        func list(_ key: String, _ names: [String]) -> String {
            let items = names.map { "\"\($0)\"" }.joined(separator: ", ")
            return names.isEmpty ? "" : "      \(key): [\(items)]\n"
        }
        let lists = list("permitted-names", permittedBySet) + list("excluded-names", excludedBySet)
        return """
            hawser: 1
            default: deny
            anchors:
              acme:
                files: [root.pem]
            \(lists.isEmpty ? "" : "    constraints:\n" + lists)
            rules:
              api:
                hosts: ["\(pattern)"]
                anchors: [acme]
                owner: web

            """
    }
}
