import CoreMetrics
import Logging
import Rendering
import TrustEngine

/// Writes what a store does to the log and the metrics. The names of the metrics are documented at
/// `PolicyStore.Configuration.metrics`.
struct StoreReport: Sendable {
    /// The lines of the log, by their words. INVARIANT (`PolicyStoreState` has every value that a
    /// line has), so that a health page says no less than the log.
    enum Line: String, CaseIterable, Sendable {
        case installed = "policy table put in force"
        case resumed =
            "this process goes on with the policy table that was in force in another process"
        case startedFromKept =
            "the source has no usable table: the last-known-good one is enforced"
        case confirmed = "policy table confirmed"
        case notConfirmed = "the policy table is stale: no source confirms it any more"
        case notSignedAgain = "the policy table is stale: nobody has signed it again in time"
        case refused = "policy table refused"
        case sourceFailed = "no policy table to be had"
        case watched = "the policy table's file is watched"
        case polled =
            "the system gives no notices about the policy table's file: it is looked at instead"
        case unwatched =
            "the policy table's file is not watched: only a call of reload reads it"
        case notKept =
            "the policy table in force is not kept: a restart without the source will not have it"
        case damaged =
            "the state directory is damaged: what is damaged is not used, and set aside in it"
        case firstStart = """
            nothing was kept in the state directory: this is taken for its first start, and no \
            table is too old for it
            """
        case protected = "rollback protection is on"
        case protectedAgainstMistakes = """
            rollback protection is against mistakes alone: no key is trusted, so a table may \
            state any revision
            """
        case unprotected = """
            rollback protection is off: over a restart an older policy table may come back \
            into force
            """
        case filtersReady = "the CRLite filters can be asked"
        case filtersFailed = """
            the CRLite filters cannot be asked: rules that ask them go by `revocation.causes`
            """
    }

    private let logger: Logger
    private let name: String
    private let metrics: any MetricsFactory

    init(_ configuration: PolicyStore.Configuration) {
        var logger = configuration.logger
        logger[metadataKey: "store"] = "\(configuration.name)"
        self.logger = logger
        name = configuration.name
        metrics = configuration.metrics ?? MetricsSystem.factory
    }

    /// A table was put in force.
    func installed(_ state: PolicyStoreState) { inForce(.installed, state) }

    /// The store goes on where another one was. The only line about the start.
    func resumed(_ state: PolicyStoreState) { inForce(.resumed, state) }

    private func inForce(_ line: Line, _ state: PolicyStoreState) {
        count("installed")
        gauge(state)
        say(
            line, .notice,
            [
                "origin": escaped(state.origin), "epoch": "\(state.epoch)",
                "revision": "\(state.revision.map(String.init) ?? "none")",
                "policy": "\(state.policyDigest.hex)", "file": "\(state.fileDigest.hex)",
            ])
    }

    /// The store started with the kept table.
    func startedFromKept(_ state: PolicyStoreState) {
        say(.startedFromKept, .warning, ["confirmed": "\(state.confirmedAt)"])
    }

    /// A source says that the table in force is the newest.
    func confirmed(_ state: PolicyStoreState) {
        count("confirmed")
        gauge(state)
        say(.confirmed, .debug)
    }

    /// The table is older than `Configuration.staleness` or its own terms allow.
    func stale(_ state: PolicyStoreState) {
        count("stale")
        gauge(state)
        let staleAfter: Logger.MetadataValue =
            "\(state.staleAfter.map { "\($0)" } ?? "never")"
        guard let issued = state.issuedAt else {
            say(
                .notConfirmed, .error,
                ["confirmed": "\(state.confirmedAt)", "stale-after": staleAfter])
            return
        }
        say(.notSignedAgain, .error, ["issued": "\(issued)", "stale-after": staleAfter])
    }

    /// When a source is found to have no usable table.
    enum Moment {
        /// When the store is made. The table that was last in force is put in force instead, and a
        /// line of its own says so.
        case start
        /// Later. The table in force stays in force.
        case running

        fileprivate var consequence: String {
            switch self {
            case .start: return ""
            case .running: return "; the one before stays in force"
            }
        }
    }

    /// A table was refused.
    func refused(_ refusal: TableRefusal, _ origin: String, _ moment: Moment) {
        count("refused", refusal.code.rawValue)
        say(
            .refused, .error, moment.consequence,
            [
                "origin": escaped(origin), "code": "\(refusal.code)",
                "reason": escaped(refusal.context),
            ])
    }

