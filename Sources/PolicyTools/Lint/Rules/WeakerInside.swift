import PolicyCompiler
import Rendering
import TrustEngine

extension LintRule {
    /// HW211: a pattern lies inside the wildcard or network of another rule, and the pattern's own
    /// rule demands less in some field or trusts more. It is reported once for each pair of rules,
    /// at the first such pattern. Every field is compared (`BehaviourOrder`). Three kinds of
    /// difference are left to other findings or to the author, because a rule is most often written
    /// for them. Waivers, `report-only` and ends of enforcement have a reason and a date, and
    /// findings of their own (HW405, HW412, HW513, HW603, HW605). Private authorities, pins and
    /// listed names in place of others say who the host is. `Weakening.Sense` lists the others.
    static let weakerInside = LintRule(.weakerInside, isErrorWhenStrict: true) { context in
        var found: [Diagnostic] = []
        for index in context.bound.rules.indices {
            var compared: Set<Int> = []
            for host in context.coverage.hosts(of: index) {
                for next in context.coverage.answers(to: host, of: index)?.withoutRule ?? [] {
                    // Hosts that no other rule covers fall to `default`. A rule may demand less
                    // than `default`.
                    guard let outer = context.coverage.entry(next),
                        compared.insert(outer.rule).inserted,
                        let finding = weaker(host, index, inside: outer, context)
                    else { continue }
                    found.append(finding)
                }
            }
        }
        return found
    }

    private static func weaker(
        _ number: Int, _ index: Int, inside outer: HostCoverage.Entry, _ context: LintContext
    ) -> Diagnostic? {
        guard let own = context.body(of: .rule(index)),
            let around = context.body(of: .rule(outer.rule))
        else { return nil }
        let weaker = context.weaker(own, than: around, .weakerOrOtherLists)
        guard let first = weaker.first else { return nil }
        let rule = context.bound.rules[index]
        let host = rule.hosts[number]
        let other = context.bound.rules[outer.rule].id.value
        let advice =
            first.name == "anchors"
            ? "trust what `\(other)` trusts" : "demand it in `\(rule.id.value)`, too"
        let claim: String
        switch first.manner {
        case .less:
            claim = "demands less of `\(host.text)` than `\(other)` of the hosts around it"
        case .other:
            claim = "accepts of `\(host.text)` what `\(other)` refuses of the hosts around it"
        }
        return Diagnostic(
            .weakerInside, "`\(rule.id.value)` \(claim): \(first.comparison)",
            at: Diagnostic.Label(host.span),
            labels: [Diagnostic.Label(outer.host.span, "`\(other)` covers it, too")],
            help: ["\(advice), or say why not: `# hawser:ignore HW211 -- REASON`"]
                + context.versionAdvice(weaker, in: rule.id.value),
            notes: weaker.dropFirst().map { "likewise " + $0.comparison })
    }
}
