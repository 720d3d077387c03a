/// A trust anchor ready for path search: a member of one anchor set, judged on that set's terms. The
/// same certificate in two sets is two anchors (LANGUAGE section 5).
package struct TrustAnchor: Sendable {
    /// The member's own certificate: its name, key and limits bind, never those of a copy that the
    /// peer sent.
    package let certificate: Certificate
    /// Index of its set in the table.
    package let set: Int
    package let kind: AnchorKind
    package let standard: Standard
    /// Limits written in the certificate that do not bind.
    package let ignoredLimits: AnchorLimits
    /// Number of its group of members among all groups of the table: what the group's constraints
    /// are found by.
    package let group: Int
    /// SHA-256 of the certificate.
    package let fingerprint: Digest
    /// Whether it is a member of the machine's store: a root programme has judged its certificate.
    package var isOfStore = false
    /// Index of the first anchor with the same certificate: signatures under it are verified once.
    package let identity: Int
}

/// Every anchor of a table, found by subject name.
package struct TrustAnchorIndex: Sendable {
    /// All anchors, grouped by set.
    package let anchors: [TrustAnchor]
    /// Indices into `anchors` by hash of the subject's comparison form.
    private let bySubject: [UInt64: [Int]]

    package init(_ anchors: [TrustAnchor]) {
        self.anchors = anchors
        var bySubject: [UInt64: [Int]] = [:]
        for (index, anchor) in anchors.enumerated() {
            bySubject[anchor.certificate.layout.subjectHash, default: []].append(index)
        }
        self.bySubject = bySubject
    }

    /// Anchors whose subject name may equal a name with this hash; confirm each by comparison.
    package func candidates(subjectHash: UInt64) -> [Int] { bySubject[subjectHash] ?? [] }

    /// Anchors with a certificate's name and key.
    package func holders(of certificate: Certificate) -> [Int] {
        candidates(subjectHash: certificate.layout.subjectHash).filter {
            anchors[$0].certificate.hasNameAndKey(of: certificate)
        }
    }
}
