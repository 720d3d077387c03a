/// Finds the server's own certificate in a presented chain that begins with a CA. The engine takes
/// the first certificate for the server's own, whatever it is; the finding serves the words of an
/// explanation and decides nothing.
package enum MisplacedEndEntity {
    /// How many presented certificates are looked at.
    private static let limit = 16

    /// The position in wire order of the server's own certificate: the first certificate that is
    /// not a CA and presents the host's name; otherwise the first certificate that is not a CA and
    /// names the first certificate as its issuer. Nil when no certificate fits, and when the first
    /// certificate is not a CA.
    package static func position(in request: TrustRequest) -> Int? {
        let presented = request.presentedChain.prefix(limit)
        guard presented.count > 1,
            let first = presented.first.flatMap({ try? Certificate(der: $0) }),
            first.layout.extensions.isCA
        else { return nil }
        let host = try? CanonicalHost(text: request.host)
        // The words need no share of the evaluation's budget: a certificate is read once.
        var budget = WorkBudget(limit: 1_000)
        var issued: Int?
        for (position, der) in presented.enumerated().dropFirst() {
            guard let certificate = try? Certificate(der: der),
                !certificate.layout.extensions.isCA
            else { continue }
            if let host,
                ServiceIdentity.match(ReferenceIdentifier(host), in: certificate, budget: &budget)
                    != nil
            {
                return position
            }
            if issued == nil, certificate.isIssued(byNameOf: first, budget: &budget) {
                issued = position
            }
        }
        return issued
    }
}
