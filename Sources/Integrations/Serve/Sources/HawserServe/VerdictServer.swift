#if Serve
import CLibC
public import Hawser
import NIOCore
import NIOHTTP1
import NIOPosix
import VerdictService
public import TrustEngine

/// A server that judges over sockets of this machine: HTTP/1.1 and JSON, by
/// `grammar/serve.openapi.json`.
///
/// Uses SwiftNIO's own HTTP/1.1 without a framework above it. Six endpoints need no routing. The
/// peer's credentials, sockets that are handed over, and bounds on headers and times belong to the
/// connection, which a framework hides.
public final class VerdictServer: Sendable {
    /// The settings of a server.
    public struct Configuration: Sendable {
        /// Where to listen.
        public enum Place: Hashable, Sendable {
            /// A Unix socket at a path, with mode 0660 and this group; nil for the process's own.
            case unix(path: String, group: UInt32?)
            /// TCP at 127.0.0.1 or ::1. Port 0 is any that is free.
            case loopback(isIPv6: Bool, port: Int)
            /// A socket that another program opened and bound.
            case handedOver(Int32)
        }

        /// Where to listen; at least one place.
        public var places: [Place]
        /// Who may ask over a Unix socket; nil for root, the user of the process, and the
        /// members of the socket's group.
        public var callers: CallerRules?
        /// The token for TCP. Without it no server listens there.
        public var token: AccessToken?
        /// Bounds on what callers may do.
        public var limits = ServerLimits()
        /// Threads that judge; nil for one for each processor.
        public var threads: Int?
        /// What fetches evidence where a rule lets it; nil for nothing.
        public var fetcher: EvidenceFetcher?

        /// Settings with the default values.
        public init(places: [Place]) { self.places = places }
    }

    /// Where the table comes from.
    public enum Table: Sendable {
        /// A file, which is watched.
        case file(String)
        /// Octets.
        case octets([UInt8])
    }

    /// Why a server did not start.
    public struct StartError: CodedError {
        /// Stable names of the reasons.
        public enum Code: String, Hashable, Sendable, CaseIterable {
            /// The store cannot be made (`PolicyStoreError`).
            case storeNotOpened = "store-not-opened"
            /// The server has no socket to listen on.
            case notListening = "not-listening"
        }

        /// The reason.
        public let code: Code
        /// What was found: lower case, no full stop. Not escaped.
        public let context: String
    }

    /// The store that judges.
    public let store: PolicyStore
    /// The ports of TCP, in the order of the places.
    public let ports: [Int]
    private let core: ServerCore
    private let group: MultiThreadedEventLoopGroup
    private let listeners: [any Channel]
    private let sockets: [ListeningSocket]

    /// Opens a store and listens. The store's metrics belong to the server.
    public init(
        _ table: Table, store settings: PolicyStore.Configuration = .init(),
        _ configuration: Configuration
    ) throws(StartError) {
        let ledger = MetricsLedger()
        var settings = settings
        settings.metrics = ledger
        sockets = try VerdictServer.sockets(configuration)
        ports = sockets.compactMap { socket in
            if case .loopback(let port) = socket.kind { return port }
            return nil
        }
        let store: PolicyStore
        do throws(PolicyStoreError) {
            switch table {
            case .file(let path):
                store = try PolicyStore(file: path, configuration: settings)
            case .octets(let octets):
                store = try PolicyStore(table: octets, configuration: settings)
            }
        } catch {
            for socket in sockets { socket.remove() }
            throw StartError(code: .storeNotOpened, context: error.context)
        }
        self.store = store
        let threads = configuration.threads ?? System.coreCount
        group = MultiThreadedEventLoopGroup(numberOfThreads: threads)
        let workers = NIOThreadPool(numberOfThreads: threads)
        workers.start()
        core = ServerCore(
            service: VerdictResponder(
                store: store, ledger: ledger, fetcher: configuration.fetcher),
            limits: configuration.limits, workers: workers)
        do {
            var listeners: [any Channel] = []
            for socket in sockets {
                listeners.append(
                    try VerdictServer.listen(on: socket, core, group, configuration))
            }
            self.listeners = listeners
        } catch {
            self.listeners = []
            stop()
            throw StartError(code: .notListening, context: "the server cannot listen: \(error)")
        }
    }

