import PolicyCompiler
import Rendering
import TrustEngine

extension LintRule {
    /// HW214: there is a field in which every rule demands more than `default`, so hosts that no
    /// rule covers get the weakest demands. A policy with one rule is not judged.
    static let weakDefault = LintRule(.weakDefault) { context in
        let rules = context.bound.rules
        guard let fallback = context.fallback, rules.count >= 2,
            let own = context.requirements(of: fallback)
        else { return [] }
        var common: [WeakerField]?
        for rule in rules {
            guard let demands = context.requirements(of: rule.body) else { return [] }
            let weaker = Weakening.demands(of: own, against: demands)
            let names = Set(weaker.map(\.name))
            common = common.map { $0.filter { names.contains($0.name) } } ?? weaker
            if common?.isEmpty == true { return [] }
        }
        guard let first = common?.first, let rule = rules.first else { return [] }
        return [
            Diagnostic(
                .weakDefault,
                "`default` demands less than every rule: \(first.comparison) of `\(rule.id.value)`",
                at: Diagnostic.Label(fallback.key),
                labels: [Diagnostic.Label(rule.id.span, "demands more, as every rule does")],
                help: ["give `default` the profile that the rules have, or `default: deny`"],
                notes: (common ?? []).dropFirst().map { "likewise " + $0.comparison })
        ]
    }
}
