import ConformanceCases
import Foundation
import TestPKI
import TrustEngine

/// A line of vectors in the making: a good chain under every field's plainest value, open to
/// change.
struct Vector: Sendable {
    var id = "minted::good"
    var suite = "minted"
    var profile = "rfc5280"
    var trusted: [[UInt8]]
    var bag: [[UInt8]]
    var peer: [UInt8]
    var crls: [[UInt8]] = []
    var ocspResponses: [[UInt8]] = []
    var time: String? = "2026-06-01T00:00:00Z"
    var kind = "SERVER"
    var name: (kind: String, value: String)? = nil
    var names: [(kind: String, value: String)] = []
    var maximumDepth: Int?
    var keyUsage: [String] = []
    var purposes: [String] = []
    var policies: [String: String]?
    var revocation = "none"
    var scope: String?
    var expected = "SUCCESS"
    var reason: String?
    var strength = "hard"
    var features: [String] = []
    /// Fields left out, and fields written as they stand here.
    var omitted: Set<String> = []
    var raw: [String: String] = [:]

    init(_ peer: Minted, _ bag: [[UInt8]], trusted: [[UInt8]]) {
        self.peer = peer.der
        self.bag = bag
        self.trusted = trusted
    }

    /// The same vector, changed.
    func with(_ change: (inout Vector) -> Void) -> Vector {
        var vector = self
        change(&vector)
        return vector
    }

    /// The line, without its end.
    var line: String {
        func text(_ value: String?) -> String {
            guard let value else { return "null" }
            return "\"\(value)\""
        }
        func list(_ values: [String]) -> String {
            "[" + values.map { text($0) }.joined(separator: ",") + "]"
        }
        func octets(_ values: [[UInt8]]) -> String {
            list(values.map { Data($0).base64EncodedString() })
        }
        func one(_ name: (kind: String, value: String)) -> String {
            "{\"kind\":\(text(name.kind)),\"value\":\(text(name.value))}"
        }
        let fields: [(String, String)] = [
            ("id", text(id)), ("suite", text(suite)), ("description", text("minted")),
            ("profile", text(profile)), ("trusted_certs", octets(trusted)),
            ("untrusted_intermediates", octets(bag)),
            ("peer_certificate", text(Data(peer).base64EncodedString())), ("crls", octets(crls)),
            ("ocsp_responses", octets(ocspResponses)), ("validation_time", text(time)),
            ("validation_kind", text(kind)),
            ("expected_peer_name", name.map(one) ?? "null"),
            ("expected_peer_names", "[" + names.map(one).joined(separator: ",") + "]"),
            ("max_chain_depth", maximumDepth.map { "\($0)" } ?? "null"),
            ("key_usage", list(keyUsage)), ("extended_key_usage", list(purposes)),
            (
                "certificate_policies",
                policies.map { policies in
                    let fields = [
                        "initial_policy_set", "explicit_policy", "policy_mapping_inhibit",
                        "any_policy_inhibit",
                    ]
                    let values = fields.map { field in
                        let plain = field == "initial_policy_set" ? "[\"any\"]" : "false"
                        return "\"\(field)\":" + (policies[field] ?? plain)
                    }
                    return "{" + values.joined(separator: ",") + "}"
                } ?? "null"
            ),
            ("revocation", text(revocation)), ("revocation_scope", text(scope)),
            ("expected_result", text(expected)), ("expected_reason", text(reason)),
            ("strength", text(strength)), ("features", list(features)),
        ]
        return "{"
            + fields.filter { !omitted.contains($0.0) }
            .map { "\"\($0.0)\":\(raw[$0.0] ?? $0.1)" }.joined(separator: ",") + "}"
    }

    /// The case as the runner reads it.
    func read() throws -> ConformanceCase { try ConformanceCase(json: Data(line.utf8)) }

    /// What the runner makes of it: `accept`, or the reason.
    func outcome() throws -> String {
        let result = CaseResult.of(try read(), clock: { 0 })
        return result.verdict == .accept
            ? "accept" : result.reason ?? "\(result.verdict.rawValue) without a reason"
    }
}

/// A root, an issuing authority and what they issue, for chains that differ by one thing.
struct VectorPKI: Sendable {
    static let host = "api.acme.example"

    let root: Authority
    let issuing: Authority
    let leaf: Minted

    init(
        root changeRoot: (inout CertificateRecipe) -> Void = { _ in },
        issuing changeIssuing: (inout CertificateRecipe) -> Void = { _ in },
        leaf changeLeaf: (inout CertificateRecipe) -> Void = { _ in }
    ) {
        root = Scenario().root("Root A", key: .p256("conformance root"), changeRoot)
        issuing = root.issueCA("Issuing A", key: .p256("conformance issuing"), changeIssuing)
        leaf = issuing.issueLeaf(dns: [VectorPKI.host], changeLeaf)
    }

    /// Its chain.
    var vector: Vector { Vector(leaf, [issuing.der], trusted: [root.der]) }
}
