import PolicyCompiler
import Rendering
import TrustEngine

extension LintRule {
    /// HW206: a wildcard covers the hosts below a name, and less is demanded of the name itself.
    /// Each name is judged once for each rule that has a wildcard on it.
    static let apexUncovered = LintRule(.apexUncovered) { context in
        var found: [Diagnostic] = []
        for (index, rule) in context.bound.rules(.wildcards) {
            var seen: [String] = []
            for number in rule.hosts.indices {
                guard let name = rule.hosts[number].pattern.wildcardBase, !seen.contains(name)
                else { continue }
                if rule.hosts.count > 1 { seen.append(name) }
                if let finding = uncovered(name, by: number, of: rule, index, context) {
                    found.append(finding)
                }
            }
        }
        return found
    }

    private static func uncovered(
        _ name: String, by number: Int, of rule: BoundRule, _ index: Int, _ context: LintContext
    ) -> Diagnostic? {
        // Nobody serves from a bare top-level domain.
        guard name.utf8.contains(UInt8(ascii: ".")) else { return nil }
        let host = rule.hosts[number]
        let decider = context.coverage.decider(
            behindWildcard: number, of: index, port: host.pattern.port ?? 443)
        // A rule that lists the name itself was written for it.
        if case .name = decider?.host.pattern.host { return nil }
        let weaker = context.weakening(by: decider, of: index)
        guard let first = weaker.first else { return nil }
        let what = context.name(of: decider)
        let pattern = name + (host.pattern.port.map { ":\($0)" } ?? "")
        let isAsStrict = context.demandsNoLess(index, ofName: name, on: host.pattern.port)
        return Diagnostic(
            .apexUncovered,
            "`\(host.text)` does not cover `\(name)` itself, which \(what) decides and demands less of",
            at: Diagnostic.Label(host.span),
            labels: [context.label(of: decider, "decides `\(name)`: \(first.comparison)")]
                .compactMap {
                    $0
                },
            help: [
                isAsStrict
                    ? "add `\"\(pattern)\"` to `hosts`, or give it a rule of its own"
                    : "give it a rule of its own that demands what both demand"
            ],
            notes: weaker.dropFirst().map(\.comparison),
            fix: isAsStrict ? context.insertion(of: pattern, beside: host, in: rule) : nil)
    }
}

extension HostPattern {
    /// The name behind a wildcard; nil for a pattern without a wildcard.
    var wildcardBase: String? {
        switch host {
        case .oneLabel(let base), .anyLabels(let base): return base
        case .name, .address, .network: return nil
        }
    }
}

extension LintContext {
    /// The fields in which the rule that decides a host demands less than another rule. Empty where
    /// the demands of either rule cannot be known.
    func weakening(by decider: HostCoverage.Entry?, of rule: Int) -> [WeakerField] {
        guard decider?.rule != rule, let own = body(of: .rule(rule)),
            let other = body(of: decider.map { .rule($0.rule) } ?? .fallback)
        else { return [] }
        // A wildcard rule around a host was written for such hosts. `default` was written for no
        // particular host, so other anchors count as weaker there too.
        return weaker(other, than: own, decider == nil ? .weakerOrOtherAnchors : .weaker)
    }

    /// The rule that decides a host, in the words of findings.
    func name(of decider: HostCoverage.Entry?) -> String {
        decider.map { "the rule `\(bound.rules[$0.rule].id.value)`" } ?? "`default`"
    }

    /// The place of the decision on a host: a pattern, or `default`.
    func label(of decider: HostCoverage.Entry?, _ text: String) -> Diagnostic.Label? {
        let span = decider?.host.span ?? bound.defaults.first?.key
        return span.map { Diagnostic.Label($0, text) }
    }

    /// The edit that adds another pattern before an existing one, in the same layout.
    func insertion(of pattern: String, beside host: BoundHost, in rule: BoundRule) -> FixIt? {
        guard let edit = insertion(of: ["\"\(pattern)\""], before: host.span) else { return nil }
        return FixIt(
            title: "let `\(rule.id.value)` decide `\(pattern)`, too", safety: .needsReview,
            basis: .hosts, edits: [edit], moves: [pattern])
    }
}
