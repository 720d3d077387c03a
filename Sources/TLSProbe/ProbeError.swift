/// Why a server could not be asked for its chain.
public struct ProbeError: Error, Hashable, Sendable {
    /// The step that failed.
    public enum Code: String, Hashable, Sendable {
        /// The address is no address, or no name that resolves.
        case addressUnknown = "address-unknown"
        /// No connection came about.
        case connectFailed = "connect-failed"
        /// The time allowed ran out.
        case timedOut = "timed-out"
        /// The TLS handshake failed.
        case handshakeFailed = "handshake-failed"
        /// The server presented no certificate.
        case nothingPresented = "nothing-presented"
        /// The TLS library could not be set up.
        case libraryFailed = "library-failed"
    }

    /// The step that failed.
    public let code: Code
    /// What was found, lower case, no full stop.
    public let context: String

    /// An error.
    public init(code: Code, context: String) {
        self.code = code
        self.context = context
    }
}
