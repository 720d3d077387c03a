import Hawser
import NIOCore
import NIOSSL
import TrustEngine

/// Judges one handshake on its event loop: what NIOSSL's verification callback and the handler
/// behind it share. Not thread-safe, and never leaves the event loop.
///
/// The snapshot that the connection was configured by is the one that judges it, so that a table
/// that is swapped meanwhile neither refuses what it would accept nor accepts what it would refuse:
/// each handshake belongs to one epoch.
final class HandshakeJudge {
    private let demands: ConnectionDemands
    /// What a request may say of the connection's TLS, by the version that was agreed on.
    private let state: (TrustEngine.TLSVersion?) -> TLSState
    private let settings: HandshakeSettings
    private let host: String
    private let port: UInt16
    private let eventLoop: any EventLoop
    /// Dropped after the last verdict: a connection that lives long must not keep its table.
    private var snapshot: PolicySnapshot?
    private let epoch: UInt64
    private let revision: UInt64?
    /// Of the connection, to ask it for its version.
    weak var tls: NIOSSLHandler?

    /// The answer, once there is one.
    private(set) var judged: JudgedHandshake?
    /// Why the connection is refused, once that is known.
    private(set) var failure: HawserTLSError?

    init(
        host: String, port: UInt16, demands: ConnectionDemands, snapshot: PolicySnapshot,
        settings: HandshakeSettings, eventLoop: any EventLoop,
        state: @escaping (TrustEngine.TLSVersion?) -> TLSState
    ) {
        self.host = host
        self.port = port
        self.demands = demands
        self.state = state
        self.snapshot = snapshot
        self.epoch = snapshot.epoch
        self.revision = snapshot.revision
        self.settings = settings
        self.eventLoop = eventLoop
    }

    /// An error about this handshake.
    func error(_ code: HawserTLSError.Code, context: String? = nil) -> HawserTLSError {
        HawserTLSError(
            code, host: host, port: port, ruleID: demands.ruleID, epoch: epoch, context: context)
    }

    // MARK: During the handshake

    /// What NIOSSL asks with the certificates that the peer presented, in their order.
    func verify(
        _ certificates: [NIOSSLCertificate], _ promise: EventLoopPromise<NIOSSLVerificationResult>
    ) {
        eventLoop.assertInEventLoop()
        var chain: [[UInt8]] = []
        chain.reserveCapacity(certificates.count)
        do {
            for certificate in certificates { chain.append(try certificate.toDERBytes()) }
        } catch {
            failure = self.error(.notJudged, context: "a certificate cannot be read again")
            return promise.succeed(.failed)
        }
        let request = TrustRequest(
            host: host, port: port, presentedChain: chain, time: settings.clock(),
            tls: state(tls?.tlsVersion.map { TrustEngine.TLSVersion($0) }),
            evidence: settings.evidence?(host, port) ?? Evidence())
        judge(request, promise)
    }

    /// A verdict costs microseconds and is made here. Where it wants evidence that somebody may
    /// fetch, other threads wait for that; the fetcher bounds how many and how long.
    private func judge(
        _ request: TrustRequest, _ promise: EventLoopPromise<NIOSSLVerificationResult>
    ) {
        guard let snapshot else { return promise.succeed(.failed) }
        let verdict = snapshot.evaluate(request)
        guard let fetcher = settings.fetcher, !verdict.wanted.isEmpty else {
            return promise.succeed(settle(verdict, request))
        }
        let fetched = eventLoop.makePromise(of: FetchedVerdict.self)
        fetched.completeWithTask {
            await fetcher.evaluateFetching(request, with: snapshot.engine)
        }
        fetched.futureResult.assumeIsolated().whenComplete { result in
            guard case .success(let answer) = result else { return promise.succeed(.failed) }
            promise.succeed(self.settle(answer.verdict, answer.request))
        }
    }

    /// Nobody waits for a verdict any more: one that comes late accepts nothing.
    func abandon() {
        judged = nil
        snapshot = nil
    }

    private func settle(_ verdict: Verdict, _ request: TrustRequest) -> NIOSSLVerificationResult {
        let handshake = JudgedHandshake(
            host: host, port: port, ruleID: demands.ruleID, epoch: epoch, revision: revision,
            request: request, verdict: verdict)
        guard let snapshot else { return .failed }
        settings.onVerdict?(handshake, snapshot)
        guard verdict.isAccept else {
            failure = rejection(verdict, request)
            self.snapshot = nil
            return .failed
        }
        judged = handshake
        return .certificateVerified
    }

    private func rejection(_ verdict: Verdict, _ request: TrustRequest) -> HawserTLSError {
        HawserTLSError(
            .rejected, host: host, port: port, ruleID: demands.ruleID, epoch: epoch,
            verdict: verdict, request: request)
    }

    // MARK: After it

    /// What the connection is worth now that the handshake is over. Whoever was not judged is
    /// refused: a session that was resumed, or a key that was shared before, shows no certificate.
    ///
    /// The application protocol is known only now. A server may leave it open whatever was offered,
    /// so a rule that demands one is asked again with what was agreed on.
    func conclude(negotiatedProtocol: String?) -> Result<JudgedHandshake, HawserTLSError> {
        defer { snapshot = nil }
        guard var judged, failure == nil else {
            let failure = failure ?? error(.notJudged)
            self.failure = failure
            return .failure(failure)
        }
        judged.negotiatedProtocol = negotiatedProtocol
        guard !demands.alpn.isEmpty, let snapshot else { return .success(judged) }
        var request = judged.request
        request.tls = request.tls.with(alpn: negotiatedProtocol ?? "")
        let verdict = snapshot.evaluate(request)
        let handshake = JudgedHandshake(
            host: host, port: port, ruleID: demands.ruleID, epoch: epoch, revision: revision,
            request: request, verdict: verdict, negotiatedProtocol: negotiatedProtocol)
        guard verdict.isAccept else {
            let failure = rejection(verdict, request)
            self.failure = failure
            settings.onVerdict?(handshake, snapshot)
            return .failure(failure)
        }
        return .success(handshake)
    }
}

extension TLSState {
    /// The same knowledge with the protocol that was agreed on; empty for none.
    fileprivate func with(alpn: String) -> TLSState {
        switch self {
        case .enforced(var parameters, let ruleID, let policyDigest):
            parameters.alpn = alpn
            return .enforced(parameters, ruleID: ruleID, policyDigest: policyDigest)
        case .observed(var parameters):
            parameters.alpn = alpn
            return .observed(parameters)
        case .assumed, .notSupplied, .cleartext:
            return self
        }
    }
}
