import Foundation
import TestPKI
import Testing

/// What a person types where a file, a host or a policy is wanted: pipes, URLs, tables.
@Suite("what the command line takes")
struct InputTests {
    private static let question = [
        "explain", "api.acme.example", "--policy", "unit", "--at", "2026-06-01",
    ]

    /// What `openssl s_client -showcerts` writes: text around the certificates, in their order.
    private static let session = """
        CONNECTED(00000003)
        ---
        Certificate chain
         0 s:CN = api.acme.example
           i:CN = Acme Issuing
        \(Workshop.leaf.pem) 1 s:CN = Acme Issuing
           i:CN = Acme Root
        \(Workshop.issuing.pem)---
        Server certificate
        subject=CN = api.acme.example
        ---
        No client certificate CA names sent
        DONE

        """

    private func run(_ arguments: [String], _ input: String) throws -> CommandRun {
        let workshop = try Workshop()
        try workshop.write("input", input)
        return try CommandRun(
            arguments, in: workshop.folder, input: workshop.folder.appending(path: "input"))
    }

    @Test("`--chain -` reads what openssl s_client shows")
    func chain() throws {
        let piped = try run(Self.question + ["--chain", "-"], Self.session)
        let file = try Workshop().run(Self.question + ["--chain", "chain.pem"])
        #expect(piped.status == 0)
        #expect(piped.error.isEmpty)
        #expect(
            piped.output.replacingOccurrences(of: "--chain -", with: "--chain chain.pem")
                == file.output)
    }

    @Test("process substitution and a FIFO are read", .enabled(if: Bash.isThere))
    func substitution() throws {
        let workshop = try Workshop()
        let text = try Bash.output(
            """
            hawser explain api.acme.example --policy unit --at 2026-06-01 --chain <(cat chain.pem)
            mkfifo fifo
            cat chain.pem > fifo &
            hawser explain api.acme.example --policy unit --at 2026-06-01 --chain fifo
            cat chain.pem | hawser pin -
            hawser pin <(cat leaf.der)
            """, in: workshop)
        let lines = text.split(separator: "\n")
        #expect(lines.count { $0.hasPrefix("accept ") } == 2)
        #expect(lines.count { $0.contains("sha256/") } >= 2)
    }

    @Test("what standard input cannot give is said")
    func refusals() throws {
        var page = ""
        for (arguments, input) in [
            (Self.question + ["--chain", "-"], ""),
            (Self.question + ["--chain", "-"], "connect: Connection refused\n"),
            (Self.question + ["--chain", "-"], "-----BEGIN CERTIFICATE-----\n"),
            (Self.question + ["--chain", "-", "--crl", "-"], Self.session),
            (Self.question + ["--chain", "chain.pem", "--crl", "-", "--crl", "-"], ""),
            (Self.question + ["--chain", "chain.pem", "--ocsp", "-"], Self.session),
            (["pin", "-", "-"], Self.session),
            // A policy and its files are regular files.
            (
                ["explain", "api.acme.example", "--policy", "-", "--chain", "chain.pem"],
                "hawser: 1"
            ),
            (["show", "api.acme.example", "--table", "-"], ""),
        ] {
            let run = try run(arguments, input)
            #expect(run.status == 2)
            page += run.transcript
        }
        try expectGolden("input-refusals", transcript: page)
    }

    @Test("the port of `--connect` is the host's, unless the host has one")
    func ports() throws {
        let workshop = try Workshop()
        try workshop.write(
            "unit/policy.yaml",
            Workshop.policy + """
                  vault:
                    hosts:
                      - "vault.example:8200"
                    anchors: [acme]

                """)
        var page = ""
        // `--why-not` asks only the policy, so the command does not connect.
        for words in [
            ["vault.example", "--connect", "127.0.0.1:8200"],
            ["vault.example:443", "--connect", "127.0.0.1:8200"],
            ["vault.example:8200", "--connect", "127.0.0.1:8200"],
            ["vault.example", "--connect", "127.0.0.1"],
            ["vault.example", "--connect", "[::1]:8200", "--starttls", "ldap"],
            ["vault.example", "--connect", "127.0.0.1", "--starttls", "ldap"],
        ] {
            let run = try workshop.run(
                ["explain"] + words + ["--policy", "unit", "--why-not", "vault"])
            #expect(run.status == 0)
            page += run.transcript
        }
        try expectGolden("connect-ports", transcript: page)
    }

    @Test("patterns that come near are named where none matches")
    func near() throws {
        let workshop = try Workshop()
        try workshop.write(
            "unit/policy.yaml",
            Workshop.policy + """
                  pay:
                    hosts:
                      - "api.pay.example:8443"
                      - "**.svc.example"
                      - "api.payments.example"
                    anchors: [acme]

                """)
        var page = ""
        for host in [
            "api.pay.example", "svc.example", "api.paymets.example", "a.b.partner.example",
            "elsewhere.test",
        ] {
            page += try workshop.run("show", host, "--policy", "unit").transcript
            page += try workshop.run(
                "explain", host, "--policy", "unit", "--chain", "chain.pem", "--at", "2026-06-01"
            ).transcript
        }
        page += try workshop.run(
            "show", "api.pay.example", "--policy", "unit", "--format", "json"
        ).transcript
        try expectGolden("near-patterns", transcript: page)
    }

    @Test("a URL as a host, a table as a policy, a word that is no command")
    func slips() throws {
        let workshop = try Workshop()
        _ = try workshop.run("compile", "unit", "-o", "policy.hwt")
        var page = ""
        for arguments in [
            ["show", "https://www.example.com/a?b#c"], ["show", "https://www.example.com:8443"],
            ["show", "https://me:secret@[2001:db8::1]/"], ["show", "ldaps://ldap.example.com"],
            ["explain", "api.acme.example", "--policy", "policy.hwt", "--chain", "chain.pem"],
            ["show", "api.acme.example", "--policy=policy.hwt"],
            ["show", "--profile", "org", "--policy", "policy.hwt"],
            ["check", "policy.hwt"], ["lint", "policy.hwt"], ["fmt", "policy.hwt"],
            ["compile", "policy.hwt", "-o", "other.hwt"],
            ["explian", "api.acme.example"], ["valdate"], ["lnit", "unit"],
            ["lint", "unit", "--fxi"],
            ["explain", "api.acme.example", "--chain", "chain.pem", "--starttls", "smtp"],
            ["pin", "chain.pem", "--starttls", "imap"],
            ["explain", "api.acme.example", "--connect", "127.0.0.1:1", "--starttls", "irc"],
        ] {
            let run = try workshop.run(arguments)
            #expect(run.status == 2, "\(arguments)")
            page += run.transcript
        }
        try expectGolden("slips", transcript: page)
    }

    @Test("`compile` takes the current folder, named or not")
    func here() throws {
        let workshop = try Workshop()
        let unit = workshop.folder.appending(path: "unit")
        let named = try CommandRun(["compile", ".", "-o", "a.hwt"], in: unit)
        let unnamed = try CommandRun(["compile", "-o", "b.hwt"], in: unit)
        #expect(named.status == 0 && unnamed.status == 0)
        #expect(
            try Data(contentsOf: unit.appending(path: "a.hwt"))
                == Data(contentsOf: unit.appending(path: "b.hwt")))
    }
}

/// Scripts of bash, in which `hawser` is the built command.
enum Bash {
    static let isThere = FileManager.default.isExecutableFile(atPath: "/bin/bash")

    /// The standard output of a script. Its standard error goes to the standard error of the tests.
    static func output(_ script: String, in workshop: Workshop) throws -> String {
        let process = Process()
        process.executableURL = URL(filePath: "/bin/bash")
        process.arguments = ["--norc", "-c", script]
        process.currentDirectoryURL = workshop.folder
        let command = try CommandRun.executable().deletingLastPathComponent().path
        process.environment = ["PATH": "\(command):/usr/bin:/bin", "TERM": "dumb"]
        let pipe = Pipe()
        process.standardOutput = pipe
        process.standardInput = FileHandle.nullDevice
        try process.run()
        let output = try pipe.fileHandleForReading.readToEnd() ?? Data()
        process.waitUntilExit()
        return String(decoding: output, as: UTF8.self)
    }
}
