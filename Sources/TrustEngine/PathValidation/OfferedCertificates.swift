/// The `intermediates` of anchor sets, found by subject name. The search may put them on a path;
/// nobody trusts them for that.
package struct OfferedCertificates: Sendable {
    /// One certificate, with all sets that offer it.
    package struct Offer: Sendable {
        package let certificate: Certificate
        /// SHA-256 of the certificate.
        package let fingerprint: Digest
        /// SHA-256 of the certificate's SubjectPublicKeyInfo; nil when it was not computed.
        package let keyDigest: Digest?
        /// Indices of the sets that offer the certificate, ascending.
        package fileprivate(set) var sets: [Int]
    }

    package private(set) var entries: [Offer] = []
    /// Indices of `entries`, by the hash of the subject's comparison form.
    private var bySubject: [UInt64: [Int]] = [:]
    private var indices: [Digest: Int] = [:]

    package init() {}

    /// Adds a certificate that a set offers. Sets must come in ascending order.
    package mutating func add(
        _ certificate: Certificate, fingerprint: Digest, keyDigest: Digest? = nil, set: Int
    ) {
        if let index = indices[fingerprint] {
            if entries[index].sets.last != set { entries[index].sets.append(set) }
            return
        }
        indices[fingerprint] = entries.count
        bySubject[certificate.layout.subjectHash, default: []].append(entries.count)
        entries.append(
            Offer(
                certificate: certificate, fingerprint: fingerprint, keyDigest: keyDigest,
                sets: [set]))
    }

    /// The certificates whose subject may be a name with this hash. The caller must compare the
    /// names.
    package func candidates(subjectHash: UInt64) -> [Int] {
        bySubject.isEmpty ? [] : bySubject[subjectHash] ?? []
    }
}
