// Made by `swift run generate-tables` from grammar/violations.yaml. Do not edit.
// swift-format-ignore-file

/// A violation that the path validator raises against a path. The associated values are
/// both sides of the comparison: the demanded value and the value found. The enum is
/// closed, so a switch that forgets a violation does not compile.
package indirect enum PathViolation: Hashable, Sendable {
    /// The signature of a certificate does not verify under its issuer's key. `keyType` and
    /// `signatureKind` are the type of that key and the kind of the signature, where keys of this
    /// type make no signature of this kind; otherwise both are null.
    case badSignature(CertificateReference, issuer: CertificateReference, keyType: String?, signatureKind: String?)
    /// The engine does not have the signature's algorithm, or cannot check keys of the issuer's
    /// type. So nobody has checked who made the signature.
    case unsupportedSignature(CertificateReference, issuer: CertificateReference)
    /// The two signature algorithm identifiers of a certificate differ.
    case algorithmMismatch(CertificateReference)
    /// A certificate's notAfter is before the validation time. The tolerance is the number of
    /// seconds that a waiver grants; it is 0 without a waiver.
    case expired(CertificateReference, notAfter: UTCInstant, time: UTCInstant, tolerance: Int64)
    /// A certificate's notBefore is after the validation time.
    case notYetValid(CertificateReference, notBefore: UTCInstant, time: UTCInstant)
    /// A certificate's notAfter is before its notBefore, so that it is valid at no time.
    case neverValid(CertificateReference, notBefore: UTCInstant, notAfter: UTCInstant)
    /// An issuer of the path is not a CA.
    case notACertificateAuthority(CertificateReference)
    /// A pathLenConstraint of an issuer is exceeded.
    case pathLengthExceeded(CertificateReference, limit: Int, actual: Int)
    /// The path has more intermediates than the policy allows.
    case tooManyIntermediates(limit: Int, actual: Int)
    /// The key usage of a certificate lacks a bit that is needed.
    case keyUsageMissing(CertificateReference, wanted: String)
    /// A certificate allows none of the demanded key purposes. Each purpose is given by its name in
    /// RFC 5280 or by its dotted OID.
    case purposeNotAllowed(CertificateReference, wanted: [String], allowed: [String])
    /// The path's standard demands that the end entity names one of the demanded key purposes, and
    /// the end entity names none. It allows them by RFC 5280, because it has no extKeyUsage or
    /// names anyExtendedKeyUsage. `named` are the purposes that it names.
    case purposeNotNamed(CertificateReference, wanted: [String], named: [String])
    /// A certificate has a critical extension that the engine does not process. The extension is
    /// given by its dotted OID.
    case unknownCriticalExtension(CertificateReference, extensionID: String)
    /// A name of a certificate is outside the permitted subtrees of the issuer `by`, or inside an
    /// excluded subtree of this issuer.
    case nameNotPermitted(CertificateReference, name: String, by: CertificateReference, subtree: String, isExcluded: Bool)
    /// A constraint of the certificate `by` on the names or on the certificate policies of a
    /// certificate below it cannot be judged: the constraint is malformed, the engine does not
    /// support the name form, or the comparison needs too much work. `constraint` says what is
    /// constrained.
    case constraintNotEvaluated(CertificateReference, by: CertificateReference, constraint: String, problem: String)
    /// No wanted certificate policy holds for the path from the anchor to this certificate. When
    /// `wanted` is empty, any certificate policy would do. `found` are the certificate policies
    /// that this certificate asserts. Every identifier is dotted. `demandedBy` is the certificate
    /// whose policyConstraints (requireExplicitPolicy) make the demand, and null where the policy
    /// makes it.
    case certificatePolicyNotSatisfied(CertificateReference, wanted: [String], found: [String], demandedBy: CertificateReference?)
    /// A certificate has a key of a type that the policy does not allow.
    case keyTypeNotAllowed(CertificateReference, type: String, allowed: [String])
    /// An RSA key is smaller than the policy's minimum. Both sizes are in bits.
    case keyTooSmall(CertificateReference, bits: Int, minimum: Int)
    /// The message hash of a signature is weaker than the policy's minimum.
    case hashTooWeak(CertificateReference, hash: String, minimum: String)
    /// The message hash of an RSASSA-PSS signature meets the policy's minimum, and the hash of its
    /// mask generation (MGF1) is weaker than the minimum. `hash` is the message hash.
    case maskHashTooWeak(CertificateReference, hash: String, mask: String, minimum: String)
    /// A certificate is signed by a scheme that the policy does not allow.
    case signatureSchemeNotAllowed(CertificateReference, scheme: String, allowed: [String])
    /// The end entity's lifetime is longer than the policy's maximum. Both values are in seconds.
    case lifetimeTooLong(CertificateReference, seconds: Int64, maximum: Int64)
    /// A certificate does not meet a demand of the path's standard. The id of the violation is the
    /// demand's id. `found` is raw text; it is empty when no single part of the certificate breaks
    /// the demand.
    case standardNotMet(CertificateReference, demand: StandardDemand, found: String)
    /// The work budget was used up before the request was decided. The limit is in cost units.
    case budgetExhausted(limit: Int)
}
