import Foundation
import JSONSchemaSupport
import TestPKI
import Testing

/// Every format of `diff` over one change that has something of each kind: weaker through a
/// profile, from a day on, or by the contents of a set; incomparable; stricter; and rules that
/// decide nothing.
@Suite("formats of diff") struct DiffFormatTests {
    static let formats = ["text", "json", "markdown", "sarif", "github"]

    /// The old policy; the new one is this text with lines replaced.
    private static let policy = """
        hawser: 1
        default: deny
        anchors:
          acme: { files: [anchors/root.pem] }
          others: { files: [anchors/other.pem] }
          legacy-ca: { files: [anchors/root.pem] }
        pins:
          acme-api:
            keys:
              issuing: { spki: \(Workshop.issuing.certificate.pin), at: ca }
            backups:
              offline: { spki: sha256/GriBOGTAS/oNiDTwKE8cggj9jBux5k7yRo1GDPIn6zk= }
            enforce-until: 2027-06-30
            on-expiry: unpinned
        profiles:
          internal:
            tls: { minimum-version: tls1.3 }
        rules:
          cdn:
            hosts: ["**.cdn.example"]
            anchors: [acme]
            profile: internal
            owner: web
          static:
            hosts: ["static.cdn.example"]
            anchors: [acme]
            owner: web
          api:
            hosts: ["api.acme.example", "api.eu.acme.example:8443"]
            anchors: [acme]
            pins: [acme-api]
            owner: payments
          partners:
            hosts: ["*.partner.example"]
            anchors: [others]
          legacy:
            hosts: ["legacy.example"]
            anchors: [legacy-ca]
            owner: mainframe

        """

    private static let edits = [
        ("minimum-version: tls1.3", "minimum-version: tls1.2"),
        ("enforce-until: 2027-06-30", "enforce-until: 2027-02-28"),
        ("anchors: [others]", "anchors: [acme]"),
        (
            "anchors: [acme]\n    owner: web",
            "anchors: [acme]\n    keys: { rsa-minimum: 3072 }\n    owner: web"
        ),
        (
            "legacy-ca: { files: [anchors/root.pem] }",
            "legacy-ca: { files: [anchors/root.pem, anchors/other.pem] }"
        ),
        ("owner: mainframe", "owner: \"@core | <b>\""),
    ]

    private static func workshop(_ edits: [(String, String)] = edits) throws -> Workshop {
        var changed = policy
        for (old, new) in edits {
            #expect(changed.contains(old), "\(old)")
            changed = changed.replacing(old, with: new)
        }
        return try Workshop(old: policy, new: changed)
    }

    private static let diff = ["diff", "old", "new", "--at", "2026-06-01"]

    private static func text(_ workshop: Workshop, _ file: String) throws -> String {
        try String(contentsOf: workshop.folder.appending(path: file), encoding: .utf8)
    }

    private static func violations(
        of text: String, _ schema: URL
    ) throws -> [JSONSchema.Violation] {
        try JSONSchema(text: String(contentsOf: schema, encoding: .utf8))
            .violations(of: JSONDocument(text: text))
    }

    private static let schema = CommandRun.repository.appending(path: "grammar/diff.schema.json")
    private static let sarifSchema = CommandRun.repository
        .appending(path: "../shared/data/sarif-schema-2.1.0.json").standardized

    @Test("as goldens", arguments: formats)
    func golden(_ format: String) throws {
        let run = try Self.workshop().run(Self.diff + ["--format", format])
        #expect(run.status == 0)
        try expectGolden("diff-\(format)", run)
    }

    @Test("each format says of two equal policies that they are equal", arguments: formats)
    func equal(_ format: String) throws {
        let run = try Self.workshop([]).run(Self.diff + ["--format", format])
        #expect(run.status == 0 && run.error.isEmpty)
        try expectGolden("diff-equal-\(format)", run)
    }

    @Test("one run writes several formats, each as it would be printed")
    func several() throws {
        let workshop = try Self.workshop()
        let options = Self.formats.flatMap { ["--output", "\($0)=out.\($0)"] }
        let run = try workshop.run(Self.diff + options)
        #expect(run.status == 0)
        for format in Self.formats {
            let alone = try workshop.run(Self.diff + ["--format", format])
            #expect(try Self.text(workshop, "out.\(format)") == alone.output, "\(format)")
        }
        #expect(try run.output == Self.text(workshop, "out.text"))
        // A file is replaced whole.
        try workshop.write("out.github", String(repeating: "x", count: 100_000))
        _ = try workshop.run(Self.diff + ["--output", "github=out.github"])
        #expect(try Self.text(workshop, "out.github").hasPrefix("::error file=new/policy.yaml,"))
    }

