import Foundation
import JSONSchemaSupport
import LibCrypto
import PolicyCompiler
import PolicyTools
import Rendering
import Testing
import TrustEngine

/// Files of allowances: the parts that are read, and the messages about a file that cannot be read.
@Suite("files of allowances") struct AllowanceFileTests {
    static let root = URL(filePath: #filePath).deletingLastPathComponent()
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

    /// Reads a text with marks as `MarkedLint` has them, and holds the diagnostics to the marks.
    @discardableResult
    static func read(
        _ text: String, says phrases: [String] = [],
        sourceLocation: SourceLocation = #_sourceLocation
    ) throws -> (allowances: Allowances?, diagnostics: [Diagnostic]) {
        let marked = MarkedLint(text)
        let file = SourceFile(path: "review.allow.yaml", bytes: marked.bytes)
        let result = Allowances.read(file, crypto: LibCryptoBackend())
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
        #expect(Set(found) == Set(marked.marks), "\(words)", sourceLocation: sourceLocation)
        for phrase in phrases {
            #expect(words.contains(phrase), "\(words)", sourceLocation: sourceLocation)
        }
        let isSound = result.diagnostics.allSatisfy { $0.severity < .error }
        #expect((result.allowances != nil) == isSound, sourceLocation: sourceLocation)
        return result
    }

    /// A file with one allowance. Each argument is the line of one key, without its indentation.
    static func file(
        hosts: String = "hosts: [\"**.cdn.example\"]", field: String = "field: revocation.preset",
        from: String = "from: require", to: String = "to: best-effort",
        reason: String = "reason: responder is replaced", owner: String = "owner: web",
        until: String = "until: 2026-08-31", more: String? = nil
    ) -> String {
        let lines = [hosts, field, from, to, more, reason, owner, until].compactMap { $0 }
        return "hawser-allow: 1\nallowances:\n  slow-responder:\n"
            + lines.filter { !$0.isEmpty }.map { "    \($0)\n" }.joined()
    }

    static func instant(_ text: String) throws -> UTCInstant {
        try #require(UTCInstant(text: text))
    }

    // MARK: Reading

    @Test("an allowance is read with every part")
    func whole() throws {
        let text = Self.file(
            hosts: "hosts: [\"**.cdn.example:8443\", \"192.0.2.0/24\"]", from: "from: 3072",
            to: "to: \"2048\"", more: "also: [\"now accepted: a\", second]")
        let allowance = try #require(Self.read(text).allowances?.entries.first)
        #expect(allowance.id == "slow-responder")
        let network = try #require(IPAddress(text: "192.0.2.0"))
        #expect(
            allowance.hosts
                == .inside([
                    HostPattern(host: .anyLabels(base: "cdn.example"), port: 8443),
                    HostPattern(host: .network(network, prefix: 24), port: nil),
                ]))
        #expect(allowance.field == "revocation.preset")
        #expect(allowance.from == "3072" && allowance.to == "2048")
        #expect(allowance.also == ["now accepted: a", "second"])
        #expect(allowance.reason == "responder is replaced" && allowance.owner == "web")
        #expect(try allowance.until == Self.instant("2026-08-31T23:59:59Z"))
        let last = try Self.instant("2026-08-31T23:59:59Z")
        #expect(allowance.isInForce(at: last))
        #expect(!allowance.isInForce(at: last.advanced(bySeconds: 1)))
    }

    @Test("`default` stands for the hosts that no pattern matches")
    func unmatched() throws {
        let allowances = try Self.read(Self.file(hosts: "hosts: default")).allowances
        #expect(allowances?.entries.map(\.hosts) == [.unmatched])
    }

    // MARK: Refusals

