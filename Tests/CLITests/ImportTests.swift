import Foundation
import TestPKI
import Testing
import TrustEngine

/// `hawser import chrome-root-store`, with a small store over minted certificates.
@Suite("hawser import chrome-root-store")
struct ImportTests {
    private static let oak = Workshop.pki.root("Oak Root", key: .p256("cli-import-oak"))
    private static let elm = Workshop.pki.root("Elm Root", key: .p256("cli-import-elm"))
    private static let issuing = oak.issueCA("Oak Issuing", key: .p256("cli-import-issuing"))
    private static let larch = TestLog("Larch 1", of: "Larch")
    private static let maple = TestLog("Maple 1", of: "Maple")
    private static let rowan = TestLog("Rowan 1", of: "Maple")
    /// The last second of Oak's constraint.
    private static let limit = UTCInstant.at("2026-04-30T23:59:59Z")

    private static func digest(_ authority: Authority) -> String {
        Hexadecimal.encode(authority.certificate.fingerprint)
    }

    private static let store = """
        # A small store.
        version_major: 7

        # Oak Root: ends in April.
        trust_anchors {
          sha256_hex: "\(digest(oak))"
          display_name: "Oak"
          constraints: {
            sct_not_after_sec: \(limit.secondsSinceEpoch)
            min_version: "153.0.8010.0"
          }
          constraints: {
            permitted_dns_names: ["acme.example", ".elm.example"]
            sct_all_after_sec: \(limit.secondsSinceEpoch)
          }
          constraints: { max_version_exclusive: "153.0.8010.0" }
        }

        # Acme Root: without constraints.
        trust_anchors { sha256_hex: "\(digest(Workshop.root))" }

        # Elm Root: an index, which has no word.
        trust_anchors {
          sha256_hex: "\(digest(elm))"
          constraints { index_after: 7 }
        }

        # Its certificate is not in the files.
        trust_anchors { sha256_hex: "\(String(repeating: "0a", count: 32))" }
        additional_certs {
          sha256_hex: "\(digest(issuing))"
          tls_trust_anchor: true
          enforce_anchor_expiry: true
          constraints { validity_starts_not_after_sec: \(limit.secondsSinceEpoch) }
        }

        """

    private static func workshop() throws -> Workshop {
        let workshop = try Workshop()
        try workshop.write("root_store.textproto", store)
        try workshop.write("roots.pem", oak.pem + elm.pem + Workshop.leaf.pem)
        try workshop.write("more.pem", Workshop.root.pem + issuing.pem)
        try workshop.write(
            "logs.json", TestLogList.json([larch, maple, rowan], issued: .at("2026-05-20")))
        return workshop
    }

    private static func read(_ path: String, _ workshop: Workshop) throws -> String {
        try String(contentsOf: workshop.folder.appending(path: path), encoding: .utf8)
    }

    @Test("the unit, what is left out and why, and check before and after the log list is there")
    func wholeUnit() throws {
        let workshop = try Self.workshop()
        var page = ""
        let made = try workshop.run(
            "import", "chrome-root-store", "root_store.textproto", "--certificates", "roots.pem",
            "more.pem", "-o", "chrome")
        #expect(made.status == 1)
        page += made.transcript + "\n--- chrome/policy.yaml\n"
        page += try Self.read("chrome/policy.yaml", workshop) + "\n"
        let before = try workshop.run("check", "chrome")
        #expect(before.status == 1)
        page += before.transcript + "\n"
        try workshop.write("chrome/log_list.json", Self.read("logs.json", workshop))
        for words in [
            ["check", "chrome"], ["fmt", "--check", "chrome"],
            ["lint", "chrome", "--at", "2026-06-01"],
        ] {
            let run = try workshop.run(words)
            #expect(run.status == 0, "\(run.transcript)")
            page += run.transcript + "\n"
        }
        let item = "      - anchors/"
        let named = try Self.read("chrome/policy.yaml", workshop).split(separator: "\n")
            .filter { $0.hasPrefix(item) }.map { String($0.dropFirst(item.count)) }
        #expect(try Self.names("chrome/anchors", workshop) == Set(named).sorted())
        try expectGolden("import-chrome-root-store", transcript: page)
    }

