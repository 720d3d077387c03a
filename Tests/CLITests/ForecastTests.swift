import Foundation
import JSONSchemaSupport
import TestPKI
import Testing

/// `hawser forecast`: the instants that it lists, its formats, and the cases that never pass in
/// silence.
@Suite("hawser forecast") struct ForecastTests {
    /// Ends with the year: all that the rule `old` trusts.
    static let endingRoot = Workshop.pki.root("Ending Root", key: .p256("cli-ending-root")) {
        $0.notAfter = .at("2026-12-31T23:59:59Z")
    }
    static let ending = Workshop.issuing.issueLeaf(
        dns: ["www.acme.example"], key: .p256("cli-ending-leaf"), notBefore: .at("2026-11-01"),
        notAfter: .at("2027-01-20T11:59:59Z"))

    static let policy = """
        hawser: 1
        default: deny
        anchors:
          acme:
            files: [anchors/root.pem]
            owner: pki
            constraints: { not-before: { until: 2027-02-28 } }
          ending:
            files: [anchors/ending.pem]
        pins:
          open:
            keys:
              now: { spki: \(Workshop.issuing.certificate.pin), at: ca }
            backups:
              next: { spki: sha256/GriBOGTAS/oNiDTwKE8cggj9jBux5k7yRo1GDPIn6zk= }
            warn-from: 2026-12-01
            enforce-until: 2027-01-10
            on-expiry: report
            owner: keys
          shut:
            keys:
              now: { spki: \(Workshop.issuing.certificate.pin), at: ca }
            backups:
              next: { spki: sha256/GriBOGTAS/oNiDTwKE8cggj9jBux5k7yRo1GDPIn6zk= }
            enforce-until: 2027-01-31
        profiles:
          org:
            validity:
              lifetime-steps:
                - { issued-from: 2026-03-15, maximum: 200d }
                - { issued-from: 2027-02-01, maximum: 100d }
            keys: { rsa-minimum: 3072 }
            report-only:
              keys: { until: 2026-12-15, note: "RSA keys are being replaced" }
        rules:
          web:
            hosts: ["www.acme.example", "*.shop.acme.example"]
            anchors: [acme]
            pins: [open]
            profile: org
            owner: web
          api:
            hosts: ["api.acme.example"]
            anchors: [acme]
            pins: [shut]
            profile: org
            owner: api
            waivers:
              tls: { minimum-version: tls1.1, reason: "rack 7; see, \\"SEC\\\\9\\"", owner: legacy, until: 2027-01-05 }
          old:
            hosts: ["old.acme.example"]
            anchors: [ending]
            owner: legacy
          logged:
            hosts: ["logged.acme.example"]
            anchors: [system]
            owner: web
            transparency: { preset: chrome, log-list: ct/log_list.json }

        """

    static let logList = """
        { "version": "80.14", "log_list_timestamp": "2026-11-22T12:57:01Z",
          "operators": [ { "name": "A", "email": [], "logs": [], "tiled_logs": [] } ] }
        """

    static let at = ["--at", "2026-11-24"]

    static func workshop() throws -> Workshop {
        let workshop = try Workshop()
        for folder in ["unit/ct", "chains"] {
            try FileManager.default.createDirectory(
                at: workshop.folder.appending(path: folder), withIntermediateDirectories: true)
        }
        try workshop.write("unit/policy.yaml", policy)
        try workshop.write("unit/anchors/ending.pem", endingRoot.pem)
        try workshop.write("unit/ct/log_list.json", logList)
        try workshop.write(
            "chains/www.acme.example.pem", ending.pem + Workshop.issuing.pem)
        try workshop.write(
            "chains/other.acme.example_8443.pem", ending.pem + Workshop.issuing.pem)
        return workshop
    }

    static let words = ["forecast", "--policy", "unit"] + at + ["--horizon", "120d"]

    // MARK: Answers

