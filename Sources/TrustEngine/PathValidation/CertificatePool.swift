/// The certificates that one search may put on a path: what the peer presented, each once, what the
/// rule's anchor sets offer, and the anchors of the rule.
package struct CertificatePool: Sendable {
    /// One certificate of the pool.
    package enum Member: Hashable, Sendable, BitwiseCopyable {
        /// Index into `presented`.
        case presented(Int32)
        /// Index into the entries of `offered`.
        case offered(Int32)
        /// Index into the anchors, for one used as an intermediate.
        case anchor(Int32)
    }

    /// One presented certificate.
    package struct Presented: Sendable {
        package let certificate: Certificate
        /// Its place in the chain as sent.
        package let wireIndex: Int
        /// SHA-256 of the certificate.
        package let fingerprint: Digest
    }

    /// Which presented certificates are themselves anchors, because the rule pins them (LANGUAGE
    /// section 5, `pinned-keys`).
    package struct PresentedAnchors: Sendable {
        /// Whether the end entity vouches for itself.
        package var endEntity = false
        /// Indices into `presented` of those that vouch for what they signed.
        package var authorities: Set<Int32> = []

        package init() {}
    }

    /// In wire order, without duplicates and without what does not parse; the end entity is first.
    package let presented: [Presented]
    package let offered: OfferedCertificates
    package let anchors: TrustAnchorIndex
    /// Indices of the anchor sets whose members are anchors of this search.
    package let sets: [Int]
    /// Ids of all anchor sets of the engine, for references.
    package let setIDs: [String]
    package var presentedAnchors = PresentedAnchors()

    package func certificate(_ member: Member) -> Certificate {
        switch member {
        case .presented(let index): return presented[Int(index)].certificate
        case .offered(let index): return offered.entries[Int(index)].certificate
        case .anchor(let index): return anchors.anchors[Int(index)].certificate
        }
    }

    /// Whether an anchor belongs to a set of this search.
    package func isInScope(anchor index: Int) -> Bool {
        sets.contains(anchors.anchors[index].set)
    }

    /// The set of this search that offers a certificate; nil when none does.
    package func set(offering index: Int) -> Int? {
        offered.entries[index].sets.first { sets.contains($0) }
    }

    /// Whether an anchor of this search that paths can end at has a certificate's name and key; one of
    /// kind leaf vouches for itself alone.
    package func holdsInScope(_ certificate: Certificate) -> Bool {
        anchors.holders(of: certificate).contains {
            isInScope(anchor: $0) && anchors.anchors[$0].kind != .leaf
        }
    }

    /// Whether a member vouches for what it signed because the rule pins it.
    package func isPinnedAuthority(_ member: Member) -> Bool {
        guard case .presented(let index) = member else { return false }
        return presentedAnchors.authorities.contains(index)
    }

    /// A number that is equal for equal certificates, for remembering signatures.
    package func identity(_ member: Member) -> Int {
        switch member {
        case .presented(let index): return Int(index)
        case .offered(let index): return presented.count + Int(index)
        case .anchor(let index): return -1 - anchors.anchors[Int(index)].identity
        }
    }

    /// How a verdict names a member at a place of a path.
    package func reference(_ member: Member, position: Int) -> CertificateReference {
        switch member {
        case .anchor(let index): return reference(anchor: Int(index), position: position)
        case .presented(let index):
            let entry = presented[Int(index)]
            return CertificateReference(
                position: position, origin: .presented(entry.wireIndex),
                subject: entry.certificate.subjectText, fingerprint: entry.fingerprint)
        case .offered(let index):
            let entry = offered.entries[Int(index)]
            return CertificateReference(
                position: position,
                origin: .offered(set: set(offering: Int(index)).map { setIDs[$0] } ?? ""),
                subject: entry.certificate.subjectText, fingerprint: entry.fingerprint)
        }
    }

    /// How a verdict names an anchor at a place of a path.
    package func reference(anchor index: Int, position: Int) -> CertificateReference {
        let anchor = anchors.anchors[index]
        return CertificateReference(
            position: position, origin: .anchor(set: setIDs[anchor.set]),
            subject: anchor.certificate.subjectText, fingerprint: anchor.fingerprint)
    }
}