    private static func names(_ folder: String, _ workshop: Workshop) throws -> [String] {
        try FileManager.default.contentsOfDirectory(
            atPath: workshop.folder.appending(path: folder).path
        ).sorted()
    }

    @Test("twice the same octets, and for an older Chrome other sets")
    func versions() throws {
        let workshop = try Self.workshop()
        let words = [
            "import", "chrome-root-store", "root_store.textproto", "--certificates", "more.pem",
            "roots.pem", "--log-list", "logs.json",
        ]
        for more in [["-o", "a"], ["-o", "b"], ["-o", "c", "--chrome-version", "152.0"]] {
            let run = try workshop.run(words + more)
            #expect(run.status == 1, "\(run.transcript)")
            #expect(try workshop.run("check", more[1]).status == 0)
        }
        let policies = try ["a", "b", "c"].map { try Self.read("\($0)/policy.yaml", workshop) }
        #expect(policies[0] == policies[1])
        #expect(policies[2].contains("taken for\n# Chrome 152.0."))
        #expect(!policies[2].contains("sct: { until:"))
        #expect(policies[2].contains("constraints of line 16, which are none"))
    }

    /// Judges a leaf below Oak with timestamps of one instant.
    private static func judged(
        _ milliseconds: Int64, host: String, _ workshop: Workshop
    ) throws -> CommandRun {
        let leaf = issuing.issueLeaf(dns: [host]) { recipe in
            let stamps = [larch, maple, rowan].map { log in
                var stamp = TestTimestamp(log: log, time: limit)
                stamp.milliseconds = UInt64(Int64(stamp.milliseconds) + milliseconds)
                return stamp
            }
            recipe.embed(stamps, issuedBy: issuing.key)
        }
        try workshop.write("leaf.pem", leaf.pem + issuing.pem)
        return try workshop.run(
            "explain", host, "--policy", "chrome", "--chain", "leaf.pem", "--at", "2026-06-01",
            "--tls-version", "tls1.3")
    }

    @Test(
        "a limit on timestamps is never wider than Chrome's, to the millisecond",
        arguments: [
            (-1_000, "shop.example", true), (-1, "shop.example", true), (0, "shop.example", false),
            (1, "shop.example", false), (999, "shop.example", false),
            (1_000, "shop.example", false),
            // The alternative is for these names, and only for later timestamps.
            (0, "acme.example", false), (1, "acme.example", false), (1_000, "acme.example", true),
            (86_400_000, "www.acme.example", true), (86_400_000, "a.b.elm.example", true),
            (86_400_000, "elm.example", false),
        ] as [(Int64, String, Bool)])
    func limits(_ milliseconds: Int64, _ host: String, _ isAccepted: Bool) throws {
        let workshop = try Self.workshop()
        // Without the issuing CA as an anchor of its own.
        try workshop.write(
            "root_store.textproto", String(Self.store.prefix(upTo: Self.additional)))
        let made = try workshop.run(
            "import", "chrome-root-store", "root_store.textproto", "--certificates", "roots.pem",
            "more.pem", "-o", "chrome", "--log-list", "logs.json")
        #expect(made.status == 1, "\(made.transcript)")
        let run = try Self.judged(milliseconds, host: host, workshop)
        #expect(run.status == (isAccepted ? 0 : 1), "\(run.transcript)")
        if !isAccepted {
            #expect(run.output.contains("anchor-constraint"), "\(run.transcript)")
            #expect(!run.output.contains("transparency-not-met"))
        }
    }

    private static let additional =
        store.firstRange(of: "additional_certs")?.lowerBound ?? store.endIndex

