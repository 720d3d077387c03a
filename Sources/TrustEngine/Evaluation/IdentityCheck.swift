/// Judges service identity as a rule demands it (LANGUAGE section 7): the requested host, one of
/// the listed names, or both. Only an X509-SVID meets a listed `spiffe://` pattern.
struct IdentityCheck {
    let requirement: IdentityRequirement
    let host: CanonicalHost

    /// Judges the names that an end entity presents. A check that passes names the identifiers
    /// where the evaluation is traced.
    func judge(
        _ certificate: Certificate, budget: inout WorkBudget, isTraced: Bool
    ) -> CheckStep.Outcome {
        var last: (reference: ReferenceIdentifier, presented: GeneralName)?
        if requirement.reference != .listed {
            let reference = ReferenceIdentifier(host)
            guard
                let presented = ServiceIdentity.match(reference, in: certificate, budget: &budget)
            else { return mismatch([reference], certificate, &budget) }
            last = (reference, presented)
        }
        if requirement.reference != .host {
            var found: (ReferenceIdentifier, GeneralName)?
            // The first URI that a `spiffe://` pattern matches in a certificate that is not an
            // X509-SVID. The certificate can still meet another listed name.
            var failure: SVIDFailure?
            for reference in listed {
                guard
                    let presented = ServiceIdentity.match(
                        reference, in: certificate, budget: &budget)
                else { continue }
                if reference.isOfSPIFFE {
                    guard budget.spend(SVIDFailure.cost(of: certificate)) else { break }
                    if let problem = SVIDFailure(of: certificate, presenting: presented) {
                        failure = failure ?? problem
                        continue
                    }
                }
                found = (reference, presented)
                break
            }
            if found == nil, let failure, !budget.isExhausted {
                return .failed([.notX509SVID(failure)])
            }
            guard let found else { return mismatch(listed, certificate, &budget) }
            last = found
        }
        guard let last else { return .failed([.engineError("no identity")]) }
        guard isTraced else { return .passed(nil) }
        return .passed(
            .identity(
                reference: last.reference.text,
                presented: ServiceIdentity.text(of: last.presented, in: certificate.der.span)))
    }

    /// Every listed name.
    private var listed: [ReferenceIdentifier] {
        var names: [ReferenceIdentifier] = requirement.dns.map { .dns($0) }
        names += requirement.ip.map { .ip($0) }
        names += requirement.email.map { .email($0) }
        names += requirement.uri.map { .uri($0) }
        return names
    }

    private func mismatch(
        _ wanted: [ReferenceIdentifier], _ certificate: Certificate, _ budget: inout WorkBudget
    ) -> CheckStep.Outcome {
        if budget.isExhausted { return .failed([.budgetExhausted(limit: budget.limit)]) }
        return .failed([
            .nameMismatch(
                wanted: wanted.map(\.text),
                presented: ServiceIdentity.presentedNames(of: certificate))
        ])
    }
}
