import Foundation
import Testing

@Suite("hawser man")
struct ManualTests {
    private static func page() throws -> String {
        let run = try Workshop().run("man")
        #expect(run.status == 0 && run.error.isEmpty)
        return run.output
    }

    /// The page that packages install, checked in; `UPDATE_GOLDEN=1` writes it again.
    @Test("the checked-in page is what the command prints today")
    func fresh() throws {
        let file = CommandRun.repository.appending(path: "grammar/hawser.1")
        let page = try Self.page()
        if ProcessInfo.processInfo.environment["UPDATE_GOLDEN"] == "1" {
            try Data(page.utf8).write(to: file)
            return
        }
        #expect(
            try String(contentsOf: file, encoding: .utf8) == page,
            "grammar/hawser.1 differs; `hawser man` prints it again")
    }

    @Test("it names every command and option that the help names")
    func whole() throws {
        let workshop = try Workshop()
        let page = try Self.page()
        let help = try workshop.run("--help").output
        let commands =
            help.components(separatedBy: "SUBCOMMANDS:\n").last?
            .split(separator: "\n").filter { $0.hasPrefix("  ") && !$0.hasPrefix("   ") }
            .compactMap { $0.split(separator: " ").first.map(String.init) } ?? []
        let named = commands.filter { $0 != "See" }
        #expect(named.count >= 14)
        for command in named {
            #expect(page.contains("\n.SS hawser \(command)\n"), "\(command)")
            let words = try workshop.run("help", command).output
                .split { " \n,".contains($0) }
                .filter {
                    $0.hasPrefix("--") && $0.dropFirst(2).allSatisfy { $0.isLetter || $0 == "-" }
                }
            for option in Set(words) where !["--", "--help", "--version"].contains(option) {
                let escaped = option.replacingOccurrences(of: "-", with: "\\-")
                #expect(page.contains(escaped), "\(command) \(option)")
            }
        }
    }

    @Test("it is plain man(7): every request is known, every font is closed")
    func requests() throws {
        let known: Set<Substring> = [
            ".TH", ".SH", ".SS", ".PP", ".TP", ".RS", ".RE", ".nf", ".fi",
        ]
        let page = try Self.page()
        for line in page.split(separator: "\n") where !line.hasPrefix(".\\\"") {
            if line.hasPrefix(".") {
                #expect(known.contains(line.prefix { $0 != " " }), "\(line)")
            }
            let opened =
                line.components(separatedBy: "\\fB").count
                + line.components(separatedBy: "\\fI").count - 2
            #expect(line.components(separatedBy: "\\fR").count - 1 == opened, "\(line)")
            #expect(!line.contains("`"), "\(line)")
        }
    }

    @Test("groff formats it without a warning", .enabled(if: hasGroff))
    func groff() throws {
        let workshop = try Workshop()
        try workshop.write("hawser.1", try Self.page())
        let process = Process()
        process.executableURL = URL(filePath: "/usr/bin/groff")
        process.arguments = ["-man", "-Tutf8", "-ww", "-z", "hawser.1"]
        process.currentDirectoryURL = workshop.folder
        let pipe = Pipe()
        process.standardError = pipe
        try process.run()
        let said = try pipe.fileHandleForReading.readToEnd() ?? Data()
        process.waitUntilExit()
        #expect(process.terminationStatus == 0)
        #expect(said.isEmpty, "\(String(decoding: said, as: UTF8.self))")
    }

    private static let hasGroff = FileManager.default.isExecutableFile(atPath: "/usr/bin/groff")
}
