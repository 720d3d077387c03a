import Foundation
import Testing

/// The maps for contributors name files, folders and types between backticks, and all of them
/// exist.
@Suite struct MapTests {
    static let maps = ["Sources/README.md", ".github/CONTRIBUTING.md"]

    /// Every path of the tree, folders included, from the root.
    private static let paths: Set<String> = {
        let tops = [
            "Sources", "Tests", "grammar", "Documentation", "policies", "Packaging", ".github",
            ".ci",
        ]
        var paths = Set(tops)
        for top in tops {
            let walk = FileManager.default.enumerator(
                at: Tree.root.appending(path: top), includingPropertiesForKeys: nil,
                options: [.skipsHiddenFiles])
            for case let url as URL in walk ?? .init() {
                paths.insert(String(url.path.dropFirst(Tree.root.path.count + 1)))
            }
        }
        return paths
    }()

    /// The folders of `Sources` and `Tests`, and the types in them.
    private static let names: Set<String> = {
        let sources = Tree.swift(below: "Sources", "Tests")
        var names = Set(sources.flatMap { $0.components.dropLast() })
        let kinds = Set(
            ["struct", "enum", "class", "protocol", "typealias", "actor"].map { Array($0.utf8) })
        for file in sources {
            // By octets: a debug build takes seconds for the characters of all sources.
            var follows = false
            for word in file.code.utf8.split(whereSeparator: { !isWordOctet($0) }) {
                if follows { names.insert(String(decoding: word, as: UTF8.self)) }
                follows = kinds.contains(Array(word))
            }
        }
        return names
    }()

    private static func isWordOctet(_ octet: UInt8) -> Bool {
        switch octet {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"), 0x80...:
            true
        default: false
        }
    }

    /// Folders below which a map names paths.
    private static let starts = ["", "Sources/", "Sources/TrustEngine/"]

    /// How a map may end a word that is a file.
    private static let endings = [
        ".swift", ".md", ".json", ".yaml", ".ebnf", ".py", ".c", ".h", ".sh",
    ]

    @Test(arguments: maps) func everyPathOfTheMapExists(_ map: String) throws {
        var seen = 0
        for line in try MapTests.lines(of: map) {
            // A path may be shortened by the folders of the path before it on its line.
            var previous: [String] = []
            for word in MapTests.words(of: line) where MapTests.isPath(word) {
                seen += 1
                let found = MapTests.resolved(word, after: previous)
                #expect(!found.isEmpty, "\(map) names `\(word)`, which does not exist")
                #expect(found.count <= 1, "\(map) names `\(word)`, which is any of \(found)")
                previous = found.first?.split(separator: "/").map(String.init) ?? previous
            }
        }
        #expect(seen >= 5)
    }

    /// A name without a slash or an ending is a folder of `Sources` or `Tests`, or a type.
    @Test(arguments: maps) func everyNameOfTheMapExists(_ map: String) throws {
        for line in try MapTests.lines(of: map) {
            for word in MapTests.words(of: line)
            where word.first?.isUppercase == true && word.allSatisfy({ $0.isLetter || $0.isNumber })
                && word.contains(where: \.isLowercase)
            {
                let folder = MapTests.paths.contains("Sources/\(word)")
                #expect(folder || MapTests.names.contains(word), "\(map) names `\(word)`")
            }
        }
    }

    /// Every line of the table of changes leads to a file or a folder.
    @Test func everyChangeLeadsSomewhere() throws {
        let text = try Tree.read("Sources/README.md")
        let table = try #require(text.components(separatedBy: "## I want to change").last)
        let rows = table.split(separator: "\n").filter {
            $0.hasPrefix("| ") && !$0.hasPrefix("| … |")
        }
        #expect(rows.count > 30)
        for row in rows {
            let target = row.split(separator: "|").dropFirst().joined()
            let leads = MapTests.words(of: target).contains { word in
                MapTests.isPath(word) || MapTests.paths.contains("Sources/\(word)")
            }
            #expect(leads, "\(row)")
        }
    }

    /// The lines of a page without its fenced blocks.
    private static func lines(of page: String) throws -> [String] {
        var isFenced = false
        return try Tree.read(page).components(separatedBy: "\n").filter { line in
            if line.hasPrefix("```") { isFenced.toggle() }
            return !isFenced && !line.hasPrefix("```")
        }
    }

    /// What stands between backticks, commands taken apart at their spaces.
    private static func words(of line: String) -> [String] {
        line.split(separator: "`", omittingEmptySubsequences: false).enumerated()
            .filter { !$0.offset.isMultiple(of: 2) }
            .flatMap { $0.element.split(separator: " ").map(String.init) }
    }

    private static func isPath(_ word: String) -> Bool {
        guard word.first != "+",
            word.allSatisfy({ $0.isLetter || $0.isNumber || "/._+-".contains($0) })
        else { return false }
        return word.contains("/")
            || endings.contains { word.count > $0.count && word.hasSuffix($0) }
    }

    /// The paths that a word of a map may mean: the one that it names from a start, or beside the
    /// path before it; else every path that ends so.
    private static func resolved(_ word: String, after previous: [String]) -> [String] {
        var folders = MapTests.starts
        for count in stride(from: previous.count - 1, to: 0, by: -1) {
            folders.append(previous.prefix(count).joined(separator: "/") + "/")
        }
        let word = word.hasSuffix("/") ? String(word.dropLast()) : word
        for folder in folders where paths.contains(folder + word) { return [folder + word] }
        return paths.filter { $0.hasSuffix("/" + word) }.sorted()
    }
}
