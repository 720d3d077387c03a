/// How a challenge of the URL loading system wants to be answered: the values of
/// `NSURLProtectionSpace`'s `authenticationMethod`.
public enum AuthenticationMethod: Hashable, Sendable {
    /// `NSURLAuthenticationMethodDefault`: the protocol's own.
    case protocolDefault
    /// `NSURLAuthenticationMethodHTTPBasic`
    case httpBasic
    /// `NSURLAuthenticationMethodHTTPDigest`
    case httpDigest
    /// `NSURLAuthenticationMethodHTMLForm`
    case htmlForm
    /// `NSURLAuthenticationMethodNTLM`
    case ntlm
    /// `NSURLAuthenticationMethodNegotiate`
    case negotiate
    /// `NSURLAuthenticationMethodClientCertificate`
    case clientCertificate
    /// `NSURLAuthenticationMethodServerTrust`: the only one that a trust policy answers.
    case serverTrust
    /// One that a later system adds, by its constant's value.
    case other(String)

    /// The methods that are known.
    public static let known: [AuthenticationMethod] = [
        .protocolDefault, .httpBasic, .httpDigest, .htmlForm, .ntlm, .negotiate,
        .clientCertificate, .serverTrust,
    ]

    /// A method from its constant's value.
    public init(name: String) {
        self = AuthenticationMethod.known.first { $0.name == name } ?? .other(name)
    }

    /// The constant's value.
    public var name: String {
        switch self {
        case .protocolDefault: return "NSURLAuthenticationMethodDefault"
        case .httpBasic: return "NSURLAuthenticationMethodHTTPBasic"
        case .httpDigest: return "NSURLAuthenticationMethodHTTPDigest"
        case .htmlForm: return "NSURLAuthenticationMethodHTMLForm"
        case .ntlm: return "NSURLAuthenticationMethodNTLM"
        case .negotiate: return "NSURLAuthenticationMethodNegotiate"
        case .clientCertificate: return "NSURLAuthenticationMethodClientCertificate"
        case .serverTrust: return "NSURLAuthenticationMethodServerTrust"
        case .other(let name): return name
        }
    }
}

/// The fields of an `NSURLProtectionSpace`.
public struct ProtectionSpace: Hashable, Sendable {
    /// The host; of a proxy's space, the proxy.
    public var host: String
    /// The port; 0 for the protocol's own.
    public var port: Int
    /// `http`, `https`, `ftp`, `ftps`; nil for a proxy.
    public var protocolName: String?
    /// What HTTP calls a realm.
    public var realm: String?
    /// The kind of proxy; nil where the space is no proxy's.
    public var proxyType: String?
    /// How the challenge wants to be answered.
    public var authenticationMethod: AuthenticationMethod

    /// A protection space.
    public init(
        host: String, port: Int, protocolName: String? = "https", realm: String? = nil,
        proxyType: String? = nil, authenticationMethod: AuthenticationMethod
    ) {
        self.host = host
        self.port = port
        self.protocolName = protocolName
        self.realm = realm
        self.proxyType = proxyType
        self.authenticationMethod = authenticationMethod
    }
}

/// The fields of an `NSURLAuthenticationChallenge`, as far as an answer could depend on them.
public struct AuthenticationChallenge: Hashable, Sendable {
    /// Who asks, and for what.
    public var space: ProtectionSpace
    /// How often an answer has failed before.
    public var previousFailureCount: Int
    /// Whether the system proposes a credential.
    public var hasProposedCredential: Bool
    /// Whether it carries the error of the failure before it.
    public var hasError: Bool

    /// A challenge.
    public init(
        space: ProtectionSpace, previousFailureCount: Int = 0, hasProposedCredential: Bool = false,
        hasError: Bool = false
    ) {
        self.space = space
        self.previousFailureCount = previousFailureCount
        self.hasProposedCredential = hasProposedCredential
        self.hasError = hasError
    }
}
