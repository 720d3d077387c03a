/// The certificates that a pin set makes anchors, in a rule with `anchors: pinned-keys` (LANGUAGE
/// section 5). An entry `at: leaf` vouches for the end entity itself, an entry `at: ca` or `at:
/// anchor` for the certificates that the pinned key signed, and an entry `at: any` for both.
///
/// An entry by key says nothing of the certificate around the key. The peer sends that certificate.
/// Its limits bind, but a peer can send a certificate without limits. So where the policy holds a
/// certificate with the same name and key, the policy's certificate ends the path and the peer's
/// copy does not.
package struct PinnedKeys: Sendable {
    /// The id that verdicts use for these anchors.
    package static let setID = AnchorSetContents.pinnedKeysID

    /// Which certificates a pinned certificate vouches for.
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
    /// The forms of digests that the entries compare.
    private var forms: Set<KeyMatch.Form> = []
    /// DER of the policy's certificates that vouch for the certificates that they signed, each
    /// once.
    private(set) var authorities: [[UInt8]] = []

    /// Reads the entries of one pin set.
    init(_ set: PinSetRecord, of table: PolicyTable) {
        var certificates: Set<[UInt8]> = []
        for position in 0..<set.count {
            let pin = table.pin(set, position)
            let reach = Reach(pin.position)
            for index in 0..<Int(pin.matchCount) {
                let match = table.keyMatch(pin, index)
                reaches[match, default: []].formUnion(reach)
                forms.insert(match.form)
            }
            if reach.contains(.others) { certificates.formUnion(table.certificates(of: pin)) }
        }
        authorities = certificates.sorted { $0.lexicographicallyPrecedes($1) }
    }

    /// Adds to `anchors` the presented certificates that these entries make anchors. Cost: one unit
    /// for each certificate and each form of digest. When the budget does not allow a certificate
    /// to be hashed, the certificate is not an anchor.
    func mark(
        in pool: CertificatePool, crypto: any CryptoBackend, budget: inout WorkBudget,
        anchors: inout CertificatePool.PresentedAnchors
    ) {
        for (index, entry) in pool.presented.enumerated() {
            guard budget.spend(1 + forms.count) else { return }
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

    /// Whether an entry names a certificate, by its key or as a whole, and vouches for the
    /// certificates that it signed.
    func names(authority certificate: Certificate, crypto: any CryptoBackend) -> Bool {
        let (byKey, byCertificate) = reach(of: certificate, crypto)
        return byKey.union(byCertificate).contains(.others)
    }

    /// Which certificates a certificate vouches for, by the entries that name its key and by the
    /// entries that name the whole certificate.
    private func reach(
        of certificate: Certificate, _ crypto: any CryptoBackend
    ) -> (byKey: Reach, byCertificate: Reach) {
        var byKey: Reach = []
        var byCertificate: Reach = []
        for wanted in forms {
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
        _ form: KeyMatch.Form, of certificate: Certificate, _ crypto: any CryptoBackend
    ) -> Digest {
        let octets = certificate.der.span
        switch form.kind {
        case .certificate: return crypto.digest(form.algorithm, of: octets)
        case .spki:
            let spki = certificate.layout.publicKey.spki
            return crypto.digest(form.algorithm, of: octets.extracting(spki.indices))
        }
    }
}
