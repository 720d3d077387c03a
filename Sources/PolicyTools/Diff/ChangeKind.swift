import Rendering
import TrustEngine

/// What a change does to its hosts. The order of the cases is the order in which every format tells
/// changes.
package enum ChangeKind: Int, Hashable, Sendable, CaseIterable, Comparable {
    /// A waiver of `path`, `identity` or `cleartext` is new, or goes further: a stranger's server
    /// is accepted.
    case unguarded
    /// `default` denied, and now a body decides every host that no rule names.
    case opened
    /// Hosts that were trusted accept more.
    case weaker
    /// Hosts that were trusted accept other chains than before.
    case incomparable
    /// Hosts that were denied are trusted.
    case trusted
    /// Hosts refuse more than before.
    case stricter
    case equal

    package static func < (one: ChangeKind, other: ChangeKind) -> Bool {
        one.rawValue < other.rawValue
    }

    /// The kind as JSON names it.
    package var name: String {
        switch self {
        case .unguarded: return "unguarded"
        case .opened: return "default-opened"
        case .weaker: return "weaker"
        case .incomparable: return "incomparable"
        case .trusted: return "newly-trusted"
        case .stricter: return "stricter"
        case .equal: return "equal"
        }
    }
}

extension ChangeKind {
    /// The kind in words.
    package var words: String {
        switch self {
        case .unguarded: return "accept anyone"
        case .opened: return "of `default` opened"
        case .weaker: return "weaker"
        case .incomparable: return "incomparable"
        case .trusted: return "newly trusted"
        case .stricter: return "stricter"
        case .equal: return "equal"
        }
    }

    /// What a number of hosts of this kind does, behind their count.
    func verb(_ isOne: Bool) -> String {
        switch self {
        case .unguarded: return isOne ? "accepts anyone" : "accept anyone"
        case .opened, .trusted: return isOne ? "is newly trusted" : "are newly trusted"
        case .weaker: return isOne ? "accepts more than before" : "accept more than before"
        case .incomparable:
            return isOne ? "accepts other chains than before" : "accept other chains than before"
        case .stricter: return isOne ? "refuses more than before" : "refuse more than before"
        case .equal: return isOne ? "is as before" : "are as before"
        }
    }
}

extension PolicyDiff.Change {
    /// What the change does to its hosts.
    package var kind: ChangeKind {
        if !strangers.isEmpty { return .unguarded }
        let weak = weakFields
        if weak.contains(where: { $0.path == PolicyDiff.Field.decision }) {
            return rules.first?.new.id.isEmpty == true ? .opened : .trusted
        }
        if relation == .weaker { return .weaker }
        if !weak.isEmpty || !relation.isNoWeaker { return .incomparable }
        return relation == .stricter ? .stricter : .equal
    }

    /// The fields and terms that are not equal or stricter.
    private var weakFields: [PolicyDiff.Field] {
        (fields + terms.map(\.field)).filter { !$0.relation.isNoWeaker }
    }

    /// The waivers that are new or go further, and by which a stranger's server passes.
    var strangers: Set<String> {
        FieldGravity.unguarded.intersection(weakFields.map(\.path))
    }

    /// The paths of the terms and fields, the gravest first. Each once.
    package var paths: [String] {
        let paths = (terms.map(\.field.path) + fields.map(\.path)).unrepeated
        guard !terms.isEmpty else { return paths }
        return paths.indices.sorted {
            (FieldGravity.rank(paths[$0]), $0) < (FieldGravity.rank(paths[$1]), $1)
        }.map { paths[$0] }
    }
}
