import Foundation
import Testing

/// The completion scripts; bash runs its script.
@Suite("hawser completions")
struct CompletionTests {
    @Test(
        "a script for each shell, the same that the parser writes",
        arguments: ["bash", "zsh", "fish"])
    func scripts(_ shell: String) throws {
        let workshop = try Workshop()
        let run = try workshop.run("completions", shell)
        #expect(run.status == 0 && run.error.isEmpty)
        let parser = try workshop.run("--generate-completion-script", shell)
        // What the parser writes knows no word with a colon in bash.
        #expect(shell == "bash" ? run.output.hasPrefix(parser.output) : run.output == parser.output)
        for command in ["init", "lint", "explain", "completions"] {
            #expect(run.output.contains(command), "\(command)")
        }
    }

    @Test("no script for another shell")
    func unknown() throws {
        let run = try Workshop().run("completions", "tcsh")
        #expect(run.status == 2 && run.output.isEmpty && run.error.contains("fish"))
    }

    /// What bash offers at the end of a line, which it parts into these words.
    private static func offered(
        _ words: [String], line: String, in workshop: Workshop
    ) throws -> [String] {
        try workshop.write("hawser.bash", workshop.run("completions", "bash").output)
        let quoted = words.map { "'\($0)'" }.joined(separator: " ")
        let last = words.last == ":" ? "" : words.last ?? ""
        try workshop.write(
            "ask.bash",
            """
            source ./hawser.bash
            COMP_WORDS=(hawser \(quoted))
            COMP_CWORD=\(words.count)
            COMP_LINE='hawser \(line)'
            COMP_POINT=${#COMP_LINE}
            _hawser_whole_words hawser '\(last)' '\(words.dropLast().last ?? "hawser")'
            printf '%s\\n' "${COMPREPLY[@]}"

            """)
        return try Bash.output("bash --norc ask.bash 2>&1", in: workshop)
            .split(separator: "\n").map(String.init)
    }

