import Foundation
import Hawser
import LibCrypto
import PolicyCompiler
import Testing
import TrustEngine

/// `policies/verdicts.md`: what the systems that this replaces can do, the recipe that does it
/// here, and what the engine answers in each of its cases. Written by running the engine.
@Suite("features of other systems") struct FeatureTableTests {
    /// A feature of a system, and where it is shown: the cases named, or all of the recipe.
    private struct Feature {
        let system: String
        let feature: String
        let recipe: String
        let cases: [String]
        /// Whether nothing is accepted without evidence, which the cases named do not hand over.
        let awaitsEvidence: Bool

        init(
            _ system: String, _ feature: String, _ recipe: String, _ cases: String...,
            awaitsEvidence: Bool = false
        ) {
            self.system = system
            self.feature = feature
            self.recipe = recipe
            self.cases = cases
            self.awaitsEvidence = awaitsEvidence
        }
    }

    private static let features: [Feature] = [
        Feature(
            "AFNetworking", "pinning mode none", "afnetworking", "none-valid", "none-invalid"),
        Feature(
            "AFNetworking", "pinning mode public key", "afnetworking", "public-key-valid",
            "public-key-other"),
        Feature(
            "AFNetworking", "pinning mode certificate, from a bundle", "afnetworking",
            "certificate-valid", "certificate-next", "certificate-renewed"),
        Feature(
            "AFNetworking", "renewal with the same key", "same-key-renewal"),
        Feature(
            "AFNetworking", "allowInvalidCertificates, validatesDomainName", "waivers",
            "rig-on-its-own", "rig-after-the-end"),
        Feature(
            "Alamofire policies", "performDefaultEvaluation", "alamofire-policies", "default",
            "default-other-name"),
        Feature(
            "Alamofire policies", "performRevokedEvaluation", "alamofire-policies",
            "revoked-without-evidence", awaitsEvidence: true),
        Feature(
            "Alamofire policies", "pinCertificates", "alamofire-policies", "certificates",
            "certificates-other-issuer"),
        Feature(
            "Alamofire policies", "pinPublicKeys", "alamofire-policies", "keys", "keys-backup",
            "keys-other"),
        Feature(
            "Alamofire policies", "disableEvaluation, and what is refused without it",
            "alamofire-policies",
            "disabled", "no-policy"),
        Feature(
            "Alamofire policies", "customEvaluation", "alamofire-policies", "custom-passes",
            "custom-fails"),
        Feature(
            "Alamofire managers", "a policy for each host, wildcards, composites",
            "alamofire-manager"),
        Feature(
            "Alamofire managers", "no policy for a host: the system's default", "system-default"),
        Feature("Security framework", "anchors, beside the system's or alone", "anchors-only"),
        Feature(
            "Security framework", "a certificate that is its own anchor", "sectrust",
            "own-anchor-self-signed", "own-anchor-issued", "own-anchor-same-key",
            "own-anchor-vouches-for-no-other"),
        Feature(
            "Security framework", "eight results", "sectrust", "invalid", "proceed", "deny",
            "unspecified", "recoverable-expired", "recoverable-name", "recoverable-root", "fatal",
            "other-error"),
        Feature(
            "URL loading", "protection spaces, dispositions", "protection-space"),
        Feature("anybody", "a certificate for another name of ours", "another-name"),
        Feature("anybody", "the five classic chain failures", "classic-failures"),
        Feature("anybody", "chains as servers send them", "tangled-chain"),
        Feature("anybody", "a proxy that opens TLS", "proxy-in-system-store"),
        Feature("anybody", "a dated exception", "waivers"),
        Feature("Android NSC, TrustKit", "subdomains, an end, a local anchor", "android-nsc"),
        Feature(
            "App Transport Security", "its demands, timestamps among them", "ats-timestamps"),
        Feature(
            "App Transport Security", "versions, forward secrecy, keys and hashes",
            "ats-exceptions", "tls13", "tls12", "tls12-without-forward-secrecy", "tls11",
            "small-key-and-sha1", "exception-small-key-and-sha1"),
        Feature(
            "App Transport Security", "exceptions", "ats-exceptions", "exception-forward-secrecy",
            "exception-tls10", "exception-tls10-after-its-end", "cleartext",
            "exception-cleartext", "exception-cleartext-after-its-end",
            "exception-cleartext-with-tls"),
        Feature("AFNetworking", "the modes side by side, developers' machines", "mobile-app"),
        Feature("Security framework", "revocation demanded", "bank"),
        Feature(
            "Security framework, Alamofire 5", "flags of revocation checking", "revocation-flags"),
        Feature("anybody", "an issuer pinned, a key in a safe", "startup-pin-files"),
        Feature("anybody", "an issuer pinned by digest", "startup-pin-digests"),
        Feature("anybody", "SPIFFE identities", "spiffe"),
        Feature("anybody", "SPIFFE identities, revocation demanded", "spiffe-revocation"),
        Feature("anybody", "interception by a locally trusted root", "proxy-as-named-anchor"),
        Feature("anybody", "devices by name, address and network", "iot-fleet"),
        Feature("anybody", "pins measured before they are enforced", "cdn-customer"),
        Feature("anybody", "lifetimes and key types by rule", "regulated"),
        Feature("anybody", "lifetimes by the date of issue, 2026 to 2029", "web-lifetimes"),
        Feature("anybody", "migration between roots, cross-sign, distrust", "ca-migration"),
        Feature("anybody", "a cross-sign revoked and issued again", "generation-y"),
        Feature("anybody", "post-quantum signatures demanded by a date", "post-quantum"),
        Feature("anybody", "every term of an anchor set", "anchor-terms"),
        Feature("anybody", "several teams in one unit", "monorepo"),
        Feature("anybody", "forty files of eight teams", "monorepo-forty-files"),
        Feature("anybody", "a chain of a real site", "real-site"),
        Feature(
            "Firefox, upki", "CRLite filters required, and missing", "public-web",
            awaitsEvidence: true),
        Feature("anybody", "chains as the tools of private CAs make them", "private-pki"),
        Feature("Envoy", "leaf keys, typed names, depth", "envoy-upstream"),
    ]