    @Test("a mistake is told where it is, with what would be right")
    func mistakes() throws {
        try Self.read(
            Self.file(field: "«HW004:feild»: revocation.preset"), says: ["did you mean `field`?"])
        for key in ["hosts", "field", "from", "to", "reason", "owner", "until"] {
            var lines = Self.file().split(separator: "\n").map(String.init)
            lines.removeAll { $0.hasPrefix("    \(key):") }
            let text = lines.joined(separator: "\n") + "\n"
            try Self.read(
                text.replacing("slow-responder", with: "«HW108:slow-responder»"),
                says: ["allowance `slow-responder` has no `\(key)`", "for example `\(key): "])
        }
        try Self.read(
            Self.file(hosts: "hosts: «HW102:\"**.cdn.example\"»"),
            says: ["takes a list of host patterns, or `default`"])
        try Self.read(Self.file(hosts: "hosts: [«HW201:\"a..example\"»]"))
        try Self.read(Self.file(hosts: "hosts: [«HW203:\"https://a.example/\"»]"))
        try Self.read(Self.file(hosts: "hosts: [«HW204:\"**\"»]"))
        try Self.read(Self.file(hosts: "hosts: [«HW202:\"A.example\"»]"))
        try Self.read(
            Self.file(field: "field: revocation.«HW103:Preset»"), says: ["is not a field"])
        try Self.read(Self.file(field: "field: revocation.«HW103:*»"))
        try Self.read(Self.file(from: "from: «HW102:[require]»"))
        try Self.read(Self.file(from: "from: «HW005:no»"))
        try Self.read(Self.file(reason: "reason: «HW005:12»"))
        try Self.read(Self.file(owner: "owner: «HW103:<owner>»"))
        try Self.read(
            Self.file(until: "until: «HW103:soon»"),
            says: ["write `YYYY-MM-DD` for a whole UTC day"])
        try Self.read(Self.file(until: "until: 2026-02-«HW103:30»"))
        try Self.read(
            Self.file(until: "until: 2026-08-31\n    «HW003:until»: 2026-09-30"))
        try Self.read(Self.file(more: "also: «HW102:a»"))
    }

    @Test("a file of another form is told that, and nothing else")
    func otherFiles() throws {
        try Self.read(
            "«HW101:allowances»:\n"
                + Self.file().split(separator: "\n").dropFirst(2)
                .map { $0 + "\n" }.joined(),
            says: ["write `hawser-allow: 1` as the first key"])
        try Self.read("«HW108:hawser-allow»: 1\n", says: ["the file has no `allowances`"])
        try Self.read("hawser-allow: «HW101:2»\nallowances: «HW102:none»\n")
        try Self.read("«HW102:[a]»\n", says: ["a file of allowances is a map"])
        try Self.read(
            "«HW101:»# nothing\n", says: ["the file holds no allowances"])
        try Self.read(
            "hawser-allow: 1\nallowances: { «HW110:S»low: { hosts: default } }\n")
        try Self.read(
            "«HW101:«HW004:hawser»»: 1\n«HW004:default»: deny\n",
            says: ["is not a key of a file of allowances"])
    }

    // MARK: Ends

    @Test(
        "an end is judged at the instant that is given",
        arguments: [
            ("2026-09-01", ["HW607"]), ("2026-08-31T23:59:59Z", []), ("2026-06-01", []),
            // 180 days before the last second.
            ("2026-03-04T23:59:59Z", []), ("2026-03-04T23:59:58Z", ["HW608"]),
            ("2026-01-01", ["HW608"]),
        ])
    func ends(_ time: String, _ codes: [String]) throws {
        let allowances = try #require(Self.read(Self.file()).allowances)
        let found = try allowances.findings(at: Self.instant(time))
        #expect(found.map(\.code.rawValue) == codes)
        let span = try #require(allowances.entries.first).untilPlace
        #expect(found.allSatisfy { $0.primary.span == span })
    }

    @Test("the fix of an end that is too far away writes the last day that is accepted")
    func fix() throws {
        let allowances = try #require(Self.read(Self.file()).allowances)
        let time = try Self.instant("2026-01-01T12:00:00Z")
        let edit = try #require(allowances.findings(at: time).first?.fix?.edits.first)
        let mended = try Self.read(Self.file(until: "until: \(edit.replacement)")).allowances
        #expect(mended?.findings(at: time) == [])
        let day = try DateScanner.scan(edit.replacement).firstSecond
        let next = String(day.advanced(bySeconds: 86_400).description.prefix(10))
        let tooLong = try Self.read(Self.file(until: "until: \(next)")).allowances
        #expect(tooLong?.findings(at: time).map(\.code) == [.allowanceTooLong])
    }

    // MARK: The catalogue

    static let codes = DiagnosticCode.allCases.filter { $0.finder == .diff }

    /// The instant of the examples.
    static let time = MarkedLint.time

