import ConformanceCases
package import Foundation
import TestPKI
import TrustEngine

/// One private PKI with the request that a client makes of it, minted: a vector of the conformance
/// format (`../shared/conformance/README.md`).
package struct PrivateShape: Encodable, Sendable {
    private struct Name: Encodable {
        let kind: String
        let value: String
    }

    package let plan: ShapePlan
    package let id: String
    private let suite: String
    package let trusted: [[UInt8]]
    package let bag: [[UInt8]]
    package let peer: [UInt8]
    private let name: Name

    /// The shape of a number under a seed.
    package init(number: Int, seed: UInt64) {
        let plan = ShapePlan(number: number, seed: seed)
        self.plan = plan
        self.id = "private-pki::\(seed)::\(number)"
        self.suite = number < ShapePlan.single.count ? "one-oddity" : "private-pki"
        var draft = ShapeDraft(plan)
        for choice in plan.choices.sorted(by: { $0.oddity.stage < $1.oddity.stage }) {
            choice.oddity.apply(&draft, choice.position ?? 0)
        }
        var (trusted, bag, peer) = draft.finish()
        if let order = plan.order {
            var random = SplitMix(state: order)
            bag.shuffle(using: &random)
            trusted.shuffle(using: &random)
        }
        self.trusted = trusted
        self.bag = bag
        self.peer = peer
        self.name = Name(kind: draft.hostIsAddress ? "IP" : "DNS", value: draft.host)
    }

    /// Why no validator may accept it; empty where nothing is known of the kind.
    package var refusals: [String] { plan.choices.compactMap(\.oddity.refusal) }

    /// The line of a file of vectors. The expectation is only whether it must be refused: for the
    /// others the right verdict is not known beforehand.
    package func line() throws -> Data {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        return try encoder.encode(self) + Data("\n".utf8)
    }

    package func encode(to encoder: any Encoder) throws {
        var fields = encoder.container(keyedBy: ConformanceCase.Key.self)
        let none: [String] = []
        try fields.encode(id, forKey: .id)
        try fields.encode(suite, forKey: .suite)
        try fields.encode(plan.description, forKey: .description)
        try fields.encode("rfc5280", forKey: .profile)
        try fields.encode(trusted.map { Data($0) }, forKey: .trusted)
        try fields.encode(bag.map { Data($0) }, forKey: .bag)
        try fields.encode(Data(peer), forKey: .peer)
        try fields.encode(none, forKey: .crls)
        try fields.encode(none, forKey: .ocspResponses)
        try fields.encode(Scenario.judgedAt.description, forKey: .time)
        try fields.encode("SERVER", forKey: .kind)
        try fields.encode(name, forKey: .name)
        try fields.encode(none, forKey: .names)
        try fields.encodeNil(forKey: .maximumDepth)
        try fields.encode(none, forKey: .keyUsage)
        try fields.encode(none, forKey: .purposes)
        try fields.encodeNil(forKey: .certificatePolicies)
        try fields.encode("none", forKey: .revocation)
        try fields.encodeNil(forKey: .revocationScope)
        try fields.encode(refusals.isEmpty ? "SUCCESS" : "FAILURE", forKey: .expected)
        if refusals.isEmpty {
            try fields.encodeNil(forKey: .expectedReason)
        } else {
            try fields.encode(refusals.joined(separator: "; "), forKey: .expectedReason)
        }
        try fields.encode("hard", forKey: .strength)
        try fields.encode(
            plan.form == .trustedEndEntity ? ["trust-leaf"] : none, forKey: .features)
        try fields.encode(plan.choices.map(\.text), forKey: .oddities)
    }
}
