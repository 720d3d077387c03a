import Foundation
import HawserYAML
import LibCrypto
import PolicyCompiler
import PolicyTools
import Testing

/// Twelve organisations' policies, and for each the mistake that its author is most likely to make:
/// one edit, and the diagnostic that must stand at its place without another error.
@Suite struct TwelvePoliciesTests {
    /// A policy with one wrong edit.
    struct Wrong: Sendable, CustomTestStringConvertible {
        let recipe: String
        /// The file that is edited, and the edit.
        let file: String
        let right: String
        let wrong: String
        /// `HW402 policy.yaml:9:24`, in order.
        let errors: [String]
        /// What the message has to say.
        let says: [String]

        var testDescription: String { recipe }

        init(
            _ recipe: String, in file: String = "policy.yaml", _ right: String,
            becomes wrong: String,
            _ errors: [String], says: [String]
        ) {
            self.recipe = recipe
            self.file = file
            self.right = right
            self.wrong = wrong
            self.errors = errors
            self.says = says
        }
    }

    static let wrongs: [Wrong] = [
        Wrong(
            "startup-pin-digests", "sha256/SPARE=, note: \"safe, sealed bag 7\"",
            becomes: "sha256/KEY=",
            ["HW402 policy.yaml:9:24"],
            says: ["no real backup", "`offline` is the key of `issuing-2026`"]),
        Wrong(
            "bank",
            """
            expired: { tolerance: 14d, reason: "vendor renews in summer", owner: payments, \
            until: 2026-08-31, ticket: SEC-812 }
            """,
            becomes: "revocation: { reason: \"CRL server is slow\", owner: payments }",
            ["HW604 policy.yaml:18:7"],
            says: [
                "waiver `revocation` of `swift-gateway` never ends",
                "accepts revoked certificates while it lasts",
            ]),
        Wrong(
            "mobile-app",
            "\n      identity: { reason: \"self-signed on laptops\", owner: mobile, until: 2026-10-31 }",
            becomes: "", ["HW508 policy.yaml:20:7"],
            says: ["`developer-machines` checks the name on certificates that anyone can make"]),
        Wrong(
            "alamofire-policies", "\"**.d.example\"", becomes: "\"*d.example\"",
            ["HW204 policy.yaml:13:30"],
            says: ["`*d.example` is not a pattern: `*` stands for a whole label"]),
        Wrong(
            "ats-timestamps",
            "{ forward-secrecy: not-required }   # hawser:ignore HW510 -- NSExceptionRequiresForwardSecrecy = NO",
            becomes: "{ minimum-version: 1.0 }", ["HW103 policy.yaml:12:29"],
            says: ["`1.0` is below the baseline", "`tls1.2` or `tls1.3`"]),
        Wrong(
            "spiffe-revocation",
            "{ reference: listed, uri: [\"spiffe://mesh.example/ns/pay/sa/ledger\"] }",
            becomes: "{ uri: [\"spiffe://mesh.example/ns/pay/sa/ledger\"] }",
            ["HW509 policy.yaml:17:17"],
            says: ["`identity.uri` is listed but `reference` is `host`"]),
        Wrong(
            "proxy-as-named-anchor",
            "\"bank.example\", \"**.bank.example\"]\n    anchors: [system]",
            becomes: "\"**.bank.example\"]\n    anchors: [system]", [], says: []),
        Wrong(
            "iot-fleet", "\"10.40.0.0/16\", \"fd00:40::/48\"",
            becomes: "\"10.40.0.9/16\", \"fd00:40::9:8883\"", ["HW201 policy.yaml:11:13"],
            says: ["`10.40.0.9/16` has host bits set"]),
        Wrong(
            "cdn-customer", "\"origin.cdn.shop.example\", \"**.upload.assets.shop.example\"",
            becomes: "\"origin.cdn.shop.example\", \"*.cdn.shop.example\"",
            ["HW208 policy.yaml:15:40"],
            says: ["`*.cdn.shop.example` belongs to two rules, so neither decides"]),
        Wrong(
            "regulated", "{ leaf-types: [p384] }",
            becomes: "{ leaf-types: [P-384], rsa-minimum: 1024 }",
            ["HW103 policy.yaml:17:26", "HW103 policy.yaml:17:47"],
            says: [
                "`P-384` is not a key type; did you mean `p384`?",
                "`keys.rsa-minimum` takes 2048 to 16384; found 1024",
            ]),
        Wrong(
            "ca-migration", "stolen-ca: { spki: sha256/KEY= }",
            becomes: "stolen-ca: { spki: sha256:"
                + "fa7fefd7a81d3ec86789f04b80ae86127f07e5edeecc3a8c87ae532e8fd501a7 }",
            ["HW401 policy.yaml:16:26"],
            says: ["this is a certificate digest", "`spki` wants the key's"]),
        Wrong(
            "monorepo", in: "teams/search/search.policy.yaml", "hawser: 1\n",
            becomes: "hawser: 1\ndefault: { anchors: [system] }\n",
            ["HW104 teams/search/search.policy.yaml:3:1"],
            says: ["`default` is set twice"]),
    ]

