import PolicyCompiler
import TrustEngine

extension LintRule {
    /// HW210: without the rule, every host that it decides would get the same demands. This is
    /// exact: for each of the rule's patterns, and each port that matters, it finds what would
    /// decide instead and compares all demands of both.
    ///
    /// The rule also says who answers for its hosts, and why. There is a fix only if what would
    /// decide instead says the same.
    static let redundantRule = LintRule(.redundantRule) { context in
        context.bound.rules.indices.compactMap { index in
            guard let other = context.replacement(of: index) else { return nil }
            let rule = context.bound.rules[index]
            let name = other.name
            return Diagnostic(
                .redundantRule,
                "`\(rule.id.value)` changes nothing: without it every host that it decides gets the same "
                    + "from \(name)",
                at: Diagnostic.Label(rule.id.span),
                labels: [context.label(of: other.entry, "decides them instead")].compactMap { $0 },
                help: [
                    other.loss.map {
                        "keep the rule, or delete it where this may be lost: \($0)"
                    } ?? "delete the rule, or write the difference that it was made for"
                ],
                fix: other.loss == nil && !context.hasComments(rule)
                    ? context.removal(
                        of: rule.id.span,
                        "delete the rule; \(name) demands the same of its hosts, for the same owner",
                        .needsReview, .hosts) : nil)
        }
    }
}

/// What would decide the hosts of a redundant rule.
private struct Replacement {
    /// A pattern that would decide; nil for `default`.
    let entry: HostCoverage.Entry?
    /// `default`, or the rule, for messages.
    let name: String
    /// What the rule says of its hosts and what decides them instead does not say; nil for nothing.
    var loss: String?
}

extension LintContext {
    /// Whether comments stand above a rule or in it. They are about the rule, and only its author
    /// knows what becomes of them.
    fileprivate func hasComments(_ rule: BoundRule) -> Bool {
        guard let tree = trees.first(where: { $0.fileIndex == Int(rule.id.span.file) }),
            let (rules, index) = tree.part(named: rule.id.span)
        else { return true }
        let entry = rules.part(index)
        let line = tree.file.lines.line(of: entry.start)
        return (line > 0 && tree.file.isComment(line: line - 1))
            || tree.comments.contains { (entry.start..<entry.end).contains(Int($0.start)) }
    }
}

extension LintContext {
    /// What would decide hosts of a rule in its place, if everything that would decide them demands
    /// exactly the same. Nil if it does not, or if this cannot be known.
    fileprivate func replacement(of index: Int) -> Replacement? {
        var found: Replacement?
        var own: RuleBody?
        for host in coverage.hosts(of: index) {
            guard let answers = coverage.answers(to: host, of: index) else { return nil }
            for next in answers.withoutRule {
                // Most rules end here: `default` denies, and the rule does not.
                guard let other = body(of: next.decider) else { return nil }
                if own == nil { own = body(of: .rule(index)) }
                guard let own, own.demandsTheSame(as: other) else { return nil }
                let entry = coverage.entry(next)
                let name = entry.map { "`\(bound.rules[$0.rule].id.value)`" } ?? "`default`"
                if found == nil { found = Replacement(entry: entry, name: name) }
                if found?.loss == nil { found?.loss = own.words(lostUnder: other, named: name) }
            }
        }
        return found
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

    /// The first thing that this body says to people and another body does not say; nil if there is
    /// none.
    fileprivate func words(lostUnder other: RuleBody, named name: String) -> String? {
        if owner != other.owner {
            func text(_ owner: String?) -> String { owner.map { "`\($0)`" } ?? "nobody" }
            return "\(text(owner)) answers for its hosts, and \(text(other.owner)) for those of "
                + name
        }
        if let note, note != other.note { return "its note, `\(note)`" }
        if waivers != other.waivers {
            return "its waivers name another reason, owner or ticket than those of \(name)"
        }
        if reportOnly != other.reportOnly {
            return "the notes of its `report-only` are others than those of \(name)"
        }
        return nil
    }
}
