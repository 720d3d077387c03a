public import TrustEngine

/// The values that one finished handshake showed.
public struct ProbedConnection: Hashable, Sendable {
    /// DER of each presented certificate, in wire order, end entity first.
    public let presentedChain: [[UInt8]]
    /// The negotiated version, suite, group, signature scheme and application protocol.
    public let parameters: TLSParameters
    /// The stapled OCSP response and the SCT list of the TLS extension, each where the server sent
    /// it.
    public let evidence: Evidence
    /// The numeric address of the server.
    public let address: String
}
