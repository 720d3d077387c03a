import LibCrypto
import PolicyCompiler
import PolicyTools
import Testing
import TrustEngine

/// Helps that led in a circle, to another error, or to a policy that accepts more: each proposes
/// what its field takes.
@Suite("lint: helps that lead on") struct CircularHelpTests {
    private static let first = "teMF6loc22D+Wx5llFMeakDy1FqnYItTfTMKQSwMOKs="
    private static let second = "GriBOGTAS/oNiDTwKE8cggj9jBux5k7yRo1GDPIn6zk="
    private static let third = "vvvGh85P6mnM1B6e6wxetqNVV7eubwxqd0aF/gDJ56k="

    /// A policy with a value for the key of a pin.
    private static func pinned(_ entry: String) -> String {
        """
        hawser: 1
        default: deny
        pins:
          acme:
            keys:
        \(entry)
            backups: { next: { spki: sha256/\(third) } }
            enforce-until: 2027-06-30
            owner: web
        rules:
          api: { hosts: ["api.acme.example"], anchors: [system], pins: [acme], owner: web }

        """
    }

    private static func rule(_ lines: String) -> String {
        "hawser: 1\ndefault: deny\nrules:\n  api:\n\(lines)    owner: web\n"
    }

    private static func findings(_ text: String) -> [Diagnostic] {
        MarkedLint(text).lint().findings
    }

    /// The text after the fixes that a person checks, and the remaining findings.
    private static func mended(_ text: String) -> (text: String, left: [String]) {
        let promise = FixPromise(MarkedLint(text).unit(), .all, MarkedLint.options())
        return (
            String(decoding: promise.fixed.files[0].bytes, as: UTF8.self),
            promise.outcome.result.findings.map(\.code.rawValue)
        )
    }

    // MARK: Pins

