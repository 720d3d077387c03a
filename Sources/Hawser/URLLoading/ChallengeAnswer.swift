public import TrustEngine

/// What becomes of a challenge: the values of `NSURLSessionAuthChallengeDisposition`.
public enum ChallengeDisposition: Int, Hashable, Sendable, CaseIterable {
    /// Go on with the credential given: that of the server's trust.
    case useCredential = 0
    /// As if there were no delegate.
    case performDefaultHandling = 1
    /// The request fails.
    case cancelAuthenticationChallenge = 2
    /// Never the answer here: it lets the loader go on to the next protection space, and a server
    /// that is refused is to be left.
    case rejectProtectionSpace = 3
}

/// The answer to a challenge, and why it is that. It is never stored: a credential made of it has
/// the persistence *none*, so that every connection is judged by the policy then in force.
public struct ChallengeAnswer: Hashable, Sendable {
    /// Why the disposition is what it is.
    public enum Reason: Hashable, Sendable {
        /// The verdict says so.
        case verdict(TrustResult)
        /// The challenge asks for something else than server trust, which is not the policy's to
        /// give.
        case otherMethod(AuthenticationMethod)
        /// The challenge brings no server trust to judge.
        case noServerTrust
        /// The space names no port: what it gives is none, and its protocol has none of its own.
        case noPort(Int)
        /// The verdict is of a connection without TLS, which a challenge of server trust is not.
        case withoutTLS
    }

    /// A field that could have had a say and has none.
    public enum IgnoredField: String, Hashable, Sendable, CaseIterable {
        case realm
        case proxyType
        case previousFailureCount
        case proposedCredential
        case error

        /// Why it is not asked, lower case, no full stop.
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

    /// What to answer.
    public let disposition: ChallengeDisposition
    /// Why.
    public let reason: Reason
    /// Fields of the challenge that were set and not asked; empty where it was not judged.
    public let ignored: [IgnoredField]

    /// Why, in a line for a log: lower case, no full stop.
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
    /// - Parameter judge: the verdict on the server at a host and port; nil where the challenge
    ///   brings no server trust. Called for challenges of server trust alone, at most once.
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
    /// The port to judge for: the one given, or for 0 that of a protocol over TLS; nil where there
    /// is none.
    var judgedPort: UInt16? {
        if port != 0 { return UInt16(exactly: port) }
        switch protocolName?.lowercased() {
        case "https": return 443
        case "ftps": return 990
        default: return nil
        }
    }
}
