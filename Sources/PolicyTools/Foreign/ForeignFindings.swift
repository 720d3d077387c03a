import PolicyCompiler
import Rendering
import TrustEngine

/// Gathers the findings of an import. Findings about one place are one finding, with the hosts of
/// all.
struct ForeignFindings {
    /// The hosts of a finding.
    struct Hosts: Hashable {
        /// Patterns.
        var patterns: [String] = []
        /// Whether it is for every host that no entry names, too.
        var others = false
    }

    private struct Key: Hashable {
        let code: DiagnosticCode
        let range: Range<Int>
        let message: String
    }

    private var order: [Key] = []
    private var found: [Key: (difference: ForeignDifference, help: [String], hosts: Hosts)] = [:]

    /// Adds a finding for hosts.
    mutating func add(
        _ code: DiagnosticCode, _ message: String, at range: Range<Int>,
        _ difference: ForeignDifference, _ hosts: Hosts, help: [String] = []
    ) {
        let key = Key(code: code, range: range, message: message)
        guard var known = found[key] else {
            order.append(key)
            found[key] = (difference, help, hosts)
            return
        }
        known.hosts.patterns += hosts.patterns
        known.hosts.others = known.hosts.others || hosts.others
        found[key] = known
    }

    /// The findings whose hosts the file and the policy decide otherwise.
    var gaps: [ForeignGap] {
        order.compactMap { key in
            guard let known = found[key], known.difference != .none else { return nil }
            return ForeignGap(
                code: key.code, message: key.message, hosts: known.hosts.patterns,
                others: known.hosts.others,
                file: known.difference.file,
                range: key.range)
        }
    }

    /// The findings, each with the hosts for which the policy differs from the file.
    var diagnostics: [Diagnostic] {
        order.compactMap { key in
            found[key].map { known in
                Diagnostic(
                    key.code, key.message, at: Diagnostic.Label(key.range.foreignSpan),
                    help: known.help, notes: known.difference.note(known.hosts).map { [$0] } ?? [])
            }
        }
    }
}

/// How the policy compares with the file for the hosts of a finding.
enum ForeignDifference {
    case policyIsStricter, policyIsWeaker, none
    /// The two differ, each in its own direction.
    case other

    /// How the file compares with the policy.
    fileprivate var file: Relation {
        switch self {
        case .policyIsStricter: .weaker
        case .policyIsWeaker: .stricter
        case .none: .equal
        case .other: .incomparable
        }
    }

    /// The note of a finding: for which hosts, with examples.
    fileprivate func note(_ hosts: ForeignFindings.Hosts) -> String? {
        guard !hosts.patterns.isEmpty || hosts.others else { return nil }
        var named = hosts.patterns.prefix(4).map { "`\($0)`" }
        let left = hosts.patterns.count - 4
        if left > 0 { named.append(Cut.more(left, after: " patterns")) }
        if hosts.others { named.append(named.isEmpty ? "every host" : "every other host") }
        let last = named.popLast() ?? "no host"
        let list = named.isEmpty ? last : named.joined(separator: ", ") + " and " + last
        let words =
            switch self {
            case .policyIsStricter: "the policy is stricter than the file"
            case .policyIsWeaker: "the policy is weaker than the file"
            case .none: "the policy and the file mean the same"
            case .other: "the policy and the file differ in either direction"
            }
        return "\(words) for \(list)"
    }
}
