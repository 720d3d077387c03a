import PolicyCompiler
import TestPKI
import Testing
import TrustEngine

/// A rule under profiles comes to the same as the rule with its layers flattened by hand.
@Suite("layers flattened by hand")
struct LayerPropertyTests {

    /// What one layer writes: values as they are written, by dotted path.
    typealias Layer = [String: String]

    /// Values of each field. The entries of `forbidden-keys` are fields that no two layers may
    /// write.
    static let values: [(field: String, values: [String])] = [
        ("path.maximum-intermediates", ["0", "3", "8"]),
        ("path.key-purposes", ["[server-auth]", "[client-auth, 1.3.6.1.5.5.7.3.4]"]),
        ("path.certificate-policies", ["[2.23.140.1.1]", "[2.23.140.1.2.2, 2.23.140.1.2.1]"]),
        ("path.explicit-policy", ["required", "not-required"]),
        ("path.policy-mapping", ["allowed", "inhibited"]),
        ("path.any-policy", ["allowed", "inhibited"]),
        ("keys.types", ["[rsa, p256, p384]", "[rsa, p256, ed25519]"]),
        ("keys.leaf-types", ["[p256]", "[rsa, p256]"]),
        ("keys.rsa-minimum", ["2048", "3072", "4096"]),
        ("signatures.minimum-hash", ["sha256", "sha384"]),
        ("signatures.schemes", ["[ecdsa]", "[rsa-pss, ed25519]"]),
        ("validity.clock-skew", ["0s", "5min", "24h"]),
        ("validity.maximum-lifetime", ["90d", "398d"]),
        (
            "validity.lifetime-steps",
            [
                "[{ issued-from: 2026-03-15, maximum: 200d }]",
                "[{ issued-from: 2029-03-15, maximum: 47d }, { issued-from: 2027-03-15, maximum: 100d }]",
            ]
        ),
        ("revocation.preset", ["best-effort", "require"]),
        ("revocation.causes.unknown", ["fail", "report", "pass"]),
        ("revocation.causes.no-endpoint", ["fail", "report", "pass"]),
        ("revocation.causes.unreachable", ["fail", "report", "pass"]),
        ("revocation.causes.stale", ["fail", "report", "pass"]),
        ("revocation.causes.malformed", ["fail", "report", "pass"]),
        ("revocation.causes.not-covered", ["fail", "report", "pass"]),
        ("revocation.sources", ["[crl]", "[ocsp, stapled]"]),
        ("revocation.scope", ["leaf", "leaf-and-intermediates", "chain"]),
        ("revocation.network", ["never", "prefetch", "wait"]),
        ("revocation.maximum-age", ["26h", "7d"]), ("revocation.short-lived", ["2d", "10d"]),
        ("transparency.preset", ["chrome", "apple"]), ("transparency.minimum-scts", ["2", "3"]),
        ("transparency.minimum-operators", ["2", "3"]),
        ("transparency.log-list", ["ct/log_list.json"]),
        ("transparency.log-list-maximum-age", ["30d", "70d"]),
        ("transparency.when-stale", ["fail", "report", "pass"]),
        ("transparency.exempt-anchors", ["[system]", "[corp, system]"]),
        ("tls.minimum-version", ["tls1.2", "tls1.3"]), ("tls.maximum-version", ["tls1.3"]),
        ("tls.forward-secrecy", ["required", "not-required"]),
        ("tls.cipher-suites", ["[TLS_AES_256_GCM_SHA384, TLS_RSA_WITH_AES_256_CCM]"]),
        ("tls.groups", ["[x25519]", "[x25519, secp256r1]"]),
        ("tls.signature-schemes", ["[ed25519]"]), ("tls.alpn", ["[h2]", "[h2, http/1.1]"]),
        ("forbidden-keys.a", ["{ spki: \(FieldTests.one) }"]),
        (
            "forbidden-keys.b",
            ["{ spki: \(FieldTests.two), not-before: { from: 2026-10-01 } }"]
        ),
        ("checks", ["[vpn]", "[vpn, attestation]"]),
    ]

