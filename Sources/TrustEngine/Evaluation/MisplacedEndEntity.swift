/// Finds the server's own certificate in a presented chain that begins with a CA. The engine takes
/// the first certificate for the server's own, whatever it is; the finding serves the words of an
/// explanation and decides nothing.
enum MisplacedEndEntity {
    /// How many presented certificates are looked at.
    private static let limit = 16

    /// The index in the presented chain of the certificate that is meant: no CA, and it presents
    /// the host's name; otherwise the first certificate that is no CA and names the first
    /// certificate as its issuer. Nil when the first certificate is no CA, and when there is no
    /// such certificate.
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