    @Test(
        "what cannot be imported is refused with a place, and nothing is written",
        arguments: [
            (
                "trust_anchors {\n  sha256_hex: \"",
                "root_store.textproto:2:15: this string has no end"
            ),
            ("trust_anchors { sha256_hex: 'x' }", "root_store.textproto:1:17: `sha256_hex` takes"),
            ("TWICE", "line 1 names this certificate already"), ("", "is empty"),
            ("version_major: 7", "no `trust_anchors`"),
            (
                "trust_anchors { sha256_hex: \"\(String(repeating: "0a", count: 32))\" }",
                "no anchor can"
            ),
        ])
    func refused(_ text: String, _ words: String) throws {
        let workshop = try Self.workshop()
        let anchor = "trust_anchors { sha256_hex: \"\(Self.digest(Self.oak))\" }\n"
        try workshop.write("root_store.textproto", text == "TWICE" ? anchor + anchor : text)
        let run = try workshop.run(
            "import", "chrome-root-store", "root_store.textproto", "--certificates", "roots.pem",
            "-o", "chrome")
        #expect(run.status == 2 && run.output.isEmpty)
        #expect(run.error.contains(words), "\(run.error)")
        #expect(!FileManager.default.fileExists(atPath: workshop.folder.path + "/chrome"))
    }

    @Test("wrong usage, files without certificates, folders that exist, units that would nest")
    func usage() throws {
        let workshop = try Self.workshop()
        try workshop.write("empty.pem", "nothing\n")
        try workshop.write("bad-logs.json", "{}")
        let words = ["import", "chrome-root-store", "root_store.textproto", "--certificates"]
        for (more, expected) in [
            (["empty.pem", "-o", "chrome"], "`empty.pem` holds no certificate"),
            (["absent.pem", "-o", "chrome"], "absent.pem"),
            (["roots.pem", "-o", "unit"], "`unit` is there already"),
            (["roots.pem", "-o", "unit/chrome"], "units do not nest"),
            (["roots.pem", "-o", "no/where"], "`no`"),
            (["roots.pem", "-o", "chrome", "--chrome-version", "new"], "`--chrome-version` takes"),
            (["roots.pem", "-o", "chrome", "--log-list", "bad-logs.json"], "would not compile"),
            (["-", "-", "-o", "chrome"], "would read standard input"),
            (["roots.pem"], "--output"), (["-o", "chrome"], "--certificates"),
        ] {
            let run = try workshop.run(words + more)
            #expect(run.status == 2 && run.error.contains(expected), "\(run.transcript)")
            #expect(!FileManager.default.fileExists(atPath: workshop.folder.path + "/chrome"))
        }
        let left = try FileManager.default.contentsOfDirectory(atPath: workshop.folder.path)
        #expect(!left.contains { $0.contains(".new") })
    }

    @Test("names of files and of subjects do no harm in the policy and on the screen")
    func hostileNames() throws {
        let workshop = try Self.workshop()
        let evil = Workshop.pki.root(
            TestName(.commonName("\u{1B}[2J\" }\n::error \u{202E}")), key: .p256("cli-import-evil"))
        try workshop.write("evil.pem", evil.pem)
        let name = "a\" \\ b\n: [x]\u{1B}.textproto"
        try workshop.write(name, "trust_anchors { sha256_hex: '\(Self.digest(evil))' }")
        let run = try workshop.run(
            "import", "chrome-root-store", name, "--certificates", "evil.pem", "-o", "chrome",
            "--log-list", "logs.json")
        #expect(run.status == 0, "\(run.transcript)")
        #expect(!run.output.contains("\u{1B}"))
        #expect(try workshop.run("check", "chrome").status == 0)
        let policy = try Self.read("chrome/policy.yaml", workshop)
        #expect(policy.utf8.allSatisfy { $0 == 0x0A || (0x20..<0x7F).contains($0) })
    }

    @Test("help of the group and of the command")
    func help() throws {
        let workshop = try Workshop()
        for words in [["import"], ["help", "import"], ["import", "chrome-root-store", "--help"]] {
            let run = try workshop.run(words)
            #expect(
                run.status == 0 && run.output.contains("chrome-root-store"), "\(run.transcript)")
        }
    }
}
