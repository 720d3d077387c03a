#if canImport(Security)
public import Foundation
public import Security
public import TrustEngine

/// Judges the servers of a `URLSession` by a trust policy. Give it the challenges of a session
/// or of its tasks.
///
///     let judge = ServerTrustJudge(engine: { store.snapshot.engine }, tls: { _, _ in tls })
///     let session = URLSession(configuration: .ephemeral, delegate: judge, delegateQueue: nil)
///
/// **Typechecked for Apple's systems, never run there.** This file is typechecked on Linux against
/// declarations from Apple's documentation (`Tests/AppleStubs`). `AuthenticationChallenge` and
/// `TrustResult` make the decisions, and they are tested on Linux. This file only carries values to
/// them and back. Read it, and test it on your systems, before you rely on it.
///
/// The system does not hand out everything that a policy may judge. A challenge has no stapled
/// OCSP response and no timestamps of the TLS extension, so a rule that demands them rejects. A
/// challenge has no negotiated parameters of TLS either; the program must state them, by `tls`.
public final class ServerTrustJudge: NSObject, URLSessionDelegate, Sendable {
    private let engine: @Sendable () -> Engine
    private let tls: @Sendable (String, UInt16) -> TLSState
    private let clock: @Sendable () -> UTCInstant
    private let refused: @Sendable (String, UInt16, Verdict) -> Void

    /// Makes a judge.
    ///
    /// - Parameters:
    ///   - engine: the engine in force; called at every challenge.
    ///   - tls: the program's knowledge of the TLS parameters of a connection to a host and
    ///     port, for example that the session's configuration enforces a minimum version. Without a
    ///     default, because nothing is assumed that the program does not state (LANGUAGE section
    ///     12.3).
    ///   - clock: the validation time.
    ///   - refused: is told of every reject.
    public init(
        engine: @escaping @Sendable () -> Engine,
        tls: @escaping @Sendable (String, UInt16) -> TLSState,
        clock: @escaping @Sendable () -> UTCInstant = ServerTrustJudge.now,
        refused: @escaping @Sendable (String, UInt16, Verdict) -> Void = { _, _, _ in }
    ) {
        self.engine = engine
        self.tls = tls
        self.clock = clock
        self.refused = refused
    }

    /// The machine's clock, in whole seconds.
    public static func now() -> UTCInstant {
        UTCInstant(secondsSinceEpoch: Int64(Date().timeIntervalSince1970.rounded(.down)))
    }

    /// Answers a challenge.
    public func urlSession(
        _ session: URLSession, didReceive challenge: URLAuthenticationChallenge,
        completionHandler:
            @escaping @Sendable (URLSession.AuthChallengeDisposition, URLCredential?) -> Void
    ) {
        let trust = challenge.protectionSpace.serverTrust
        let answer = AuthenticationChallenge(challenge).answer { host, port in
            trust.map { verdict(on: $0, host: host, port: port) }
        }
        switch (answer.disposition, trust) {
        case (.useCredential, let trust?):
            completionHandler(.useCredential, URLCredential(trust: trust))
        case (.performDefaultHandling, _):
            completionHandler(.performDefaultHandling, nil)
        default:
            completionHandler(.cancelAuthenticationChallenge, nil)
        }
    }

    /// The verdict on a server's trust.
    public func verdict(on trust: SecTrust, host: String, port: UInt16) -> Verdict {
        let verdict = engine().evaluate(
            TrustRequest(
                host: host, port: port, presentedChain: ServerTrustJudge.chain(of: trust),
                time: clock(), tls: tls(host, port)))
        if !verdict.isAccept { refused(host, port, verdict) }
        return verdict
    }

    /// DER of the certificates in the trust, the server's own first. Certificates that the
    /// system has added are only offered to the path search. They are not trusted.
    public static func chain(of trust: SecTrust) -> [[UInt8]] {
        let certificates = SecTrustCopyCertificateChain(trust) as? [SecCertificate] ?? []
        return certificates.map { Array(SecCertificateCopyData($0) as Data) }
    }
}

/// The form of Alamofire's types that evaluate a server's trust: the function throws when the
/// trust is refused. A type that conforms to Alamofire's own protocol needs one line that calls
/// this function.
public protocol ServerTrustEvaluation: Sendable {
    /// - Throws: when the server is not trusted as this host.
    func evaluate(_ trust: SecTrust, forHost host: String) throws
}

/// The error for a server that is not trusted, with the verdict.
public struct ServerTrustRefusal: CodedError {
    /// The one reason.
    public enum Code: String, Hashable, Sendable, CaseIterable {
        /// The policy does not trust the server as this host.
        case rejected
    }

    /// The verdict, which is a reject. It is an accept only for a connection without TLS.
    public let verdict: Verdict
    /// Always `rejected`.
    public var code: Code { .rejected }
    /// The sentence of each violation.
    public var context: String { verdict.violations.map(\.sentence).joined(separator: "; ") }
}

/// Evaluates server trust by a trust policy, for callers that name no port.
public struct PolicyServerTrustEvaluation: ServerTrustEvaluation {
    private let judge: ServerTrustJudge
    private let port: UInt16

    /// Makes an evaluation for servers at a port; by default the port of HTTPS.
    public init(_ judge: ServerTrustJudge, port: UInt16 = 443) {
        self.judge = judge
        self.port = port
    }

    /// - Throws: `ServerTrustRefusal` when the policy does not trust the server as this host.
    public func evaluate(_ trust: SecTrust, forHost host: String) throws {
        let verdict = judge.verdict(on: trust, host: host, port: port)
        // An accept without a path is about a connection without TLS.
        guard case .accept(let acceptance) = verdict.outcome, !acceptance.path.isEmpty else {
            throw ServerTrustRefusal(verdict: verdict)
        }
    }
}

extension AuthenticationChallenge {
    /// Copies the fields of a challenge of the system.
    init(_ challenge: URLAuthenticationChallenge) {
        let space = challenge.protectionSpace
        self.init(
            space: ProtectionSpace(
                host: space.host, port: space.port, protocolName: space.protocol,
                realm: space.realm, proxyType: space.proxyType,
                authenticationMethod: AuthenticationMethod(name: space.authenticationMethod)),
            previousFailureCount: challenge.previousFailureCount,
            hasProposedCredential: challenge.proposedCredential != nil,
            hasError: challenge.error != nil)
    }
}
#endif
