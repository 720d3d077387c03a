import Rendering
import TrustEngine

extension PolicyDiff.Authority {
    init(_ member: TrustedMember, crypto: any CryptoBackend) {
        self.init(
            subject: member.certificate.map { Words.shortSubject($0.subjectText) },
            keyDigest: member.certificate.map { crypto.digest(.sha256, of: $0.keyOctets.span) },
            set: member.set)
    }
}

/// Distinguishes authorities whose texts are the same.
struct RekeyedAuthorities {
    let crypto: any CryptoBackend

    /// The authorities that a change replaces by others of the same name, in the order of `new`.
    func pairs(
        new: [TrustedMember], removed: [TrustedMember]
    ) -> [PolicyDiff.Rekeyed] {
        var gone: [String: [(member: TrustedMember, certificate: Certificate)]] = [:]
        for member in removed {
            guard let certificate = member.certificate else { continue }
            gone[certificate.subjectText, default: []].append((member, certificate))
        }
        guard !gone.isEmpty else { return [] }
        return new.compactMap { member in
            guard let certificate = member.certificate,
                let index = gone[certificate.subjectText]?.firstIndex(where: {
                    $0.certificate.keyOctets != certificate.keyOctets
                }),
                let former = gone[certificate.subjectText]?.remove(at: index)
            else { return nil }
            return PolicyDiff.Rekeyed(
                subject: Words.shortSubject(certificate.subjectText), set: member.set,
                oldKey: key(former.certificate), newKey: key(certificate))
        }
    }

    /// The authorities of an anchor set before and after, as texts that differ: by their short
    /// names, by their whole names, or by the key of one that came and one that went. The whole
    /// digests stand beside them.
    ///
    /// - Parameters:
    ///   - before: the authorities of the set in the old policy.
    ///   - after: the same in the new policy.
    ///   - new: an authority that the change adds to the set.
    ///   - removed: an authority that it removes.
    func texts(
        _ before: [TrustedMember], _ after: [TrustedMember], new: TrustedMember?,
        removed: TrustedMember?
    ) -> (from: String, to: String) {
        var texts = ("", "")
        for isFull in [false, true] {
            texts = (text(before, isFull), text(after, isFull))
            if texts.0 != texts.1 { return texts }
        }
        guard new != nil || removed != nil else { return texts }
        return (texts.0 + mark(removed, of: before), texts.1 + mark(new, of: after))
    }

    /// One or two authorities by their names, more by their number.
    private func text(_ members: [TrustedMember], _ isFull: Bool) -> String {
        guard (1...2).contains(members.count) else {
            return Words.count(members.count, "authority", "authorities")
        }
        return members.map { name($0, isFull) }.joined(separator: " and ")
    }

    private func name(_ member: TrustedMember, _ isFull: Bool) -> String {
        guard let subject = member.certificate?.subjectText else { return "the machine's store" }
        return "`\(isFull ? subject : Words.shortSubject(subject))`"
    }

    /// What tells an authority from another one with the same text.
    private func mark(_ member: TrustedMember?, of all: [TrustedMember]) -> String {
        guard let member, let certificate = member.certificate else { return "" }
        let name = all.count == 1 ? "" : ", \(name(member, false))"
        guard member.kind == .leaf else {
            return "\(name) with the key \(key(certificate).beginning)"
        }
        return "\(name) as \(crypto.digest(.sha256, of: certificate.der.span).beginning)"
    }

    private func key(_ certificate: Certificate) -> Digest {
        crypto.digest(.sha256, of: certificate.keyOctets.span)
    }
}
