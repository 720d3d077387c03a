import PolicyCompiler
import TrustEngine

extension LintRule {
    /// HW218: a wider pattern of the same rule would decide every host that a pattern decides.
    static let coveredPattern = LintRule(.coveredPattern) { context in
        context.bound.rules.enumerated().flatMap { index, rule -> [Diagnostic] in
            guard rule.hosts.count > 1 else { return [] }
            return rule.hosts.compactMap { host in
                guard let next = context.coverage.answers(to: host)?.withoutPattern,
                    let wider = next.first?.entry,
                    next.allSatisfy({ $0.decider == .rule(index) })
                else { return nil }
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
