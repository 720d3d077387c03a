internal import TrustEngine

/// Checks that no pattern stands in two rules. The most specific pattern decides a host, so with
/// one pattern in two rules neither rule would decide (LANGUAGE section 11.4). Patterns are
/// compared in canonical form, in which `/32` and `/128` are the address itself.
enum HostTieCheck {
    static func run(_ policy: BoundPolicy, into diagnostics: inout [Diagnostic]) {
        guard hasTies(policy) else { return }
        var owners: [HostPattern: (rule: String, span: SourceSpan)] = [:]
        for rule in policy.rules {
            for host in rule.hosts {
                guard let first = owners[host.pattern] else {
                    owners[host.pattern] = (rule.id.value, host.span)
                    continue
                }
                if first.rule == rule.id.value {
                    reportRepeated(host, in: rule, first: first.span, into: &diagnostics)
                } else {
                    reportTie(host, first: first, into: &diagnostics)
                }
            }
        }
    }

    /// Whether any pattern may stand twice. Most policies have none. To sort numbers that equal texts
    /// have in common takes a fifth of the memory of a set of the patterns, and no longer for texts
    /// that were chosen to have a number in common.
    private static func hasTies(_ policy: BoundPolicy) -> Bool {
        var numbers: [UInt64] = []
        numbers.reserveCapacity(policy.rules.reduce(0) { $0 + $1.hosts.count })
        for rule in policy.rules {
            for host in rule.hosts {
                var number: UInt64 = 0xCBF2_9CE4_8422_2325
                for octet in host.text.utf8 {
                    number = (number ^ UInt64(octet)) &* 0x0000_0100_0000_01B3
                }
                numbers.append(number)
            }
        }
        numbers.sort()
        return zip(numbers, numbers.dropFirst()).contains { $0 == $1 }
    }

    private static func reportTie(
        _ host: BoundHost, first: (rule: String, span: SourceSpan),
        into diagnostics: inout [Diagnostic]
    ) {
        diagnostics.append(
            Diagnostic(
                .samePatternTwice,
                "`\(host.text)` belongs to two rules, so neither decides",
                at: Diagnostic.Label(host.span),
                labels: [Diagnostic.Label(first.span, "also in `\(first.rule)`")],
                help: ["keep it in one; a carve-out names the narrower host only"]))
    }

    private static func reportRepeated(
        _ host: BoundHost, in rule: BoundRule, first: SourceSpan,
        into diagnostics: inout [Diagnostic]
    ) {
        diagnostics.append(
            Diagnostic(
                .patternRepeated,
                "`\(host.text)` stands twice in `\(rule.id.value)`; once is enough",
                at: Diagnostic.Label(host.span), labels: [Diagnostic.Label(first, "first here")],
                help: ["remove one of the two"]))
    }
}
