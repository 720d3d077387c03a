#if NIO

import CLibC
public import Hawser
public import NIOCore
public import NIOPosix
public import NIOSSL
import Synchronization
import TrustEngine

/// Makes TLS clients whose connections are judged by a policy store:
///
///     let trust = try HawserClientTLS(store: store)
///     let connection = try await trust.connect(
///         ClientBootstrap(group: group), host: "api.acme.example", port: 443
///     ).get()
///
/// The TLS configuration of each connection is derived from the rule that decides for the
/// connection's host, so nothing that the rule refuses is offered. All certificates that the peer
/// presents are judged on the event loop, by the table that was in force when the connection was
/// made. A refused connection fails with `HawserTLSError`, which holds the violations.
///
/// SwiftNIO SSL's clients never resume a session, so every connection is judged. TLS contexts are
/// kept for one epoch. `IntegrationLimits` names the demands that cannot be met; they are logged at
/// each load.
public final class HawserClientTLS: Sendable {
    private let store: PolicyStore
    private let settings: HandshakeSettings
    private let base: TLSConfiguration
    private let contexts = ContextCache()
    private let watch: LoadDiagnosis.Watch

    /// Makes a maker of clients.
    ///
    /// - Parameters:
    ///   - store: the store whose tables judge.
    ///   - settings: how handshakes are judged, besides the policy.
    ///   - base: the settings that no rule is about: the client's own certificate and key, the key
    ///     log, the shutdown timeout. Versions, suites, groups, protocols and trust come from the
    ///     rule.
    /// - Throws: `UnmetDemandsError` where `settings` refuse rules whose demands cannot be met and
    ///   one of these rules in the table in force is for one of `settings.hosts`.
    public init(
        store: PolicyStore, settings: HandshakeSettings = HandshakeSettings(),
        base: TLSConfiguration = .makeClientConfiguration()
    ) throws(UnmetDemandsError) {
        self.store = store
        self.settings = settings
        self.base = base
        self.watch = try LoadDiagnosis.watch(
            store, limits: settings.limits, hosts: settings.hosts, settings: settings)
    }

    /// Connects, and gives the connection once its peer was accepted.
    ///
    /// - Parameters:
    ///   - bootstrap: the program's bootstrap. Its channel initializer is replaced.
    ///   - host: the name or address that is requested and judged, as in `TrustRequest.host`.
    ///   - port: the port that is connected to and judged.
    ///   - address: where to connect, when that is not the address that `host` resolves to.
    ///   - channelInitializer: adds the program's own handlers, behind TLS.
    /// - Returns: a future that fails with `HawserTLSError` when the peer is refused. Where no rule
    ///   decides for the host it fails before the host is looked up.
    public func connect(
        _ bootstrap: ClientBootstrap, host: String, port: UInt16, address: SocketAddress? = nil,
        channelInitializer: @escaping @Sendable (any Channel) -> EventLoopFuture<Void> = {
            $0.eventLoop.makeSucceededVoidFuture()
        }
    ) -> EventLoopFuture<TrustedConnection> {
        if let refusal = earlyRefusal(host: host, port: port) {
            return refuse(bootstrap, refusal)
        }
        let handshake = Mutex<EventLoopFuture<JudgedHandshake>?>(nil)
        let shared = Shared(handshake)
        let configured = bootstrap.channelInitializer { channel in
            do {
                let handler = try self.addHandlers(to: channel, host: host, port: port)
                shared.handshake.withLock { $0 = handler.handshake }
            } catch {
                return channel.eventLoop.makeFailedFuture(error)
            }
            return channelInitializer(channel)
        }
        let connected =
            address.map { configured.connect(to: $0) }
            ?? configured.connect(host: host, port: Int(port))
        return connected.flatMapErrorThrowing { error in
            // Where the host has several addresses, SwiftNIO collects the errors of all. A later
            // table may have refused the connection.
            let attempts = (error as? NIOConnectionError)?.connectionErrors ?? []
            throw attempts.lazy.compactMap { $0.error as? HawserTLSError }.first ?? error
        }.flatMap { channel in
            guard let handshake = shared.handshake.withLock({ $0 }) else {
                return channel.eventLoop.makeFailedFuture(
                    ChannelError.inappropriateOperationForState)
            }
            return handshake.map { TrustedConnection(channel: channel, handshake: $0) }
        }
    }

