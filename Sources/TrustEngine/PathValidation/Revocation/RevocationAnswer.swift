/// How revocation evidence comes (LANGUAGE section 8, `revocation.sources`).
public enum RevocationSource: UInt8, Hashable, Sendable, BitwiseCopyable, CaseIterable {
    /// An OCSP response that the peer sent in its handshake.
    case stapled = 0
    /// An OCSP response that was fetched or supplied otherwise.
    case ocsp = 1
    case crl = 2
    /// CRLite filters that the program hands over. They know certificates of end entities only.
    case crlite = 3

    /// The word in a policy.
    public var name: String {
        switch self {
        case .stapled: return "stapled"
        case .ocsp: return "ocsp"
        case .crl: return "crl"
        case .crlite: return "crlite"
        }
    }

    /// Whether evidence of this source is about certificates of end entities only. A server staples
    /// for its own certificate, and filters know no CA.
    package var isOfEndEntities: Bool {
        switch self {
        case .stapled, .crlite: return true
        case .ocsp, .crl: return false
        }
    }
}

/// Why a certificate's revocation status is not known (LANGUAGE section 8, `revocation.causes`).
/// The cases stand in the order of the language.
public enum RevocationCause: UInt8, Hashable, Sendable, BitwiseCopyable, CaseIterable {
    case unknown = 0
    case noEndpoint = 1
    case unreachable = 2
    case stale = 3
    case malformed = 4
    case notCovered = 5
    case notEnrolled = 6

    /// The key in a policy.
    public var name: String {
        switch self {
        case .unknown: return "unknown"
        case .noEndpoint: return "no-endpoint"
        case .unreachable: return "unreachable"
        case .stale: return "stale"
        case .malformed: return "malformed"
        case .notCovered: return "not-covered"
        case .notEnrolled: return "not-enrolled"
        }
    }
}

/// The answer of one piece of evidence about one certificate.
public struct RevocationAnswer: Hashable, Sendable {
    /// The answer of the evidence about the certificate.
    public enum Finding: Hashable, Sendable {
        /// The certificate is not revoked. A CRL for some reasons gives this answer only when other
        /// CRLs cover the remaining reasons.
        case good
        /// The certificate was revoked at the instant. A suspension has the reason
        /// `certificateHold`.
        case revoked(RevocationReason, at: UTCInstant)
        /// A CRLite filter has the certificate as a revoked one. Filters state neither a reason nor
        /// a date.
        case revokedByFilter
        /// The evidence says nothing that counts, for this problem.
        case unusable(EvidenceProblem)
    }

    /// How the evidence came.
    public let source: RevocationSource
    /// SHA-256 of the CRL or response as received. Of filters: of the file that decides, or of the
    /// index where no filter covers the certificate; nil where neither can be read.
    public let digest: Digest?
    /// The instant at which the evidence was right; nil where it could not be read. Of a filter:
    /// the newest instant that it covers, or the instant at which it was built if that is stated.
    public let thisUpdate: UTCInstant?
    /// The instant by which newer evidence is due; nil where the evidence does not say. Of a
    /// filter: the last instant at which it is not older than the rule's `crlite.maximum-age`.
    public let nextUpdate: UTCInstant?
    /// The answer of the evidence about the certificate.
    public let finding: Finding
    /// How the filters were asked; nil for every other source.
    public let filters: AskedFilters?

    /// Makes an answer from its values.
    package init(
        source: RevocationSource, digest: Digest?, thisUpdate: UTCInstant?, nextUpdate: UTCInstant?,
        finding: Finding, filters: AskedFilters? = nil
    ) {
        self.source = source
        self.digest = digest
        self.thisUpdate = thisUpdate
        self.nextUpdate = nextUpdate
        self.finding = finding
        self.filters = filters
    }

    /// Whether the evidence says that the certificate is revoked.
    package var isRevoked: Bool {
        switch finding {
        case .revoked, .revokedByFilter: return true
        case .good, .unusable: return false
        }
    }
}

/// Why a piece of evidence says nothing that counts about a certificate.
public enum EvidenceProblem: Hashable, Sendable {
    // The evidence cannot be understood, or no signer vouches for it.
    /// The evidence does not parse.
    case unreadable(EvidenceError)
    /// The evidence has a critical extension that the engine does not know, given as a dotted
    /// identifier.
    case unknownCriticalExtension(String)
    /// The two algorithm identifiers of a CRL differ (RFC 5280 section 5.1.1.2).
    case algorithmMismatch
    /// The hash or scheme of its signature is below the rule's `signatures`.
    case algorithmNotAllowed(String)
    /// No key that may have signed the evidence verifies its signature.
    case badSignature
    /// No certificate that is known to the engine is the signer that the evidence names.
    case signerNotFound
    /// The signer must not sign such evidence, for this problem.
    case signerNotAllowed(SignerProblem)

