import Hawser
import NIOCore
import TrustEngine

/// What is settled about a handshake before it begins: the table, the rule, and what is imposed.
struct HandshakePlan {
    let host: String
    let port: UInt16
    let snapshot: PolicySnapshot
    let demands: ConnectionDemands
    let derived: DerivedTLS
    let settings: HandshakeSettings

    /// - Throws: where no rule decides for the host: `rejected`, with the verdict that any chain
    ///   would get; where the program wants no rule that cannot be met and this is one:
    ///   `demands-unmet`.
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
                .rejected, host: host, port: port, ruleID: nil, epoch: snapshot.epoch,
                verdict: snapshot.evaluate(request), request: request)
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

    func error(_ code: HawserTLSError.Code, context: String) -> HawserTLSError {
        HawserTLSError(
            code, host: host, port: port, ruleID: demands.ruleID, epoch: snapshot.epoch,
            context: SafeText.line(context))
    }

    /// A judge of a connection that is configured as derived.
    func judge(on eventLoop: any EventLoop) -> HandshakeJudge {
        judge(on: eventLoop) { [derived] in derived.state(agreedOn: $0) }
    }

    /// A judge of a connection of which the closure says what is known.
    func judge(
        on eventLoop: any EventLoop, state: @escaping (TLSVersion?) -> TLSState
    ) -> HandshakeJudge {
        HandshakeJudge(
            host: host, port: port, demands: demands, snapshot: snapshot, settings: settings,
            eventLoop: eventLoop, state: state)
    }
}