    @Test("tells by month what changes, why, and who answers for it")
    func text() throws {
        let run = try Self.workshop().run(Self.words)
        #expect(run.status == 0 && run.error.isEmpty)
        try expectGolden("forecast-text", run)
    }

    @Test(
        "every format says the same",
        arguments: ["json", "markdown", "html", "sarif", "github", "ics", "openmetrics"])
    func formats(_ format: String) throws {
        let workshop = try Self.workshop()
        let words = Self.words + ["--chains", "chains"]
        let run = try workshop.run(words + ["--format", format])
        #expect(run.status == 0 && run.error.isEmpty)
        // `AnswerPagesTests` has the golden of the page, and `sarif` below reads SARIF.
        if !["html", "sarif"].contains(format) { try expectGolden("forecast-\(format)", run) }
        let both = try workshop.run(words + ["--output", "\(format)=out"])
        let file = try String(contentsOf: workshop.folder.appending(path: "out"), encoding: .utf8)
        #expect(both.status == 0 && both.output.hasPrefix("forecast of") && file == run.output)
    }

    /// The results of a run as SARIF.
    static func results(_ run: CommandRun) throws -> [JSONDocument] {
        try JSONDocument(text: run.output)["runs"]?.items.first?["results"]?.items ?? []
    }

    @Test("SARIF is SARIF, with each change at the place of its date, by its effect")
    func sarif() throws {
        let workshop = try Self.workshop()
        let words = Self.words + ["--chains", "chains", "--fail-within", "60d", "--format"]
        let run = try workshop.run(words + ["sarif"])
        let json = try workshop.run(words + ["json"])
        #expect(run.status == 1 && json.status == 1)
        let results = try Self.results(run)
        let changes = try JSONDocument(text: json.output)["changes"]?.items ?? []
        #expect(results.count == changes.count && changes.count > 10)
        var levels: Set<String> = []
        for (result, change) in zip(results, changes) {
            let effect = change["effect"]?.text
            let isSoon = (change["instant"]?.text ?? "") <= "2027-01-23T00:00:00Z"
            let level =
                effect == "tells" ? "note" : effect == "rejects" && isSoon ? "error" : "warning"
            #expect(result["level"]?.text == level)
            levels.insert(level)
            #expect(result["ruleId"]?.text == "forecast-\(change["kind"]?.text ?? "")")
            let message = result["message"]?["text"]?.text ?? ""
            #expect(message.contains((change["instant"]?.text ?? "-").prefix(10)))
            let place = result["locations"]?.items.first?["physicalLocation"]
            #expect(place?["artifactLocation"]?["uri"]?.text == "unit/policy.yaml")
            #expect(place?["region"]?["startLine"] == change["origin"]?["line"])
        }
        #expect(levels == ["error", "warning", "note"])
        let schema = CommandRun.repository
            .appending(path: "../shared/data/sarif-schema-2.1.0.json").standardized
        guard FileManager.default.fileExists(atPath: schema.path) else { return }
        let grammar = try JSONSchema(text: String(contentsOf: schema, encoding: .utf8))
        let absent = try workshop.run("forecast", "--policy", "absent", "--format", "sarif")
        #expect(absent.status == 2)
        for output in [run.output, absent.output] {
            #expect(try grammar.violations(of: JSONDocument(text: output)) == [])
        }
    }

    @Test("a fingerprint stays when lines move, and when the question is asked later")
    func fingerprints() throws {
        let workshop = try Self.workshop()
        func marks(_ at: String) throws -> [String?] {
            let run = try workshop.run(
                "forecast", "--policy", "unit", "--at", at, "--horizon", "119d", "--format", "sarif"
            )
            return try Self.results(run).map {
                $0["partialFingerprints"]?["hawserForecast/1"]?.text
            }
        }
        let before = try marks("2026-11-24")
        #expect(before.count > 8 && !before.contains(nil) && Set(before).count == before.count)
        try workshop.write("unit/policy.yaml", "# one\n# two\n\n" + Self.policy)
        #expect(try marks("2026-11-24") == before && marks("2026-11-25") == before)
    }

