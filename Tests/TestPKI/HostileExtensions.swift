import TrustEngine

/// Chains whose extensions are made to cost whoever reads them, in many certificates or once for
/// each path.
extension HostileChain {
    static func withHostileExtensions() -> [Recipe] {
        let oids = (0..<256).map { "1.3.6.1.4.1.32473.9.\($0)" }
        let long = (0..<200).map { number in
            "1.3.6.1.4.1.32473" + String(repeating: ".16384", count: 60) + ".\(number)"
        }
        return [
            { strays("256 certificate policies", 300) { .certificatePolicies(oids) } },
            { strays("256 certificate policies", 1_000) { .certificatePolicies(oids) } },
            {
                strays("200 certificate policies of 200 octets", 200) { .certificatePolicies(long) }
            },
            { unknownExtensions(1_000) },
            {
                candidates("a list of 5,000 key purposes") {
                    .extendedKeyUsage(
                        (0..<5_000).map { "1.3.6.1.5.5.7.4.\($0)" } + [OID.serverAuth])
                }
            },
            {
                candidates("1,200 distribution points") {
                    .distributionPoints(
                        (0..<1_200).map { TestPoint(.full([.uri("http://crl.example/\($0)")])) })
                }
            },
            {
                candidates("1,500 access locations") {
                    .authorityInfoAccess(
                        issuers: (0..<1_500).map { "ldap://a.example/\($0)" })
                }
            },
            {
                candidates("20,000 TLS features") {
                    .tlsFeatures((0..<20_000).map { $0 % 5 })
                }
            },
            { mesh(7) },
            { mesh(12) },
        ]
    }

    /// Certificates that nobody needs, each with an extension.
    private static func strays(
        _ title: String, _ count: Int, _ made: () -> TestExtension
    ) -> HostileChain {
        let added = made()
        let strays = (0..<count).map { index in
            root.issueCA(TestName("Stray \(index)"), key: .p256("hostile stray")) {
                $0.extensions.append(added)
                $0.damage = .replaced([UInt8](repeating: 0x42, count: 70))
            }.der
        }
        return HostileChain(
            "\(count) certificates with \(title)", [root.issueLeaf(dns: [host]).der] + strays)
    }

    private static func unknownExtensions(_ count: Int) -> HostileChain {
        let added = (0..<58).map { TestExtension.raw("1.3.6.1.4.1.32473.8.\($0)", []) }
        let strays = (0..<count).map { index in
            root.issueCA(TestName("Stray \(index)"), key: .p256("hostile stray")) {
                $0.extensions += added
                $0.damage = .replaced([UInt8](repeating: 0x42, count: 70))
            }.der
        }
        return HostileChain(
            "\(count) certificates with 62 extensions",
            [root.issueLeaf(dns: ["other.acme.example"]).der] + strays)
    }

    /// Authorities of two names that sign each other, each with a long extension, so that each
    /// stands on many paths.
    private static func candidates(
        _ title: String, _ made: () -> TestExtension
    ) -> HostileChain {
        let added = made()
        var bag: [[UInt8]] = []
        let first = world.root("Candidate 0", key: .p256("hostile candidate 0"))
        let second = world.root("Candidate 1", key: .p256("hostile candidate 1"))
        for index in 0..<6 {
            for (issuer, subject) in [(first, second), (second, first)] {
                bag.append(
                    issuer.issueCA(subject.name, key: .p256("hostile candidate \(index)")) {
                        $0.set(added)
                        $0.remove(OID.authorityKeyIdentifier)
                        $0.remove(OID.subjectKeyIdentifier)
                    }.der)
            }
        }
        let leaf = first.issueLeaf(dns: [host]) { $0.set(added) }
        return HostileChain("12 authorities with \(title)", [leaf.der] + bag)
    }

    /// Authorities that all sign each other with cheap keys, one of them trusted: as many paths as
    /// the budget allows, on each of which only the name is wrong.
    private static func mesh(_ count: Int) -> HostileChain {
        let authorities = (0..<count).map {
            world.root(TestName("Mesh \($0)"), key: .p256("hostile mesh \($0)"))
        }
        var bag: [[UInt8]] = []
        for issuer in authorities {
            for subject in authorities where subject.name != issuer.name {
                bag.append(issuer.crossSign(subject).der)
            }
        }
        return HostileChain(
            "\(count) P-256 authorities that sign each other",
            [authorities[0].issueLeaf(dns: ["other.acme.example"]).der] + bag,
            roots: [authorities[count - 1].der])
    }
}
