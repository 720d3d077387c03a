public import TrustEngine

/// What one finished handshake showed.
public struct ProbedConnection: Hashable, Sendable {
    /// DER of each certificate presented, wire order, end entity first.
    public let presentedChain: [[UInt8]]
    /// Version, suite, group, signature scheme and application protocol as negotiated.
    public let parameters: TLSParameters
    /// The stapled OCSP response and the SCT list of the TLS extension, where the server sent them.
    public let evidence: Evidence
    /// The address connected to, numeric.
    public let address: String
}
