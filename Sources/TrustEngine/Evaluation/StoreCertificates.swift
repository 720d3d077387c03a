/// The certificates of a machine's store, to count those that a rule lets vouch.
package struct StoreCertificates: Sendable {
    /// SHA-256 of the store, as verdicts and receipts have it.
    package let digest: Digest
    private let certificates: [Certificate]
    private let crypto: any CryptoBackend

    /// Takes the DER of each certificate. A certificate that does not parse is not an anchor and is
    /// not counted.
    package init(_ store: [[UInt8]], crypto: any CryptoBackend) {
        digest = EngineBuilder.digest(of: store, crypto: crypto)
        var seen: Set<TrustedMember.Identity> = []
        certificates = store.compactMap { try? Certificate(der: $0) }
            .filter { seen.insert(StoreCertificates.identity($0)).inserted }
        self.crypto = crypto
    }

    /// The number of authorities, each name and key once.
    package var count: Int { certificates.count }

    /// The number of authorities that the filters of some member let vouch, and that no anchor set
    /// lists besides. Cost: linear in the store, times the filters.
    package func count(in anchors: TrustedMembers) -> Int {
        let filters = Set(anchors.members.filter { $0.certificate == nil }.map(\.filters))
        return certificates.count { certificate in
            anchors.indices[StoreCertificates.identity(certificate)] == nil
                && filters.contains { list in
                    list.allSatisfy { $0.keeps(certificate, crypto: crypto) }
                }
        }
    }

    private static func identity(_ certificate: Certificate) -> TrustedMember.Identity {
        .nameAndKey(certificate.layout.subjectHash, certificate.keyOctets)
    }
}
