import Foundation
import JSONSchemaSupport
import TestPKI
import Testing

/// `hawser report`: the page and the JSON of a unit, refusals, and the split of a long report.
@Suite("hawser report") struct UnitReportTests {
    /// Its name would be markup, a reference and a change of direction.
    static let hostile = "</script><img src=x onerror=alert(1)>]]>&quot;\u{202E}abc\u{2066}'\"`"
    static let hostileRoot = Workshop.pki.root("\(hostile)", key: .p256("cli-report-hostile"))

    static let policy = """
        hawser: 1
        default: { anchors: [system], owner: "platform" }
        anchors:
          acme:
            files: [anchors/root.pem]
            owner: pki
            constraints: { permitted-names: ["**.acme.example"] }
          both:
            files: [anchors/root.pem, anchors/ending.pem]
          over:
            files: [anchors/other.pem]
            owner: nobody
        pins:
          acme-api:
            keys:
              issuing: { spki: \(Workshop.issuing.certificate.pin), at: ca }
            backups:
              offline: { spki: sha256/GriBOGTAS/oNiDTwKE8cggj9jBux5k7yRo1GDPIn6zk=, note: "safe 7" }
            warn-from: 2026-11-01
            enforce-until: 2027-01-31
            on-expiry: report
            owner: keys
        profiles:
          org:
            keys: { rsa-minimum: 3072 }
            revocation: { preset: require, maximum-age: 26h, network: wait }
            report-only:
              revocation: { until: 2026-12-15, note: "the proxies are being opened" }
        rules:
          wide:
            hosts: ["**.acme.example", "acme.example"]
            anchors: [acme]
            profile: org
            owner: platform
            note: "everything that no team owns"
          api:
            hosts: ["api.acme.example", "api.acme.example:8443"]
            anchors: [both]
            pins: [acme-api]
            profile: org
            owner: web
          rigs:
            hosts: ["*.rigs.acme.example"]
            anchors: [acme]
            owner: qa
            waivers:
              identity: { reason: "rigs are cloned", owner: qa, until: 2027-01-05 }
              path: { reason: "rigs sign for themselves", owner: qa, until: 2027-01-05, ticket: LAB-12 }
              tls: { minimum-version: tls1.1, reason: "old rigs", owner: qa, until: 2026-10-31 }
          keyed:
            hosts: ["keyed.acme.example"]
            anchors: [pinned-keys]
            pins: [acme-api]
            owner: web
            waivers:
              pins: { reason: "keys move", owner: web, until: 2026-12-24 }

        """

    static let words = ["report", "unit", "--at", "2026-11-24"]

    static func workshop(_ policy: String = policy) throws -> Workshop {
        let workshop = try Workshop()
        try workshop.write("unit/policy.yaml", policy)
        try workshop.write("unit/anchors/ending.pem", ForecastTests.endingRoot.pem)
        try workshop.write("unit/anchors/hostile.pem", hostileRoot.pem)
        return workshop
    }

    static func text(_ path: String, in workshop: Workshop) throws -> String {
        try String(contentsOf: workshop.folder.appending(path: path), encoding: .utf8)
    }

    // MARK: Answers

    /// The page without its style sheet, its script and their hashes, one element a line.
    private static func readable(_ run: CommandRun) -> String {
        var page = ExplainPageTests.readable(run)
        for (start, end) in [("<script>", "</script>"), ("script-src &#39;sha256-", "&#39;")] {
            guard let from = page.range(of: start),
                let to = page[from.upperBound...].range(of: end)
            else { continue }
            page.replaceSubrange(from.upperBound..<to.lowerBound, with: "…")
        }
        return page
    }

    @Test("the page of a unit")
    func page() throws {
        let run = try Self.workshop().run(Self.words)
        #expect(run.status == 0 && run.error.isEmpty)
        try expectGolden("report-page", transcript: Self.readable(run))
    }

    @Test("the JSON of a unit, which is of its schema")
    func json() throws {
        let workshop = try Self.workshop()
        let run = try workshop.run(Self.words + ["--format", "json", "--horizon", "30d"])
        #expect(run.status == 0 && run.error.isEmpty)
        try expectGolden("report-json", run)
        let document = try JSONDocument(text: run.output)
        #expect(try Self.schema("unit-report").violations(of: document) == [])
        let findings = try #require(document["findings"])
        #expect(try Self.schema("diagnostics").violations(of: findings) == [])
        // The findings are the linter's.
        let lint = try workshop.run(
            "lint", "unit", "--at", "2026-11-24", "--horizon", "30d", "--format", "json")
        let own = try #require(try JSONDocument(text: lint.output)["diagnostics"])
        #expect(findings["diagnostics"]?.items.count == own.items.count && !own.items.isEmpty)
    }

