import PolicyCompiler
import Rendering
import TrustEngine

extension LintRule {
    /// HW207: a rule has `*.` over a name and also lists a deeper host below it, so there are
    /// deeper hosts; and the neighbours of that host get less than the rule demands.
    static let depthSurprise = LintRule(.depthSurprise) { context in
        context.bound.rules(.wildcards).flatMap { index, rule -> [Diagnostic] in
            guard rule.hosts.count > 1 else { return [] }
            return rule.hosts.indices.compactMap { number in
                guard case .oneLabel(let base) = rule.hosts[number].pattern.host else { return nil }
                return surprise(number, over: base, rule, index, context)
            }
        }
    }

    private static func surprise(
        _ number: Int, over base: String, _ rule: BoundRule, _ index: Int, _ context: LintContext
    ) -> Diagnostic? {
        let host = rule.hosts[number]
        let deeper = rule.hosts.first { other in
            guard case .name(let name) = other.pattern.host, name.hasSuffix(".\(base)") else {
                return false
            }
            return name.dropLast(base.utf8.count + 1).contains(".")
        }
        guard let deeper, case .name(let name) = deeper.pattern.host else { return nil }
        let parent = name.drop { $0 != "." }.dropFirst()
        let decider = context.coverage.decider(
            ofName: "\(HostCoverage.unwritten).\(parent)", port: host.pattern.port ?? 443)
        let weaker = context.weakening(by: decider, of: index)
        guard let first = weaker.first else { return nil }
        let what = context.name(of: decider)
        // The wider pattern takes every deeper host that no other pattern below the name decides.
        let deep = "\(HostCoverage.unwritten).\(HostCoverage.unwritten).\(base)"
        let taken = context.coverage.decider(ofName: deep, port: host.pattern.port ?? 443)
        // With a port, the wildcard comes before the same wildcard of another rule; the wider
        // pattern would not.
        let answers = context.coverage.answers(to: number, of: index)
        let keepsOwn = answers?.withoutPattern.allSatisfy { next in
            let entry = context.coverage.entry(next)
            return entry?.host.pattern.host != host.pattern.host || entry?.rule == index
        }
        let isAsStrict =
            keepsOwn ?? false && taken?.host.span == decider?.host.span
            && context.demandsNoLess(index, ofName: deep, on: host.pattern.port)
        return Diagnostic(
            .depthSurprise,
            "`\(host.text)` covers one label only, so the neighbours of `\(deeper.text)` are decided by "
                + "\(what), which demands less",
            at: Diagnostic.Label(host.span),
            labels: [
                Diagnostic.Label(deeper.span, "there are hosts below `\(parent)`"),
                context.label(of: decider, "decides them: \(first.comparison)"),
            ].compactMap { $0 },
            help: [
                isAsStrict
                    ? "write `\"*\(host.text)\"` where hosts of every depth are meant"
                    : "give `\"*.\(parent)\"` a rule of its own that demands what both demand"
            ],
            fix: isAsStrict
                ? FixIt(
                    title: "let `\(rule.id.value)` decide every depth, `*\(host.text)`",
                    safety: .needsReview, basis: .hosts,
                    edits: [FixIt.Edit(host.span, "\"*\(host.text)\"")],
                    moves: ["*\(host.text)"]) : nil)
    }
}
