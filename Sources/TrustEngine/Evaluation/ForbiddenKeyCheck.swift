/// `forbidden-keys` against one path (LANGUAGE section 8): an entry kills the path that holds its key,
/// whatever pins or anchors say of it.
struct ForbiddenKeyCheck {
    let entries: [ForbiddenKey]
    let pool: CertificatePool

    /// Every entry that the path holds, each at its first place. Cost: one unit for each digest and for
    /// each eight certificates it is compared with.
    func judge(
        _ path: CandidatePath, digests: inout PathDigests, budget: inout WorkBudget
    ) -> [Violation] {
        let issued = path.certificate(at: 0, in: pool).layout.notBefore
        var violations: [Violation] = []
        for entry in entries where entry.notBefore?.contains(issued) ?? true {
            guard budget.spend(entry.matches.count * (1 + path.count / 8)) else {
                return [.budgetExhausted(limit: budget.limit)]
            }
            for place in 0..<path.count {
                let match = entry.matches.first { digests.matches($0, at: place, of: path) }
                guard let match else { continue }
                violations.append(
                    .forbiddenKey(
                        ForbiddenKeyFound(
                            entry: entry.id, digest: match.text,
                            certificate: path.reference(at: place, in: pool),
                            from: entry.notBefore?.from, until: entry.notBefore?.until,
                            issued: issued)))
                break
            }
        }
        return violations
    }
}
