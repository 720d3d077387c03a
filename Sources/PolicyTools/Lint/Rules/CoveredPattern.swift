import PolicyCompiler
import TrustEngine

extension LintRule {
    /// HW218: a wider pattern of the same rule would decide every host that a pattern decides.
    static let coveredPattern = LintRule(.coveredPattern) { context in
        context.bound.rules(.severalHosts).flatMap { index, rule -> [Diagnostic] in
            rule.hosts.indices.compactMap { number in
                guard let next = context.coverage.answers(to: number, of: index)?.withoutPattern,
                    next.allSatisfy({ $0.decider == .rule(index) }),
                    let wider = next.first.flatMap(context.coverage.entry)
                else { return nil }
                let host = rule.hosts[number]
                return Diagnostic(
                    .coveredPattern,
                    "`\(host.text)` adds nothing to `\(rule.id.value)`: `\(wider.host.text)` covers it",
                    at: Diagnostic.Label(host.span),
                    labels: [Diagnostic.Label(wider.host.span, "covers it")],
                    help: ["delete the narrower pattern, or the wider one if less was meant"],
                    fix: context.removal(
                        of: host.span, "delete the narrower pattern", .needsReview, .hosts))
            }
        }
    }
}