    /// The fields that a preset writes besides itself; nil takes one away.
    static func stoodFor(_ field: String, _ value: String) -> [String: String?] {
        switch (field, value) {
        case ("revocation.preset", "best-effort"):
            return [
                "revocation.causes.unknown": "report", "revocation.causes.no-endpoint": "pass",
                "revocation.causes.unreachable": "report", "revocation.causes.stale": "report",
                "revocation.causes.malformed": "report", "revocation.causes.not-covered": "report",
            ]
        case ("revocation.preset", _):
            return [
                "revocation.causes.unknown": "fail", "revocation.causes.no-endpoint": "fail",
                "revocation.causes.unreachable": "fail", "revocation.causes.stale": "fail",
                "revocation.causes.malformed": "fail", "revocation.causes.not-covered": "fail",
            ]
        case ("transparency.preset", _):
            return [
                "transparency.minimum-scts": nil,
                "transparency.minimum-operators": nil,
            ]
        case ("validity.maximum-lifetime", _): return ["validity.lifetime-steps": nil]
        default: return [:]
        }
    }

    /// Layers written over one another, the farthest first, as LANGUAGE section 8 says it.
    static func flattened(_ layers: [Layer]) -> Layer {
        var flat: Layer = [:]
        for layer in layers {
            for (field, value) in layer {
                for (other, standIn) in stoodFor(field, value) { flat[other] = standIn }
            }
            flat.merge(layer) { _, nearer in nearer }
        }
        return flat
    }

    static func drawn(_ random: inout SplitMix, without taken: Set<String>) -> Layer {
        var layer: Layer = [:]
        for (field, values) in values
        where Int.random(in: 0..<4, using: &random) == 0 && !taken.contains(field) {
            layer[field] = values[Int.random(in: 0..<values.count, using: &random)]
        }
        return layer
    }

    /// A layer as the entries of a map, its keys in any order.
    static func text(_ layer: Layer, _ random: inout SplitMix) -> String {
        var sections: [String: [String]] = [:]
        var causes: [String] = []
        for (field, value) in layer {
            let parts = field.split(separator: ".").map(String.init)
            switch parts.count {
            case 1: sections[field] = [value]
            case 2: sections[parts[0], default: []].append("\(parts[1]): \(value)")
            default: causes.append("\(parts[2]): \(value)")
            }
        }
        if !causes.isEmpty {
            causes.shuffle(using: &random)
            sections["revocation", default: []].append(
                "causes: { \(causes.joined(separator: ", ")) }")
        }
        return sections.map { name, entries in
            name == "checks"
                ? "checks: \(entries[0])"
                : "\(name): { \(entries.shuffled(using: &random).joined(separator: ", ")) }"
        }.shuffled(using: &random).joined(separator: ", ")
    }

    @Test("a rule under three profiles is the rule that writes all of it")
    func flattening() throws {
        var random = SplitMix(state: 20_261_121)
        var compared = 0
        for round in 0..<400 {
            var layers: [Layer] = []
            for _ in 0..<4 {
                let taken = layers.flatMap(\.keys).filter { $0.hasPrefix("forbidden-keys.") }
                layers.append(
                    LayerPropertyTests.drawn(&random, without: Set(taken)))
            }
            // A profile is not empty, and demanded transparency has its log list.
            for index in layers.indices { layers[index]["keys.rsa-minimum", default: "2048"] += "" }
            layers[0]["transparency.log-list"] = "ct/log_list.json"
            layers[0]["transparency.preset", default: "chrome"] += ""
            let flat = LayerPropertyTests.flattened(layers)
            let texts = layers.map { LayerPropertyTests.text($0, &random) }
            let text = """
                hawser: 1
                default: deny
                anchors: { corp: { files: [corp.pem] } }
                profiles:
                  far: { \(texts[0]) }
                  middle: { extends: far, \(texts[1]) }
                  near: { extends: middle, \(texts[2]) }
                rules:
                  by-hand: { hosts: ["a.example"], anchors: [system, corp], \(LayerPropertyTests.text(flat, &random)) }
                  layered: { hosts: ["b.example"], anchors: [system, corp], profile: near, \(texts[3]) }

                """
            let unit = MemoryUnit.unit(
                ["policy.yaml": Array(text.utf8)], resources: FieldTests.resources)
            let (policy, diagnostics) = MemoryUnit.check(unit)
            // Some draws contradict themselves: leaf types that no path has, only stapling.
            guard let policy else {
                #expect(
                    diagnostics.allSatisfy {
                        $0.severity != .error || $0.message.contains("`keys.leaf-types`")
                            || $0.message.contains("`stapled` alone")
                    }, "round \(round): \(diagnostics.map(\.message))\n\(text)")
                continue
            }
            compared += 1
            let rules = MemoryUnit.contents(of: policy).rules
            #expect(
                rules[0].body.requirements == rules[1].body.requirements,
                "round \(round)\n\(text)")
        }
        #expect(compared > 200, "\(compared) of 400")
    }
}
