/// A way in which revocation evidence comes (LANGUAGE section 8, `revocation.sources`).
public enum RevocationSource: UInt8, Hashable, Sendable, BitwiseCopyable, CaseIterable {
    /// An OCSP response that the peer sent in its handshake.
    case stapled = 0
    /// An OCSP response from elsewhere.
    case ocsp = 1
    case crl = 2

    /// The word in a policy.
    public var name: String {
        switch self {
        case .stapled: return "stapled"
        case .ocsp: return "ocsp"
        case .crl: return "crl"
        }
    }
}

/// Why a certificate's revocation status is not known (LANGUAGE section 8, `revocation.causes`), in
/// the order of the language.
public enum RevocationCause: UInt8, Hashable, Sendable, BitwiseCopyable, CaseIterable {
    case unknown = 0
    case noEndpoint = 1
    case unreachable = 2
    case stale = 3
    case malformed = 4
    case notCovered = 5

    /// The key in a policy.
    public var name: String {
        switch self {
        case .unknown: return "unknown"
        case .noEndpoint: return "no-endpoint"
        case .unreachable: return "unreachable"
        case .stale: return "stale"
        case .malformed: return "malformed"
        case .notCovered: return "not-covered"
        }
    }
}

/// What one piece of evidence says of one certificate.
public struct RevocationAnswer: Hashable, Sendable {
    /// What it says.
    public enum Finding: Hashable, Sendable {
        /// Not revoked. Of a CRL for some reasons: that others make it complete.
        case good
        /// Revoked at an instant. A suspension has the reason `certificateHold`.
        case revoked(RevocationReason, at: UTCInstant)
        /// Nothing that counts.
        case unusable(EvidenceProblem)
    }

    /// How it came.
    public let source: RevocationSource
    /// SHA-256 of the CRL or response as received.
    public let digest: Digest
    /// When it was right; nil where that could not be read.
    public let thisUpdate: UTCInstant?
    /// When newer information is due; nil where that is not said.
    public let nextUpdate: UTCInstant?
    /// What it says.
    public let finding: Finding

    /// An answer.
    package init(
        source: RevocationSource, digest: Digest, thisUpdate: UTCInstant?, nextUpdate: UTCInstant?,
        finding: Finding
    ) {
        self.source = source
        self.digest = digest
        self.thisUpdate = thisUpdate
        self.nextUpdate = nextUpdate
        self.finding = finding
    }

    /// Whether it says that the certificate is revoked.
    package var isRevoked: Bool {
        if case .revoked = finding { return true }
        return false
    }
}

/// Why a piece of evidence says nothing that counts about a certificate.
public enum EvidenceProblem: Hashable, Sendable {
    // It cannot be understood, or nobody vouches for it.
    /// It does not parse.
    case unreadable(EvidenceError)
    /// It has a critical extension that nobody here knows; dotted OID.
    case unknownCriticalExtension(String)
    /// The two algorithm identifiers of a CRL differ (RFC 5280 section 5.1.1.2).
    case algorithmMismatch
    /// Its signature's hash or scheme is below the rule's `signatures`.
    case algorithmNotAllowed(String)
    /// No key that could have signed it verifies its signature.
    case badSignature
    /// None of the certificates at hand is the one that it says has signed it.
    case signerNotFound
    /// Who signed it may not sign such evidence.
    case signerNotAllowed(SignerProblem)

    // Time.
    /// thisUpdate lies ahead.
    case notYetValid
    /// It says *good* and was produced at this instant, which lies ahead.
    case notYetProduced(UTCInstant)
    /// nextUpdate has passed, or it has none and is older than `EvidenceWindow.withoutNextUpdate`.
    case expired
    /// It is older than the rule's `maximum-age`, seconds.
    case tooOld(maximum: Int64)

    // Scope.
    /// A staple about another certificate.
    case otherCertificate
    /// A CRL that by its own words does not list such certificates (RFC 5280 section 5.2.5), or one
    /// that none of the certificate's distribution points means.
    case otherScope
    /// CRLs for some reasons only, and no others that speak for the rest.
    case someReasonsOnly
    /// A delta CRL without the complete CRL that it continues (section 5.2.4).
    case baseMissing

    // The responder's own words.
    /// The responder does not know the certificate.
    case unknownToResponder
    /// It says *good*, and the same response says something else of the certificate besides.
    case contradicted
    /// The responder answered with an error, which nothing signs.
    case responderError(OCSPErrorStatus)

    /// Why a signer's word does not count.
    public enum SignerProblem: String, Hashable, Sendable {
        /// Its key usage has no cRLSign (RFC 5280 section 6.3.3(f)).
        case noCRLSign = "no-crl-sign"
        /// No valid path leads from it to the anchor of the certificate's path (section 6.3.3(f)).
        case noPath = "no-path"
        /// It is not the issuer, nor issued by it for OCSP signing (RFC 6960 section 4.2.2.2).
        case notDelegated = "not-delegated"
        /// Its certificate was not valid at the time.
        case notValid = "not-valid"
        /// Its certificate, or one above it, is revoked.
        case revoked = "revoked"
    }

    /// The stable id, as in traces.
    public var id: String {
        switch self {
        case .unreadable: return "unreadable"
        case .unknownCriticalExtension: return "unknown-critical-extension"
        case .algorithmMismatch: return "algorithm-mismatch"
        case .algorithmNotAllowed: return "algorithm-not-allowed"
        case .badSignature: return "bad-signature"
        case .signerNotFound: return "signer-not-found"
        case .signerNotAllowed(let problem): return "signer-\(problem.rawValue)"
        case .notYetValid: return "not-yet-valid"
        case .notYetProduced: return "not-yet-produced"
        case .expired: return "expired"
        case .tooOld: return "too-old"
        case .otherCertificate: return "other-certificate"
        case .otherScope: return "other-scope"
        case .someReasonsOnly: return "some-reasons-only"
        case .baseMissing: return "base-missing"
        case .unknownToResponder: return "unknown-to-responder"
        case .contradicted: return "contradicted"
        case .responderError: return "responder-error"
        }
    }

    /// The cause that a policy has an action for.
    public var cause: RevocationCause {
        switch self {
        case .unreadable, .unknownCriticalExtension, .algorithmMismatch, .algorithmNotAllowed,
            .badSignature, .signerNotFound, .signerNotAllowed:
            return .malformed
        // A response from the future is outside its time, as one is whose thisUpdate lies ahead.
        case .notYetValid, .notYetProduced, .expired, .tooOld: return .stale
        case .otherCertificate, .otherScope, .someReasonsOnly, .baseMissing: return .notCovered
        // Words that cancel each other leave the status unknown; the other word has a cause of its own.
        case .unknownToResponder, .contradicted: return .unknown
        case .responderError: return .unreachable
        }
    }
}
