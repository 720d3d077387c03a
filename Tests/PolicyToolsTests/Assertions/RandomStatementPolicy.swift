import LibCrypto
import Rendering
import TestPKI
import TrustEngine

/// A pair of random policies, some rules of which forbid keys, and the questions about their
/// tables.
struct RandomStatementPolicy {
    /// The policy that statements are about, and the unit that it is compared with.
    let contents: [PolicyContents]
    let tables: [PolicyTable]
    let pair: RandomPair

    /// The keys that rules may forbid.
    static let forbidden = Array(RandomWorld.pinnable.prefix(2))

    init(_ random: inout SplitMix) {
        pair = RandomPair(&random)
        var contents = pair.contents
        for side in contents.indices {
            let style = Int.random(in: 0..<3, using: &random)
            for rule in contents[side].rules.indices where style > 0 {
                // Every rule, or one in two.
                guard style == 1 || Bool.random(using: &random) else { continue }
                let isWindowed = Int.random(in: 0..<4, using: &random) == 0
                contents[side].rules[rule].body.requirements.forbiddenKeys = [
                    ForbiddenKey(
                        id: "gone", matches: [Self.forbidden[Bool.random(using: &random) ? 0 : 1]],
                        notBefore: isWindowed ? DateWindow(from: .day(-40)) : nil)
                ]
            }
        }
        self.contents = contents
        tables = contents.map { RandomStatementPolicy.table($0) }
    }

    static func table(_ contents: PolicyContents) -> PolicyTable {
        PolicyTable.encode(contents, provenance: nil, crypto: LibCryptoBackend())
    }

    static func show(_ table: PolicyTable, _ host: CanonicalHost, _ port: UInt16) -> EffectiveRule {
        EffectiveRule(table: table, host: host, port: port, crypto: LibCryptoBackend())
    }

    /// A table that accepts nothing.
    static let denying = table(
        PolicyContents(defaultRule: .deny, rules: [], anchorSets: [], pinSets: []))

    /// A key match as policies write it.
    static func text(_ match: KeyMatch) -> String { match.text }
}
