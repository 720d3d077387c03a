import TrustEngine

/// The words for a server that sends the certificate of a CA as its own. The certificate is one
/// that the rule trusts to issue others, so nobody answers in its place; a server was set up with
/// the wrong file.
enum AuthorityAsServer {
    /// The headline for a self-issued certificate that anchor sets of the rule hold as a CA.
    static func headline(_ certificate: CertificateReference, _ sets: [String]) -> String {
        "\(Words.name(certificate)) stands where the server's own certificate belongs, "
            + "and is an anchor of \(Words.list(sets)), which vouches for others and "
            + "not for a server"
    }

    /// The sentence for a reader who only wanted to connect.
    static func forEndUser(_ situation: Situation) -> String {
        if let position = situation.misplacedEndEntity {
            return ViolationSentences.wrongOrder(position, situation)
        }
        return "`\(situation.host)` shows the certificate of an authority in the place of its own"
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