    @Test("JSON and SARIF are of their schemas")
    func schemas() throws {
        for edits in [Self.edits, []] {
            let workshop = try Self.workshop(edits)
            let json = try workshop.run(Self.diff + ["--format", "json"]).output
            #expect(try Self.violations(of: json, Self.schema) == [])
            let sarif = try workshop.run(Self.diff + ["--format", "sarif"]).output
            guard FileManager.default.fileExists(atPath: Self.sarifSchema.path) else {
                print("the SARIF schema is absent: \(Self.sarifSchema.path)")
                continue
            }
            #expect(try Self.violations(of: sarif, Self.sarifSchema) == [])
        }
    }

    // MARK: Not compared

    @Test("what was not compared is told as that in every format and every file")
    func notCompared() throws {
        let workshop = try Self.workshop()
        try workshop.write("new/policy.yaml", "hawser: 1\nrules: 7 <b>@team|\n")
        let options = Self.formats.flatMap { ["--output", "\($0)=out.\($0)"] }
        for format in Self.formats {
            let run = try workshop.run(Self.diff + ["--format", format] + options)
            #expect(run.status == 2)
            #expect(run.error.contains("error: not compared: "), "\(run.transcript)")
            let answer = run.output
            for other in Self.formats {
                let written = try Self.text(workshop, "out.\(other)")
                #expect(other != format || written == answer, "\(format)")
                try FileManager.default.removeItem(
                    at: workshop.folder.appending(path: "out.\(other)"))
            }
            #expect(!answer.contains("weaker, ") && !answer.contains("equal"), "\(answer)")
            switch format {
            case "json":
                #expect(try Self.violations(of: answer, Self.schema) == [])
                #expect(try JSONDocument(text: answer)["compared"] == .bool(false))
            case "sarif":
                let run = try JSONDocument(text: answer)["runs"]?.items.first
                let invocation = run?["invocations"]?.items.first
                #expect(invocation?["executionSuccessful"] == .bool(false))
                #expect(invocation?["toolExecutionNotifications"]?.items.count == 1)
                #expect(run?["results"] == nil)
                if FileManager.default.fileExists(atPath: Self.sarifSchema.path) {
                    #expect(try Self.violations(of: answer, Self.sarifSchema) == [])
                }
            case "markdown":
                #expect(answer.hasPrefix("<!-- hawser-diff: new -->\n\n### not compared\n"))
                #expect(!answer.contains("|---"))
            case "github": #expect(answer.hasPrefix("::error::not compared: "))
            default: #expect(answer.hasPrefix("not compared: "))
            }
        }
    }

    @Test("a day that is none is not compared either")
    func wrongDay() throws {
        let workshop = try Self.workshop()
        let run = try workshop.run(
            "diff", "old", "new", "--at", "yesterday", "--output", "markdown=out.md")
        #expect(run.status == 2)
        #expect(try Self.text(workshop, "out.md").contains("### not compared"))
    }

    // MARK: Files

    @Test(
        "an output that cannot be written, or is not understood, ends with 2",
        arguments: [
            (
                "pdf=out.pdf",
                "the formats are `text`, `json`, `markdown`, `sarif`, `github`, `html`"
            ),
            ("markdown", "takes a format and a file"), ("json=", "takes a file after `json=`"),
            ("json=absent/out.json", "`absent/out.json` cannot be written"),
        ])
    func refused(_ word: String, _ phrase: String) throws {
        let workshop = try Self.workshop()
        let run = try workshop.run(Self.diff + ["--output", word, "--output", "github=out.github"])
        #expect(run.status == 2)
        #expect(run.error.contains(phrase), "\(run.error)")
        // What could be written is written, if the words were understood.
        let isThere = FileManager.default.fileExists(
            atPath: workshop.folder.appending(path: "out.github").path)
        #expect(isThere == word.contains("absent"))
    }

