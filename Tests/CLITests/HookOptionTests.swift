import Rendering
import Testing

@testable import HawserCommand

/// The options that are read without the argument parser are the parser's own.
@Suite("options of hooks")
struct HookOptionTests {
    /// An option as both readers have it.
    private struct Option: Hashable {
        let names: Set<String>
        let isFlag: Bool
    }

    private static func listed<Call>(_ options: [HookOption<Call>]) -> [Option] {
        options.map { Option(names: Set($0.names), isFlag: $0.isFlag) }
    }

    /// The options of a command by the parser's own description.
    private static func parsed(_ command: String) throws -> Set<Option> {
        let all = try CommandDescription.hawser().subcommands
        let found = try #require(all.first { $0.name == command })
        return Set(
            found.arguments.filter { $0.kind != .positional }
                .map { Option(names: Set($0.names), isFlag: $0.kind == .flag) })
    }

    @Test("lint and check have every option of the parser, each once and with its arity")
    func whole() throws {
        for (command, options) in [
            ("lint", Self.listed(LintRun.options)), ("check", Self.listed(PolicyCheck.options)),
        ] {
            let parsed = try Self.parsed(command)
            #expect(Set(options) == parsed, "\(command)")
            #expect(Set(options).count == options.count, "\(command)")
        }
    }

    @Test("fmt has options of the parser; the name of standard input is left to it")
    func layout() throws {
        let options = Set(Self.listed(PolicyLayout.options))
        let parsed = try Self.parsed("fmt")
        #expect(options.isSubset(of: parsed) && !options.isEmpty)
        #expect(parsed.subtracting(options).map(\.names) == [["--stdin-filename"]])
    }

    private static func read(_ words: [String]) -> LintRun? {
        HookOption.read(words[...], into: LintRun(), by: LintRun.options) { $0.paths.append($1) }
    }

    /// The fixes that are asked for, by the name of their mode.
    private static func fix(_ words: String...) -> String? {
        read(words)?.fix.map { "\($0)" }
    }

    @Test("values stand behind a blank or an equals sign, and lists grow")
    func values() throws {
        let run = try #require(
            Self.read([
                "a", "--at=2026-01-01", "--select", "HW211", "--select=HW212,HW213", "-", "--diff",
                "-o", "json=x", "--output=sarif=y", "--format", "concise", "--color=never",
            ]))
        #expect(run.paths == ["a", "-"])
        #expect(run.at == "2026-01-01" && run.diff)
        #expect(run.select == ["HW211", "HW212,HW213"])
        #expect(run.outputs == ["json=x", "sarif=y"])
        #expect(run.format == .domain(.concise) && run.colour == .never)
    }

    @Test("the graver fix wins in any order, as for the parser")
    func fixes() {
        #expect(Self.fix("--fix") == "safe")
        #expect(Self.fix("--fix", "--fix-unsafe") == "all")
        #expect(Self.fix("--fix-unsafe", "--fix") == "all")
        #expect(FastPath.plain(["lint", "--fix=unsafe"]) == ["lint", "--fix-unsafe"])
        #expect(FastPath.plain(["test", "--", "--update=weaker"]).last == "--update=weaker")
    }

    @Test("what needs an explanation is left to the parser")
    func left() {
        for words in [
            ["--format", "yaml"], ["--format", "lcov"], ["--diff=yes"], ["--at"],
            ["--at", "--diff"],
            ["--level", "loud"], ["--help"], ["--", "-a"],
        ] {
            #expect(Self.isLeft(words), "\(words)")
        }
        #expect(!Self.isLeft(["--at", "2026-01-01", "a"]))
    }

    private static func isLeft(_ words: [String]) -> Bool { read(words) == nil }
}
