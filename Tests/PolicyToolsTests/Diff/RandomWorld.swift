import LibCrypto
import TestPKI
import TrustEngine

/// Authorities whose certificates random policies trust and pin, and servers' chains below them.
enum RandomWorld {
    static let roots = ["A", "B", "C"].map {
        Scenario().root(TestName("Pair Root \($0)"), key: .p384("pair root \($0)"))
    }
    private static let issuing = roots.enumerated().map { index, root in
        root.issueCA(TestName("Pair Issuing \(index)"), key: .p256("pair issuing \(index)"))
    }
    private static let leafKeys: [TestKey] = [
        .p256("pair leaf"), .p384("pair leaf"), .rsa2048("pair leaf"),
    ]

    /// Keys that are on the chains: of two roots, of two issuing authorities, of a server.
    static let pinnable: [KeyMatch] =
        [roots[0].key, roots[1].key, issuing[0].key, issuing[1].key, leafKeys[0]].map { key in
            guard let digest = Digest(.sha256, bytes: key.spkiSHA256) else {
                preconditionFailure("SHA-256 has 32 octets")
            }
            return KeyMatch(kind: .spki, digest: digest)
        }

    /// A chain for a host, minted anew: names, key, lifetime and issuer vary.
    static func chain(for host: CanonicalHost, _ random: inout SplitMix) -> [[UInt8]] {
        let index = Int.random(in: 0..<3, using: &random)
        let isDirect = Int.random(in: 0..<4, using: &random) == 0
        let authority = isDirect ? roots[index] : issuing[index]
        var names = [["b.example"], ["c.example"], []].randomElement(using: &random) ?? []
        var addresses: [String] = []
        if Int.random(in: 0..<5, using: &random) > 0 {
            switch host {
            case .name(let name): names.insert(name, at: 0)
            case .address(let address): addresses = [address.description]
            }
        }
        let (begin, end) =
            [(-5, 4), (-20, 60), (-20, -2), (-100, 95), (-5, 500)].randomElement(using: &random)
            ?? (-5, 4)
        let leaf = authority.issueLeaf(
            dns: names, ips: addresses, subject: "Pair Leaf",
            key: leafKeys.randomElement(using: &random), notBefore: .day(Int64(begin)),
            notAfter: .day(Int64(end)))
        return isDirect ? [leaf.der] : [leaf.der, authority.der]
    }

    static func parameters(_ random: inout SplitMix) -> TLSParameters {
        let all = [
            TLSParameters(version: .tls13, alpn: "h2"), TLSParameters(version: .tls13, alpn: "h3"),
            TLSParameters(version: .tls12, alpn: "h2"), TLSParameters(version: .tls11),
        ]
        return all.randomElement(using: &random) ?? all[0]
    }

    /// The engine of a policy, on a machine whose store has the third root.
    static func engine(_ table: PolicyTable) throws -> Engine {
        try Engine(
            table: table,
            inputs: EngineInputs(
                systemStore: [roots[2].der],
                checks: [
                    "short": CustomCheck { $0.path.count < 3 ? .pass : .fail(reason: "long") }
                ]),
            crypto: LibCryptoBackend())
    }
}
