/// URLs and URI names that stand where a host is wanted.
enum HostURL {
    /// The problem of a SPIFFE ID. It has the form of a URL, but its host is a trust domain.
    /// Clients do not ask for that name: a certificate presents the whole text as a URI name. Nil
    /// for any other text.
    static func spiffeProblem(
        of text: String, in field: HostPatternScanner.Field
    ) -> ScalarProblem? {
        guard text.lowercased().hasPrefix(spiffe) else { return nil }
        let isPattern = (try? URIPatternScanner.scan(text)) != nil
        let uris = isPattern && text.utf8.count <= 200 ? "[\"\(text)\"]" : "[…]"
        let help: String
        switch field {
        case .hosts:
            help =
                "write `identity: { reference: listed, uri: \(uris) }` in the rule, and under `hosts` "
                + "the names at which clients reach the service"
        case .certificateNames: help = "write `permitted-uris: \(uris)` in `constraints`"
        case .exactNames: help = "write `uri: \(uris)` in `identity`"
        }
        return ScalarProblem(
            .urlNotHost,
            "\(ScalarProblem.quote(text)) is a SPIFFE ID, which a certificate presents as a URI name; "
                + "a host is a name or an address",
            range: 0..<spiffe.utf8.count, help: [help])
    }

    private static let spiffe = "spiffe://"

    /// The port that a URL without one stands for; nil for an unknown scheme.
    static func port(of url: String) -> Int? {
        guard let end = url.firstRange(of: "://") else { return nil }
        return ports[url[..<end.lowerBound].lowercased()]
    }

    /// Default ports of schemes: the registrations of IANA, and for databases the ports that their
    /// clients take. Schemes whose port begins in clear text are left out, apart from `http` and
    /// `ws`.
    private static let ports = [
        "https": 443, "wss": 443, "http": 80, "ws": 80, "ldaps": 636, "imaps": 993, "pop3s": 995,
        "smtps": 465, "ftps": 990, "amqps": 5671, "mqtts": 8883, "rediss": 6379, "sips": 5061,
        "postgres": 5432, "postgresql": 5432, "mysql": 3306,
    ]
}
