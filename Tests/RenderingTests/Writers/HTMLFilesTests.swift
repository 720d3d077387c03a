import Rendering
import Testing

/// Documents that are too long for one page.
@Suite("HTML files") struct HTMLFilesTests {
    /// A document of a short section, and of a long one with this number of entries.
    private static func document(_ entries: Int) -> Document {
        var document = Document(kind: "sample", version: "1.2.3")
        document.headline = Headline(
            "sample", fields: [Field("begins", .link("the `first`", to: "e1"))])
        document.filter = "a word"
        let words = String(repeating: "word ", count: 200)
        let many = (1...entries).map { number -> Entry in
            var entry = Entry(.code("entry-\(number)"), [.line(.plain(words))], id: "e\(number)")
            entry.isFolded = true
            return entry
        }
        document.blocks = [
            .section("few", "Few", [.list([Entry(.link("last", to: "e\(entries)"), id: "f1")])]),
            .section("many", "Many", [.line("an introduction"), .list(many)]),
        ]
        return document
    }

    private static func values(_ name: String, _ page: String) -> [String] {
        page.split(separator: " \(name)=\"", omittingEmptySubsequences: false).dropFirst()
            .map { String($0.prefix { $0 != "\"" }) }
    }

    @Test("a document of usual size is one page")
    func one() {
        let document = Self.document(3)
        let files = HTMLFiles.write(document, main: "a.html", folder: "a-pages")
        #expect(files.map(\.path) == ["a.html"])
        #expect(files[0].text == HTMLWriter.write(document))
        #expect(files[0].text.contains("<li class=\"row\"><details id=\"e1\"><summary>"))
        #expect(files[0].text.contains("<a href=\"#e1\">the <code>first</code></a>"))
    }

    @Test("a long list lies in files beside the page, and each link leads to an id")
    func several() throws {
        let document = Self.document(2_500)
        let files = HTMLFiles.write(document, main: "a b.html", folder: "a b-pages")
        let names = files.map { $0.path.split(separator: "/").last.map(String.init) ?? "" }
        #expect(files.count > 3 && files[0].path == "a b.html")
        #expect(names.dropFirst().enumerated().allSatisfy { $1 == "many-\($0 + 1).html" })
        #expect(files.dropFirst().allSatisfy { $0.path.hasPrefix("a b-pages/") })
        #expect(files.allSatisfy { $0.text.utf8.count < 1_000_000 })
        let ids = files.map { Set(Self.values("id", $0.text)) }
        for number in 1...2_500 {
            #expect(ids.count { $0.contains("e\(number)") } == 1, "\(number)")
        }
        for (index, file) in files.enumerated() {
            for address in Self.values("href", file.text) {
                let parts = address.split(separator: "#", omittingEmptySubsequences: false)
                let name = parts[0].split(separator: "/").last.map(String.init) ?? names[index]
                let home = try #require(names.firstIndex(of: name.replacing("%20", with: " ")))
                #expect(ids[home].contains(String(parts[1])), "\(file.path): \(address)")
                let folder = home == 0 ? ".." : index == 0 ? "./a%20b-pages" : "."
                #expect(home == index || parts[0].hasPrefix("\(folder)/"), "\(address)")
            }
        }
        #expect(files[0].text.contains("2500 entries lie in"))
        #expect(files[0].text.contains("<p>an introduction</p>"))
    }

    @Test("text and Markdown have the words of a link")
    func links() {
        let document = Self.document(2)
        #expect(TextWriter.write(document).contains("last\n"))
        #expect(MarkdownWriter.write(document).contains("- begins: the `first`\n"))
    }
}