    @Test("what a page calls bad can be read, and what it calls good has no finding")
    func pages() throws {
        for code in Self.codes {
            let bad = try #require(Self.read(code.page.bad).allowances)
            let good = try #require(Self.read(code.page.good).allowances)
            #expect(good.findings(at: Self.time) == [], "\(code.rawValue)")
            guard code != .allowanceUnused else { continue }
            #expect(bad.findings(at: Self.time).map(\.code) == [code])
        }
    }

    @Test("each example is printed as expected", arguments: codes)
    func examples(_ code: DiagnosticCode) throws {
        let folder = Self.root.appending(path: "policies/invalid")
        let path = "\(code.rawValue)/review.allow.yaml"
        let file = SourceFile(
            path: path, bytes: Array(try Data(contentsOf: folder.appending(path: path))))
        let (allowances, diagnostics) = Allowances.read(file, crypto: LibCryptoBackend())
        #expect(diagnostics == [])
        let read = try #require(allowances)
        // Of no comparison no change needs an allowance.
        let found =
            code == .allowanceUnused
            ? read.findings(after: [], since: Self.time) : read.findings(at: Self.time)
        #expect(found.map(\.code) == [code])
        let text = LintDocument.text(found, files: [file], colour: .plain)
        let golden = folder.appending(path: "\(code.rawValue).txt")
        if ProcessInfo.processInfo.environment["UPDATE_GOLDEN"] == "1" {
            try Data(text.utf8).write(to: golden)
        }
        #expect(text == (try String(contentsOf: golden, encoding: .utf8)))
    }

    @Test("the example of the page can be read, and is in canonical layout")
    func page() throws {
        let page = try String(
            contentsOf: Self.root.appending(path: "grammar/allow.md"), encoding: .utf8)
        let text = try #require(
            page.components(separatedBy: "```yaml\n").last?.components(separatedBy: "```").first)
        let read = try Self.read(text)
        #expect(read.allowances?.entries.count == 1 && read.diagnostics == [])
        let tree = SyntaxParser.parse(
            SourceFile(path: "a.allow.yaml", bytes: Array(text.utf8)), fileIndex: 0)
        let formatted = try PolicyFormatter.format(tree)
        #expect(String(decoding: formatted, as: UTF8.self) == text)
        #expect(try PolicyFormatter.format(tree, order: .sorted).count == formatted.count)
        for key in AllowanceFields.allowance.keys {
            #expect(page.contains("`\(key.name)`"), "\(key.name)")
        }
    }

    // MARK: The schema

    @Test("the schema takes what is read, and refuses what is not")
    func schema() throws {
        let path = Self.root.appending(path: "grammar/allow.schema.json")
        let schema = try JSONSchema(text: String(contentsOf: path, encoding: .utf8))
        func violations(_ changes: [String: String?]) throws -> [String] {
            var members = [
                "hosts": "[\"**.cdn.example\"]", "field": "\"revocation.preset\"",
                "from": "\"require\"", "to": "2048", "reason": "\"r\"", "owner": "\"web\"",
                "until": "\"2026-08-31\"",
            ]
            for (key, value) in changes { members[key] = value }
            let body = members.map { "\"\($0.key)\": \($0.value)" }.joined(separator: ", ")
            let text = "{ \"hawser-allow\": 1, \"allowances\": { \"a\": { \(body) } } }"
            let read = Allowances.read(
                SourceFile(path: "a.allow.yaml", bytes: Array(text.utf8)),
                crypto: LibCryptoBackend())
            let found = try schema.violations(of: JSONDocument(text: text))
            #expect((read.allowances == nil) == !found.isEmpty, "\(text) \(read.diagnostics)")
            return found.map { "\($0)" }
        }
        #expect(try violations([:]) == [])
        #expect(try violations(["hosts": "\"default\""]) == [])
        #expect(try violations(["also": "[\"a\"]"]) == [])
        for change in [
            ["hosts": "\"a.example\""], ["hosts": "[\"a..example\"]"], ["field": "\"Pins\""],
            ["until": "\"soon\""], ["also": "\"a\""], ["owner": nil], ["ticket": "\"T\""],
            ["from": "[\"a\"]"],
        ] as [[String: String?]] {
            let found = try violations(change)
            #expect(!found.isEmpty, "\(change)")
        }
    }
}
