package import TrustEngine

/// The sentences about violations; no other file has them. They contain raw text of certificates
/// and hosts: the renderer must escape whole lines.
///
/// One file because the two sentences about a violation must not contradict each other.
package enum ViolationSentences {
    /// Both sides of the comparison in one line, for a reader who knows certificates.
    package static func headline(_ violation: Violation) -> String {
        switch violation.reason {
        case .path(let violation): return headline(violation)
        case .badHost(let host, let problem):
            return "`\(host)` is neither a host name nor an address: \(problem)"
        case .noApplicableRule(let host):
            return "no rule matches `\(host)`, and `default` is `deny`"
        case .nothingPresented:
            return "the peer presented no certificate"
        case .endEntityUnreadable(let error):
            return "the first certificate presented cannot be read: \(error.details)"
        case .issuerNotFound(let last, let issuer, let unreadable) where !unreadable.isEmpty:
            return
                "the issuer of \(Words.name(last)) is `\(issuer)`, and what the peer sent under that name "
                + "cannot be read: \(unreadable.joined(separator: "; "))"
        case .issuerNotFound(let last, let issuer, _):
            return
                "the issuer of \(Words.name(last)) is `\(issuer)`, and neither the peer nor the policy "
                + "offers a certificate of it that leads further"
        case .selfSignedLeaf(let leaf, let sets) where !sets.isEmpty:
            return AuthorityAsServer.headline(leaf, sets)
        case .selfSignedLeaf(let leaf, _):
            return "\(Words.name(leaf)) is issued by itself and is no anchor of this rule"
        case .anchorNotTrusted(let top, let heldBy, let anchors):
            let elsewhere =
                heldBy.isEmpty ? "" : "; \(Words.list(heldBy)) of this policy would hold it"
            return
                "the path ends at \(Words.name(top)), which is in none of the rule's anchor sets "
                + "(\(Words.list(anchors)))\(elsewhere)"
        case .anchorConstraintNotMet(let failure):
            return anchorConstraint(failure)
        case .forbiddenKey(let found): return found.sentence
        case .nameMismatch(let wanted, let presented):
            return "wanted \(Words.list(wanted)), the certificate presents "
                + (presented.isEmpty ? "no name at all" : Words.presentedList(presented))
                + URISentences.mismatch(presented: presented, patterns: wanted)
                + NameSentences.mismatch(presented: presented, wanted: wanted)
        case .notX509SVID(let failure): return failure.sentence
        case .pinMismatch(let mismatch):
            return "pin set `\(mismatch.set)` needs \(mismatch.needed) of "
                + "\(Words.count(mismatch.wanted.count, "pin")), \(mismatch.matched) matched "
                + "\(Words.count(mismatch.found.count, "key")) of the path"
        case .checkFailed(let check, let reason):
            return
                "the registered check `\(check)` refuses the path: \(Words.shortened(reason, to: 200))"
        case .cleartext:
            return "the connection has no TLS, so there is no key and no certificate to judge"
        case .tlsNotSupplied(let parameter):
            return "the rule demands a TLS `\(parameter)`, and the request does not say which it is"
        case .tlsVersion(let version, let minimum, let maximum):
            return "the connection uses `\(version.name)`, allowed: \(range(minimum, maximum))"
        case .tlsForwardSecrecy(let suite):
            return
                "wanted forward secrecy; the key exchange of `\(Words.shortened(suite, to: 100))` is not "
                + "known to be (EC)DHE"
        case .tlsParameter(let parameter, let found, let allowed):
            return
                "the connection uses the \(words(parameter)) `\(Words.shortened(found, to: 100))`, "
                + "not among those that the rule allows: \(Words.list(allowed))"
        case .revoked(let certificate, let answer):
            return "\(Words.name(certificate)): \(EvidenceSentences.name(answer)) "
                + EvidenceSentences.clause(answer)
        case .revocationUndetermined(let certificate, let cause, let answers):
            return RevocationSentences.headline(certificate, cause, answers, nil)
        case .stapleMissing(let certificate, let answers):
            let staple = answers.first { $0.source == .stapled }
            return "\(Words.name(certificate)) demands a stapled OCSP response, and "
                + (staple.map { "\(EvidenceSentences.name($0)) \(EvidenceSentences.clause($0))" }
                    ?? "none was handed over")
        case .transparencyNotMet(let report): return TransparencySentences.headline(report)
        case .logListStale(_, let issued, let time, let maximumAge):
            return TransparencySentences.stale(issued, time, maximumAge)
        case .tableStale(let confirmed, let until, let time, let basis):
            return StaleTableSentences.headline(
                confirmed: confirmed, until: until, time: time, basis: basis, statement: nil)
        case .evidenceTooLarge(let octets, let limit):
            return "the revocation evidence, \(octets) octets, is not read within \(limit) cost "
                + "units of work, and what is not read may say `revoked`"
        case .engineError(let problem):
            return "a fault of our own: \(problem)"
        }
    }

    /// The headline of a violation that the path validator finds.
    private static func headline(_ violation: PathViolation) -> String {
        switch violation {
        case .badSignature(let certificate, let issuer, let type?, let kind?):
            return SignatureSentences.anotherKind(certificate, issuer, keyType: type, kind: kind)
        case .badSignature(let certificate, let issuer, _, _):
            return "the signature on \(Words.name(certificate)) does not verify under the key of "
                + Words.name(issuer)
        case .unsupportedSignature(let certificate, let issuer):
            return
                "the signature on \(Words.name(certificate)) cannot be checked: the engine does not "
                + "have its algorithm for the key of \(Words.name(issuer)), so nothing shows who made it"
        case .algorithmMismatch(let certificate):
            return
                "\(Words.name(certificate)) names one signature algorithm inside and another outside"
        case .expired(let certificate, let notAfter, let time, let tolerance):
            let side = time <= notAfter.advanced(bySeconds: tolerance) ? "within" : "beyond"
            let granted =
                tolerance > 0 ? ", \(side) the tolerance of \(Words.duration(tolerance))" : ""
            return "\(Words.name(certificate)) ended on \(notAfter), judged at \(time)\(granted)"
        case .notYetValid(let certificate, let notBefore, let time):
            return "\(Words.name(certificate)) begins on \(notBefore), judged at \(time)"
        case .neverValid(let certificate, let notBefore, let notAfter):
            return
                "\(Words.name(certificate)) ends on \(notAfter), before it begins on \(notBefore): it "
                + "is valid at no time"
        case .notACertificateAuthority(let certificate):
            return "\(Words.name(certificate)) issued a certificate but is no CA"
        case .pathLengthExceeded(let certificate, let limit, let actual):
            return
                "\(Words.name(certificate)) allows \(Words.count(limit, "CA certificate")) below it, the "
                + "path has \(actual)"
        case .tooManyIntermediates(let limit, let actual):
            return "the policy allows \(Words.count(limit, "intermediate")), the path has \(actual)"
        case .keyUsageMissing(let certificate, let wanted):
            return "the key usage of \(Words.name(certificate)) lacks `\(wanted)`"
        case .purposeNotAllowed(let certificate, let wanted, let allowed):
            return "wanted one purpose of \(Words.list(wanted)); \(Words.name(certificate)) allows "
                + Words.list(allowed)
        case .purposeNotNamed(let certificate, let wanted, let named):
            return
                "\(Words.name(certificate)) names \(named.isEmpty ? "no key purpose" : Words.list(named)), "
                + "and the standard `web-pki` demands that it names one of \(Words.list(wanted))"
        case .unknownCriticalExtension(let certificate, let extensionID):
            return
                "\(Words.name(certificate)) has the critical extension \(extensionID), which the "
                + "engine does not process"
        case .nameNotPermitted(let certificate, let found, let by, let subtree, let isExcluded):
            let relation = isExcluded ? "excludes" : "permits only"
            return
                "`\(found)` in \(Words.name(certificate)): \(Words.name(by)) \(relation) `\(subtree)`"
                + URISentences.constraint(name: found, isExcluded: isExcluded)
        case .constraintNotEvaluated(let certificate, let by, let constraint, let problem):
            let what = constraint == "names" ? "a name constraint" : "the certificate policies"
            return
                "\(what) of \(Words.name(by)), which \(Words.name(certificate)) is below, cannot be judged: "
                + problem
        case .certificatePolicyNotSatisfied(
            let certificate, let wanted, let found, let demandedBy):
            return ExplicitPolicySentences.headline(
                certificate, wanted: wanted, found: found, demandedBy: demandedBy)
        case .keyTypeNotAllowed(let certificate, let type, let allowed)
        where !KeyType.isKnown(type):
            return
                "the key of \(Words.name(certificate)) is \(type); the engine cannot check such keys, and "
                + "the rule allows \(Words.list(allowed))"
        case .keyTypeNotAllowed(let certificate, let type, let allowed):
            return
                "the key of \(Words.name(certificate)) is `\(type)`, not allowed by the rule, which "
                + "allows \(Words.list(allowed))"
        case .keyTooSmall(let certificate, let bits, let minimum):
            return
                "the RSA key of \(Words.name(certificate)) has \(bits) bits, at least \(minimum) wanted"
        case .hashTooWeak(let certificate, let hash, let minimum):
            return
                "\(Words.name(certificate)) is signed with `\(hash)`, at least `\(minimum)` wanted"
        case .maskHashTooWeak(let certificate, let hash, let mask, let minimum):
            return "\(Words.name(certificate)) is signed with `\(hash)`, but its mask (MGF1) uses "
                + "`\(mask)`, at least `\(minimum)` wanted of both"
        case .signatureSchemeNotAllowed(let certificate, let scheme, let allowed):
            return
                "\(Words.name(certificate)) is signed with `\(scheme)`, not allowed by the rule, "
                + "which allows \(Words.list(allowed))"
        case .lifetimeTooLong(let certificate, let seconds, let maximum):
            return "\(Words.name(certificate)) lives for \(Words.duration(seconds)), at most "
                + "\(Words.duration(maximum)) wanted"
        case .standardNotMet(let certificate, let demand, let found):
            return "\(Words.name(certificate)) \(StandardSentences.flaw(demand, found: found))"
        case .budgetExhausted(let limit):
            return "the question is not decided after \(limit) cost units of work"
        }
    }

    /// One sentence for a reader who only wanted to connect.
    package static func forEndUser(_ violation: Violation, host: String) -> String {
        forEndUser(violation, Situation(host: host))
    }

    /// One sentence for a reader who only wanted to connect. It says what failed and names no
    /// culprit: of most failures there is more than one cause.
    package static func forEndUser(_ violation: Violation, _ situation: Situation) -> String {
        let host = situation.host
        switch violation.reason {
        case .path(let violation): return forEndUser(violation, situation)
        case .badHost:
            return "`\(host)` is neither the name nor the address of a host"
        case .noApplicableRule:
            return "the policy has no rule for `\(host)` on this port, and without a rule it "
                + "trusts nobody"
        case .tableStale:
            return
                "the policy in use is too old, so nothing is trusted by it any more"
        case .evidenceTooLarge:
            return "the lists of revoked certificates take more work to read than is allowed"
        case .nothingPresented:
            return "`\(host)` showed no certificate"
        case .endEntityUnreadable:
            return "the certificate that `\(host)` showed cannot be read"
        case .issuerNotFound(_, let issuer, _) where !situation.facts.twins.isEmpty:
            return "nothing shows that anybody trusted vouches for `\(host)`: the name of its "
                + "issuer, `\(Words.shortSubject(issuer))`, is written in two ways"
        case .issuerNotFound(let last, let issuer, let unreadable):
            if unreadable.isEmpty,
                let sentence = AuthorityAdvice.forEndUser(last: last, issuer: issuer, situation)
            {
                return sentence
            }
            return "nothing shows that anybody trusted vouches for `\(host)`: the certificate of "
                + "its issuer, `\(Words.shortSubject(issuer))`, "
                + (unreadable.isEmpty ? "is missing" : "cannot be read")
        case .selfSignedLeaf(_, let sets) where !sets.isEmpty:
            return AuthorityAsServer.forEndUser(situation)
        case .selfSignedLeaf:
            return "only the certificate of `\(host)` itself vouches for it, and nobody has said "
                + "that it may be trusted"
        case .anchorNotTrusted(let top, let heldBy, _):
            if let sentence = AuthorityAdvice.forEndUser(top: top, heldBy: heldBy, situation) {
                return sentence
            }
            return "`\(host)` is vouched for by an authority that is not trusted for it; something "
                + "between you and it may be answering in its place"
        case .anchorConstraintNotMet:
            return "the authority that vouches for `\(host)` is trusted on terms that this "
                + "certificate does not meet"
        case .nameMismatch(let wanted, let presented):
            return nameSentence(wanted, presented, situation)
        case .notX509SVID(let failure): return failure.headline(of: host)
        case .pinMismatch:
            return "the keys that answer for `\(host)` are not those that the policy pins"
        case .forbiddenKey(let found): return found.headline(of: host)
        case .checkFailed(let check, _):
            return "the program's own check `\(check)` refuses `\(host)`"
        case .cleartext:
            return "the connection to `\(host)` has no TLS, so nothing shows who answers"
        case .tlsNotSupplied(let parameter):
            return "which TLS \(words(parameter)) the connection to `\(host)` has is not known, "
                + "and \(situation.rule) demands to know"
        case .tlsVersion(let version, _, _):
            return "the connection to `\(host)` uses `\(version.name)`, which \(situation.rule) "
                + "does not allow"
        case .tlsForwardSecrecy:
            return "the connection to `\(host)` is not known to have forward secrecy, which "
                + "\(situation.rule) demands"
        case .tlsParameter(let parameter, let found, _):
            return "the connection to `\(host)` uses the \(words(parameter)) "
                + "`\(Words.shortened(found, to: 100))`, which is not among those that \(situation.rule) "
                + "allows"
        case .transparencyNotMet:
            return "too little shows that the certificate of `\(host)` was made public, as "
                + "\(situation.rule) demands"
        case .logListStale:
            return "whether the certificate of `\(host)` was made public is not known: the list of "
                + "logs is too old"
        case .revoked(let certificate, _):
            return "\(bearer(certificate, host)) was revoked"
        case .revocationUndetermined(let certificate, _, _):
            return "whether \(bearer(certificate, host)) was revoked is not known"
        case .stapleMissing:
            return "`\(host)` did not show that its certificate has not been revoked, as the "
                + "certificate itself demands"
        case .engineError:
            return "the check of `\(host)` failed on our side, so it is not trusted"
        }
    }

    /// The sentence for a chain that begins with a CA. `position` is the place of the server's own
    /// certificate in the chain, from 0.
    static func wrongOrder(_ position: Int, _ situation: Situation) -> String {
        "the server's own certificate is not the first that was sent for `\(situation.host)`, but "
            + "number \(position + 1): an authority's stands before it"
    }

    /// The sentence for a certificate that presents no wanted name.
    private static func nameSentence(
        _ wanted: [String], _ presented: [String], _ situation: Situation
    ) -> String {
        let host = situation.host
        if let position = situation.misplacedEndEntity { return wrongOrder(position, situation) }
        if situation.facts.isAuthorityAlone { return AuthorityAsServer.forEndUser(situation) }
        if NameSentences.mistake(presented: presented, wanted: wanted) != nil {
            return "the certificate that answers for `\(host)` has its name in a form that never "
                + "counts"
        }
        guard presented.isEmpty else {
            return wanted == [host]
                ? "the certificate that answers for `\(host)` is for another name"
                : "the certificate that answers for `\(host)` is for none of the names that "
                    + "\(situation.rule) wants"
        }
        if let subject = situation.firstSubject,
            wanted.contains(where: { Words.shortSubject(subject).lowercased() == "cn=\($0)" })
        {
            return "the certificate of `\(host)` has the name only as its common name, which does "
                + "not count: names count in subjectAltName alone"
        }
        return "the certificate that answers for `\(host)` presents no name that could count"
    }

    /// The sentence for a violation that the path validator finds.
    private static func forEndUser(_ violation: PathViolation, _ situation: Situation) -> String {
        let host = situation.host
        switch violation {
        case .expired(let certificate, let notAfter, let time, _):
            let (end, now) = days(notAfter, time)
            return "\(bearer(certificate, host)) ended on \(end), and it is "
                + "judged at \(now)"
        case .notYetValid(let certificate, let notBefore, let time):
            let (begin, now) = days(notBefore, time)
            return "\(bearer(certificate, host)) begins only on \(begin), and it is judged at "
                + now
        case .neverValid(let certificate, _, _):
            return "\(bearer(certificate, host)) ends before it begins, so it is valid at no time"
        case .badSignature(let certificate, let issuer, _, _):
            return
                "the signature on \(Words.name(certificate)) is not by the key of \(Words.name(issuer)) "
                + "that was found"
        case .algorithmMismatch(let certificate):
            return "\(Words.name(certificate)) contradicts itself: it names two ways in which it "
                + "is signed"
        case .unsupportedSignature(let certificate, _):
            return
                "the signature on \(Words.name(certificate)) is of a kind that cannot be checked here"
        case .keyTypeNotAllowed(let certificate, let type, _) where !KeyType.isKnown(type):
            return "the key of \(Words.name(certificate)) is \(type), and cannot be checked here"
        case .keyTypeNotAllowed(let certificate, let type, _):
            return
                "the key of \(Words.name(certificate)), `\(type)`, is not allowed by \(situation.rule)"
        case .keyTooSmall(let certificate, let bits, let minimum):
            return
                "the RSA key of \(Words.name(certificate)) has \(bits) bits, and \(situation.rule) "
                + "wants at least \(minimum)"
        case .hashTooWeak(let certificate, let hash, let minimum):
            return
                "\(Words.name(certificate)) is signed with `\(hash)`, and \(situation.rule) wants "
                + "`\(minimum)` or better"
        case .maskHashTooWeak(let certificate, let hash, let mask, let minimum):
            return "\(Words.name(certificate)) is signed with `\(hash)`, but its mask (MGF1) uses "
                + "`\(mask)`, and \(situation.rule) wants `\(minimum)` or better of both"
        case .signatureSchemeNotAllowed(let certificate, let scheme, _):
            return "the signature on \(Words.name(certificate)), `\(scheme)`, is not allowed by "
                + situation.rule
        case .notACertificateAuthority(let certificate):
            return
                "\(Words.name(certificate)) issued a certificate for `\(host)` and is no authority"
        case .pathLengthExceeded(let certificate, _, _):
            return
                "\(Words.name(certificate)) allows fewer authorities below it than vouch for `\(host)`"
        case .tooManyIntermediates(let limit, let actual):
            return
                "\(Words.count(actual, "intermediate")) vouch for `\(host)`, and \(situation.rule) "
                + "allows \(limit)"
        case .keyUsageMissing(let certificate, let wanted):
            return
                "\(Words.name(certificate)) is not made for what it is used for: its key usage lacks "
                + "`\(wanted)`"
        case .purposeNotAllowed(let certificate, let wanted, _):
            return "\(Words.name(certificate)) is not made for this purpose: it does not allow "
                + Words.list(wanted)
        case .purposeNotNamed(let certificate, let wanted, _):
            return
                "\(Words.name(certificate)) does not say that it is made for \(Words.list(wanted)), as the "
                + "standard of public authorities (`web-pki`) demands"
        case .unknownCriticalExtension(let certificate, let extensionID):
            return
                "\(Words.name(certificate)) demands that its extension \(extensionID) is understood, "
                + "and here it is not"
        case .nameNotPermitted(let certificate, let found, let by, _, _):
            return
                "\(Words.name(by)) may not vouch for the name `\(found)` of \(Words.name(certificate))"
        case .constraintNotEvaluated(_, let by, _, _):
            return
                "\(Words.name(by)) limits what it vouches for in a way that cannot be judged here"
        case .certificatePolicyNotSatisfied(let certificate, _, _, let demandedBy):
            return ExplicitPolicySentences.forEndUser(
                certificate, demandedBy: demandedBy, situation)
        case .lifetimeTooLong(_, let seconds, let maximum):
            return "the certificate of `\(host)` lives for \(Words.duration(seconds)), and "
                + "\(situation.rule) allows \(Words.duration(maximum))"
        case .standardNotMet(let certificate, let demand, let found):
            if demand == .endEntityIsCA, let position = situation.misplacedEndEntity {
                return wrongOrder(position, situation)
            }
            return "\(Words.name(certificate)) \(StandardSentences.flaw(demand, found: found))"
        case .budgetExhausted:
            return "the certificates that answer for `\(host)` take more work to check than is "
                + "allowed"
        }
    }

    /// A certificate as the one of the host, or as one that vouches for the host.
    private static func bearer(_ certificate: CertificateReference, _ host: String) -> String {
        certificate.position == 0
            ? "the certificate of `\(host)`"
            : "\(Words.name(certificate)), which vouches for `\(host)`,"
    }

    /// Two instants for a reader: their days, or the whole instants where the days are the same.
    private static func days(_ one: UTCInstant, _ other: UTCInstant) -> (String, String) {
        let days = (Words.day(one), Words.day(other))
        return days.0 == days.1 ? (one.description, other.description) : days
    }

    /// The headline with what the situation adds to it.
    package static func headline(_ violation: Violation, _ situation: Situation) -> String {
        if case .revocationUndetermined(let certificate, let cause, let answers) = violation.reason
        {
            return RevocationSentences.headline(certificate, cause, answers, situation)
        }
        if case .tableStale(let confirmed, let until, let time, let basis) = violation.reason {
            return StaleTableSentences.headline(
                confirmed: confirmed, until: until, time: time, basis: basis,
                statement: situation.facts.statement)
        }
        return headline(violation) + (addition(violation, situation).map { "; \($0)" } ?? "")
    }

    /// What a headline leaves out because the violation alone does not hold it; nil where there is
    /// nothing to add.
    package static func addition(_ violation: Violation, _ situation: Situation) -> String? {
        if case .issuerNotFound = violation.reason {
            return situation.facts.twins.first.map(TwinSentences.clause)
        }
        if case .path(let found) = violation.reason,
            let clause = AuthorityAdvice.clause(found, situation)
        {
            return clause
        }
        if case .pinMismatch(let mismatch) = violation.reason {
            return PinMistakes.of(mismatch, situation.facts).first.map(PinMistakes.clause)
        }
        if case .nameMismatch = violation.reason, let ownAnchor = situation.facts.ownAnchor {
            return OwnAnchorSentences.clause(ownAnchor)
        }
        if case .stapleMissing(let certificate, let answers) = violation.reason {
            return answers.first { $0.source == .stapled }
                .flatMap { EvidenceFault(certificate, $0, situation.facts).stapleClause }
                .map { "it is about \($0)" }
        }
        // The headline of a CA in place of the server's certificate says so itself.
        if case .selfSignedLeaf = violation.reason { return nil }
        guard let position = situation.misplacedEndEntity,
            SideSentences.readings(violation, situation).first == SideSentences.wrongOrder
        else { return nil }
        let first = situation.firstSubject.map { " `\(Words.shortSubject($0))`," } ?? ""
        return "the first certificate,\(first) is a CA, and certificate \(position + 1) is the "
            + "server's own"
    }

    /// The names or values that an anchor set lets its members vouch for, and what the certificate
    /// has instead.
    private static func anchorConstraint(_ failure: AnchorConstraintFailure) -> String {
        let leaf = Words.name(failure.certificate)
        let set = "anchors of `\(failure.set)`"
        switch failure.side {
        case .permittedNames(let found, let patterns):
            return "`\(Words.shortened(found, to: 100))` in \(leaf): \(set) vouch only for "
                + Words.list(patterns)
        case .excludedNames(let found, let pattern?):
            return
                "`\(Words.shortened(found, to: 100))` in \(leaf): \(set) never vouch for `\(pattern)`"
        case .excludedNames(let found, nil):
            return
                "`\(Words.shortened(found, to: 100))` in \(leaf) is no valid name, so it counts as one "
                + "that \(set) never vouch for"
        case .permittedURIs(let found, let patterns):
            return "`\(Words.shortened(found, to: 100))` in \(leaf): \(set) vouch only for "
                + Words.list(patterns)
                + URISentences.mismatch(presented: [found], patterns: patterns)
        case .notBefore(let found, let from, let until):
            return "\(leaf) begins on \(found): \(set) vouch for certificates that begin "
                + bounds(from, until)
        case .sct(let earliest, let from, let until, _):
            let found =
                earliest.map { "the earliest valid timestamp of \(leaf) is of \($0)" }
                ?? "\(leaf) has no valid timestamp"
            return "\(found): \(set) vouch for certificates whose earliest is "
                + bounds(from, until)
        case .logList(let issued, let time, let maximumAge):
            return TransparencySentences.stale(issued, time, maximumAge)
                + ", and \(set) vouch for certificates by the time of their timestamps"
        case .keyPurposes(let wanted, let named):
            return
                "\(leaf) names \(Words.list(named)): \(set) vouch for certificates that name one of "
                + Words.list(wanted)
        case .maximumLifetime(let seconds, let maximum):
            return "\(leaf) lives for \(Words.duration(seconds)): \(set) vouch for at most "
                + Words.duration(maximum)
        }
    }

    private static func bounds(_ from: UTCInstant?, _ until: UTCInstant?) -> String {
        [from.map { "at \($0) or later" }, until.map { "at \($0) or before" }]
            .compactMap(\.self).joined(separator: ", ")
    }

    /// The pointer that a violation is cited with, given the pointer of its check's demand. An
    /// entry of a map has a pointer of its own.
    package static func pointer(of violation: Violation, demand: String) -> String {
        if case .forbiddenKey(let found) = violation.reason { return "\(demand)/\(found.entry)" }
        return demand
    }

    /// The TLS versions from a minimum to a maximum; one value where both are the same.
    static func range(_ minimum: TLSVersion, _ maximum: TLSVersion) -> String {
        minimum == maximum ? "`\(minimum.name)`" : "`\(minimum.name)` to `\(maximum.name)`"
    }

    /// The word for a TLS parameter.
    static func words(_ parameter: String) -> String {
        parameter == "alpn" ? "protocol" : String(parameter.map { $0 == "-" ? " " : $0 })
    }
}
