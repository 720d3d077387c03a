/// One way to meet a demand for transparency, with the timestamps that were found for it.
public struct TransparencyCriterion: Hashable, Sendable {
    /// How the timestamps come.
    public enum Delivery: String, Hashable, Sendable {
        /// In the certificate.
        case embedded
        /// Beside the certificate: in the TLS extension or an OCSP response.
        case besides
    }

    /// The number that is needed and the number that was found.
    public struct Count: Hashable, Sendable {
        /// The smallest number that meets the demand.
        public let needed: Int
        /// The number that was found.
        public let found: Int

        /// Makes a count from its values.
        package init(needed: Int, found: Int) {
            self.needed = needed
            self.found = found
        }

        /// Whether enough were found.
        public var isMet: Bool { found >= needed }
    }

    /// How the timestamps come.
    public let delivery: Delivery
    /// Distinct logs with timestamps that count.
    public let logs: Count
    /// Distinct operators of these logs.
    public let operators: Count
    /// Of these logs, those that are approved at the validation time.
    public let approvedLogs: Count
    /// The number of these logs that have the API of RFC 6962.
    public let classicLogs: Count

    /// Makes the value from its parts.
    package init(
        delivery: Delivery, logs: Count, operators: Count, approvedLogs: Count, classicLogs: Count
    ) {
        self.delivery = delivery
        self.logs = logs
        self.operators = operators
        self.approvedLogs = approvedLogs
        self.classicLogs = classicLogs
    }

    /// Whether every number is met.
    public var isMet: Bool {
        logs.isMet && operators.isMet && approvedLogs.isMet && classicLogs.isMet
    }
}

/// The judgement of an end entity's timestamps under a rule.
public struct TransparencyReport: Hashable, Sendable {
    /// The end entity.
    public let certificate: CertificateReference
    /// The rule's preset: `chrome` or `apple`.
    public let preset: String
    /// The ways to meet the demand. One way that is met suffices.
    public let criteria: [TransparencyCriterion]
    /// Every timestamp, embedded timestamps first.
    public let timestamps: [TimestampFinding]
    /// Number of timestamps that were not read, because there are too many.
    public let unread: Int
    /// SHA-256 of the log list by which the timestamps were judged.
    public let logList: Digest
    /// The instant at which the log list was issued.
    public let logListIssued: UTCInstant

    /// Makes a report from its values.
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

    /// The first way that is met; nil when none is met.
    public var met: TransparencyCriterion? { criteria.first(where: \.isMet) }
}
