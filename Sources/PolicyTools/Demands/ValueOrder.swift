import PolicyCompiler
import TrustEngine

/// Compares two values of one field by the order, as texts that a policy or a test writes.
struct ValueOrder {
    private let comparison: DemandComparison
    private let crypto: any CryptoBackend

    init(crypto: any CryptoBackend) {
        let table = PolicyTable.encode(
            PolicyContents(defaultRule: .deny, rules: [], anchorSets: [], pinSets: []),
            provenance: nil, crypto: crypto)
        // No value of a field depends on an instant.
        comparison = DemandComparison(table, table, since: UTCInstant(secondsSinceEpoch: 0))
        self.crypto = crypto
    }

    /// How `to` compares with `from`; nil where one of them is not a value that can be demanded.
    func relation(_ field: ProfileField, from: String, to: String) -> Relation? {
        guard let old = floor(field, from), let new = floor(field, to),
            let isImplied = comparison.isImplied(field.rawValue, of: old, by: new),
            let implies = comparison.isImplied(field.rawValue, of: new, by: old)
        else { return nil }
        switch (isImplied, implies) {
        case (true, true): return .equal
        case (true, false): return .stricter
        case (false, true): return .weaker
        case (false, false): return .incomparable
        }
    }

    /// The value as a demand of `at-least`, which takes what a profile takes.
    private func floor(_ field: ProfileField, _ value: String) -> AssertedFloor? {
        let text =
            "hawser-assert: 1\nassertions:\n  value:\n    hosts: all\n    at-least: { "
            + "\(field.rawValue): \(value) }\n"
        let file = SourceFile(path: "value.assert.yaml", bytes: Array(text.utf8))
        let read = AssertionFile.read(file, of: nil, resources: FilesOfMemory(), crypto: crypto)
        guard case .atLeast(let floor)? = read.assertions?.first?.demands.first?.statement else {
            return nil
        }
        return floor
    }
}
