package import Foundation
import TestPKI

/// One private PKI with the request that a client makes of it, minted: a vector of the conformance
/// format (`../shared/conformance/README.md`).
package struct PrivateShape: Encodable, Sendable {
    package let plan: ShapePlan
    package let id: String
    private let suite: String
    package let trusted: [[UInt8]]
    package let bag: [[UInt8]]
    package let peer: [UInt8]
    private let name: VectorLine.Name

    /// The shape of a number under a seed.
    package init(number: Int, seed: UInt64) {
        let plan = ShapePlan(number: number, seed: seed)
        self.plan = plan
        self.id = "private-pki::\(seed)::\(number)"
        self.suite = number < ShapePlan.single.count ? "one-oddity" : "private-pki"
        var draft = ShapeDraft(plan)
        draft.apply(plan.choices)
        var (trusted, bag, peer) = draft.finish()
        if let order = plan.order {
            var random = SplitMix(state: order)
            bag.shuffle(using: &random)
            trusted.shuffle(using: &random)
        }
        self.trusted = trusted
        self.bag = bag
        self.peer = peer
        self.name = draft.name
    }

    /// Why no validator may accept it; empty where nothing is known of the kind.
    package var refusals: [String] { plan.choices.compactMap(\.oddity.refusal) }

    /// The line of a file of vectors. The expectation is only whether it must be refused: for the
    /// others the right verdict is not known beforehand.
    package func line() throws -> Data { try VectorLine.text(of: self) }

    package func encode(to encoder: any Encoder) throws {
        var line = VectorLine(id: id, suite: suite, trusted: trusted, bag: bag, peer: peer)
        line.description = plan.description
        line.name = name
        line.refusal = refusals.isEmpty ? nil : refusals.joined(separator: "; ")
        line.features = plan.form == .trustedEndEntity ? ["trust-leaf"] : []
        line.oddities = plan.choices.map(\.text)
        try line.encode(to: encoder)
    }
}
