#if NIO

import CLibC
public import Hawser
public import Logging
public import NIOCore
public import TrustEngine

/// Settings of the program, besides the policy, for judging handshakes.
public struct HandshakeSettings: Sendable {
    /// What happens with rules that demand something that this integration cannot supply or check.
    public enum UnmetDemandHandling: Hashable, Sendable {
        /// Each such demand is logged when a table is loaded. The verdicts of the rule fail closed.
        case log
        /// Each unmet demand is logged. A client or server is not made when the table in force has
        /// a rule with an unmet demand for one of `hosts`. Under every rule with an unmet demand,
        /// also of a later table and for a host that is not listed, each connection is refused with
        /// `demands-unmet`, before it is made.
        case refuse
    }

    /// What happens with rules whose demands cannot be met.
    public var unmetDemands: UnmetDemandHandling
    /// The hosts by whose rules a table is tested at its load; nil where the program does not know
    /// its hosts beforehand. With nil the log names the unmet demands of every rule, and nothing is
    /// refused before a connection asks for its host. A server, and a hook for one origin, are
    /// tested by their own host.
    public var hosts: AskedHosts?
    /// Fetches revocation evidence that a verdict wants, as far as the rule permits fetching.
    /// Waiting happens on the fetcher's own threads. Nil for no fetching.
    public var fetcher: EvidenceFetcher?
    /// Gives evidence that the program has: CRLs, a revocation set. It is called on event loops, at
    /// each handshake.
    public var evidence: (@Sendable (_ host: String, _ port: UInt16) -> Evidence)?
    /// The records of every verdict: receipts, reports, and a line of log for each refusal. By
    /// default only lines of log.
    public var recording: VerdictRecording
    /// Called with the verdict on every connection that is judged or refused, once for each, on the
    /// connection's event loop. A connection that is refused before it is made is among them: no
    /// rule decides for its host, its host cannot be read, its rule's demands cannot be met. A
    /// connection that ends without a decision, such as one that timed out, is not. It must not
    /// block.
    public var onVerdict: (@Sendable (JudgedHandshake, PolicySnapshot) -> Void)?
    /// How long a handshake may take from the moment when the connection is open, fetching
    /// included.
    public var timeout: TimeAmount
    /// The application protocols that the program speaks, in its order; empty where it speaks every
    /// protocol that a rule names. Where a rule has a list of its own, the rule's order holds,
    /// limited to the protocols that the program speaks.
    public var applicationProtocols: [String]
    /// Gives the validation time.
    public var clock: @Sendable () -> UTCInstant
    /// The log for demands that cannot be met and for refused connections.
    public var logger: Logger

    /// Makes settings. By default nothing is fetched and a handshake may take ten seconds.
    public init(
        unmetDemands: UnmetDemandHandling = .log, hosts: AskedHosts? = nil,
        fetcher: EvidenceFetcher? = nil,
        evidence: (@Sendable (_ host: String, _ port: UInt16) -> Evidence)? = nil,
        recording: VerdictRecording = VerdictRecording(),
        onVerdict: (@Sendable (JudgedHandshake, PolicySnapshot) -> Void)? = nil,
        timeout: TimeAmount = .seconds(10), applicationProtocols: [String] = [],
        clock: @escaping @Sendable () -> UTCInstant = { .now },
        logger: Logger = Logger(label: "hawser.nio")
    ) {
        self.unmetDemands = unmetDemands
        self.hosts = hosts
        self.fetcher = fetcher
        self.evidence = evidence
        self.recording = recording
        self.onVerdict = onVerdict
        self.timeout = timeout
        self.applicationProtocols = applicationProtocols
        self.clock = clock
        self.logger = logger
    }

    /// Hands a decision to all that the program has set for verdicts.
    func note(_ handshake: JudgedHandshake, _ decision: Decision) {
        recording.record(handshake, decision, to: logger)
        onVerdict?(handshake, decision.policy)
    }

    /// Hands on a refusal. `decision` is the reject, where the caller has it. A refusal that has no
    /// verdict is noted with the decision on a request without certificates.
    func note(
        _ refusal: HawserTLSError, _ decision: Decision? = nil, by snapshot: PolicySnapshot
    ) {
        let decision =
            decision ?? refusal.decision(by: snapshot)
            ?? snapshot.judge(
                TrustRequest(
                    host: refusal.host, port: refusal.port, presentedChain: [], time: clock()))
        let handshake = JudgedHandshake(
            host: refusal.host, port: refusal.port, ruleID: refusal.ruleID,
            epoch: snapshot.epoch, revision: snapshot.revision, request: decision.request,
            verdict: decision.verdict, refusal: refusal)
        note(handshake, decision)
    }

    /// What can be seen and supplied where the peer's whole chain is visible.
    var limits: IntegrationLimits {
        var sources: Set<IntegrationLimits.EvidenceSource> = []
        if fetcher != nil { sources.insert(.fetched) }
        if evidence != nil { sources.insert(.handedOver) }
        return IntegrationLimits(
            chain: .whole, applicationProtocols: applicationProtocols, evidence: sources)
    }
}

#endif
