// Comparisons of names that others chose, paid from a budget. A name has up to 64 KiB, and names of
// other octets are compared one character at a time. Cost: one unit for each 4 KiB of both names,
// and the units of `ReadingWork`; nothing for names in use, whose comparison is part of the unit
// that each caller spends on a candidate.

extension DistinguishedName {
    /// Whether two names are equal (RFC 5280 section 7.1).
    package static func isEqual(
        _ left: Span<UInt8>, _ right: Span<UInt8>, budget: inout WorkBudget
    ) throws(WorkExhausted) -> Bool {
        try budget.take((left.count + right.count) / 4_096)
        var work = ReadingWork()
        let isEqual = isEqual(left, right, work: &work)
        try budget.take(work.units)
        return isEqual
    }

    /// Whether `name` lies in the subtree of `base` (RFC 5280 section 7.1).
    package static func isInside(
        _ name: Span<UInt8>, base: Span<UInt8>, budget: inout WorkBudget
    ) throws(WorkExhausted) -> Bool {
        try budget.take((name.count + base.count) / 4_096)
        var work = ReadingWork()
        let isInside = isInside(name, base: base, work: &work)
        try budget.take(work.units)
        return isInside
    }
}

extension Certificate {
    /// Whether this certificate's issuer is the subject of another certificate; false where the
    /// budget does not allow the comparison, which the budget then says. Only the names are
    /// compared; the signature is not verified.
    package func isIssued(byNameOf issuer: Certificate, budget: inout WorkBudget) -> Bool {
        guard layout.issuerHash == issuer.layout.subjectHash else { return false }
        return
            (try? DistinguishedName.isEqual(
                der.span.extracting(layout.issuer.indices),
                issuer.der.span.extracting(issuer.layout.subject.indices), budget: &budget))
            ?? false
    }
}

extension CertificateRevocationList {
    /// Whether the CRL's issuer is the subject of a certificate. Only the names are compared; the
    /// signature is not verified.
    package func isIssued(
        byNameOf certificate: Certificate, budget: inout WorkBudget
    ) throws(WorkExhausted) -> Bool {
        guard layout.issuerHash == certificate.layout.subjectHash else { return false }
        return try DistinguishedName.isEqual(
            der.span.extracting(layout.issuer.indices),
            certificate.der.span.extracting(certificate.layout.subject.indices), budget: &budget)
    }
}