    /// A source had no table to hand over.
    func failed(_ failure: SourceFailure, _ origin: String, _ moment: Moment) {
        count("source-failed", failure.code.rawValue)
        say(
            .sourceFailed, .warning, moment.consequence,
            [
                "origin": escaped(origin), "code": "\(failure.code)",
                "reason": escaped(failure.context),
            ])
    }

    /// How changes of the file are noticed. Reported when the watching begins and when the answer
    /// changes.
    func watching(_ watching: PolicyStoreState.Watching) {
        Gauge(label: "hawser_store_notified", dimensions: [("store", name)], factory: metrics)
            .record(watching == .notified ? 1 : 0)
        guard let reason = watching.reason else {
            say(.watched, .debug)
            return
        }
        count("not-notified", reason.code.rawValue)
        let code: Logger.MetadataValue = "\(reason.code)"
        switch watching {
        case .notified: break
        case .polled(let every, reason: _):
            say(
                .polled, .warning,
                ["every": "\(every)", "code": code, "reason": escaped(reason.context)])
        case .unwatched:
            say(.unwatched, .error, ["code": code, "reason": escaped(reason.context)])
        }
    }

    /// The state directory is not used, or could not be written.
    func failed(_ failure: StateDirectoryError) {
        count("state-directory-failed", failure.code.rawValue)
        say(
            .notKept, .error,
            ["code": "\(failure.code.rawValue)", "reason": escaped(failure.context)])
    }

    /// A file of the state directory does not hold what was written there.
    func damaged(_ damage: StateDirectoryError) {
        count("state-directory-damaged", damage.code.rawValue)
        say(
            .damaged, .error,
            ["code": "\(damage.code.rawValue)", "reason": escaped(damage.context)])
    }

    /// The age of the state directory before this start.
    func found(_ age: PolicyStoreState.DirectoryAge, _ path: String) {
        switch age {
        case .first:
            say(.firstStart, .notice, ["directory": escaped(path)])
        case .named: break
        }
    }

    /// Whether older tables are refused over restarts. Reported when the store is made and when the
    /// answer changes.
    func protection(_ protection: RollbackProtection) {
        Gauge(
            label: "hawser_store_rollback_protection", dimensions: [("store", name)],
            factory: metrics
        ).record(protection.reason == nil ? 1 : 0)
        switch protection {
        case .on: say(.protected, .debug)
        case .againstMistakes: say(.protectedAgainstMistakes, .info)
        case .off(let reason):
            count("rollback-protection-off", reason.code.rawValue)
            // When the program asked for no state directory, nothing went wrong.
            say(
                .unprotected, reason.code == .notConfigured ? .info : .error,
                ["code": "\(reason.code.rawValue)", "reason": escaped(reason.context)])
        }
    }

    /// Whether the CRLite filters can be asked. Reported when the store is made and when the answer
    /// changes.
    func filters(_ fault: FilterFault?, isFirst: Bool) {
        Gauge(label: "hawser_store_crlite", dimensions: [("store", name)], factory: metrics)
            .record(fault == nil ? 1 : 0)
        guard let fault else {
            say(.filtersReady, isFirst ? .debug : .notice)
            return
        }
        count("crlite-failed", fault.code)
        say(.filtersFailed, .error, ["code": "\(fault.code)", "reason": escaped(fault.context)])
    }

    private func say(
        _ line: Line, _ level: Logger.Level, _ consequence: String = "",
        _ metadata: Logger.Metadata = [:]
    ) {
        logger.log(level: level, "\(line.rawValue)\(consequence)", metadata: metadata)
    }

    private func say(_ line: Line, _ level: Logger.Level, _ metadata: Logger.Metadata) {
        say(line, level, "", metadata)
    }

    private func count(_ event: String, _ reason: String = "none") {
        Counter(
            label: "hawser_store_events",
            dimensions: [("store", name), ("event", event), ("reason", reason)], factory: metrics
        ).increment()
    }

    private func gauge(_ state: PolicyStoreState) {
        func record(_ label: String, _ value: Double) {
            Gauge(label: label, dimensions: [("store", name)], factory: metrics).record(value)
        }
        record("hawser_store_epoch", Double(state.epoch))
        if let revision = state.revision { record("hawser_store_revision", Double(revision)) }
        record("hawser_store_stale", state.isStale ? 1 : 0)
        record("hawser_store_loaded_seconds", Double(state.loadedAt.secondsSinceEpoch))
        record("hawser_store_confirmed_seconds", Double(state.confirmedAt.secondsSinceEpoch))
    }

    /// Origins and reasons may contain the text of strangers.
    private func escaped(_ text: String) -> Logger.MetadataValue {
        .string(TerminalEscape.escape(text))
    }
}
