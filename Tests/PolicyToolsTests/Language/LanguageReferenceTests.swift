import Foundation
import LibCrypto
import PolicyCompiler
import PolicyTools
import TestPKI
import Testing
import TrustEngine

/// The reference of the language, `grammar/language.md`: its examples compile, its policies lint as
/// it says, its defaults are the engine's, and words find its entries.
@Suite("the reference of the language") struct LanguageReferenceTests {
    static let page: String = {
        let root = URL(filePath: #filePath).deletingLastPathComponent()
            .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
        let path = root.appending(path: "grammar/language.md")
        return (try? String(contentsOf: path, encoding: .utf8)) ?? ""
    }()

    // MARK: Examples

    @Test("the example of every key compiles", arguments: LanguageKey.all.map(\.path))
    func example(_ path: String) throws {
        let key = try #require(LanguageKey.all.first { $0.path == path })
        let text = ExamplePolicy(key).text
        let result = LanguagePolicy.lint(text)
        let errors = result.compilation.diagnostics.filter { $0.severity == .error }
        #expect(errors.isEmpty, "\(errors.map(\.message))\n\(text)")
        #expect(text.contains("\(try #require(path.split(separator: ".").last)):"))
    }

    /// An example is a part of a policy, so the linter finds that owners, ends and uses are
    /// missing. Nothing in it is weak or contradicts itself, at a day before its exceptions end.
    @Test("lint finds nothing dangerous in an example", arguments: LanguageKey.all.map(\.path))
    func quiet(_ path: String) throws {
        let key = try #require(LanguageKey.all.first { $0.path == path })
        let text = ExamplePolicy(key).text
        let found = LanguagePolicy.lint(text, at: "2027-01-05").findings
        let left: Set<DiagnosticCode> = [.unusedDefinition, .noOwner, .pinNoEnd]
        let wrong = found.filter { !left.contains($0.code) }
        #expect(wrong.isEmpty, "\(wrong.map { "\($0.code) \($0.message)" })\n\(text)")
    }

    @Test("every field of a profile has an entry with an example")
    func fields() {
        let paths = Set(LanguageKey.all.map(\.path))
        for field in ProfileField.allCases {
            #expect(paths.contains(field.rawValue), "\(field.rawValue)")
        }
    }

    // MARK: Whole policies

    /// The policies of section 13, by the numbers of their headings.
    static let policies: [String: String] = snippets.filter { $0.key.hasPrefix("13.") }

    /// The policy text outside the entries of keys, by the number of the heading above it.
    private static let snippets: [String: String] = {
        var found: [String: String] = [:]
        var heading = ""
        let lines = page.split(separator: "\n", omittingEmptySubsequences: false)
        for (index, line) in lines.enumerated() {
            if line.hasPrefix("#### ") { heading = "" }
            if line.hasPrefix("### ") {
                heading = String(line.dropFirst(4).prefix { $0 != " " })
            }
            guard line == "```yaml", !heading.isEmpty else { continue }
            let body = lines[(index + 1)...].prefix { $0 != "```" }
            found[heading, default: ""] += body.map { $0 + "\n" }.joined()
        }
        return found
    }()

    @Test("each task has a policy, and a test reads every policy of the page")
    func everyPolicyIsRead() {
        let tasks = Self.page.split(separator: "\n").filter { $0.hasPrefix("### 13.") }
        #expect(tasks.count >= 4)
        for task in tasks {
            let number = String(task.dropFirst(4).prefix { $0 != " " })
            #expect(Self.policies[number]?.hasPrefix("hawser: 1\n") == true, "\(task)")
        }
        let fences = Self.page.components(separatedBy: "```yaml").count - 1
        #expect(fences == LanguageKey.all.count + Self.snippets.count)
    }

    @Test("a whole policy lints clean", arguments: ["default", "strict"], policies.keys.sorted())
    func policy(_ level: LintLevel.RawValue, _ name: String) throws {
        let level = try #require(LintLevel(rawValue: level))
        let result = LanguagePolicy.lint(try #require(Self.policies[name]), level)
        #expect(result.compilation.policy != nil)
        #expect(
            result.findings.isEmpty, "\(result.findings.map { "\($0.code) \($0.message)" })")
    }

    /// The narrow rules of both differ from the wide ones in the one thing that they speak of.
    @Test("what section 13 says of a host comes to that")
    func meaning() throws {
        let exempt = try Self.rules(#require(Self.policies["13.1"]))
        var expected = try #require(exempt["shop"])
        #expect(expected.revocation.preset == .require)
        expected.revocation.preset = .bestEffort
        expected.revocation.causes = .bestEffort
        #expect(exempt["shop-terminal"] == expected)
        let tls = try Self.rules(#require(Self.policies["13.4"]))
        #expect(tls["printer"] == tls["intranet"])
        #expect(tls["printer"]?.tls.minimumVersion == .tls13)
    }

    // MARK: Defaults

    @Test("what a field is when it is not written is what the engine takes")
    func defaults() throws {
        let baseline = Requirements()
        var seen = 0
        for key in LanguageKey.all {
            guard ProfileField(rawValue: key.path) != nil, let absent = key.absent,
                absent.hasPrefix("`")
            else { continue }
            let words = absent.split(separator: "`").enumerated()
                .filter { $0.offset.isMultiple(of: 2) }.map { String($0.element) }
            let value =
                key.type.hasPrefix("a list") ? "[\(words.joined(separator: ", "))]" : words[0]
            let body = key.nested(value)
            let rules = try Self.rules(
                "hawser: 1\ndefault: deny\nrules:\n  r:\n    hosts: [\"a.example\"]\n"
                    + "    anchors: [system]\n    \(body)\n")
            #expect(rules["r"] == baseline, "\(key.path): \(value)")
            seen += 1
        }
        #expect(seen >= 20)
    }

    @Test("the table of causes is the presets'")
    func causes() {
        var rows: Set<String> = []
        for line in Self.page.split(separator: "\n") where line.hasPrefix("| `") {
            let cells = line.split(separator: "|").map {
                $0.trimmingCharacters(in: .init(charactersIn: " `"))
            }
            guard cells.count == 3,
                let cause = RevocationCause.allCases.first(where: { $0.name == cells[0] })
            else { continue }
            rows.insert(cells[0])
            #expect(RevocationCauses.bestEffort[cause].name == cells[1], "\(cells)")
            #expect(RevocationCauses.require[cause].name == cells[2], "\(cells)")
        }
        #expect(rows.count == RevocationCause.allCases.count)
    }

    @Test("`ats` is what its section writes out")
    func ats() throws {
        let profile = try #require(Self.snippets["8.10"])
        func requirements(_ body: String) throws -> Requirements? {
            try Self.rules(
                "hawser: 1\ndefault: deny\n\(profile)rules:\n  r:\n    hosts: [\"a.example\"]\n"
                    + "    anchors: [system]\n\(body)")["r"]
        }
        let written = try requirements("    profile: as-ats\n")
        let builtIn = try requirements(
            "    profile: ats\n    transparency: { log-list: ct/log_list.json }\n")
        #expect(written == builtIn)
        #expect(written != Requirements())
    }

    // MARK: Words

    @Test(
        "a word finds its entries",
        arguments: [
            ("revocation.causes", ["revocation.causes"]),
            ("revocation.causes.stale", ["revocation.causes.stale"]),
            ("stale", ["revocation.causes.stale"]),
            ("hosts", ["rules.hosts"]),
            ("rules.payments.hosts", ["rules.hosts"]),
            ("default.anchors", ["rules.anchors"]),
            ("default.revocation.preset", ["revocation.preset"]),
            ("anchors", ["anchors", "rules.anchors"]),
            ("waivers.tls", ["waivers.tls"]),
            ("waivers.tls.until", ["waivers.until"]),
            ("tls", ["tls", "waivers.tls"]),
            ("pins.acme.backups.next.at", ["pins.keys.at"]),
            ("pins.acme.keys.now.spki", ["spki"]),
            ("profiles.strict.keys.types", ["keys.types"]),
            ("anchors.corp.exclude.old.certificate-file", ["certificate-file"]),
            ("nothing", []), ("", []), (".", []), ("hosts.", []), ("revocation.nothing", []),
            ("waiver.tls", []), ("revocation.until", []),
        ] as [(String, [String])])
    func word(_ word: String, _ paths: [String]) {
        #expect(LanguageKey.named(word).map(\.path) == paths)
    }

    @Test("no key has the name of a code, and every guard is a code")
    func guards() {
        for key in LanguageKey.all {
            #expect(!DiagnosticCode.allCases.contains { $0.slug == key.path }, "\(key.path)")
            for entry in key.guards {
                #expect(DiagnosticCode(rawValue: entry.code)?.slug == entry.name)
            }
        }
        let looked = Set(LanguageKey.all.flatMap(\.guards).map(\.code))
        #expect(looked.count > 50)
    }

    // MARK: Parts

    private static func rules(_ text: String) throws -> [String: Requirements] {
        let (compilation, parts) = CompilerPipeline.read(
            LanguagePolicy.unit(text), crypto: LibCryptoBackend())
        let errors = compilation.diagnostics.filter { $0.severity == .error }.map(\.message)
        try #require(errors.isEmpty, "\(errors)\n\(text)")
        var rules: [String: Requirements] = [:]
        for rule in parts.bound.rules {
            rules[rule.id.value] = parts.lowered(rule.body).requirements
        }
        return rules
    }
}

extension LanguageKey {
    /// A value of the key inside the maps above it, in flow form.
    fileprivate func nested(_ value: String) -> String {
        let parts = path.split(separator: ".")
        return parts.joined(separator: ": { ") + ": " + value
            + String(repeating: " }", count: parts.count - 1)
    }
}

/// The example of a key, made a whole policy.
struct ExamplePolicy {
    let text: String

    init(_ key: LanguageKey) {
        var example = key.example.replacing(
            "      -----BEGIN CERTIFICATE-----\n      …\n      -----END CERTIFICATE-----\n",
            with: MarkedLint.otherRoot.pem.split(separator: "\n").map { "      \($0)\n" }.joined())
        let first = example.prefix { $0 != ":" }
        var text = ""
        switch first {
        case "hawser", "default", "profiles": break
        case "rules":
            example += (ExamplePolicy.beside[key.path] ?? "").split(separator: "\n")
                .map { "    \($0)\n" }.joined()
        case "anchors" where !example.contains("files:") && !example.contains("include:"):
            example += "    files: [anchors/corp.pem]\n"
        case "pins" where !example.contains("backups:"):
            example += "    backups: { next: { spki-file: pins/next.pem } }\n"
        case "anchors", "pins": break
        default:
            let beside = ExamplePolicy.beside[key.path] ?? ""
            let body = (beside + example).split(separator: "\n").map { "    \($0)\n" }.joined()
            example =
                "rules:\n  api:\n    hosts: [\"api.acme.example\"]\n"
                + (beside.contains("anchors:") ? "" : "    anchors: [system]\n") + body
        }
        if first == "hawser" { (text, example) = (example, "") } else { text = "hawser: 1\n" }
        if first != "default" { text += "default: deny\n" }
        text += example
        for (section, id, definition) in ExamplePolicy.definitions
        where text.contains(id) && !text.contains("\n\(section):\n") {
            text += "\(section):\n  \(id): \(definition)\n"
        }
        if key.path == "anchors.constraints.sct" {
            text +=
                "rules:\n  api:\n    hosts: [\"api.acme.example\"]\n    anchors: [corp]\n"
                + "    transparency: { log-list: ct/log_list.json }\n"
        }
        self.text = text
    }

    /// What a rule needs beside an example so that the example's check is one that it has.
    private static let beside = [
        "report-only": "pins: [acme-api]\n",
        "report-only.until": "validity: { maximum-lifetime: 398d }\n",
        "report-only.note": "validity: { maximum-lifetime: 398d }\n",
        "waivers.pins": "pins: [acme-api]\n",
        "waivers.path": "pins: [acme-api]\n",
        "waivers.transparency":
            "transparency: { preset: chrome, log-list: ct/log_list.json }\n",
        "waivers.issuance": "path: { issuance: enforce }\n",
        "waivers.issuance.demands": "path: { issuance: enforce }\n",
        "transparency.exempt-anchors": "anchors: [system, inspection]\n",
    ]

    private static let definitions = [
        (
            "pins", "acme-api",
            "{ keys: { a: { spki-file: a.pem } }, backups: { b: { spki-file: b.pem } } }"
        ),
        ("profiles", "strict", "{ keys: { rsa-minimum: 3072 } }"),
        ("anchors", "inspection", "{ files: [inspection.pem] }"),
    ]
}

/// Policies of the page with the files that they name.
enum LanguagePolicy {
    static func unit(_ text: String) -> PolicyUnit {
        PolicyUnit(
            files: [SourceFile(path: "policy.yaml", bytes: Array(text.utf8))],
            resources: LanguageFiles(isIntermediate: text.contains("kind: intermediate")),
            isDirectory: true)
    }

    static func lint(
        _ text: String, _ level: LintLevel = .default, at date: String? = nil
    ) -> LintResult {
        let time = date.flatMap { UTCInstant(text: $0) } ?? MarkedLint.time
        return Linter.lint(
            unit(text), MarkedLint.options(level, at: time), crypto: LibCryptoBackend())
    }
}

/// A certificate of its own for each path, and a log list.
private struct LanguageFiles: UnitResources {
    /// Whether certificates are of the kind `intermediate`.
    let isIntermediate: Bool

    func read(_ path: String, limit: Int) throws(ResourceError) -> [UInt8] {
        if path.hasSuffix(".json") {
            let logs = [TestLog("Alpha", of: "A"), TestLog("Beta", of: "B")]
            return Array(TestLogList.json(logs, issued: .at("2027-12-31")).utf8)
        }
        let root = root(path)
        guard !isIntermediate else {
            return Array(root.issueCA("Issuing", key: .p256("language-issuing")).pem.utf8)
        }
        // What `only` and `exclude` name are members of the set.
        guard path == "anchors/corp.pem" else { return Array(root.pem.utf8) }
        return Array(
            (self.root("anchors/kept.pem").pem + self.root("anchors/retired.pem").pem).utf8)
    }

    private func root(_ path: String) -> Authority {
        MarkedLint.pki.root(TestName("Root of \(path)"), key: .p256("language-\(path)"))
    }

    func list(_ folder: String) throws(ResourceError) -> [String] { ["a.pem"] }
}
