import CoreMetrics
import Logging
import Rendering
import TrustEngine

/// What a store writes to the log and counts, in one place. The names are those of
/// `PolicyStore.Configuration.metrics`.
struct StoreReport: Sendable {
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
    func installed(_ state: PolicyStoreState) {
        count("installed")
        gauge(state)
        logger.notice(
            "policy table put in force",
            metadata: [
                "origin": escaped(state.origin), "epoch": "\(state.epoch)",
                "revision": "\(state.revision.map(String.init) ?? "none")",
                "policy": "\(state.policyDigest.hex)", "file": "\(state.fileDigest.hex)",
            ])
    }

    /// The start had to do with what was kept.
    func startedFromKept(_ state: PolicyStoreState) {
        logger.warning(
            "the source has no usable table: the last-known-good one is enforced",
            metadata: ["confirmed": "\(state.confirmedAt)"])
    }

    /// A source says that what is in force is the newest.
    func confirmed(_ state: PolicyStoreState) {
        count("confirmed")
        gauge(state)
        logger.debug("policy table confirmed")
    }

    /// No source has confirmed the table for too long.
    func stale(_ state: PolicyStoreState) {
        count("stale")
        gauge(state)
        logger.error(
            "the policy table is stale: no source confirms it any more",
            metadata: [
                "confirmed": "\(state.confirmedAt)",
                "stale-after": "\(state.staleAfter.map { "\($0)" } ?? "never")",
            ])
    }

    /// A table was refused.
    func refused(_ refusal: TableRefusal, _ origin: String) {
        count("refused", refusal.code)
        logger.error(
            "policy table refused; the one before stays in force",
            metadata: [
                "origin": escaped(origin), "code": "\(refusal.code)",
                "reason": escaped(refusal.context),
            ])
    }

    /// A source had nothing to hand over.
    func failed(_ failure: SourceFailure, _ origin: String) {
        count("source-failed", failure.code)
        logger.warning(
            "no policy table to be had; the one before stays in force",
            metadata: [
                "origin": escaped(origin), "code": "\(failure.code)",
                "reason": escaped(failure.context),
            ])
    }

    /// The state directory is not used, or could not be written.
    func failed(_ failure: StateDirectoryError) {
        count("state-directory-failed", failure.code.rawValue)
        logger.error(
            "the policy table in force is not kept: a restart without the source will not have it",
            metadata: ["code": "\(failure.code.rawValue)", "reason": escaped(failure.context)])
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

    /// Origins and reasons may hold what a stranger wrote.
    private func escaped(_ text: String) -> Logger.MetadataValue {
        .string(TerminalEscape.escape(text))
    }
}
