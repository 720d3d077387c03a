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

    /// Whether any pattern may stand twice: most policies have none, and hashes of the canonical
    /// texts take a fraction of the time that their owners take. Two patterns with one hash only
    /// lead to the whole check.
    private static func hasTies(_ policy: BoundPolicy) -> Bool {
        let hashes = policy.outlines.hostHashes
        // Open addressing, at most half full; 0 for none.
        var width = 64
        while width < hashes.count * 2 { width *= 2 }
        var slots = [Int](repeating: 0, count: width)
        for hash in hashes {
            let hash = hash | 1
            var slot = (hash >> 1) & (width - 1)
            while slots[slot] != 0 {
                if slots[slot] == hash { return true }
                slot = (slot + 1) & (width - 1)
            }
            slots[slot] = hash
        }
        return false
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
