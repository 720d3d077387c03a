import Foundation
import JSONSchemaSupport
import Testing

@testable import HawserCommand

/// `hawser log`: the commits at which a host's behaviour changed, beside a slow reading of
/// `hawser show` at every commit, and who could have spoken for the host.
@Suite("hawser log", .enabled(if: GitWorkshop.isHere, "this machine has no `git`"))
struct LogTests {
    private static let host = "api.acme.example"

    /// A policy of one rule, with these lines.
    private static func policy(_ lines: String, top: String = "default: deny") -> String {
        """
        hawser: 1
        \(top)
        rules:
          api:
            hosts: ["*.acme.example"]
            anchors: [system]
            owner: web
        \(lines)
        """
    }

    /// Waivers by which anyone can speak for the hosts of the rule.
    private static func waived(_ until: String) -> String {
        let terms = "reason: r, owner: mallory, until: \(until)"
        return "    waivers: { identity: { \(terms) }, path: { \(terms) } }\n"
    }

    private static func run(
        _ shop: GitWorkshop, _ arguments: String..., environment: [String: String] = [:]
    ) throws -> CommandRun {
        try CommandRun(
            ["log", host] + arguments + ["--policy", "trust"], in: shop.repository,
            environment: shop.environment.merging(environment) { $1 })
    }

    private static func json(_ shop: GitWorkshop, _ arguments: String...) throws -> JSONDocument {
        let run = try CommandRun(
            ["log", host] + arguments + ["--policy", "trust", "--format", "json"],
            in: shop.repository, environment: shop.environment)
        let json = try JSONDocument(text: run.output)
        let file = CommandRun.repository.appending(path: "grammar/log.schema.json")
        let schema = try JSONSchema(text: String(contentsOf: file, encoding: .utf8))
        #expect(schema.violations(of: json) == [], "\(run.transcript)")
        return json
    }

    private static func ids(_ json: JSONDocument) -> [String] {
        json["changes"]?.items.compactMap { $0["commit"]?["id"]?.text } ?? []
    }

    // MARK: Beside a slow reading

    /// What `hawser show` says of the host in a commit, without what decides nothing.
    private static func shown(_ shop: GitWorkshop, _ commit: String, _ number: Int) throws -> String
    {
        let place = shop.folder.appending(path: "slow-\(number)")
        try FileManager.default.createDirectory(at: place, withIntermediateDirectories: true)
        try shop.git([
            "--work-tree=\(place.path)", "--git-dir=\(shop.repository.path)/.git", "checkout", "-q",
            "-f", commit, "--", ".",
        ])
        try shop.git(["read-tree", "HEAD"])
        let run = try CommandRun(
            ["show", host, "--policy", "trust", "--format", "flat"], in: place)
        guard run.status == 0 else { return "deny" }
        let idle = ["rule:", "hosts:", "owner:", "note:", "profile:", "default:"]
        let lines = run.output.split(separator: "\n").filter { line in
            !idle.contains { line.hasPrefix($0) || line.contains(".\($0)") }
        }
        return lines.contains { $0.hasPrefix("anchors") } ? lines.joined(separator: "\n") : "deny"
    }

