import PolicyCompiler
import PolicyTools
import TestPKI
import Testing
import TrustEngine

/// HW309: hosts that no anchor of their rule may vouch for.
@Suite("lint: hosts that anchors exclude") struct NameConstraintRuleTests {
    private static func policy(
        hosts: String, set: String = "", anchors: String = "[acme]", rule: String = "",
        rest: String = ""
    ) -> MarkedLint {
        func lines(_ text: String) -> String { text.isEmpty ? "" : "    \(text)\n" }
        return MarkedLint(
            """
            hawser: 1
            default: deny
            anchors:
              acme:
                files: [limited.pem]
            \(lines(set))\(rest.isEmpty ? "" : "  " + rest + "\n")rules:
              api:
                hosts: [\(hosts)]
                anchors: \(anchors)
                owner: web
            \(lines(rule))
            """)
    }

    /// Holds HW309 to the marks; other rules have their say on hosts elsewhere.
    private static func expect(
        _ policy: MarkedLint, permitted: [TestGeneralName] = [], excluded: [TestGeneralName] = [],
        says phrases: [String] = [], sourceLocation: SourceLocation = #_sourceLocation
    ) {
        let root = MarkedLint.pki.root("Acme Limited", key: .p256("limited")) {
            guard !permitted.isEmpty || !excluded.isEmpty else { return }
            $0.extensions.append(.nameConstraints(permitted: permitted, excluded: excluded))
        }
        policy.expectAlone(
            "HW309", files: ["limited.pem": Array(root.pem.utf8)], says: phrases,
            sourceLocation: sourceLocation)
    }

    @Test("the certificate permits other names")
    func permitted() {
        Self.expect(
            Self.policy(hosts: "«HW309:\"api.acme.example\"»"), permitted: [.dns("corp.example")],
            says: [
                "no certificate for `api.acme.example` is ever accepted",
                "`CN=Acme Limited` permits only `corp.example`",
                "ignore-limits: [name-constraints]",
            ])
        Self.expect(
            Self.policy(hosts: "\"api.corp.example\", \"corp.example\""),
            permitted: [.dns("corp.example")])
        // Constraints on other kinds of names say nothing of hosts.
        Self.expect(Self.policy(hosts: "\"api.acme.example\""), permitted: [.email("corp.example")])
    }

    @Test("the certificate excludes the names")
    func excluded() {
        Self.expect(
            Self.policy(hosts: "«HW309:\"api.acme.example\"»"), excluded: [.dns("acme.example")],
            says: ["excludes `acme.example`"])
        Self.expect(Self.policy(hosts: "\"api.corp.example\""), excluded: [.dns("acme.example")])
    }

    @Test(
        "a wildcard is told when every host that it covers is ruled out",
        arguments: [
            // Of all names one label below, one may be permitted.
            ("*.acme.example", [], ["x.acme.example"], [], true),
            ("*.acme.example", [], ["y.x.acme.example"], [], false),
            ("**.acme.example", [], ["y.x.acme.example"], [], true),
            ("**.acme.example", [], ["example"], [], true),
            ("**.acme.example", [], ["corp.example"], [], false),
            ("*.acme.example", ["x.acme.example"], [], [], true),
            ("*.acme.example", ["acme.example"], [], [], false),
            ("**.acme.example", ["x.acme.example"], ["x.acme.example"], [], false),
            ("**.acme.example", ["y.x.acme.example"], ["x.acme.example"], [], true),
            // What the certificate permits and the set does not.
            ("**.acme.example", [], ["x.acme.example"], ["*.acme.example"], true),
            ("**.acme.example", [], ["x.acme.example"], ["*.x.acme.example"], true),
            ("*.acme.example", [], ["x.acme.example"], ["*.x.acme.example"], false),
            ("**.acme.example", [], ["y.acme.example"], ["**.x.acme.example"], false),
            ("**.acme.example", ["y.x.acme.example"], [], ["y.x.acme.example"], false),
        ] as [(String, [String], [String], [String], Bool)])
    func wildcard(
        _ pattern: String, _ excluded: [String], _ permitted: [String], _ ofSet: [String],
        _ isReachable: Bool
    ) {
        let names = ofSet.map { "\"\($0)\"" }.joined(separator: ", ")
        Self.expect(
            Self.policy(
                hosts: isReachable ? "\"\(pattern)\"" : "«HW309:\"\(pattern)\"»",
                set: ofSet.isEmpty ? "" : "constraints: { permitted-names: [\(names)] }"),
            permitted: permitted.map { .dns($0) }, excluded: excluded.map { .dns($0) })
    }

