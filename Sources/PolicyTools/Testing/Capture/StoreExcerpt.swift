import TrustEngine

/// The certificates of a machine's store that can matter for one chain, so that a case stays small
/// and is judged alike on every machine.
///
/// `only` and `exclude` of the policy are not applied: a later change of them is judged by what the
/// machine had.
package enum StoreExcerpt {
    /// DER of the certificates, in the order of the store: those with the name of a presented
    /// certificate, of its issuer, or of the issuer of one that was found. The first certificate of
    /// the store if there is none, because an engine refuses an empty store.
    ///
    /// - Parameters:
    ///   - store: DER of each certificate.
    ///   - others: DER of certificates that the policy offers besides, which can lie between the
    ///     chain and the store.
    ///
    /// Cost: linear in the certificates, for each step from issuer to issuer.
    package static func certificates(
        of store: [[UInt8]], for presented: [[UInt8]], offered others: [[UInt8]]
    ) -> [[UInt8]] {
        let parsed = store.map { try? Certificate(der: $0) }
        let offered = others.compactMap { try? Certificate(der: $0) }
        var reached = presented.compactMap { try? Certificate(der: $0) }
        var taken = Set<Int>()
        var used = Set<Int>()
        var next = 0
        while next < reached.count {
            let one = reached[next]
            next += 1
            for (index, candidate) in parsed.enumerated() where !taken.contains(index) {
                guard let candidate, isRelated(candidate, to: one) else { continue }
                taken.insert(index)
                reached.append(candidate)
            }
            for (index, candidate) in offered.enumerated() where !used.contains(index) {
                guard isRelated(candidate, to: one) else { continue }
                used.insert(index)
                reached.append(candidate)
            }
        }
        guard !taken.isEmpty else {
            return parsed.firstIndex { $0 != nil }.map { [store[$0]] } ?? []
        }
        return taken.sorted().map { store[$0] }
    }

    private static func isRelated(_ candidate: Certificate, to one: Certificate) -> Bool {
        one.isIssued(byNameOf: candidate)
            || candidate.layout.subjectHash == one.layout.subjectHash
    }
}
