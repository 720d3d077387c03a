/// The answer to one request, with the digests of what it was judged by.
public struct Verdict: Hashable, Sendable {
    /// Accept or reject. There is no third case: what cannot be decided rejects.
    public enum Outcome: Hashable, Sendable {
        /// Some valid path satisfies every enforced demand.
        case accept(Acceptance)
        /// None does; the violations are those of the request itself, then those of the best-ranked
        /// path. Never empty.
        case reject([Violation])
    }

    /// Accept or reject.
    public let outcome: Outcome
    /// Digest of the policy's meaning.
    public let policyDigest: Digest
    /// Digest of the system store, when the policy names it.
    public let systemStoreDigest: Digest?

    /// Digest of the log list of the rule that decides; nil where it has none.
    public let logListDigest: Digest?

    /// Evidence that this verdict would have used and did not have. Empty where none could change it:
    /// the path does not reach an anchor, or fails for another reason too.
    public let wanted: [WantedEvidence]

    /// A verdict.
    public init(
        outcome: Outcome, policyDigest: Digest, systemStoreDigest: Digest?,
        logListDigest: Digest? = nil,
        wanted: [WantedEvidence] = []
    ) {
        self.outcome = outcome
        self.policyDigest = policyDigest
        self.systemStoreDigest = systemStoreDigest
        self.logListDigest = logListDigest
        self.wanted = wanted
    }

    /// Whether this is an accept.
    public var isAccept: Bool {
        if case .accept = outcome { return true }
        return false
    }

    /// The violations of a reject; empty for an accept.
    public var violations: [Violation] {
        if case .reject(let violations) = outcome { return violations }
        return []
    }
}

/// What an accept carries.
public struct Acceptance: Hashable, Sendable {
    /// End entity first, anchor last (one certificate where the end entity is itself the anchor, or
    /// where a waiver of `path` left the end entity alone). Empty for a connection without TLS that a
    /// waiver of `cleartext` lets through.
    public let path: [CertificateReference]
    /// Demands in report mode, or waived, that failed on the accepted path.
    public let reported: [Reported]
    /// Dates drawing near, assumptions, searches cut short.
    public let notices: [Notice]

    /// An acceptance.
    public init(path: [CertificateReference], reported: [Reported], notices: [Notice]) {
        self.path = path
        self.reported = reported
        self.notices = notices
    }
}

/// A failure that did not reject, and why it did not.
public struct Reported: Hashable, Sendable {
    /// Why a failure was let through.
    public enum Reason: Hashable, Sendable {
        /// A waiver in force, to its last second.
        case waived(until: UTCInstant)
        /// `report-only`, to its last second; nil for what never rejects (`on-expiry: report`, a cause
        /// whose action is `report`).
        case reportOnly(until: UTCInstant?)
    }

    /// What failed.
    public let violation: Violation
    /// Why it was let through.
    public let reason: Reason

    /// A reported failure.
    public init(violation: Violation, reason: Reason) {
        self.violation = violation
        self.reason = reason
    }
}

/// Something to know about an accept.
public enum Notice: Hashable, Sendable {
    /// `warn-from` of a matched pin set has come.
    case pinAgeing(set: String, enforceUntil: UTCInstant?)
    /// `enforce-until` of a matched pin set has passed.
    case pinOverdue(set: String, enforceUntil: UTCInstant)
    /// TLS parameters were assumed, not seen.
    case tlsAssumed
    /// The work budget ran out after a path that meets every enforced demand was known.
    case searchIncomplete
    /// The source of the table has not said for too long that it is the newest, and the program goes on with it.
    case tableStale(confirmed: UTCInstant, until: UTCInstant)

    /// The stable id.
    public var id: String {
        switch self {
        case .pinAgeing: return "pin-ageing"
        case .pinOverdue: return "pin-overdue"
        case .tlsAssumed: return "tls-assumed"
        case .searchIncomplete: return "search-incomplete"
        case .tableStale: return "table-stale"
        }
    }
}
