/// Judges one path by `forbidden-keys` (LANGUAGE section 8). An entry rejects every path that holds
/// its key, whatever pins or anchors name that key, and in whatever encoding.
struct ForbiddenKeyCheck {
    let entries: [ForbiddenKey]
    let pool: CertificatePool

    /// One violation for each entry that the path holds, at the first position that matches. Cost:
    /// one unit for each digest, and one unit for each eight certificates that the digest is
    /// compared with.
    func judge(
        _ path: CandidatePath, digests: inout PathDigests, budget: inout WorkBudget
    ) -> [Violation] {
        let issued = path.certificate(at: 0, in: pool).layout.notBefore
        var violations: [Violation] = []
        for entry in entries where entry.notBefore?.contains(issued) ?? true {
            guard budget.spend(entry.matches.count * (1 + path.count / 8)) else {
                return [.budgetExhausted(limit: budget.limit)]
            }
            for position in 0..<path.count {
                let match = entry.matches.first { digests.names($0, at: position, of: path) }
                guard let match else { continue }
                violations.append(
                    .forbiddenKey(
                        ForbiddenKeyFound(
                            entry: entry.id, digest: match.text,
                            certificate: path.reference(at: position, in: pool),
                            from: entry.notBefore?.from, until: entry.notBefore?.until,
                            issued: issued)))
                break
            }
        }
        return violations
    }
}
