#if NIO

public import TrustEngine

/// A handshake that was judged: the request, the verdict, and the table that judged.
///
/// A connection that is refused before its peer has presented anything is judged by a request
/// without certificates, which every policy rejects.
public struct JudgedHandshake: Sendable {
    /// The requested host; for a server that judges its clients, the name that stands for them.
    public let host: String
    /// The requested port.
    public let port: UInt16
    /// Id of the rule that decided; empty for the body of `default`, nil where no rule decides.
    public let ruleID: String?
    /// The epoch of the table that decided. It belongs in the key of everything that outlives a
    /// request, such as a session or a pooled connection.
    public let epoch: UInt64
    /// The revision of the table, where the table has one.
    public let revision: UInt64?
    /// The request that the verdict answers, with all the evidence that it was judged by.
    public let request: TrustRequest
    /// The verdict.
    public let verdict: Verdict
    /// The error that the connection fails with; nil for an accept. Its `code` says where the
    /// reason is not the verdict, such as `demands-unmet`.
    public let refusal: HawserTLSError?
    /// The application protocol that was agreed on; nil until the handshake is over, and where
    /// there is none.
    public internal(set) var negotiatedProtocol: String?
}

#endif
