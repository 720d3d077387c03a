import TrustEngine

/// Chooses the findings that a format shows if it has no room for all: one of each kind, one of
/// each field, one of each field and source, then the others.
enum FindingChoice {
    /// A field of a kind of change, from one source; nil for a field from any source.
    private struct Cause: Hashable {
        let kind: ChangeKind
        let path: String
        var source: PolicyDiff.Source?
    }

    /// The indices of findings in the order in which they are given room.
    static func order(_ findings: [DiffFinding]) -> [Int] {
        var kinds: Set<ChangeKind> = []
        var causes: Set<Cause> = []
        var rounds: [[Int]] = [[], [], [], []]
        for (index, finding) in findings.enumerated() {
            let cause = Cause(
                kind: finding.ownKind, path: finding.path, source: finding.change.source)
            let field = Cause(kind: finding.ownKind, path: FieldGravity.general(finding.path))
            let isNewKind = kinds.insert(finding.ownKind).inserted
            let isNewField = causes.insert(field).inserted
            let isNewCause = causes.insert(cause).inserted
            rounds[isNewKind ? 0 : isNewField ? 1 : isNewCause ? 2 : 3].append(index)
        }
        return rounds.flatMap(\.self)
    }

    /// The changes that are left out, counted by kind: "3 weaker, 290 newly trusted".
    static func counts(_ left: [DiffFinding]) -> String {
        let kinds = Dictionary(grouping: left, by: \.ownKind)
        return kinds.sorted { $0.key < $1.key }.map { "\($0.value.count) \($0.key.words)" }
            .joined(separator: ", ")
    }
}
