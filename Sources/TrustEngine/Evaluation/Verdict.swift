/// The answer to one request. There is no third case: what cannot be decided rejects.
public enum Verdict: Hashable, Sendable {
    /// Some valid path satisfies every enforced demand.
    case accept(Acceptance)
    /// None does; the violations are those of the best-ranked path, or of the request itself. Never
    /// empty.
    case reject([Violation])

    /// Whether this is an accept.
    public var isAccept: Bool {
        if case .accept = self { return true }
        return false
    }
}

/// What an accept carries.
public struct Acceptance: Hashable, Sendable {
    /// End entity first, anchor last (one certificate where the end entity is itself the anchor, or
    /// where a waiver of `path` left the end entity alone).
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
        /// `report-only`, or `on-expiry: report`, or a cause whose action is `report`.
        case reportOnly
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

    /// The stable id.
    public var id: String {
        switch self {
        case .pinAgeing: return "pin-ageing"
        case .pinOverdue: return "pin-overdue"
        case .tlsAssumed: return "tls-assumed"
        case .searchIncomplete: return "search-incomplete"
        }
    }
}
