import Rendering
import TrustEngine

/// The words of a coverage, which every format prints.
package enum CoverageWords {
    /// The name of the counted kind, for the head of a line.
    package static func name(_ kind: PolicyCoverage.Kind) -> String {
        switch kind {
        case .rules: return "rules"
        case .hosts: return "hosts in time"
        case .outcomes: return "outcomes of demands"
        }
    }

    /// Tenths of a percent: `71.4%`, `100%`.
    package static func percent(_ tenths: Int) -> String {
        tenths % 10 == 0 ? "\(tenths / 10)%" : "\(tenths / 10).\(tenths % 10)%"
    }

    /// The first line: `coverage 71.4% (15 of 21), from 2027-01-15 on`.
    package static func headline(_ coverage: PolicyCoverage) -> String {
        let total = coverage.total
        return "coverage \(percent(coverage.tenths)) (\(total.covered) of \(total.all)), "
            + "from \(Words.day(coverage.since)) on"
    }

    /// Why the classes of hosts are coarser than usual; nil where they are not.
    package static func caution(_ coverage: PolicyCoverage) -> String? {
        coverage.tooManyClasses.map {
            "the patterns and ports part the hosts into more than \($0) classes, so every pattern "
                + "counts as one class"
        }
    }

    /// A place to ask: `pay.example:443 at 2027-01-15T00:00:00Z`.
    package static func example(_ gap: PolicyCoverage.Gap) -> String {
        "\(gap.witness.text) at \(gap.time.description)"
    }

    /// The rule for the end of a sentence.
    static func rule(_ id: String) -> String { id.isEmpty ? "`default`" : "`\(id)`" }

    static func unasked(rule id: String) -> String {
        id.isEmpty
            ? "no case asks a host that `default` decides"
            : "no case asks a host that rule `\(id)` decides"
    }

    /// The hosts of a class that no case asks, in one interval or in all.
    ///
    /// - Parameter interval: nil for every instant.
    static func unasked(_ hosts: HostClass, during interval: String?) -> String {
        let what: String
        switch hosts.pattern?.host {
        case nil: what = "a host that no pattern names"
        case .name, .address: what = "`\(hosts.text)`"
        case .oneLabel, .anyLabels: what = "a host of `\(hosts.text)`"
        case .network: what = "an address of `\(hosts.text)`"
        }
        return "no case asks \(what)\(interval.map { " \($0)" } ?? "")"
    }

    /// An interval, by its ends and by what ends there.
    static func interval(
        from start: (time: UTCInstant, ends: [String])?,
        before end: (time: UTCInstant, ends: [String])?
    ) -> String {
        func ended(_ edge: (time: UTCInstant, ends: [String])) -> String {
            "\(DiffSentences.last(edge.time.advanced(bySeconds: -1))), when \(list(edge.ends))"
        }
        switch (start, end) {
        case (nil, nil): return ""
        case (nil, let end?): return "until \(ended(end))"
        case (let start?, nil): return "after \(ended(start))"
        case (let start?, let end?):
            return "after \(ended(start)), and until \(ended(end))"
        }
    }

    private static func list(_ ends: [String]) -> String {
        guard let last = ends.last else { return "the rule changes" }
        let verb = ends.count == 1 ? "ends" : "end"
        guard ends.count > 1 else { return "\(last) \(verb)" }
        return "\(ends.dropLast().joined(separator: ", ")) and \(last) \(verb)"
    }

    /// A demand of which an outcome was not seen.
    static func unseen(_ demand: RuleDemand, rule id: String, pass: Bool, refusal: Bool) -> String {
        if demand.check == .rule { return "no case is refused by `default: deny`" }
        let what = "\(words(demand.check)) of \(rule(id))"
        let isCleartext = demand.check == .cleartext
        switch (pass, refusal) {
        case (true, true):
            return isCleartext
                ? "no case without TLS is asked of \(what)"
                : "no case meets or is refused by \(what)"
        case (true, false):
            return isCleartext
                ? "no case without TLS is accepted under \(what)"
                : "no case meets \(what) and is accepted"
        case (false, _):
            return isCleartext
                ? "no case without TLS is refused after the end of \(what)"
                : "no case is refused by \(what)"
        }
    }

    /// What a check demands of a chain or a connection.
    static func words(_ check: Check) -> String {
        switch check {
        case .host: return "the form of the host"
        case .freshness: return "the age of the table"
        case .rule: return "the rules"
        case .cleartext: return "the waiver `cleartext`"
        case .endEntity: return "the certificate's form"
        case .tls: return "the demands on TLS"
        case .evidence: return "the evidence's form"
        case .anchor: return "the anchors"
        case .anchorConstraints: return "the constraints of the anchors"
        case .signatures: return "the signatures"
        case .algorithmAgreement: return "the agreement of algorithms"
        case .validity: return "the validity periods"
        case .basicConstraints: return "the basic constraints"
        case .pathLength: return "the limit of intermediates"
        case .keyUsage: return "the key usage"
        case .extendedKeyUsage: return "the key purposes"
        case .nameConstraints: return "the name constraints"
        case .certificatePolicies: return "the certificate policies"
        case .criticalExtensions: return "the critical extensions"
        case .keys: return "the demands on keys"
        case .signatureAlgorithms: return "the demands on signatures"
        case .lifetime: return "the longest lifetime"
        case .standard: return "the demands on issuers"
        case .forbiddenKeys: return "the forbidden keys"
        case .identity: return "the service identity"
        case .pins: return "the pins"
        case .checks: return "the registered checks"
        case .transparency: return "the demand for transparency"
        case .revocation: return "the demand for revocation evidence"
        }
    }
}