    @Test func thePageHoldsWhatTheEngineAnswers() throws {
        var page = """
            # Features of other systems, and the verdicts here

            Each row has a feature of a system that Hawser replaces, the recipe that shows it, and the engine's verdict in
            each case: a reject with its violations, an accept with what it reports. A test writes this page.

            | system | feature | recipe | verdicts |
            |---|---|---|---|

            """
        for row in FeatureTableTests.features {
            let recipe = try #require(Recipe.all.first { $0.name == row.recipe }, "\(row.recipe)")
            let cases = recipe.cases.filter {
                row.cases.isEmpty || row.cases.contains($0.folder.lastPathComponent)
            }
            #expect(!cases.isEmpty)
            #expect(row.cases.isEmpty || cases.count == row.cases.count, "\(row.feature)")
            let verdicts = try FeatureTableTests.verdicts(of: recipe, cases)
            #expect(
                verdicts.contains { $0.isAccept } != row.awaitsEvidence,
                "\(row.feature) accepts nothing, or what awaits evidence")
            #expect(verdicts.contains { !$0.isAccept }, "\(row.feature) rejects nothing")
            let cells = [
                row.system, row.feature, "[`\(row.recipe)`](\(row.recipe)/README.md)",
                verdicts.map(\.text).joined(separator: "<br>"),
            ]
            page += "| \(cells.joined(separator: " | ")) |\n"
        }
        try Golden.hold(page, at: Recipe.policies.appending(path: "verdicts.md"), "the page")
    }

    /// No recipe is left out.
    @Test func everyRecipeShowsAFeature() {
        let shown = Set(FeatureTableTests.features.map(\.recipe))
        #expect(Set(Recipe.all.map(\.name)).subtracting(shown) == [])
    }

    private struct Answer {
        let isAccept: Bool
        let text: String
    }

    private static func verdicts(
        of recipe: Recipe, _ cases: [RecipeCase]
    ) throws -> [Answer] {
        let table = try #require(try recipe.compile().table)
        return try cases.map { entry in
            let wanted = try entry.request()
            let engine = try Engine(
                table: table, inputs: entry.inputs(wanted), crypto: LibCryptoBackend())
            let verdict = try engine.evaluate(entry.trustRequest(wanted))
            let name = "`\(entry.folder.lastPathComponent)`"
            switch verdict.outcome {
            case .reject(let violations):
                let ids = violations.map(\.id).joined(separator: ", ")
                return Answer(isAccept: false, text: "\(name) reject: \(ids)")
            case .accept(let acceptance):
                let ids = acceptance.reported.map(\.violation.id)
                let reports = ids.isEmpty ? "" : ", reports \(ids.joined(separator: ", "))"
                return Answer(isAccept: true, text: "\(name) accept\(reports)")
            }
        }
    }
}
