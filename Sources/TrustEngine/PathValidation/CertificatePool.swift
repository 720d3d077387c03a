/// The certificates that one search may put on a path: what the peer presented, each once, and the
/// anchors of the rule.
package struct CertificatePool: Sendable {
    /// A certificate of the pool: not negative for a presented one (index into `presented`), negative
    /// for an anchor used as an intermediate (`-1 - index` into the anchors).
    package typealias Member = Int32

    /// One presented certificate.
    package struct Presented: Sendable {
        package let certificate: Certificate
        /// Its place in the chain as sent.
        package let wireIndex: Int
        /// SHA-256 of the certificate.
        package let fingerprint: Digest
    }

    /// In wire order, without duplicates and without what does not parse; the end entity is first.
    package let presented: [Presented]
    package let anchors: TrustAnchorIndex
    /// Indices of the anchor sets whose members are anchors of this search.
    package let sets: [Int]
    /// Ids of all anchor sets of the table, for references.
    package let setIDs: [String]

    package func certificate(_ member: Member) -> Certificate {
        member >= 0
            ? presented[Int(member)].certificate : anchors.anchors[Int(-1 - member)].certificate
    }

    /// Whether an anchor belongs to a set of this search.
    package func isInScope(anchor index: Int) -> Bool {
        sets.contains(anchors.anchors[index].set)
    }

    /// Whether an anchor of this search that paths can end at has a certificate's name and key; one of
    /// kind leaf vouches for itself alone.
    package func holdsInScope(_ certificate: Certificate) -> Bool {
        anchors.holders(of: certificate).contains {
            isInScope(anchor: $0) && anchors.anchors[$0].kind != .leaf
        }
    }

    /// A number that is equal for equal certificates, for remembering signatures.
    package func identity(_ member: Member) -> Int {
        member >= 0 ? Int(member) : -1 - anchors.anchors[Int(-1 - member)].identity
    }

    /// How a verdict names a member at a place of a path.
    package func reference(_ member: Member, position: Int) -> CertificateReference {
        if member < 0 { return reference(anchor: Int(-1 - member), position: position) }
        let entry = presented[Int(member)]
        return CertificateReference(
            position: position, origin: .presented(entry.wireIndex),
            subject: entry.certificate.subjectText, fingerprint: entry.fingerprint)
    }

    /// How a verdict names an anchor at a place of a path.
    package func reference(anchor index: Int, position: Int) -> CertificateReference {
        let anchor = anchors.anchors[index]
        return CertificateReference(
            position: position, origin: .anchor(set: setIDs[anchor.set]),
            subject: anchor.certificate.subjectText, fingerprint: anchor.fingerprint)
    }
}
