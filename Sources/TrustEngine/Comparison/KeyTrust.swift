// Whether a key can vouch for a host: what `never-trusts` and `no-anchor` of `hawser assert` ask.

/// A key or a certificate by everything that is known of it.
package struct KeyIdentity: Hashable, Sendable {
    /// Digests, each of which stands for it or for more. The digests of a certificate include the
    /// digests of its key.
    let digests: Set<KeyMatch>
    /// Digests of the same key in another encoding than the canonical one. A key match with one of
    /// these digests does not match the key in its canonical encoding.
    let ofOtherEncodings: Set<KeyMatch>

    package init(_ digests: Set<KeyMatch>, ofOtherEncodings: Set<KeyMatch> = []) {
        self.digests = digests
        self.ofOtherEncodings = ofOtherEncodings
    }

    /// The digests by each of which an entry of `exclude` or `forbidden-keys` names the key in all
    /// its encodings.
    fileprivate var namingAll: Set<KeyMatch> { digests.subtracting(ofOtherEncodings) }

    /// Whether every path that holds the key or certificate is forbidden, whatever its date of
    /// issue. Each entry that names it counts, by whichever digest.
    fileprivate func isForbidden(by entries: [ForbiddenKey]) -> Bool {
        let windows = entries.filter { !namingAll.isDisjoint(with: $0.matches) }
            .map { $0.notBefore ?? DateWindow() }
        return DateWindow().isFilled(by: windows)
    }

    /// Whether a certificate as a whole is meant, and not every certificate with its key.
    private var isCertificate: Bool { digests.contains { $0.kind == .certificate } }

    /// Whether a certificate is the one that is meant, or has the key that is meant.
    fileprivate func isThat(of certificate: Certificate, _ crypto: any CryptoBackend) -> Bool {
        let kind: KeyMatch.Kind = isCertificate ? .certificate : .spki
        return digests.contains { $0.kind == kind && $0.names(certificate, crypto: crypto) }
    }

    /// Whether a key match is of the key or certificate; nil where its digest does not tell.
    fileprivate func isMatched(
        by match: KeyMatch, _ certificates: [Certificate], _ crypto: any CryptoBackend
    ) -> Bool? {
        if digests.contains(match) { return true }
        let comparable = digests.contains {
            $0.kind == match.kind && $0.digest.algorithm == match.digest.algorithm
        }
        if comparable { return false }
        let named = certificates.filter { match.names($0, crypto: crypto) }
        if named.contains(where: { isThat(of: $0, crypto) }) { return true }
        // The certificate of a digest is one; a key may be in certificates that are not at hand.
        return match.kind == .certificate && !named.isEmpty ? false : nil
    }
}

extension BehaviourOrder {
    /// Why a path that holds one of these keys may be accepted at an instant; empty where each is
    /// forbidden whatever the date of issue.
    package func shortfalls(
        of behaviour: Behaviour, forbidding keys: [KeyIdentity], at time: UTCInstant
    ) -> [Shortfall] {
        guard case .body(let body) = behaviour else { return [] }
        var found = body.shortfalls("forbidden-keys", at: time, \.letsAnyone)
        let entries = body.requirements.forbiddenKeys
        let isForbidden = keys.allSatisfy { $0.isForbidden(by: entries) }
        if !isForbidden { found.append(Shortfall(path: "forbidden-keys", cause: .notForbidden)) }
        return found
    }

    /// Why one of these keys may be an anchor at an instant; empty where none is.
    package func shortfalls(
        of behaviour: Behaviour, withoutAnchors keys: [KeyIdentity], at time: UTCInstant,
        crypto: any CryptoBackend
    ) -> [Shortfall] {
        guard case .body(let body) = behaviour else { return [] }
        var found = body.shortfalls("anchors", at: time, \.letsAnyone)
        let causes = keys.flatMap { key in
            body.anchors.members.compactMap { BehaviourOrder.cause($0, key, crypto) }
                + body.pinnedAnchors.flatMap { BehaviourOrder.causes($0, key, crypto) }
        }
        for cause in causes {
            let shortfall = Shortfall(path: "anchors", cause: cause)
            if !found.contains(shortfall) { found.append(shortfall) }
        }
        return found
    }

    private static func cause(
        _ member: TrustedMember, _ key: KeyIdentity, _ crypto: any CryptoBackend
    ) -> Shortfall.Cause? {
        guard let certificate = member.certificate else {
            let filters = StoreFilters(member.filters)
            let isExcluded = key.namingAll.contains { filters.liesOutside($0) }
            return isExcluded ? nil : .keepsInStore(member.set)
        }
        return key.isThat(of: certificate, crypto) ? .trusts(member) : nil
    }

    /// The pins of a set whose keys are the anchors that are the key, or may be.
    private static func causes(
        _ set: PinDemand, _ key: KeyIdentity, _ crypto: any CryptoBackend
    ) -> [Shortfall.Cause] {
        let certificates = set.entries.flatMap(\.certificates).compactMap { der -> Certificate? in
            do throws(CertificateError) {
                return try Certificate(der: der)
            } catch {
                // A certificate that does not parse cannot be an anchor.
                return nil
            }
        }
        let vouching = set.entries.filter { $0.vouches.forItself || $0.vouches.forOthers }
            .flatMap(\.matches)
        return set.keys.filter { vouching.contains($0.match) }.compactMap { pin in
            switch key.isMatched(by: pin.match, certificates, crypto) {
            case false?: return nil
            case true?: return .pinned(pin, isKnown: true)
            case nil: return .pinned(pin, isKnown: false)
            }
        }
    }
}