    @Test("one file for two formats is refused")
    func twice() throws {
        let workshop = try Self.workshop()
        let run = try workshop.run(
            Self.diff + ["--output", "json=out", "--output", "sarif=out"])
        #expect(run.status == 2 && run.error.contains("names `out` twice"))
        #expect(
            !FileManager.default.fileExists(atPath: workshop.folder.appending(path: "out").path))
    }

    // MARK: Fingerprints

    @Test("fingerprints stay when lines move and values change, and differ from each other")
    func fingerprints() throws {
        func prints(_ edits: [(String, String)]) throws -> [String] {
            let run = try Self.workshop(edits).run(Self.diff + ["--format", "sarif"])
            let results = try JSONDocument(text: run.output)["runs"]?.items.first?["results"]
            return (results?.items ?? []).compactMap {
                $0["partialFingerprints"]?["hawserDiff/1"]?.text
            }
        }
        let first = try prints(Self.edits)
        #expect(first.count >= 4 && Set(first).count == first.count)
        let moved = try prints(
            Self.edits + [("rules:\n  cdn:", "# moved\n\n\nrules:\n  cdn:"), ("3072", "4096")])
        #expect(moved == first)
    }

    @Test("places are from the folder in which the command runs")
    func places() throws {
        let workshop = try Self.workshop()
        let run = try CommandRun(
            ["diff", "../old", ".", "--at", "2026-06-01", "--format", "github"],
            in: workshop.folder.appending(path: "new"))
        #expect(run.output.contains("file=policy.yaml,line="), "\(run.output)")
        let markdown = try CommandRun(
            ["diff", "./old/", "./new/", "--at", "2026-06-01", "--format", "markdown"],
            in: workshop.folder)
        #expect(markdown.output.hasPrefix("<!-- hawser-diff: new -->\n"))
    }

    @Test("the printed command names the same policies in a shell, whatever they are called")
    func command() throws {
        let workshop = try Self.workshop([])
        // The mark makes one `Character` with the apostrophe before it.
        let name = "it'\u{301}; touch made; '$(touch made)`touch made`"
        try FileManager.default.copyItem(
            at: workshop.folder.appending(path: "new"), to: workshop.folder.appending(path: name))
        let run = try workshop.run("diff", "old", name, "--at", "2026-06-01", "--format", "json")
        #expect(run.status == 0, "\(run.error)")
        let command = try #require(JSONDocument(text: run.output)["command"]?.text)
        let shell = Process()
        shell.executableURL = URL(filePath: "/bin/sh")
        shell.arguments = ["-c", "set -- \(command); printf '%s' \"$4\" >name"]
        shell.currentDirectoryURL = workshop.folder
        try shell.run()
        shell.waitUntilExit()
        #expect(try Self.text(workshop, "name") == name)
        #expect(
            !FileManager.default.fileExists(atPath: workshop.folder.appending(path: "made").path))
    }

    // MARK: Length

    /// Rules of a number, each changed in its own way: nine tenths get weaker.
    private static func large(_ count: Int) throws -> Workshop {
        func policy(_ bits: (Int) -> Int) -> String {
            "hawser: 1\ndefault: deny\nanchors:\n  acme: { files: [anchors/root.pem] }\nrules:\n"
                + (0..<count).map {
                    """
                      rule-\($0):
                        hosts: ["host-\($0).acme.example"]
                        anchors: [acme]
                        owner: "@team-\($0) | <img src=x> `\($0)`"
                        keys: { rsa-minimum: \(bits($0)) }

                    """
                }.joined()
        }
        let workshop = try Self.workshop([])
        try workshop.write("old/policy.yaml", policy { 3072 + $0 })
        // A tenth gets stricter, which must not take the room of what gets weaker.
        try workshop.write(
            "new/policy.yaml", policy { $0.isMultiple(of: 10) ? 3073 + $0 : 3071 + $0 })
        return workshop
    }

    @Test("thousands of changed rules have room in a comment, and the cut is told")
    func large() throws {
        let count = Sample.isWhole ? 5_000 : 1_500
        let (weaker, stricter) = (count / 10 * 9, count / 10)
        let workshop = try Self.large(count)
        let run = try workshop.run(Self.diff + ["--format", "markdown", "--output", "github=out"])
        #expect(run.status == 0, "\(run.error)")
        #expect(run.output.utf8.count <= 60_000 && run.output.utf8.count > 50_000)
        let lines = run.output.split(separator: "\n")
        let rows = lines.count { $0.hasPrefix("| **weaker**") }
        #expect(rows > 100)
        #expect(
            lines.contains(
                "**\(weaker - rows) of \(weaker) rows of hosts that accept more than before are left "
                    + "out, because the page is full. The command at the end shows all of them.**")
        )
        #expect(
            run.output.contains(
                "of \(stricter) rows of hosts that refuse more than before are left"))
        #expect(
            lines.contains {
                $0.hasPrefix("compared \(count + 1) classes of hosts, ")
                    && $0.hasSuffix("not compared: 0")
            })
        #expect(run.output.contains("hawser diff old new --at 2026-06-01T00:00:00Z"))
        let annotations = try Self.text(workshop, "out").split(separator: "\n")
        #expect(annotations.count == 11)
        // One annotation is kept for a stricter field.
        #expect(annotations.prefix(9).allSatisfy { $0.hasPrefix("::error ") })
        #expect(annotations[9].hasPrefix("::notice file="))
        let total =
            "\(count) fields change, 10 of them are annotations; "
            + "left out: \(weaker - 9) weaker, \(stricter - 1) stricter; "
            + "all of them: hawser diff old new"
        #expect(annotations.last?.contains(total) == true)
    }
}
