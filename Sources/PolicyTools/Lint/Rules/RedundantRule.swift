import PolicyCompiler
import TrustEngine

extension LintRule {
    /// HW210: without the rule, every host that it decides would get the same demands. This is
    /// exact: for each of the rule's patterns, and each port that matters, it finds what would
    /// decide instead and compares all demands of both.
    static let redundantRule = LintRule(.redundantRule) { context in
        context.bound.rules.enumerated().compactMap { index, rule in
            guard let other = context.replacement(of: index) else { return nil }
            let name = other.map { "`\(context.bound.rules[$0.rule].id.value)`" } ?? "`default`"
            return Diagnostic(
                .redundantRule,
                "`\(rule.id.value)` changes nothing: without it every host that it decides gets the same "
                    + "from \(name)",
                at: Diagnostic.Label(rule.id.span),
                labels: [context.label(of: other, "decides them instead")].compactMap { $0 },
                help: ["delete the rule, or write the difference that it was made for"],
                fix: context.removal(of: rule.id.span, "delete the rule", .needsReview, .hosts))
        }
    }
}

extension LintContext {
    /// A pattern that would decide hosts of a rule in its place (nil for `default`), if everything
    /// that would decide them demands exactly the same. The outer optional is nil if it does not,
    /// or if this cannot be known.
    fileprivate func replacement(of index: Int) -> HostCoverage.Entry?? {
        let rule = bound.rules[index]
        var first: HostCoverage.Entry??
        var own: RuleBody?
        for host in rule.hosts {
            guard let answers = coverage.answers(to: host) else { return nil }
            for next in answers.withoutRule {
                // Most rules end here: `default` denies, and the rule does not.
                guard let other = body(of: next.decider) else { return nil }
                if own == nil { own = body(of: .rule(index)) }
                guard let own, own.demandsTheSame(as: other) else { return nil }
                if first == nil { first = .some(next.entry) }
            }
        }
        return first
    }
}

extension RuleBody {
    /// Whether two bodies have the same meaning. Names, owners and notes are ignored, and so is the
    /// profile that the demands come from.
    fileprivate func demandsTheSame(as other: RuleBody) -> Bool {
        func meaning(_ body: RuleBody) -> RuleBody {
            var body = body
            body.profile = ""
            body.owner = nil
            body.note = nil
            body.reportOnly = body.reportOnly.map { entry in
                ReportOnly(check: entry.check, until: entry.until, note: nil)
            }
            body.waivers = body.waivers.map { waiver in
                Waiver(
                    tolerance: waiver.tolerance, until: waiver.until, reason: "", owner: "",
                    ticket: nil)
            }
            return body
        }
        return meaning(self) == meaning(other)
    }
}
