import PolicyCompiler
import Rendering
import TrustEngine

extension LintRule {
    /// HW302: a certificate of an anchor set is not valid at the time of the run, so no path can
    /// end at it. Not reported if the set ignores dates, or while clock skew or a waiver lets it
    /// pass in every rule that trusts it.
    static let anchorExpired = LintRule(.anchorExpired) { context in
        context.anchorFindings(.anchorExpired) { terms, anchor in
            let certificate = anchor.certificate
            guard !terms.ignoredLimits.contains(.dates),
                context.time < certificate.notBefore || context.time > certificate.notAfter,
                context.isRejected(
                    certificate, terms, { CertificateRules.validity(certificate, $0) })
            else { return nil }
            let name = "`\(certificate.shortSubject)`"
            guard context.time > certificate.notAfter else {
                return AnchorFault(
                    message: "no path can end at \(name) yet: \(anchor.name) begins on "
                        + Words.day(certificate.notBefore),
                    help: ["keep the certificate that is valid until then beside it"],
                    sort: "future",
                    rank: certificate.notBefore.secondsSinceEpoch)
            }
            return AnchorFault(
                message: "no path can end at \(name) any more: \(anchor.name) ended on "
                    + Words.day(certificate.notAfter),
                help: [
                    "put its successor into the set and take it out; where the key is trusted "
                        + "whatever its certificate says of dates, write `ignore-limits: [dates]`"
                ], sort: "ended",
                rank: certificate.notAfter.secondsSinceEpoch)
        }
    }

    /// HW303: a certificate of an anchor set ends within the horizon. A certificate of kind `leaf`
    /// is renewed like a server's certificate, so it is reported in the last third of its lifetime
    /// at the earliest.
    static let anchorExpiring = LintRule(.anchorExpiring) { context in
        context.anchorFindings(.anchorExpiring) { terms, anchor in
            let certificate = anchor.certificate
            let (first, last) = (certificate.notBefore, certificate.notAfter)
            guard !terms.ignoredLimits.contains(.dates), first <= context.time,
                context.time <= last, last <= context.horizon
            else { return nil }
            let left = last.secondsSinceEpoch - context.time.secondsSinceEpoch
            let lifetime = last.secondsSinceEpoch - first.secondsSinceEpoch
            if terms.kind == .leaf, left > lifetime / 3 { return nil }
            let set = context.parts.anchorSets[terms.set.value]
            let isAlone =
                set?.isComplete == true && set?.groups.count == 1
                && set?.groups.first?.members.count == 1
            return AnchorFault(
                message: DateSentences.anchor(
                    certificate.shortSubject, until: last, at: context.time)
                    + (isAlone ? "; `\(terms.set.value)` holds nothing else" : ""),
                help: [
                    "put its successor into the set beside it now, and take it out when nothing "
                        + "ends at it any more"
                ], sort: "ending", rank: last.secondsSinceEpoch)
        }
    }
}
