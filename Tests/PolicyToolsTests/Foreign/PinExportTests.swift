import PolicyCompiler
import PolicyTools
import TestPKI
import Testing
import TrustEngine

/// Policies as a list of pins in JSON and as a configuration file of curl.
@Suite("exports to pins.json and curl") struct PinExportTests {
    private static let one = "teMF6loc22D+Wx5llFMeakDy1FqnYItTfTMKQSwMOKs="
    private static let two = "GriBOGTAS/oNiDTwKE8cggj9jBux5k7yRo1GDPIn6zk="
    private static let four = "dz3B4PSNsDfUW4DQU55c/axCVfaNG2XNMPXpEevgawE="
    private static let root = Scenario().root("Corp Root", key: .p256("pin-export-root"))

    /// A policy with a pin set `shop` at a position, and rules.
    private static func policy(
        _ rules: String, at position: String = "any", more: String = "", fallback: String = ""
    ) -> String {
        """
        default: \(fallback.isEmpty ? "{ anchors: [system] }" : fallback)
        anchors:
          corp: { files: [corp.pem] }
        pins:
          shop:
            keys: { live: { spki: sha256/\(one), at: \(position) } }
            backups: { spare: { spki: sha256/\(two), at: \(position) } }
        \(more.isEmpty ? "" : "    \(more)\n")rules:
        \(rules)

        """
    }

    private static func answer(
        _ text: String, to name: String, hosts: [String] = [], over existing: String? = nil
    ) throws -> ExportQuestion.Answer {
        try Exports.answer(
            text, to: name, hosts: hosts, over: existing, files: ["corp.pem": root.der])
    }

    // MARK: JSON

    private static let shop =
        "  shop: { hosts: [\"shop.example\", \"**.shop.example\"], anchors: [system], pins: [shop] }"

    @Test("a name and the names below it are one entry, and the reader of the list finds them")
    func list() throws {
        let answer = try Self.answer(Self.policy(Self.shop), to: "pins-json")
        #expect(Exports.stated(answer.loss) == [])
        let text = Exports.file(answer)
        #expect(text.contains("Written by `hawser export` from policy.yaml."))
        let file = try PinsJSONReader.read(answer.file.octets)
        #expect(file.entries.map(\.name) == ["**.shop.example"])
        let model = PinsJSONModel(file)
        for host in ["shop.example", "a.shop.example", "b.a.shop.example"] {
            #expect(model.behaviour(of: host).digests == [Self.one, Self.two])
        }
        #expect(model.behaviour(of: "example").digests == nil)
        let again = try Self.answer(Self.policy(Self.shop), to: "pins-json", over: text)
        #expect(again.file.octets == answer.file.octets && again.file.wasExported)
    }

    @Test("the file of some hosts says nothing of others")
    func someHosts() throws {
        let rules = """
            \(Self.shop)
              bank: { hosts: ["bank.example"], anchors: [system], pins: [shop] }
            """
        let answer = try Self.answer(
            Self.policy(rules), to: "pins-json", hosts: ["**.shop.example"])
        let names = try PinsJSONReader.read(answer.file.octets).entries.map(\.name)
        #expect(names == ["**.shop.example"])
        // The entry is for the apex, too, but only names below it are compared.
        #expect(Exports.stated(answer.loss) == [])
    }

    @Test("one label, addresses, and an end at midnight")
    func forms() throws {
        let rules = """
              shop: { hosts: ["*.shop.example", "10.0.0.7"], anchors: [system], pins: [shop] }
            """
        let answer = try Self.answer(
            Self.policy(
                rules, more: "enforce-until: 2026-12-31T00:00:00Z\n    on-expiry: unpinned"),
            to: "pins-json")
        #expect(Exports.stated(answer.loss) == [])
        let file = try PinsJSONReader.read(answer.file.octets)
        #expect(file.entries.map(\.name) == ["*.shop.example", "10.0.0.7"])
        #expect(file.entries.map(\.end) == [.at("2026-12-31"), .at("2026-12-31")])
        #expect(answer.nextChange == UTCInstant.at("2026-12-31").advanced(bySeconds: 1))
    }

