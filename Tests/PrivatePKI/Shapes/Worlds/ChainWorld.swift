package import Foundation
import TestPKI

/// A random world of certificates and a question about it, minted: a vector of the conformance
/// format with an end entity, certificates beside it, trusted certificates, CRLs, a host, a time, a
/// purpose and inputs of certificate policies.
///
/// A world begins as a shape of a private PKI with its oddities. It then gets what shapes do not
/// have: longer paths, certificates that lead around the path or in a circle, names against name
/// constraints, path lengths, certificate policies, CRLs, another time. Nothing is known
/// beforehand about the right verdict; `facts` states everything that was drawn.
package struct ChainWorld: Sendable {
    package let facts: [String]
    private let vector: VectorLine

    /// The world of a number under a seed.
    package init(number: Int, seed: UInt64) {
        var draft = WorldDraft(number: number, seed: seed)
        draft.draw()
        var (trusted, bag, peer) = draft.shape.finish()
        if draft.isShuffled {
            bag.shuffle(using: &draft.random)
            trusted.shuffle(using: &draft.random)
        }
        var vector = VectorLine(
            id: "world::\(seed)::\(number)", suite: "worlds", trusted: trusted, bag: bag,
            peer: peer)
        vector.description = draft.plan.form.rawValue
        vector.crls = draft.crls
        vector.time = draft.time
        vector.isForClients = draft.isForClients
        vector.name = draft.shape.name
        vector.policies = draft.policies
        vector.revocationScope = draft.revocationScope
        vector.isHard = false
        vector.features = ["has-cert-policies", "rfc9525-names"]
        if draft.isTrustedEndEntity { vector.features.append("trust-leaf") }
        vector.oddities = draft.facts
        self.facts = draft.facts
        self.vector = vector
    }

    /// The line of a file of vectors; its field `oddities` has the facts.
    package func line() throws -> Data { try VectorLine.text(of: vector) }
}
