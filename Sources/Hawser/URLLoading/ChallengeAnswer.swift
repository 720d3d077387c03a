public import TrustEngine

/// The action of the loader after a challenge: the values of
/// `NSURLSessionAuthChallengeDisposition`.
public enum ChallengeDisposition: Int, Hashable, Sendable, CaseIterable {
    /// The loader uses the given credential: the server's trust.
    case useCredential = 0
    /// The loader acts as if there were no delegate.
    case performDefaultHandling = 1
    /// The request fails.
    case cancelAuthenticationChallenge = 2
    /// Never an answer of this module. The loader would try the next protection space, and a
    /// refused server must get no further request.
    case rejectProtectionSpace = 3
}

/// The answer to a challenge, with its reason. An answer is never stored: a credential that is made
/// from it has the persistence *none*, so that every connection is judged by the policy in force at
/// that time.
public struct ChallengeAnswer: Hashable, Sendable {
    /// Why the answer has its disposition.
    public enum Reason: Hashable, Sendable {
        /// The verdict decides. The verdict as a `SecTrust` result.
        case verdict(TrustResult)
        /// The challenge does not ask for server trust, so a trust policy cannot answer it.
        case otherMethod(AuthenticationMethod)
        /// The challenge has no server trust to judge.
        case noServerTrust
        /// The space has no usable port: its number is not a port, or it is 0 and the protocol has
        /// no default port that is known here.
        case noPort(Int)
        /// The verdict is about a connection without TLS. A challenge of server trust is about TLS.
        case withoutTLS
    }

    /// A field that could have an effect on the answer and has none.
    public enum IgnoredField: String, Hashable, Sendable, CaseIterable {
        case realm
        case proxyType
        case previousFailureCount
        case proposedCredential
        case error

        /// Why the field is ignored: lower case, no full stop.
        public var reason: String {
            switch self {
            case .realm: return "a realm belongs to HTTP, and the handshake comes before it"
            case .proxyType:
                return "a proxy is judged as the host and port that it is, like any other"
            case .previousFailureCount:
                return "each connection is judged anew; how often another failed proves nothing"
            case .proposedCredential: return "no credential stands in for a verdict"
            case .error: return "how the connection before failed says nothing of this chain"
            }
        }
    }

    /// The action that the loader must take.
    public let disposition: ChallengeDisposition
    /// Why the answer has this disposition.
    public let reason: Reason
    /// Fields of the challenge that were set and ignored; empty when the challenge does not ask for
    /// server trust.
    public let ignored: [IgnoredField]

    /// The reason as a line for a log: lower case, no full stop.
    public var explanation: String {
        switch reason {
        case .verdict(let result): return "the policy's verdict is \(result.name)"
        case .otherMethod(let method):
            return "`\(method.name)` is not for a trust policy to answer"
        case .noServerTrust: return "the challenge brings no server trust to judge"
        case .noPort(let port):
            return "\(port) is no port, and the protocol has none of its own that is known here"
        case .withoutTLS: return "the verdict is of a connection without TLS"
        }
    }
}

extension AuthenticationChallenge {
    /// The answer to the challenge.
    ///
    /// - Parameter judge: gives the verdict on the server at a host and port; nil when the
    ///   challenge has no server trust. It is called at most once, and only for a challenge of
    ///   server trust with a usable port.
    public func answer(judgedBy judge: (String, UInt16) -> Verdict?) -> ChallengeAnswer {
        guard space.authenticationMethod == .serverTrust else {
            return ChallengeAnswer(
                disposition: .performDefaultHandling,
                reason: .otherMethod(space.authenticationMethod), ignored: [])
        }
        func cancelled(_ reason: ChallengeAnswer.Reason) -> ChallengeAnswer {
            ChallengeAnswer(
                disposition: .cancelAuthenticationChallenge, reason: reason, ignored: ignored)
        }
        guard let port = space.judgedPort else { return cancelled(.noPort(space.port)) }
        guard let verdict = judge(space.host, port) else { return cancelled(.noServerTrust) }
        if case .accept(let acceptance) = verdict.outcome, acceptance.path.isEmpty {
            return cancelled(.withoutTLS)
        }
        let result = TrustResult(verdict)
        guard verdict.isAccept else { return cancelled(.verdict(result)) }
        return ChallengeAnswer(
            disposition: .useCredential, reason: .verdict(result), ignored: ignored)
    }

    private var ignored: [ChallengeAnswer.IgnoredField] {
        ChallengeAnswer.IgnoredField.allCases.filter { field in
            switch field {
            case .realm: return space.realm != nil
            case .proxyType: return space.proxyType != nil
            case .previousFailureCount: return previousFailureCount != 0
            case .proposedCredential: return hasProposedCredential
            case .error: return hasError
            }
        }
    }
}

extension ProtectionSpace {
    /// The port that is judged: the given port, or for 0 the default port of a protocol over TLS.
    /// Nil when there is none.
    var judgedPort: UInt16? {
        if port != 0 { return UInt16(exactly: port) }
        switch protocolName?.lowercased() {
        case "https": return 443
        case "ftps": return 990
        default: return nil
        }
    }
}
