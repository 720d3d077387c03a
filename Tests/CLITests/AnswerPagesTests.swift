import Foundation
import PageSupport
import Rendering
import TestPKI
import Testing

/// `--format html` of `forecast`, `lint`, `test`, `assert` and `diff`: each fact of a page is in
/// the JSON of the same run, its links lead somewhere, and hostile texts stay texts.
@Suite("pages of answers") struct AnswerPagesTests {
    private static let hostile = #"</script><img src=x onerror=alert(1)> ]]> &quot; "#

    /// A policy whose owners, notes and reasons are hostile. It has something to find and to
    /// foresee.
    private static func policy(owner: String, until: String, pins: Bool) -> String {
        """
        hawser: 1
        default: deny
        anchors:
          acme:
            files: [anchors/root.pem]
            owner: "\(owner)"
          unused:
            files: [anchors/other.pem]
        pins:
          api:
            keys:
              now: { spki: \(Workshop.issuing.certificate.pin), at: ca }
            backups:
              next: { spki: sha256/GriBOGTAS/oNiDTwKE8cggj9jBux5k7yRo1GDPIn6zk= }
            enforce-until: 2027-06-30
        rules:
          api:
            hosts: ["api.acme.example", "*.api.acme.example"]
            anchors: [acme]
        \(pins ? "    pins: [api]" : "    note: \"not pinned </style>\"")
            owner: "\(owner)"
            waivers:
              expired: { tolerance: 14d, reason: "<b>late</b>\(owner)", owner: "\(owner)", until: \(until) }

        """
    }

    private static let tests = """
        hawser-test: 1
        at: 2026-06-01T12:00:00Z
        cases:
          wrong-in-every-way:
            host: api.acme.example
            expect: { rule: deny, owner: "</td><img src=x onerror=alert(1)>" }
          its-chain:
            host: api.acme.example
            chain: chain.pem
            expect: { verdict: accept }

        """

    private static let assertions = """
        hawser-assert: 1
        assertions:
          strict:
            hosts: all
            at-least: { tls.minimum-version: tls1.3, revocation.preset: require }
            note: "</td><img src=x onerror=alert(1)>"
          pinned:
            hosts: all
            at-least: { pins: bound }
            during: { until: 2027-01-01 }

        """

    private static func workshop() throws -> Workshop {
        // Texts stand in double quotes in YAML.
        let owner = hostile.replacing("\"", with: "")
        let workshop = try Workshop(
            old: policy(owner: owner, until: "2026-12-31", pins: true),
            new: policy(owner: owner, until: "2027-12-31", pins: false))
        try workshop.write("old/policy.test.yaml", tests)
        for (folder, name) in [("old", "chain.pem"), ("chains", "api.acme.example.pem")] {
            try? FileManager.default.createDirectory(
                at: workshop.folder.appending(path: folder), withIntermediateDirectories: true)
            try FileManager.default.copyItem(
                at: workshop.folder.appending(path: "chain.pem"),
                to: workshop.folder.appending(path: "\(folder)/\(name)"))
        }
        // Another root signs: no pin holds it, and the new policy does not ask for one.
        try workshop.write("chains/x.api.acme.example.pem", Self.unpinned.pem + Self.issuer.pem)
        return workshop
    }

    private static let issuer = Workshop.root.issueCA("Acme Second", key: .p256("cli-second"))
    private static let unpinned = issuer.issueLeaf(dns: ["x.api.acme.example"])

    static let runs: [(golden: String, status: Int32, words: [String])] = [
        (
            "page-forecast", 0,
            ["forecast", "--policy", "old", "--at", "2026-11-24", "--chains", "chains"]
        ),
        ("page-lint", 1, ["lint", "old", "--at", "2027-05-24"]),
        ("page-test", 1, ["test", "old", "--coverage", "--mutate"]),
        ("page-assert", 1, ["assert", "old", "--at", "2026-06-01"]),
        (
            "page-diff", 0,
            ["diff", "old", "new", "--at", "2026-06-01", "--chains", "chains"]
        ),
    ]

    /// The sums that a page of `assert` states of the numbers that the JSON has of each assertion.
    private static func sums(_ json: String) throws -> Set<String> {
        Set(
            try ["classes", "intervals"].map { name in
                let number = try Regex("\"\(name)\": *([0-9]+)", as: (Substring, Substring).self)
                return json.matches(of: number).compactMap { Int($0.output.1) }.reduce(0, +)
            }.map(String.init))
    }

    @Test("a page says what the JSON says, and nothing in it is alive", arguments: runs)
    func page(_ golden: String, _ status: Int32, _ words: [String]) throws {
        let workshop = try Self.workshop()
        // `lint` and `diff` report assertions, too.
        if words[0] == "assert" {
            try workshop.write("old/policy.assert.yaml", Self.assertions)
        }
        let run = try workshop.run(words + ["--format", "html"])
        let json = try workshop.run(words + ["--format", "json"])
        #expect(run.status == status && json.status == status, "\(run.error)")
        let page = Page(run.output)
        #expect(page.flaws.isEmpty, "\(page.flaws)")
        #expect(page.facts.count > 5)
        let sums = try Self.sums(json.output)
        let missing = try page.facts(notIn: json.output, escape: TerminalEscape.escape)
            .filter { !sums.contains($0) }
        #expect(missing.isEmpty, "\(missing) is not in the JSON")
        try expectGolden(golden, transcript: ExplainPageTests.readable(run))
    }

    @Test("what cannot be asked has a page that says so")
    func refused() throws {
        let workshop = try Self.workshop()
        for words in [
            ["forecast", "--policy", "absent"], ["diff", "absent", "new"], ["assert", "absent"],
        ] {
            let run = try workshop.run(words + ["--format", "html"])
            #expect(run.status == 2)
            #expect(Page(run.output).flaws.isEmpty, "\(Page(run.output).flaws)")
            #expect(run.output.contains("absent"))
            #expect(
                run.output.contains("not asked") || run.output.contains("Nothing is known of"))
        }
    }

    @Test("a policy that is clean, and a run in which all is well, have a page too")
    func clean() throws {
        let workshop = try Workshop()
        let lint = try workshop.run("lint", "unit", "--at", "2026-06-01", "--format", "html")
        #expect(Page(lint.output).flaws.isEmpty)
        let equal = try workshop.run(
            "diff", "unit", "unit", "--at", "2026-06-01", "--format", "html")
        #expect(equal.status == 0 && equal.output.contains("no host is decided otherwise"))
        #expect(Page(equal.output).flaws.isEmpty, "\(Page(equal.output).flaws)")
    }
}
