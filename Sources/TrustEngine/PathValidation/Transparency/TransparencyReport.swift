/// One way to meet a demand for transparency, with what was found for it.
public struct TransparencyCriterion: Hashable, Sendable {
    /// How the timestamps come.
    public enum Delivery: String, Hashable, Sendable {
        /// In the certificate.
        case embedded
        /// Beside it: in the TLS extension or an OCSP response.
        case besides
    }

    /// Both sides of a count.
    public struct Count: Hashable, Sendable {
        /// At least so many.
        public let needed: Int
        /// So many were found.
        public let found: Int

        /// A count.
        package init(needed: Int, found: Int) {
            self.needed = needed
            self.found = found
        }

        /// Whether there are enough.
        public var isMet: Bool { found >= needed }
    }

    /// How the timestamps come.
    public let delivery: Delivery
    /// Distinct logs whose timestamps count.
    public let logs: Count
    /// Distinct operators among them.
    public let operators: Count
    /// Logs among them that are approved at the validation time.
    public let approvedLogs: Count
    /// Logs among them that are read by RFC 6962.
    public let classicLogs: Count

    /// A way to meet a demand.
    package init(
        delivery: Delivery, logs: Count, operators: Count, approvedLogs: Count, classicLogs: Count
    ) {
        self.delivery = delivery
        self.logs = logs
        self.operators = operators
        self.approvedLogs = approvedLogs
        self.classicLogs = classicLogs
    }

    /// Whether all of it is met.
    public var isMet: Bool {
        logs.isMet && operators.isMet && approvedLogs.isMet && classicLogs.isMet
    }
}

/// What the timestamps of an end entity come to under a rule.
public struct TransparencyReport: Hashable, Sendable {
    /// The end entity.
    public let certificate: CertificateReference
    /// `chrome` or `apple`.
    public let preset: String
    /// The ways to meet the demand; any one suffices.
    public let criteria: [TransparencyCriterion]
    /// Every timestamp, embedded first.
    public let timestamps: [TimestampFinding]
    /// Further ones that were not read, as there are too many.
    public let unread: Int
    /// SHA-256 of the log list they were judged by.
    public let logList: Digest
    /// When that was issued.
    public let logListIssued: UTCInstant

    /// What timestamps come to.
    package init(
        certificate: CertificateReference, preset: String, criteria: [TransparencyCriterion],
        timestamps: [TimestampFinding], unread: Int, logList: Digest, logListIssued: UTCInstant
    ) {
        self.certificate = certificate
        self.preset = preset
        self.criteria = criteria
        self.timestamps = timestamps
        self.unread = unread
        self.logList = logList
        self.logListIssued = logListIssued
    }

    /// The way that is met, or nil.
    public var met: TransparencyCriterion? { criteria.first(where: \.isMet) }
}