    private static func sockets(
        _ configuration: Configuration
    ) throws(StartError) -> [ListeningSocket] {
        var sockets: [ListeningSocket] = []
        do throws(ListeningProblem) {
            for place in configuration.places {
                let socket: ListeningSocket
                switch place {
                case .unix(let path, let group):
                    socket = try ListeningSocket(path: path, group: group)
                case .loopback(let isIPv6, let port):
                    socket = try ListeningSocket(loopbackPort: port, isIPv6: isIPv6)
                case .handedOver(let descriptor):
                    socket = try ListeningSocket(handedOver: descriptor)
                }
                sockets.append(socket)
                if case .loopback = socket.kind, configuration.token == nil {
                    throw ListeningProblem(
                        "TCP is reached by every user of the machine, so it needs a token")
                }
            }
        } catch {
            for socket in sockets { socket.remove() }
            throw StartError(code: .notListening, context: error.context)
        }
        return sockets
    }

    /// Takes connections from a socket.
    private static func listen(
        on socket: ListeningSocket, _ core: ServerCore,
        _ group: MultiThreadedEventLoopGroup, _ configuration: Configuration
    ) throws -> any Channel {
        let rules: CallerRules?
        let loopback: RequestGate.Loopback?
        switch socket.kind {
        case .unix(let group):
            rules =
                configuration.callers
                ?? CallerRules(
                    users: [0, Accounts.own], groups: Set(group.map { [$0] } ?? []))
            loopback = nil
        case .loopback(let port):
            rules = nil
            loopback = configuration.token.map { RequestGate.Loopback(token: $0, port: port) }
        }
        let gate = RequestGate(loopback: loopback, limits: configuration.limits)
        let bounds = configuration.limits.decoder
        return try ServerBootstrap(group: group)
            .serverChannelOption(.backlog, value: ListeningSocket.backlog)
            .childChannelOption(.allowRemoteHalfClosure, value: true)
            .childChannelOption(.maxMessagesPerRead, value: 1)
            .childChannelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    try VerdictServer.serve(channel, core, gate, rules, bounds)
                }
            }
            .withBoundSocket(socket.descriptor).wait()
    }

    /// Puts the handlers of a new connection into its pipeline.
    private static func serve(
        _ channel: any Channel, _ core: ServerCore, _ gate: RequestGate,
        _ rules: CallerRules?, _ bounds: NIOHTTPDecoderLimitConfiguration
    ) throws {
        guard !core.counts.isFull(core.limits) else { throw ConnectionRefused() }
        let pipeline = channel.pipeline.syncOperations
        var caller = ServerCounts.Caller.loopback
        var refusal: ServiceProblem?
        if let rules {
            let peer = try pipeline.withUnsafeTransportIfAvailable(
                of: NIOBSDSocket.Handle.self
            ) { PeerCredentials(of: $0) }
            guard let peer, let peer else { throw ConnectionRefused() }
            caller = .user(peer.user)
            if !rules.allow(peer) {
                refusal = ServiceProblem(
                    .caller, "user \(peer.user) is not among those who may ask")
                core.counts.refuse(.caller)
            }
        }
        let isBounded = core.counts.open(caller, core.limits)
        let decoder = HTTPRequestDecoder(
            leftOverBytesStrategy: .dropBytes, limitConfiguration: bounds)
        do {
            try pipeline.addHandler(HTTPResponseEncoder())
            try pipeline.addHandler(ByteToMessageHandler(decoder))
            try pipeline.addHandler(
                ServedConnection(core, gate, caller, refusal: refusal ?? isBounded))
        } catch {
            core.counts.close(caller)
            throw error
        }
    }

    /// The connection is closed without a word.
    private struct ConnectionRefused: Error {}

    /// Reads the table's file again, as a change of the file does by itself.
    public func reload() { store.reload() }

    /// Stops: takes no new connection, ends idle ones, and gives requests that have begun the
    /// time of `ServerLimits.drainTime`. Returns whether they all ended in that time. A second call
    /// does nothing.
    @discardableResult
    public func stop() -> Bool {
        guard core.beginStopping() else { return true }
        for listener in listeners { try? listener.close().wait() }
        for socket in sockets { socket.remove() }
        core.connections.stop()
        let isDone = core.connections.waitUntilEmpty(within: core.limits.drainTime)
        if !isDone {
            core.connections.closeAll()
            _ = core.connections.waitUntilEmpty(within: core.limits.lingerTime)
        }
        store.close()
        try? group.syncShutdownGracefully()
        core.workers.shutdownGracefully { _ in }
        return isDone
    }
}
#endif
