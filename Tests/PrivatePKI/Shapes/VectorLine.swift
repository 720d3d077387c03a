import ConformanceCases
import Foundation
import TestPKI
import TrustEngine

/// A line of a file of vectors in the conformance format (`../shared/conformance/README.md`), for
/// everything that is minted here.
package struct VectorLine: Encodable, Sendable {
    package struct Name: Encodable, Sendable {
        package let kind: String
        package let value: String
    }

    /// Inputs of RFC 5280 section 6.1.1(c), (e), (f), (g).
    package struct Policies: Encodable, Sendable {
        var initial = ["any"]
        var requiresExplicit = false
        var inhibitsMapping = false
        var inhibitsAny = false

        private enum CodingKeys: String, CodingKey {
            case initial = "initial_policy_set"
            case requiresExplicit = "explicit_policy"
            case inhibitsMapping = "policy_mapping_inhibit"
            case inhibitsAny = "any_policy_inhibit"
        }
    }

    package let id: String
    let suite: String
    var description = ""
    let trusted: [[UInt8]]
    let bag: [[UInt8]]
    let peer: [UInt8]
    var crls: [[UInt8]] = []
    var time = Scenario.judgedAt
    var isForClients = false
    var name = Name(kind: "DNS", value: ShapeDraft.host)
    var policies: Policies?
    /// `leaf` or `chain`: whose CRLs are needed; nil where none is.
    var revocationScope: String?
    /// Why no validator may accept it; nil where nothing is known of the kind.
    var refusal: String?
    var isHard = true
    var features: [String] = []
    var oddities: [String] = []

    init(id: String, suite: String, trusted: [[UInt8]], bag: [[UInt8]], peer: [UInt8]) {
        self.id = id
        self.suite = suite
        self.trusted = trusted
        self.bag = bag
        self.peer = peer
    }

    /// A line with its end.
    static func text(of line: some Encodable) throws -> Data {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        return try encoder.encode(line) + Data("\n".utf8)
    }

    package func encode(to encoder: any Encoder) throws {
        var fields = encoder.container(keyedBy: ConformanceCase.Key.self)
        let none: [String] = []
        try fields.encode(id, forKey: .id)
        try fields.encode(suite, forKey: .suite)
        try fields.encode(description, forKey: .description)
        try fields.encode("rfc5280", forKey: .profile)
        try fields.encode(trusted.map { Data($0) }, forKey: .trusted)
        try fields.encode(bag.map { Data($0) }, forKey: .bag)
        try fields.encode(Data(peer), forKey: .peer)
        try fields.encode(crls.map { Data($0) }, forKey: .crls)
        try fields.encode(none, forKey: .ocspResponses)
        try fields.encode(time.description, forKey: .time)
        try fields.encode(isForClients ? "CLIENT" : "SERVER", forKey: .kind)
        try fields.encode(name, forKey: .name)
        try fields.encode(none, forKey: .names)
        try fields.encodeNil(forKey: .maximumDepth)
        try fields.encode(none, forKey: .keyUsage)
        try fields.encode(none, forKey: .purposes)
        try fields.encode(policies, forKey: .certificatePolicies)
        try fields.encode(revocationScope == nil ? "none" : "crl", forKey: .revocation)
        try fields.encode(revocationScope, forKey: .revocationScope)
        try fields.encode(refusal == nil ? "SUCCESS" : "FAILURE", forKey: .expected)
        try fields.encode(refusal, forKey: .expectedReason)
        try fields.encode(isHard ? "hard" : "soft", forKey: .strength)
        try fields.encode(features, forKey: .features)
        try fields.encode(oddities, forKey: .oddities)
    }
}
