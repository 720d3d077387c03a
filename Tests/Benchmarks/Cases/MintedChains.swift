import TestPKI
import TrustEngine
import VerdictSubjects

/// The kinds of chains that are minted: leaves of the web's form (key usage, purposes, two places
/// of authority information, a CRL, a certificate policy, two timestamps) below one, two or three
/// authorities.
enum ChainKind: String, CaseIterable {
    /// P-256 throughout.
    case a = "A"
    /// RSA-2048 below a root of 4096 bits.
    case b = "B"
    /// A P-256 leaf below P-384 below a root of RSA with 4096 bits.
    case c = "C"
    /// A P-256 leaf below two authorities and a root of RSA; the fourth certificate sent is another
    /// trusted root's for that root.
    case d = "D"
    /// Ed25519 throughout.
    case e = "E"

    /// Chains of a cold pool: each has authorities of its own, whose RSA keys take 30 ms each.
    var coldCount: Int { self == .b || self == .d ? 48 : 64 }
}

/// What a certificate authority of one kind issues. The same names and numbers give the same octets
/// on every machine.
struct MintedChains {
    let kind: ChainKind
    private let pki = Scenario()
    private let root: Authority
    private let otherRoot: Authority

    init(_ kind: ChainKind) {
        self.kind = kind
        self.root = pki.root(
            MintedChains.name("Root \(kind.rawValue)"), key: MintedChains.rootKey(kind, "root"))
        self.otherRoot = pki.root(
            MintedChains.name("Other Root \(kind.rawValue)"),
            key: MintedChains.rootKey(kind, "other root"))
    }

    /// The roots that the chains may end at.
    var anchors: [[UInt8]] { kind == .d ? [root.der, otherRoot.der] : [root.der] }

    /// A chain as it is sent. Chains of the same `issuer` have the same authorities.
    func chain(leaf number: Int, issuer: Int = 0, names: Int) -> [[UInt8]] {
        var above = root
        if kind == .d {
            above = root.issueCA(
                MintedChains.name("Upper D \(issuer)"), key: .rsa2048("bench D upper \(issuer)"))
        }
        let issuing = above.issueCA(
            MintedChains.name("Issuing \(kind.rawValue) \(issuer)"), key: issuingKey(issuer),
            pathLength: 0
        ) { recipe in
            recipe.extensions += [
                .authorityInfoAccess(issuers: ["http://pki.bench.example/root.cer"]),
                .crlDistributionPoints(["http://pki.bench.example/root.crl"]),
                .certificatePolicies(["2.23.140.1.2.1"]),
            ]
        }
        let leaf = MintedChains.leaf(of: issuing, number: number, names: names, key: leafKey)
        guard kind == .d else { return [leaf, issuing.der] }
        return [leaf, issuing.der, above.der, otherRoot.crossSign(root).der]
    }

    /// The host that the leaf with so many names is asked for: the second of 2, and otherwise the
    /// one after four fifths.
    static func host(of names: Int) -> String { name(number: names == 2 ? 1 : names * 4 / 5) }

    /// A self-signed authority that no chain needs.
    static func filler(_ number: Int) -> [UInt8] {
        Scenario().root(name("Filler Root \(number)"), key: .p256("bench filler \(number)")).der
    }

    /// An authority below a root that nobody trusts: of no use in any chain.
    static func useless(_ number: Int) -> [UInt8] {
        Scenario().root(name("Strange Root \(number)"), key: .p256("bench strange \(number)"))
            .issueCA(name("Strange Issuing \(number)"), key: .p256("bench useless \(number)")).der
    }

    /// The root of the chains, as servers send it that need not.
    var rootCertificate: [UInt8] { root.der }

    private static func name(number: Int) -> String { "host-\(number).bench.acme.example" }

    private static func name(_ common: String) -> TestName {
        TestName(.country("US"), .organization("Bench Trust Services"), .commonName(common))
    }

    private static func rootKey(_ kind: ChainKind, _ label: String) -> TestKey {
        switch kind {
        case .a: return .p256("bench A \(label)")
        case .b, .c, .d: return .rsa4096("bench \(kind.rawValue) \(label)")
        case .e: return .ed25519("bench E \(label)")
        }
    }

    private func issuingKey(_ issuer: Int) -> TestKey {
        let label = "bench \(kind.rawValue) issuing \(issuer)"
        switch kind {
        case .a: return .p256(label)
        case .b, .d: return .rsa2048(label)
        case .c: return .p384(label)
        case .e: return .ed25519(label)
        }
    }

    /// Every leaf has the same key: only the certificate of a leaf is new.
    private var leafKey: TestKey {
        switch kind {
        case .a, .c, .d: return .p256("bench leaf")
        case .b: return .rsa2048("bench leaf")
        case .e: return .ed25519("bench leaf")
        }
    }

    private static func leaf(
        of issuing: Authority, number: Int, names: Int, key: TestKey
    ) -> [UInt8] {
        let hosts = (0..<names).map(name(number:))
        return issuing.issueLeaf(
            dns: hosts, subject: TestName("leaf-\(number).bench.acme.example"), key: key
        ) { recipe in
            recipe.extensions += [
                .authorityInfoAccess(
                    ocsp: ["http://ocsp.bench.example"],
                    issuers: ["http://pki.bench.example/issuing.cer"]),
                .crlDistributionPoints(["http://pki.bench.example/issuing.crl"]),
                .certificatePolicies(["2.23.140.1.2.1"]),
                .sctList(TLSWriter.list([timestamp(1), timestamp(2)])),
            ]
        }.der
    }

    /// A timestamp of the usual form and size. No rule here demands one, so nobody reads it.
    private static func timestamp(_ log: UInt8) -> [UInt8] {
        [0] + [UInt8](repeating: log, count: 32) + TLSWriter.number(1_772_000_000_000, octets: 8)
            + TLSWriter.vector([]) + [4, 3]
            + TLSWriter.vector([UInt8](repeating: log ^ 0x5a, count: 71))
    }
}