    @Test("pins of the server's own key are weaker in the list, which takes any key of the chain")
    func positions() throws {
        let answer = try Self.answer(Self.policy(Self.shop, at: "leaf"), to: "pins-json")
        #expect(answer.loss.relation == .weaker)
        #expect(
            Exports.stated(answer.loss).allSatisfy { $0.hasPrefix("weaker pins") }
                && !Exports.stated(answer.loss).isEmpty, "\(Exports.stated(answer.loss))")
    }

    @Test("a name below a pinned wildcard has the pins of both, and a denied host is accepted")
    func united() throws {
        let rules = """
            \(Self.shop)
              api: { hosts: ["api.shop.example"], anchors: [system], pins: [other] }
            """
        let text = Self.policy(rules).replacing(
            "rules:\n",
            with: """
                  other:
                    keys: { live: { spki: sha256/\(Self.four) } }
                    backups: { spare: { spki: sha256/\(Self.two) } }
                rules:

                """)
        let answer = try Self.answer(text, to: "pins-json")
        #expect(
            Exports.stated(answer.loss) == ["weaker pins api.shop.example:443"],
            "\(Exports.stated(answer.loss))")
        let denied = try Self.answer(Self.policy(Self.shop, fallback: "deny"), to: "pins-json")
        #expect(Exports.stated(denied.loss).contains { $0.hasPrefix("weaker decision") })
    }

    @Test("pins that an old file only reports are told before they are lost")
    func reported() throws {
        let old = "{\"a.example\": {\"pins\": [\"\(Self.one)\"], \"enforcePinning\": false}}"
        let answer = try Self.answer(Self.policy(Self.shop), to: "pins-json", over: old)
        #expect(answer.file.dropped == ["the pins of `a.example`, which are only reported"])
        #expect(!answer.file.wasExported)
    }

    // MARK: curl

    private static let server =
        "  shop: { hosts: [\"shop.example\"], anchors: [corp], pins: [shop] }"

    @Test("the settings of one host: the CA beside the file, the pins, the floor")
    func settings() throws {
        let answer = try Self.answer(
            Self.policy(Self.server, at: "leaf", fallback: "deny"), to: "curl",
            hosts: ["shop.example"])
        #expect(answer.loss.gaps.isEmpty && Exports.stated(answer.loss) == [])
        let text = Exports.file(answer)
        #expect(
            text.hasSuffix(
                """
                cacert = "hawser-corp.pem"
                capath = "/dev/null"
                pinnedpubkey = "sha256//\(Self.one);sha256//\(Self.two)"
                tlsv1.2

                """), "\(text)")
        #expect(answer.file.companions.map(\.path) == ["hawser-corp.pem"])
        for version in ["7.88", "8"] {
            let model = CurlModel(
                try CurlReader.read(answer.file.octets), try #require(CurlModel.Version(version)))
            let behaviour = try #require(model.behaviour(of: "shop.example"))
            #expect(behaviour.verifies && behaviour.anchors == "hawser-corp.pem")
            #expect(behaviour.accepts(key: Self.one) == true)
            #expect(behaviour.accepts(key: Self.two) == true)
            #expect(behaviour.accepts(key: Self.four) == false)
        }
        let again = try Self.answer(
            Self.policy(Self.server, at: "leaf", fallback: "deny"), to: "curl",
            hosts: ["shop.example"], over: text)
        #expect(again.file.octets == answer.file.octets && again.file.wasExported)
        #expect(again.file.dropped.isEmpty)
    }

    @Test("the file binds every host: `default` if it accepts, and else the strictest rule")
    func everyHost() throws {
        let open = try Self.answer(Self.policy(Self.server, at: "leaf"), to: "curl")
        #expect(!Exports.file(open).contains("pinnedpubkey"))
        #expect(Exports.stated(open.loss).contains { $0.hasSuffix(" shop.example:443") })
        let rules = """
            \(Self.server)
              pay: { hosts: ["pay.example"], anchors: [corp] }
            """
        let closed = try Self.answer(Self.policy(rules, at: "leaf", fallback: "deny"), to: "curl")
        #expect(Exports.file(closed).contains("pinnedpubkey"))
        #expect(
            Exports.stated(closed.loss).contains { $0 == "stricter pins pay.example:443" },
            "\(Exports.stated(closed.loss))")
        #expect(Exports.stated(closed.loss).contains { $0.hasPrefix("weaker decision") })
    }

    @Test("a policy that accepts nothing is a pin that no key has; TLS 1.3 and 1.0")
    func edges() throws {
        let none = try Self.answer("default: deny\n", to: "curl")
        #expect(Exports.file(none).contains("pinnedpubkey = \"sha256//AAAA"))
        #expect(none.loss.relation == .equal, "\(none.loss.lines)")
        let strict = try Self.answer(
            "default: { anchors: [system], tls: { minimum-version: tls1.3 } }\n", to: "curl")
        #expect(Exports.file(strict).contains("\ntlsv1.3\n"))
        #expect(Exports.stated(strict.loss) == [])
        let old = try Self.answer(
            """
            default:
              anchors: [system]
              waivers:
                tls: { minimum-version: tls1.0, reason: x, owner: web, until: 2026-12-31 }

            """, to: "curl")
        #expect(Exports.file(old).contains("\ntlsv1.0\n"))
    }

    @Test(
        "a file of curl that was edited by hand",
        arguments: [
            ("tlsv1.2\n", "tlsv1.2\ninsecure\n", Relation.weaker),
            ("capath = \"/dev/null\"\n", "", .weaker), ("tlsv1.2\n", "tlsv1.3\n", .stricter),
            ("\(one);sha256//", "", .stricter), ("tlsv1.2\n", "silent\ntlsv1.2\n", .equal),
        ])
    func edited(_ from: String, _ to: String, _ relation: Relation) throws {
        let table = try Exports.table(
            Self.policy(Self.server, at: "leaf", fallback: "deny"),
            files: ["corp.pem": Self.root.der])
        let question = try Exports.question(table, to: "curl", hosts: ["shop.example"])
        let answer = try question.answer(over: nil, crypto: ForeignImports.crypto)
        let text = Exports.file(answer)
        #expect(text.contains(from))
        let found = try question.check(
            ForeignFile(
                SourceFile(path: "curlrc", bytes: Array(text.replacing(from, with: to).utf8))
            ) { path in answer.file.companions.first { $0.path == path }?.octets },
            against: answer, crypto: ForeignImports.crypto)
        #expect(found.relation == relation, "\(found.lines) \(found.gaps)")
    }

    @Test("options and URLs of an old file are told before they are lost")
    func dropped() throws {
        let answer = try Self.answer(
            Self.policy(Self.server, fallback: "deny"), to: "curl",
            over: "silent\nmax-time = 5\nurl = \"https://a.example\"\ntlsv1.2\n")
        #expect(answer.file.dropped == ["`silent`", "`max-time`", "1 URL"])
    }
}
