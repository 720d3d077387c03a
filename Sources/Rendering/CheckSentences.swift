package import TrustEngine

/// The words for checks: what each check asks, where its demand is written, and what made the check
/// pass.
package enum CheckSentences {
    /// What a check looks at, as a short title: its id in words, with three exceptions.
    package static func title(_ check: Check) -> String {
        titles[check] ?? check.rawValue.replacing("-", with: " ")
    }

    private static let titles: [Check: String] = [
        .tls: "TLS parameters", .identity: "service identity", .checks: "registered checks",
    ]

    /// What made a check pass, with both sides of the comparison; nil where there is nothing to
    /// name.
    package static func found(_ passed: CheckStep.Passed?) -> String? {
        switch passed {
        case nil: return nil
        case .identity(let reference, let presented):
            return "wanted `\(reference)`, presented "
                + "`\(Words.shortened(presented, to: 100))`"
        case .pins(let hits):
            guard !hits.isEmpty else { return nil }
            return hits.map { hit in
                "`\(hit.entry)`\(hit.isBackup ? " (backup)" : "") of `\(hit.set)` matches "
                    + (hit.position == 0
                        ? "the end entity" : "certificate \(hit.position + 1) of the path")
            }.joined(separator: "; ")
        case .validity(let notBefore, let notAfter):
            return "\(notBefore) to \(notAfter)"
        case .signatures(let count):
            return count == 0 ? "none to verify" : "\(count) verified"
        case .anchor(let set):
            return set == "pinned-keys"
                ? "its key or certificate is pinned" : "in anchor set `\(set)`"
        case .constraints(let set, let keys):
            return "what anchors of `\(set)` vouch for: \(Words.list(keys))"
        case .intermediates(let maximum, let actual):
            return "\(actual) between end entity and anchor, at most \(maximum) wanted"
        case .purposes(let wanted, let allowed):
            let found = allowed.isEmpty ? "any" : Words.list(allowed)
            return "wanted \(Words.list(wanted)), allowed \(found)"
        case .keys(let types, let rsaMinimum, let found):
            let size = types.contains("rsa") ? ", rsa from \(rsaMinimum)" : ""
            return "wanted \(types.joined(separator: " "))\(size); found "
                + found.prefix(12).joined(separator: ", ")
        case .signatureAlgorithms(let minimumHash, let schemes, let found):
            return "wanted \(schemes.joined(separator: " ")), \(minimumHash) or better; found "
                + (found.isEmpty ? "none to judge" : found.prefix(12).joined(separator: ", "))
        case .lifetime(let maximum, let actual):
            return "\(Words.duration(actual)), at most "
                + "\(Words.duration(maximum)) wanted"
        case .tls(let version, let minimum, let maximum, let parameters):
            let rest = parameters.map {
                "; \(TLSWords.parameter($0.parameter)) `\($0.found)`"
            }.joined()
            let allowed = TLSWords.range(minimum, maximum)
            return "`\(version.name)`, allowed: \(allowed)\(rest)"
        case .forbiddenKeys(let entries):
            return "none of \(Words.list(entries)) is on the path"
        case .certificatePolicies(let wanted, let found):
            return
                "wanted \(wanted.isEmpty ? "any" : Words.list(wanted)), the end entity "
                + "asserts \(Words.list(found))"
        case .checks(let names):
            return Words.list(names)
        case .exempt(let set):
            return "paths to `\(set)` need no timestamps"
        case .transparency(let report): return TransparencySentences.passed(report)
        case .revocation(let standings):
            return standings.map(EvidenceSentences.standing).joined(separator: "; ")
        case .evidence(let records):
            return EvidenceSentences.counts(records)
        }
    }

    /// Why a pattern did not decide the host.
    package static func reason(_ outcome: PatternStep.Outcome) -> String {
        switch outcome {
        case .selected: return "selected"
        case .exactWins: return "the selected pattern names the host exactly"
        case .moreLabelsWin: return "the selected pattern has more labels"
        case .oneLabelWins: return "`*` comes before `**`"
        case .longerPrefixWins: return "the selected network has a longer prefix"
        case .portWins: return "the selected pattern names the port"
        }
    }

    /// A notice as a sentence.
    package static func notice(_ notice: Notice) -> String {
        switch notice {
        case .pinAgeing(let set, let end):
            let until = end.map { "; its enforcement ends on \($0)" } ?? ""
            return "the pins of `\(set)` are due for replacement\(until)"
        case .pinOverdue(let set, let end):
            return "the enforcement of pin set `\(set)` ended on \(end)"
        case .tlsAssumed:
            return "TLS parameters were assumed, not seen"
        case .searchIncomplete:
            return "the work budget ended before a better path was ruled out"
        case .tableStale(let confirmed, let until):
            return
                "the policy table was last known as the newest at \(confirmed) and is stale "
                + "since \(until)"
        case .issuance(let breaches):
            return issuance(breaches)
        }
    }

    /// The breaches of a path, certificate by certificate. Each demand is an id, which a waiver can
    /// name.
    private static func issuance(_ breaches: [IssuanceBreach]) -> String {
        var parts: [String] = []
        var rest = breaches[...]
        while let first = rest.first {
            let own = rest.prefix { $0.certificate == first.certificate }
            rest = rest.dropFirst(own.count)
            parts.append(
                "\(own.map(\.demand).joined(separator: ", ")) "
                    + "(\(Words.name(first.certificate)))")
        }
        return "for whoever runs the CA, and no reason to refuse: "
            + parts.joined(separator: "; ") + "; `path.issuance: enforce` would refuse the path"
    }

    /// One breach, with the sentence of its demand and who can mend it.
    package static func breach(_ breach: IssuanceBreach) -> String {
        let name = Words.name(breach.certificate)
        let flaw =
            StandardDemand(rawValue: breach.demand)?.flaw(found: breach.found) ?? breach.demand
        return "\(breach.demand): \(name) \(flaw); whoever issued it can mend it"
    }

    /// Why the failure of a check did not reject.
    package static func reason(_ reason: Reported.Reason) -> String {
        switch reason {
        case .waived(let until): return "waived until \(until)"
        case .reportOnly(nil): return "reported only"
        case .reportOnly(let until?): return "reported only until \(until)"
        }
    }
}
