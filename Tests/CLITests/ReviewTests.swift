import Foundation
import Testing

/// The pull requests of `policies/review`: what `hawser diff` says of each, and its exit status.
/// The page beside them is held to both.
@Suite("the pull requests of policies/review") struct ReviewTests {
    static let folder = CommandRun.repository.appending(path: "policies/review")

    /// The folders with a patch.
    static let names: [String] = {
        let all = try? FileManager.default.contentsOfDirectory(atPath: folder.path)
        return (all ?? []).sorted().filter {
            FileManager.default.fileExists(
                atPath: folder.appending(path: "\($0)/change.patch").path)
        }
    }()

    /// The rows of the page: name, title of the pull request, its effect, first line, exit status.
    static let rows: [[String]] = {
        let page = try? String(contentsOf: folder.appending(path: "README.md"), encoding: .utf8)
        return (page ?? "").split(separator: "\n").filter { $0.hasPrefix("| `0") }.map { line in
            line.split(separator: "|").map { $0.trimmingCharacters(in: .whitespaces) }
        }
    }()

    @Test("the page has a row for each, in their order")
    func listed() {
        #expect(Self.names.count == 9)
        #expect(Self.rows.map { $0[0] } == Self.names.map { "`\($0)`" })
    }

    @Test("what is said, and the exit status", arguments: names)
    func goldens(_ name: String) throws {
        let place = try ProposedChange(name)
        defer { place.remove() }
        let arguments = ["diff", "base", "trust", "--at", "2026-06-01"]
        let run = try place.run(
            arguments + ["--require", "no-weaker", "--output", "markdown=comment.md"])
        #expect(run.error == "")
        try Self.hold(run.output, "\(name)/diff.txt")
        let comment = try String(
            contentsOf: place.folder.appending(path: "comment.md"), encoding: .utf8)
        try Self.hold(comment, "\(name)/diff.md")
        #expect(comment.hasPrefix("<!-- hawser-diff: trust -->\n"))
        let row = try #require(Self.rows.first { $0[0] == "`\(name)`" })
        #expect(row[4] == "\(run.status)")

        let plain = try place.run(arguments)
        #expect(plain.status == 0)
        #expect(plain.output == run.output)
        let detailed = try place.run(arguments + ["--detailed-exitcode"])
        #expect((detailed.status > 10) == (run.status == 1), "\(detailed.status)")
        #expect([0, 10, 11, 12].contains(detailed.status))
    }

    @Test("the page quotes the first line of each")
    func firstLines() throws {
        var page = try String(
            contentsOf: Self.folder.appending(path: "README.md"), encoding: .utf8)
        for (name, row) in zip(Self.names, Self.rows) {
            let text = try String(
                contentsOf: Self.folder.appending(path: "\(name)/diff.txt"), encoding: .utf8)
            // The first line is wrapped.
            let head = text.split(separator: "\n").prefix { !$0.hasPrefix("base -> trust") }
            let first = head.map { $0.trimmingCharacters(in: .whitespaces) }
                .joined(separator: " ")
            if Self.updates {
                page = page.replacing("| \(row[3]) | \(row[4]) |", with: "| \(first) | \(row[4]) |")
            } else {
                #expect(row[3] == first, "\(name)")
            }
        }
        if Self.updates {
            try Data(page.utf8).write(to: Self.folder.appending(path: "README.md"))
        }
    }

    @Test("the check lets two pass: the removed backup and the refactoring")
    func noWeaker() throws {
        let passing = Self.rows.filter { $0[4] == "0" }.map { $0[0] }
        #expect(passing == ["`03-backup-removed`", "`09-refactoring`"])
        #expect(Self.rows.allSatisfy { ["0", "1"].contains($0[4]) })
    }

    @Test("whose root it was, and whose it is now", arguments: ["diff.txt", "diff.md"])
    func namesTheStranger(_ file: String) throws {
        let text = try String(
            contentsOf: Self.folder.appending(path: "06-anchor-file-swapped/\(file)"),
            encoding: .utf8)
        #expect(text.contains("CN=Blue Harbour Root"))
        #expect(text.contains("CN=Meridian Bank Root"))
    }

    /// Most of them are nothing that a linter of one policy could find.
    @Test("lint of the policy after the change", arguments: names)
    func lint(_ name: String) throws {
        let place = try ProposedChange(name)
        defer { place.remove() }
        let run = try place.run(["lint", "trust", "--format", "concise"] + LintTests.at)
        let found = ["HW211", "HW510"].filter { run.output.contains($0) }
        let expected = name == "07-narrower-rule-relaxes" ? 2 : 0
        #expect(found.count == expected, "\(run.output)")
        #expect(run.output.split(separator: "\n").count == expected, "\(run.output)")
    }

    private static let updates =
        ProcessInfo.processInfo.environment["UPDATE_GOLDEN"] == "1"

    private static func hold(_ text: String, _ path: String) throws {
        let file = folder.appending(path: path)
        if updates {
            try Data(text.utf8).write(to: file)
            return
        }
        #expect(try text == String(contentsOf: file, encoding: .utf8), "\(path)")
    }
}

/// The policy of `policies/review/base`, and beside it as `trust` what a pull request makes of it,
/// in a folder of its own.
private struct ProposedChange {
    let folder: URL

    init(_ name: String) throws {
        let manager = FileManager.default
        folder = manager.temporaryDirectory.appending(path: "hawser-review-\(UUID().uuidString)")
        let base = ReviewTests.folder.appending(path: "base")
        try manager.createDirectory(at: folder, withIntermediateDirectories: true)
        for side in ["base", "trust"] {
            try manager.copyItem(at: base, to: folder.appending(path: side))
        }
        let git = Process()
        git.executableURL = URL(filePath: "/usr/bin/env")
        git.arguments = [
            "git", "apply", "--directory=trust",
            ReviewTests.folder.appending(path: "\(name)/change.patch").path,
        ]
        git.currentDirectoryURL = folder
        // The patch is applied here, whatever repository may lie around.
        git.environment = [
            "PATH": "/usr/bin:/bin",
            "GIT_CEILING_DIRECTORIES": folder.deletingLastPathComponent().path,
        ]
        try git.run()
        git.waitUntilExit()
        try #require(git.terminationStatus == 0, "\(name) does not apply")
    }

    func run(_ arguments: [String]) throws -> CommandRun {
        try CommandRun(arguments, in: folder)
    }

    func remove() { try? FileManager.default.removeItem(at: folder) }
}
