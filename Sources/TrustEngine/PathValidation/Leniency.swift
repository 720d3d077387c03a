/// How far a certificate may fall short of a policy's floors and still stand on an accepted path,
/// while waivers and report modes are in force (LANGUAGE sections 9 and 10). The search and the
/// judgement of a path both ask here, so that the search does not pass over a certificate that the
/// judgement would take. Every excuse carries its date: no later step looks the waiver up again.
package struct Leniency: Hashable, Sendable {
    /// Why a shortcoming does not reject.
    package enum Excuse: Hashable, Sendable, BitwiseCopyable {
        /// A waiver names the shortcoming, up to and including this second.
        case waived(until: UTCInstant)
        /// The check is only reported, up to and including this second, and the baseline is met.
        case reported(until: UTCInstant)
        /// The demand is one of issuance, and the policy makes a notice of its breach.
        case noticed
    }

    /// A limit that a waiver or report mode sets in place of the rule's, and the last second of
    /// either.
    package struct DatedLimit<Limit: Hashable & Sendable>: Hashable, Sendable {
        package let limit: Limit
        package let until: UTCInstant

        package init(_ limit: Limit, until: UTCInstant) {
            self.limit = limit
            self.until = until
        }
    }

    /// `waivers.expired`: seconds past notAfter.
    package var expiredWaiver: DatedLimit<Int64>?
    /// `waivers.keys`: fewest bits of an RSA key.
    package var rsaMinimumWaiver: DatedLimit<Int>?
    /// `waivers.signatures`: weakest hash.
    package var hashWaiver: DatedLimit<SignatureHash>?
    /// `waivers.issuance`: the demands whose breach is let through.
    package var issuanceWaiver: DatedLimit<IssuanceDemands>?
    /// `report-only.keys`: the baseline's fewest bits of an RSA key.
    package var reportedRSAMinimum: DatedLimit<Int>?
    /// `report-only.keys`: the key types of the baseline.
    package var reportedKeyTypes: DatedLimit<KeyTypeSet>?
    /// `report-only.signatures`: the baseline's weakest hash.
    package var reportedHash: DatedLimit<SignatureHash>?
    /// `report-only.signatures`: the schemes of the baseline.
    package var reportedSchemes: DatedLimit<SignatureSchemeSet>?
    /// `report-only.lifetime`, to its last second. The baseline sets no longest lifetime.
    package var lifetimeReportedUntil: UTCInstant?

    /// Nothing is let through.
    package init() {}

    /// The same limits with one date in place of every date. Two policies whose leniencies are then
    /// equal judge a certificate alike for as long as their waivers and report modes are in force.
    package var withoutDates: Leniency {
        let date = UTCInstant(secondsSinceEpoch: 0)
        var same = self
        same.expiredWaiver = expiredWaiver.map { DatedLimit($0.limit, until: date) }
        same.rsaMinimumWaiver = rsaMinimumWaiver.map { DatedLimit($0.limit, until: date) }
        same.hashWaiver = hashWaiver.map { DatedLimit($0.limit, until: date) }
        same.issuanceWaiver = issuanceWaiver.map { DatedLimit($0.limit, until: date) }
        same.reportedRSAMinimum = reportedRSAMinimum.map { DatedLimit($0.limit, until: date) }
        same.reportedKeyTypes = reportedKeyTypes.map { DatedLimit($0.limit, until: date) }
        same.reportedHash = reportedHash.map { DatedLimit($0.limit, until: date) }
        same.reportedSchemes = reportedSchemes.map { DatedLimit($0.limit, until: date) }
        same.lifetimeReportedUntil = lifetimeReportedUntil.map { _ in date }
        return same
    }

    /// Why a problem of a certificate does not reject; nil when it does.
    package func excuse(
        _ problem: CertificateProblem, of certificate: Certificate, at time: UTCInstant
    ) -> Excuse? {
        let layout = certificate.layout
        switch problem {
        case .expired:
            guard let waiver = expiredWaiver,
                time <= layout.notAfter.advanced(bySeconds: waiver.limit)
            else { return nil }
            return .waived(until: waiver.until)
        case .keyTooSmall:
            let bits = Int(layout.publicKey.bits)
            return excuse(waived: rsaMinimumWaiver, reported: reportedRSAMinimum, found: bits)
        case .hashTooWeak:
            guard let hash = layout.signatureAlgorithm.weakestHash else { return nil }
            return excuse(waived: hashWaiver, reported: reportedHash, found: hash)
        case .keyTypeNotAllowed:
            guard let reported = reportedKeyTypes, let type = layout.publicKey.type,
                reported.limit.contains(KeyTypeSet(type))
            else { return nil }
            return .reported(until: reported.until)
        case .schemeNotAllowed:
            guard let reported = reportedSchemes, let scheme = layout.signatureAlgorithm.scheme,
                reported.limit.contains(scheme)
            else { return nil }
            return .reported(until: reported.until)
        case .notYetValid, .notACertificateAuthority, .noCertSign, .endEntityKeyUsage,
            .pathLengthExceeded, .unknownCriticalExtension, .preCertificate, .algorithmMismatch,
            .purposeNotAllowed:
            return nil
        }
    }

    /// Why a lifetime that is too long does not reject; nil when it does.
    package var lifetimeExcuse: Excuse? { lifetimeReportedUntil.map { .reported(until: $0) } }

    /// A value that meets the baseline is reported, even where a waiver reaches it too: without the
    /// waiver it would not reject either.
    private func excuse<Value: Comparable>(
        waived: DatedLimit<Value>?, reported: DatedLimit<Value>?, found: Value
    ) -> Excuse? {
        if let reported, found >= reported.limit { return .reported(until: reported.until) }
        if let waived, found >= waived.limit { return .waived(until: waived.until) }
        return nil
    }
}