    @Test("a word with a colon is one word for bash", .enabled(if: Bash.isThere))
    func colons() throws {
        let workshop = try Self.policyWorkshop()
        func offered(_ words: [String], _ line: String) throws -> [String] {
            try Self.offered(words, line: line, in: workshop)
        }
        #expect(try offered(["diff", "git", ":"], "diff git:") == ["HEAD", "INDEX"])
        #expect(try offered(["diff", "git", ":", "IN"], "diff git:IN") == ["INDEX"])
        #expect(try offered(["diff", "git\\:IN"], "diff git\\:IN") == ["git:INDEX"])
        #expect(
            try offered(["diff", "git", ":", "HEAD", "git", ":", "IN"], "diff git:HEAD git:IN")
                == ["INDEX"])
        #expect(try offered(["diff", "git", ":", "HEAD", "un"], "diff git:HEAD un") == ["unit"])
        #expect(
            try offered(
                ["show", "--policy", "unit", "vault.acme.example", ":", "8"],
                "show --policy unit vault.acme.example:8") == ["8200"])
        #expect(try offered(["lint", "--le"], "lint --le") == ["--level"])
    }

    /// What bash offers for the last word of a line.
    private static func offered(_ words: [String], in workshop: Workshop) throws -> [String] {
        try workshop.write("hawser.bash", workshop.run("completions", "bash").output)
        let quoted = words.map { "'\($0)'" }.joined(separator: " ")
        try workshop.write(
            "ask.bash",
            """
            source ./hawser.bash
            COMP_WORDS=(hawser \(quoted))
            COMP_CWORD=\(words.count)
            COMP_LINE="hawser \(words.joined(separator: " "))"
            COMP_POINT=${#COMP_LINE}
            _hawser hawser '\(words.last ?? "")' '\(words.dropLast().last ?? "hawser")'
            printf '%s\\n' "${COMPREPLY[@]}"

            """)
        return try Bash.output("bash --norc ask.bash 2>&1", in: workshop)
            .split(separator: "\n").map(String.init)
    }

    /// A policy with a host on a port, a profile and a wildcard.
    private static func policyWorkshop() throws -> Workshop {
        let workshop = try Workshop()
        try workshop.write(
            "unit/policy.yaml",
            Workshop.policy + """
                  vault:
                    hosts:
                      - "vault.acme.example:8200"
                      - "10.0.0.1"
                    anchors: [acme]

                """)
        return workshop
    }

    @Test("bash offers the rules, profiles and hosts of the policy", .enabled(if: Bash.isThere))
    func policyWords() throws {
        let workshop = try Self.policyWorkshop()
        func offered(_ words: String...) throws -> [String] {
            try Self.offered(words, in: workshop)
        }
        let asked = ["explain", "api.acme.example", "--policy", "unit", "--why-not"]
        #expect(
            try Self.offered(asked + [""], in: workshop)
                == ["api", "bare", "default", "other-pin", "partners", "vault"])
        #expect(try Self.offered(asked + ["pa"], in: workshop) == ["partners"])
        #expect(try offered("show", "--policy", "unit", "--profile", "o") == ["org"])
        #expect(
            try offered("show", "--policy", "unit", "--profile", "")
                == ["ats", "baseline", "org"])
        // Wildcards are not hosts.
        let hosts = ["10.0.0.1", "api.acme.example", "pinned.acme.example"]
        for command in ["show", "explain", "fetch"] {
            #expect(
                try offered(command, "--policy", "unit", "")
                    == hosts + ["vault.acme.example:8200"], "\(command)")
        }
        // Bash gives `=` as a word of its own.
        #expect(
            try offered("explain", "a.example", "--policy", "=", "unit", "--why-not", "pa")
                == ["partners"])
        #expect(try workshop.run("compile", "unit", "-o", "policy.hwt").status == 0)
        #expect(try offered("show", "--table", "policy.hwt", "pin") == ["pinned.acme.example"])
        // Nothing, without a message, where the policy is missing or broken.
        #expect(try offered("show", "--policy", "nowhere", "") == [])
        #expect(try offered("show", "") == [])
        try workshop.write("unit/policy.yaml", "hawser: 1\n")
        #expect(try offered("show", "--policy", "unit", "") == [])
    }

    @Test(
        "the revisions of the repository are offered for `diff` and for `--base`",
        .enabled(if: Bash.isThere && GitWorkshop.isHere))
    func revisions() throws {
        let shop = try GitWorkshop()
        try shop.write("trust/policy.yaml", GitHookTests.policy())
        try shop.commit("one")
        try shop.git(["branch", "team/topic"])
        try shop.git(["tag", "v1.0"])
        try shop.git(["tag", "bad`name$(touch", "HEAD"])
        func offered(_ words: String..., shell: String = "fish") throws -> [String] {
            let place = words.contains("--base") ? "--base" : "positional@0"
            let run = try CommandRun(
                ["---completion", words[0], "--", place, "\(words.count)", "99", "hawser"] + words,
                in: shop.repository,
                environment: shop.environment.merging([
                    "SAP_SHELL": shell, "SAP_SHELL_VERSION": "5",
                ]) { $1 })
            #expect(run.status == 0 && run.error.isEmpty, "\(run.transcript)")
            // The run's own files lie in the folder, too.
            return run.output.split(separator: "\n").map(String.init)
                .filter { !$0.hasPrefix("std") }
        }
        let names = ["main", "team/topic", "v1.0"]
        for command in ["diff", "lint"] {
            #expect(try offered(command, "--base", "") == names, "\(command)")
        }
        #expect(try offered("diff", "") == ["git:HEAD", "git:INDEX", "none", "trust/"])
        #expect(
            try offered("diff", "trust/") == ["git:HEAD", "git:INDEX", "none", "trust/policy.yaml"])
        let all = ["git:HEAD", "git:INDEX"] + names.map { "git:" + $0 }
        #expect(try offered("diff", "git:ma") == all)
        // A colon is quoted for zsh, where it begins a description.
        #expect(
            try offered("diff", "git:", shell: "zsh").starts(
                with: all.map { $0.replacing(":", with: "\\:") }))
        // Outside any repository only files are offered.
        let loose = try Workshop()
        #expect(
            try Self.offered(["diff", "un"], in: loose) == ["unit"])
        #expect(try Self.offered(["diff", "--base", ""], in: loose) == [])
    }

    @Test("the scripts of zsh and fish ask the command", arguments: ["zsh", "fish"])
    func otherShells(_ shell: String) throws {
        let workshop = try Self.policyWorkshop()
        let script = try workshop.run("completions", shell).output
        for call in ["explain -- --why-not", "show -- --profile"] {
            #expect(script.contains("---completion \(call)"), "\(call)")
        }
        let run = try CommandRun(
            [
                "---completion", "show", "--", "positional@0", "4", "0", "hawser", "show",
                "--policy", "unit", "",
            ], in: workshop.folder,
            environment: ["SAP_SHELL": shell, "SAP_SHELL_VERSION": "1"])
        #expect(run.status == 0 && run.error.isEmpty, "\(run.transcript)")
        // A colon is quoted for zsh, where it begins a description.
        let vault = shell == "zsh" ? "vault.acme.example\\:8200" : "vault.acme.example:8200"
        #expect(run.output.split(separator: "\n").contains(vault[...]), "\(run.output)")
    }

    @Test("bash offers commands, options, words and files", .enabled(if: Bash.isThere))
    func bash() throws {
        let workshop = try Workshop()
        func offered(_ words: String...) throws -> [String] {
            try Self.offered(words, in: workshop)
        }
        #expect(try offered("ex") == ["explain", "export"])
        #expect(try offered("lint", "--le") == ["--level"])
        #expect(try offered("lint", "--level", "st") == ["strict"])
        #expect(try offered("lint", "--format", "sa") == ["sarif"])
        #expect(
            try offered("show", "--format", "") == ["text", "json", "flat", "markdown", "html"])
        #expect(try offered("lint", "--fail-on", "w") == ["warning"])
        #expect(try offered("rule", "HW21").contains("HW211"))
        #expect(try offered("schema", "tr") == ["trace"])
        #expect(try offered("lint", "un") == ["unit"])
        #expect(try offered("explain", "a.example", "--chain", "self") == ["self-signed.pem"])
        #expect(try offered("init", "un") == ["unit"])
    }
}
