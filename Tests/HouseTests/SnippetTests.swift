import Foundation
import Testing

/// What a page quotes is what the file says: a comment `<!-- PATH -->` before a fenced block names
/// the file that the block holds, whole; `<!-- PATH:1-9 -->` holds these lines of it.
/// `UPDATE_GOLDEN=1` quotes it again.
@Suite struct SnippetTests {
    private struct Snippet {
        let page: String
        /// A path, or a path with the numbers of its first and last line.
        let source: String
        let text: String

        /// The text that the block must hold.
        func quoted() throws -> String {
            let parts = source.split(separator: ":")
            let text = try Tree.read(String(parts[0]))
            guard parts.count == 2 else { return text }
            let numbers = parts[1].split(separator: "-").compactMap { Int($0) }
            let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
            let first = try #require(numbers.first)
            let last = try #require(numbers.last)
            try #require(1 <= first && first <= last && last < lines.count, "\(source)")
            return lines[(first - 1)..<last].map { $0 + "\n" }.joined()
        }
    }

    private static let pages = ["README.md", "Sources/README.md", "Tests/README.md"]

    /// Pages whose words that begin with `policies/` are paths of this tree, not examples.
    private static let namingPages = [
        "README.md", "Sources/README.md", "Tests/README.md", "policies/README.md",
        "grammar/README.md",
    ]

    private func snippets() throws -> [Snippet] {
        var found: [Snippet] = []
        var pages = try SnippetTests.pages.map { (path: $0, text: try Tree.read($0)) }
        pages += Tree.files(
            below: "policies", "grammar", "Documentation", "Sources/Hawser", "Sources/Integrations"
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
                let fresh = try page.replacing(snippet.text, with: snippet.quoted())
                try Data(fresh.utf8).write(to: Tree.root.appending(path: snippet.page))
            }
            return
        }
        for snippet in snippets {
            #expect(
                try snippet.text == snippet.quoted(),
                "\(snippet.page) does not hold \(snippet.source) as it is")
        }
    }

    /// The links of every page, and paths of `policies/` that a page tells its reader to open or to
    /// run with.
    @Test func everyLinkLeadsSomewhere() throws {
        var seen = 0
        let hidden = try [".github/CONTRIBUTING.md", ".github/SECURITY.md"].map {
            Tree.File(path: $0, text: try Tree.read($0))
        }
        for page in Tree.files(below: "", where: { $0.hasSuffix(".md") }) + hidden {
            let text = SnippetTests.sentences(of: page)
            for part in text.components(separatedBy: "](").dropFirst() {
                let link = String(part.prefix { $0 != ")" && $0 != " " })
                guard !link.contains("://"), !link.hasPrefix("doc:") else { continue }
                seen += 1
                let file = String(link.prefix { $0 != "#" })
                let path = file.isEmpty ? page.path : SnippetTests.path(file, from: page.path)
                #expect(Tree.exists(path), "\(page.path) links to \(link)")
                let heading = link.dropFirst(file.count + 1)
                guard !heading.isEmpty, path.hasSuffix(".md") else { continue }
                let headings = try SnippetTests.headings(of: Tree.read(path))
                #expect(headings.contains(String(heading)), "\(page.path) links to \(link)")
            }
            guard SnippetTests.namingPages.contains(page.path) else { continue }
            for word in text.split(whereSeparator: { " \n`|(),;#:".contains($0) }) {
                let word = String(word).trimmingCharacters(in: .init(charactersIn: ".:"))
                guard word.hasPrefix("policies/"), !word.contains("…"), !word.contains("*"),
                    !word.contains("<"), word != "policies/pay", !word.hasSuffix("/HW")
                else { continue }
                seen += 1
                #expect(Tree.exists(word), "\(page.path) names \(word)")
            }
        }
        #expect(seen >= 400)
    }

    /// A page without its blocks of code.
    private static func sentences(of page: Tree.File) -> String {
        var isCode = false
        var text = ""
        for line in page.lines {
            if line.drop(while: { $0 == " " }).hasPrefix("```") {
                isCode.toggle()
            } else if !isCode {
                text += line + "\n"
            }
        }
        return text
    }

    /// A relative link as a path from the root.
    private static func path(_ link: String, from page: String) -> String {
        var folders = page.split(separator: "/").dropLast()
        for part in link.split(separator: "/") where part != "." {
            if part == ".." { _ = folders.popLast() } else { folders.append(part) }
        }
        return folders.joined(separator: "/")
    }

    /// The headings of a page as links name them: lower case, letters, digits and dashes, a number
    /// behind one that is there already.
    private static func headings(of text: String) -> Set<String> {
        var seen: [String: Int] = [:]
        var headings: Set<String> = []
        for line in sentences(of: Tree.File(path: "", text: text)).split(separator: "\n")
        where line.hasPrefix("#") {
            let name = line.drop { $0 == "#" || $0 == " " }.lowercased()
                .filter { $0.isLetter || $0.isNumber || "-_ ".contains($0) }
                .replacing(" ", with: "-")
            let count = seen[name, default: 0]
            seen[name] = count + 1
            headings.insert(count == 0 ? name : "\(name)-\(count)")
        }
        return headings
    }
}
