/// Finds the server's own certificate in a presented chain that begins with a CA. The engine takes
/// the first certificate for the server's own, whatever it is; the finding serves the words of an
/// explanation and decides nothing.
enum MisplacedEndEntity {
    /// The number of presented certificates that the search reads.
    private static let limit = 16

    /// The index in the presented chain of the server's probable certificate: the first non-CA
    /// certificate that presents the host's name, otherwise the first non-CA certificate that names
    /// the chain's first certificate as its issuer. Nil if the chain does not begin with a CA, or
    /// if no certificate fits.
    static func index(among presented: [CertificatePool.Presented], of host: CanonicalHost) -> Int?
    {
        guard let first = presented.first, first.wireIndex == 0,
            first.certificate.layout.extensions.isCA
        else { return nil }
        // The words need no share of the evaluation's budget.
        var budget = WorkBudget(limit: 1_000)
        var issued: Int?
        for candidate in presented.dropFirst() {
            guard candidate.wireIndex < limit, !candidate.certificate.layout.extensions.isCA else {
                continue
            }
            if ServiceIdentity.match(
                ReferenceIdentifier(host), in: candidate.certificate, budget: &budget) != nil
            {
                return candidate.wireIndex
            }
            if issued == nil,
                candidate.certificate.isIssued(byNameOf: first.certificate, budget: &budget)
            {
                issued = candidate.wireIndex
            }
        }
        return issued
    }
}
