/// How far a certificate may fall short of a policy's floors and still stand on an accepted path, while
/// waivers and report modes are in force (LANGUAGE sections 9 and 10). The search and the judgement
/// of a path both ask here, so that what one lets through the other does not pass over.
package struct Leniency: Hashable, Sendable {
    /// Why a shortcoming does not reject.
    package enum Excuse: Hashable, Sendable, BitwiseCopyable {
        /// A waiver names it.
        case waived
        /// Its check is only reported, and the baseline is met.
        case reported
    }

    /// `waivers.expired`: seconds past notAfter; nil when it is not in force.
    package var expiredTolerance: Int64?
    /// `waivers.keys`: fewest bits of an RSA key.
    package var waivedRSAMinimum: Int?
    /// `waivers.signatures`: weakest hash.
    package var waivedHash: SignatureHash?
    /// `report-only.keys`: the baseline's fewest bits of an RSA key. The baseline allows every type of
    /// key that the engine has.
    package var reportedRSAMinimum: Int?
    /// `report-only.signatures`: the baseline's weakest hash. The baseline allows every scheme.
    package var reportedHash: SignatureHash?

    /// Nothing is let through.
    package init() {}

    /// Why a problem of a certificate does not reject; nil when it does.
    package func excuse(
        _ problem: CertificateProblem, of certificate: Certificate, at time: UTCInstant
    ) -> Excuse? {
        let layout = certificate.layout
        switch problem {
        case .expired:
            guard let expiredTolerance else { return nil }
            return time <= layout.notAfter.advanced(bySeconds: expiredTolerance) ? .waived : nil
        case .keyTooSmall:
            let bits = Int(layout.publicKey.bits)
            return excuse(waived: waivedRSAMinimum, reported: reportedRSAMinimum, found: bits)
        case .hashTooWeak:
            guard let hash = layout.signatureAlgorithm.weakestHash else { return nil }
            return excuse(waived: waivedHash, reported: reportedHash, found: hash)
        case .keyTypeNotAllowed:
            return reportedRSAMinimum != nil && layout.publicKey.type != nil ? .reported : nil
        case .schemeNotAllowed:
            return reportedHash != nil ? .reported : nil
        case .notYetValid, .notACertificateAuthority, .noCertSign, .endEntityKeyUsage,
            .pathLengthExceeded, .unknownCriticalExtension, .preCertificate, .algorithmMismatch,
            .purposeNotAllowed:
            return nil
        }
    }

    /// What the baseline meets is reported, even where a waiver reaches it too: without the waiver it
    /// would not reject either.
    private func excuse<Value: Comparable>(
        waived: Value?, reported: Value?, found: Value
    ) -> Excuse? {
        if let reported, found >= reported { return .reported }
        if let waived, found >= waived { return .waived }
        return nil
    }
}