    /// Refuses a connection before its host is looked up. A channel that is never connected gives
    /// the event loop on which the program hears of it.
    private func refuse(
        _ bootstrap: ClientBootstrap, _ refusal: EarlyRefusal
    ) -> EventLoopFuture<TrustedConnection> {
        let refused = bootstrap.channelInitializer { channel in
            refusal.note()
            return channel.eventLoop.makeFailedFuture(refusal.error)
        }
        return refused.connect(to: SocketAddress(sockaddr_in())).flatMapThrowing { _ in
            throw refusal.error
        }
    }

    /// Why no connection to a host would be made by the table in force; nil where one would be.
    package func earlyRefusal(host: String, port: UInt16) -> EarlyRefusal? {
        let snapshot = store.snapshot
        do {
            _ = try HandshakePlan(
                snapshot: snapshot, host: host, port: port, settings: settings,
                limits: settings.limits)
            return nil
        } catch {
            return EarlyRefusal(error: error, snapshot: snapshot, settings: settings)
        }
    }

    /// The refusal of a connection that was not made.
    package struct EarlyRefusal: Sendable {
        /// The error that the connection fails with.
        package let error: HawserTLSError
        let snapshot: PolicySnapshot
        let settings: HandshakeSettings

        /// Notes the refusal like a verdict. Call it on an event loop.
        package func note() { settings.note(error, by: snapshot) }
    }

    /// Adds the handlers of a client connection to a channel: first NIOSSL's handler, then the
    /// handler that keeps the program apart from the peer until the verdict. Call it on the
    /// channel's event loop.
    ///
    /// - Parameters:
    ///   - channel: the connection.
    ///   - host: the name or address that is requested and judged.
    ///   - port: the port that is judged.
    ///   - position: the place in the pipeline; `first` for a channel that has handlers already.
    /// - Throws: `HawserTLSError` where no rule decides for the host; where the rule's demands
    ///   cannot be met and the program refuses such rules; where BoringSSL refuses the
    ///   configuration.
    @discardableResult
    public func addHandlers(
        to channel: any Channel, host: String, port: UInt16,
        position: ChannelPipeline.SynchronousOperations.Position = .last
    ) throws -> HawserTLSHandler {
        channel.eventLoop.preconditionInEventLoop()
        let snapshot = store.snapshot
        let plan = try HandshakePlan.noting(
            snapshot: snapshot, host: host, port: port, settings: settings,
            limits: settings.limits)
        let judge = plan.judge(on: channel.eventLoop)
        let tls: NIOSSLClientHandler
        do {
            let context = try contexts.context(of: plan.demands, epoch: snapshot.epoch) {
                var configuration = base
                plan.derived.impose(on: &configuration)
                // The verdict replaces BoringSSL's own verification, which includes the comparison
                // of names.
                configuration.certificateVerification = .noHostnameVerification
                configuration.trustRoots = .certificates([])
                configuration.additionalTrustRoots = []
                return try NIOSSLContext(configuration: configuration)
            }
            tls = try NIOSSLClientHandler(
                context: context, serverHostname: plan.demands.serverName,
                customVerificationCallback: judge.verify)
        } catch {
            throw plan.refusal(.configuration, context: "\(error)")
        }
        judge.tls = tls
        let handler = HawserTLSHandler(
            judge: judge, timeout: settings.timeout, eventLoop: channel.eventLoop)
        // NIOSSL begins its handshake when it is added to an open channel. So our handler is added
        // first.
        try channel.pipeline.syncOperations.addHandler(handler, position: position)
        try channel.pipeline.syncOperations.addHandler(tls, position: .before(handler))
        return handler
    }

    /// A mutable value that a closure may share.
    private final class Shared: Sendable {
        let handshake: Mutex<EventLoopFuture<JudgedHandshake>?>
        init(_ handshake: consuming sending Mutex<EventLoopFuture<JudgedHandshake>?>) {
            self.handshake = handshake
        }
    }
}

/// A connection whose peer was accepted.
public struct TrustedConnection: Sendable {
    /// The channel. Data that is written to it is encrypted for the peer that was judged.
    public let channel: any Channel
    /// The handshake, with its verdict and the epoch that the connection belongs to.
    public let handshake: JudgedHandshake
}

#endif
