import Glibc
public import Hawser
public import Logging
public import NIOCore
public import TrustEngine

/// What a program says about how handshakes are judged, beside the policy.
public struct HandshakeSettings: Sendable {
    /// What to do about rules that demand what this integration cannot give.
    public enum UnmetDemandHandling: Hashable, Sendable {
        /// Say so in the log when a table is loaded; the verdicts of such a rule fail closed.
        case log
        /// Say so, refuse to start with such a table, and refuse every connection under such a rule
        /// of a later one before it is made, with `demands-unmet`.
        case refuse
    }

    /// What to do about rules that cannot be met.
    public var unmetDemands: UnmetDemandHandling
    /// Fetches evidence of revocation that a verdict wants, as far as the rule lets it; waiting
    /// happens on threads of its own. Nil for none.
    public var fetcher: EvidenceFetcher?
    /// Evidence that the program has: CRLs, a revocation set. Called on event loops, at each
    /// handshake.
    public var evidence: (@Sendable (_ host: String, _ port: UInt16) -> Evidence)?
    /// Called with every verdict, on the connection's event loop; for receipts and reports. It must
    /// not block.
    public var onVerdict: (@Sendable (JudgedHandshake, PolicySnapshot) -> Void)?
    /// How long a handshake may take from the moment that the connection stands, fetching included.
    public var timeout: TimeAmount
    /// Application protocols that the program speaks, in its order. Empty where it speaks whatever
    /// a rule names; a rule's own list, as far as it is spoken, wins.
    public var applicationProtocols: [String]
    /// The instant to judge at.
    public var clock: @Sendable () -> UTCInstant
    /// Where what cannot be met is said.
    public var logger: Logger

    /// Settings; nothing is fetched and ten seconds are allowed unless said otherwise.
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

    /// What can be had and seen where the whole chain is.
    var limits: IntegrationLimits {
        var sources: Set<IntegrationLimits.EvidenceSource> = []
        if fetcher != nil { sources.insert(.fetched) }
        if evidence != nil { sources.insert(.handedOver) }
        return IntegrationLimits(
            chain: .whole, applicationProtocols: applicationProtocols, evidence: sources)
    }
}