    // Time.
    /// thisUpdate lies ahead of the validation time.
    case notYetValid
    /// The response says *good* and was produced at this instant, which lies ahead of the
    /// validation time.
    case notYetProduced(UTCInstant)
    /// nextUpdate has passed; or nextUpdate is absent and the evidence is older than
    /// `EvidenceWindow.withoutNextUpdate`.
    case expired
    /// The evidence is older than the rule's `maximum-age`, given in seconds.
    case tooOld(maximum: Int64)

    // Scope.
    /// A staple is about another certificate.
    case otherCertificate
    /// By its own words the CRL does not list such certificates (RFC 5280 section 5.2.5), or no
    /// distribution point of the certificate names the CRL.
    case otherScope(ScopeProblem)
    /// The CRLs cover only some reasons; the other reasons are not covered.
    case someReasonsOnly
    /// A delta CRL without the complete CRL that it is based on (section 5.2.4).
    case baseMissing

    // What the responder itself says.
    /// The responder does not know the certificate.
    case unknownToResponder
    /// The response says *good*, and also says something else of the certificate.
    case contradicted
    /// The responder answered with an error. No signature covers it.
    case responderError(OCSPErrorStatus)

    // What CRLite filters say.
    /// No filter covers a timestamp of the certificate.
    case noFilterCovers
    /// Every filter that covers the certificate knows nothing of its issuer.
    case issuerNotEnrolled
    /// The certificate had expired when the filter was built, and filters leave such certificates
    /// out.
    case expiredBeforeFilter
    /// The filters are damaged, contradict their index, or may be written by others, for this
    /// reason.
    case filtersRefused(FilterFault)
    /// The filters are not there, for this reason.
    case filtersMissing(FilterFault)

    /// Why a CRL does not cover a certificate.
    public enum ScopeProblem: Hashable, Sendable, CaseIterable {
        /// The CRL lists only certificates of end entities.
        case endEntitiesOnly
        /// The CRL lists only certificates of CAs.
        case authoritiesOnly
        /// The CRL lists only attribute certificates.
        case attributesOnly
        /// The CRL is of one kind of certificates, and a certificate of version 1 or 2 does not say
        /// of which kind it is.
        case kindNotStated
        /// The CRL is for a place, and the certificate names none.
        case noPoint
        /// The CRL is for another place than those that the certificate names: another shard.
        case otherPoint
        /// Every distribution point of the certificate names another CRL issuer.
        case delegated
    }

    /// Why a signer does not count.
    public enum SignerProblem: String, Hashable, Sendable {
        /// The signer's key usage has no cRLSign (RFC 5280 section 6.3.3(f)).
        case noCRLSign = "no-crl-sign"
        /// No valid path leads from the signer to an anchor of the rule (section 6.3.3(f)).
        case noPath = "no-path"
        /// The signer is not the issuer, and the issuer did not issue it for OCSP signing (RFC 6960
        /// section 4.2.2.2).
        case notDelegated = "not-delegated"
        /// The signer's certificate was not valid at the time.
        case notValid = "not-valid"
        /// The signer's certificate, or a certificate above it, is revoked.
        case revoked = "revoked"

        // The signer may revoke, and the evidence says *not revoked* (LANGUAGE section 12.5).
        /// The signer is not the issuer's own key and has no key usage that names cRLSign.
        case noKeyUsage = "no-key-usage"
        /// Neither the issuer of the certificate nor an authority that may speak for the issuer has
        /// issued the signer.
        case notAppointed = "not-appointed"
        /// The signer has the key of the certificate in question, or that key could have made the
        /// signer, because it stands on the path above the certificate too.
        case ownKey = "own-key"
    }

    /// The stable id, as traces write it.
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
        case .noFilterCovers: return "no-filter-covers"
        case .issuerNotEnrolled: return "issuer-not-enrolled"
        case .expiredBeforeFilter: return "expired-before-filter"
        case .filtersRefused: return "filters-refused"
        case .filtersMissing: return "filters-missing"
        }
    }

    /// The cause under `revocation.causes` by which a policy sets the action.
    public var cause: RevocationCause {
        switch self {
        case .unreadable, .unknownCriticalExtension, .algorithmMismatch, .algorithmNotAllowed,
            .badSignature, .signerNotFound, .signerNotAllowed, .filtersRefused:
            return .malformed
        // A response that was produced later than now counts as evidence whose thisUpdate lies
        // ahead.
        case .notYetValid, .notYetProduced, .expired, .tooOld: return .stale
        case .otherCertificate, .otherScope, .someReasonsOnly, .baseMissing, .noFilterCovers:
            return .notCovered
        case .issuerNotEnrolled: return .notEnrolled
        // Contradicting answers leave the status unknown. The other answer has a cause of its own.
        case .unknownToResponder, .contradicted, .expiredBeforeFilter: return .unknown
        case .responderError, .filtersMissing: return .unreachable
        }
    }
}