    @Test(
        "several digests in one value become an entry each, with all that stands beside them",
        arguments: [
            "\"sha256//\(first);sha256//\(second)\"",
            "'pin-sha256=\"\(first)\"; pin-sha256=\"\(second)\"; max-age=5184000; includeSubDomains'",
            "\"sha256/\(first), sha256/\(second)\"",
            "\"\(first) \(second)\"",
            "[sha256/\(first), sha256/\(second)]",
        ])
    func pins(_ value: String) {
        for (written, mended) in [
            (
                "      now: { spki: \(value), at: ca }",
                "      now: { spki: sha256/\(Self.first), at: ca }, "
                    + "now-2: { spki: sha256/\(Self.second), at: ca }"
            ),
            (
                "      now:\n        spki: \(value)\n        at: ca",
                "      now:\n        spki: sha256/\(Self.first)\n        at: ca\n"
                    + "      now-2:\n        spki: sha256/\(Self.second)\n        at: ca"
            ),
        ] {
            let text = Self.pinned(written)
            let found = Self.findings(text)
            #expect(found.map(\.code) == [.malformedPin], "\(found.map(\.message))")
            #expect(
                found.first?.help.first?.hasPrefix(
                    "make an entry of each: `now: { spki: sha256/\(Self.first) }`, `now-2: ")
                    == true, "\(found.first?.help ?? [])")
            let after = Self.mended(text)
            let wanted = Self.pinned(
                written.contains("{") ? mended.replacing(", now-2", with: "\n      now-2") : mended)
            #expect(after.text == wanted && after.left.isEmpty, "\(after)")
        }
    }

    @Test("a name that is taken is not given again, and one digest is no list")
    func pinNames() {
        let text = Self.pinned(
            "      now: { spki: \"sha256//\(Self.first);sha256//\(Self.second)\" }\n"
                + "      now-2: { spki-file: corp.pem }")
        #expect(Self.mended(text).text.contains("      now-3: { spki: sha256/\(Self.second) }\n"))
        let one = Self.findings(Self.pinned("      now: { spki: \"sha256//\(Self.first)\" }"))
        #expect(one.flatMap(\.help) == ["write `sha256/\(Self.first)`"])
        let odd = Self.findings(Self.pinned("      now: { spki: \"sha256//\(Self.first);what\" }"))
        #expect(odd.map(\.code) == [.malformedPin] && odd[0].fix == nil)
    }

    // MARK: Names

    /// A help never proposes what its field refuses.
    @Test(
        "what a help proposes for a name is a name",
        arguments: [
            ("dns", ".acme.example", "`acme.example`"),
            ("dns", "https://acme.example:8443/", "`acme.example`"),
            ("dns", "acme.example:8443", "`acme.example`"),
            ("dns", "https://acme.example/id", "`acme.example` for the name, or the URI under"),
            ("dns", "spiffe://acme.example/ns/pay", "`uri: [\"spiffe://acme.example/ns/pay\"]`"),
            ("email", "ops@.acme.example", "`acme.example`"),
            ("ip", "*.acme.example", "each address"),
        ])
    func names(_ key: String, _ text: String, _ help: String) throws {
        let found = Self.findings(
            Self.rule(
                "    hosts: [\"api.acme.example\"]\n    anchors: [system]\n"
                    + "    identity: { reference: listed, \(key): [\"\(text)\"] }\n"))
        let told = found.flatMap(\.help).joined(separator: "\n")
        #expect(told.contains(help) && !told.contains("*"), "\(told)")
    }

    @Test("a SPIFFE ID is a URI name and never a host")
    func spiffe() {
        let text = Self.rule(
            "    hosts: [\"spiffe://acme.example/ns/pay\"]\n    anchors: [system]\n")
        let found = Self.findings(text)
        #expect(found.map(\.code) == [.urlNotHost] && found[0].fix == nil)
        #expect(
            found[0].help == [
                "write `identity: { reference: listed, uri: [\"spiffe://acme.example/ns/pay\"] }` in "
                    + "the rule, and under `hosts` the names at which clients reach the service"
            ])
        #expect(Self.mended(text).text == text)
        let set =
            "hawser: 1\ndefault: { anchors: [corp], owner: web }\nanchors:\n  corp:\n"
            + "    files: [corp.pem]\n    constraints: { permitted-names: [\"spiffe://a.example/x\"] }\n"
        let names = Self.findings(set).flatMap(\.help)
        #expect(names == ["write `permitted-uris: [\"spiffe://a.example/x\"]` in `constraints`"])
    }

    // MARK: Lists

    @Test(
        "several items on one line become one each",
        arguments: [
            "      - \"a.example\", \"b.example\"\n", "      - \"a.example\" \"b.example\"\n",
            "      - \"a.example\" - \"b.example\"\n", "      - \"a.example, b.example\"\n",
            "      - \"a.example;b.example\"\n", "      - a.example b.example\n",
            "      - 'a.example', 'b.example'\n",
        ])
    func items(_ line: String) {
        let text = Self.rule("    hosts:\n\(line)      - \"c.example\"\n    anchors: [system]\n")
        let found = Self.findings(text)
        #expect(found.count == 1 && found[0].fix != nil, "\(found.map(\.message))")
        let help = found[0].help.joined()
        #expect(help.contains("a.example") && help.contains("b.example"), "\(help)")
        let mended = Self.mended(text)
        #expect(mended.left.isEmpty, "\(mended)")
        #expect(
            mended.text.replacing("'", with: "\"").contains(
                "    hosts:\n      - \"a.example\"\n      - \"b.example\"\n      - \"c.example\"\n"),
            "\(mended.text)")
    }

    @Test("several items in one item of a list in brackets")
    func bracketed() {
        let text = Self.rule(
            "    hosts: [\"a.example, b.example\" \"c.example\"]\n    anchors: [corp system]\n"
        ).replacing("rules:", with: "anchors: { corp: { files: [corp.pem] } }\nrules:")
        let mended = Self.mended(text)
        #expect(mended.left.isEmpty, "\(mended)")
        #expect(mended.text.contains("hosts: [\"a.example\", \"b.example\", \"c.example\"]"))
        #expect(mended.text.contains("anchors: [corp, system]"))
    }

    @Test("a list that begins on the line of its key begins on the next")
    func listOfKey() {
        for rest in ["", "      - \"b.example\"\n"] {
            let text = Self.rule("    hosts: - \"a.example\"\n\(rest)    anchors: [system]\n")
            let mended = Self.mended(text)
            #expect(
                mended.text
                    == Self.rule(
                        "    hosts:\n      - \"a.example\"\n\(rest)    anchors: [system]\n"),
                "\(mended)")
        }
    }

    // MARK: Tabs

    @Test(
        "a tab becomes the blanks of the level that the line belongs to",
        arguments: [
            ("    hosts:\n      - \"a.example\"\n\tanchors: [system]\n", 1),
            (
                "    hosts:\n      - \"a.example\"\n    tls:\n      minimum-version: tls1.3\n\tanchors: [system]\n",
                1
            ),
            ("    hosts:\n\t- \"a.example\"\n\t- \"b.example\"\n    anchors: [system]\n", 2),
            (
                "\thosts:\n\t\t- \"a.example\"\n\tanchors: [system]\n\trevocation:\n\t\tpreset: require\n",
                5
            ),
            (
                "    hosts:\n      - \"a.example\"\n    anchors: [system]\n    tls:\n\tminimum-version: tls1.3\n\tforward-secrecy: required\n",
                2
            ),
            (
                "    hosts:\n      - \"a.example\"\n    revocation:\n      preset: require\n      causes:\n        stale: report\n\tanchors: [system]\n",
                1
            ),
        ])
    func tabs(_ lines: String, _ count: Int) {
        let text = Self.rule(lines)
        let found = Self.findings(text)
        #expect(found.map(\.code) == Array(repeating: .tabIndent, count: count))
        let mended = Self.mended(text)
        #expect(mended.left.isEmpty && !mended.text.contains("\t"), "\(mended)")
    }

    @Test("a tab before a rule becomes the blanks of the rules beside it")
    func tabbedRules() {
        let rule = "{ hosts: [\"HOST.example\"], anchors: [system], owner: web }"
        let text =
            "hawser: 1\ndefault: deny\nrules:\n  one: \(rule.replacing("HOST", with: "a"))\n  two:\n"
            + "    hosts: [\"b.example\"]\n    anchors: [system]\n    owner: web\n    tls:\n"
            + "      minimum-version: tls1.3\n\tthree: \(rule.replacing("HOST", with: "c"))\n"
        let mended = Self.mended(text)
        #expect(mended.left.isEmpty && mended.text.contains("\n  three: {"), "\(mended)")
        let begun =
            "hawser: 1\ndefault: deny\nrules:\n\tapi:\n\t\thosts: [\"a.example\"]\n"
            + "    anchors: [system]\n    owner: web\n"
        let whole = Self.mended(begun)
        #expect(
            whole.left.isEmpty
                && whole.text.contains("rules:\n  api:\n    hosts: [\"a.example\"]\n    anchors:"),
            "\(whole)")
    }

    // MARK: Indentation and ports

    @Test("the help for a line of another indentation names the columns of the levels above")
    func columns() {
        let text = Self.rule("    hosts: [\"a.example\"]\n     anchors: [system]\n")
        let help = Self.findings(text).filter { $0.code == .syntaxError }.flatMap(\.help)
        #expect(help.joined().contains("by 4 blanks as `hosts`"), "\(help)")
    }

    @Test(
        "a port that is none: what to write",
        arguments: [
            ("a.example:https", "write `a.example:443`"),
            ("a.example:8443.", "write `a.example:8443`"),
            ("a.example:what", "write its number, or none: `a.example` matches every port"),
            (
                "a.example:0",
                "write the port of the service, or none: `a.example` matches every port"
            ),
        ])
    func ports(_ host: String, _ help: String) {
        let found = Self.findings(Self.rule("    hosts: [\"\(host)\"]\n    anchors: [system]\n"))
        #expect(found.map(\.code) == [.badHost] && found[0].help == [help], "\(found)")
        #expect(found[0].fix == nil)
    }

    @Test("the example in place of every address keeps the port")
    func everyAddress() {
        let found = Self.findings(
            Self.rule("    hosts: [\"[::/0]:8443\", \"0.0.0.0/0:8443\"]\n    anchors: [corp]\n")
                .replacing(
                    "rules:", with: "anchors: { corp: { files: [corp.pem], owner: pki } }\nrules:"))
        let help = found.flatMap(\.help).joined()
        #expect(help.contains("\"[fd00:40::/48]:8443\"") && help.contains("\"10.20.0.0/16:8443\""))
    }

    // MARK: Anchors

    @Test("the example for a rule without anchors names what its author wrote")
    func anchors() {
        func help(_ rules: String) -> [String] {
            Self.findings(
                "hawser: 1\nanchors: { acme: { files: [corp.pem], owner: pki }, "
                    + "mesh: { files: [other.pem], owner: pki } }\n\(rules)"
            ).filter { $0.code == .missingKey }.flatMap(\.help)
        }
        let api = "api: { hosts: [\"api.acme.example\"], owner: web"
        #expect(
            help("default: deny\nrules: { \(api), trust: [mesh] } }\n") == [
                "write `anchors: [mesh]`"
            ])
        #expect(
            help("default: deny\nrules: { \(api), ca: mesh } }\n") == ["write `anchors: [mesh]`"])
        #expect(
            help("default: deny\nrules: { \(api) } }\n") == ["for example `anchors: [acme]`"])
    }

    @Test("the example of a default is the machine's store only where every rule is of it")
    func defaultAnchors() {
        func help(_ anchors: String...) -> [String] {
            let rules = anchors.enumerated().map {
                "  r\($0.offset): { hosts: [\"h\($0.offset).example\"], \($0.element), owner: web }\n"
            }.joined()
            return Self.findings("hawser: 1\nrules:\n\(rules)").filter { $0.code == .missingKey }
                .flatMap(\.help)
        }
        let deny = "write `default: deny`"
        let store = "\(deny), or a body such as `default: { anchors: [system] }`"
        #expect(help("anchors: [system]") == [store])
        #expect(help("anchors: [system]", "anchors: [corp]") == [deny])
        #expect(help("anchors: [system]", "anchors: [system, corp]") == [deny])
        #expect(help("anchors: [system]", "anchros: [corp]") == [deny])
    }
}