    @Test("the commits are those at which `show` at every commit says something else")
    func slowly() throws {
        let shop = try GitWorkshop()
        try shop.write("readme", "first")
        try shop.commit("before the unit")
        let texts = [
            Self.policy(""), Self.policy("    note: text\n"),
            Self.policy("    keys: { rsa-minimum: 3072 }\n"),
            Self.policy("    keys: { rsa-minimum: 3072 }\n    tls: { minimum-version: tls1.3 }\n"),
            Self.policy("    # a comment\n"), Self.policy("    tls: { minimum-version: tls1.3 }\n"),
            Self.policy(
                "    waivers: { expired: { tolerance: 3d, reason: r, owner: o, until: 2020-01-01 } }\n"
            ),
            Self.policy(
                "    waivers: { expired: { tolerance: 3d, reason: r, owner: o, until: 2030-01-01 } }\n"
            ),
            Self.policy("  narrow:\n    hosts: [\"\(Self.host)\"]\n    anchors: [system]\n"),
            Self.policy(
                "  narrow:\n    hosts: [\"\(Self.host)\"]\n    anchors: [system]\n"
                    + "    revocation: { preset: require }\n"),
            Self.policy("  other:\n    hosts: [\"www.example\"]\n    anchors: [system]\n"),
            Self.policy("", top: "default: { anchors: [system] }")
                .replacing("*.acme.example", with: "www.acme.example"),
            Self.policy("").replacing("*.acme.example", with: "www.acme.example"),
        ]
        // A fixed walk through the texts, with commits that leave the unit as it is, moved files
        // and a unit that is gone for a while.
        var state: UInt64 = 42
        for step in 0..<36 {
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            switch Int(state >> 60) {
            case 0: try shop.write("readme", "step \(step)")
            case 1: try shop.write("trust/notes.txt", "step \(step)")
            case 2: try shop.git(["rm", "-q", "-r", "--ignore-unmatch", "trust"])
            case 3:
                try shop.write(
                    "trust/more/other.policy.yaml",
                    "hawser: 1\nrules:\n  more-\(step):\n    hosts: [\"m\(step).example\"]\n"
                        + "    anchors: [system]\n")
                try shop.write("trust/policy.yaml", texts[step % texts.count])
            default:
                try shop.git(["rm", "-q", "-r", "--ignore-unmatch", "trust/more"])
                try shop.write(
                    "trust/policy.yaml", texts[Int(state >> 33) % texts.count])
            }
            try shop.commit("step \(step)")
        }
        try FileManager.default.createDirectory(
            at: shop.repository.appending(path: "trust"), withIntermediateDirectories: true)
        let line = try shop.git(["rev-list", "HEAD"]).split(separator: "\n").map(String.init)
        var expected: [String] = []
        var before = "deny"
        for (number, id) in line.reversed().enumerated() {
            let text = try Self.shown(shop, id, number)
            if text != before { expected.insert(id, at: 0) }
            before = text
        }
        #expect(expected.count > 8, "\(expected.count)")
        let json = try Self.json(shop)
        #expect(Self.ids(json) == expected)
        #expect(json["notCompared"]?.items.isEmpty == true)
        #expect(json["commitsRead"] == .integer(Int64(line.count)))
        // A range has the same changes, as far as it goes.
        let (newer, older) = (line[4], line[20])
        let part = try Self.json(shop, "\(older)..\(newer)")
        let asked = Set(line[4..<20])
        #expect(Self.ids(part) == expected.filter(asked.contains))
    }

    // MARK: The output

