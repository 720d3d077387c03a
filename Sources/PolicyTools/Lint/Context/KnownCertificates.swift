import PolicyCompiler
import TrustEngine

/// Every certificate that a unit names: members of anchor sets, intermediates that the sets offer,
/// and certificates in pin files. A peer may send other certificates, so a conclusion from these is
/// about what the policy's author knew.
struct KnownCertificates {
    /// Where the issuers of a certificate lead.
    enum End: Hashable {
        /// To one of the anchors.
        case anchor
        /// To a self-signed root that is not an anchor, and to nothing else.
        case elsewhere(root: Certificate)
        /// To a certificate whose issuer is not known; or following the issuers took too much work.
        case unknown
    }

    /// The anchors of a body. An anchor is its subject and key; an anchor of kind `leaf` is its
    /// certificate.
    struct Anchors {
        private var authorities: [UInt64: [Certificate]] = [:]
        private var leaves: Set<Certificate> = []

        init(_ groups: [ResolvedAnchorSets.Group]) {
            for group in groups {
                guard group.kind != .leaf else {
                    leaves.formUnion(group.members)
                    continue
                }
                for member in group.members {
                    authorities[member.layout.subjectHash, default: []].append(member)
                }
            }
        }

        var all: [Certificate] { authorities.values.flatMap { $0 } + leaves }

        /// Whether an anchor has the name and key of a certificate.
        func holdsAuthority(_ certificate: Certificate) -> Bool {
            authorities[certificate.layout.subjectHash]?
                .contains { $0.hasNameAndKey(of: certificate) } ?? false
        }

        func holds(_ certificate: Certificate) -> Bool {
            leaves.contains(certificate) || holdsAuthority(certificate)
        }
    }

    /// In the order of the unit, each once.
    private let certificates: [Certificate]
    private var bySubject: [UInt64: [Int]] = [:]
    private var byDER: [[UInt8]: Int] = [:]
    private var byDigest: [DigestKind: [Digest: [Int]]] = [:]
    private let crypto: any CryptoBackend
    private var ledger = SignatureLedger()
    /// One second of work (`SignatureCost`) for a whole unit. A usual unit takes a few
    /// milliseconds.
    private var budget = WorkBudget(limit: 1_000_000)

    private struct DigestKind: Hashable {
        let kind: KeyMatch.Kind
        let algorithm: DigestAlgorithm
    }

    init(_ policy: BoundPolicy, crypto: any CryptoBackend) {
        self.crypto = crypto
        let all =
            policy.anchorSets.flatMap { $0.members.map(\.certificate) + $0.offered }
            + policy.pinSets.flatMap { ($0.keys + $0.backups).flatMap(\.key.certificates) }
        var certificates: [Certificate] = []
        for certificate in all where byDER[certificate.der] == nil {
            byDER[certificate.der] = certificates.count
            bySubject[certificate.layout.subjectHash, default: []].append(certificates.count)
            certificates.append(certificate)
        }
        self.certificates = certificates
    }

    /// The certificate with these octets.
    func certificate(_ der: [UInt8]) -> Certificate? { byDER[der].map { certificates[$0] } }

    /// The certificates whose digest, or the digest of whose key as they encode it, the match
    /// names: those that a pin matches.
    mutating func carriers(of match: KeyMatch) -> [Certificate] {
        guard !certificates.isEmpty else { return [] }
        let kind = DigestKind(kind: match.kind, algorithm: match.digest.algorithm)
        if byDigest[kind] == nil {
            var indices: [Digest: [Int]] = [:]
            for (index, certificate) in certificates.enumerated() {
                let bytes = match.kind == .certificate ? certificate.der : certificate.spkiBytes
                indices[crypto.digest(kind.algorithm, of: bytes.span), default: []].append(index)
            }
            byDigest[kind] = indices
        }
        return (byDigest[kind]?[match.digest] ?? []).map { certificates[$0] }
    }

    /// The certificates that an entry of `exclude` or `forbidden-keys` names: all certificates with
    /// the key, in any encoding (`KeyMatch.names`).
    mutating func certificates(namedBy match: KeyMatch) -> [Certificate] {
        carriers(of: match)
            + certificates.filter {
                $0.canonicalSPKI.map { canonical in
                    match.kind == .spki
                        && crypto.digest(match.digest.algorithm, of: canonical.span)
                            == match.digest
                } ?? false
            }
    }

    /// The CA certificates with the name and key of a certificate, itself included if it is a CA.
    func authorities(like certificate: Certificate) -> [Certificate] {
        (bySubject[certificate.layout.subjectHash] ?? []).map { certificates[$0] }
            .filter { $0.layout.extensions.isCA && $0.hasNameAndKey(of: certificate) }
    }

    /// Every known certificate whose key signed a certificate, and that is not the certificate's
    /// own; empty when the work that a unit may take is spent.
    mutating func issuers(of certificate: Certificate) -> [Certificate] {
        guard let index = byDER[certificate.der] else { return [] }
        var issuers: [Certificate] = []
        for next in bySubject[certificate.layout.issuerHash] ?? [] where next != index {
            let issuer = certificates[next]
            guard budget.spend(1) else { return [] }
            guard certificate.isIssued(byNameOf: issuer), !issuer.hasNameAndKey(of: certificate)
            else { continue }
            let validity = ledger.verify(
                certificate, identity: index, under: issuer, identity: next, crypto: crypto,
                budget: &budget)
            if validity == .valid { issuers.append(issuer) }
        }
        return issuers
    }

    /// Every known certificate above a certificate: its issuers, theirs, and so on, by signatures
    /// that verify. Fewer when the work that a unit may take is spent.
    mutating func ancestors(of certificate: Certificate) -> Set<Certificate> {
        var ancestors: Set<Certificate> = []
        var open = [certificate]
        while let next = open.popLast() {
            for issuer in issuers(of: next) where ancestors.insert(issuer).inserted {
                open.append(issuer)
            }
        }
        return ancestors
    }

    /// Follows every issuer whose signature verifies, to the end of every way.
    mutating func end(of certificate: Certificate, _ anchors: Anchors) -> End {
        guard let start = byDER[certificate.der] else { return .unknown }
        if anchors.holds(certificate) { return .anchor }
        var seen: Set<Int> = [start]
        var open = [start]
        var root: Certificate?
        while let index = open.popLast() {
            let subject = certificates[index]
            var hasIssuer = false
            for next in bySubject[subject.layout.issuerHash] ?? [] {
                let issuer = certificates[next]
                guard budget.spend(1) else { return .unknown }
                guard subject.isIssued(byNameOf: issuer) else { continue }
                let validity = ledger.verify(
                    subject, identity: index, under: issuer, identity: next, crypto: crypto,
                    budget: &budget)
                guard let validity else { return .unknown }
                guard validity == .valid else { continue }
                if anchors.holdsAuthority(issuer) { return .anchor }
                hasIssuer = true
                if issuer.hasNameAndKey(of: subject) {
                    root = root ?? issuer
                } else if seen.insert(next).inserted {
                    open.append(next)
                }
            }
            if !hasIssuer { return .unknown }
        }
        return root.map { .elsewhere(root: $0) } ?? .unknown
    }
}
