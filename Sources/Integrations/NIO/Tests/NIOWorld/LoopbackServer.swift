public import NIOCore
import NIOPosix
public import NIOSSL
import Synchronization

/// A TLS server on a free port of loopback that sends back what it reads, and counts.
public final class LoopbackServer: Sendable {
    private let channel: any Channel
    private let counters: Counters

    /// What was seen so far.
    public final class Counters: Sendable {
        private let connections = Atomic(0)
        private let octets = Atomic(0)

        /// Connections that were taken.
        public var accepted: Int { connections.load(ordering: .sequentiallyConsistent) }
        /// Octets that came through TLS.
        public var received: Int { octets.load(ordering: .sequentiallyConsistent) }

        func connected() { connections.add(1, ordering: .sequentiallyConsistent) }
        func read(_ count: Int) { octets.add(count, ordering: .sequentiallyConsistent) }
    }

    /// Starts a server with a TLS configuration.
    public convenience init(
        _ configuration: TLSConfiguration, group: any EventLoopGroup
    ) async throws {
        let context = try NIOSSLContext(configuration: configuration)
        try await self.init(group: group) { channel in
            try channel.pipeline.syncOperations.addHandler(NIOSSLServerHandler(context: context))
        }
    }

    /// Starts a server that sets up its connections as the closure says.
    public init(
        group: any EventLoopGroup, setUp: @escaping @Sendable (any Channel) throws -> Void
    ) async throws {
        let counters = Counters()
        self.counters = counters
        channel = try await ServerBootstrap(group: group)
            .serverChannelOption(.socketOption(.so_reuseaddr), value: 1)
            .serverChannelOption(.backlog, value: 1_024)
            .childChannelInitializer { channel in
                counters.connected()
                return channel.eventLoop.makeCompletedFuture {
                    try setUp(channel)
                    try channel.pipeline.syncOperations.addHandler(EchoHandler(counters))
                }
            }
            .bind(host: "127.0.0.1", port: 0).get()
    }

    /// Where it listens.
    public var address: SocketAddress { channel.localAddress! }
    /// The port that it listens on.
    public var port: UInt16 { UInt16(channel.localAddress!.port!) }
    /// Connections that were taken.
    public var accepted: Int { counters.accepted }
    /// Octets that came through TLS.
    public var received: Int { counters.received }

    /// Stops listening.
    public func stop() async throws { try await channel.close() }
}

private final class EchoHandler: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer
    typealias OutboundOut = ByteBuffer

    private let counters: LoopbackServer.Counters

    init(_ counters: LoopbackServer.Counters) { self.counters = counters }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        counters.read(unwrapInboundIn(data).readableBytes)
        context.writeAndFlush(data, promise: nil)
    }

    /// Peers that refuse a certificate are what tests are about.
    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        context.close(promise: nil)
    }
}

/// Reads until it has seen so many octets.
public final class ReplyHandler: ChannelInboundHandler, Sendable {
    /// Octets of the peer.
    public typealias InboundIn = ByteBuffer

    private let reply: EventLoopPromise<[UInt8]>
    private let errors = Mutex<[any Error]>([])
    private let octets = Mutex<[UInt8]>([])
    private let count: Int

    /// Expects `count` octets.
    public init(_ count: Int, on eventLoop: any EventLoop) {
        self.count = count
        self.reply = eventLoop.makePromise()
    }

    /// A handler that never came into a pipeline has no answer.
    deinit { reply.fail(ChannelError.eof) }

    /// What came.
    public var answer: EventLoopFuture<[UInt8]> { reply.futureResult }
    /// Errors that came through the pipeline.
    public var seen: [any Error] { errors.withLock { $0 } }

    /// Keeps what came.
    public func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        let buffer = unwrapInboundIn(data)
        let all = octets.withLock { octets in
            octets += buffer.readableBytesView
            return octets
        }
        if all.count >= count { reply.succeed(all) }
    }

    /// Keeps what went wrong.
    public func errorCaught(context: ChannelHandlerContext, error: any Error) {
        errors.withLock { $0.append(error) }
        reply.fail(error)
    }

    /// Nothing comes any more.
    public func channelInactive(context: ChannelHandlerContext) {
        reply.fail(ChannelError.eof)
        context.fireChannelInactive()
    }
}
