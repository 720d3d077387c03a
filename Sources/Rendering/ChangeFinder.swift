import TrustEngine

/// Finds the keys of the deciding rule that would let a reject's violations pass. Most violations
/// have none: a wrong key, an unknown authority or a revoked certificate is never made to pass.
///
/// A change is a proposal. `RepairProof` writes it into the policy in memory, and prints it only if
/// it has exactly the stated effect.
///
/// Whoever answers chooses the chain, the staple and the TLS parameters. What only the peer says
/// never leads to a change that makes it pass: no other name, no staple that is old or broken, no
/// forged timestamp, no certificate that ended long ago. The one exception is a certificate that
/// the policy itself holds, octet by octet, as the only anchor of the rule: its names are the
/// policy's.
struct ChangeFinder {
    /// Whether the TLS parameters were seen. Where they are assumed, timestamps of the handshake
    /// may be missing only because nobody handed them over.
    let sawHandshake: Bool
    /// The facts about the request besides its violations.
    var facts = RequestFacts()

    /// The change for all violations together; nil if one of them has none.
    func change(for violations: [Violation]) -> PolicyChange? {
        var joined: PolicyChange?
        for violation in violations {
            guard let change = change(for: violation, among: violations) else { return nil }
            joined = joined?.joined(with: change) ?? change
        }
        return joined
    }

    /// The change for one violation. The demands of issuance have one waiver together.
    func change(for violation: Violation, among violations: [Violation]) -> PolicyChange? {
        switch violation.reason {
        case .path(let violation): return change(for: violation, among: violations)
        case .tlsVersion(let version, let minimum, _):
            return tlsChange(version, minimum: minimum)
        case .tlsForwardSecrecy:
            return PolicyChange(
                .reportOnly(.tls),
                cost: "whoever gets the server's key later can read what was recorded before")
        case .tlsParameter(let parameter, let found, _):
            return PolicyChange(
                .reportOnly(.tls),
                cost: "the \(ViolationSentences.words(parameter)) "
                    + "`\(Words.shortened(found, to: 100))` passes, and every other "
                    + "breach of the rule's `tls`")
        case .transparencyNotMet(let report):
            // A log that is not listed, or a forged timestamp, says nothing of the server.
            guard sawHandshake,
                report.timestamps.allSatisfy({ !ChangeFinder.isSuspicious($0.standing) })
            else { return nil }
            return PolicyChange(
                .reportOnly(.transparency),
                cost: "what no log holds may have been issued to somebody else")
        // A rule that asks a source which there is not asks another one, and stays a demand.
        case .revocationUndetermined(let certificate, let cause, let answers)
        where RevocationSentences.unasked(certificate, cause, answers, facts) != nil:
            return sourcesChange(certificate, cause, answers)
        // Evidence that nobody handed over shows nothing of the server: a service may have it.
        case .revocationUndetermined(_, .unreachable, let answers) where answers.isEmpty: return nil
        case .revocationUndetermined(_, _, let answers)
        where answers.contains { $0.source == .stapled || $0.isFromTheFuture }: return nil
        // What its own authority does not know may have been made without the authority.
        case .revocationUndetermined(_, _, let answers)
        where answers.contains(where: \.isUnknownToResponder): return nil
        case .revocationUndetermined:
            return PolicyChange(
                .reportOnly(.revocation),
                cost: "whoever holds a stolen key can keep the evidence away")
        case .nameMismatch:
            return facts.ownAnchor.flatMap(OwnAnchorSentences.change)
        case .notX509SVID, .logListStale, .stapleMissing, .badHost,
            .noApplicableRule,
            .nothingPresented, .endEntityUnreadable, .issuerNotFound,
            .selfSignedLeaf, .anchorNotTrusted, .anchorConstraintNotMet, .pinMismatch,
            .forbiddenKey, .checkFailed, .cleartext, .tlsNotSupplied, .revoked, .tableStale,
            .evidenceTooLarge, .engineError:
            return nil
        }
    }

    /// The change by which a rule asks one more source, whose evidence says that the certificate is
    /// not revoked. Nil while this evidence is not at hand.
    private func sourcesChange(
        _ certificate: CertificateReference, _ cause: RevocationCause, _ answers: [RevocationAnswer]
    ) -> PolicyChange? {
        guard let source = RevocationSentences.unasked(certificate, cause, answers, facts),
            answers.contains(where: { $0.source == source && $0.finding == .good })
        else { return nil }
        return PolicyChange(
            .revocationSources(facts.askedSources + [source]),
            cost:
                "its `sources` name `\(source.name)` too, and \(EvidenceSentences.one(source)) "
                + "that says `good` is enough then")
    }

