import LibCrypto
import Testing
import TrustEngine

/// DSA, for NIST's test suite alone: refused wherever a policy speaks.
@Suite("DSA (RFC 3279)") struct DSATests {
    private static func lifted(_ chain: [[UInt8]], roots: [[UInt8]]) -> World {
        World(chain, roots: roots).with {
            $0.overrides.allowsDSA = true
            $0.overrides.minimumHash = .sha1
        }
    }

    private static let direct = lifted(
        [DSACertificates.underRoot], roots: [DSACertificates.root])
    private static let inheriting = lifted(
        [DSACertificates.underInheriting, DSACertificates.inheriting],
        roots: [DSACertificates.root])

    private static let rows = [
        Row("2.2.2 1024 bits and SHA-1", ["accept"], direct),
        Row(
            "RFC 5758 3.1 2048 bits and SHA-256", ["accept"],
            lifted([DSACertificates.underStrong], roots: [DSACertificates.strongRoot])
                .with { $0.overrides.minimumHash = nil }),
        Row("2.3.2 parameters of the issuer", ["accept"], inheriting),
        Row(
            "2.3.2 parameters of nobody", ["unsupported-signature"],
            lifted([DSACertificates.underInheriting], roots: [DSACertificates.inheriting])),
        Row(
            "2.2.2 another signature", ["bad-signature"],
            direct.with { $0.chain[0][$0.chain[0].count - 1] ^= 1 }),
        Row(
            "BR 7.1.3.1 never under web-pki", ["key-outside-standard", "key-outside-standard"],
            direct.with { $0.sets[0].standard = .webPKI }),
        Row(
            "LANGUAGE 8 no policy allows it",
            ["key-type-not-allowed", "key-type-not-allowed", "signature-scheme-not-allowed"],
            direct.with { $0.overrides.allowsDSA = false }),
        Row(
            "LANGUAGE 9 report-only does not let it through: the baseline has no DSA",
            ["key-type-not-allowed", "key-type-not-allowed", "signature-scheme-not-allowed"],
            direct.with {
                $0.overrides.allowsDSA = false
                $0.report(.keys)
                $0.report(.signatures)
            }),
    ]

    @Test("paths", arguments: rows)
    func paths(_ row: Row) throws {
        #expect(try row.world.judge().outcome == row.expected)
    }

    @Test("no word of a policy and no table holds it")
    func tables() throws {
        #expect(!KeyType.allCases.contains(.dsa))
        #expect(!KeyTypeSet.all.contains(.dsa))
        #expect(!SignatureSchemeSet.all.contains(.dsa))
        #expect(SignatureSchemeSet.named.allSatisfy { $0.scheme != .dsa })
        var world = DSATests.direct.with { $0.overrides = EngineOverrides() }
        world.requirements.keyTypes = [.all, .dsa]
        world.requirements.leafKeyTypes = [.all, .dsa]
        world.requirements.signatureSchemes = [.all, .dsa]
        let read = try world.engine().requirements.map(\.requirements)
        #expect(read.allSatisfy { $0.keyTypes == .all && $0.leafKeyTypes == .all })
        #expect(read.allSatisfy { $0.signatureSchemes == .all })
    }

    @Test(
        "keys that are read",
        arguments: [
            (DSACertificates.root, KeyType.dsa, 1024), (DSACertificates.inheriting, .dsa, 0),
            (DSACertificates.strongRoot, .dsa, 2048),
        ])
    func keys(row: (der: [UInt8], type: KeyType, bits: Int)) throws {
        let key = try Certificate(der: row.der).layout.publicKey
        #expect(key.type == row.type)
        #expect(Int(key.bits) == row.bits)
    }
}
