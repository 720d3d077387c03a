/// The limits of a fetcher, in all and for one request.
public struct FetchLimits: Hashable, Sendable {
    /// Octets of the longest CRL. The default, 32 MiB, is libcrypto's own limit.
    public var crlOctets = 32 << 20
    /// Octets of the longest OCSP response. The default, 100 KiB, is libcrypto's own limit for a
    /// response.
    public var responseOctets = 100 << 10
    /// Octets that may be fetched for one request.
    public var octetsPerRequest = 64 << 20
    /// How long one exchange may take, including the name resolution and the connection.
    public var timePerExchange = Duration.seconds(5)
    /// How long one request may wait for evidence.
    public var timePerRequest = Duration.seconds(10)
    /// URLs that are asked for the evidence about one certificate of a request.
    public var urlsPerCertificate = 2
    /// Exchanges with one host at the same time. Further exchanges wait.
    public var exchangesPerHost = 4
    /// Exchanges at the same time, with all hosts. Further exchanges wait.
    public var exchanges = 32
    /// Threads that wait for asynchronous callers at the same time.
    public var waiting = 64
    /// Octets of evidence that are kept in memory.
    public var memoryOctets = 128 << 20
    /// Octets of evidence that are kept on disk.
    public var diskOctets = 512 << 20
    /// How long a failed need or host is not asked again. Each further failure doubles the pause.
    public var firstPause = Duration.seconds(30)
    /// The longest pause after a failure.
    public var longestPause = Duration.seconds(3_600)
    /// How long an answer is kept that nobody vouches for or whose validity period is over.
    /// Evidence that did not satisfy is asked for again when it is this old.
    public var retry = Duration.seconds(300)
    /// The time after which `prefetch` fetches kept evidence again, at the latest. A responder may
    /// change its answer long before nextUpdate.
    public var refresh = Duration.seconds(86_400)

    /// The default limits.
    public init() {}
}

/// Whether a fetcher may ask, and which places.
public struct FetchPermissions: Hashable, Sendable {
    /// Who decides whether evidence may be fetched.
    public enum Consent: Hashable, Sendable {
        /// The rule decides: `revocation.network`.
        case policy
        /// The caller decides, whatever the rule says. This is for a person who asked for it, as on
        /// a command line.
        case caller
    }

    /// Who decides whether evidence may be fetched; by default the rule.
    public var consent = Consent.policy
    /// Networks that may be asked although they are private, loopback or otherwise special.
    public var networks: [AddressRange] = []
    /// Ports that may be asked.
    public var ports: Set<UInt16> = [80, 8080]

    /// The default permissions: public addresses, on ports 80 and 8080.
    public init() {}
}
