/// What the entries of a pin set vouch for in a rule whose anchors are its pinned keys (LANGUAGE
/// section 5): `at: leaf` for the end entity itself, `ca` and `anchor` for what they signed, `any` for
/// both.
///
/// An entry by key proves the key and no more. The certificate around it is the peer's word: its limits
/// bind, but a peer who wants none can send one without any. So where the policy holds a certificate of
/// that name and key, that one ends the path and the peer's copy does not.
package struct PinnedKeys: Sendable {
    /// The built-in set that stands for them.
    package static let setID = AnchorSetContents.pinnedKeysID

    /// Whom a pinned certificate vouches for.
    private struct Reach: OptionSet, Hashable {
        let rawValue: UInt8
        static let itself = Reach(rawValue: 1)
        static let others = Reach(rawValue: 2)

        init(rawValue: UInt8) { self.rawValue = rawValue }

        init(_ position: PinPosition) {
            switch position {
            case .leaf: self = .itself
            case .ca, .anchor: self = .others
            case .any: self = [.itself, .others]
            case .intermediate: self = []
            }
        }
    }

    private var reaches: [KeyMatch: Reach] = [:]
    /// The kinds of digests to make of a certificate.
    private var kinds: Set<DigestKind> = []
    /// Certificates of the policy that vouch for what they signed; DER, each once.
    private(set) var authorities: [[UInt8]] = []

    private struct DigestKind: Hashable {
        let kind: KeyMatch.Kind
        let algorithm: DigestAlgorithm
    }

    /// The entries of a pin set of a table.
    init(_ set: PinSetRecord, of table: PolicyTable) {
        var certificates: Set<[UInt8]> = []
        for position in 0..<Int(set.keyCount) + Int(set.backupCount) {
            let pin = table.pin(set, position)
            let reach = Reach(pin.position)
            for index in 0..<Int(pin.matchCount) {
                let match = table.keyMatch(pin, index)
                reaches[match, default: []].formUnion(reach)
                kinds.insert(DigestKind(kind: match.kind, algorithm: match.digest.algorithm))
            }
            if reach.contains(.others) { certificates.formUnion(table.certificates(of: pin)) }
        }
        authorities = certificates.sorted { $0.lexicographicallyPrecedes($1) }
    }

    /// Adds to `anchors` what of the presented chain these entries make an anchor. Cost: a unit for
    /// each certificate and each kind of digest; what the budget does not hold is no anchor.
    func mark(
        in pool: CertificatePool, crypto: any CryptoBackend, budget: inout WorkBudget,
        anchors: inout CertificatePool.PresentedAnchors
    ) {
        for (index, entry) in pool.presented.enumerated() {
            guard budget.spend(1 + kinds.count) else { return }
            let (byKey, byCertificate) = reach(of: entry.certificate, crypto)
            if index == 0, byKey.union(byCertificate).contains(.itself) {
                anchors.endEntity = true
            }
            let isAuthority =
                byCertificate.contains(.others)
                || (byKey.contains(.others) && !pool.holdsInScope(entry.certificate))
            if isAuthority { anchors.authorities.insert(Int32(index)) }
        }
    }

    /// Whether these entries name a certificate, by its key or as a whole, as one that vouches for what it
    /// signed.
    func names(authority certificate: Certificate, crypto: any CryptoBackend) -> Bool {
        let (byKey, byCertificate) = reach(of: certificate, crypto)
        return byKey.union(byCertificate).contains(.others)
    }

    /// Whom a certificate vouches for by what the entries say of its key, and of the whole of it.
    private func reach(
        of certificate: Certificate, _ crypto: any CryptoBackend
    ) -> (byKey: Reach, byCertificate: Reach) {
        var byKey: Reach = []
        var byCertificate: Reach = []
        for wanted in kinds {
            let match = KeyMatch(
                kind: wanted.kind, digest: PinnedKeys.digest(wanted, of: certificate, crypto))
            guard let reach = reaches[match] else { continue }
            switch wanted.kind {
            case .spki: byKey.formUnion(reach)
            case .certificate: byCertificate.formUnion(reach)
            }
        }
        return (byKey, byCertificate)
    }

    private static func digest(
        _ kind: DigestKind, of certificate: Certificate, _ crypto: any CryptoBackend
    ) -> Digest {
        let octets = certificate.der.span
        switch kind.kind {
        case .certificate: return crypto.digest(kind.algorithm, of: octets)
        case .spki:
            let spki = certificate.layout.publicKey.spki
            return crypto.digest(kind.algorithm, of: octets.extracting(spki.indices))
        }
    }
}
