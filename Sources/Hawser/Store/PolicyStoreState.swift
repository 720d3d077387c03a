public import TrustEngine

/// The condition of a store at one moment, for a health page or an operator.
public struct PolicyStoreState: Hashable, Sendable {
    /// A table that was refused.
    public struct Refused: Hashable, Sendable {
        /// When the table was refused.
        public let at: UTCInstant
        /// Where the table came from, as the source names itself.
        public let origin: String
        /// Why the table was refused.
        public let refusal: TableRefusal
    }

    /// A source that had no table to hand over.
    public struct Failed: Hashable, Sendable {
        /// When the source failed.
        public let at: UTCInstant
        /// The source, as it names itself.
        public let origin: String
        /// Why the source failed.
        public let failure: SourceFailure
    }

    /// How long a state directory had belonged to the store when the store was made.
    public enum DirectoryAge: String, Hashable, Sendable {
        /// Nothing was ever kept in the directory: this was taken for the first start.
        case first
        /// The directory was in use before.
        case named
    }

    /// How the store learns that its file has changed.
    public enum Watching: Hashable, Sendable {
        /// By the system's notices, which come at once.
        case notified
        /// By looks at the file at this interval. The reason says why the system gives no notices;
        /// nil when the program asked for looks.
        case polled(every: Duration, reason: SourceFailure?)
        /// Not at all. The reason says why; nil when the program asked for that, or the store has
        /// no file.
        case unwatched(reason: SourceFailure?)

        /// Why changes are noticed later than the program asked for; nil when they are not.
        public var reason: SourceFailure? {
            switch self {
            case .notified: return nil
            case .polled(every: _, let reason), .unwatched(let reason): return reason
            }
        }
    }

    /// How often each kind of event happened since the store was made.
    public struct Counts: Hashable, Sendable {
        /// Tables put in force, the first one included.
        public internal(set) var installed: UInt64 = 0
        /// Number of times that a source said that the table in force is the newest.
        public internal(set) var confirmed: UInt64 = 0
        /// Tables that were refused.
        public internal(set) var refused: UInt64 = 0
        /// Number of times that a source had no table to hand over.
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
    /// Where the table in force came from, as its source names itself.
    public internal(set) var origin: String
    /// When the table was put in force.
    public internal(set) var loadedAt: UTCInstant
    /// When a source last said that the table in force is the newest.
    public internal(set) var confirmedAt: UTCInstant
    /// When the table in force was issued, by its signed terms; nil when it states no terms. The
    /// table's age counts from then.
    public internal(set) var issuedAt: UTCInstant?
    /// The last second at which the table in force may be used, by its signed terms; nil when it
    /// states no end.
    public internal(set) var expiresAt: UTCInstant?
    /// The last second at which the table is fresh; nil when the table never becomes stale.
    public internal(set) var staleAfter: UTCInstant?
    /// Whether the table in force is stale now.
    public internal(set) var isStale = false
    /// Whether the log already says that the table is stale.
    var isToldStale = false
    /// The last table that was refused; nil once a table was put in force or confirmed after it.
    public internal(set) var lastRefused: Refused?
    /// The last time that a source had no table; nil after a table was put in force or confirmed.
    public internal(set) var lastFailed: Failed?
    /// How the store learns that its file has changed.
    public internal(set) var watching = Watching.unwatched(reason: nil)
    /// The path of the state directory, as the program named it; nil when it names none.
    public let stateDirectory: String?
    /// Why the state directory is not used, or why its last use failed; nil when the last use
    /// succeeded, and without a state directory.
    public internal(set) var stateDirectoryFailure: StateDirectoryError?
    /// How long the state directory had belonged to the store when the store was made; nil without
    /// a state directory, and when the directory could not be used then.
    public internal(set) var stateDirectoryAge: DirectoryAge?
    /// The reasons why files of the state directory did not hold what was written there, the newest
    /// last: the last ones since the store was made, `mostDamage` at most. The damaged files were
    /// set aside in the directory.
    public internal(set) var stateDirectoryDamage: [StateDirectoryError] = []
    /// The most reasons that `stateDirectoryDamage` holds.
    public static let mostDamage = 16
    /// Whether the program trusts keys to sign tables, so that keys vouch for revisions.
    let isSigned: Bool
    /// Why an older table may come into force after a restart. The reason holds as long as the
    /// process runs.
    var rollbackGap: StateDirectoryError?
    /// Why the state directory does not prove the revision in force, or why that is not known; nil
    /// when it proves it. After a failure to write the table it may prove the revision all the
    /// same.
    var floorGap: StateDirectoryError?
    /// Whether a table that is older than one that was in force is refused, over restarts too.
    public var rollbackProtection: RollbackProtection {
        if let reason = rollbackGap ?? floorGap { return .off(reason) }
        return isSigned ? .on : .againstMistakes
    }
    /// Why the CRLite filters (`Configuration.crlite`) cannot be asked; nil when they can, and for
    /// a store without filters.
    public internal(set) var crliteFailure: FilterFault?
    /// Whether the log already says whether the filters can be asked.
    var isToldOfFilters = false
    /// How often each kind of event happened since the store was made.
    public internal(set) var counts = Counts()

    /// Adds a reason to `stateDirectoryDamage`.
    mutating func note(damage: StateDirectoryError) {
        stateDirectoryDamage = (stateDirectoryDamage + [damage]).suffix(PolicyStoreState.mostDamage)
    }
}
