#if NIO

import Hawser
import NIOCore
import TrustEngine

/// The values that are fixed before a handshake begins: the table, the rule, and the TLS parameters
/// that are imposed.
struct HandshakePlan {
    let host: String
    let port: UInt16
    let snapshot: PolicySnapshot
    let demands: ConnectionDemands
    let derived: DerivedTLS
    let settings: HandshakeSettings

    /// - Throws: `rejected` where no rule decides for the host, with the verdict that every chain
    ///   would get. `demands-unmet` where the rule has demands that cannot be met and the program
    ///   refuses such rules.
    init(
        snapshot: PolicySnapshot, host: String, port: UInt16, settings: HandshakeSettings,
        limits: IntegrationLimits
    ) throws(HawserTLSError) {
        let time = settings.clock()
        guard
            let demands = ConnectionDemands(
                of: snapshot.engine, host: host, port: port, at: time)
        else {
            let request = TrustRequest(host: host, port: port, presentedChain: [], time: time)
            throw HawserTLSError(
                rejected: snapshot.judge(request), ruleID: nil, settings: settings)
        }
        self.host = host
        self.port = port
        self.snapshot = snapshot
        self.demands = demands
        self.derived = DerivedTLS(
            demands, applicationProtocols: settings.applicationProtocols)
        self.settings = settings
        guard settings.unmetDemands == .refuse else { return }
        let unmet = limits.unmetDemands(of: demands)
        guard unmet.isEmpty else {
            throw error(
                .demandsUnmet, context: unmet.map(\.sentence).joined(separator: "; "))
        }
    }

    /// Makes a plan, as `init` does, and notes a refusal like a verdict. Call it on the event loop
    /// of the connection.
    static func noting(
        snapshot: PolicySnapshot, host: String, port: UInt16, settings: HandshakeSettings,
        limits: IntegrationLimits
    ) throws(HawserTLSError) -> HandshakePlan {
        do {
            return try HandshakePlan(
                snapshot: snapshot, host: host, port: port, settings: settings, limits: limits)
        } catch {
            settings.note(error, by: snapshot)
            throw error
        }
    }

    /// Refuses the connection before anybody is judged, and notes the refusal like a verdict.
    func refusal(_ code: HawserTLSError.Code, context: String? = nil) -> HawserTLSError {
        let refusal = error(code, context: context)
        settings.note(refusal, by: snapshot)
        return refusal
    }

    private func error(_ code: HawserTLSError.Code, context: String?) -> HawserTLSError {
        HawserTLSError(
            code, host: host, port: port, ruleID: demands.ruleID, epoch: snapshot.epoch,
            context: context.map { SafeText.line($0) })
    }

    /// Makes a judge for a connection that is configured by this plan.
    func judge(on eventLoop: any EventLoop) -> HandshakeJudge {
        judge(on: eventLoop) { [derived] in derived.state(agreedOn: $0) }
    }

    /// Makes a judge for a connection whose TLS state the closure gives.
    func judge(
        on eventLoop: any EventLoop, state: @escaping (TLSVersion?) -> TLSState
    ) -> HandshakeJudge {
        HandshakeJudge(
            host: host, port: port, demands: demands, snapshot: snapshot, settings: settings,
            eventLoop: eventLoop, state: state)
    }
}

#endif
