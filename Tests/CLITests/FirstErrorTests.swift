import EvidenceServer
import Foundation
import TestPKI
import Testing

/// Errors of the command itself: printed once, in one voice, and before anything else is done.
@Suite("errors of the command")
struct FirstErrorTests {
    private static let broken = Workshop.policy.replacing("[acme]", with: "[acmee]")

    /// Runs a line of a shell in the workshop, with both streams in one log as hooks have them.
    private static func log(_ line: String, in folder: URL) throws -> (text: String, status: Int32)
    {
        let process = Process()
        process.executableURL = URL(filePath: "/bin/sh")
        process.arguments = [
            "-c", "hawser() { \"$HAWSER\" \"$@\"; }; { \(line); } >log.txt 2>&1",
        ]
        process.currentDirectoryURL = folder
        process.environment = [
            "PATH": "/usr/bin:/bin", "HAWSER": try CommandRun.executable().path,
        ]
        process.standardInput = FileHandle.nullDevice
        try process.run()
        process.waitUntilExit()
        let text = try String(contentsOf: folder.appending(path: "log.txt"), encoding: .utf8)
        return (text, process.terminationStatus)
    }

    @Test("the hooks of one commit print an error of the policy once, and then where it is")
    func hooks() throws {
        let workshop = try Workshop()
        try workshop.write("unit/policy.yaml", Self.broken)
        try workshop.write(
            "unit/policy.test.yaml",
            "hawser-test: 1\nat: 2026-06-01\ncases:\n  a: { host: a.example, expect: { rule: x } }\n"
        )
        try workshop.write(
            "unit/policy.assert.yaml",
            """
            hawser-assert: 1
            assertions:
              modern: { hosts: all, at-least: { tls.minimum-version: tls1.2 } }

            """)
        let lint = try Self.log("hawser lint --format concise", in: workshop.folder)
        #expect(lint.text.contains("no anchor set is called `acmee`"))
        for gate in ["test", "assert"] {
            let run = try Self.log("hawser \(gate)", in: workshop.folder)
            #expect(run.status == 2)
            let lines = run.text.split(separator: "\n")
            #expect(lines.count == 1, "\(run.text)")
            #expect(
                lines[0].hasPrefix("error: the policy of `unit` does not compile, so "),
                "\(run.text)")
            #expect(run.text.contains("HW105 at unit/policy.yaml:23:15: "), "\(run.text)")
            #expect(run.text.contains("`hawser check unit` shows every error"), "\(run.text)")
        }
    }

    @Test(
        "an answer that is an error is printed once where both streams are one log",
        arguments: ["diff", "assert", "forecast"])
    func once(_ command: String) throws {
        let workshop = try Workshop()
        try FileManager.default.removeItem(at: workshop.folder.appending(path: "unit"))
        let run = try Self.log("hawser \(command)", in: workshop.folder)
        #expect(run.status == 2)
        #expect(run.text.matches(of: /there is no `policy.yaml`/).count == 1, "\(run.text)")
        #expect(run.text.hasPrefix("error: "), "\(run.text)")
        // In a file of its own, standard output still has the reason.
        let apart = try workshop.run(command)
        #expect(apart.output.contains("there is no `policy.yaml`"), "\(apart.transcript)")
    }

    @Test("`check` takes files of several units and checks each unit once")
    func checkOfSeveral() throws {
        let workshop = try Workshop(old: Self.broken, new: Workshop.policy)
        try workshop.write("old/web.policy.yaml", "hawser: 1\n")
        let run = try workshop.run(
            "check", "--format", "concise", "old/policy.yaml", "old/web.policy.yaml",
            "new/policy.yaml")
        #expect(run.status == 1, "\(run.transcript)")
        #expect(run.output.hasPrefix("old/policy.yaml:23:15: error[HW105]"), "\(run.transcript)")
        #expect(run.output.matches(of: /policy.yaml:23:15/).count == 1, "\(run.transcript)")
        let good = try workshop.run("check", "unit/policy.yaml", "new/policy.yaml")
        #expect(good.status == 0)
        #expect(good.error == "2 files of 2 units checked: nothing found\n")
    }

    @Test(
        "the parser's errors have the voice of all others",
        arguments: [
            (
                ["inspect"],
                "error: missing expected argument `<file>`\nhelp: <file>  The table file, the filter, "
                    + "or a directory of filters with its index.\nusage: "
            ),
            (["lint", "--fxi"], "error: unknown option `--fxi`; did you mean `--fix`?\nusage: "),
            (
                ["lint", "--format", "yaml"],
                "error: the value `yaml` is invalid for `--format <format>`; it takes one of the following:"
            ),
            (["pin", "--connect"], "error: missing value for `--connect <connect>`\n"),
            (["show", "a.example", "isn't"], "error: unexpected argument `isn't`\n"),
        ])
    func voice(_ arguments: [String], _ text: String) throws {
        let run = try Workshop().run(arguments)
        #expect(run.status == 2)
        #expect(run.error.hasPrefix(text), "\(run.transcript)")
        #expect(!run.error.contains("Error:") && !run.error.contains("Usage:"))
        #expect(run.error.hasSuffix("  `hawser \(arguments[0]) --help` says more\n"))
    }

    @Test("an error of the parser is JSON where JSON was asked for, in the same words")
    func voiceOfJSON() throws {
        let run = try Workshop().run("show", "a.example", "--format", "json", "--bogus")
        #expect(run.output.contains(#""error": "unknown option `--bogus`""#), "\(run.transcript)")
    }

    @Test(
        "an IPv6 address that may end in a port is refused before anything is asked",
        arguments: [
            ("::1:7515", "`[::1]:7515`; without a port it is `[::1:7515]`"),
            ("2001:db8::5:443", "`[2001:db8::5]:443`; without a port it is `[2001:db8::5:443]`"),
            ("1:2:3:4:5:6:7:8:443", "`[1:2:3:4:5:6:7:8]:443`"),
            ("one:two:443", "has several colons and is not an IPv6 address"),
        ])
    func brackets(_ address: String, _ says: String) throws {
        let workshop = try Workshop()
        for words in [
            ["explain", "api.acme.example", "--policy", "nowhere"], ["pin"],
            ["forecast", "api.acme.example", "--policy", "nowhere"],
        ] {
            let run = try workshop.run(words + ["--connect", address])
            #expect(run.status == 2)
            if words[0] != "forecast" {
                #expect(run.error.contains(says), "\(run.transcript)")
            }
        }
    }

    @Test(
        "an IPv6 address without a port is taken without brackets", arguments: ["::1", "fe80::a"])
    func withoutBrackets(_ host: String) throws {
        let run = try Workshop().run("show", host, "--policy", "unit")
        #expect(run.status == 0, "\(run.transcript)")
    }

    // MARK: Standard input

    private static func lint(
        _ text: String, _ arguments: String..., in workshop: Workshop
    ) throws -> CommandRun {
        try workshop.write("typed.yaml", text)
        return try CommandRun(
            ["lint", "-", "--at", "2026-06-01", "--format", "concise"] + arguments,
            in: workshop.folder, input: workshop.folder.appending(path: "typed.yaml"))
    }

    @Test(
        "`lint -` reads a policy from standard input, by itself or in place of a file of its unit")
    func input() throws {
        let workshop = try Workshop()
        let alone = try Self.lint(
            "hawser: 1\ndefault: deny\nrules:\n  a: { hosts: [\"a.example\"], anchors: [sistem], owner: x }\n",
            in: workshop)
        #expect(alone.status == 1)
        #expect(alone.output.hasPrefix("standard input:4:"), "\(alone.transcript)")
        let edited = try Self.lint(
            Self.broken, "--stdin-filename", "unit/policy.yaml", in: workshop)
        #expect(
            edited.output.contains("unit/policy.yaml:23:15: error[HW105]"), "\(edited.transcript)")
        // The file on disk is not linted, and the files beside it are.
        try workshop.write("unit/policy.yaml", Self.broken)
        let mended = try Self.lint(
            Workshop.policy, "--stdin-filename", "unit/policy.yaml", in: workshop)
        #expect(!mended.output.contains("HW105"), "\(mended.transcript)")
        #expect(!mended.output.contains("error["), "\(mended.transcript)")
        let new = try Self.lint(
            "hawser: 1\nrules:\n  b: { hosts: [\"b.example\"], anchors: [nobody] }\n",
            "--stdin-filename", "unit/web.policy.yaml", in: workshop)
        #expect(new.output.contains("unit/web.policy.yaml:3:"), "\(new.transcript)")
    }

    @Test("`lint -` reports what saving the text would make of the unit: a second `policy.yaml`")
    func inputInPlaceOfNothing() throws {
        let workshop = try Workshop()
        try FileManager.default.createDirectory(
            at: workshop.folder.appending(path: "unit/web"), withIntermediateDirectories: true)
        let run = try Self.lint(
            "hawser: 1\n", "--stdin-filename", "unit/web/policy.yaml", in: workshop)
        #expect(run.output.contains("unit/web/policy.yaml:1:1: error[HW013]"), "\(run.transcript)")
        #expect(run.status == 1)
    }

    @Test(
        "`lint -` refuses what standard input cannot be",
        arguments: [
            (["--fix"], "`--fix` writes into files"),
            (["--base", "HEAD"], "`--base` asks a repository"),
            (["unit"], "`-` stands alone"),
            (["--stdin-filename", "unit/notes.yaml"], "does not have the name of a policy file"),
        ])
    func inputRefused(_ options: [String], _ says: String) throws {
        let workshop = try Workshop()
        try workshop.write("typed.yaml", Workshop.policy)
        let run = try CommandRun(
            ["lint", "-"] + options, in: workshop.folder,
            input: workshop.folder.appending(path: "typed.yaml"))
        #expect(run.status == 2 && run.error.contains(says), "\(run.transcript)")
        let named = try workshop.run("lint", "unit", "--stdin-filename", "x.yaml")
        #expect(named.status == 2 && named.error.contains("is for `-`"))
    }

    // MARK: A terminal

    @Test(
        "a report is not poured into a terminal, and is written to a pipe",
        .enabled(if: FileManager.default.isExecutableFile(atPath: "/usr/bin/script")))
    func terminal() throws {
        let workshop = try Workshop()
        let run = try Self.log(
            "script -qec \"$HAWSER report unit\" /dev/null", in: workshop.folder)
        #expect(run.status == 2 && !run.text.contains("<html"), "\(run.text.prefix(400))")
        #expect(run.text.contains("`hawser report unit -o report.html`"), "\(run.text.prefix(400))")
        let json = try Self.log(
            "script -qec \"$HAWSER report unit --format json\" /dev/null", in: workshop.folder)
        #expect(json.status == 0 && json.text.contains("hawser/unit-report/1"))
        let pipe = try Self.log("hawser report unit | cat", in: workshop.folder)
        #expect(pipe.text.hasPrefix("<!DOCTYPE html>"))
    }

    // MARK: The server's default certificate

    private static let named = Workshop.issuing.issueLeaf(
        dns: ["named.acme.example"], key: .p256("cli-sni"))

    @Test(
        "a certificate of another name is told by what the server shows without a name",
        .enabled(if: LoopbackServer.command != nil, "this machine has no openssl command"))
    func defaultCertificate() throws {
        let workshop = try Workshop()
        // The default is of `api`; for the name `www` the server has a certificate of another name.
        let server = try LoopbackServer(
            leaf: Workshop.leaf.pem, others: Workshop.issuing.pem,
            key: Workshop.leaf.key.privateKeyPEM,
            options: [
                "-servername", "www.acme.example", "-cert2", "named.pem", "-key2", "named-key.pem",
            ],
            files: [
                "named.pem": Array(Self.named.pem.utf8),
                "named-key.pem": Array(Self.named.key.privateKeyPEM.utf8),
            ])
        func explain(_ host: String, _ more: String...) throws -> CommandRun {
            try CommandRun(
                [
                    "explain", host, "--policy", "unit", "--at", "2026-06-01", "--connect",
                    "127.0.0.1:\(server.port)", "--format", "json",
                ] + more, in: workshop.folder)
        }
        let other = try explain("mail.acme.example")
        #expect(other.status == 1, "\(other.transcript)")
        #expect(
            other.output.contains(
                "the server shows the same certificate without a server name (`--no-sni`): it is its "
                    + "default certificate, and it has no other for `mail.acme.example`"),
            "\(other.transcript)")
        let selected = try explain("www.acme.example")
        #expect(
            selected.output.contains(
                "without a server name (`--no-sni`) the server shows another certificate, "),
            "\(selected.transcript)")
        let unnamed = try explain("www.acme.example", "--no-sni")
        #expect(
            unnamed.output.contains("no server name was sent, as `--no-sni` asks"),
            "\(unnamed.transcript)")
        #expect(unnamed.output.contains("api.acme.example"), "\(unnamed.transcript)")
        let good = try explain("api.acme.example")
        #expect(!good.output.contains("--no-sni"), "\(good.transcript)")
        let refused = try workshop.run(
            "explain", "api.acme.example", "--policy", "unit", "--chain", "chain.pem", "--no-sni")
        #expect(refused.status == 2 && refused.error.contains("`--no-sni` is for a server"))
    }
}
