import Rendering
import TrustEngine

extension ChangeWords {
    /// The fields of an interval, those that a revocation preset changes as one.
    static func withPreset(
        _ all: [(PolicyDiff.Source, PolicyDiff.Field)]
    ) -> [(PolicyDiff.Source, PolicyDiff.Field)] {
        let preset = ProfileField.revocationPreset.rawValue
        func isCause(_ path: String) -> Bool { path.hasPrefix("revocation.causes.") }
        guard let own = all.map(\.1).first(where: { $0.path == preset }) else { return all }
        // Causes that a side writes itself may change against the preset. They are told by
        // themselves, so that the preset is weaker wherever it is told from `require` to
        // `best-effort`.
        let weakens = own.from == RevocationPreset.require.name
        func isOfPreset(_ field: PolicyDiff.Field) -> Bool {
            isCause(field.path) && field.relation == (weakens ? .weaker : .stricter)
        }
        let causes = all.map(\.1).filter(isOfPreset)
        guard !causes.isEmpty else { return all }
        let merged = PolicyDiff.Field(
            path: preset, relation: weakens ? .weaker : .stricter, from: own.from, to: own.to,
            remarks: ChangeWords.causes(causes))
        return all.compactMap { source, field in
            field.path == preset ? (source, merged) : isOfPreset(field) ? nil : (source, field)
        }
    }

    /// The causes that a preset changes: `unknown, stale: fail -> report`.
    private static func causes(_ fields: [PolicyDiff.Field]) -> [String] {
        var order: [String] = []
        var names: [String: [Substring]] = [:]
        for field in fields {
            let change = "\(field.from) -> \(field.to)"
            if names[change] == nil { order.append(change) }
            names[change, default: []].append(field.path.split(separator: ".").last ?? "")
        }
        return order.map { "\((names[$0] ?? []).joined(separator: ", ")): \($0)" }
    }

    /// What fields that decide which revocation evidence counts do besides.
    static func evidence(_ field: FieldComparison) -> PolicyDiff.Field {
        PolicyDiff.Field(
            path: field.path, relation: field.relation, from: "some answers count",
            to: "other answers count",
            remarks: [
                "fields that change here also decide which revocation evidence counts or where it "
                    + "comes from",
                "a missing answer rejects for some causes and not for others, so an answer that no "
                    + "longer counts may pass for another cause",
            ])
    }
}
