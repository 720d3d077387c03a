import Foundation
import Testing

/// The completion scripts, and that of bash as bash runs it.
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
        #expect(run.output == parser.output)
        for command in ["init", "lint", "explain", "completions"] {
            #expect(run.output.contains(command), "\(command)")
        }
    }

    @Test("no script for another shell")
    func unknown() throws {
        let run = try Workshop().run("completions", "tcsh")
        #expect(run.status == 2 && run.output.isEmpty && run.error.contains("'fish'"))
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
        let process = Process()
        process.executableURL = URL(filePath: "/bin/bash")
        process.arguments = ["--norc", "ask.bash"]
        process.currentDirectoryURL = workshop.folder
        let pipe = Pipe()
        process.standardOutput = pipe
        try process.run()
        let output = try pipe.fileHandleForReading.readToEnd() ?? Data()
        process.waitUntilExit()
        #expect(process.terminationStatus == 0)
        return String(decoding: output, as: UTF8.self).split(separator: "\n").map(String.init)
    }

    @Test("bash offers commands, options, words and files", .enabled(if: hasBash))
    func bash() throws {
        let workshop = try Workshop()
        func offered(_ words: String...) throws -> [String] {
            try Self.offered(words, in: workshop)
        }
        #expect(try offered("ex") == ["explain"])
        #expect(try offered("lint", "--le") == ["--level"])
        #expect(try offered("lint", "--level", "st") == ["strict"])
        #expect(try offered("lint", "--format", "sa") == ["sarif"])
        #expect(try offered("show", "--format", "") == ["text", "json", "flat"])
        #expect(try offered("lint", "--fail-on", "w") == ["warning"])
        #expect(try offered("rule", "HW21").contains("HW211"))
        #expect(try offered("schema", "t") == ["trace"])
        #expect(try offered("lint", "un") == ["unit"])
        #expect(try offered("explain", "a.example", "--chain", "self") == ["self-signed.pem"])
        #expect(try offered("init", "un") == ["unit"])
    }

    private static let hasBash = FileManager.default.isExecutableFile(atPath: "/bin/bash")
}
