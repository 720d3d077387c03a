import PolicyCompiler
import PolicyTools
import Rendering
import TrustEngine

/// The rules that decide hosts, in words.
enum HostTexts {
    /// The rules that decide the host or the pattern of a scalar. In a policy: the other rules,
    /// whose narrower patterns decide hosts inside this one. Nil for a place that names no host,
    /// for a policy with errors, and for a pattern that only its own rule decides.
    static func deciders(
        _ names: [String], _ value: SyntaxNode, _ kind: OwnFileKind, _ reading: UnitReading
    ) -> String? {
        guard value.kind == .scalar, let table = reading.table else { return nil }
        if names.last == "host", kind == .tests { return rule(of: value.text, table) }
        guard names.count == 4, names[2] == "hosts", names[3] == "[]",
            let pattern = (try? HostPatternScanner.scan(value.text))?.pattern
        else { return nil }
        switch kind {
        case .policy:
            let others = reading.rules(inside: pattern)
            return others.isEmpty ? nil : "inside: \(words(others, table))"
        case .assertions, .allowances, .exports:
            return reading.deciders(of: pattern).map { words($0, table) }
        case .tests: return nil
        }
    }

    /// The rule of the host of a request: `rule payments`, `default`.
    private static func rule(of text: String, _ table: PolicyTable) -> String? {
        guard let request = try? RequestHost(text), let host = try? request.canonical() else {
            return nil
        }
        let match = table.lookUp(host, port: request.port)
        return words([match.map { Int($0.rule) } ?? HostClass.byDefault], table)
    }

    private static func words(_ deciders: [Int], _ table: PolicyTable) -> String {
        let rules = deciders.filter { $0 != HostClass.byDefault }
            .map { table.text(table.rule(at: $0).id) }
        var parts: [String] = []
        if !rules.isEmpty {
            parts.append(
                (rules.count == 1 ? "rule " : "rules ") + Cut.line(rules, most: most))
        }
        if rules.count < deciders.count {
            parts.append(table.deniesByDefault ? "default: deny" : "default")
        }
        return parts.joined(separator: "; ")
    }

    /// The most rules that are named on a line.
    private static let most = 3
}
