#if NIO

import Hawser
import NIOCore
import NIOSSL
import TrustEngine

/// Judges one handshake. NIOSSL's verification callback and the handler behind NIOSSL share it. It
/// is not thread-safe and is used only on the connection's event loop.
///
/// The snapshot that the connection was configured by also judges it. So each handshake belongs to
/// one epoch: a new table that comes in between can neither refuse a connection that the old table
/// configured, nor accept one.
final class HandshakeJudge {
    private let demands: ConnectionDemands
    /// The TLS state of the request, by the version that was agreed on.
    private let state: (TrustEngine.TLSVersion?) -> TLSState
    private let settings: HandshakeSettings
    private let host: String
    private let port: UInt16
    private let eventLoop: any EventLoop
    /// The snapshot. It is dropped after the last verdict, because a long connection must not keep
    /// its table alive.
    private var snapshot: PolicySnapshot?
    private let epoch: UInt64
    private let revision: UInt64?
    /// NIOSSL's handler of the connection, which knows the version.
    weak var tls: NIOSSLHandler?

    /// The accepted handshake, once there is one.
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

    /// Makes an error about this handshake.
    func error(_ code: HawserTLSError.Code, context: String? = nil) -> HawserTLSError {
        HawserTLSError(
            code, host: host, port: port, ruleID: demands.ruleID, epoch: epoch, context: context)
    }

    // MARK: During the handshake

    /// NIOSSL calls this with the certificates that the peer presented, in wire order.
    func verify(
        _ certificates: [NIOSSLCertificate], _ promise: EventLoopPromise<NIOSSLVerificationResult>
    ) {
        eventLoop.assertInEventLoop()
        var chain: [[UInt8]] = []
        chain.reserveCapacity(certificates.count)
        do {
            for certificate in certificates { chain.append(try certificate.toDERBytes()) }
        } catch {
            refuse(self.error(.notJudged, context: "a certificate cannot be read again"))
            return promise.succeed(.failed)
        }
        let request = TrustRequest(
            host: host, port: port, presentedChain: chain, time: settings.clock(),
            tls: state(tls?.tlsVersion.map { TrustEngine.TLSVersion($0) }),
            evidence: settings.evidence?(host, port) ?? Evidence())
        judge(request, promise)
    }

    /// Judges the chain here, because a verdict costs microseconds. Where the verdict wants
    /// evidence that can be fetched, other threads wait for it. The fetcher limits the number of
    /// fetches and their time.
    private func judge(
        _ request: TrustRequest, _ promise: EventLoopPromise<NIOSSLVerificationResult>
    ) {
        guard let snapshot else { return promise.succeed(.failed) }
        let decision = snapshot.judge(request)
        guard let fetcher = settings.fetcher, !decision.verdict.wanted.isEmpty else {
            return promise.succeed(settle(decision))
        }
        let fetched = eventLoop.makePromise(of: Decision.self)
        fetched.completeWithTask { await snapshot.judge(request, fetching: fetcher) }
        fetched.futureResult.assumeIsolated().whenComplete { result in
            guard case .success(let decision) = result else { return promise.succeed(.failed) }
            promise.succeed(self.settle(decision))
        }
    }

    /// Notes that nobody waits for the verdict any more. A verdict that comes later accepts
    /// nothing.
    func abandon() {
        judged = nil
        snapshot = nil
    }

    private func settle(_ decision: Decision) -> NIOSSLVerificationResult {
        guard snapshot != nil else { return .failed }
        guard decision.isAccept else {
            _ = reject(decision)
            return .failed
        }
        let handshake = acceptance(decision)
        judged = handshake
        // Where the rule demands a protocol, the verdict that counts comes after the handshake.
        if demands.alpn.isEmpty { settings.note(handshake, decision) }
        return .certificateVerified
    }

    private func acceptance(_ decision: Decision) -> JudgedHandshake {
        JudgedHandshake(
            host: host, port: port, ruleID: demands.ruleID, epoch: epoch, revision: revision,
            request: decision.request, verdict: decision.verdict, refusal: nil)
    }

    /// Refuses the connection by a decision that is a reject.
    private func reject(_ decision: Decision) -> HawserTLSError {
        let decision = decision.withExplanation()
        let refusal = HawserTLSError(
            rejected: decision, ruleID: demands.ruleID, settings: settings)
        refuse(refusal, decision)
        return refusal
    }

    /// Keeps why the connection is refused, and notes it. `decision` is nil where no certificate
    /// was judged.
    private func refuse(_ refusal: HawserTLSError, _ decision: Decision? = nil) {
        failure = refusal
        judged = nil
        if let snapshot { settings.note(refusal, decision, by: snapshot) }
        snapshot = nil
    }

    // MARK: After it

    /// Concludes the handshake, now that it is over. A connection that was not judged is refused: a
    /// resumed session or a pre-shared key shows no certificate.
    ///
    /// The application protocol is known only now. A server may select none, whatever was offered.
    /// So a rule that demands a protocol is evaluated again with the selected protocol.
    func conclude(negotiatedProtocol: String?) -> Result<JudgedHandshake, HawserTLSError> {
        defer { snapshot = nil }
        if let failure { return .failure(failure) }
        guard var judged else {
            let failure = error(.notJudged)
            refuse(failure)
            return .failure(failure)
        }
        judged.negotiatedProtocol = negotiatedProtocol
        guard !demands.alpn.isEmpty, let snapshot else { return .success(judged) }
        var request = judged.request
        request.tls = request.tls.with(alpn: negotiatedProtocol ?? "")
        let decision = snapshot.judge(request)
        guard decision.isAccept else { return .failure(reject(decision)) }
        var handshake = acceptance(decision)
        handshake.negotiatedProtocol = negotiatedProtocol
        settings.note(handshake, decision)
        return .success(handshake)
    }
}

extension TLSState {
    /// The same TLS state with the protocol that was agreed on; empty for none.
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

#endif
