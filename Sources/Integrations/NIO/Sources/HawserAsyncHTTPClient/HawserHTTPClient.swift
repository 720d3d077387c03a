#if AsyncHTTPClient

public import AsyncHTTPClient
public import Hawser
public import HawserNIO
public import Logging
public import NIOCore
import NIOHTTP1
public import NIOSSL
import Synchronization
public import TrustEngine

/// An HTTP client whose TLS connections are judged by a policy store, by the whole chain that the
/// server presents:
///
///     let client = try HawserHTTPClient(store: store)
///     let response = try await client.execute(
///         HTTPClientRequest(url: "https://api.acme.example/v1"), timeout: .seconds(10))
///
/// A refused server gives a `HawserTLSError` with the violations, before any octet of the request
/// was sent.
///
/// async-http-client makes its TLS handlers itself and does not show the chain. So this client does
/// TLS without it. Each origin has an `HTTPClient` of its own, which opens plain connections. Its
/// hook, which must end before a connection is used, adds Hawser's handlers to the connection and
/// waits for the verdict. From this follows:
///
/// - `https` URLs only; HTTP/1.1 only; no proxy (the client would speak to a proxy in the clear).
/// - Redirects are returned and not followed: a request to another host is a request with a verdict
///   of its own.
/// - Connections are pooled for one origin and one epoch. When the table's meaning changes, new
///   requests open new connections. The old pool ends after `drain`; a response that still streams
///   then is cut off.
public final class HawserHTTPClient: Sendable {
    /// Why a request was not made.
    public struct RequestError: CodedError {
        /// Stable names of the reasons.
        public enum Code: String, Hashable, Sendable, CaseIterable {
            /// The text is not an `https` URL.
            case notHTTPS = "not-https"
            /// The client has been shut down.
            case shutDown = "shut-down"
        }

        /// The reason.
        public let code: Code
        /// What was found: lower case, no full stop.
        public let context: String

        private init(_ code: Code, _ context: String) {
            self.code = code
            self.context = context
        }

        static func notHTTPS(url: String) -> RequestError {
            RequestError(.notHTTPS, "`\(SafeText.line(url))` is not an `https` URL")
        }

        static let shutDown = RequestError(.shutDown, "the client has been shut down")
    }

    private struct Pool {
        let client: HTTPClient
        let epoch: UInt64
        var lastUse: UInt64
    }

    private struct State {
        var pools: [WebOrigin: Pool] = [:]
        /// Pools of epochs that are over, until their `drain` time has passed.
        var draining: [Swift.ObjectIdentifier: HTTPClient] = [:]
        var uses: UInt64 = 0
        var isShutDown = false
    }

    private let store: PolicyStore
    private let trust: HawserClientTLS
    private let configuration: HTTPClient.Configuration
    private let group: any EventLoopGroup
    private let drain: TimeAmount
    private let state = Mutex(State())

    /// Most origins that have a pool. Beyond that the pool that was used least recently ends.
    private static let mostPools = 256

    /// Makes a client. The program must shut it down with `shutdown()`.
    ///
    /// - Parameters:
    ///   - store: the store whose tables judge.
    ///   - settings: how handshakes are judged. The client itself sets `applicationProtocols` to
    ///     the protocol that it speaks.
    ///   - base: a client certificate, the key log, the shutdown timeout.
    ///   - configuration: timeouts, pool sizes, decompression, resolution. Its redirects, HTTP
    ///     version, proxy, hooks and TLS are replaced, as described above.
    ///   - group: the event loops.
    ///   - drain: how long requests that began under one table may go on under the next table.
    /// - Throws: `UnmetDemandsError`, as `HawserClientTLS` does.
    public init(
        store: PolicyStore, settings: HandshakeSettings = HandshakeSettings(),
        base: TLSConfiguration = .makeClientConfiguration(),
        configuration: HTTPClient.Configuration = HTTPClient.Configuration(),
        group: any EventLoopGroup = HTTPClient.defaultEventLoopGroup,
        drain: TimeAmount = .seconds(60)
    ) throws(UnmetDemandsError) {
        var settings = settings
        settings.applicationProtocols = ["http/1.1"]
        self.store = store
        self.trust = try HawserClientTLS(store: store, settings: settings, base: base)
        var configuration = configuration
        configuration.redirectConfiguration = .disallow
        configuration.httpVersion = .http1Only
        configuration.proxy = nil
        configuration.tlsConfiguration = nil
        configuration.http2ConnectionDebugInitializer = nil
        configuration.http2StreamChannelDebugInitializer = nil
        // A second attempt would get the same answer, and the reason would be lost.
        configuration.connectionPool.retryConnectionEstablishment = false
        self.configuration = configuration
        self.group = group
        self.drain = drain
    }

