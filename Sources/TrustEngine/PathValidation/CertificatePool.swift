/// The certificates that one search may put on a path: the presented certificates, each once; the
/// `intermediates` of the rule's anchor sets; and the rule's anchors. Every check of a search holds
/// the one pool, so it is an object and never copied.
package final class CertificatePool: Sendable {
    /// One certificate of the pool.
    package enum Member: Hashable, WordPair {
        /// A presented certificate: an index of `presented`.
        case presented(Int32)
        /// A certificate that an anchor set offers: an index of `offered.entries`.
        case offered(Int32)
        /// An anchor that is used as an intermediate: an index of the anchors.
        case anchor(Int32)

        @inline(__always)
        package init(words: (UInt64, UInt64)) {
            let index = Int32(truncatingIfNeeded: words.0)
            switch words.1 {
            case 0: self = .presented(index)
            case 1: self = .offered(index)
            default: self = .anchor(index)
            }
        }

        package var words: (UInt64, UInt64) {
            @inline(__always) get {
                switch self {
                case .presented(let index): return (UInt64(truncatingIfNeeded: index), 0)
                case .offered(let index): return (UInt64(truncatingIfNeeded: index), 1)
                case .anchor(let index): return (UInt64(truncatingIfNeeded: index), 2)
                }
            }
        }
    }

    /// One presented certificate.
    package struct Presented: Sendable {
        package let certificate: Certificate
        /// Index in the presented chain.
        package let wireIndex: Int
        /// SHA-256 of the certificate.
        package let fingerprint: Digest
        /// SHA-256 of its SubjectPublicKeyInfo, where a memory has it.
        package let keyDigest: Digest?

        package init(
            certificate: Certificate, wireIndex: Int, fingerprint: Digest, keyDigest: Digest? = nil
        ) {
            self.certificate = certificate
            self.wireIndex = wireIndex
            self.fingerprint = fingerprint
            self.keyDigest = keyDigest
        }
    }

    /// A presented certificate that does not parse. It is on no path. A violation names it when it
    /// has the name of the missing issuer.
    package struct Unreadable: Sendable {
        /// Index in the presented chain.
        package let wireIndex: Int
        package let error: CertificateError
        /// The subject, tag and length included; nil where it could not be read.
        package let subject: [UInt8]?
    }

    /// The presented certificates that are themselves anchors, because the rule pins them (LANGUAGE
    /// section 5, `pinned-keys`).
    package struct PresentedAnchors: Sendable {
        /// Whether the end entity vouches for itself.
        package var endEntity = false
        /// Indices of `presented`: the certificates that vouch for the certificates that they
        /// signed.
        package var authorities: Set<Int32> = []

        package init() {}
    }

    /// The presented certificates in wire order, end entity first. Duplicates and certificates that
    /// do not parse are left out.
    package let presented: [Presented]
    package let offered: OfferedCertificates
    package let anchors: TrustAnchorIndex
    /// Indices of the anchor sets whose members are anchors of this search.
    package let sets: IndexView
    /// Ids of all anchor sets of the engine, by index.
    package let setIDs: [String]
    package let presentedAnchors: PresentedAnchors
    /// The presented certificates that do not parse, in wire order; at most eight.
    package let unreadable: [Unreadable]

    package init(
        presented: [Presented], offered: OfferedCertificates, anchors: TrustAnchorIndex,
        sets: IndexView, setIDs: [String],
        presentedAnchors: PresentedAnchors = PresentedAnchors(), unreadable: [Unreadable] = []
    ) {
        self.presented = presented
        self.offered = offered
        self.anchors = anchors
        self.sets = sets
        self.setIDs = setIDs
        self.presentedAnchors = presentedAnchors
        self.unreadable = unreadable
    }

    /// A pool of the same certificates, of which some presented ones are anchors.
    package func marking(_ presentedAnchors: PresentedAnchors) -> CertificatePool {
        CertificatePool(
            presented: presented, offered: offered, anchors: anchors, sets: sets, setIDs: setIDs,
            presentedAnchors: presentedAnchors, unreadable: unreadable)
    }

    /// The certificate of a member. It is inlined, so that a read of one field copies only that
    /// field.
    @inline(__always)
    package func certificate(_ member: Member) -> Certificate {
        // A list is read through its span, so that an element is not copied for one of its fields.
        switch member {
        case .presented(let index):
            let list = presented
            return list.span[Int(index)].certificate
        case .offered(let index):
            let list = offered.entries
            return list.span[Int(index)].certificate
        case .anchor(let index):
            let list = anchors.anchors
            return list.span[Int(index)].certificate
        }
    }

    /// Whether an anchor belongs to a set of this search.
    package func isInScope(anchor index: Int) -> Bool {
        sets.contains(anchors.set(of: index))
    }

    /// Whether a certificate with this fingerprint was presented.
    package func presents(_ fingerprint: Digest) -> Bool {
        presented.contains { $0.fingerprint == fingerprint }
    }

    /// Index of the set of this search that offers a certificate; nil when no set offers it.
    package func set(offering index: Int) -> Int? {
        offered.entries[index].sets.first { sets.contains($0) }
    }

    /// Whether an anchor of this search has a certificate's name and key, and paths can end at the
    /// anchor. An anchor of kind leaf does not count, because it vouches only for itself.
    package func holdsInScope(_ certificate: Certificate) -> Bool {
        anchors.holders(of: certificate).contains {
            isInScope(anchor: $0) && anchors.anchors[$0].kind != .leaf
        }
    }

    /// Whether a member vouches for the certificates that it signed, because the rule pins it.
    package func isPinnedAuthority(_ member: Member) -> Bool {
        guard case .presented(let index) = member else { return false }
        return presentedAnchors.authorities.contains(index)
    }

    /// A number that is equal for equal certificates. Verified signatures are remembered by it.
    package func identity(_ member: Member) -> Int {
        switch member {
        case .presented(let index): return Int(index)
        case .offered(let index): return presented.count + Int(index)
        case .anchor(let index): return -1 - anchors.anchors[Int(index)].identity
        }
    }

    /// SHA-256 of a member's certificate.
    package func fingerprint(_ member: Member) -> Digest {
        switch member {
        case .presented(let index):
            let list = presented
            return list.span[Int(index)].fingerprint
        case .offered(let index):
            let list = offered.entries
            return list.span[Int(index)].fingerprint
        case .anchor(let index):
            let list = anchors.anchors
            return list.span[Int(index)].fingerprint
        }
    }

    /// SHA-256 of a member's SubjectPublicKeyInfo; nil for a presented certificate whose key was
    /// not hashed before.
    package func keyDigest(_ member: Member) -> Digest? {
        switch member {
        case .presented(let index):
            let list = presented
            return list.span[Int(index)].keyDigest
        case .offered(let index): return offered.entries[Int(index)].keyDigest
        case .anchor(let index): return anchors.anchors[Int(index)].keyDigest
        }
    }

    /// The reference by which a verdict names a member at a position of a path.
    package func reference(_ member: Member, position: Int) -> CertificateReference {
        switch member {
        case .anchor(let index):
            return CertificateReference(
                position: position, origin: .anchor(set: setIDs[anchors.set(of: Int(index))]),
                to: certificate(member), fingerprint: fingerprint(member))
        case .presented(let index):
            let list = presented
            return CertificateReference(
                position: position, origin: .presented(list.span[Int(index)].wireIndex),
                to: certificate(member), fingerprint: fingerprint(member))
        case .offered(let index):
            let offer = offered.entries[Int(index)]
            return CertificateReference(
                position: position,
                origin: .offered(set: set(offering: Int(index)).map { setIDs[$0] } ?? ""),
                to: offer.certificate, fingerprint: offer.fingerprint)
        }
    }
}
