/// The kind of answer that a challenge of the URL loading system asks for: the values of
/// `authenticationMethod` in `NSURLProtectionSpace`.
public enum AuthenticationMethod: Hashable, Sendable {
    /// `NSURLAuthenticationMethodDefault`: the default method of the protocol.
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
    /// Another method, by the value of its constant. A later system may have more methods.
    case other(String)

    /// The methods that have a case of their own.
    public static let known: [AuthenticationMethod] = [
        .protocolDefault, .httpBasic, .httpDigest, .htmlForm, .ntlm, .negotiate,
        .clientCertificate, .serverTrust,
    ]

    /// The method whose constant has this value.
    public init(name: String) {
        self = AuthenticationMethod.known.first { $0.name == name } ?? .other(name)
    }

    /// The value of the method's constant.
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
    /// The host; for a proxy's space, the proxy.
    public var host: String
    /// The port; 0 for the default port of the protocol.
    public var port: Int
    /// `http`, `https`, `ftp` or `ftps`; nil for a proxy.
    public var protocolName: String?
    /// The realm of HTTP authentication.
    public var realm: String?
    /// The kind of proxy; nil when the space is not a proxy's.
    public var proxyType: String?
    /// The kind of answer that the challenge asks for.
    public var authenticationMethod: AuthenticationMethod

    /// Makes a protection space from its values.
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

/// The fields of an `NSURLAuthenticationChallenge` that an answer could depend on.
public struct AuthenticationChallenge: Hashable, Sendable {
    /// The host that asks, and the kind of authentication.
    public var space: ProtectionSpace
    /// How many answers have failed before.
    public var previousFailureCount: Int
    /// Whether the system proposes a credential.
    public var hasProposedCredential: Bool
    /// Whether the challenge has the error of the failure before it.
    public var hasError: Bool

    /// Makes a challenge from its values.
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
