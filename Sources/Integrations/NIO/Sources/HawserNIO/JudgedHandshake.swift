#if NIO

public import TrustEngine

/// A handshake that was judged: the request, the verdict, and the table that judged.
public struct JudgedHandshake: Sendable {
    /// The requested host; for a server that judges its clients, the name that stands for them.
    public let host: String
    /// The requested port.
    public let port: UInt16
    /// Id of the rule that decided; empty for the body of `default`.
    public let ruleID: String
    /// The epoch of the table that decided. It belongs in the key of everything that outlives a
    /// request, such as a session or a pooled connection.
    public let epoch: UInt64
    /// The revision of the table, where the table has one.
    public let revision: UInt64?
    /// The request that the verdict answers, with all the evidence that it was judged by.
    public let request: TrustRequest
    /// The verdict.
    public let verdict: Verdict
    /// The application protocol that was agreed on; nil until the handshake is over, and where
    /// there is none.
    public internal(set) var negotiatedProtocol: String?
}

#endif
