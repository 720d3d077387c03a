#if Serve
import NIOHTTP1

/// Bounds on what a caller may send, hold and wait for.
public struct ServerLimits: Hashable, Sendable {
    /// The most octets of a body.
    public var body = 1 << 20
    /// The most octets of a header: names and values of all fields. One field, and the target
    /// of a request, may have half of them.
    public var header = 16 << 10
    /// The most fields of a header.
    public var fields = 64
    /// The most connections that are open at a time. Some more are accepted, told of the
    /// bound, and closed.
    public var connections = 512
    /// The most connections of one caller: a user, or everybody who comes over TCP.
    public var connectionsPerCaller = 256
    /// The most requests at a time that take long: with a long body, for a rule, or with a
    /// fetch.
    public var longRequests = 64
    /// The time in which a request must have come and its answer must have gone.
    public var timePerRequest = Duration.seconds(10)
    /// The time after which a connection without a request is closed.
    public var idleTime = Duration.seconds(60)
    /// The time that requests have to end when the server stops.
    public var drainTime = Duration.seconds(10)
    /// The time that a connection is read from after its last answer, so that a caller who still
    /// sends gets to read it.
    let lingerTime = Duration.seconds(2)

    /// The bounds by default.
    public init() {}

    /// The bounds of a header, for the decoder.
    var decoder: NIOHTTPDecoderLimitConfiguration {
        var decoder = NIOHTTPDecoderLimitConfiguration()
        decoder.maxHeaderListSize = header
        decoder.maxHeaderFieldSize = header / 2
        decoder.maxHeaderFieldCount = fields
        return decoder
    }
}
#endif