    private func change(
        for violation: PathViolation, among violations: [Violation]
    ) -> PolicyChange? {
        switch violation {
        case .expired(_, let notAfter, let time, 0):
            // Whole days since the certificate expired, and one month more for the renewal.
            let earliest = violations.compactMap(ChangeFinder.end).min() ?? notAfter
            let ended = (time.secondsSinceEpoch - earliest.secondsSinceEpoch) / 86_400
            guard ended <= ChangeFinder.longestEnded else { return nil }
            return PolicyChange(
                .waiver(.expired(seconds: (ended + 31) * 86_400), reason: "being renewed"),
                cost: "every certificate of its paths passes that ended no more than "
                    + "\(ended + 31)d before")
        case .expired: return nil
        case .keyTooSmall(_, let bits, _) where bits >= 2_048:
            return PolicyChange(
                .reportOnly(.keys), cost: "every key passes that the baseline allows")
        case .keyTooSmall(_, let bits, _) where bits >= 1_024:
            return PolicyChange(
                .waiver(.keys(rsaMinimum: bits), reason: "being replaced"),
                cost: "RSA keys of \(bits) bits pass, which a large budget can break")
        case .keyTooSmall: return nil
        case .keyTypeNotAllowed(_, let type, _) where !KeyType.isKnown(type): return nil
        case .keyTypeNotAllowed:
            return PolicyChange(
                .reportOnly(.keys), cost: "every key passes that the baseline allows")
        case .hashTooWeak(_, SignatureHash.sha1.name, _):
            return PolicyChange(
                .waiver(.signatures(minimumHash: .sha1), reason: "being replaced"),
                cost: "signatures with `sha1` pass, which can be forged at a high price")
        case .hashTooWeak(_, let hash, _) where !ChangeFinder.baselineHashes.contains(hash):
            return nil
        // The waiver would let real signatures by that hash pass, and a mask is not signed.
        case .maskHashTooWeak(_, _, let mask, _) where !ChangeFinder.baselineHashes.contains(mask):
            return nil
        case .hashTooWeak, .maskHashTooWeak, .signatureSchemeNotAllowed:
            return PolicyChange(
                .reportOnly(.signatures), cost: "every signature passes that the baseline allows")
        case .lifetimeTooLong:
            return PolicyChange(
                .reportOnly(.lifetime), cost: "certificates of any lifetime pass")
        case .standardNotMet(_, let demand, _) where demand.isIssuance:
            return issuanceChange(among: violations)
        case .standardNotMet: return nil
        case .tooManyIntermediates, .notYetValid, .neverValid, .purposeNotNamed, .badSignature,
            .algorithmMismatch,
            .unsupportedSignature,
            .notACertificateAuthority, .pathLengthExceeded, .keyUsageMissing, .purposeNotAllowed,
            .unknownCriticalExtension, .nameNotPermitted, .constraintNotEvaluated,
            .certificatePolicyNotSatisfied, .budgetExhausted:
            return nil
        }
    }

    /// The hashes that the baseline allows, by their names.
    private static let baselineHashes = [SignatureHash.sha256, .sha384, .sha512].map(\.name)

    /// Days that an expired certificate may have ended before, to be made to pass. The key of a
    /// certificate that ended long ago may have been put away, and be in other hands.
    static let longestEnded: Int64 = 45

    private static func isSuspicious(_ standing: TimestampFinding.Standing) -> Bool {
        guard case .unusable(let problem) = standing else { return false }
        return problem == .unknownLog || problem == .badSignature
    }

    /// When the certificate of an `expired` violation ended; nil for any other violation.
    private static func end(_ violation: Violation) -> UTCInstant? {
        guard case .path(.expired(_, let notAfter, _, _)) = violation.reason else { return nil }
        return notAfter
    }

    private func tlsChange(_ version: TLSVersion, minimum: TLSVersion) -> PolicyChange? {
        guard version < minimum else { return nil }
        // The baseline is met, so the demand can be reported. Below the baseline it must be waived.
        guard version < .tls12 else {
            return PolicyChange(
                .reportOnly(.tls),
                cost: "`\(version.name)` passes, and every other breach of the rule's `tls`")
        }
        return PolicyChange(
            .waiver(.tls(minimumVersion: version), reason: "being upgraded"),
            cost: "`\(version.name)` protects less against whoever is on the way")
    }

    private func issuanceChange(among violations: [Violation]) -> PolicyChange? {
        let demands = violations.compactMap { violation -> StandardDemand? in
            guard case .path(.standardNotMet(_, let demand, _)) = violation.reason,
                demand.isIssuance
            else { return nil }
            return demand
        }
        return PolicyChange(
            .waiver(.issuance(IssuanceDemands(demands)), reason: "being issued again"),
            cost: "certificates that break no other demand pass, and no attack is known to use "
                + "what they break")
    }
}
