/// A trust anchor that is ready for the path search: a member of one anchor set, judged on the
/// terms of that set. A certificate in two sets is two anchors (LANGUAGE section 5).
package struct TrustAnchor: Sendable {
    /// The member's own certificate. Its name, key and limits bind. A copy that the peer sent never
    /// binds.
    package let certificate: Certificate
    /// Index of the anchor set in the table.
    package let set: Int
    package let kind: AnchorKind
    package let standard: Standard
    /// Limits written in the certificate that do not bind.
    package let ignoredLimits: AnchorLimits
    /// Number of the anchor's group among all groups of the table. The constraints of the group are
    /// found by it.
    package let group: Int
    /// SHA-256 of the certificate.
    package let fingerprint: Digest
    /// SHA-256 of the certificate's SubjectPublicKeyInfo; nil when it was not computed.
    package var keyDigest: Digest?
    /// Whether the anchor is a member of the machine's store. Then a root programme has judged its
    /// certificate.
    package var isOfStore = false
    /// Index of the first anchor with the same certificate. Signatures under equal certificates are
    /// verified once.
    package let identity: Int
}

/// All anchors of a table, found by subject name.
package struct TrustAnchorIndex: Sendable {
    /// All anchors, grouped by set.
    package let anchors: [TrustAnchor]
    /// Indices of `anchors`, by the hash of the subject's comparison form.
    private let bySubject: SubjectIndex

    package init(_ anchors: [TrustAnchor]) {
        self.anchors = anchors
        self.bySubject = SubjectIndex(anchors.map(\.certificate.layout.subjectHash))
    }

    /// The anchors whose subject may be a name with this hash. The caller must compare the names.
    package func candidates(subjectHash: UInt64) -> ArraySlice<Int> { bySubject[subjectHash] }

    // One field of an anchor, without a copy of the anchor.

    @inline(__always)
    package func certificate(_ index: Int) -> Certificate { anchors.span[index].certificate }

    @inline(__always)
    package func kind(of index: Int) -> AnchorKind { anchors.span[index].kind }

    @inline(__always)
    package func set(of index: Int) -> Int { anchors.span[index].set }

    @inline(__always)
    package func ignoredLimits(of index: Int) -> AnchorLimits { anchors.span[index].ignoredLimits }

    @inline(__always)
    package func identity(of index: Int) -> Int { anchors.span[index].identity }

    /// The anchors with a certificate's name and key.
    package func holders(of certificate: Certificate) -> [Int] {
        candidates(subjectHash: certificate.layout.subjectHash).filter {
            anchors[$0].certificate.hasNameAndKey(of: certificate)
        }
    }
}