    @Test("addresses")
    func addresses() {
        Self.expect(
            Self.policy(
                hosts: "«HW309:\"192.0.2.1\"», \"10.1.2.3\", \"10.0.0.0/7\", \"10.1.0.0/16\""),
            permitted: [.ipRange("10.0.0.0/8")], says: ["permits only `10.0.0.0/8`"])
    }

    @Test(
        "a network is told when every address in it is ruled out",
        arguments: [
            ("192.168.22.0/24", ["10.0.0.0/8"], [], "", true),
            ("2001:db8::/32", ["10.0.0.0/8"], [], "", true),
            ("2001:db8::/32", ["2001:db9::/32"], [], "", true),
            ("2001:db8::/32", ["2001:db8:0:1::/64"], [], "", false),
            ("10.0.0.0/8", ["10.1.0.0/16"], [], "", false),
            ("10.0.0.0/8", ["10.1.0.0/16"], ["10.1.0.0/17", "10.1.128.0/17"], "", true),
            ("10.0.0.0/8", ["10.1.0.0/16"], ["10.1.0.0/17", "10.1.128.0/18"], "", false),
            ("10.0.0.0/8", [], ["0.0.0.0/0"], "", true),
            ("10.0.0.0/8", [], ["10.0.0.0/9"], "", false),
            ("10.0.0.0/8", [], ["10.0.0.0/9"], "10.0.0.0/9", true),
            ("10.0.0.0/8", [], ["10.0.0.0/9"], "10.0.0.0/8", false),
            ("255.0.0.0/8", [], ["255.128.0.0/9"], "255.128.0.0/9", true),
        ] as [(String, [String], [String], String, Bool)])
    func network(
        _ pattern: String, _ permitted: [String], _ excluded: [String], _ ofSet: String,
        _ isExcluded: Bool
    ) {
        Self.expect(
            Self.policy(
                hosts: isExcluded ? "«HW309:\"\(pattern)\"»" : "\"\(pattern)\"",
                set: ofSet.isEmpty ? "" : "constraints: { permitted-names: [\"\(ofSet)\"] }"),
            permitted: permitted.map { .ipRange($0) }, excluded: excluded.map { .ipRange($0) })
    }

    @Test("constraints of the set, and of one that includes it")
    func ofSet() {
        let constraints = "constraints: { permitted-names: [\"*.corp.example\"] }"
        Self.expect(
            Self.policy(hosts: "«HW309:\"api.acme.example\"»", set: constraints),
            says: ["`permitted-names` has `*.corp.example` alone"])
        Self.expect(
            Self.policy(
                hosts: "«HW309:\"api.acme.example\"»", anchors: "[all]",
                rest: "all: { include: [acme, system], \(constraints) }"))
        Self.expect(
            Self.policy(
                hosts: "«HW309:\"api.acme.example\"», \"www.acme.example\"",
                set: "constraints: { excluded-names: [\"api.acme.example\"] }"),
            says: ["`excluded-names` has `api.acme.example`"])
    }

    @Test("one finding tells all hosts of a rule")
    func several() {
        Self.expect(
            Self.policy(
                hosts: "\"a.corp.example\", «HW309:\"a.acme.example\"», \"b.acme.example\""),
            permitted: [.dns("corp.example")],
            says: ["`a.acme.example` and 1 more name of `api`", "likewise: `b.acme.example`"])
    }

    @Test("quiet where another anchor permits it, the limits do not bind, or names are waived")
    func quiet() {
        let permitted: [TestGeneralName] = [.dns("corp.example")]
        let host = "\"api.acme.example\""
        Self.expect(
            Self.policy(
                hosts: host, anchors: "[acme, other]", rest: "other: { files: [corp.pem] }"),
            permitted: permitted)
        Self.expect(Self.policy(hosts: host, anchors: "[acme, system]"), permitted: permitted)
        Self.expect(
            Self.policy(hosts: host, set: "ignore-limits: [name-constraints]"),
            permitted: permitted)
        let waiver = "reason: late, owner: web, until: 2026-08-31"
        Self.expect(
            Self.policy(hosts: host, rule: "waivers: { identity: { \(waiver) } }"),
            permitted: permitted)
        Self.expect(
            Self.policy(
                hosts: "«HW309:\(host)»",
                rule: "waivers: { identity: { reason: late, owner: web, until: 2026-05-31 } }"),
            permitted: permitted)
    }

