/// What one signed certificate timestamp comes to for one certificate (RFC 6962), with what names it.
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

    /// Whether it counts.
    public enum Standing: Hashable, Sendable {
        /// Its log is qualified, usable or read-only at the validation time.
        case approved
        /// Its log was so when it signed, and retired since.
        case onceApproved(retired: UTCInstant)
        /// It does not count.
        case unusable(TimestampProblem)
    }

    /// How it came.
    public let source: Source
    /// SHA-256 of the log's key; nil where it cannot be read.
    public let logID: Digest?
    /// What the log list calls the log, raw text; nil for one that it does not have.
    public let log: String?
    /// Who ran the log at the time of the timestamp, raw text.
    public let operatorName: String?
    /// Whether the log is read in tiles, and not by RFC 6962.
    public let isTiled: Bool
    /// When the log says that it saw the certificate, whole seconds.
    public let time: UTCInstant?
    /// Whether it counts.
    public let standing: Standing

    /// What a timestamp comes to.
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

    /// Whether its log vouches for the certificate, now or once.
    public var isValid: Bool {
        if case .unusable = standing { return false }
        return true
    }
}

/// Why a timestamp does not count.
public enum TimestampProblem: Hashable, Sendable {
    /// It cannot be read.
    case unreadable(TimestampFormatProblem)
    /// The log list does not have its log.
    case unknownLog
    /// It is not signed with SHA-256 and ECDSA on P-256 or RSA from 2048 bits, as its log's key is (RFC
    /// 6962 section 2.1.4).
    case algorithmNotAllowed
    /// Its log did not sign this certificate at that instant.
    case badSignature
    /// It is embedded, and who issued the certificate is not known, so what its log signed is not either.
    case issuerUnknown
    /// It lies after the validation time (RFC 6962 section 5.2).
    case inFuture
    /// Its log is in this state, in which none counts.
    case logNotApproved(TransparencyLogState)
    /// Its log is approved only from this instant on.
    case logNotApprovedYet(since: UTCInstant)
    /// Its log retired at this instant; only what it signed before, and is embedded, counts.
    case logRetired(since: UTCInstant)
    /// Its log takes certificates that end in this interval, the end excluded, and this one does not.
    case outsideInterval(from: UTCInstant, until: UTCInstant)
    /// Its log is read in tiles, and it does not say where in them to look.
    case noLeafIndex

    /// The stable name, as in traces.
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
