#if AsyncHTTPClient

public import AsyncHTTPClient
public import Hawser
public import HawserNIO
import NIOCore

extension HTTPClient.Configuration {
    /// Has every TLS connection of a client judged by a store, as far as async-http-client shows
    /// the connection. It is for clients of one origin that need HTTP/2 or a proxy, which
    /// `HawserHTTPClient` does not have.
    ///
    /// async-http-client calls the hook after its own handshake, and waits for the hook before a
    /// request uses the connection. The hook does not learn the requested host, and sees no
    /// certificate but the end entity's. So:
    ///
    /// - A client with this configuration is for **one origin**. Requests to another origin are
    ///   judged as if they went to this one, so redirects are not followed.
    /// - Intermediates come from the policy: an anchor set whose `intermediates` hold the issuers.
    ///   Where they are missing, the verdict is `issuer-not-found`.
    /// - The verification of async-http-client stays on, and both must accept: it ties the
    ///   presented certificates to the handshake. Anchors that the machine does not have go into
    ///   `tlsConfiguration`.
    /// - TLS versions, suites and groups are not imposed. The hook sees the version; every other
    ///   TLS parameter counts as missing, so a rule that demands one refuses.
    /// - Pooled connections are not tied to an epoch. Give them an idle timeout that is short
    ///   enough.
    ///
    /// - Parameters:
    ///   - store: the store whose tables judge.
    ///   - host: the origin's host.
    ///   - port: the origin's port.
    ///   - settings: how handshakes are judged. Demands that cannot be met are reported in its log
    ///     now, for the table in force; `unmetDemands: .refuse` has an effect on each connection.
    public mutating func judgeEndEntities(
        by store: PolicyStore, host: String, port: UInt16,
        settings: HandshakeSettings = HandshakeSettings()
    ) {
        let judge = EndEntityJudge(store: store, host: host, port: port, settings: settings)
        LoadDiagnosis.report(
            store.snapshot, limits: judge.limits, hosts: .hosts([AskedHost(host, port: port)]),
            at: settings.clock(), to: settings.logger)
        redirectConfiguration = .disallow
        connectionPool.retryConnectionEstablishment = false
        http1_1ConnectionDebugInitializer = judge.hook(
            negotiatedProtocol: nil, then: http1_1ConnectionDebugInitializer)
        http2ConnectionDebugInitializer = judge.hook(
            negotiatedProtocol: "h2", then: http2ConnectionDebugInitializer)
    }
}

extension EndEntityJudge {
    /// The hook. The future succeeds where the connection is accepted. A connection without TLS is
    /// refused too.
    fileprivate func hook(
        negotiatedProtocol: String?, then own: (@Sendable (any Channel) -> EventLoopFuture<Void>)?
    ) -> @Sendable (any Channel) -> EventLoopFuture<Void> {
        { channel in
            let judged = judge(channel, negotiatedProtocol: negotiatedProtocol)
            // async-http-client gives a connection up that its hook refuses, but does not close it.
            judged.whenFailure { _ in channel.close(promise: nil) }
            return judged.flatMap { _ in
                own?(channel) ?? channel.eventLoop.makeSucceededVoidFuture()
            }
        }
    }
}

#endif
