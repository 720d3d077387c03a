public import Hawser
public import Logging
public import TrustEngine

/// The first table has rules that this integration cannot meet, and the program wants none of
/// those.
public struct UnmetDemandsError: Error, Hashable, Sendable, CustomStringConvertible {
    /// What cannot be met, rule by rule.
    public let demands: [UnmetDemand]

    /// An error.
    public init(demands: [UnmetDemand]) { self.demands = demands }

    /// Each demand's sentence, as far as a reader follows.
    public var description: String {
        let shown = demands.prefix(UnmetDemandsError.shown).map(\.sentence).joined(separator: "; ")
        let more = demands.count - UnmetDemandsError.shown
        return more > 0 ? "\(shown); and \(more) more" : shown
    }

    static let shown = 8
}

/// Holds tables against what an integration can do when they are loaded, and says what it finds in
/// the log: once for each demand, not once for each of a million rules.
public enum LoadDiagnosis {
    /// What a table demands that cannot be met; each kind is a warning in the log.
    @discardableResult
    public static func report(
        _ snapshot: PolicySnapshot, limits: IntegrationLimits, at time: UTCInstant,
        to logger: Logger
    ) -> [UnmetDemand] {
        let unmet = limits.unmetDemands(of: snapshot.engine, at: time)
        for demand in UnmetDemand.Demand.allCases {
            let concerned = unmet.filter { $0.demand == demand }
            guard let first = concerned.first else { continue }
            logger.warning(
                "a rule demands what this integration cannot give",
                metadata: [
                    "demand": "\(demand.rawValue)", "epoch": "\(snapshot.epoch)",
                    "first": "\(SafeText.line(first.sentence))", "rules": "\(concerned.count)",
                ])
        }
        return unmet
    }

    /// Reports on the table in force, and on each that follows as long as the answer is kept.
    ///
    /// - Throws: `UnmetDemandsError` where the program wants no rule that cannot be met.
    static func watch(
        _ store: PolicyStore, limits: IntegrationLimits, settings: HandshakeSettings
    ) throws(UnmetDemandsError) -> Watch {
        let unmet = report(
            store.snapshot, limits: limits, at: settings.clock(), to: settings.logger)
        if settings.unmetDemands == .refuse, !unmet.isEmpty {
            throw UnmetDemandsError(demands: unmet)
        }
        let clock = settings.clock
        let logger = settings.logger
        return Watch(
            store.onChange { report($0, limits: limits, at: clock(), to: logger) })
    }

    /// Keeps the reports coming, as long as it lives.
    final class Watch: Sendable {
        private let observation: PolicyStore.Observation

        init(_ observation: PolicyStore.Observation) { self.observation = observation }

        deinit { observation.cancel() }
    }
}
