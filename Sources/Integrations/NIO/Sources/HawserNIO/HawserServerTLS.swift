public import Hawser
public import NIOCore
public import NIOSSL
import TrustEngine

/// Makes TLS servers that are configured by a policy store, and that may judge their clients by it.
///
/// A policy is about whom a connection is opened to, and names hosts. A server takes two things
/// from it:
///
/// - **`Clients.notAsked`**: the rule of the server's own host says what its clients will demand.
///   The server offers no version, suite, group or protocol that this rule refuses. Nobody is
///   judged.
/// - **`Clients.judged`**: clients show certificates. The program picks a name that stands for
///   them, such as `clients.acme.example`, and the policy has a rule for it: anchors,
///   `path.key-purposes: [client-auth]`, revocation, and `identity: { reference: listed, ... }`
///   with the names that clients may have. A client is accepted when a verdict for that name
///   accepts its chain.
///
/// What a client is allowed to do is not decided here: the accepted path is in `JudgedHandshake`.
public final class HawserServerTLS: Sendable {
    /// Whether clients show certificates.
    public enum Clients: Hashable, Sendable {
        /// No.
        case notAsked
        /// Yes, and they are judged by the rule for the server's `host`, which then is the name
        /// that stands for them. Each connection has a context of its own: sessions are never
        /// resumed, as a resumed one shows no certificate.
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

    /// A maker of servers.
    ///
    /// - Parameters:
    ///   - store: whose tables are asked.
    ///   - host: the server's own name, or the name that stands for its clients.
    ///   - port: the port that goes with it in the rule's hosts.
    ///   - clients: whether clients show certificates.
    ///   - base: the server's certificate and key, the key log, the shutdown timeout; the rest is
    ///     the rule's.
    ///   - settings: how handshakes are judged, beside the policy.
    /// - Throws: `UnmetDemandsError` as for a client.
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
        self.watch = try LoadDiagnosis.watch(store, limits: settings.limits, settings: settings)
    }

    /// Adds what a server connection needs to a channel. On the channel's event loop.
    ///
    /// - Returns: the handler that keeps the program apart from a client until the verdict; nil
    ///   where clients are not asked.
    /// - Throws: `HawserTLSError` where no rule decides for the host, or the rule cannot be met:
    ///   then the connection must not be served.
    @discardableResult
    public func addHandlers(to channel: any Channel) throws -> HawserTLSHandler? {
        channel.eventLoop.preconditionInEventLoop()
        let snapshot = store.snapshot
        let plan = try HandshakePlan(
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
            throw plan.error(.configuration, context: "\(error)")
        }
    }

    private func configuration(_ plan: HandshakePlan) -> TLSConfiguration {
        var configuration = base
        plan.derived.impose(on: &configuration)
        configuration.trustRoots = .certificates([])
        configuration.additionalTrustRoots = []
        switch clients {
        case .notAsked:
            // The rule is about what this server signs, not about what it verifies.
            configuration.signingSignatureAlgorithms = configuration.verifySignatureAlgorithms
            configuration.verifySignatureAlgorithms = nil
            configuration.certificateVerification = .none
        case .judged:
            configuration.certificateVerification = .noHostnameVerification
        }
        return configuration
    }
}