    fileprivate static func recipe(_ name: String) throws -> Recipe {
        try #require(Recipe.all.first { $0.name == name })
    }

    @Test func thereAreTwelve() throws {
        #expect(TwelvePoliciesTests.wrongs.count == 12)
        #expect(Set(TwelvePoliciesTests.wrongs.map(\.recipe)).count == 12)
    }

    @Test("the policy compiles", arguments: wrongs)
    func right(_ wrong: Wrong) throws {
        let compilation = try TwelvePoliciesTests.recipe(wrong.recipe).compile()
        #expect(compilation.table != nil)
        #expect(compilation.diagnostics.map(\.message) == [])
    }

    @Test("its wrong version says so at its place, and nothing else", arguments: wrongs)
    func wrong(_ wrong: Wrong) throws {
        try wrong.expectErrors()
    }

    /// The printed text for all of them, to be read as prose.
    @Test func printedAsProse() throws {
        var page = ""
        for wrong in TwelvePoliciesTests.wrongs {
            let compilation = try wrong.compile()
            page += "== \(wrong.recipe)\n"
            page += LintDocument.text(
                compilation.diagnostics, files: compilation.files)
        }
        let golden = Recipe.policies.appending(path: "wrong-versions.txt")
        if ProcessInfo.processInfo.environment["UPDATE_GOLDEN"] == "1" {
            try Data(page.utf8).write(to: golden)
        }
        #expect(try String(contentsOf: golden, encoding: .utf8) == page)
    }
}

extension TwelvePoliciesTests.Wrong {
    /// Expects exactly the errors of this edit, each at its place.
    func expectErrors() throws {
        let compilation = try compile()
        let found = compilation.diagnostics.filter { $0.severity == .error }
        let places = found.map { diagnostic -> String in
            let file = compilation.files[Int(diagnostic.primary.span.file)]
            let at = file.position(of: Int(diagnostic.primary.span.start))
            return "\(diagnostic.code.rawValue) \(file.path):\(at.line):\(at.column)"
        }
        #expect(places == errors)
        let words = found.map(\.message).joined(separator: "\n")
        for phrase in says { #expect(words.contains(phrase), "\(words)") }
    }

    /// Compiles a recipe with its edit. In `right` and `wrong`, `sha256/KEY=` stands for the first
    /// pin of the file and `sha256/SPARE=` for the second.
    func compile() throws -> Compilation {
        let unit = try UnitLoader.load(paths: [TwelvePoliciesTests.recipe(recipe).folder.path])
        let files = try unit.files.map { file -> SourceFile in
            guard file.path == self.file else { return file }
            let text = String(decoding: file.bytes, as: UTF8.self)
            let pins = text.matches(of: #/sha256\/[A-Za-z0-9+\/]{43}=/#).map { String($0.output) }
            func filled(_ edit: String) -> String {
                edit.replacingOccurrences(of: "sha256/KEY=", with: pins.first ?? "")
                    .replacingOccurrences(of: "sha256/SPARE=", with: pins.dropFirst().first ?? "")
            }
            let range = try #require(text.range(of: filled(right)))
            return SourceFile(
                path: file.path,
                bytes: Array(text.replacingCharacters(in: range, with: filled(wrong)).utf8))
        }
        return CompilerPipeline.compile(
            PolicyUnit(files: files, resources: unit.resources, isDirectory: true),
            crypto: LibCryptoBackend())
    }
}
