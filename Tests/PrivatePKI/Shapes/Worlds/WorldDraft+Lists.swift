import TestPKI
import TrustEngine

// CRLs of the path's authorities. A status must be known: of the end entity, or of the whole path.

extension WorldDraft {
    /// A CRL of an authority, about one of its certificates.
    private struct List {
        let name: String
        /// Whether the certificate is in it, and why.
        var revokes = false
        var reason: RevocationReason?
        var isByStranger = false
        var change: @Sendable (inout RevocationListRecipe) -> Void = { _ in }
    }

    private static let lists: [List] = [
        List(name: "good"), List(name: "good"), List(name: "good"), List(name: "good"),
        List(name: "revokes it", revokes: true),
        List(name: "revokes it for a compromise", revokes: true, reason: .keyCompromise),
        List(name: "holds it", revokes: true, reason: .certificateHold),
        List(name: "expired") { $0.nextUpdate = .day(-1) },
        List(name: "expired, revokes it", revokes: true) { $0.nextUpdate = .day(-1) },
        List(name: "of tomorrow") { $0.thisUpdate = .day(1) },
        List(name: "without an end") { $0.nextUpdate = nil },
        List(name: "bad signature") { $0.damage = .otherMessage },
        List(name: "bad signature, revokes it", revokes: true) { $0.damage = .otherMessage },
        List(name: "by a stranger's key", isByStranger: true),
        List(name: "of another issuer") { $0.issuer = "Another CA" },
        List(name: "unknown critical extension") { $0.set(.unknown(critical: true)) },
        List(name: "unknown critical extension, revokes it", revokes: true) {
            $0.set(.unknown(critical: true))
        },
        List(name: "for users") {
            $0.set(.issuingDistributionPoint(.init { $0.isForUsers = true }))
        },
        List(name: "for authorities") {
            $0.set(.issuingDistributionPoint(.init { $0.isForAuthorities = true }))
        },
        List(name: "for attributes") {
            $0.set(.issuingDistributionPoint(.init { $0.isForAttributes = true }))
        },
        List(name: "for some reasons") {
            $0.set(.issuingDistributionPoint(.init { $0.reasons = .compromise }))
        },
        List(name: "of a distribution point") {
            $0.set(
                .issuingDistributionPoint(
                    .init { $0.name = .full([.uri("http://shop.example/ca.crl")]) }))
        },
        List(name: "indirect") {
            $0.set(.issuingDistributionPoint(.init { $0.isIndirect = true }))
        },
        List(name: "signed with SHA-1") { $0.signature = .ecdsa(.sha1) },
        List(name: "of version 1") {
            $0.version = 1
            $0.extensions = []
        },
        List(name: "a delta alone") { $0.set(.deltaIndicator(base: 1)) },
    ]

    mutating func drawLists() {
        revocationScope = random.below(2) == 0 ? "leaf" : "chain"
        facts.append("question: CRLs of the \(revocationScope ?? "")")
        for position in shape.path.indices.dropFirst() {
            let (issuer, link) = (shape.path[position - 1], shape.path[position])
            // Where one CRL is usual, some have none and some have two.
            for _ in 0..<random.pick([0, 1, 1, 1, 1, 1, 1, 1, 1, 2], { _ in 1 }) {
                // The further up, the plainer: else no world of long paths is accepted.
                let isPlain = position < shape.end && random.below(2) == 0
                let list =
                    isPlain
                    ? WorldDraft.lists[0] : WorldDraft.lists[random.below(WorldDraft.lists.count)]
                guard list.name != "signed with SHA-1" || issuer.key.kind == .p256 else {
                    continue
                }
                var recipe = RevocationListRecipe(
                    issuer: issuer.recipe.subject, thisUpdate: .day(-10), nextUpdate: .day(20))
                recipe.extensions = [
                    .authorityKeyIdentifier(issuer.key.keyIdentifier), .crlNumber(1),
                ]
                if list.revokes {
                    recipe.entries = [
                        RevocationListRecipe.Entry(
                            link.recipe.serialOctets, at: .day(-20),
                            list.reason.map { [.reasonCode($0)] } ?? [])
                    ]
                }
                list.change(&recipe)
                let key = list.isByStranger ? TestKey.p256("private pki stranger") : issuer.key
                crls.append(recipe.list(signedBy: key))
                facts.append("CRL of the \(place(position)): \(list.name)")
            }
        }
        if random.below(4) == 0 {
            let position = random.below(shape.end)
            if !isBare(position), !hasOddity(of: ["usage"]) {
                shape.path[position].recipe.set(.keyUsage(.keyCertSign))
                facts.append("\(place(position)): keyUsage without cRLSign")
            }
        }
    }
}
