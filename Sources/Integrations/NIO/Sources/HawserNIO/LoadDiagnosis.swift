#if NIO

public import Hawser
public import Logging
public import TrustEngine

/// The first table has rules for hosts of the program whose demands this integration cannot meet,
/// and the program refuses such rules.
public struct UnmetDemandsError: CodedError {
    /// The one reason.
    public enum Code: String, Hashable, Sendable, CaseIterable {
        /// A rule demands something that this integration cannot supply or check.
        case demandsUnmet = "demands-unmet"
    }

    /// Always `demands-unmet`.
    public var code: Code { .demandsUnmet }
    /// The demands that cannot be met, rule by rule.
    public let demands: [UnmetDemand]

    /// Makes an error.
    public init(demands: [UnmetDemand]) { self.demands = demands }

    /// The sentence of each demand; beyond a few, the others are counted.
    public var context: String {
        let shown = demands.prefix(UnmetDemandsError.shown).map(\.sentence).joined(separator: "; ")
        let more = demands.count - UnmetDemandsError.shown
        return more > 0 ? "\(shown); and \(more) more" : shown
    }

    static let shown = 8
}

/// Compares each loaded table with the limits of an integration and logs the demands that cannot be
/// met: once for each kind of demand, not once for each of a million rules.
public enum LoadDiagnosis {
    /// The demands of a table that cannot be met, in the rules for some hosts. Each kind is logged
    /// as a warning. Another warning names listed hosts for which no rule decides.
    @discardableResult
    public static func report(
        _ snapshot: PolicySnapshot, limits: IntegrationLimits, hosts: AskedHosts,
        at time: UTCInstant, to logger: Logger
    ) -> [UnmetDemand] {
        let engine = snapshot.engine
        let unruled = hosts.withoutRule(of: engine, at: time)
        if let first = unruled.first {
            logger.warning(
                "no rule decides for a host that this service asks",
                metadata: [
                    "epoch": "\(snapshot.epoch)", "hosts": "\(unruled.count)",
                    "first": "\(SafeText.line(first.host)):\(first.port)",
                ])
        }
        let unmet = limits.unmetDemands(of: engine, for: hosts, at: time)
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

    /// Reports on the table in force, and on each later table as long as the result is kept.
    ///
    /// - Parameter hosts: the hosts that will be asked for; nil where they are not known.
    /// - Throws: `UnmetDemandsError` where the program refuses rules whose demands cannot be met
    ///   and one of these rules in the table in force is for one of the hosts.
    static func watch(
        _ store: PolicyStore, limits: IntegrationLimits, hosts: AskedHosts?,
        settings: HandshakeSettings
    ) throws(UnmetDemandsError) -> Watch {
        let named = hosts ?? .everyHost
        let unmet = report(
            store.snapshot, limits: limits, hosts: named, at: settings.clock(),
            to: settings.logger)
        if settings.unmetDemands == .refuse, hosts != nil, !unmet.isEmpty {
            throw UnmetDemandsError(demands: unmet)
        }
        let clock = settings.clock
        let logger = settings.logger
        return Watch(
            store.onChange {
                report($0, limits: limits, hosts: named, at: clock(), to: logger)
            })
    }

    /// Keeps the reports coming as long as it lives.
    final class Watch: Sendable {
        private let observation: PolicyStore.Observation

        init(_ observation: PolicyStore.Observation) { self.observation = observation }

        deinit { observation.cancel() }
    }
}

#endif
