/// The answer to one request, with the digests of the inputs that decided.
public struct Verdict: Hashable, Sendable {
    /// Accept or reject. A third case does not exist: a request that cannot be decided is rejected.
    public enum Outcome: Hashable, Sendable {
        /// At least one valid path meets every enforced demand.
        case accept(Acceptance)
        /// No path meets every enforced demand. First come the violations of the request itself,
        /// then the violations of the best-ranked path. Never empty.
        case reject([Violation])
    }

    /// The decision. The reject of a host without a rule contains only the host. A service may meet
    /// it a million times a second, so its list of violations is made only on request.
    enum Decision: Sendable {
        case outcome(Outcome)
        /// No rule matches the host, and the policy's `default` is `deny`.
        case noRule(CanonicalHost)
    }

    private let decision: Decision

    /// Whether the request is accepted or rejected.
    public var outcome: Outcome {
        switch decision {
        case .outcome(let outcome): return outcome
        case .noRule(let host): return .reject([.noApplicableRule(host: host.text)])
        }
    }

    /// Digest of the policy's meaning.
    public let policyDigest: Digest
    /// Digest of the system store, when the policy names it.
    public let systemStoreDigest: Digest?

    /// Digest of the log list of the rule that decides; nil where the rule has none.
    public let logListDigest: Digest?

    /// Evidence that this verdict would have used and that was not supplied. Empty where no
    /// evidence could change the verdict: the path reaches no anchor, or it fails for another
    /// reason too.
    public let wanted: [WantedEvidence]

    /// Makes a verdict from its values.
    public init(
        outcome: Outcome, policyDigest: Digest, systemStoreDigest: Digest?,
        logListDigest: Digest? = nil,
        wanted: [WantedEvidence] = []
    ) {
        self.init(
            decision: .outcome(outcome), policyDigest: policyDigest,
            systemStoreDigest: systemStoreDigest, logListDigest: logListDigest, wanted: wanted)
    }

    init(
        decision: Decision, policyDigest: Digest, systemStoreDigest: Digest?,
        logListDigest: Digest?, wanted: [WantedEvidence]
    ) {
        self.decision = decision
        self.policyDigest = policyDigest
        self.systemStoreDigest = systemStoreDigest
        self.logListDigest = logListDigest
        self.wanted = wanted
    }

    /// Whether the verdict is an accept.
    public var isAccept: Bool {
        if case .outcome(.accept) = decision { return true }
        return false
    }

    /// The violations of a reject; empty for an accept.
    public var violations: [Violation] {
        if case .reject(let violations) = outcome { return violations }
        return []
    }

    /// The path of an accept with its notices and reported failures; nil for a reject. Makes no
    /// list.
    package var acceptance: Acceptance? {
        if case .outcome(.accept(let acceptance)) = decision { return acceptance }
        return nil
    }

    /// Whether the reject is that no rule matches the host. No list is made.
    package var isWithoutRule: Bool {
        if case .noRule = decision { return true }
        return false
    }

    /// Number of violations; 0 for an accept. No list is made.
    package var violationCount: Int {
        switch decision {
        case .outcome(.accept): return 0
        case .outcome(.reject(let violations)): return violations.count
        case .noRule: return 1
        }
    }

    /// Compares the values, the outcome as it is read.
    public static func == (left: Verdict, right: Verdict) -> Bool {
        left.outcome == right.outcome && left.policyDigest == right.policyDigest
            && left.systemStoreDigest == right.systemStoreDigest
            && left.logListDigest == right.logListDigest && left.wanted == right.wanted
    }

    /// Hashes the values.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(outcome)
        hasher.combine(policyDigest)
        hasher.combine(systemStoreDigest)
        hasher.combine(logListDigest)
        hasher.combine(wanted)
    }
}

/// The path of an accept, with its notices and reported failures.
public struct Acceptance: Hashable, Sendable {
    /// The certificates of the path, end entity first, anchor last. The path is one certificate
    /// when the end entity is itself the anchor, and when a waiver of `path` leaves only the end
    /// entity. It is empty for a connection without TLS that a waiver of `cleartext` accepts.
    public let path: [CertificateReference]
    /// Failures of the accepted path that a waiver or `report-only` lets through.
    public let reported: [Reported]
    /// Facts that the caller should know: dates that draw near, assumptions, a search that was cut
    /// short.
    public let notices: [Notice]

    /// Makes an acceptance from its values.
    public init(path: [CertificateReference], reported: [Reported], notices: [Notice]) {
        self.path = path
        self.reported = reported
        self.notices = notices
    }
}

/// A failure that did not reject, with the reason why not.
public struct Reported: Hashable, Sendable {
    /// Why a failure did not reject.
    public enum Reason: Hashable, Sendable {
        /// A waiver in force. The instant is its last second.
        case waived(until: UTCInstant)
        /// Report mode. The instant is the last second of the entry of `report-only`; nil for a
        /// demand that never rejects (`on-expiry: report`, a cause whose action is `report`).
        case reportOnly(until: UTCInstant?)
    }

    /// The failure.
    public let violation: Violation
    /// Why the failure did not reject.
    public let reason: Reason

    /// Makes a reported failure from its values.
    public init(violation: Violation, reason: Reason) {
        self.violation = violation
        self.reason = reason
    }
}

/// A fact that the caller of an accept should know.
public enum Notice: Hashable, Sendable {
    /// `warn-from` of a matched pin set has come.
    case pinAgeing(set: String, enforceUntil: UTCInstant?)
    /// `enforce-until` of a pin set that matched has passed.
    case pinOverdue(set: String, enforceUntil: UTCInstant)
    /// TLS parameters were assumed and not observed.
    case tlsAssumed
    /// The work budget ran out after a path was found that meets every enforced demand.
    case searchIncomplete
    /// The table's source has not confirmed the table for too long, and the program continues with
    /// the table.
    case tableStale(confirmed: UTCInstant, until: UTCInstant)
    /// Certificates of the path do not meet demands that a standard addresses to those who issue
    /// certificates, and the rule's `path.issuance` is `report`. The breaches of the whole path,
    /// from the end entity upwards; never empty.
    case issuance([IssuanceBreach])

    /// The stable id of the kind of notice.
    public var id: String { kind.rawValue }

    /// The kinds of notices, by their ids.
    package enum Kind: String, Hashable, Sendable, CaseIterable {
        case pinAgeing = "pin-ageing"
        case pinOverdue = "pin-overdue"
        case tlsAssumed = "tls-assumed"
        case searchIncomplete = "search-incomplete"
        case tableStale = "table-stale"
        case issuance
    }

    /// The notice without its values.
    package var kind: Kind {
        switch self {
        case .pinAgeing: return .pinAgeing
        case .pinOverdue: return .pinOverdue
        case .tlsAssumed: return .tlsAssumed
        case .searchIncomplete: return .searchIncomplete
        case .tableStale: return .tableStale
        case .issuance: return .issuance
        }
    }
}

/// A demand on those who issue certificates that a certificate of the path does not meet (LANGUAGE
/// section 12.10). Whoever runs the CA that issued the certificate can mend it.
public struct IssuanceBreach: Hashable, Sendable {
    /// The certificate.
    public let certificate: CertificateReference
    /// The id of the demand: `subject-key-identifier-missing`. The page `grammar/demands.md` lists
    /// every demand.
    public let demand: String
    /// The value that the certificate has instead: raw text, empty where the breach is about the
    /// certificate as a whole.
    public let found: String

    /// Makes a breach from its values.
    public init(certificate: CertificateReference, demand: String, found: String) {
        self.certificate = certificate
        self.demand = demand
        self.found = found
    }
}
