// Made by `swift run generate-tables` from grammar/violations.yaml. Do not edit.
// swift-format-ignore-file

/// A reason of the path validator against a path: what was wanted, what was found. A
/// closed list, so that what forgets a violation does not compile.
package indirect enum PathViolation: Hashable, Sendable {
    /// A signature does not verify under its issuer's key.
    case badSignature(CertificateReference, issuer: CertificateReference)
    /// The signature's algorithm or the issuer's key is of a kind that the engine does not have.
    case unsupportedSignature(CertificateReference, issuer: CertificateReference)
    /// The two algorithm identifiers of a certificate differ.
    case algorithmMismatch(CertificateReference)
    /// notAfter has passed; `tolerance` seconds were granted by a waiver (0 without one).
    case expired(CertificateReference, notAfter: UTCInstant, time: UTCInstant, tolerance: Int64)
    /// notBefore lies ahead.
    case notYetValid(CertificateReference, notBefore: UTCInstant, time: UTCInstant)
    /// An issuer is not a CA.
    case notACertificateAuthority(CertificateReference)
    /// A pathLenConstraint is exceeded.
    case pathLengthExceeded(CertificateReference, limit: Int, actual: Int)
    /// More intermediates than the policy allows.
    case tooManyIntermediates(limit: Int, actual: Int)
    /// A key usage bit is missing.
    case keyUsageMissing(CertificateReference, wanted: String)
    /// No demanded purpose is allowed by this certificate. Names as in RFC 5280, or dotted OIDs.
    case purposeNotAllowed(CertificateReference, wanted: [String], allowed: [String])
    /// A critical extension that the engine does not process; dotted OID.
    case unknownCriticalExtension(CertificateReference, extensionID: String)
    /// A name lies outside a permitted or inside an excluded subtree of `by`.
    case nameNotPermitted(CertificateReference, name: String, by: CertificateReference, subtree: String, isExcluded: Bool)
    /// A constraint that cannot be judged: a name form that is not supported, or too much work.
    case constraintNotEvaluated(CertificateReference, problem: String)
    /// No certificate policy that is wanted (any, where the list is empty) holds for the path as
    /// far as this certificate, which asserts those found; dotted identifiers.
    case certificatePolicyNotSatisfied(CertificateReference, wanted: [String], found: [String])
    /// A key type that the policy does not allow.
    case keyTypeNotAllowed(CertificateReference, type: String, allowed: [String])
    /// An RSA key below the minimum, bits.
    case keyTooSmall(CertificateReference, bits: Int, minimum: Int)
    /// A signature hash below the minimum.
    case hashTooWeak(CertificateReference, hash: String, minimum: String)
    /// A signature scheme that the policy does not allow.
    case signatureSchemeNotAllowed(CertificateReference, scheme: String, allowed: [String])
    /// The end entity's validity period is too long, seconds.
    case lifetimeTooLong(CertificateReference, seconds: Int64, maximum: Int64)
    /// A demand of the path's standard; `found` is raw text, empty where the certificate as a whole
    /// is what was found. Its id is the demand's.
    case standardNotMet(CertificateReference, demand: StandardDemand, found: String)
    /// Work ran out before the question was decided; cost units.
    case budgetExhausted(limit: Int)
}
