import Foundation
import Testing

/// What a page quotes is what the file says: a comment `<!-- PATH -->` before a fenced block names
/// the file that the block holds, whole. `UPDATE_GOLDEN=1` quotes it again.
@Suite struct SnippetTests {
    private struct Snippet {
        let page: String
        let source: String
        let text: String
    }

    private static let pages = ["README.md", "Sources/README.md", "Tests/README.md"]

    private func snippets() throws -> [Snippet] {
        var found: [Snippet] = []
        var pages = try SnippetTests.pages.map { (path: $0, text: try Tree.read($0)) }
        pages += Tree.files(
            below: "policies", "grammar", "Sources/Hawser", "Sources/Integrations"
        ) { $0.hasSuffix(".md") }
        .map { ($0.path, $0.text) }
        for page in pages {
            let lines = page.text.split(separator: "\n", omittingEmptySubsequences: false)
            for (index, line) in lines.enumerated() {
                guard line.hasPrefix("<!-- "), line.hasSuffix(" -->"), index + 1 < lines.count,
                    lines[index + 1].hasPrefix("```")
                else { continue }
                let body = lines[(index + 2)...].prefix { !$0.hasPrefix("```") }
                found.append(
                    Snippet(
                        page: page.path, source: String(line.dropFirst(5).dropLast(4)),
                        text: body.map { $0 + "\n" }.joined()))
            }
        }
        return found
    }

    @Test func everySnippetIsItsSource() throws {
        let snippets = try snippets()
        #expect(snippets.count >= 2)
        if ProcessInfo.processInfo.environment["UPDATE_GOLDEN"] == "1" {
            for snippet in snippets {
                let page = try Tree.read(snippet.page)
                let fresh = try page.replacing(snippet.text, with: Tree.read(snippet.source))
                try Data(fresh.utf8).write(to: Tree.root.appending(path: snippet.page))
            }
            return
        }
        for snippet in snippets {
            #expect(
                try snippet.text == Tree.read(snippet.source),
                "\(snippet.page) does not hold \(snippet.source) as it is")
        }
    }

    /// Paths that a page tells its reader to open or to run with.
    @Test func everyLinkLeadsSomewhere() throws {
        var seen = 0
        var pages = ["README.md", "Sources/README.md", "Tests/README.md", "policies/README.md"]
        pages.append("grammar/README.md")
        for page in pages {
            let text = try Tree.read(page)
            let folder = page.split(separator: "/").dropLast().joined(separator: "/")
            for part in text.components(separatedBy: "](").dropFirst() {
                let link = String(part.prefix { $0 != ")" })
                guard !link.contains("://"), !link.hasPrefix("#") else { continue }
                seen += 1
                let file = String(link.prefix { $0 != "#" })
                let path = folder.isEmpty ? file : "\(folder)/\(file)"
                #expect(Tree.exists(path), "\(page) links to \(link)")
                let heading = link.dropFirst(file.count + 1)
                guard !heading.isEmpty else { continue }
                let headings = try Tree.read(path).split(separator: "\n")
                    .filter { $0.hasPrefix("#") }
                    .map {
                        $0.drop { $0 == "#" || $0 == " " }.lowercased().replacing(" ", with: "-")
                    }
                #expect(headings.contains(String(heading)), "\(page) links to \(link)")
            }
            for word in text.split(whereSeparator: { " \n`|(),;#".contains($0) }) {
                let word = String(word).trimmingCharacters(in: .init(charactersIn: ".:"))
                guard word.hasPrefix("policies/"), !word.contains("…"), !word.contains("*"),
                    !word.contains("<"), word != "policies/pay", !word.hasSuffix("/HW")
                else { continue }
                seen += 1
                #expect(Tree.exists(word), "\(page) names \(word)")
            }
        }
        #expect(seen >= 10)
    }
}
