public import TrustEngine

/// Chains that are made to cost whoever looks at them: each is one way to spend a validator's time.
/// Everything in them that can be signed is, so that no early failure saves the validator the work.
public struct HostileChain: Sendable {
    /// The attack and its target, as a name for a table.
    public let name: String
    /// End entity first.
    public let chain: [[UInt8]]
    /// The trusted roots.
    public let roots: [[UInt8]]
    /// The host asked for.
    public let host: String
    /// The evidence that is handed over beside the chain.
    public let evidence: Evidence

    static let host = "api.acme.example"
    static let world = Scenario()
    static let root = world.root("Hostile Root", key: .p256("hostile root"))

    init(
        _ name: String, _ chain: [[UInt8]], roots: [[UInt8]] = [root.der],
        evidence: Evidence = Evidence()
    ) {
        self.name = name
        self.chain = chain
        self.roots = roots
        self.host = HostileChain.host
        self.evidence = evidence
    }

    /// Mints a chain; the largest take seconds in a debug build.
    public typealias Recipe = @Sendable () -> HostileChain

    /// The recipe of every chain.
    public static let recipes: [Recipe] =
        [
            {
                rsaIssuers(
                    "RSA-3072 with an exponent of 3071 bits", bits: 3_072, exponentBits: 3_071)
            },
            { rsaIssuers("RSA-16384", bits: 16_384, exponentBits: 17) },
            {
                rsaIssuers(
                    "RSA-16384 with an exponent of 16383 bits", bits: 16_384, exponentBits: 16_383)
            },
            { manyNames(10_000) },
            { manyNames(3_000) },
            { crossSigns() },
            { slowMesh() },
            { constraints(count: 100_000, names: 1) },
            { constraints(count: 5_000, names: 3_000) },
            { constraints(count: 2_000, names: 2_000) },
            { excludedNames() },
            { policies(50) },
            { policies(22) },
            { longNames() },
            { manyExtensions() },
            { manyCertificates() },
            { manyPoints() },
            { bigCertificate() },
        ] + withHostileNames() + withHostileExtensions() + withHostileEvidence()

    /// Issuers with an expensive key, all of one name, all vouched for by the root: each may have
    /// signed the end entity, and only verifying tells.
    private static func rsaIssuers(_ name: String, bits: Int, exponentBits: Int) -> HostileChain {
        let issuers = (0..<20).map { index -> [UInt8] in
            root.issueCA("Slow Issuer", key: .p256("hostile \(index)")) {
                $0.spki = rsaKey(bits: bits, exponentBits: exponentBits, index)
                $0.remove(OID.subjectKeyIdentifier)
            }.der
        }
        let signer = Authority(
            name: "Slow Issuer", key: .rsa2048("hostile signer"),
            certificate: root.certificate, world: world)
        let leaf = signer.issueLeaf(dns: [host]) {
            $0.remove(OID.authorityKeyIdentifier)
            $0.damage = .replaced([UInt8](repeating: 0x42, count: bits / 8))
        }
        return HostileChain("\(name), 20 issuers", [leaf.der] + issuers)
    }

    /// A SubjectPublicKeyInfo of an RSA key that nobody has: odd numbers of the wanted size, others
    /// for each `index`.
    public static func rsaKey(bits: Int, exponentBits: Int, _ index: Int) -> [UInt8] {
        func number(_ bits: Int, _ index: Int = 0) -> [UInt8] {
            var octets = [UInt8](repeating: 0xA5, count: (bits + 7) / 8)
            let top = (bits - 1) % 8
            octets[0] = octets[0] & ((1 << UInt8(top)) - 1) | 1 << UInt8(top)
            octets[octets.count / 2] ^= UInt8(index)
            octets[octets.count - 1] |= 1
            return octets
        }
        let key = DER.sequence(
            DER.integer(unsigned: number(bits, index)),
            DER.integer(unsigned: number(exponentBits)))
        return DER.sequence(
            DER.sequence(DER.oid("1.2.840.113549.1.1.1"), DER.null), DER.bitString(key))
    }

    private static func manyNames(_ count: Int) -> HostileChain {
        let leaf = root.issueLeaf(dns: (0..<count).map { "h\($0).acme.example" })
        return HostileChain("a certificate with \(count) names", [leaf.der])
    }

    /// A thousand certificates for the issuer of the end entity, each from another authority that
    /// nobody trusts.
    private static func crossSigns() -> HostileChain {
        let issuing = world.root("Crossed", key: .p256("hostile crossed"))
        let crosses = (0..<1_000).map { index in
            Authority(
                name: TestName("Nobody \(index)"), key: .p256("hostile nobody"),
                certificate: root.certificate, world: world
            ).crossSign(issuing).der
        }
        return HostileChain("1,000 cross-signs", [issuing.issueLeaf(dns: [host]).der] + crosses)
    }

