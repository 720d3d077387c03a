/// What a fetcher may take, in all and for one request.
public struct FetchLimits: Hashable, Sendable {
    /// Octets of the longest CRL. The default, 32 MiB, is libcrypto's own.
    public var crlOctets = 32 << 20
    /// Octets of the longest OCSP response. The default, 100 KiB, is libcrypto's own for what it
    /// gets.
    public var responseOctets = 100 << 10
    /// Octets that one request may fetch.
    public var octetsPerRequest = 64 << 20
    /// How long one exchange may take, resolving and connecting included.
    public var timePerExchange = Duration.seconds(5)
    /// How long one request may wait for evidence.
    public var timePerRequest = Duration.seconds(10)
    /// URLs that are asked for one certificate.
    public var urlsPerCertificate = 2
    /// Exchanges at one time with one host. Others wait.
    public var exchangesPerHost = 4
    /// Exchanges at one time.
    public var exchanges = 32
    /// Threads on which asynchronous callers wait.
    public var waiting = 64
    /// Octets of evidence that are kept in memory.
    public var memoryOctets = 128 << 20
    /// Octets of evidence that are kept on disk.
    public var diskOctets = 512 << 20
    /// Seconds for which a place that failed is not asked again; doubled with every further
    /// failure.
    public var firstPause: Int64 = 30
    /// Seconds of the longest such pause.
    public var longestPause: Int64 = 3_600
    /// Seconds for which an answer is kept that nobody vouches for or whose time is over, and after
    /// which one that did not satisfy is asked for again.
    public var retry: Int64 = 300
    /// Seconds after which evidence that is in use is fetched anew by `prefetch`, at the latest; a
    /// responder may say something else long before nextUpdate.
    public var refresh: Int64 = 86_400

    /// The defaults.
    public init() {}
}

/// Where a fetcher may go.
public struct FetchPermissions: Hashable, Sendable {
    /// Networks that are asked although they are private, loopback or otherwise special.
    public var networks: [AddressRange] = []
    /// Ports that are asked.
    public var ports: Set<UInt16> = [80, 8080]

    /// Public addresses, on ports 80 and 8080.
    public init() {}
}
