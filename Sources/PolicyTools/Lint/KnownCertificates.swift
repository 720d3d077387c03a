import PolicyCompiler
import TrustEngine

/// Every certificate that a unit names: members of anchor sets, what they offer, and those in the files of
/// pins. The peer may send others, so what is concluded from these is what their author knew.
struct KnownCertificates {
    /// Where the issuers of a certificate lead.
    enum End: Hashable {
        /// To one of the anchors.
        case anchor
        /// To a root that signs itself and is none of them, and nowhere else.
        case elsewhere(root: Certificate)
        /// To a certificate whose issuer is not known, or too far.
        case unknown
    }

    /// Who an anchor is: the subject and the key. Of kind `leaf`: the certificate.
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

        /// Whether a certificate is an anchor by its name and key.
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
    /// A second of work (`SignatureCost`) for a whole unit; a usual one takes a few milliseconds.
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

    /// A certificate by its octets.
    func certificate(_ der: [UInt8]) -> Certificate? { byDER[der].map { certificates[$0] } }

    /// The certificates that a digest is of, or whose key it is of.
    mutating func carriers(of match: KeyMatch) -> [Certificate] {
        let kind = DigestKind(kind: match.kind, algorithm: match.digest.algorithm)
        if byDigest[kind] == nil {
            var index: [Digest: [Int]] = [:]
            for (place, certificate) in certificates.enumerated() {
                let bytes = match.kind == .certificate ? certificate.der : certificate.spkiBytes
                index[crypto.digest(kind.algorithm, of: bytes.span), default: []].append(place)
            }
            byDigest[kind] = index
        }
        return (byDigest[kind]?[match.digest] ?? []).map { certificates[$0] }
    }

    /// Follows every issuer whose signature verifies, until all are known to end.
    mutating func end(of certificate: Certificate, _ anchors: Anchors) -> End {
        guard let start = byDER[certificate.der] else { return .unknown }
        if anchors.holds(certificate) { return .anchor }
        var seen: Set<Int> = [start]
        var open = [start]
        var root: Certificate?
        while let place = open.popLast() {
            let subject = certificates[place]
            var hasIssuer = false
            for next in bySubject[subject.layout.issuerHash] ?? [] {
                let issuer = certificates[next]
                guard budget.spend(1) else { return .unknown }
                guard subject.isIssued(byNameOf: issuer) else { continue }
                let outcome = ledger.verify(
                    subject, identity: place, under: issuer, identity: next, crypto: crypto,
                    budget: &budget)
                guard let outcome else { return .unknown }
                guard outcome == .valid else { continue }
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
