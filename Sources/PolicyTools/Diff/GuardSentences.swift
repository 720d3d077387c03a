import Rendering
import TrustEngine

/// The sentences of every format about the guards of a comparison.
enum GuardSentences {
    /// How many guards changed, in one line; nil if there is nothing to say.
    static func summary(_ guards: GuardAnswer?) -> String? {
        switch guards {
        case nil: return nil
        case .notCompared(let reason)?: return "guards: not compared: \(reason)"
        case .compared(let changes)?:
            guard !changes.isEmpty else { return nil }
            return "guards: \(counts(changes))"
        }
    }

    /// "1 weaker (assertion `x` is removed), 2 stricter": each kind of change with its number, and
    /// the first of the gravest.
    private static func counts(_ changes: [GuardChange]) -> String {
        let groups: [(String, [GuardChange])] = [
            ("weaker", changes.filter(\.fails)),
            ("to approve", changes.filter { $0.relation == .weaker && !$0.fails }),
            ("changed", changes.filter { $0.relation == .incomparable }),
            ("stricter", changes.filter { $0.relation == .stricter }),
        ]
        return groups.filter { !$0.1.isEmpty }.enumerated().map { index, group in
            let first = index == 0 ? group.1.first.map { " (\($0.sentence))" } ?? "" : ""
            return "\(group.1.count) \(group.0)\(first)"
        }.joined(separator: ", ")
    }

    /// The word of a change.
    static func word(_ change: GuardChange) -> Word {
        switch change.relation {
        case .weaker: return change.isOfThisChange ? .warn("to approve") : .bad("weaker")
        case .incomparable: return .warn("changed")
        case .stricter: return .good("stricter")
        case .equal: return .soft("equal")
        }
    }

    /// Facts that a reader must know besides the sentence, a line each.
    static func lines(_ change: GuardChange, most: Int) -> [String] {
        var lines = Cut.list(change.details, most: most)
        if change.isOfThisChange {
            lines.append("a change of this comparison needs it; it must be approved")
        }
        if let owner = change.oldOwner ?? change.newOwner { lines.append("owner \(owner)") }
        return lines
    }
}
