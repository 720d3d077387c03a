import Foundation

/// The checked-out tree that these tests look at.
enum Tree {
    static let root = URL(filePath: #filePath).resolvingSymlinksInPath()
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

    /// A file's path from the root, with its text.
    struct File {
        let path: String
        let text: String
        var lines: [Substring] { text.split(separator: "\n", omittingEmptySubsequences: false) }
        var name: String { String(path.split(separator: "/").last ?? "") }
        var components: [String] { path.split(separator: "/").map(String.init) }
    }

    /// What a package inside the tree has beside its sources: its manifest and its own tests.
    static let nested = [
        "Sources/Integrations/NIO/Package.swift", "Sources/Integrations/NIO/Tests/",
        "Sources/Integrations/SwiftCrypto/Package.swift",
        "Sources/Integrations/SwiftCrypto/Tests/",
        "Sources/Integrations/Serve/Package.swift", "Sources/Integrations/Serve/Tests/",
    ]

    /// Every file below some folders, hidden folders and build folders excepted, whose name passes.
    static func files(below folders: String..., where passes: (String) -> Bool) -> [File] {
        var files: [File] = []
        for folder in folders {
            let start = root.appending(path: folder)
            guard
                let walk = FileManager.default.enumerator(
                    at: start, includingPropertiesForKeys: [.isRegularFileKey],
                    options: [.skipsHiddenFiles])
            else { continue }
            for case let url as URL in walk {
                let path = String(url.path.dropFirst(root.path.count + 1))
                guard !path.split(separator: "/").contains(where: { $0.hasPrefix(".build") }),
                    !nested.contains(where: { path.hasPrefix($0) }),
                    passes(url.lastPathComponent),
                    let text = try? String(contentsOf: url, encoding: .utf8)
                else { continue }
                files.append(File(path: path, text: text))
            }
        }
        return files.sorted { $0.path < $1.path }
    }

    static func swift(below folders: String...) -> [File] {
        folders.flatMap { files(below: $0) { $0.hasSuffix(".swift") } }
    }

    static func exists(_ path: String) -> Bool {
        FileManager.default.fileExists(atPath: root.appending(path: path).path)
    }

    static func read(_ path: String) throws -> String {
        try String(contentsOf: root.appending(path: path), encoding: .utf8)
    }
}

/// Swift text without comments and without the insides of string literals.
func codeOnly(_ text: String) -> String {
    var out = ""
    var rest = Substring(text)
    while let character = rest.first {
        if rest.hasPrefix("//") {
            rest = rest.drop { $0 != "\n" }
        } else if rest.hasPrefix("/*") {
            let end = rest.range(of: "*/")?.upperBound ?? rest.endIndex
            rest = rest[end...]
        } else if rest.hasPrefix("\"\"\"") {
            rest = rest.dropFirst(3)
            let end = rest.range(of: "\"\"\"")?.upperBound ?? rest.endIndex
            rest = rest[end...]
            out += "\"\""
        } else if character == "\"" {
            rest = rest.dropFirst()
            while let inner = rest.first, inner != "\"", inner != "\n" {
                rest = rest.dropFirst(inner == "\\" ? 2 : 1)
            }
            rest = rest.dropFirst()
            out += "\"\""
        } else {
            out.append(character)
            rest = rest.dropFirst()
        }
    }
    return out
}
