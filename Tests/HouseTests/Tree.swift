import Foundation
import Synchronization

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
        /// The text without comments and without the insides of string literals, scanned once.
        var code: String {
            if let code = Tree.codes.withLock({ $0[path] }) { return code }
            let code = codeOnly(text)
            Tree.codes.withLock { $0[path] = code }
            return code
        }
    }

    /// What a package inside the tree has beside its sources: its manifest and its own tests.
    static let nested = [
        "Sources/Integrations/NIO/Package.swift", "Sources/Integrations/NIO/Tests/",
        "Sources/Integrations/SwiftCrypto/Package.swift",
        "Sources/Integrations/SwiftCrypto/Tests/",
        "Sources/Integrations/Serve/Package.swift", "Sources/Integrations/Serve/Tests/",
    ]

    /// The code of files by their paths.
    private static let codes = Mutex<[String: String]>([:])

    /// The text of every Swift file below a folder, read once.
    private static let read = Mutex<[String: [File]]>([:])

    /// Every file below some folders, hidden folders and build folders excepted, whose name passes.
    /// What a nested package has is left out, unless the folder lies in it.
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
                    !nested.contains(where: {
                        path.hasPrefix($0) && !"\(folder)/".hasPrefix($0)
                    }),
                    passes(url.lastPathComponent),
                    let text = try? String(contentsOf: url, encoding: .utf8)
                else { continue }
                files.append(File(path: path, text: text))
            }
        }
        return files.sorted { $0.path < $1.path }
    }

    static func swift(below folders: String...) -> [File] {
        folders.flatMap { folder in
            read.withLock { read in
                let found = read[folder] ?? files(below: folder) { $0.hasSuffix(".swift") }
                read[folder] = found
                return found
            }
        }
    }

    static func exists(_ path: String) -> Bool {
        FileManager.default.fileExists(atPath: root.appending(path: path).path)
    }

    static func read(_ path: String) throws -> String {
        try String(contentsOf: root.appending(path: path), encoding: .utf8)
    }
}

/// Swift text without comments and without the insides of string literals. What a string
/// interpolates is code and stays, between parentheses.
func codeOnly(_ text: String) -> String {
    var scanner = CodeScanner(text)
    return scanner.code()
}

/// Walks Swift text octet by octet.
private struct CodeScanner {
    /// A string literal that is open.
    private struct Literal {
        /// The number signs of a raw literal.
        let signs: Int
        let isLong: Bool
        /// Parentheses that are open in the interpolation; 0 outside one.
        var depth = 0
    }

    private let octets: [UInt8]
    private var place = 0
    private var out: [UInt8] = []
    private var open: [Literal] = []

    private static let newline = UInt8(ascii: "\n")
    private static let quote = UInt8(ascii: "\"")
    private static let sign = UInt8(ascii: "#")

    init(_ text: String) {
        octets = Array(text.utf8)
        out.reserveCapacity(octets.count)
    }

    mutating func code() -> String {
        while place < octets.count {
            if let literal = open.last, literal.depth == 0 {
                readText(literal)
            } else {
                readCode()
            }
        }
        return String(decoding: out, as: UTF8.self)
    }

    private func at(_ offset: Int) -> UInt8 {
        place + offset < octets.count ? octets[place + offset] : 0
    }

    private func isAt(_ octet: UInt8, count: Int, from offset: Int = 0) -> Bool {
        (0..<count).allSatisfy { at(offset + $0) == octet }
    }

    private mutating func readText(_ literal: Literal) {
        let quotes = literal.isLong ? 3 : 1
        let octet = at(0)
        if octet == CodeScanner.quote, isAt(octet, count: quotes),
            isAt(CodeScanner.sign, count: literal.signs, from: quotes)
        {
            place += quotes + literal.signs
            out.append(octet)
            open.removeLast()
        } else if octet == UInt8(ascii: "\\"), isAt(CodeScanner.sign, count: literal.signs, from: 1)
        {
            place += 1 + literal.signs
            if at(0) == UInt8(ascii: "(") {
                out.append(at(0))
                open[open.count - 1].depth = 1
            }
            place += 1
        } else {
            // A literal of one line ends with its line, closed or not.
            if octet == CodeScanner.newline, !literal.isLong {
                out.append(octet)
                open.removeLast()
            }
            place += 1
        }
    }

    private mutating func readCode() {
        let octet = at(0)
        if octet == UInt8(ascii: "/"), at(1) == octet {
            while place < octets.count, at(0) != CodeScanner.newline { place += 1 }
            return
        }
        if octet == UInt8(ascii: "/"), at(1) == UInt8(ascii: "*") {
            place += 2
            while place < octets.count, !(at(0) == UInt8(ascii: "*") && at(1) == octet) {
                place += 1
            }
            place += 2
            return
        }
        var signs = 0
        if octet == CodeScanner.sign {
            while at(signs) == CodeScanner.sign { signs += 1 }
        }
        if at(signs) == CodeScanner.quote {
            let isLong = isAt(CodeScanner.quote, count: 3, from: signs)
            place += signs + (isLong ? 3 : 1)
            out.append(CodeScanner.quote)
            open.append(Literal(signs: signs, isLong: isLong))
            return
        }
        if !open.isEmpty {
            if octet == UInt8(ascii: "(") { open[open.count - 1].depth += 1 }
            if octet == UInt8(ascii: ")") { open[open.count - 1].depth -= 1 }
        }
        out.append(octet)
        place += 1
    }
}
