import TrustEngine

/// The words for a server that sends the certificate of a CA as its own. The certificate is one
/// that the rule trusts to issue others, so nobody answers in its place; a server was set up with
/// the wrong file.
enum AuthorityAsServer {
    /// The sentence for a reader who only wanted to connect.
    static func forEndUser(_ situation: Situation) -> String {
        situation.wrongOrder
            ?? "`\(situation.host)` shows the certificate of an authority in the place of its own"
    }

    /// Whose side it is.
    static let reading = SideReading(.server, "it sends the authority's certificate as its own")

    /// What to do. A server that answers TLS with the certificate of a CA has the CA's key.
    static func repairs(_ name: String, host: String) -> [Repair] {
        [
            Repair(
                "have the server use its own certificate for `\(host)`, which an authority issues, "
                    + "in the place of \(name)"),
            Repair(
                "if the server has the key of \(name) too, take it away: whoever gets this key can "
                    + "issue certificates for other hosts"),
        ]
    }
}
