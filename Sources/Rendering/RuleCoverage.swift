package import TrustEngine

/// How much the rule that decides covers beside the host that was asked for: what is written into
/// it holds for all of that.
package enum RuleCoverage: Hashable, Sendable {
    /// Its one pattern is that host, on every port or on the one asked for.
    case askedHostAlone
    /// It covers other hosts too, or is `default`.
    case more
    /// It names the host exactly, and no table is at hand that says what else it names.
    case unknown

    /// What a trace says of it, and the table that judged. Time linear in the table's patterns
    /// where the rule names the host exactly, constant otherwise.
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
        guard let table, let match = RuleCoverage.match(outline, table) else {
            self = .unknown
            return
        }
        var patterns = 0
        table.forEachPattern { _, rule in
            if rule == match.rule { patterns += 1 }
        }
        self = patterns == 1 ? .askedHostAlone : .more
    }

    /// The pattern that decided, in the table that judged; nil where no pattern did, or where the
    /// table has another policy digest than the trace.
    static func match(_ outline: TraceOutline, _ table: PolicyTable) -> PatternMatch? {
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
    /// The pattern of one host and no other.
    init(exactly host: CanonicalHost) {
        switch host {
        case .name(let name): self = .name(name)
        case .address(let address): self = .address(address)
        }
    }
}
