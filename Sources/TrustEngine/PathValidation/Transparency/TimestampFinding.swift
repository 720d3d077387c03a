/// The judgement of one signed certificate timestamp for one certificate (RFC 6962), with the log's
/// name.
public struct TimestampFinding: Hashable, Sendable {
    /// How a timestamp came (RFC 6962 section 3.3).
    public enum Source: String, Hashable, Sendable, CaseIterable {
        /// In the certificate.
        case embedded
        /// In an OCSP response.
        case ocsp
        /// In the TLS extension.
        case tls
    }

    /// Whether the timestamp counts.
    public enum Standing: Hashable, Sendable {
        /// The log is qualified, usable or read-only at the validation time.
        case approved
        /// The log was in one of these states when it signed, and retired later.
        case onceApproved(retired: UTCInstant)
        /// The timestamp does not count, for this problem.
        case unusable(TimestampProblem)
    }

    /// How the timestamp came.
    public let source: Source
    /// SHA-256 of the log's key; nil where the timestamp cannot be read.
    public let logID: Digest?
    /// The log's name in the log list, raw text; nil for a log that the list does not have.
    public let log: String?
    /// The log's operator at the time of the timestamp, raw text.
    public let operatorName: String?
    /// Whether the log has the static CT API, which is read in tiles. Other logs have the API of
    /// RFC 6962.
    public let isTiled: Bool
    /// The instant at which the log saw the certificate, by its own words, in whole seconds.
    public let time: UTCInstant?
    /// Whether the timestamp counts.
    public let standing: Standing

    /// Makes a judgement from its values.
    package init(
        source: Source, logID: Digest? = nil, log: String? = nil, operatorName: String? = nil,
        isTiled: Bool = false, time: UTCInstant? = nil, standing: Standing
    ) {
        self.source = source
        self.logID = logID
        self.log = log
        self.operatorName = operatorName
        self.isTiled = isTiled
        self.time = time
        self.standing = standing
    }

    /// Whether the log vouches for the certificate, now or before it retired.
    public var isValid: Bool {
        if case .unusable = standing { return false }
        return true
    }
}

/// Why a timestamp does not count.
public enum TimestampProblem: Hashable, Sendable {
    /// The timestamp cannot be read.
    case unreadable(TimestampFormatProblem)
    /// The log list does not have the log.
    case unknownLog
    /// The signature is not SHA-256 with ECDSA on P-256 or RSA of at least 2048 bits, or it does
    /// not fit the log's key (RFC 6962 section 2.1.4).
    case algorithmNotAllowed
    /// The log did not sign this certificate at that instant.
    case badSignature
    /// The timestamp is embedded and the certificate's issuer is not known. The log signed the
    /// issuer's key too, so the signature cannot be verified.
    case issuerUnknown
    /// The timestamp lies after the validation time (RFC 6962 section 5.2).
    case inFuture
    /// The log is in this state, in which no timestamp counts.
    case logNotApproved(TransparencyLogState)
    /// The log is approved only since this instant.
    case logNotApprovedYet(since: UTCInstant)
    /// The log retired at this instant. Only timestamps that it signed before, and that are
    /// embedded, count.
    case logRetired(since: UTCInstant)
    /// The log takes certificates that end in this interval, `until` excluded, and this certificate
    /// does not.
    case outsideInterval(from: UTCInstant, until: UTCInstant)
    /// The log is read in tiles, and the timestamp does not say where it is in them.
    case noLeafIndex

    /// The stable name, as traces write it.
    public var id: String {
        switch self {
        case .unreadable(.malformed): return "malformed"
        case .unreadable(.unknownVersion): return "unknown-version"
        case .unknownLog: return "unknown-log"
        case .algorithmNotAllowed: return "algorithm-not-allowed"
        case .badSignature: return "bad-signature"
        case .issuerUnknown: return "issuer-unknown"
        case .inFuture: return "in-future"
        case .logNotApproved: return "log-not-approved"
        case .logNotApprovedYet: return "log-not-approved-yet"
        case .logRetired: return "log-retired"
        case .outsideInterval: return "outside-interval"
        case .noLeafIndex: return "no-leaf-index"
        }
    }
}
