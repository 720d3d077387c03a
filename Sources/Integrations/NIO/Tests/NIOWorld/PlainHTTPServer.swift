public import NIOCore
import NIOPosix
import Synchronization

/// An HTTP/1.1 server on loopback whose answers are octets of the test's own choosing, so that they
/// may be wrong in any way. Each connection gets one answer and is closed, or is left open where
/// the answer says so.
public final class PlainHTTPServer: Sendable {
    /// What one request gets.
    public struct Answer: Sendable {
        /// Octets, head included.
        public var octets: [UInt8]
        /// Whether the connection stays open behind them, so that nothing more ever comes.
        public var staysOpen = false

        /// Octets as they are.
        public init(octets: [UInt8], staysOpen: Bool = false) {
            self.octets = octets
            self.staysOpen = staysOpen
        }

        /// A head and a body; `Content-Length` is the body's unless given.
        public init(
            _ status: String, _ fields: [String] = [], body: [UInt8] = [], length: Int? = nil,
            staysOpen: Bool = false
        ) {
            let lines =
                ["HTTP/1.1 \(status)", "Content-Length: \(length ?? body.count)"]
                + (staysOpen ? [] : ["Connection: close"]) + fields
            octets = Array((lines.joined(separator: "\r\n") + "\r\n\r\n").utf8) + body
            self.staysOpen = staysOpen
        }
    }

    private let channel: any Channel
    private let requests: Requests

    final class Requests: Sendable {
        let seen = Mutex<[String]>([])
        let answer: @Sendable (String) -> Answer
        init(_ answer: @escaping @Sendable (String) -> Answer) { self.answer = answer }
    }

    /// Starts a server.
    ///
    /// - Parameters:
    ///   - group: its event loops.
    ///   - tls: adds TLS to a connection, where there is any.
    ///   - answer: what a request gets, by its head.
    public init(
        group: any EventLoopGroup, tls: (@Sendable (any Channel) throws -> Void)? = nil,
        answer: @escaping @Sendable (String) -> Answer
    ) async throws {
        let requests = Requests(answer)
        self.requests = requests
        channel = try await ServerBootstrap(group: group)
            .childChannelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    try tls?(channel)
                    try channel.pipeline.syncOperations.addHandler(AnswerHandler(requests))
                }
            }
            .bind(host: "127.0.0.1", port: 0).get()
    }

    /// The port that it listens on.
    public var port: UInt16 { UInt16(channel.localAddress!.port!) }
    /// Heads of the requests so far.
    public var seen: [String] { requests.seen.withLock { $0 } }

    /// Stops listening.
    public func stop() async throws { try await channel.close() }
}

private final class AnswerHandler: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer
    typealias OutboundOut = ByteBuffer

    private let requests: PlainHTTPServer.Requests
    private var head = ""

    init(_ requests: PlainHTTPServer.Requests) { self.requests = requests }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        head += String(buffer: unwrapInboundIn(data))
        guard head.hasSuffix("\r\n\r\n") else { return }
        let asked = head
        head = ""
        requests.seen.withLock { $0.append(asked) }
        let answer = requests.answer(asked)
        let written = context.writeAndFlush(wrapOutboundOut(ByteBuffer(bytes: answer.octets)))
        guard !answer.staysOpen else { return }
        written.assumeIsolated().whenComplete { _ in context.close(promise: nil) }
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        context.close(promise: nil)
    }
}
