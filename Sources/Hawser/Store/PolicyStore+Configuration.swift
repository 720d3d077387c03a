import CLibC
public import CoreMetrics
public import Logging
public import TrustEngine

extension PolicyStore {
    /// The answer of the program's own test of an engine.
    public enum Admission: Hashable, Sendable {
        /// The table may be put in force.
        case admitted
        /// The table is refused (`ErrorCode.notAdmitted`). The reason: lower case, no full stop.
        case refused(reason: String)
    }

    /// The settings of a store. A program chooses them once.
    public struct Configuration: Sendable {
        /// The store's name in logs, metrics, receipts and reports, and the owner's name in its
        /// state directory. Give each store of a machine its own name: two stores with the same
        /// name count as one store in a state directory.
        public var name = "default"
        /// The name of the program's service, for receipts and reports; nil when none is stated.
        public var service: String?
        /// The policy that the tables of this store are compiled from: a file or a folder of this
        /// machine, for the commands that messages propose (`hawser show HOST --policy PATH`).
        /// With nil, the commands name the file of the table (`--table FILE`), and a store whose
        /// table comes from memory proposes no command.
        public var policyPath: String?
        /// The keys that must have signed a table. With nil, no signature is needed: whoever may
        /// write the source's table decides.
        public var trustedKeys: TrustedKeys?
        /// Whether a table with waivers may be put in force. When false, a table with any waiver is
        /// refused, even when the waiver has ended, because the end depends on the clock.
        public var allowWaivers = true
        /// The custom checks that the program registers, by the names that policies use under
        /// `checks`.
        public var checks: [String: CustomCheck] = [:]
        /// A log_list.json that is newer than the list compiled into a table
        /// (`EngineInputs.logList`).
        public var logList: [UInt8]?
        /// The CRLite filters of the store's engines, for requests that bring none: a folder as
        /// `upki fetch` fills it, `SuppliedFilters(CRLiteFolder(path))`, or the program's own
        /// provider. With nil, a rule that asks for `crlite` finds no filters (`unreachable`).
        ///
        /// The store prepares the filters when it is made, when it looks at its file, and for its
        /// state (`RevocationFilters.prepare`). Filters that cannot be asked are reported in
        /// `state` and in the log, and do not keep the store from starting: what follows for a
        /// verdict is said by the rule.
        public var crlite: SuppliedFilters?
        /// The backend that verifies the signatures of certificates and evidence, in each of the
        /// store's engines; by default libcrypto. `HawserSwiftCrypto.SwiftCryptoBackend` verifies
        /// with swift-crypto. Tables signed by `trustedKeys` are verified by libcrypto.
        ///
        /// Keys that a backend has prepared are kept over reloads. The memory of signatures is the
        /// store's own, around any backend (`rememberedSignatures`).
        public var crypto: any CryptoBackend = EngineLoader.makeBackend(rememberedSignatures: 0)
        /// The most signatures of certificates that the store remembers once they have verified,
        /// rounded up to a power of two from 64 to 65,536; 0 remembers none, and nothing of
        /// certificates either.
        ///
        /// A signature takes 80 octets, the standard number 1.3 MB. The store also remembers the
        /// parsed certificates that it met more than once, in at most 1.4 MB.
        ///
        /// Verdicts are the same with every number, and each verdict still judges the whole chain:
        /// a signature that is remembered is only not computed again. A memory that is full
        /// replaces signatures that were not met for long. Two signatures for each server that the
        /// program talks to are enough.
        public var rememberedSignatures = EngineLoader.standardRememberedSignatures
        /// The action of the store on a table that its sources have stopped confirming.
        public var staleness = Staleness.never
        /// The program's own test of an engine; nil to admit every engine. The test runs last,
        /// before the table is put in force.
        public var admission: (@Sendable (Engine) -> Admission)?
        /// A folder in which the store keeps the table in force. A restart without the source then
        /// still enforces the table, and an older table is refused after a restart too
        /// (`PolicyStoreState.rollbackProtection`). With nil, nothing is kept.
        ///
        /// The store makes the folder, with mode 700; the folder above must exist. When `state` is
        /// required the store does not make it. The folder belongs to the first store that uses
        /// it and carries that store's name. A store with another name does not use it.
        ///
        /// Processes that run the same store may share the folder. None of them puts a table in
        /// force that is older than a table that another process has kept there.
        ///
        /// The store does not use a folder that belongs to another user or that other users have
        /// rights to. A failure of the folder is reported in `state` and in the log. It does not
        /// change the table in force. Under `StateNeed.required` it keeps newer tables out.
        public var stateDirectory: String?
        /// Whether the store starts when the state directory does not prove which revision was in
        /// force, and whether it takes a table whose revision cannot be recorded.
        public var state = StateNeed.wanted
        /// Called at each step of writing the state directory. Tests end the process there.
        package var atStateStep: @Sendable (StateDirectory.Step) -> Void = { _ in }
        /// How long the store waits for another process that holds the lock of the state directory.
        package var stateLockPatience = Duration.seconds(5)
        /// Makes the system's notices about files, for a watcher that serves only this store. Tests
        /// let it fail. With nil, the watcher of the process follows the file.
        var makeWatch: (@Sendable () throws(SourceFailure) -> DirectoryWatch)?
        /// The log that the store writes to.
        public var logger = Logger(label: "hawser.store")
        /// The factory of the store's counters and gauges; nil for the process's own factory,
        /// `MetricsSystem.factory`.
        ///
        /// Each metric has the dimension `store`. The counter `hawser_store_events` counts events,
        /// by `event` (`installed`, `confirmed`, `stale`, `refused`, `source-failed`,
        /// `not-notified`, `state-directory-failed`, `state-directory-damaged`,
        /// `rollback-protection-off`, `crlite-failed`) and by `reason`: the stable name of the
        /// reason, or `none`.
        ///
        /// The gauges:
        ///
        /// - `hawser_store_epoch` and `hawser_store_revision`: the epoch and the revision in force.
        /// - `hawser_store_loaded_seconds` and `hawser_store_confirmed_seconds`: when the table was
        ///   put in force and last confirmed, in seconds since 1970.
        /// - `hawser_store_stale`: 1 when the table was stale at the last report, otherwise 0.
        /// - `hawser_store_notified`: 1 when the system gives notices about the store's file,
        ///   otherwise 0; not written for a store without a file.
        /// - `hawser_store_rollback_protection`: 1 when an older table is refused over restarts
        ///   too, otherwise 0.
        /// - `hawser_store_crlite`: 1 when the CRLite filters can be asked, otherwise 0; not
        ///   written for a store without filters.
        public var metrics: (any MetricsFactory)?
        /// The clock; by default the clock of the machine.
        public var clock: @Sendable () -> UTCInstant = { .now }

        /// A clock that is never set, and that counts while the machine sleeps.
        package var steadyClock: @Sendable () -> Duration = {
            ContinuousClock.now - Configuration.start
        }
        private static let start = ContinuousClock.now

        /// A configuration with the default values.
        public init() {}

        /// The options of commands about the policy in force. `file` is the file that the table was
        /// read from; nil for a table from memory.
        func commandOptions(file: String?) -> [String]? {
            if let policyPath { return ["--policy", Configuration.absolute(policyPath)] }
            return file.map { ["--table", Configuration.absolute($0)] }
        }

        /// A path that means the same in every folder.
        private static func absolute(_ path: String) -> String {
            guard !path.hasPrefix("/"), let folder = try? NamedPath.resolve(".") else {
                return path
            }
            return folder == "/" ? "/" + path : "\(folder)/\(path)"
        }
    }
}