    @Test("the text of a unit")
    func asText() throws {
        let run = try Self.workshop().run(Self.words + ["--format", "text"])
        #expect(run.status == 0 && run.error.isEmpty)
        try expectGolden("report-text", run)
    }

    @Test("a comment has each class, set, exception, guarantee and finding of the JSON")
    func markdown() throws {
        let workshop = try Self.workshop()
        let run = try workshop.run(Self.words + ["--format", "markdown"])
        #expect(run.status == 0 && run.error.isEmpty)
        let json = try JSONDocument(text: workshop.run(Self.words + ["--format", "json"]).output)
        // Markdown escapes some characters of a text.
        let comment = run.output.replacing("\\", with: "").replacing("`", with: "")
        for (list, key) in [
            ("classes", "hosts"), ("anchors", "id"), ("pins", "id"), ("exceptions", "sentence"),
            ("demands", "guarantee"),
        ] {
            let items = json[list]?.items ?? []
            #expect(!items.isEmpty, "\(list)")
            for text in items.compactMap({ $0[key]?.text }) {
                #expect(comment.contains(text.replacing("`", with: "")), "\(list): \(text)")
            }
        }
        for finding in json["findings"]?["diagnostics"]?.items ?? [] {
            let (code, message) = (finding["code"]?.text ?? "?", finding["message"]?.text ?? "?")
            #expect(comment.contains("\(code)** \(message.replacing("`", with: ""))"))
        }
        let sections = comment.split(separator: "\n").filter { $0.hasPrefix("#### ") }
        #expect(sections.count == 7 && run.output.utf8.count < 60_000)
    }

    private static func schema(_ name: String) throws -> JSONSchema {
        let path = CommandRun.repository.appending(path: "grammar/\(name).schema.json")
        return try JSONSchema(text: String(contentsOf: path, encoding: .utf8))
    }

