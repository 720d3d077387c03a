import Foundation
import Hawser
import JSONSchemaSupport
import PageSupport
import Rendering
import TestPKI
import Testing
import TrustEngine

/// `hawser audit`: rows in, rows out, whatever the rows hold.
@Suite("hawser audit")
struct AuditTests {
    static let base64 = (
        leaf: Data(Workshop.leaf.der).base64EncodedString(),
        issuing: Data(Workshop.issuing.der).base64EncodedString(),
        proxied: Data(Workshop.proxied.der).base64EncodedString(),
        other: Data(Workshop.otherRoot.der).base64EncodedString()
    )

    static let digest = EngineLoader.digests.digest(.sha256, of: Workshop.issuing.der.span).text

    /// A row about the API of the workshop's policy.
    static func row(
        _ id: String, host: String = "api.acme.example", chain: String? = nil, more: String = "",
        time: String = "\"2026-06-01T00:00:00Z\""
    ) -> String {
        let chain = chain ?? "\"\(base64.leaf)\",\"\(base64.issuing)\""
        return #"{"id":"\#(id)","host":"\#(host)","time":\#(time),"chain":[\#(chain)]"#
            + #","tls":{"version":"tls1.3"}\#(more)}"#
    }

    static let rows = [
        row("good"),
        row("named", chain: "\"\(base64.leaf)\",\"\(digest)\""),
        row(
            "proxied", chain: "\"\(base64.proxied)\",\"\(base64.other)\"",
            more: #","was":"accept""#),
        row("stranger", host: "www.nowhere.example"),
        row("late", more: #","was":"accept""#, time: "1800000000"),
        row("cleartext", host: "api.acme.example").replacingOccurrences(
            of: #""chain":["\#(base64.leaf)","\#(base64.issuing)"],"tls":{"version":"tls1.3"}"#,
            with: #""tls":{"state":"cleartext"}"#),
    ]

    /// A workshop with rows in `rows.ndjson` and the CAs in `ca.pem`.
    static func workshop(_ rows: [String] = rows) throws -> Workshop {
        let workshop = try Workshop()
        try workshop.write("rows.ndjson", rows.map { $0 + "\n" }.joined())
        try workshop.write("ca.pem", Workshop.issuing.pem)
        return workshop
    }

    static func audit(_ workshop: Workshop, _ more: String...) throws -> CommandRun {
        try workshop.run(["audit", "rows.ndjson", "--policy", "unit"] + more)
    }

    /// Lines of JSON.
    static func documents(_ text: String) throws -> [JSONDocument] {
        try text.split(separator: "\n").map { try JSONDocument(text: String($0)) }
    }

    static func schema(_ name: String) throws -> JSONSchema {
        try JSONSchema(
            text: String(
                contentsOf: CommandRun.repository.appending(path: "grammar/\(name).schema.json"),
                encoding: .utf8))
    }

    /// A run without what differs from one run to the next.
    static func steady(_ run: CommandRun) -> String {
        run.transcript.replacing(#/"run":\{[^}]*\}/#, with: #""run":{…}"#)
    }

    static func text(_ path: String, in workshop: Workshop) throws -> String {
        try String(contentsOf: workshop.folder.appending(path: path), encoding: .utf8)
    }

    // MARK: Long CRLs

    /// A CRL of 5 MB: reading it uses up the work of a request.
    private static let longList = Workshop.issuing.revocationList {
        let long = TestExtension.raw("1.3.6.1.4.1.32473.5", [UInt8](repeating: 0, count: 2_000))
        $0.entries = (0..<2_500).map { index in
            .init([0x40, UInt8(index >> 8), UInt8(index & 0xff)], at: .at("2026-05-01"), [long])
        }
    }

    @Test("explain and audit prepare a long CRL, and say that a verdict rests on that")
    func longLists() throws {
        let list = Data(Self.longList).base64EncodedString()
        let workshop = try Self.workshop([
            Self.row("long", more: #","crls":["\#(list)"]"#), Self.row("none"),
        ])
        try Data(Self.longList).write(to: workshop.folder.appending(path: "long.crl"))
        try workshop.write("leaf.pem", Workshop.leaf.pem + Workshop.issuing.pem)
        let question = [
            "explain", "api.acme.example", "--policy", "unit", "--chain", "leaf.pem", "--at",
            "2026-06-01", "--tls-version", "tls1.3",
        ]
        let explained = try workshop.run(question + ["--crl", "long.crl"])
        try expectGolden("explain-long-crl", explained)
        #expect(explained.status == 0)
        #expect(explained.output.contains("gets `evidence-too-large`"))
        #expect(!(try workshop.run(question).output.contains("prepared the CRLs")))
        let audited = try Self.audit(workshop, "--longest-row", "8000000")
        #expect(audited.status == 0)
        let summary = try #require(try Self.documents(audited.error).last)
        #expect(summary["run"]?["preparedRows"] == .integer(1))
    }

    // MARK: Rows

    @Test("one row out for each row in, and a summary on standard error")
    func answers() throws {
        let workshop = try Self.workshop()
        let run = try Self.audit(workshop, "--certificates", "ca.pem", "--jobs", "1")
        try expectGolden("audit", transcript: Self.steady(run))
        #expect(run.status == 0)
        let found = try Self.documents(run.output)
        #expect(
            found.map { $0["verdict"] } == [
                .string("accept"), .string("accept"), .string("reject"), .string("reject"),
                .string("reject"), .string("reject"),
            ])
        let rowSchema = try Self.schema("audit")
        for row in found { #expect(rowSchema.violations(of: row) == []) }
        let summary = try #require(try Self.documents(run.error).last)
        #expect(try Self.schema("audit-summary").violations(of: summary) == [])
        for row in Self.rows {
            #expect(
                try Self.schema("audit-row").violations(of: JSONDocument(text: row)) == [], "\(row)"
            )
        }
    }

    @Test("explain says of a row's chain what the row says")
    func agreesWithExplain() throws {
        let workshop = try Self.workshop()
        let run = try Self.audit(workshop, "--certificates", "ca.pem")
        for (document, chain) in zip(
            try Self.documents(run.output), ["chain.pem", "chain.pem", "proxied.pem"])
        {
            let explained = try workshop.run(
                "explain", "api.acme.example", "--policy", "unit", "--chain", chain, "--at",
                "2026-06-01", "--tls-version", "tls1.3", "--format", "json")
            let other = try JSONDocument(text: explained.output)
            #expect(document["verdict"] == other["verdict"])
            #expect(document["rule"] == other["rule"])
            #expect(document["policyDigest"] == other["policyDigest"])
        }
    }

    /// Rows that cannot be judged, each with the code of its error.
    static let hostile: [(text: String, code: String)] = [
        (String(row("cut").dropLast(40)), "not-json"),
        ("{", "not-json"),
        ("[1,2]", "malformed"),
        ("nonsense", "not-json"),
        (row("x", time: "NaN"), "not-json"),
        (row("x", time: "Infinity"), "not-json"),
        (row("x", time: "1e400"), "malformed"),
        (row("x", time: "-5"), "malformed"),
        (row("x", time: "1.5"), "malformed"),
        (row("x", time: "99999999999999999999"), "malformed"),
        (row("x", time: "\"yesterday\""), "malformed"),
        (row("x", time: "null"), "malformed"),
        (row("x", chain: "7"), "malformed"),
        (row("x", chain: "\"not base64!\""), "malformed"),
        (row("x", chain: "\"sha256:12\""), "malformed"),
        (row("x", chain: "\"sha256:\(String(repeating: "0", count: 64))\""), "unknown-certificate"),
        (row("x", more: #","host":"other.example""#), "malformed"),
        (row("x", more: #","timee":"2026-06-01""#), "malformed"),
        (row("x", more: #","port":70000"#), "malformed"),
        (row("x", more: #","was":"maybe""#), "malformed"),
        (
            #"{"host":"a.example","time":1,"tls":{"state":"cleartext","version":"tls1.3"}}"#,
            "malformed"
        ),
        (
            #"{"host":"a.example","time":1,"chain":[],"tls":{"state":"not-supplied","alpn":"h2"}}"#,
            "malformed"
        ),
        (row("x", more: #","schema":"hawser/audit-row/9""#), "other-format"),
        (#"{"schema":"hawser/receipt/9","table":{}}"#, "other-format"),
        (#"{"host":"api.acme.example","time":"2026-06-01"}"#, "malformed"),
        (
            row(
                "x",
                more: ",\"deep\":" + String(repeating: "[", count: 9_000)
                    + String(repeating: "]", count: 9_000)), "not-json"
        ),
        (row("x", chain: "\"" + String(repeating: "A", count: 10 << 20) + "\""), "too-long"),
    ]

    @Test("a hostile row is a row with its error, and nothing else is lost")
    func hostileRows() throws {
        // A good row after each bad one.
        let rows = Self.hostile.flatMap { [$0.text, Self.row("after")] }
        let workshop = try Self.workshop(rows)
        for jobs in ["1", "2"] {
            let run = try Self.audit(workshop, "--jobs", jobs)
            #expect(run.status == 1)
            let found = try Self.documents(run.output)
            #expect(found.count == rows.count)
            for (number, row) in found.enumerated() {
                #expect(row["row"] == .integer(Int64(number + 1)))
                if number % 2 == 0 {
                    #expect(row["verdict"] == .string("error"))
                    #expect(
                        row["error"]?["code"] == .string(Self.hostile[number / 2].code),
                        "\(Self.hostile[number / 2].text.prefix(200)): \(row)")
                } else {
                    #expect(row["verdict"] == .string("accept"))
                }
                #expect(try Self.schema("audit").violations(of: row) == [])
            }
        }
    }

    @Test("a null is a member that is absent, as databases write their columns")
    func nulls() throws {
        let parameters =
            #""version":null,"cipherSuite":null,"group":null,"#
            + #""signatureScheme":null,"alpn":null"#
        func strings(_ state: String) -> (short: String, long: String) {
            (
                #""tls":{"state":"\#(state)"}"#, #""tls":{"state":"\#(state)",\#(parameters)}"#
            )
        }
        let plain = Self.row("plain").replacingOccurrences(
            of: #""tls":{"version":"tls1.3"}"#, with: "@")
        var rows: [String] = []
        for state in ["observed", "assumed", "not-supplied"] {
            let (short, long) = strings(state)
            rows += [short, long].map { plain.replacingOccurrences(of: "@", with: $0) }
        }
        let cleartext = #"{"id":"plain","host":"api.acme.example","time":1780272000,"#
        let (short, long) = strings("cleartext")
        rows += [
            cleartext + short + "}",
            cleartext + long + #","port":null,"chain":null,"staple":null,"sctList":null,"#
                + #""ocsp":null,"crls":null,"was":null}"#,
        ]
        let workshop = try Self.workshop(rows)
        let run = try Self.audit(workshop)
        #expect(run.status == 0, "\(run.output)")
        let schema = try Self.schema("audit-row")
        for row in rows { #expect(schema.violations(of: try JSONDocument(text: row)) == []) }
        let found = run.output.split(separator: "\n").map {
            String($0).replacing(#/"row":[0-9]+/#, with: #""row":0"#)
        }
        #expect(found.count == rows.count)
        for pair in stride(from: 0, to: found.count, by: 2) {
            #expect(found[pair] == found[pair + 1])
        }
        // Parameters that were observed and hold nothing are told as those that are not supplied.
        #expect(Set(found).count == 3)
    }

    @Test("octets that are no text, lines that hold nothing, and a last line without its end")
    func octets() throws {
        let workshop = try Self.workshop()
        var octets = Data("\n   \n".utf8)
        octets += Data(Self.row("one").utf8) + Data("\r\n".utf8)
        octets += Data([0x7B, 0x22, 0xFF, 0xFE, 0x22, 0x3A, 0x31, 0x7D, 0x0A, 0x00, 0x01, 0x0A])
        octets += Data(#"{"host":""#.utf8) + Data([0xC3, 0x28]) + Data("\"}\n".utf8)
        octets += Data(Self.row("last").utf8)
        try octets.write(to: workshop.folder.appending(path: "rows.ndjson"))
        let run = try Self.audit(workshop)
        let found = try Self.documents(run.output)
        #expect(found.map { $0["row"] } == [3, 4, 5, 6, 7].map { .integer($0) })
        #expect(
            found.map { $0["verdict"] }
                == ["accept", "error", "error", "error", "accept"].map { .string($0) })
        #expect(run.status == 1)
    }

    @Test("the octets do not depend on the number of threads")
    func threads() throws {
        let many = (0..<(Sample.isWhole ? 400 : 150)).flatMap { number in
            Self.rows.map { $0.replacingOccurrences(of: #""id":""#, with: #""id":"\#(number)-"#) }
        }
        let workshop = try Self.workshop(many)
        let runs = try ["1", "2", "5"].map {
            try Self.audit(workshop, "--certificates", "ca.pem", "--jobs", $0)
        }
        #expect(try Self.documents(runs[0].output).count == many.count)
        for run in runs.dropFirst() { #expect(run.output == runs[0].output) }
        // From standard input in pieces of any size too, but for the name of the input.
        let piped = try CommandRun(
            ["audit", "--policy", "unit", "--certificates", "ca.pem"], in: workshop.folder,
            input: workshop.folder.appending(path: "rows.ndjson"))
        #expect(
            piped.output
                == runs[0].output.replacingOccurrences(
                    of: #""input":"rows.ndjson""#, with: #""input":null"#))
    }

    @Test("rows are chosen by verdict, by change, and by a hash of each")
    func selection() throws {
        let workshop = try Self.workshop()
        func ids(_ more: String...) throws -> [String] {
            let run = try workshop.run(
                ["audit", "rows.ndjson", "--policy", "unit", "--certificates", "ca.pem"] + more)
            return try Self.documents(run.output).compactMap {
                guard case .string(let id) = $0["id"] else { return nil }
                return id
            }
        }
        #expect(try ids("--only", "reject") == ["proxied", "stranger", "late", "cleartext"])
        #expect(try ids("--only", "changed") == ["proxied", "late"])
        let half = try ids("--sample", "1/2")
        #expect(try ids("--sample", "1/2") == half)
        let all = Set(try ids())
        #expect(half.count < 6 && Set(half).isSubset(of: all))
        #expect(try ids("--sample", "1/1") == ids())
    }

    @Test("the exit status is that of what is asked")
    func statuses() throws {
        let workshop = try Self.workshop()
        func status(_ more: String...) throws -> Int32 {
            try workshop.run(
                ["audit", "rows.ndjson", "--policy", "unit", "--certificates", "ca.pem"] + more
            ).status
        }
        #expect(try status() == 0)
        #expect(try status("--fail-on", "reject") == 1)
        #expect(try status("--fail-on", "changed") == 1)
        #expect(try Self.audit(workshop).status == 1)
        try workshop.write("rows.ndjson", Self.row("good", more: #","was":"accept""#) + "\n")
        #expect(try status("--fail-on", "reject", "--fail-on", "changed") == 0)
    }

    @Test("fewer judged rows than `--minimum-rows` end with 1 and both numbers")
    func minimumRows() throws {
        let workshop = try Self.workshop(Self.rows + ["{"])
        func run(_ more: String...) throws -> CommandRun {
            try workshop.run(
                ["audit", "rows.ndjson", "--policy", "unit", "--certificates", "ca.pem"] + more)
        }
        func sentence(_ judged: String, _ minimum: Int) -> String {
            "\(judged) got a verdict, and `--minimum-rows` demands \(minimum): "
                + "see whether the input is whole\n"
        }
        // The error row does not count.
        let short = try run("--minimum-rows", "7")
        #expect(short.status == 1)
        #expect(short.error.hasSuffix(sentence("6 rows", 7)))
        #expect(try !run("--minimum-rows", "6").error.contains("--minimum-rows"))

        try workshop.write("rows.ndjson", "")
        #expect(try run().status == 0)
        let empty = try run("--minimum-rows", "1")
        #expect(empty.status == 1)
        #expect(empty.error.hasSuffix(sentence("0 rows", 1)))

        try workshop.write("rows.ndjson", Self.rows.map { $0 + "\n" }.joined())
        #expect(try run("--minimum-rows", "6").status == 0)
        #expect(try run("--minimum-rows", "7").status == 1)
        // Rows outside the sample are not judged.
        #expect(try run("--minimum-rows", "6", "--sample", "1/1000000").status == 1)
        #expect(try run("--minimum-rows", "0").status == 2)
        // A run that goes on counts the rows before it.
        let going = ["-o", "out.ndjson", "--checkpoint", "at.json", "--minimum-rows"]
        let arguments = ["audit", "rows.ndjson", "--policy", "unit", "--certificates", "ca.pem"]
        #expect(try workshop.run(arguments + going + ["6"]).status == 0)
        #expect(try workshop.run(arguments + going + ["6"]).status == 0)
        #expect(try workshop.run(arguments + going + ["7"]).status == 1)
    }

    @Test("what cannot be audited ends with 2 and says why")
    func refusals() throws {
        let workshop = try Self.workshop()
        var page = ""
        for arguments in [
            ["absent.ndjson"], ["unit"], ["-", "-"], ["rows.ndjson", "--sample", "2/1"],
            ["rows.ndjson", "--sample", "+1/2"],
            ["rows.ndjson", "--jobs", "0"], ["rows.ndjson", "--longest-row", "10"],
            ["rows.ndjson", "-o", "rows.ndjson"], ["rows.ndjson", "--checkpoint", "state"],
            ["-", "--checkpoint", "state", "-o", "out.ndjson"],
            ["rows.ndjson", "--compare", "unit"],
            ["rows.ndjson", "--compare", "unit", "unit", "--only", "reject"],
            ["rows.ndjson", "--evidence", "chain.pem"], ["rows.ndjson", "--assume", "x=pass"],
        ] {
            let policy = arguments.contains("--compare") ? [] : ["--policy", "unit"]
            let run = try workshop.run(["audit"] + arguments + policy)
            #expect(run.status == 2 && run.output.isEmpty, "\(arguments)")
            page += run.transcript
        }
        try expectGolden("audit-refused", transcript: page)
        #expect(try Self.text("rows.ndjson", in: workshop).hasPrefix(Self.rows[0]))
    }

    // MARK: Summaries

    /// A page or a comment without the rates, which differ from one run to the next.
    private static func steadyRates(_ text: String) -> String {
        text.replacing(#/[0-9]+ rows and [0-9]+ new signatures a second, [0-9]+ jobs?/#, with: "…")
    }

    /// Hosts that would be markup in Markdown or HTML.
    private static let markup = [
        "</td><img src=x onerror=alert(1)>", "a`|<b>team", "[x](http://evil.example)",
    ]

    @Test("a summary as a comment and as a page, the gravest group first")
    func summaries() throws {
        let workshop = try Self.workshop(
            Self.rows + [
                Self.row("again", more: #","was":"reject""#),
                Self.row("known", host: "www.nowhere.example", more: #","was":"reject""#), "{",
            ] + Self.markup.map { Self.row("markup", host: $0) })
        let common = ["audit", "rows.ndjson", "--policy", "unit", "--certificates", "ca.pem"]
        let json = try workshop.run(common + ["--format", "json"])
        #expect(json.status == 1 && json.error.isEmpty, "\(json.error)")
        let summary = try JSONDocument(text: json.output)
        #expect(try Self.schema("audit-summary").violations(of: summary) == [])
        let groups = summary["groups"]?.items ?? []
        #expect(
            groups.map { $0["change"] } == ["to-accept", "to-reject", "to-reject", "to-reject"]
                .map { .string($0) } + Array(repeating: .string("reject"), count: groups.count - 4))
        #expect(summary["changedToAccept"] == .integer(1))

        let comment = try workshop.run(common + ["--format", "markdown"])
        #expect(comment.status == 1)
        try expectGolden("audit-markdown", transcript: Self.steadyRates(comment.transcript))
        let run = try workshop.run(common + ["--format", "html"])
        let page = Page(Self.steadyRates(run.output))
        #expect(page.flaws.isEmpty, "\(page.flaws)")
        // Commands and options in sentences are not facts.
        let missing = try page.facts(notIn: json.output, escape: TerminalEscape.escape)
            .filter { !$0.hasPrefix("hawser ") && !$0.hasPrefix("--") }
        #expect(missing.isEmpty, "\(missing) is not in the JSON")
        try expectGolden(
            "audit-page", transcript: Self.steadyRates(ExplainPageTests.readable(run)))
    }

    /// The workshop's policy with one more host of the partners, whose anchor is another.
    private static let withGate = Workshop.policy.replacingOccurrences(
        of: "      - \"*.partner.example\"",
        with: "      - \"*.partner.example\"\n      - \"gate.acme.example\"")
    private static let gate = Workshop.issuing.issueLeaf(dns: ["gate.acme.example"])
    /// A row that both policies judge alike, and a row of that host.
    private static let gateRows: String = {
        let chain = "\"\(Data(gate.der).base64EncodedString())\",\"\(base64.issuing)\""
        return [row("same"), row("gate", host: "gate.acme.example", chain: chain)]
            .joined(separator: "\n")
    }()

    @Test("a summary of two policies as a comment has the violations of the old policy")
    func comparedSummary() throws {
        let workshop = try Workshop(old: Self.withGate, new: Workshop.policy)
        try workshop.write("gate.ndjson", Self.gateRows)
        let run = try workshop.run(
            "audit", "gate.ndjson", "--compare", "old", "new", "--format", "markdown")
        #expect(run.status == 0 && run.error.isEmpty, "\(run.error)")
        #expect(run.output.contains("| **now accepted** |"))
        #expect(run.output.contains("`anchor-not-trusted`"))
    }

    @Test("the rows, and the summary in any format, each go where they are named")
    func outputs() throws {
        let workshop = try Self.workshop()
        let common = ["audit", "rows.ndjson", "--policy", "unit", "--certificates", "ca.pem"]
        let plain = try workshop.run(common)
        // Rows on standard output, a comment in a file.
        let besides = try workshop.run(common + ["--output", "markdown=besides.md"])
        #expect(besides.output == plain.output)
        let comment = Self.steadyRates(try Self.text("besides.md", in: workshop))
        #expect(comment.hasPrefix("### audit of recorded connections\n"))
        // Rows in a file by either name, whatever the format of standard output is.
        for rows in ["plain.ndjson", "jsonl=named.ndjson"] {
            let run = try workshop.run(
                common + ["--format", "markdown", "-o", rows, "--output", "html=page.html"])
            #expect(Self.steadyRates(run.output) == comment, "\(run.error)")
            #expect(run.error.isEmpty)
            let file = rows.split(separator: "=").last.map(String.init) ?? ""
            #expect(try Self.text(file, in: workshop) == plain.output)
            #expect(try Self.text("page.html", in: workshop).hasPrefix("<!DOCTYPE html>"))
        }
        for words in [
            ["-o", "one", "--output", "jsonl=two"], ["--output", "jsonl="],
            ["-o", "same", "--output", "html=same"], ["--output", "markdown=rows.ndjson"],
            ["--output", "junit=cases.xml"],
        ] {
            let run = try workshop.run(common + words)
            #expect(run.status == 2 && run.output.isEmpty, "\(words): \(run.error)")
        }
        #expect(try Self.text("rows.ndjson", in: workshop).hasPrefix(Self.rows[0]))
    }

    @Test("a group counts its first hosts, and goes on from a checkpoint with them")
    func boundedGroups() throws {
        let strangers = (0..<150).map { Self.row("\($0)", host: "h\($0).nowhere.example") }
        let workshop = try Self.workshop(strangers + strangers)
        let words = [
            "audit", "rows.ndjson", "--policy", "unit", "-o", "out.ndjson", "--checkpoint", "state",
            "--output", "json=summary.json",
        ]
        func groups() throws -> JSONDocument? {
            #expect(try workshop.run(words).status == 0)
            let summary = try JSONDocument(text: Self.text("summary.json", in: workshop))
            #expect(try Self.schema("audit-summary").violations(of: summary) == [])
            return summary["groups"]
        }
        let found = try #require(try groups())
        #expect(found.items.count == 1)
        #expect(found.items[0]["rows"] == .integer(300))
        #expect(found.items[0]["hosts"]?.items.count == 100)
        #expect(found.items[0]["otherRows"] == .integer(100))
        #expect(try groups() == found)
    }

    // MARK: Receipts

    @Test("receipts go in and come out")
    func receipts() throws {
        let workshop = try Self.workshop()
        let first = try Self.audit(
            workshop, "--certificates", "ca.pem", "--receipts", "receipts.ndjson")
        #expect(first.status == 0)
        let lines = try Self.text("receipts.ndjson", in: workshop).split(separator: "\n")
        #expect(lines.count == Self.rows.count)
        for (number, line) in lines.enumerated() {
            #expect(
                try Self.schema("receipt").violations(of: JSONDocument(text: String(line))) == [])
            try workshop.write("one.json", String(line))
            let replayed = try workshop.run(
                "explain", "--policy", "unit", "--receipt", "one.json")
            #expect(
                replayed.output.contains("replays to the same verdict and trace"),
                "\(number): \(replayed.output)")
        }
        let again = try workshop.run("audit", "receipts.ndjson", "--policy", "unit")
        let (before, after) = (
            try Self.documents(first.output), try Self.documents(again.output)
        )
        #expect(again.status == 0)
        #expect(before.map { $0["verdict"] } == after.map { $0["verdict"] })
        #expect(after.map { $0["was"] } == after.map { $0["verdict"] })
        // A program that writes JSON anew may order its members.
        try workshop.write(
            "receipts.ndjson",
            String(
                lines[0].replacingOccurrences(of: #"{"schema":"hawser/receipt/1","#, with: "{")
                    .dropLast()) + #","schema":"hawser/receipt/1"}"# + "\n")
        #expect(try workshop.run("audit", "receipts.ndjson", "--policy", "unit").status == 0)
    }

    // MARK: Two policies

    @Test("the verdicts that flip, with the classes that diff names")
    func compare() throws {
        let workshop = try Workshop(old: Workshop.policy, new: Self.withGate)
        try workshop.write("rows.ndjson", Self.rows.joined(separator: "\n"))
        try workshop.write("gate.ndjson", Self.gateRows)
        let run = try workshop.run("audit", "gate.ndjson", "--compare", "old", "new")
        try expectGolden("audit-compare", transcript: Self.steady(run))
        let flips = try Self.documents(run.output)
        #expect(flips.map { $0["id"] } == [.string("gate")])
        #expect(flips[0]["class"] == .string("gate.acme.example"))
        #expect(try Self.schema("audit").violations(of: flips[0]) == [])
        let summary = try #require(try Self.documents(run.error).last)
        #expect(try Self.schema("audit-summary").violations(of: summary) == [])
        // Files may stand behind the two policies.
        let other = try workshop.run(
            "audit", "--compare", "old", "new", "gate.ndjson", "--fail-on", "changed")
        #expect(other.status == 1 && other.output == run.output)
        try workshop.write(
            "chains/gate.acme.example.pem", Self.gate.pem + Workshop.issuing.pem, makes: "chains")
        let diff = try workshop.run(
            "diff", "old", "new", "--chains", "chains", "--at", "2026-06-01", "--format", "json")
        let flipped = try JSONDocument(text: diff.output)
        #expect("\(flipped)".contains("gate.acme.example.pem"))
    }

    @Test("a class with a pattern inside that stays is named as `diff` names it")
    func namedClass() throws {
        func policy(_ anchors: String) -> String {
            """
            hawser: 1
            default: deny
            anchors:
              acme: { files: [anchors/root.pem] }
              others: { files: [anchors/other.pem] }
            rules:
              wide:
                hosts: ["**.flip.example"]
                anchors: [\(anchors)]
              inner:
                hosts: ["keep.flip.example", "**.flip.example:8443"]
                anchors: [others]

            """
        }
        let workshop = try Workshop(old: policy("others"), new: policy("acme, others"))
        let leaf = Workshop.issuing.issueLeaf(dns: ["a.flip.example"])
        let chain = "\"\(Data(leaf.der).base64EncodedString())\",\"\(Self.base64.issuing)\""
        try workshop.write("rows.ndjson", Self.row("a", host: "a.flip.example", chain: chain))
        let run = try workshop.run("audit", "rows.ndjson", "--compare", "old", "new")
        let name = "**.flip.example except **.flip.example:8443, keep.flip.example"
        #expect(try Self.documents(run.output).map { $0["class"] } == [.string(name)])
        #expect(run.error.contains("\"class\":\"\(name)\"") || run.error.contains(name))
        let diff = try workshop.run("diff", "old", "new", "--at", "2026-06-01")
        #expect(diff.output.contains(name), "\(diff.output)")
    }

    // MARK: Evidence

    @Test("evidence that holds for every row: a folder of CRLs, or a set of them")
    func evidence() throws {
        let leaf = Workshop.issuing.issueLeaf(dns: ["sets.acme.example"]) {
            $0.serial = [7]
            $0.extensions.append(.crlDistributionPoints(["http://crl.acme.example/a.crl"]))
        }
        let workshop = try Self.workshop([
            Self.row(
                "revoked", host: "sets.acme.example",
                chain: "\"\(Data(leaf.der).base64EncodedString())\",\"\(Self.base64.issuing)\"")
        ])
        try workshop.write(
            "unit/policy.yaml",
            Workshop.policy + """
                  sets:
                    hosts:
                      - "sets.acme.example"
                    anchors: [acme]
                    revocation: { preset: best-effort, scope: leaf, sources: [crl] }

                """)
        let unknown = try Self.audit(workshop)
        let row = try #require(try Self.documents(unknown.output).first)
        #expect(row["verdict"] == .string("accept"))
        #expect("\(row)".contains("revocation-undetermined"))
        let list = Workshop.issuing.revocationList { $0.entries = [.init([7], at: .day(-3))] }
        try FileManager.default.createDirectory(
            at: workshop.folder.appending(path: "lists"), withIntermediateDirectories: true)
        try Data(list).write(to: workshop.folder.appending(path: "lists/a.crl"))
        let made = try workshop.run(
            "revocations", "--policy", "unit", "--evidence", "lists", "--issuer", "ca.pem", "-o",
            "all.revocations")
        #expect(made.status == 0, "\(made.error)")
        for evidence in ["lists", "all.revocations"] {
            let run = try Self.audit(workshop, "--evidence", evidence, "--certificates", "ca.pem")
            let row = try #require(try Self.documents(run.output).first)
            #expect(row["verdict"] == .string("reject"), "\(evidence)")
            #expect("\(row)".contains("\"revoked\""), "\(row)")
        }
    }

    // MARK: Checkpoints

    @Test("a run goes on where another came to, and writes the same octets")
    func checkpoint() throws {
        let many = (0..<(Sample.isWhole ? 2_000 : 400)).map { Self.row("row \($0)") }
        let workshop = try Self.workshop(many)
        func run(_ more: String...) throws -> CommandRun {
            try workshop.run(["audit", "rows.ndjson", "--policy", "unit"] + more)
        }
        let whole = try run("-o", "whole.ndjson", "--receipts", "whole-receipts.ndjson")
        #expect(whole.status == 0 && whole.output.isEmpty)
        let arguments = [
            "-o", "out.ndjson", "--receipts", "out-receipts.ndjson", "--checkpoint", "state",
        ]
        func go() throws -> CommandRun {
            try workshop.run(["audit", "rows.ndjson", "--policy", "unit"] + arguments)
        }
        #expect(try go().status == 0)
        let rows = try Self.text("whole.ndjson", in: workshop)
        #expect(try Self.text("out.ndjson", in: workshop) == rows)
        // What stands behind the place that the checkpoint names goes, whatever it is.
        try workshop.write("out.ndjson", rows + "half a row")
        #expect(try go().status == 0)
        #expect(try Self.text("out.ndjson", in: workshop) == rows)
        #expect(
            try Self.text("out-receipts.ndjson", in: workshop)
                == Self.text("whole-receipts.ndjson", in: workshop))
        let state = try Self.text("state", in: workshop)

        // Another policy, other options, another input, another output.
        func refused(_ run: CommandRun, _ part: String) throws {
            #expect(run.status == 2 && run.error.contains(part), "\(run.error)")
            #expect(try Self.text("out.ndjson", in: workshop) == rows)
            #expect(try Self.text("state", in: workshop) == state)
        }
        try refused(
            try workshop.run(
                ["audit", "rows.ndjson", "--policy", "unit", "--only", "reject"] + arguments),
            "other options")
        try workshop.write("rows.ndjson", many.reversed().map { $0 + "\n" }.joined())
        try refused(try go(), "not in the input any more")
        try workshop.write("rows.ndjson", many.map { $0 + "\n" }.joined())
        try workshop.write(
            "unit/policy.yaml", Workshop.policy.replacingOccurrences(of: "3072", with: "4096"))
        try refused(try go(), "another policy")
        try workshop.write("unit/policy.yaml", Workshop.policy)
        try workshop.write("out.ndjson", "something else\n")
        let shorter = try go()
        #expect(shorter.status == 2 && shorter.error.contains("nothing was changed"))
        #expect(try Self.text("out.ndjson", in: workshop) == "something else\n")
        try FileManager.default.removeItem(at: workshop.folder.appending(path: "state"))
        let unnamed = try go()
        #expect(unnamed.status == 2 && unnamed.error.contains("remove the file"))
        #expect(try Self.text("out.ndjson", in: workshop) == "something else\n")
    }
}

extension Workshop {
    /// Writes a file of a folder that may not be there yet.
    fileprivate func write(_ path: String, _ text: String, makes folder: String) throws {
        try FileManager.default.createDirectory(
            at: self.folder.appending(path: folder), withIntermediateDirectories: true)
        try write(path, text)
    }
}
