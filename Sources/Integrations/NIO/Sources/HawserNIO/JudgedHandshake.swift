public import TrustEngine

/// A handshake that was judged: what was asked, what was answered, and by which table.
public struct JudgedHandshake: Sendable {
    /// The host asked for; of a server that judges its clients, the name that stands for them.
    public let host: String
    /// The port asked for.
    public let port: UInt16
    /// The rule that decided; empty for the body of `default`.
    public let ruleID: String
    /// The epoch of the table that decided: it belongs into the key of whatever outlives a request,
    /// a session or a pooled connection.
    public let epoch: UInt64
    /// The revision of the table, where it has one.
    public let revision: UInt64?
    /// What the verdict answers, with all the evidence that it was judged by.
    public let request: TrustRequest
    /// The answer.
    public let verdict: Verdict
    /// The application protocol that was agreed on, once the handshake is over.
    public internal(set) var negotiatedProtocol: String?
}