    @Test("`-o` writes what standard output gets")
    func output() throws {
        let workshop = try Self.workshop()
        let run = try workshop.run(Self.words + ["-o", "page.html"])
        #expect(run.status == 0 && run.output.isEmpty && run.error.isEmpty)
        let printed = try workshop.run(Self.words).output
        let footer = "<dt>command</dt>"
        #expect(
            try Self.text("page.html", in: workshop).split(separator: footer)[0]
                == printed.split(separator: footer)[0])
        #expect(
            !FileManager.default.fileExists(
                atPath: workshop.folder.appending(path: "page-pages").path))
    }

    @Test("a table has the same report without findings")
    func table() throws {
        let workshop = try Self.workshop()
        #expect(try workshop.run("compile", "unit", "-o", "table").status == 0)
        let words = ["--at", "2026-11-24", "--format", "json"]
        let (table, unit) = try (
            JSONDocument(text: workshop.run(["report", "table"] + words).output),
            JSONDocument(text: workshop.run(["report", "unit"] + words).output)
        )
        #expect(table["findings"] == nil && unit["findings"] != nil)
        for key in ["classes", "demands", "anchors", "pins", "exceptions", "surface", "next"] {
            #expect(table[key] == unit[key] && table[key] != nil, "\(key)")
        }
        #expect(try Self.schema("unit-report").violations(of: table) == [])
        let page = try workshop.run("report", "table", "--at", "2026-11-24")
        #expect(page.status == 0 && !page.output.contains("id=\"findings\""))
        let bare = try workshop.run("compile", "unit", "-o", "bare", "--no-provenance")
        #expect(bare.status == 0)
        #expect(try workshop.run("report", "bare", "--at", "2026-11-24").status == 0)
    }

    // MARK: Hostile texts

    @Test("texts of others stay text")
    func hostileTexts() throws {
        // A policy may hold no bidirectional control; the certificate does.
        let quoted = Self.hostile.filter { !"\u{202E}\u{2066}".contains($0) }
            .replacing("\"", with: "\\\"")
        let policy = """
            hawser: 1
            default: deny
            anchors:
              bad:
                files: [anchors/hostile.pem]
                owner: "\(quoted)"
                note: "\(quoted)"
            rules:
              web:
                hosts: ["www.acme.example"]
                anchors: [bad]
                owner: "\(quoted)"
                note: "\(quoted)"
                waivers:
                  tls: { minimum-version: tls1.1, reason: "\(quoted)", owner: "\(quoted)", until: 2027-01-05 }

            """
        let workshop = try Self.workshop(policy)
        let run = try workshop.run(Self.words)
        #expect(run.status == 0, "\(run.transcript)")
        let page = run.output
        #expect(!page.contains("<img") && page.components(separatedBy: "<script").count == 2)
        #expect(page.components(separatedBy: "</script>").count == 2)
        #expect(!page.contains("\u{202E}") && !page.contains("\u{2066}"))
        #expect(page.contains("&lt;/script&gt;&lt;img src=x onerror=alert(1)&gt;]]&gt;&amp;quot;"))
        #expect(page.contains("\\u{202E}abc\\u{2066}"))
        // An address from a policy is never a link.
        let targets = page.components(separatedBy: "href=\"").dropFirst()
        #expect(targets.allSatisfy { $0.hasPrefix("#") })
    }

    // MARK: Long reports

    /// A policy with so many rules, each with a host, and every tenth with an exception.
    static func long(_ rules: Int) -> String {
        let entries = (0..<rules).map { number in
            """
              service-\(number):
                hosts: ["s\(number).team-\(number % 40).acme.example"]
                anchors: [acme]
                note: "\(String(repeating: "service \(number) ", count: 30))"

            """
        }
        return """
            hawser: 1
            default: deny
            anchors:
              acme:
                files: [anchors/root.pem]
            rules:

            """ + entries.joined()
    }

    @Test("a report that is too long for one page is split, and every link leads somewhere")
    func split() throws {
        let workshop = try Self.workshop(Self.long(2_500))
        let printed = try workshop.run(Self.words)
        #expect(printed.status == 2 && printed.output.isEmpty)
        #expect(printed.error.contains("files; name the first: `-o report.html`"))
        // A name that an address must not be taken from as it is.
        let name = "a report #1?.html"
        let run = try workshop.run(Self.words + ["-o", name])
        #expect(run.status == 0 && run.output.isEmpty)
        #expect(run.error.contains("`\(name)` is the first of "))
        let folder = "a report #1?-pages"
        let files = try FileManager.default.contentsOfDirectory(
            atPath: workshop.folder.appending(path: folder).path
        ).sorted()
        #expect(files.count > 2 && files.contains("hosts-1.html"))
        var pages = [name: try Self.text(name, in: workshop)]
        for file in files {
            pages["\(folder)/\(file)"] = try Self.text("\(folder)/\(file)", in: workshop)
        }
        let ids = pages.mapValues { page in
            Set(page.components(separatedBy: "id=\"").dropFirst().map { $0.prefix { $0 != "\"" } })
        }
        var links = 0
        for (path, page) in pages {
            #expect(page.utf8.count < 2_000_000, "\(path)")
            let isFirst = path == name
            for part in page.components(separatedBy: "href=\"").dropFirst() {
                let address = String(part.prefix { $0 != "\"" })
                let pieces = address.split(
                    separator: "#", maxSplits: 1, omittingEmptySubsequences: false)
                var target = path
                if !pieces[0].isEmpty {
                    links += 1
                    let decoded = try #require(pieces[0].removingPercentEncoding)
                    #expect(decoded.hasPrefix("./") || decoded.hasPrefix("../"), "\(address)")
                    let rest = decoded.drop { $0 == "." }.dropFirst()
                    target =
                        isFirst || decoded.hasPrefix("../") ? String(rest) : "\(folder)/\(rest)"
                }
                let known = try #require(ids[target], "\(path) leads to \(address)")
                if pieces.count > 1 {
                    #expect(known.contains(pieces[1]), "\(path) leads to \(address)")
                }
            }
        }
        #expect(links > 2_500)
        // Each class lies in one file.
        let all = pages.values.joined()
        for number in [1, 2_500, 2_501] {
            #expect(all.components(separatedBy: "<details id=\"c\(number)\">").count == 2)
        }
        // What an earlier run left is named, and not removed.
        try workshop.write("\(folder)/hosts-99.html", "old")
        let again = try workshop.run(Self.words + ["-o", name])
        #expect(
            again.error.contains(
                "also holds files that do not belong to this report: `hosts-99.html`"))
    }

    // MARK: Rules that say the same

    /// A policy with 180 rules that differ only in their hosts, five that differ in an owner, a
    /// demand, a note and a waiver, and a rule around all of them.
    static let alike: String = {
        func rule(_ id: String, _ fields: String = "", owner: String = "platform") -> String {
            "  \(id):\n    hosts: [\"\(id).acme.example\"]\n    anchors: [acme]\n    owner: \(owner)\n"
                + (fields.isEmpty ? "" : "    \(fields)\n")
        }
        let services = (0..<180).map { rule("svc-\($0 + 100)") }
        let others = [
            rule("other-owner", owner: "web"),
            rule("other-keys", "keys: { rsa-minimum: 3072 }"), rule("other-note", "note: old"),
            rule("other-way", "keys: { types: [rsa], rsa-minimum: 4096 }"),
            rule(
                "other-waiver",
                "waivers: { identity: { reason: rig, owner: qa, until: 2027-01-05 } }"),
        ]
        return """
            hawser: 1
            default: deny
            anchors:
              acme:
                files: [anchors/root.pem]
            rules:
              wide:
                hosts: ["**.acme.example"]
                anchors: [acme]
                owner: platform
                keys: { types: [p256, p384] }

            """ + (services + others).joined()
    }()

    @Test("rules that differ only in their hosts are one row, with the place of each")
    func rulesThatSayTheSame() throws {
        let run = try Self.workshop(Self.alike).run(Self.words)
        #expect(run.status == 0, "\(run.transcript)")
        let page = run.output
        let start = try #require(page.range(of: "id=\"hosts\""))
        let end = try #require(
            page.range(of: "id=\"anchors\"", range: start.upperBound..<page.endIndex))
        let hosts = String(page[start.upperBound..<end.lowerBound])
        #expect(hosts.components(separatedBy: "by 180 rules that say the same").count == 2)
        #expect(hosts.contains("and 179 more"))
        // One row that folds for each of: the group, the rule around it, the five others, default.
        #expect(hosts.components(separatedBy: "<details ").count - 1 == 8)
        #expect(hosts.contains("! neither stricter nor weaker than around it<"))
        let items = hosts.components(separatedBy: "<li ")
        for number in 100..<280 {
            let host = "<code>svc-\(number).acme.example</code>"
            let own = items.filter { $0.contains("rule svc-\(number) ") }
            #expect(own.count == 1, "\(number)")
            #expect(own.first?.contains(host) == true && own.first?.contains("href=\"#") == true)
        }
        // Every link of the page leads somewhere, also the links of sets and findings to a class of
        // a group.
        let ids = Set(
            page.components(separatedBy: "id=\"").dropFirst().map { $0.prefix { $0 != "\"" } })
        for address in page.components(separatedBy: "href=\"#").dropFirst() {
            let id = address.prefix { $0 != "\"" }
            #expect(ids.contains(id), "\(id)")
        }
        // A finding about each of them stands once. A finding about another rule stands by itself:
        // other findings are not folded.
        #expect(page.components(separatedBy: "HW211: 179 more that say the same").count == 2)
        let folded = try #require(page.range(of: "HW211: 179 more"))
        let rest = String(page[folded.upperBound...])
        let details = rest.components(separatedBy: "</details>")[0]
        #expect(!details.contains("other-keys") && details.contains("svc-279"))
        #expect(page.contains("<code>other-keys</code> demands less"))
    }

    /// A group is on one page, and links from other pages lead there.
    @Test("a long report with groups is split like any other")
    func manyRulesThatSayTheSame() throws {
        let services = (0..<9_000).map {
            "  svc-\($0):\n    hosts: [\"svc-\($0).acme.example\"]\n    anchors: [acme]\n"
        }
        let policy =
            "hawser: 1\ndefault: deny\nanchors:\n  acme:\n    files: [anchors/root.pem]\nrules:\n"
            + services.joined()
        let workshop = try Self.workshop(policy)
        let run = try workshop.run(Self.words + ["-o", "page.html"])
        #expect(run.status == 0, "\(run.error)")
        let page = try Self.text("page.html", in: workshop)
        #expect(page.utf8.count < 2_000_000)
        let folder = workshop.folder.appending(path: "page-pages")
        let files = (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []
        let all = try page + files.map { try Self.text("page-pages/\($0)", in: workshop) }.joined()
        for number in [0, 1_999, 2_000, 8_999] {
            #expect(all.contains("<code>svc-\(number).acme.example</code>"), "\(number)")
        }
        #expect(all.contains("by 2000 rules that say the same"))
        #expect(!all.contains("by 9000 rules that say"))
    }

    // MARK: Never in silence

    @Test("what cannot be asked ends with 2, and writes no page")
    func refused() throws {
        let workshop = try Self.workshop()
        for (folder, text) in [
            ("broken", "hawser: 1\nrules: nothing\n"), ("two/a", Self.long(1)),
            ("two/b", Self.long(1)),
        ] {
            try FileManager.default.createDirectory(
                at: workshop.folder.appending(path: folder), withIntermediateDirectories: true)
            try workshop.write("\(folder)/policy.yaml", text)
        }
        var pages: [String] = []
        func add(_ words: String...) throws {
            let run = try workshop.run(["report"] + words + ["--at", "2026-11-24"])
            #expect(run.status == 2, "\(run.transcript)")
            pages.append(run.transcript)
        }
        try add("absent", "-o", "page.html")
        try add("absent", "--format", "json")
        try add("broken", "-o", "page.html")
        try add("two", "-o", "page.html")
        try add("unit", "--horizon", "soon")
        try add("unit", "--horizon", "36601d")
        try add("unit", "-o", "absent/page.html")
        try add("unit", "-o", "unit/")
        try add("unit", "-o", "unit")
        try add("unit", "--format", "sarif")
        try add("unit", "--trusted-key", "key.pem")
        try expectGolden("report-refused", transcript: pages.joined(separator: "\n"))
        #expect(
            !FileManager.default.fileExists(
                atPath: workshop.folder.appending(path: "page.html").path))
    }
}
