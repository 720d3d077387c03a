import Foundation
import Testing

/// `hawser diff --write-allowance`, and what an allowance must hold.
@Suite("hawser diff --write-allowance")
struct DiffWriteAllowanceTests {
    private static func policy(
        preset: String = "require", rules: String = "", note: String = "one"
    ) -> String {
        """
        hawser: 1
        default: deny
        anchors:
          acme:
            files: [anchors/root.pem]
            note: \(note)
          others:
            files: [anchors/other.pem]
        rules:
          cdn:
            hosts:
              - "**.cdn.example"
              - "*.pay.example:8443"
            anchors: [acme]
            revocation: { preset: \(preset) }
            owner: web
        \(rules)
        """
    }

    private static let open = """
          fresh:
            hosts:
              - "fresh.example"
            anchors: [acme]
            owner: web
        """

    private static func diff(_ workshop: Workshop, _ arguments: String...) throws -> CommandRun {
        try CommandRun(
            ["diff", "old", "new", "--at", "2026-06-01", "--require", "no-weaker"] + arguments,
            in: workshop.folder, environment: CommandRun.wide)
    }

    private static let decided = [
        "--owner", "web", "--reason", "the \"responder\" is: replaced", "--until", "2026-08-31",
    ]

    @Test("what is written lets exactly this change pass")
    func written() throws {
        let workshop = try Workshop(
            old: Self.policy(), new: Self.policy(preset: "best-effort", rules: Self.open))
        let write = ["--write-allowance", "review.allow.yaml"] + Self.decided
        let first = try workshop.run(
            ["diff", "old", "new", "--at", "2026-06-01", "--require", "no-weaker"] + write)
        // Nothing is allowed yet, and nothing that is written counts in the same run.
        #expect(first.status == 1)
        #expect(first.error.contains("wrote 2 allowances to `review.allow.yaml`"), "\(first.error)")
        let file = workshop.folder.appending(path: "review.allow.yaml")
        let text = try String(contentsOf: file, encoding: .utf8)
        #expect(text.contains("- \"new body "), "\(text)")
        #expect(try workshop.run("fmt", "--check", "review.allow.yaml").status <= 1)
        let allowed = try Self.diff(workshop, "--allow", "review.allow.yaml")
        #expect(allowed.status == 0 && allowed.error == "", "\(allowed.transcript)")
        // A change that is already allowed is not written again.
        let again = try workshop.run(
            ["diff", "old", "new", "--at", "2026-06-01", "--allow", "review.allow.yaml"] + write)
        #expect(again.error.contains("nothing needs an allowance"), "\(again.error)")
        #expect(try String(contentsOf: file, encoding: .utf8) == text)
        // Another change is added behind it.
        try workshop.write(
            "new/policy.yaml",
            Self.policy(
                preset: "best-effort",
                rules: Self.open + "\n" + Self.open.replacing("fresh", with: "more")))
        let more = try workshop.run(
            ["diff", "old", "new", "--at", "2026-06-01"] + write)
        #expect(more.error.contains("`decision-2`"), "\(more.error)")
        let both = try String(contentsOf: file, encoding: .utf8)
        #expect(both.hasPrefix(text) && both.count > text.count)
    }

    @Test("the digest is of the body, and no other edit of the policy changes it")
    func digest() throws {
        let workshop = try Workshop(old: Self.policy(), new: Self.policy(rules: Self.open))
        let run = try Self.diff(
            workshop, "--write-allowance", "a.yaml", "--owner", "web", "--reason", "new",
            "--until", "2026-08-31")
        let line = try #require(
            run.output.split(separator: "\n").first { $0.contains("new body ") })
        // A stricter cdn, a note and one more denied rule are another policy with the same body.
        try workshop.write(
            "new/policy.yaml",
            Self.policy(rules: Self.open, note: "two")
                .replacing(
                    "    revocation:", with: "    keys: { rsa-minimum: 3072 }\n    revocation:"))
        let other = try Self.diff(workshop, "--allow", "a.yaml")
        #expect(other.status == 0 && other.error == "", "\(other.transcript)")
        #expect(other.output.contains(line))
        // Another anchor of the same rule is another body.
        try workshop.write(
            "new/policy.yaml",
            Self.policy(
                rules: Self.open.replacing("anchors: [acme]", with: "anchors: [acme, others]")))
        let wider = try Self.diff(workshop, "--allow", "a.yaml")
        #expect(wider.status == 1 && wider.error.contains("HW609"), "\(wider.transcript)")
    }

    @Test("who decides, why and until when are required, and refused where they cannot hold")
    func required() throws {
        let workshop = try Workshop(old: Self.policy(), new: Self.policy(preset: "best-effort"))
        let write = ["--write-allowance", "a.yaml"]
        let dated = write + Self.decided.dropLast()
        let refused: [([String], String)] = [
            (write, "takes `--owner` and `--reason` and `--until`, too"),
            (write + Self.decided.dropLast(2), "takes `--until`, too"),
            (["--owner", "web"], "`--owner` is for `--write-allowance`"),
            (["--allow-base"], "`--allow-base` is for `--allow`"),
            (dated + ["2026-05-31"], "is over already"),
            (dated + ["2027-05-31"], "more than 180 days away"),
        ]
        for (arguments, words) in refused {
            let run = try workshop.run(["diff", "old", "new", "--at", "2026-06-01"] + arguments)
            #expect(run.status == 2 && run.error.contains(words), "\(run.transcript)")
        }
        #expect(
            !FileManager.default.fileExists(
                atPath: workshop.folder.appending(path: "a.yaml").path))
    }
}
