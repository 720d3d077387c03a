public import TrustEngine

/// Why a probe did not get a server's chain.
public struct ProbeError: CodedError {
    /// Stable names of the steps that can fail.
    public enum Code: String, Hashable, Sendable {
        /// The text is neither an address nor a name that resolves.
        case addressUnknown = "address-unknown"
        /// No connection was made.
        case connectFailed = "connect-failed"
        /// The allowed time passed.
        case timedOut = "timed-out"
        /// The server says, before TLS, that it does not begin TLS.
        case startTLSRefused = "starttls-refused"
        /// The server sent something, before TLS, that its protocol does not allow there.
        case startTLSBroken = "starttls-broken"
        /// The TLS handshake failed.
        case handshakeFailed = "handshake-failed"
        /// What the server sent is not TLS.
        case notTLS = "not-tls"
        /// The server presented no certificate.
        case nothingPresented = "nothing-presented"
        /// The TLS library could not be set up for the probe.
        case libraryFailed = "library-failed"
    }

    /// The step that failed.
    public let code: Code
    /// Details of the failure, lower case, no full stop.
    public let context: String

    /// The protocols that the server's octets, or their absence, point to, where these begin TLS
    /// only when they are asked to.
    package let startTLS: [StartTLSProtocol]

    /// Makes an error from its step and details.
    public init(code: Code, context: String) {
        self.init(code: code, context: context, startTLS: [])
    }

    package init(code: Code, context: String, startTLS: [StartTLSProtocol]) {
        self.code = code
        self.context = context
        self.startTLS = startTLS
    }
}