    deinit {
        let left = state.withLock { state in
            let clients = state.pools.values.map(\.client) + state.draining.values
            state = State(isShutDown: true)
            return clients
        }
        // A program that forgot to shut the client down must not crash.
        for client in left { client.shutdown().whenComplete { _ in } }
    }

    /// Makes a request.
    ///
    /// - Parameters:
    ///   - request: a request with an `https` URL. Its TLS configuration is ignored; the rule's
    ///     configuration holds.
    ///   - timeout: how long the request may take, connecting and the handshake included.
    ///   - logger: the log of async-http-client.
    /// - Throws: `HawserTLSError` where the server is refused, and before its host is looked up
    ///   where no rule decides for the host; `RequestError` where the request cannot be made;
    ///   errors of async-http-client.
    public func execute(
        _ request: HTTPClientRequest, timeout: TimeAmount, logger: Logger? = nil
    ) async throws -> HTTPClientResponse {
        guard let (origin, target) = WebOrigin.split(request.url), origin.scheme == .https else {
            throw RequestError.notHTTPS(url: request.url)
        }
        if let refusal = trust.earlyRefusal(host: origin.host, port: origin.port),
            state.withLock({ !$0.isShutDown })
        {
            try await group.next().submit { refusal.note() }.get()
            throw refusal.error
        }
        var inner = request
        // For async-http-client the URL is plain HTTP. The hook below adds TLS. It cannot be left
        // out, because no other code hands requests to these clients.
        inner.url = "http://\(origin.authorityHost):\(origin.port)\(target)"
        inner.tlsConfiguration = nil
        if !inner.headers.contains(name: "Host") {
            inner.headers.add(name: "Host", value: origin.hostField)
        }
        return try await pool(of: origin).execute(inner, timeout: timeout, logger: logger)
    }

    /// Ends every connection. Requests that are under way fail.
    public func shutdown() async throws {
        let clients = state.withLock { state in
            let clients = state.pools.values.map(\.client) + state.draining.values
            state = State(isShutDown: true)
            return clients
        }
        for client in clients { try await client.shutdown() }
    }

    // MARK: Pools

    /// The pool of an origin under the table in force.
    private func pool(of origin: WebOrigin) throws(RequestError) -> HTTPClient {
        let epoch = store.snapshot.epoch
        let found = state.withLock { state -> (client: HTTPClient, retired: [HTTPClient])? in
            guard !state.isShutDown else { return nil }
            state.uses += 1
            // A thread that saw an older epoch than another thread must not bring the older pool
            // back.
            if let pool = state.pools[origin], pool.epoch >= epoch {
                state.pools[origin]?.lastUse = state.uses
                return (pool.client, [])
            }
            var retired: [HTTPClient] = []
            if let old = state.pools.removeValue(forKey: origin) { retired.append(old.client) }
            if state.pools.count >= HawserHTTPClient.mostPools,
                let idlest = state.pools.min(by: { $0.value.lastUse < $1.value.lastUse })?.key,
                let old = state.pools.removeValue(forKey: idlest)
            {
                retired.append(old.client)
            }
            for client in retired { state.draining[Swift.ObjectIdentifier(client)] = client }
            let client = makeClient(origin)
            state.pools[origin] = Pool(client: client, epoch: epoch, lastUse: state.uses)
            return (client, retired)
        }
        guard let found else { throw .shutDown }
        for client in found.retired { end(client) }
        return found.client
    }

    private func makeClient(_ origin: WebOrigin) -> HTTPClient {
        var configuration = configuration
        let trust = trust
        let own = configuration.http1_1ConnectionDebugInitializer
        configuration.http1_1ConnectionDebugInitializer = { channel in
            let judged = channel.eventLoop.flatSubmit { () -> EventLoopFuture<JudgedHandshake> in
                do {
                    return try trust.addHandlers(
                        to: channel, host: origin.host, port: origin.port, position: .first
                    ).handshake
                } catch {
                    return channel.eventLoop.makeFailedFuture(error)
                }
            }
            // async-http-client gives a connection up that its hook refuses, but does not close it.
            judged.whenFailure { _ in channel.close(promise: nil) }
            return judged.flatMap { _ in
                own?(channel) ?? channel.eventLoop.makeSucceededVoidFuture()
            }
        }
        return HTTPClient(eventLoopGroupProvider: .shared(group), configuration: configuration)
    }

    /// Ends a pool after the `drain` time.
    private func end(_ client: HTTPClient) {
        _ = group.next().scheduleTask(in: drain) { [weak self] in
            let drained = self?.state.withLock { state in
                state.draining.removeValue(forKey: Swift.ObjectIdentifier(client))
            }
            drained?.shutdown().whenComplete { _ in }
        }
    }
}

#endif
