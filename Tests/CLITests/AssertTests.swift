import Foundation
import JSONSchemaSupport
import TestPKI
import Testing

/// `hawser assert`: proofs, refutations and their display, and the cases that never pass in
/// silence.
@Suite("hawser assert") struct AssertTests {
    static let policy = """
        hawser: 1
        default: deny
        anchors:
          acme:
            files: [anchors/root.pem]
            owner: pki
          others:
            files: [anchors/other.pem]
        pins:
          web:
            keys:
              now: { spki: \(Workshop.issuing.certificate.pin), at: ca }
            backups:
              next: { spki: sha256/GriBOGTAS/oNiDTwKE8cggj9jBux5k7yRo1GDPIn6zk= }
            enforce-until: 2027-03-31
            on-expiry: report
        profiles:
          org:
            tls: { minimum-version: tls1.3 }
            forbidden-keys:
              stolen: { spki-file: anchors/other.pem }
        rules:
          bank:
            hosts: ["**.bank.example"]
            anchors: [acme]
            pins: [web]
            profile: org
            owner: payments
          old-bank:
            hosts: ["old.bank.example", "older.bank.example:8443"]
            anchors: [acme, others]
            profile: org
            owner: legacy
            waivers:
              tls: { minimum-version: tls1.1, reason: "rack 7", owner: legacy, until: 2027-01-31 }
          web:
            hosts: ["*.acme.example"]
            anchors: [system]
            owner: web

        """

    static let assertions = """
        hawser-assert: 1

        assertions:
          tls-floor:
            hosts: ["**.bank.example", "*.acme.example"]
            at-least: { tls.minimum-version: tls1.2 }
            during: { from: 2027-02-01 }

          banking-is-strict:
            hosts: ["**.bank.example"]
            during: { from: 2026-11-22, until: 2028-01-01 }
            at-least: { tls.minimum-version: tls1.3, revocation.preset: require, pins: bound }
            owner: security
            note: "see <b>SEC-812</b> | `x` @acme"

          own-ca-only:
            hosts: all
            at-least: { anchors: [acme] }

          no-public-ca:
            hosts: ["**.bank.example"]
            at-least: { anchors: no-system }

          like-bank:
            hosts: ["old.bank.example"]
            no-weaker-than: { rule: bank }

          stolen-is-gone:
            hosts: ["**.bank.example"]
            never-trusts: { spki-file: anchors/other.pem }

          other-is-no-anchor:
            hosts: ["**.bank.example", "www.acme.example"]
            no-anchor: { spki-file: anchors/other.pem }

          as-default:
            hosts: all
            no-weaker-than: default

          as-baseline:
            hosts: ["**.bank.example"]
            no-weaker-than: { unit: ../baseline }

          gone:
            hosts: ["**.gone.example"]
            at-least: { pins: bound }

          over:
            hosts: ["**.bank.example"]
            at-least: { anchors: no-system }
            during: { from: 2026-01-01, until: 2026-10-31 }

        """

    static let at = ["--at", "2026-11-23"]

    /// A workshop whose unit has the policy and these assertions.
    static func workshop(_ text: String = assertions) throws -> Workshop {
        let workshop = try Workshop()
        try workshop.write("unit/policy.yaml", policy)
        try workshop.write("unit/policy.assert.yaml", text)
        try FileManager.default.createDirectory(
            at: workshop.folder.appending(path: "baseline"), withIntermediateDirectories: true)
        try workshop.write(
            "baseline/policy.yaml",
            """
            hawser: 1
            default: deny
            rules:
              all:
                hosts: ["**.bank.example"]
                anchors: [system]
                owner: platform
            """)
        return workshop
    }

    // MARK: Answers

    @Test("proves, and shows what does not hold")
    func text() throws {
        let run = try Self.workshop().run(["assert", "unit"] + Self.at)
        #expect(run.status == 1 && run.error.isEmpty)
        try expectGolden("assert-text", run)
    }

    @Test("ends with 0 where all is proved")
    func proved() throws {
        let workshop = try Self.workshop()
        let run = try workshop.run(["assert", "unit", "--run", "*-public-*"] + Self.at)
        #expect(run.status == 0)
        try expectGolden("assert-proved", run)
    }

    @Test(
        "every format says the same", arguments: ["json", "junit", "markdown", "sarif", "github"])
    func formats(_ format: String) throws {
        let workshop = try Self.workshop()
        let words =
            ["assert", "unit", "--run", "banking-*", "--run", "tls-floor", "--run", "gone"]
            + Self.at
        let run = try workshop.run(words + ["--format", format])
        #expect(run.status == 1 && run.error.isEmpty)
        try expectGolden("assert-\(format)", run)
        // The same in a file, beside the text.
        let both = try workshop.run(words + ["--output", "\(format)=out.txt"])
        let file = try String(
            contentsOf: workshop.folder.appending(path: "out.txt"), encoding: .utf8)
        #expect(both.status == 1 && both.output.hasPrefix("proved") && file == run.output)
    }

