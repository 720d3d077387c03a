#if canImport(Security)
    public import Foundation
    public import Security
    public import TrustEngine

    /// Judges the servers of a `URLSession` by a trust policy: hand it the challenges of a session
    /// or of its tasks.
    ///
    ///     let judge = ServerTrustJudge(engine: { store.snapshot.engine }, tls: { _, _ in tls })
    ///     let session = URLSession(configuration: .ephemeral, delegate: judge, delegateQueue: nil)
    ///
    /// **Written without a compiler that has Security at hand.** What decides is
    /// `AuthenticationChallenge` and `TrustResult`, which are tested where that framework is not;
    /// this file only carries values to them and back. Read it before you rely on it.
    ///
    /// What the system does not hand out cannot be judged: a stapled OCSP response and the
    /// timestamps of the TLS extension are not given with the challenge, nor are the negotiated
    /// parameters of TLS. A rule that demands the first two rejects; the parameters are the
    /// program's to answer for, by `tls`.
    public final class ServerTrustJudge: NSObject, URLSessionDelegate, Sendable {
        private let engine: @Sendable () -> Engine
        private let tls: @Sendable (String, UInt16) -> TLSState
        private let clock: @Sendable () -> UTCInstant
        private let refused: @Sendable (String, UInt16, Verdict) -> Void

        /// - Parameters:
        ///   - engine: the engine in force, asked at every challenge.
        ///   - tls: what the program can say of the parameters of a connection to a host and port,
        ///     such as that the session's configuration enforces a lowest version. There is no
        ///     default: nothing is assumed unless somebody says so (LANGUAGE section 12.3).
        ///   - clock: the instant to judge at.
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

        /// DER of the certificates that the trust holds, the server's own first. What the system
        /// adds to those that the server sent is offered to the search and trusted for nothing.
        public static func chain(of trust: SecTrust) -> [[UInt8]] {
            let certificates = SecTrustCopyCertificateChain(trust) as? [SecCertificate] ?? []
            return certificates.map { Array(SecCertificateCopyData($0) as Data) }
        }
    }

    /// The shape that Alamofire gives to what evaluates a server's trust: throws when the trust is
    /// refused. A type of Alamofire's own protocol needs no more than a line that forwards to this
    /// one.
    public protocol ServerTrustEvaluation: Sendable {
        /// - Throws: when the server is not trusted as this host.
        func evaluate(_ trust: SecTrust, forHost host: String) throws
    }

    /// A reject as an error, with its verdict.
    public struct ServerTrustRefusal: Error, Hashable, Sendable {
        /// The verdict; a reject.
        public let verdict: Verdict
    }

    /// Evaluates by a trust policy where the caller names no port.
    public struct PolicyServerTrustEvaluation: ServerTrustEvaluation {
        private let judge: ServerTrustJudge
        private let port: UInt16

        /// An evaluation for servers at a port, by default that of HTTPS.
        public init(_ judge: ServerTrustJudge, port: UInt16 = 443) {
            self.judge = judge
            self.port = port
        }

        /// - Throws: `ServerTrustRefusal` when the policy does not trust the server as this host.
        public func evaluate(_ trust: SecTrust, forHost host: String) throws {
            let verdict = judge.verdict(on: trust, host: host, port: port)
            // An accept without a path is of a connection without TLS.
            guard case .accept(let acceptance) = verdict.outcome, !acceptance.path.isEmpty else {
                throw ServerTrustRefusal(verdict: verdict)
            }
        }
    }

    extension AuthenticationChallenge {
        /// The fields of a challenge of the system.
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
