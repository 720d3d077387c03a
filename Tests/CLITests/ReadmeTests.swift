import Foundation
import Testing

/// The first page's way into authoring is walked, line by line.
@Suite("README")
struct ReadmeTests {
    /// The lines of the `sh` blocks of a section.
    static func commands(below heading: String) throws -> [String] {
        let page = try String(
            contentsOf: CommandRun.repository.appending(path: "README.md"), encoding: .utf8)
        let section = try #require(page.components(separatedBy: "\n## \(heading)\n").last)
            .components(separatedBy: "\n## ")[0]
        return section.components(separatedBy: "\n```sh\n").dropFirst().flatMap { part in
            part.components(separatedBy: "\n```")[0].split(separator: "\n").map(String.init)
        }
    }

    @Test("the commands of `Authoring` work in their order, in a new repository")
    func authoring() throws {
        let folder = FileManager.default.temporaryDirectory
            .appending(path: "hawser-readme-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: folder) }
        try FileManager.default.createDirectory(
            at: folder.appending(path: ".git"), withIntermediateDirectories: true)
        let commands = try Self.commands(below: "Authoring")
        #expect(commands.count >= 8)
        for command in commands {
            let parts = command.components(separatedBy: " > ")
            let words = parts[0].split(separator: " ").map(String.init)
            #expect(words.first == "hawser", "\(command)")
            let run = try CommandRun(Array(words.dropFirst()), in: folder)
            #expect(run.status == 0, "\(command)\n\(run.error)")
            if parts.count > 1 { #expect(!run.output.isEmpty, "\(command)") }
        }
    }

    @Test("the hooks that it names are there")
    func hooks() throws {
        let root = CommandRun.repository
        let page = try String(contentsOf: root.appending(path: "README.md"), encoding: .utf8)
        let hooks = try String(
            contentsOf: root.appending(path: ".pre-commit-hooks.yaml"), encoding: .utf8)
        let named = page.components(separatedBy: "- id: ").dropFirst().compactMap {
            $0.split { " \n".contains($0) }.first
        }
        #expect(named.count >= 3)
        for id in named { #expect(hooks.contains("- id: \(id)\n"), "\(id)") }
    }
}