    @Test("a long answer is cut, and the rest is counted")
    func long() throws {
        let rules = (1...25).map { number in
            """
              r\(number):
                hosts: ["h\(number).bank.example"]
                anchors: [system]
                owner: web
            """
        }
        let workshop = try Self.workshop()
        try workshop.write(
            "unit/policy.yaml",
            "hawser: 1\ndefault: deny\nrules:\n" + rules.joined(separator: "\n") + "\n")
        try workshop.write(
            "unit/policy.assert.yaml",
            """
            hawser-assert: 1
            assertions:
              pinned:
                hosts: all
                at-least: { pins: bound }

            """)
        let text = try workshop.run(["assert", "unit"] + Self.at)
        #expect(
            text.output.contains(
                "\n  - and 5 more ways, for 5 classes of hosts, which `--format json` lists\n"),
            "\(text.transcript)")
        let github = try workshop.run(["assert", "unit", "--format", "github"] + Self.at)
        #expect(github.output.contains("25 refutations, 10 of them are annotations"))
        let page = try workshop.run(["assert", "unit", "--format", "html"] + Self.at)
        #expect(page.output.contains("h25.bank.example"))
    }

    @Test("the JSON is of its schema, whatever is answered")
    func schema() throws {
        let path = CommandRun.repository.appending(path: "grammar/assert-report.schema.json")
        let schema = try JSONSchema(text: String(contentsOf: path, encoding: .utf8))
        let workshop = try Self.workshop()
        for words in [["unit"], ["unit", "--run", "tls-floor"], ["unit", "--run", "absent"]] {
            let run = try workshop.run(["assert"] + words + Self.at + ["--format", "json"])
            #expect(try schema.violations(of: JSONDocument(text: run.output)) == [])
        }
    }

    @Test("lint reports what is refuted and stale")
    func lint() throws {
        let run = try Self.workshop().run(
            ["lint", "unit", "--select", "HW804,HW805"] + Self.at)
        #expect(run.status == 1)
        try expectGolden("assert-lint", run)
    }

    // MARK: Never in silence

    @Test("what cannot be asked ends with 2 in every format")
    func refused() throws {
        var pages: [String] = []
        func add(_ workshop: Workshop, _ words: String...) throws {
            let run = try workshop.run(["assert"] + words + Self.at)
            #expect(run.status == 2, "\(run.transcript)")
            pages.append(run.transcript)
        }
        let good = try Self.workshop()
        try add(good, "unit", "--run", "banking")
        try add(good, "unit", "--run", "banking", "--format", "json")
        try add(good, "unit", "--run", "banking", "--format", "junit")
        try add(good, "unit", "--run", "banking", "--format", "sarif")
        try add(good, "unit", "--run", "banking", "--format", "github")
        try add(good, "unit", "--run", "banking", "--format", "markdown")
        try add(good, "baseline")
        try add(good, "absent")
        try add(good, "unit", "--format", "ics")
        try add(good, "unit", "--output", "ics=x")
        try good.write("lone.assert.yaml", Self.assertions)
        try add(good, "lone.assert.yaml")
        try good.write("unit/more.assert.yml", Self.assertions)
        try add(good, "unit")
        let broken = try Self.workshop()
        try broken.write(
            "unit/policy.yaml", Self.policy.replacing("profile: org", with: "profile: orgs"))
        try add(broken, "unit")
        let other = try Self.workshop(
            "hawser-assert: 1\nassertions:\n  a:\n    hosts: all\n"
                + "    no-weaker-than: { unit: ../absent }\n")
        try add(other, "unit")
        let empty = try Self.workshop("hawser-assert: 1\nassertions: {}\n")
        try add(empty, "unit")
        try expectGolden("assert-refused", transcript: pages.joined(separator: "\n"))
    }

    @Test("a typing mistake is told at its place")
    func mistakes() throws {
        let workshop = try Self.workshop(
            """
            hawser-assert: 1
            assertions:
              a:
                hots: ["**.bank.example"]
                at-lest: { pins: bound }
              b:
                hosts: all
                at-least: { tls.minimum-versoin: tls1.3, anchors: [acne], pins: bounded }
              c:
                hosts: ["bank..example"]
                no-weaker-than: { rule: banc }
                during: { from: 2027-01-01, until: 2026-01-01 }
              d:
                hosts: all
                never-trusts: { spki-file: ../../etc/passwd }
            """)
        let run = try workshop.run(["assert", "unit"] + Self.at)
        #expect(run.status == 2)
        try expectGolden("assert-mistakes", run)
    }

    @Test("a folder above several units runs those with assertions")
    func several() throws {
        let workshop = try Self.workshop()
        try FileManager.default.createDirectory(
            at: workshop.folder.appending(path: "all/one/teams"), withIntermediateDirectories: true)
        try FileManager.default.createDirectory(
            at: workshop.folder.appending(path: "all/two"), withIntermediateDirectories: true)
        let policy = """
            hawser: 1
            default: deny
            rules:
              all:
                hosts: ["**.bank.example"]
                anchors: [system]
                owner: platform
            """
        try workshop.write("all/one/policy.yaml", policy)
        try workshop.write("all/two/policy.yaml", policy)
        try workshop.write(
            "all/one/teams/a.assert.yaml",
            """
            hawser-assert: 1
            assertions:
              tls:
                hosts: all
                at-least: { tls.minimum-version: tls1.2 }
                no-weaker-than: { unit: ../../two }
            """)
        let run = try workshop.run(["assert", "all"] + Self.at)
        #expect(run.status == 0, "\(run.transcript)")
        try expectGolden("assert-several", run)
        let file = try workshop.run(["assert", "all/one/teams/a.assert.yaml"] + Self.at)
        #expect(file.output == run.output && file.status == 0)
    }

    @Test("fmt formats files of assertions")
    func layout() throws {
        let workshop = try Self.workshop()
        let check = try workshop.run("fmt", "--check", "unit")
        #expect(check.output.contains("unit/policy.assert.yaml"), "\(check.transcript)")
        #expect(try workshop.run("fmt", "unit").status == 0)
        #expect(try workshop.run("fmt", "--check", "unit").status == 0)
        #expect(try workshop.run(["assert", "unit"] + Self.at).status == 1)
    }

    @Test("shells are offered the names")
    func completion() throws {
        let run = try Self.workshop().run(
            "---completion", "assert", "--", "--run", "4", "0", "hawser", "assert", "unit",
            "--run", "")
        #expect(run.output.contains("banking-is-strict") && run.output.contains("over"))
    }
}