    /// Authorities on the most expensive curve that all sign each other, one of them trusted.
    private static func slowMesh() -> HostileChain {
        let authorities = (0..<7).map {
            world.root(TestName("Slow Mesh \($0)"), key: .p521("hostile mesh \($0)"))
        }
        var bag: [[UInt8]] = []
        for issuer in authorities {
            for subject in authorities where subject.name != issuer.name {
                bag.append(issuer.crossSign(subject).der)
            }
        }
        return HostileChain(
            "seven P-521 authorities that sign each other",
            [authorities[0].issueLeaf(dns: ["other.acme.example"]).der] + bag,
            roots: [authorities[6].der])
    }

    private static func constraints(count: Int, names: Int) -> HostileChain {
        let issuing = root.issueCA("Constrained", key: .p256("hostile constrained")) {
            $0.extensions.append(
                .nameConstraints(
                    permitted: [.dns("acme.example")],
                    excluded: (0..<count).map { .dns("x\($0)") }))
        }
        let leaf = issuing.issueLeaf(
            dns: [host] + (1..<max(names, 2)).map { "h\($0).acme.example" })
        return HostileChain(
            "\(count) name constraints on \(max(names, 2)) names", [leaf.der, issuing.der])
    }

    /// Directory names that only string preparation can tell from the excluded names, in the
    /// letters that become the most others.
    private static func excludedNames() -> HostileChain {
        let long = String(repeating: "\u{FDFA}", count: 200)
        func name(_ end: String) -> TestGeneralName {
            .directory(TestName(.country("NZ"), .organization(long + end)))
        }
        let issuing = root.issueCA("Constrained", key: .p256("hostile constrained")) {
            $0.extensions.append(.nameConstraints(excluded: (0..<80).map { name("é\($0)") }))
        }
        let leaf = issuing.issueLeaf(dns: [host]) {
            $0.set(.subjectAltName([.dns(host)] + (0..<80).map { name("É \($0)") }))
        }
        return HostileChain("80 excluded directory names on 80", [leaf.der, issuing.der])
    }

    /// Eight authorities whose policies all map to each other: a tree of them would have as many
    /// leaves as `count` to the power of eight.
    private static func policies(_ count: Int) -> HostileChain {
        let oids = (1...count).map { "1.3.6.1.4.1.32473.9.\($0)" }
        let pairs = oids.flatMap { issuer in oids.map { (issuer: issuer, subject: $0) } }
        var authority = root
        var chain: [[UInt8]] = []
        for index in 0..<7 {
            authority = authority.issueCA(
                TestName("Policies \(index)"), key: .p256("hostile policies \(index)")
            ) {
                $0.extensions += [
                    .certificatePolicies(oids), .policyMappings(pairs),
                    .policyConstraints(requireExplicit: 0),
                ]
            }
            chain.insert(authority.der, at: 0)
        }
        let leaf = authority.issueLeaf(dns: [host]) {
            $0.extensions.append(.certificatePolicies(oids))
        }
        return HostileChain(
            "seven authorities that map \(count) policies to as many", [leaf.der] + chain)
    }

    /// Issuers whose names differ in their last attribute of many.
    private static func longNames() -> HostileChain {
        func name(_ last: String) -> TestName {
            TestName(
                relativeNames: (0..<2_000).map { [.unit("unit \($0)")] } + [[.commonName(last)]])
        }
        let issuing = root.issueCA(name("right"), key: .p256("hostile long"))
        let others = (0..<50).map {
            root.issueCA(name("wrong \($0)"), key: .p256("hostile long other")).der
        }
        return HostileChain(
            "names of 2,000 attributes, 50 issuers",
            [issuing.issueLeaf(dns: ["other.acme.example"]).der] + others + [issuing.der])
    }

    private static func manyExtensions() -> HostileChain {
        let leaf = root.issueLeaf(dns: [host]) { recipe in
            recipe.extensions += (0..<20_000).map {
                .raw("1.3.6.1.4.1.32473.8.\($0)", [0x05, 0x00])
            }
        }
        return HostileChain("20,000 extensions", [leaf.der])
    }

    private static func manyCertificates() -> HostileChain {
        let bag = (0..<3_000).map {
            root.issueCA(TestName("Stray \($0)"), key: .p256("hostile stray")).der
        }
        return HostileChain(
            "3,000 certificates", [root.issueLeaf(dns: ["other.acme.example"]).der] + bag)
    }

    /// Keys whose points stand in compressed form on the largest curve: each costs a computation to
    /// read, and half of them are none.
    private static func manyPoints() -> HostileChain {
        let bag = (0..<3_000).map { index -> [UInt8] in
            let x = [0, 1] + TestHash.sha512.expand(Array("point \(index)".utf8), count: 64)
            return root.issueLeaf {
                $0.spki = CurvePoint.spki([2] + x, on: .p521)
                $0.extensions = []
                $0.damage = .replaced([])
            }.der
        }
        return HostileChain(
            "3,000 compressed points", [root.issueLeaf(dns: ["other.acme.example"]).der] + bag)
    }

    private static func bigCertificate() -> HostileChain {
        let leaf = root.issueLeaf(dns: [host]) {
            $0.set(
                .raw("1.3.6.1.4.1.32473.7", [UInt8](repeating: 0x42, count: 16_000_000)))
        }
        return HostileChain("a certificate of 16 MB, three times", [leaf.der, leaf.der, leaf.der])
    }
}
