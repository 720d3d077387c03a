public import TrustEngine

/// What a store can say of itself: for a health page, and for whoever is on call.
public struct PolicyStoreState: Hashable, Sendable {
    /// A table that was refused.
    public struct Refused: Hashable, Sendable {
        /// When.
        public let at: UTCInstant
        /// Where it came from, as the source calls itself.
        public let origin: String
        /// Why.
        public let refusal: TableRefusal
    }

    /// A source that had no table to hand over.
    public struct Failed: Hashable, Sendable {
        /// When.
        public let at: UTCInstant
        /// The source, as it calls itself.
        public let origin: String
        /// Why.
        public let failure: SourceFailure
    }

    /// How often what happened, since the store was made.
    public struct Counts: Hashable, Sendable {
        /// Tables put in force, the first one included.
        public internal(set) var installed: UInt64 = 0
        /// Times that a source said that what is in force is the newest.
        public internal(set) var confirmed: UInt64 = 0
        /// Tables refused.
        public internal(set) var refused: UInt64 = 0
        /// Times that a source had nothing to hand over.
        public internal(set) var sourceFailed: UInt64 = 0
    }

    /// The store's name.
    public let name: String
    /// The revision in force; nil when the table states none.
    public internal(set) var revision: UInt64?
    /// Digest of the meaning of the policy in force.
    public internal(set) var policyDigest: Digest
    /// Digest of the table in force.
    public internal(set) var fileDigest: Digest
    /// The epoch in force.
    public internal(set) var epoch: UInt64
    /// Where the table in force came from, as its source calls itself.
    public internal(set) var origin: String
    /// When it was put in force.
    public internal(set) var loadedAt: UTCInstant
    /// When a source last said that it is the newest.
    public internal(set) var confirmedAt: UTCInstant
    /// The last second at which it is fresh; nil where it never is stale.
    public internal(set) var staleAfter: UTCInstant?
    /// Whether it is stale now.
    public internal(set) var isStale = false
    /// Whether the log has that already.
    var isToldStale = false
    /// The last table that was refused; nil once a table was put in force or confirmed after it.
    public internal(set) var lastRefused: Refused?
    /// The last time that a source had nothing; nil once it had a table again.
    public internal(set) var lastFailed: Failed?
    /// Why the state directory is not used, or could not be written the last time; nil where it
    /// was, and where there is none.
    public internal(set) var stateDirectoryFailure: StateDirectoryError?
    /// Whether keys vouch for revisions.
    let isSigned: Bool
    /// Why older tables are not kept out over restarts, for as long as the process runs.
    var rollbackGap: StateDirectoryError?
    /// Whether a table that is older than one that was in force is refused, over restarts too.
    public var rollbackProtection: RollbackProtection {
        if let reason = rollbackGap ?? stateDirectoryFailure { return .off(reason) }
        return isSigned ? .on : .againstMistakes
    }
    /// How often what happened.
    public internal(set) var counts = Counts()
}
