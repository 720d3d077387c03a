#if NIO

package import Hawser
package import NIOCore
import NIOSSL
import TrustEngine

/// Judges a connection whose TLS handshake other code has made and finished. It judges by the
/// values that NIOSSL still shows: the end entity's certificate and the version.
package struct EndEntityJudge: Sendable {
    private let store: PolicyStore
    private let host: String
    private let port: UInt16
    private let settings: HandshakeSettings

    /// Makes a judge for the connections to one origin.
    package init(
        store: PolicyStore, host: String, port: UInt16, settings: HandshakeSettings
    ) {
        self.store = store
        self.host = host
        self.port = port
        self.settings = settings
    }

    /// What this judge can see and supply.
    package var limits: IntegrationLimits {
        var limits = settings.limits
        limits.chain = .endEntity
        limits.configuration = .programs
        return limits
    }

    /// Judges a connection.
    ///
    /// - Parameters:
    ///   - channel: a channel whose TLS handshake is over.
    ///   - negotiatedProtocol: the application protocol, where the caller knows it.
    /// - Returns: a future that fails with `HawserTLSError` where the end entity is refused or
    ///   there is none.
    package func judge(
        _ channel: any Channel, negotiatedProtocol: String?
    ) -> EventLoopFuture<JudgedHandshake> {
        channel.eventLoop.flatSubmit {
            do {
                return try begin(channel, negotiatedProtocol)
            } catch {
                return channel.eventLoop.makeFailedFuture(error)
            }
        }
    }

    private func begin(
        _ channel: any Channel, _ negotiatedProtocol: String?
    ) throws -> EventLoopFuture<JudgedHandshake> {
        let plan = try HandshakePlan.noting(
            snapshot: store.snapshot, host: host, port: port, settings: settings, limits: limits)
        let judge = plan.judge(on: channel.eventLoop) { version in
            guard let version else { return .notSupplied }
            return .observed(TLSParameters(version: version, alpn: negotiatedProtocol))
        }
        guard
            let tls = try? channel.pipeline.syncOperations.handler(type: NIOSSLHandler.self),
            let endEntity = tls.peerCertificate
        else { throw plan.refusal(.notJudged) }
        judge.tls = tls
        let verified = channel.eventLoop.makePromise(of: NIOSSLVerificationResult.self)
        judge.verify([endEntity], verified)
        return verified.futureResult.assumeIsolated().flatMapThrowing { _ in
            try judge.conclude(negotiatedProtocol: negotiatedProtocol).get()
        }.nonisolated()
    }
}

#endif
