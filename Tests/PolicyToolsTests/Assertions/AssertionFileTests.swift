import Foundation
import JSONSchemaSupport
import LibCrypto
import PolicyCompiler
import PolicyTools
import Rendering
import Testing
import TrustEngine

/// Files of assertions: the parts that are read, and the messages about a file that cannot be read.
@Suite("files of assertions") struct AssertionFileTests {
    static let root = URL(filePath: #filePath).deletingLastPathComponent()
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

    /// The policy whose names assertions use.
    static let policy = """
        hawser: 1
        default: deny
        anchors:
          corp:
            files: [corp.pem]
            owner: pki
        profiles:
          org:
            keys: { rsa-minimum: 3072 }
        rules:
          api:
            hosts: ["api.acme.example", "**.api.acme.example"]
            anchors: [corp]
            profile: org
            owner: web

        """

    static let compilation = CompilerPipeline.compile(
        MarkedLint(policy).unit(), crypto: LibCryptoBackend())

    /// Reads a text with marks as `MarkedLint` has them, and holds the diagnostics to the marks.
    @discardableResult
    static func read(
        _ text: String, says phrases: [String] = [],
        sourceLocation: SourceLocation = #_sourceLocation
    ) throws -> AssertionFile.Contents {
        let marked = MarkedLint(text)
        let file = SourceFile(path: "policy.assert.yaml", bytes: marked.bytes)
        let policy = try #require(compilation.policy, "\(compilation.diagnostics)")
        let result = AssertionFile.read(
            file, of: policy, resources: marked.unit().resources, crypto: LibCryptoBackend())
        let found = result.diagnostics.map { diagnostic in
            let span = diagnostic.primary.span
            return MarkedLint.Mark(
                code: diagnostic.code.rawValue,
                text: String(
                    decoding: marked.bytes[Int(span.start)..<Int(span.end)], as: UTF8.self),
                start: Int(span.start))
        }
        let words = result.diagnostics.map { ([$0.message] + $0.help).joined(separator: "\n") }
            .joined(separator: "\n")
        #expect(Set(found) == Set(marked.marks), "\(text)\(words)", sourceLocation: sourceLocation)
        for phrase in phrases {
            #expect(words.contains(phrase), "\(words)", sourceLocation: sourceLocation)
        }
        let isSound = result.diagnostics.allSatisfy { $0.severity < .error }
        #expect((result.assertions != nil) == isSound, sourceLocation: sourceLocation)
        return result
    }

    /// A file with one assertion. Each line is a key, without its indentation.
    static func file(
        _ lines: String..., hosts: String = "hosts: [\"api.acme.example\"]"
    ) -> String {
        "hawser-assert: 1\nassertions:\n  strict:\n"
            + ([hosts] + lines).filter { !$0.isEmpty }.map { "    \($0)\n" }.joined()
    }

    // MARK: Reading

    @Test("an assertion is read with every part")
    func whole() throws {
        let text = Self.file(
            "during: { from: 2026-11-22, until: 2028-01-01 }",
            "at-least: { tls.minimum-version: tls1.3, anchors: [corp], pins: bound }",
            "no-weaker-than: { unit: ../baseline/ }", "identity: host",
            "exceptions: { waivers.tls: 2027-01-31, report-only.attested: 2027-02-01T00:00:00Z }",
            "decision: deny", "owned-by: payments",
            "never-trusts: { spki-file: corp.pem }",
            "no-anchor: { certificate-file: corp.pem }", "owner: security", "note: why",
            hosts: "hosts: [\"**.bank.example:8443\", \"192.0.2.0/24\"]")
        let assertion = try #require(Self.read(text).assertions?.first)
        #expect(assertion.id.value == "strict")
        let network = try #require(IPAddress(text: "192.0.2.0"))
        #expect(
            assertion.hosts
                == .inside([
                    HostPattern(host: .anyLabels(base: "bank.example"), port: 8443),
                    HostPattern(host: .network(network, prefix: 24), port: nil),
                ]))
        #expect(
            assertion.during
                == DateWindow(
                    from: UTCInstant(text: "2026-11-22T00:00:00Z"),
                    until: UTCInstant(text: "2028-01-01T23:59:59Z")))
        #expect(assertion.owner == "security" && assertion.note == "why")
        #expect(assertion.demands.map(\.key) == AssertedDemand.Key.allCases)
        guard case .atLeast(let floor) = assertion.demands[0].statement,
            case .noWeakerThan(.unit(let unit)) = assertion.demands[1].statement,
            case .exceptions(let allowed) = assertion.demands[3].statement,
            case .ownedBy("payments") = assertion.demands[5].statement,
            case .neverTrusts(let key) = assertion.demands[6].statement,
            case .noAnchor(let certificate) = assertion.demands[7].statement
        else {
            Issue.record("other demands")
            return
        }
        #expect(floor.settings.map(\.field) == [.tlsMinimumVersion])
        #expect(floor.anchors == .sets(["corp"]) && floor.bindsPins)
        #expect(unit.value == "../baseline")
        #expect(allowed.last(of: "waivers.tls") == UTCInstant(text: "2027-01-31T23:59:59Z"))
        #expect(
            allowed.last(of: "report-only.attested") == UTCInstant(text: "2027-02-01T00:00:00Z"))
        #expect(allowed.last(of: "waivers.keys") == nil && assertion.demandsDenial)
        // A key by all its digests; a certificate also by the digests of its key.
        #expect(key.identities.count == 1 && key.identities[0].allSatisfy { $0.kind == .spki })
        #expect(Set(certificate.identities[0].map(\.kind)) == [.spki, .certificate])
        #expect(key.text == "spki-file: corp.pem")
    }

    @Test("every field of a profile can be demanded, with the example of the schema")
    func fields() throws {
        let fields = AssertionFields.atLeast.keys.map(\.name).filter {
            ProfileField(rawValue: $0) != nil
        }
        #expect(fields == ProfileField.allCases.map(\.rawValue))
        for shape in AssertionFields.atLeast.keys {
            // A file that does not exist, a field that decides nothing, and sets of other policies.
            let example = shape.example
            let isOdd =
                example.contains(".json") || example.contains("spki-file")
                || ["revocation.network", "transparency.exempt-anchors"].contains(shape.name)
            if isOdd { continue }
            let read = try Self.read(Self.file("at-least: { \(example) }"))
            #expect(read.assertions?.first?.demands.count == 1, "\(example)")
        }
        try Self.read(
            Self.file("at-least: { «HW103:revocation.network»: wait }"),
            says: ["changes no verdict"])
        try Self.read(
            Self.file("at-least: { transparency.exempt-anchors: [«HW105:crop»] }"),
            says: ["no anchor set is called `crop`; did you mean `corp`?"])
        try Self.read(
            Self.file("at-least: { transparency.log-list: «HW301:absent.json» }"))
    }

    // MARK: Refusals

    @Test("a typing mistake in each key is told at the key")
    func keys() throws {
        /// A file with one entry in a map of the schema.
        func text(_ shape: MapShape, _ key: FieldShape, _ name: String) -> String? {
            let entry = name + key.example.dropFirst(key.name.count)
            switch shape.name {
            case "file":
                return key.name == "assertions" ? "hawser-assert: 1\n\(entry)\n" : "\(entry)\n"
            case "assertion":
                return key.name == "hosts"
                    ? nil : Self.file("at-least: { pins: bound }", entry)
            case "at-least": return Self.file("at-least: { \(entry) }")
            case "comparison": return Self.file("no-weaker-than: { \(entry) }")
            case "key-match": return Self.file("never-trusts: { \(entry) }")
            case "window":
                return Self.file("at-least: { pins: bound }", "during: { \(entry) }")
            default: return nil
            }
        }
        var count = 0
        for shape in AssertionFields.all {
            for key in shape.keys {
                guard let text = text(shape, key, "«HW004:\(key.name)x»") else { continue }
                if shape.name == "assertion", key.name == "at-least" { continue }
                try Self.read(text, says: ["did you mean `\(key.name)`"])
                count += 1
            }
        }
        #expect(count > 55, "\(count)")
    }

    @Test("a mistake is told where it is, with what would be right")
    func mistakes() throws {
        try Self.read(
            Self.file("at-least: { pins: bound }").replacing("strict", with: "«HW108:strict»")
                .replacing("    hosts: [\"api.acme.example\"]\n", with: ""),
            says: ["assertion `strict` has no `hosts`"])
        try Self.read(
            Self.file("owner: web").replacing("strict", with: "«HW108:strict»"),
            says: ["assertion `strict` demands nothing", "`at-least`, `no-weaker-than`"])
        try Self.read(
            Self.file("at-least: { pins: bound }", hosts: "hosts: «HW102:every»"),
            says: ["or `all` for every host there is"])
        try Self.read(
            Self.file("at-least: { pins: bound }", hosts: "hosts: [«HW201:\"a..example\"»]"))
        try Self.read(
            Self.file("at-least: { tls.minimum-version: «HW103:tls1.4» }"),
            says: ["is not a TLS version"])
        try Self.read(Self.file("at-least: { keys.rsa-minimum: «HW103:1024» }"))
        try Self.read(Self.file("at-least: { pins: «HW103:bond» }"), says: ["`bound`?"])
        try Self.read(Self.file("at-least: { anchors: «HW102:nosystem» }"), says: ["`no-system`?"])
        try Self.read(
            Self.file("at-least: { anchors: [«HW105:crop»] }"), says: ["did you mean `corp`?"])
        try Self.read(Self.file("at-least: { anchors: [corp, «HW507:pinned-keys»] }"))
        try Self.read(
            Self.file("no-weaker-than: «HW102:deafult»"), says: ["did you mean `default`?"])
        try Self.read(
            Self.file("no-weaker-than: { profile: «HW105:atz» }"), says: ["did you mean `ats`?"])
        try Self.read(
            Self.file("no-weaker-than: { rule: «HW105:apy» }"), says: ["did you mean `api`?"])
        try Self.read(Self.file("no-weaker-than: { unit: «HW012:/»etc }"))
        try Self.read(Self.file("identity: «HW103:hots»"), says: ["`host`?"])
        try Self.read(Self.file("identity: «HW103:listed»"), says: ["allowed: host"])
        try Self.read(Self.file("decision: «HW103:body»"), says: ["allowed: deny"])
        try Self.read(Self.file("owned-by: «HW102:[web]»"))
        try Self.read(Self.file("exceptions: «HW102:nnoe»"), says: ["did you mean `none`?"])
        try Self.read(
            Self.file("exceptions: «HW102:[waivers.tls]»"), says: ["each with its last day"])
        try Self.read(
            Self.file("exceptions: { «HW004:waivers.tsl»: 2027-01-31 }"),
            says: ["did you mean `waivers.tls`?"])
        try Self.read(
            Self.file("exceptions: { «HW004:report-only.pin»: 2027-01-31 }"),
            says: ["did you mean `report-only.pins`?"])
        try Self.read(
            Self.file("exceptions: { «HW004:report-only.A_B»: 2027-01-31 }"),
            says: ["`report-only.NAME` for a check that the program registers"])
        try Self.read(
            Self.file("exceptions: { waivers.tls: «HW103:soon» }"), says: ["is not a date"])
        try Self.read(Self.file("exceptions: { waivers.tls: «HW102:{ until: 2027-01-31 }» }"))
        try Self.read(
            Self.file("no-weaker-than: { profile: ats, «HW507:rule»: api }"),
            says: ["names 2 things to compare with"])
        try Self.read(Self.file("never-trusts: { spki-file: «HW301:absent.pem» }"))
        try Self.read(Self.file("never-trusts: { spki: sha256/«HW401:AAAA» }"))
        try Self.read(
            Self.file(
                "at-least: { pins: bound }",
                "during: { from: 2027-01-02, until: «HW507:2027-01-01» }"),
            says: ["begins after it ends"])
        try Self.read(Self.file("at-least: { pins: bound }", "during: { from: «HW103:soon» }"))
        try Self.read(Self.file("at-least: { pins: bound }", "«HW003:at-least»: { pins: bound }"))
    }

    @Test("a file of another form is told that, and nothing else")
    func otherFiles() throws {
        try Self.read(
            "«HW101:assertions»:\n  a:\n    hosts: all\n    at-least: { pins: bound }\n",
            says: ["write `hawser-assert: 1` as the first key"])
        try Self.read("«HW108:hawser-assert»: 1\n", says: ["the file has no `assertions`"])
        try Self.read("hawser-assert: «HW101:2»\nassertions: «HW102:none»\n")
        try Self.read("«HW102:[a]»\n", says: ["a file of assertions is a map"])
        try Self.read("«HW101:»# nothing\n", says: ["the file holds no assertions"])
        try Self.read(
            "«HW101:«HW004:hawser»»: 1\n«HW004:default»: deny\n",
            says: ["is not a key of a file of assertions"])
    }

    // MARK: The catalogue

    static let codes = DiagnosticCode.allCases.filter { $0.finder == .assert }

    /// What `lint` says of the assertions of a text beside the policy of the examples.
    static func lint(_ text: String, path: String = "policy.assert.yaml") throws -> LintResult {
        let name = "HW805/bank.policy.yaml"
        let policy = try Data(
            contentsOf: root.appending(path: "policies/invalid").appending(path: name))
        let unit = PolicyUnit(
            files: [SourceFile(path: name, bytes: Array(policy))],
            resources: MarkedLint("").unit().resources, isDirectory: false)
        var options = MarkedLint.options()
        options.assertions = AssertionInputs(
            files: [SourceFile(path: path, bytes: Array(text.utf8))],
            resources: unit.resources, neighbours: .none)
        return Linter.lint(unit, options, crypto: LibCryptoBackend())
    }

    @Test("each page is of the code, and its good text has no finding", arguments: codes)
    func pages(_ code: DiagnosticCode) throws {
        let found = try Self.lint(code.page.bad).findings
        #expect(found.map(\.code) == [code], "\(found.map(\.message))")
        // The rule of the examples demands TLS 1.2.
        let good = code.page.good.replacing("tls1.3", with: "tls1.2")
        #expect(try Self.lint(good).findings == [])
    }

    @Test("each example is printed as expected", arguments: codes)
    func examples(_ code: DiagnosticCode) throws {
        let folder = Self.root.appending(path: "policies/invalid")
        let path = "\(code.rawValue)/bank.assert.yaml"
        let text = try String(contentsOf: folder.appending(path: path), encoding: .utf8)
        let result = try Self.lint(text, path: path)
        #expect(result.findings.map(\.code) == [code])
        let page = LintDocument.text(
            result.findings, files: result.files, colour: .plain)
        let golden = folder.appending(path: "\(code.rawValue).txt")
        if ProcessInfo.processInfo.environment["UPDATE_GOLDEN"] == "1" {
            try Data(page.utf8).write(to: golden)
        }
        #expect(page == (try String(contentsOf: golden, encoding: .utf8)))
    }

    @Test("the examples of the page can be read, and are in canonical layout")
    func page() throws {
        let page = try String(
            contentsOf: Self.root.appending(path: "grammar/assert.md"), encoding: .utf8)
        let texts = page.components(separatedBy: "```yaml\n").dropFirst().map {
            $0.components(separatedBy: "```")[0]
        }
        #expect(!texts.isEmpty)
        for text in texts where text.hasPrefix("hawser-assert") {
            let file = SourceFile(path: "a.assert.yaml", bytes: Array(text.utf8))
            let read = AssertionFile.read(
                file, of: nil,
                resources: MarkedLint("").unit(
                    ["retired.pem": MarkedLint.files["corp.pem"] ?? []]
                ).resources, crypto: LibCryptoBackend())
            #expect(read.diagnostics == [], "\(text)")
            let formatted = try PolicyFormatter.format(read.tree)
            #expect(String(decoding: formatted, as: UTF8.self) == text)
        }
        for shape in AssertionFields.all where !["file", "at-least", "window"].contains(shape.name)
        {
            for key in shape.keys { #expect(page.contains("`\(key.name)`"), "\(key.name)") }
        }
    }

    // MARK: The schema

    @Test("the schema takes what is read, and refuses what is not")
    func schema() throws {
        let path = Self.root.appending(path: "grammar/assert.schema.json")
        let schema = try JSONSchema(text: String(contentsOf: path, encoding: .utf8))
        func check(_ body: String, isRight: Bool) throws {
            let text = "{ \"hawser-assert\": 1, \"assertions\": { \"a\": { \(body) } } }"
            let read = AssertionFile.read(
                SourceFile(path: "a.assert.yaml", bytes: Array(text.utf8)),
                of: Self.compilation.policy,
                resources: MarkedLint("").unit().resources, crypto: LibCryptoBackend())
            let found = try schema.violations(of: JSONDocument(text: text))
            #expect(found.isEmpty == isRight, "\(text) \(found)")
            #expect((read.assertions != nil) == isRight, "\(text) \(read.diagnostics)")
        }
        let hosts = "\"hosts\": [\"**.bank.example\"]"
        try check("\(hosts), \"at-least\": { \"pins\": \"bound\" }", isRight: true)
        try check("\"hosts\": \"all\", \"no-weaker-than\": \"default\"", isRight: true)
        try check("\(hosts), \"no-weaker-than\": { \"profile\": \"ats\" }", isRight: true)
        try check(
            "\(hosts), \"at-least\": { \"tls.minimum-version\": \"tls1.3\" }", isRight: true)
        try check("\(hosts), \"at-least\": { \"anchors\": [\"corp\"] }", isRight: true)
        try check(hosts, isRight: false)
        try check("\"at-least\": { \"pins\": \"bound\" }", isRight: false)
        try check("\(hosts), \"at-least\": { \"pins\": \"none\" }", isRight: false)
        try check("\(hosts), \"at-least\": {}", isRight: false)
        try check("\(hosts), \"at-least\": { \"tls\": \"tls1.3\" }", isRight: false)
        try check("\(hosts), \"no-weaker-than\": \"deny\"", isRight: false)
        try check(
            "\(hosts), \"no-weaker-than\": { \"profile\": \"ats\", \"rule\": \"api\" }",
            isRight: false)
        try check("\(hosts), \"never-trusts\": {}", isRight: false)
    }
}
