import Foundation
import Testing

/// The first page, and the guide for authors, are walked line by line.
@Suite("README")
struct ReadmeTests {
    /// The text of a page of the repository.
    static func page(_ path: String) throws -> String {
        try String(contentsOf: CommandRun.repository.appending(path: path), encoding: .utf8)
    }

    /// The lines of the `sh` blocks of a page, without their comments.
    static func commands(of path: String) throws -> [String] {
        try page(path).components(separatedBy: "\n```sh\n").dropFirst().flatMap { part in
            part.components(separatedBy: "\n```")[0].split(separator: "\n").map {
                $0.components(separatedBy: "  #")[0].trimmingCharacters(in: .whitespaces)
            }
        }
    }

    @Test(
        "the commands of a page work in their order, in a new repository",
        arguments: [("README.md", 3), ("Documentation/author.md", 10)])
    func commandsWork(_ page: String, _ count: Int) throws {
        let folder = FileManager.default.temporaryDirectory
            .appending(path: "hawser-readme-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: folder) }
        try FileManager.default.createDirectory(
            at: folder.appending(path: ".git"), withIntermediateDirectories: true)
        let commands = try Self.commands(of: page)
        #expect(commands.count >= count)
        for command in commands {
            let parts = command.components(separatedBy: " > ")
            let words = parts[0].split(separator: " ").map(String.init)
            #expect(words.first == "hawser", "\(command)")
            let run = try CommandRun(Array(words.dropFirst()), in: folder)
            #expect(run.status == 0, "\(command)\n\(run.error)")
            if parts.count > 1 { #expect(!run.output.isEmpty, "\(command)") }
        }
    }

    @Test("the first page is a door: at most 120 lines")
    func length() throws {
        #expect(
            try Self.page("README.md").split(separator: "\n", omittingEmptySubsequences: false)
                .count <= 121)
    }

    @Test("the hooks that the guide names are there")
    func hooks() throws {
        let page = try Self.page("Documentation/ci.md")
        let hooks = try Self.page(".pre-commit-hooks.yaml")
        let named = page.components(separatedBy: "- id: ").dropFirst().compactMap {
            $0.split { " \n".contains($0) }.first
        }
        #expect(named.count >= 3)
        for id in named { #expect(hooks.contains("- id: \(id)\n"), "\(id)") }
    }
}