    @Test("the names of `identity` count where they stand for the host")
    func listed() {
        let permitted: [TestGeneralName] = [.dns("corp.example")]
        func rule(_ identity: String) -> MarkedLint {
            Self.policy(hosts: "\"api.acme.example\"", rule: "identity: { \(identity) }")
        }
        Self.expect(rule("reference: listed, dns: [api.corp.example]"), permitted: permitted)
        Self.expect(
            rule("reference: listed, dns: [«HW309:a.acme.example», b.acme.example]"),
            permitted: permitted, says: ["list the name that the hosts present"])
        Self.expect(
            rule("reference: listed, dns: [a.acme.example, b.corp.example]"), permitted: permitted)
        Self.expect(
            rule("reference: listed, dns: [a.acme.example], email: [ops@acme.example]"),
            permitted: permitted)
    }

    @Test("with `host-and-listed` the host must be presented, and one of the names too")
    func hostAndListed() {
        let permitted: [TestGeneralName] = [.dns("corp.example")]
        Self.expect(
            Self.policy(
                hosts: "\"api.corp.example\"",
                rule: "identity: { reference: host-and-listed, dns: [«HW309:a.acme.example»] }"),
            permitted: permitted)
        Self.expect(
            Self.policy(
                hosts: "«HW309:\"api.acme.example\"»",
                rule: "identity: { reference: host-and-listed, dns: [a.corp.example] }"),
            permitted: permitted)
    }

    @Test("a server's own certificate as the anchor: what it presents can be listed")
    func ownCertificate() {
        func expect(
            _ names: [String], hosts: String, says phrases: [String], never: String? = nil
        ) {
            let own = MarkedLint.pki.selfSignedLeaf(dns: names)
            let policy = Self.policy(hosts: hosts, set: "kind: leaf")
            let files = ["limited.pem": Array(own.pem.utf8)]
            policy.expectAlone("HW309", files: files, says: phrases)
            guard let never else { return }
            for finding in policy.lint(files: files).findings
            where finding.code == .nameConstraintsExclude {
                #expect(!finding.help.joined().contains(never))
            }
        }
        expect(["printer.acme.example"], hosts: "\"printer.acme.example\"", says: [])
        expect(
            ["printer.acme.example"], hosts: "«HW309:\"10.20.0.7\"»",
            says: [
                "no certificate for `10.20.0.7` is ever accepted",
                "put that one into `acme`",
                "identity: { reference: listed, dns: [\"printer.acme.example\"] }",
            ])
        expect(
            ["printer.acme.example"], hosts: "«HW309:\"a.acme.example\"», \"b.acme.example\"",
            says: ["in a rule of its own for this host"])
        expect(
            [], hosts: "«HW309:\"print.acme.example\"»", says: ["presents no name"],
            never: "identity")
    }

    @Test("a subtree that is no name permits nothing")
    func malformed() {
        Self.expect(
            Self.policy(hosts: "«HW309:\"api.acme.example\"»"),
            permitted: [.dns("a..b"), .dns("acme.example")], says: ["is malformed"])
    }

    @Test("of too many constraints nothing is said")
    func tooMany() {
        let many = (0..<2_000).map { TestGeneralName.dns("n\($0).corp.example") }
        Self.expect(Self.policy(hosts: "\"api.acme.example\""), permitted: many)
    }

    @Test("comparing that is made to take for ever is given up on, and that is said")
    func hostile() {
        let names = (0..<240).map { TestGeneralName.dns("n\($0).acme.example") }
        let root = MarkedLint.pki.root("Acme Limited", key: .p256("limited")) {
            $0.extensions.append(.nameConstraints(permitted: names, excluded: names))
        }
        let hosts = (1...20).map { "\"**.acme.example:\($0)\"" }.joined(separator: ", ")
        let result = Self.policy(hosts: hosts).lint(
            files: ["limited.pem": Array(root.pem.utf8)])
        #expect(!result.isWhole)
        #expect(!result.findings.contains { $0.code == .nameConstraintsExclude })
    }
}
