/// Certificates that anchor sets offer to the path search and that nobody trusts for it
/// (`intermediates`), found by subject name.
package struct OfferedCertificates: Sendable {
    /// One certificate, however many sets offer it.
    package struct Entry: Sendable {
        package let certificate: Certificate
        /// SHA-256 of the certificate.
        package let fingerprint: Digest
        /// Indices of the sets that offer it, ascending.
        package fileprivate(set) var sets: [Int]
    }

    package private(set) var entries: [Entry] = []
    /// Indices into `entries` by hash of the subject's comparison form.
    private var bySubject: [UInt64: [Int]] = [:]
    private var places: [Digest: Int] = [:]

    package init() {}

    /// Adds what a set offers; sets come in ascending order.
    package mutating func add(_ certificate: Certificate, fingerprint: Digest, set: Int) {
        if let place = places[fingerprint] {
            if entries[place].sets.last != set { entries[place].sets.append(set) }
            return
        }
        places[fingerprint] = entries.count
        bySubject[certificate.layout.subjectHash, default: []].append(entries.count)
        entries.append(Entry(certificate: certificate, fingerprint: fingerprint, sets: [set]))
    }

    /// Entries whose subject name may equal a name with this hash; confirm each by comparison.
    package func candidates(subjectHash: UInt64) -> [Int] { bySubject[subjectHash] ?? [] }
}