    @Test("direction, fields, rules, author and date")
    func told() throws {
        let shop = try GitWorkshop()
        try shop.write("trust/policy.yaml", Self.policy("    tls: { minimum-version: tls1.3 }\n"))
        try shop.commit("first")
        try shop.write(
            "trust/policy.yaml",
            Self.policy("").replacing("owner: web", with: "owner: mallory"))
        try shop.git(["add", "-A"])
        try shop.git(
            ["commit", "-q", "-m", "Refactor\u{1B}[2J the rules\n\nmore"],
            environment: [
                "GIT_AUTHOR_NAME": "Mal\u{1B}[31mlory", "GIT_AUTHOR_EMAIL": "m@acme.example",
                "GIT_AUTHOR_DATE": "2026-02-01T12:00:00Z",
                "GIT_COMMITTER_DATE": "2026-02-02T00:00:00Z",
            ])
        let id = try shop.git(["rev-parse", "HEAD"]).prefix(12)
        let run = try Self.run(shop)
        #expect(run.status == 0, "\(run.transcript)")
        let lines = run.output.split(separator: "\n", omittingEmptySubsequences: false)
            .map(String.init)
        #expect(lines[0].hasPrefix("2 commits change `api.acme.example:443` in `HEAD` ("))
        #expect(
            Array(lines[2..<7]) == [
                "- weaker  \(id)  2026-02-02  Mal\\u{1B}[31mlory <m@acme.example>",
                "  subject     Refactor\\u{1B}[2J the rules",
                "  decided by  rule `api`, owner mallory",
                "  - tls.minimum-version  tls1.3 -> tls1.2", "      now accepted: tls1.2",
            ], "\(run.output)")
        #expect(lines.contains("  - decision  deny -> anchors system; no pins; no profile"))
        #expect(run.output.hasSuffix("\nread 2 commits, 2 versions of the unit; not compared: 0\n"))
        let json = try Self.json(shop)
        let first = try #require(json["changes"]?.items.first)
        #expect(first["commit"]?["authored"]?.text == "2026-02-01T12:00:00Z")
        #expect(first["relation"]?.text == "weaker")
    }

    @Test("an exception that had ended by the commit's date is listed and marked")
    func ended() throws {
        let shop = try GitWorkshop()
        func waiver(_ until: String) -> String {
            Self.policy(
                "    waivers: { revocation: { reason: r, owner: o, until: \(until) } }\n")
        }
        try shop.write("trust/policy.yaml", Self.policy(""))
        try shop.commit("first")
        try shop.write("trust/policy.yaml", waiver("2026-05-31"))
        try shop.commit("waiver that is over")
        try shop.write("trust/policy.yaml", waiver("2026-12-31"))
        try shop.commit("longer")
        let changes = try #require(try Self.json(shop)["changes"]?.items)
        #expect(changes.map { $0["hasEnded"] } == [.bool(false), .bool(true), .bool(false)])
        #expect(changes.prefix(2).allSatisfy { $0["relation"]?.text == "weaker" })
        let text = try Self.run(shop).output
        #expect(text.contains("all of it had ended when the commit was made"), "\(text)")
        #expect(
            text.contains("  - waivers.revocation  enforced -> waived until 2026-12-31"), "\(text)")
    }

    @Test("a merge of the main line, and the commits that it brings with it")
    func merges() throws {
        let shop = try GitWorkshop()
        try shop.write("trust/policy.yaml", Self.policy("    tls: { minimum-version: tls1.3 }\n"))
        try shop.write("readme", "1")
        let first = try shop.commit("first")
        try shop.git(["checkout", "-q", "-b", "side"])
        try shop.write("trust/policy.yaml", Self.policy(""))
        let weaker = try shop.commit("weaker")
        try shop.git(["checkout", "-q", "main"])
        try shop.write("readme", "2")
        try shop.commit("elsewhere")
        // A merge off the main line, which changes nothing by itself.
        try shop.git(["checkout", "-q", "side"])
        try shop.git(["merge", "-q", "--no-ff", "-m", "take over", "main"])
        try shop.git(["checkout", "-q", "main"])
        try shop.git(["merge", "-q", "--no-ff", "-m", "bring", "side"])
        let merge = try shop.git(["rev-parse", "HEAD"])
        let json = try Self.json(shop)
        #expect(Self.ids(json) == [merge, weaker, first])
        let brought = json["changes"]?.items[1]
        #expect(brought?["mergedBy"]?["id"]?.text == merge)
        #expect(json["changes"]?.items[0]["mergedBy"] == nil)
        // On the branch itself the commit is one of the main line.
        let side = try Self.json(shop, "side")
        #expect(Self.ids(side) == [weaker, first])
        #expect(side["changes"]?.items[0]["mergedBy"] == nil)
    }

    @Test("a commit that does not compile is not compared, and the next one across it")
    func broken() throws {
        let shop = try GitWorkshop()
        try shop.write("trust/policy.yaml", Self.policy("    tls: { minimum-version: tls1.3 }\n"))
        let first = try shop.commit("first")
        try shop.write("trust/policy.yaml", Self.policy("    nonsense: 1\n"))
        let broken = try shop.commit("broken")
        try shop.write("readme", "still broken")
        try shop.commit("still")
        try shop.write("trust/policy.yaml", Self.policy(""))
        let weaker = try shop.commit("mended, and weaker")
        let run = try Self.run(shop)
        #expect(run.status == 2, "\(run.transcript)")
        #expect(run.output.contains("compared across 2 commits that do not compile"))
        #expect(run.output.hasSuffix("not compared: 1\n"))
        let json = try Self.json(shop)
        #expect(Self.ids(json) == [weaker, first])
        #expect(json["notCompared"]?.items.map { $0["commit"]?["id"]?.text } == [broken])
    }

    @Test("a link on the way, and a shallow clone, are not compared")
    func notThere() throws {
        let shop = try GitWorkshop()
        try shop.write("trust/policy.yaml", Self.policy("    tls: { minimum-version: tls1.3 }\n"))
        try shop.commit("first")
        try shop.write("trust/policy.yaml", Self.policy(""))
        try shop.commit("second")
        try shop.git(
            ["clone", "-q", "--depth", "1", "file://\(shop.repository.path)", "shallow"],
            in: shop.folder)
        let shallow = try CommandRun(
            ["log", Self.host, "--policy", "trust"], in: shop.folder.appending(path: "shallow"),
            environment: shop.environment)
        #expect(shallow.status == 2, "\(shallow.transcript)")
        #expect(shallow.output.contains("shallow clone"), "\(shallow.transcript)")
        try shop.git(["mv", "trust", "elsewhere"])
        try shop.link("trust", to: "elsewhere")
        try shop.commit("a link")
        let run = try CommandRun(
            ["log", Self.host, "HEAD", "--policy", "elsewhere"], in: shop.repository,
            environment: shop.environment)
        #expect(run.status == 0, "\(run.transcript)")
        try FileManager.default.removeItem(at: shop.repository.appending(path: "trust"))
        try shop.write("trust/policy.yaml", Self.policy(""))
        let linked = try Self.run(shop)
        #expect(linked.status == 2, "\(linked.transcript)")
        #expect(linked.output.contains("`trust` is a symbolic link"), "\(linked.transcript)")
        for words in [
            ["HEAD...main"], ["--", "-x"], ["absent"], ["HEAD..HEAD", "--at", "2026-01-01"],
        ] {
            let bad = try CommandRun(
                ["log", Self.host, "--policy", "trust"] + words, in: shop.repository,
                environment: shop.environment)
            #expect(bad.status == 2 && bad.output == "", "\(bad.transcript)")
        }
    }

    @Test("nothing that the repository or the user says of logs is run")
    func nothingIsRun() throws {
        let shop = try GitWorkshop()
        try shop.write("trust/policy.yaml", Self.policy(""))
        try shop.commit("first")
        let (program, marker) = try shop.trap("gpg")
        for (key, value) in [
            ("gpg.program", program.path), ("log.showSignature", "true"),
            ("core.pager", program.path), ("diff.external", program.path),
        ] {
            try shop.git(["config", key, value])
        }
        let before = try shop.snapshot(of: shop.repository)
        let run = try Self.run(shop)
        #expect(run.status == 0, "\(run.transcript)")
        #expect(!FileManager.default.fileExists(atPath: marker.path))
        #expect(try shop.snapshot(of: shop.repository) == before)
    }

    // MARK: Who could have spoken

    @Test("who could have spoken on a day, for each version of the day")
    func speakers() throws {
        let shop = try GitWorkshop()
        func commit(_ text: String, _ date: String) throws {
            try shop.write("trust/policy.yaml", text)
            try shop.git(["add", "-A"])
            try shop.git(
                ["commit", "-q", "-m", date], environment: ["GIT_COMMITTER_DATE": date])
        }
        try commit(Self.policy(""), "2026-01-10T00:00:00Z")
        try commit(
            Self.policy(Self.waived("2026-02-01")),
            "2026-01-20T12:00:00Z")
        try commit(Self.policy("").replacing("*.acme", with: "*.other"), "2026-02-20T00:00:00Z")
        func versions(_ at: String) throws -> [JSONDocument] {
            try Self.json(shop, "--at", at)["versions"]?.items ?? []
        }
        #expect(try versions("2026-01-09").isEmpty)
        let quiet = try versions("2026-01-15")
        #expect(quiet.count == 1 && quiet[0]["exceptions"]?.items.isEmpty == true)
        #expect(quiet[0]["authorities"]?.items.map { $0["set"]?.text } == ["system"])
        // A day with two versions, and an instant with one.
        #expect(try versions("2026-01-20").count == 2)
        #expect(try versions("2026-01-20T11:59:59Z").count == 1)
        let waived = try versions("2026-02-01")
        #expect(
            waived[0]["exceptions"]?.items.map { $0["path"]?.text }
                == ["waivers.identity", "waivers.path"])
        #expect(try versions("2026-02-02")[0]["exceptions"]?.items.isEmpty == true)
        let denied = try versions("2026-03-01")
        #expect(denied.count == 1 && denied[0]["denies"] == .bool(true))
        let text = try Self.run(shop, "--at", "2026-02-01").output
        #expect(
            text.contains(
                "              anyone, by any certificate, until 2026-02-01 (`waivers.path`)\n"),
            "\(text)")
        #expect(text.contains("  could vouch the machine's store (`system`)\n"), "\(text)")
    }

    @Test("a commit with a false date is shown for all the time in which it may have been the last")
    func falseDates() throws {
        let shop = try GitWorkshop()
        func commit(_ lines: String, _ date: String) throws {
            try shop.write("trust/policy.yaml", Self.policy(lines))
            try shop.git(["add", "-A"])
            try shop.git(
                ["commit", "-q", "-m", date], environment: ["GIT_COMMITTER_DATE": date])
        }
        try commit("", "2026-01-01T00:00:00Z")
        try commit(
            Self.waived("2027-01-01"), "2099-01-01T00:00:00Z")
        try commit("    note: back\n", "2026-03-01T00:00:00Z")
        let february = try #require(
            try Self.json(shop, "--at", "2026-02-01")["versions"]?.items)
        #expect(february.map { $0["isSure"] } == [.bool(true), .bool(false)])
        #expect(february.last?["exceptions"]?.items.isEmpty == false)
        let april = try #require(try Self.json(shop, "--at", "2026-04-01")["versions"]?.items)
        #expect(april.count == 1 && april[0]["isSure"] == .bool(true))
    }
}
