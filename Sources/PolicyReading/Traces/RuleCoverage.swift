package import TrustEngine

/// Which hosts the deciding rule covers besides the requested host. A line written into the rule
/// holds for all of them.
package enum RuleCoverage: Hashable, Sendable {
    /// The rule's one pattern is the requested host, on every port or on the requested port.
    case askedHostAlone
    /// The rule covers other hosts too, or it is `default`.
    case more
    /// The rule names the host exactly, but no table is at hand that says which other hosts it
    /// names.
    case unknown

    /// The coverage of the rule in a trace, given the table that judged. Time is linear in the
    /// table's patterns where the rule names the host exactly, constant otherwise.
    package init(_ outline: TraceOutline, _ table: PolicyTable?) {
        guard case .pattern(let selected)? = outline.rule?.selection,
            let request = outline.request, let host = RuleCoverage.host(outline)
        else {
            self = .more
            return
        }
        let exact = [nil, request.port].map {
            HostPattern(host: HostPattern.Host(exactly: host), port: $0).canonicalText
        }
        guard exact.contains(selected) else {
            self = .more
            return
        }
        guard let patterns = RuleCoverage.patterns(outline, table) else {
            self = .unknown
            return
        }
        self = patterns == 1 ? .askedHostAlone : .more
    }

    /// The number of patterns of the rule in a trace; nil where no pattern decided, and where the
    /// table that judged is not at hand. Linear in the table's patterns.
    package static func patterns(_ outline: TraceOutline, _ table: PolicyTable?) -> Int? {
        guard let table, let match = match(outline, table) else { return nil }
        var patterns = 0
        table.forEachPattern { _, rule in
            if rule == match.rule { patterns += 1 }
        }
        return patterns
    }

    /// The pattern that decided, looked up in the table that judged. Nil where no pattern decided,
    /// or where the table's policy digest is not the trace's.
    package static func match(_ outline: TraceOutline, _ table: PolicyTable) -> PatternMatch? {
        guard table.policyDigest == outline.engine?.policyDigest, let request = outline.request,
            let host = host(outline)
        else { return nil }
        return table.lookUp(host, port: request.port)
    }

    private static func host(_ outline: TraceOutline) -> CanonicalHost? {
        outline.request?.canonicalHost.flatMap { try? CanonicalHost(text: $0) }
    }
}

extension HostPattern.Host {
    /// The pattern for exactly one host.
    package init(exactly host: CanonicalHost) {
        switch host {
        case .name(let name): self = .name(name)
        case .address(let address): self = .address(address)
        }
    }
}
