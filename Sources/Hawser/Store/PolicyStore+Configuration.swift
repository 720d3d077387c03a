public import CoreMetrics
import Glibc
public import Logging
public import TrustEngine

extension PolicyStore {
    /// What a program decides once for a store.
    public struct Configuration: Sendable {
        /// What the store is called in logs and metrics, and whose its state directory is. Give
        /// each store of a machine a name of its own: two that share one are the same store to the
        /// directory.
        public var name = "default"
        /// Who must have signed a table. Nil leaves it to whoever may write where tables come from.
        public var trustedKeys: TrustedKeys?
        /// Whether a table that has waivers is put in force. Where not, one with any waiver is
        /// refused, over or not: whether it is over is a matter of the clock.
        public var allowWaivers = true
        /// The checks that the program registers, by the names that policies use under `checks`.
        public var checks: [String: CustomCheck] = [:]
        /// A log_list.json of a later day than the one that a table has compiled in
        /// (`EngineInputs.logList`).
        public var logList: [UInt8]?
        /// What becomes of a table that no source confirms any more.
        public var staleness = Staleness.never
        /// What the program has against an engine that is good otherwise: lower case, no full stop;
        /// nil where it has nothing. Asked last, before the table is put in force.
        public var admission: (@Sendable (Engine) -> String?)?
        /// A folder in which the table in force is kept, so that a restart without the source still
        /// enforces and an older table is refused after it too
        /// (`PolicyStoreState.rollbackProtection`).
        ///
        /// It is made, with mode 700, in a folder that is there. It belongs to one store: it
        /// carries the name of the first that uses it, and is not used by one of another name.
        /// Processes that run the same store may share it: none of them puts a table in force that
        /// is older than what another has kept there. A folder that belongs to another user, or
        /// that anyone else may use, is not used. A folder that fails is told of in `state` and in
        /// the log, and takes nothing from what is in force. Nil keeps nothing.
        public var stateDirectory: String?
        /// Whether the store starts where the state directory does not prove which revision was in
        /// force.
        public var state = StateNeed.wanted
        /// Called while the state directory is written; tests end the process there.
        package var atStateStep: @Sendable (StateDirectory.Step) -> Void = { _ in }
        /// How long another process's work in the state directory is waited for.
        package var stateLockPatience = Duration.seconds(5)
        /// Where the store says what it does.
        public var logger = Logger(label: "hawser.store")
        /// What makes the store's counters and gauges; nil for the process's own,
        /// `MetricsSystem.factory`.
        ///
        /// All have the dimension `store`. `hawser_store_events` counts what happened, by `event`
        /// (`installed`, `confirmed`, `stale`, `refused`, `source-failed`,
        /// `state-directory-failed`, `state-directory-damaged`, `rollback-protection-off`) and
        /// `reason`, the stable name of why, or `none`. `hawser_store_epoch`,
        /// `hawser_store_revision`, `hawser_store_loaded_seconds` and
        /// `hawser_store_confirmed_seconds` (seconds since 1970) say what is in force,
        /// `hawser_store_stale` (0 or 1) whether it was last seen to be stale,
        /// `hawser_store_rollback_protection` (0 or 1) whether an older table is refused over
        /// restarts too.
        public var metrics: (any MetricsFactory)?
        /// What tells the time; the machine's clock unless said otherwise.
        public var clock: @Sendable () -> UTCInstant = {
            UTCInstant(secondsSinceEpoch: Int64(time(nil)))
        }

        /// The defaults.
        public init() {}
    }
}
