#if NIO

import Glibc
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
        /// Each such demand is logged. The program cannot start with a first table that has such a
        /// rule. Under such a rule of a later table every connection is refused with
        /// `demands-unmet`, before it is made.
        case refuse
    }

    /// What happens with rules whose demands cannot be met.
    public var unmetDemands: UnmetDemandHandling
    /// Fetches revocation evidence that a verdict wants, as far as the rule permits fetching.
    /// Waiting happens on the fetcher's own threads. Nil for no fetching.
    public var fetcher: EvidenceFetcher?
    /// Gives evidence that the program has: CRLs, a revocation set. It is called on event loops, at
    /// each handshake.
    public var evidence: (@Sendable (_ host: String, _ port: UInt16) -> Evidence)?
    /// Called with every verdict, on the connection's event loop; for receipts and reports. It must
    /// not block.
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
    /// The log for demands that cannot be met.
    public var logger: Logger

    /// Makes settings. By default nothing is fetched and a handshake may take ten seconds.
    public init(
        unmetDemands: UnmetDemandHandling = .log, fetcher: EvidenceFetcher? = nil,
        evidence: (@Sendable (_ host: String, _ port: UInt16) -> Evidence)? = nil,
        onVerdict: (@Sendable (JudgedHandshake, PolicySnapshot) -> Void)? = nil,
        timeout: TimeAmount = .seconds(10), applicationProtocols: [String] = [],
        clock: @escaping @Sendable () -> UTCInstant = HandshakeSettings.systemClock,
        logger: Logger = Logger(label: "hawser.nio")
    ) {
        self.unmetDemands = unmetDemands
        self.fetcher = fetcher
        self.evidence = evidence
        self.onVerdict = onVerdict
        self.timeout = timeout
        self.applicationProtocols = applicationProtocols
        self.clock = clock
        self.logger = logger
    }

    /// The machine's clock.
    public static let systemClock: @Sendable () -> UTCInstant = {
        UTCInstant(secondsSinceEpoch: Int64(time(nil)))
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
