internal import TrustEngine

// CAs that issue Merkle tree certificates (draft-ietf-plants-merkle-tree-certs). The engine judges
// certification paths of RFC 5280, which cannot contain a Merkle tree certificate or end at one.
extension Binder {
    /// Reports a file with the certificate of a CA that issues Merkle tree certificates; false if
    /// it has none.
    func refusesMerkleTreeAuthority(
        in material: KeyMaterial, _ file: String, at span: SourceSpan
    ) -> Bool {
        guard let authority = material.certificates.first(where: \.isMerkleTreeAuthority) else {
            return false
        }
        report(
            .anchorUnreadable,
            "\(file) holds the certificate of a CA for Merkle tree certificates, and the language does "
                + "not take these",
            at: span,
            help: [
                "name the CA's other certificate, from which it issues certificates with signatures, or "
                    + "another CA"
            ],
            notes: [
                "`\(authority.subjectText)` has the critical extension "
                    + "mtcCertificationAuthority (draft-ietf-plants-merkle-tree-certs section 5.5)"
            ])
        return true
    }
}

extension Certificate {
    /// Whether the certificate has the critical extension by which a CA says that it issues Merkle
    /// tree certificates.
    var isMerkleTreeAuthority: Bool {
        unknownCriticalExtension.map(Certificate.merkleTreeExtensions.contains) ?? false
    }

    /// IANA's identifier, and the identifiers of the drafts before it was assigned.
    private static let merkleTreeExtensions: Set<String> = [
        "1.3.6.1.5.5.7.1.38", "1.3.6.1.4.1.44363.47.2", "1.3.6.1.4.1.44363.47.4",
    ]
}
