import PolicyCompiler
import TrustEngine

extension LintRule {
    /// HW209: none of a rule's patterns decides any host.
    static let shadowedRule = LintRule(.shadowedRule) { context in
        context.bound.rules([.wildcards, .ranges]).compactMap { index, rule in
            let shadowed = context.unreachable(in: index)
            guard !rule.hosts.isEmpty, shadowed.count == rule.hosts.count else { return nil }
            return Diagnostic(
                .shadowedRule,
                "`\(rule.id.value)` decides no host: more specific patterns of other rules decide each "
                    + "that it covers",
                at: Diagnostic.Label(rule.id.span),
                labels: shadowed.prefix(3).map {
                    Diagnostic.Label($0.span, "others decide all of this")
                },
                help: ["delete the rule, or widen its patterns to the hosts it was meant for"],
                fix: context.removal(
                    of: rule.id.span, "delete the rule, which decides no host", .needsReview,
                    .hosts, moves: shadowed.map(\.text)))
        }
    }

    /// HW217: one of a rule's patterns decides no host, and others do.
    static let unreachablePattern = LintRule(.unreachablePattern) { context in
        context.bound.rules([.wildcards, .ranges]).flatMap { index, rule -> [Diagnostic] in
            let shadowed = context.unreachable(in: index)
            guard shadowed.count < rule.hosts.count else { return [] }
            return shadowed.map { host in
                Diagnostic(
                    .unreachablePattern,
                    "`\(host.text)` decides no host: more specific patterns decide each that it covers",
                    at: Diagnostic.Label(host.span),
                    help: ["delete it, or widen it to the hosts it was meant for"],
                    fix: context.removal(
                        of: host.span, "delete the pattern, which decides no host", .needsReview,
                        .hosts, moves: [host.text]))
            }
        }
    }
}

extension LintContext {
    /// The patterns of a rule that decide no host. A name or wildcard always has hosts that only it
    /// decides, unless these names would be too long; a range of addresses can be covered by
    /// narrower ranges.
    fileprivate func unreachable(in index: Int) -> [BoundHost] {
        let rule = bound.rules[index]
        return rule.hosts.indices.filter { number in
            // One name or address is decided by the pattern that names it, whatever else covers it.
            switch rule.hosts[number].pattern.host {
            case .name, .address: return false
            case .network, .oneLabel, .anyLabels:
                return coverage.answers(to: number, of: index)?.withoutPattern.isEmpty ?? false
            }
        }.map { rule.hosts[$0] }
    }
}
