/// A reason against a request or a path: what was wanted, what was found. Typed, with a stable id;
/// sentences are made elsewhere.
public indirect enum Violation: Hashable, Sendable {
    // Host and rule.
    /// The host is neither a name nor an address.
    case badHost(host: String, problem: String)
    /// `default` is `deny` and no rule matches.
    case noApplicableRule(host: String)

    /// The source of the table has not said for too long that it is the newest.
    case tableStale(confirmed: UTCInstant, until: UTCInstant, time: UTCInstant)

    // The presented chain.
    /// The peer presented no certificate.
    case nothingPresented
    /// The first certificate cannot be read.
    case endEntityUnreadable(CertificateError)

    // Reaching an anchor.
    /// The last certificate is not self-issued and nothing offers its issuer.
    case issuerNotFound(last: CertificateReference, issuer: String)
    /// The end entity is self-issued and no anchor.
    case selfSignedLeaf(CertificateReference)
    /// The path reaches a self-issued CA that is not among the rule's anchors. `heldBy`: ids of the
    /// policy's other sets that hold it. `anchors`: ids of the rule's sets.
    case anchorNotTrusted(CertificateReference, heldBy: [String], anchors: [String])
    /// A signature does not verify under its issuer's key.
    case badSignature(CertificateReference, issuer: CertificateReference)
    /// The signature's algorithm or the issuer's key is of a kind the engine does not have.
    case unsupportedSignature(CertificateReference, issuer: CertificateReference)
    /// The two algorithm identifiers of a certificate differ.
    case algorithmMismatch(CertificateReference)

    /// The end entity is not what the anchor's set lets its members vouch for.
    case anchorConstraintNotMet(AnchorConstraintFailure)

    // Each certificate.
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
    case nameNotPermitted(
        CertificateReference, name: String, by: CertificateReference, subtree: String,
        isExcluded: Bool)
    /// A constraint that cannot be judged (a name form that is not supported, or too much work).
    case constraintNotEvaluated(CertificateReference, problem: String)
    /// No certificate policy that is wanted (any, where the list is empty) holds for the path as far as
    /// this certificate, which asserts those found; dotted identifiers.
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
    /// A demand of the path's standard; `found` is raw text, empty where the certificate as a whole is
    /// what was found. Its id is the demand's.
    case standardNotMet(CertificateReference, demand: StandardDemand, found: String)

    // The whole path.
    /// The path holds a key that the policy forbids.
    case forbiddenKey(ForbiddenKeyFound)
    /// None of the names presented is a name that is wanted.
    case nameMismatch(wanted: [String], presented: [String])
    /// Fewer pins of a set matched than it demands.
    case pinMismatch(PinMismatch)
    /// A check that the program registers refused the path, with its reason as it gives it.
    case checkFailed(name: String, reason: String)

    // The request.
    /// The request says that the connection has no TLS.
    case cleartext
    /// A demanded TLS parameter is unknown.
    case tlsNotSupplied(parameter: String)
    /// The TLS version is outside the rule's bounds.
    case tlsVersion(TLSVersion, minimum: TLSVersion, maximum: TLSVersion)
    /// The key exchange of this cipher suite is not known to be (EC)DHE.
    case tlsForwardSecrecy(cipherSuite: String)
    /// A negotiated parameter is none of those allowed.
    case tlsParameter(String, found: String, allowed: [String])
    // Revocation.
    /// Valid evidence says that a certificate is revoked.
    case revoked(CertificateReference, RevocationAnswer)
    /// A certificate's status is not known, for this cause; every answer that was supplied.
    case revocationUndetermined(
        CertificateReference, cause: RevocationCause, answers: [RevocationAnswer])
    /// The end entity demands a staple (RFC 7633), and none says that it is good.
    case stapleMissing(CertificateReference, answers: [RevocationAnswer])

    // Transparency.
    /// The end entity's timestamps meet none of the ways that the rule leaves open.
    case transparencyNotMet(TransparencyReport)
    /// The log list is older than the rule allows, seconds, at the validation time.
    case logListStale(logList: Digest, issued: UTCInstant, time: UTCInstant, maximumAge: Int64)

    // The engine.
    /// Work ran out before the question was decided; cost units.
    case budgetExhausted(limit: Int)
    /// Our own fault: an invariant did not hold. Always a reject.
    case engineError(String)

    /// The stable id, as in traces and documentation.
    public var id: String {
        switch self {
        case .badHost: return "bad-host"
        case .noApplicableRule: return "no-applicable-rule"
        case .tableStale: return "table-stale"
        case .nothingPresented: return "nothing-presented"
        case .endEntityUnreadable: return "end-entity-unreadable"
        case .issuerNotFound: return "issuer-not-found"
        case .selfSignedLeaf: return "self-signed-leaf"
        case .anchorNotTrusted: return "anchor-not-trusted"
        case .badSignature: return "bad-signature"
        case .unsupportedSignature: return "unsupported-signature"
        case .algorithmMismatch: return "algorithm-mismatch"
        case .anchorConstraintNotMet: return "anchor-constraint-not-met"
        case .expired: return "expired"
        case .notYetValid: return "not-yet-valid"
        case .notACertificateAuthority: return "not-a-ca"
        case .pathLengthExceeded: return "path-length-exceeded"
        case .tooManyIntermediates: return "too-many-intermediates"
        case .keyUsageMissing: return "key-usage-missing"
        case .purposeNotAllowed: return "purpose-not-allowed"
        case .unknownCriticalExtension: return "unknown-critical-extension"
        case .nameNotPermitted: return "name-not-permitted"
        case .constraintNotEvaluated: return "constraint-not-evaluated"
        case .certificatePolicyNotSatisfied: return "certificate-policy-not-satisfied"
        case .keyTypeNotAllowed: return "key-type-not-allowed"
        case .keyTooSmall: return "key-too-small"
        case .hashTooWeak: return "hash-too-weak"
        case .signatureSchemeNotAllowed: return "signature-scheme-not-allowed"
        case .lifetimeTooLong: return "lifetime-too-long"
        case .standardNotMet(_, let demand, _): return demand.rawValue
        case .forbiddenKey: return "forbidden-key"
        case .nameMismatch: return "name-mismatch"
        case .pinMismatch: return "pin-mismatch"
        case .checkFailed: return "check-failed"
        case .cleartext: return "cleartext"
        case .tlsNotSupplied: return "tls-not-supplied"
        case .tlsVersion: return "tls-version"
        case .tlsForwardSecrecy: return "tls-forward-secrecy"
        case .tlsParameter: return "tls-parameter"
        case .revoked: return "revoked"
        case .revocationUndetermined: return "revocation-undetermined"
        case .stapleMissing: return "staple-missing"
        case .transparencyNotMet: return "transparency-not-met"
        case .logListStale: return "log-list-stale"
        case .budgetExhausted: return "budget-exhausted"
        case .engineError: return "engine-error"
        }
    }
}
