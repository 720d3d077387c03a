#if NIO

public import Hawser
public import NIOCore
public import NIOSSL
import TrustEngine

/// Makes TLS servers that are configured by a policy store. The servers may also judge their
/// clients by the store.
///
/// A policy is about the hosts that connections are opened to. A server uses it in one of two ways:
///
/// - **`Clients.notAsked`**: the rule of the server's own host says what the server's clients will
///   demand. The server offers no version, suite, group or protocol that this rule refuses. No
///   certificate is judged.
/// - **`Clients.judged`**: clients present certificates. The program chooses a name that stands for
///   its clients, such as `clients.acme.example`. The policy has a rule for this name: anchors,
///   `path.key-purposes: [client-auth]`, revocation, and `identity: { reference: listed, ... }`
///   with the names that clients may have. A client is accepted when a verdict for this name
///   accepts its chain.
///
/// The policy does not decide what a client is permitted to do. The accepted path is in
/// `JudgedHandshake`.
public final class HawserServerTLS: Sendable {
    /// Whether clients present certificates.
    public enum Clients: Hashable, Sendable {
        /// Clients are not asked for certificates.
        case notAsked
        /// Clients present certificates, which are judged by the rule for the server's `host`;
        /// `host` is then the name that stands for the clients. Each connection has a TLS context
        /// of its own, so no session is resumed: a resumed session shows no certificate.
        case judged
    }

    private let store: PolicyStore
    private let host: String
    private let port: UInt16
    private let clients: Clients
    private let settings: HandshakeSettings
    private let base: TLSConfiguration
    private let contexts = ContextCache()
    private let watch: LoadDiagnosis.Watch

    /// Makes a maker of servers.
    ///
    /// - Parameters:
    ///   - store: the store whose tables are used.
    ///   - host: the server's own name, or the name that stands for its clients.
    ///   - port: the port that goes with `host` in the rule's hosts.
    ///   - clients: whether clients present certificates.
    ///   - base: the server's certificate and key, the key log, the shutdown timeout. All other
    ///     settings come from the rule.
    ///   - settings: how handshakes are judged, besides the policy.
    /// - Throws: `UnmetDemandsError`, as for a client.
    public init(
        store: PolicyStore, host: String, port: UInt16, clients: Clients, base: TLSConfiguration,
        settings: HandshakeSettings = HandshakeSettings()
    ) throws(UnmetDemandsError) {
        self.store = store
        self.host = host
        self.port = port
        self.clients = clients
        self.settings = settings
        self.base = base
        self.watch = try LoadDiagnosis.watch(
            store, limits: settings.limits, hosts: .hosts([AskedHost(host, port: port)]),
            settings: settings)
    }

    /// Adds the handlers of a server connection to a channel. Call it on the channel's event loop.
    ///
    /// - Returns: the handler that keeps the program apart from a client until the verdict; nil
    ///   where clients are not asked for certificates.
    /// - Throws: `HawserTLSError` where no rule decides for the host; where the rule's demands
    ///   cannot be met and the program refuses such rules; where BoringSSL refuses the
    ///   configuration. The connection must then not be served.
    @discardableResult
    public func addHandlers(to channel: any Channel) throws -> HawserTLSHandler? {
        channel.eventLoop.preconditionInEventLoop()
        let snapshot = store.snapshot
        let plan = try HandshakePlan.noting(
            snapshot: snapshot, host: host, port: port, settings: settings,
            limits: settings.limits)
        switch clients {
        case .notAsked:
            let context = try makeContext(plan) {
                try contexts.context(of: plan.demands, epoch: snapshot.epoch) {
                    try NIOSSLContext(configuration: configuration(plan))
                }
            }
            try channel.pipeline.syncOperations.addHandler(NIOSSLServerHandler(context: context))
            return nil
        case .judged:
            let context = try makeContext(plan) {
                try NIOSSLContext(configuration: configuration(plan))
            }
            let judge = plan.judge(on: channel.eventLoop)
            let tls = NIOSSLServerHandler(
                context: context, customVerificationCallback: judge.verify)
            judge.tls = tls
            let handler = HawserTLSHandler(
                judge: judge, timeout: settings.timeout, eventLoop: channel.eventLoop)
            try channel.pipeline.syncOperations.addHandler(handler)
            try channel.pipeline.syncOperations.addHandler(tls, position: .before(handler))
            return handler
        }
    }

    private func makeContext(
        _ plan: HandshakePlan, _ make: () throws -> NIOSSLContext
    ) throws(HawserTLSError) -> NIOSSLContext {
        do {
            return try make()
        } catch {
            throw plan.refusal(.configuration, context: "\(error)")
        }
    }

    private func configuration(_ plan: HandshakePlan) -> TLSConfiguration {
        var configuration = base
        plan.derived.impose(on: &configuration)
        configuration.trustRoots = .certificates([])
        configuration.additionalTrustRoots = []
        switch clients {
        case .notAsked:
            // The rule is about the server's own signature, not about signatures that the server
            // verifies.
            configuration.signingSignatureAlgorithms = configuration.verifySignatureAlgorithms
            configuration.verifySignatureAlgorithms = nil
            configuration.certificateVerification = .none
        case .judged:
            configuration.certificateVerification = .noHostnameVerification
        }
        return configuration
    }
}

#endif