    @Test("annotations are workflow commands, errors first")
    func github() throws {
        let workshop = try Self.workshop()
        let run = try workshop.run(
            Self.words + ["--chains", "absent", "--fail-within", "60d", "--format", "github"])
        #expect(run.status == 2 && run.output.hasPrefix("::error::not asked: "))
        let soon = try workshop.run(Self.words + ["--fail-within", "60d", "--format", "github"])
        let kinds = soon.output.split(separator: "\n").map { $0.prefix { $0 != " " } }
        #expect(soon.status == 1)
        #expect(
            kinds == ["::error", "::error", "::error"] + Array(repeating: "::warning", count: 4)
                + ["::notice", "::notice"])
        #expect(soon.output.hasPrefix("::error file=unit/policy.yaml,line=34,col=7,title="))
    }

    @Test("a comment has each change of the text, by month")
    func markdown() throws {
        let workshop = try Self.workshop()
        let words = Self.words + ["--chains", "chains", "--format"]
        let comment = try workshop.run(words + ["markdown"]).output.split(separator: "\n")
        let json = try JSONDocument(text: workshop.run(words + ["json"]).output)
        let changes = json["changes"]?.items ?? []
        let items = comment.filter { $0.hasPrefix("- **") }
        #expect(changes.count > 10 && items.count == changes.count)
        for (item, change) in zip(items, changes) {
            #expect(item.hasPrefix("- **`\((change["instant"]?.text ?? "-").prefix(10))"))
        }
        #expect(comment.count { $0.hasPrefix("##### ") } == 4)
    }

    @Test("the engine judges chains at later instants")
    func chains() throws {
        let workshop = try Self.workshop()
        let run = try workshop.run(
            ["forecast", "www.acme.example", "--policy", "unit", "--chains", "chains"] + Self.at)
        #expect(run.status == 0)
        try expectGolden("forecast-chains", run)
        let one = try workshop.run(
            [
                "forecast", "www.acme.example", "--policy", "unit", "--chain",
                "chains/www.acme.example.pem",
            ] + Self.at)
        #expect(one.output == run.output)
    }

    @Test("receipts are judged, and what they cannot say is counted")
    func receipts() throws {
        let workshop = try Self.workshop()
        let kept = URL(filePath: #filePath).deletingLastPathComponent()
            .appending(path: "Goldens/receipts-1")
        for (name, copy) in [("unit", "kept"), ("receipts.jsonl", "receipts.ndjson")] {
            try FileManager.default.copyItem(
                at: kept.appending(path: name), to: workshop.folder.appending(path: copy))
        }
        let run = try workshop.run(
            "forecast", "--policy", "kept", "--receipts", "receipts.ndjson", "--at", "2026-06-01")
        #expect(run.status == 0 && run.output.contains("judged"), "\(run.transcript)")
        try expectGolden("forecast-receipts", run)
    }

    /// Each instant of the goldens: what `explain` and the policy's own answer say one second
    /// before is not what they say then.
    @Test("one second before each instant the answer is another")
    func confirmed() throws {
        let workshop = try Self.workshop()
        let run = try workshop.run(
            Self.words + ["--chains", "chains", "--format", "json"])
        let document = try JSONSerialization.jsonObject(with: Data(run.output.utf8))
        let changes = try #require((document as? [String: Any])?["changes"] as? [[String: Any]])
        #expect(changes.count > 10)
        var verdicts = 0
        for change in changes {
            guard let verdict = change["verdict"] as? [String: Any] else { continue }
            verdicts += 1
            let instant = try #require(change["instant"] as? String)
            let parser = ISO8601DateFormatter()
            let date = try #require(parser.date(from: instant))
            func answer(_ date: Date) throws -> CommandRun {
                try workshop.run(
                    "explain", try #require(verdict["host"] as? String), "--policy", "unit",
                    "--chain", try #require(verdict["source"] as? String), "--at",
                    parser.string(from: date))
            }
            let (before, after) = (try answer(date.addingTimeInterval(-1)), try answer(date))
            func first(_ run: CommandRun) -> String { String(run.output.prefix { $0 != "\n" }) }
            let (was, now) = (
                try #require(verdict["before"] as? String),
                try #require(verdict["after"] as? String)
            )
            #expect(before.status != after.status || change["effect"] as? String == "tells")
            #expect(was.hasPrefix(String(first(before).prefix(40))), "\(was) \(first(before))")
            #expect(now.hasPrefix(String(first(after).prefix(40))), "\(now) \(first(after))")
        }
        #expect(verdicts >= 2)
    }

    @Test("what starts to reject soon ends with 1")
    func failing() throws {
        let workshop = try Self.workshop()
        let soon = try workshop.run(Self.words + ["--fail-within", "60d"])
        #expect(soon.status == 1)
        #expect(
            soon.output.hasSuffix("3 changes start to reject within 60 days\n"), "\(soon.output)")
        let sooner = try workshop.run(Self.words + ["--fail-within", "7d"])
        #expect(sooner.status == 0)
        #expect(sooner.output.hasSuffix("nothing starts to reject within 7 days\n"))
    }

    @Test("a table and its terms are foreseen too")
    func table() throws {
        let workshop = try Self.workshop()
        #expect(try workshop.run("compile", "unit", "-o", "table").status == 0)
        let run = try workshop.run(
            ["forecast", "--table", "table"] + Self.at + ["--horizon", "120d"])
        let policy = try workshop.run(Self.words)
        func body(_ run: CommandRun) -> [Substring] {
            Array(run.output.split(separator: "\n", omittingEmptySubsequences: false).dropFirst())
        }
        #expect(body(run) == body(policy))
    }

    @Test("the JSON is of its schema, whatever is answered")
    func schema() throws {
        let path = CommandRun.repository.appending(path: "grammar/forecast.schema.json")
        let schema = try JSONSchema(text: String(contentsOf: path, encoding: .utf8))
        let workshop = try Self.workshop()
        for words in [["--chains", "chains"], ["api.acme.example"], ["--chains", "absent"]] {
            let run = try workshop.run(Self.words + words + ["--format", "json"])
            #expect(try schema.violations(of: JSONDocument(text: run.output)) == [])
        }
        let broken = try workshop.run("forecast", "--policy", "absent", "--format", "json")
        #expect(try schema.violations(of: JSONDocument(text: broken.output)) == [])
    }

    // MARK: Never in silence

    @Test("what cannot be asked ends with 2 in every format")
    func refused() throws {
        let workshop = try Self.workshop()
        var pages: [String] = []
        func add(_ words: String...) throws {
            let run = try workshop.run(["forecast"] + words + Self.at)
            #expect(run.status == 2, "\(run.transcript)")
            pages.append(run.transcript)
        }
        try add("--policy", "absent")
        try add("--policy", "absent", "--format", "json")
        try add("--policy", "absent", "--format", "ics")
        try add("--policy", "absent", "--format", "openmetrics")
        try add("--policy", "unit", "--horizon", "soon")
        try add("--policy", "unit", "--horizon", "101y")
        try add("--policy", "unit", "--horizon", "30d", "--fail-within", "31d")
        try add("--policy", "unit", "--chain", "chain.pem")
        try add("a.example", "b.example", "--policy", "unit", "--connect", "127.0.0.1")
        try add("a.example", "--policy", "unit", "--connect", "127.0.0.1", "--chain", "chain.pem")
        try add("a.example", "--policy", "unit", "--starttls", "smtp")
        try add("--policy", "unit", "--evidence", "chains")
        try add("bad_host..example", "--policy", "unit")
        try add("--policy", "unit", "--format", "xml")
        try add("--policy", "unit", "--format", "junit")
        try add("--policy", "unit", "--output", "junit=forecast.xml")
        try expectGolden("forecast-refused", transcript: pages.joined(separator: "\n"))
    }
}
