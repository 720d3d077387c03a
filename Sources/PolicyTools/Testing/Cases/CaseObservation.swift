package import TrustEngine

/// What one case of a test asked, and what the engine told of it: the input of coverage.
package struct CaseObservation: Sendable {
    /// The host that the case is about.
    package let host: CanonicalHost
    package let port: UInt16
    /// The instant at which the case is judged.
    package let time: UTCInstant
    /// The engine's explanation; nil for a case that states only what the policy says.
    package let explanation: Explanation?

    package init(
        host: CanonicalHost, port: UInt16, time: UTCInstant, explanation: Explanation?
    ) {
        self.host = host
        self.port = port
        self.time = time
        self.explanation = explanation
    }
}
