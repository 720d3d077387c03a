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
    }

    /// What a package inside the tree has beside its sources: its manifest and its own tests.
    static let nested = [
        "Sources/Integrations/NIO/Package.swift", "Sources/Integrations/NIO/Tests/",
        "Sources/Integrations/SwiftCrypto/Package.swift",
        "Sources/Integrations/SwiftCrypto/Tests/",
        "Sources/Integrations/Serve/Package.swift", "Sources/Integrations/Serve/Tests/",
    ]

    /// The text of every Swift file below a folder, read once.
    private static let read = Mutex<[String: [File]]>([:])

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

/// Swift text without comments and without the insides of string literals.
func codeOnly(_ text: String) -> String {
    let (slash, star, quote, escape) = (
        UInt8(ascii: "/"), UInt8(ascii: "*"), UInt8(ascii: "\""), UInt8(ascii: "\\")
    )
    let newline = UInt8(ascii: "\n")
    let octets = Array(text.utf8)
    var out: [UInt8] = []
    out.reserveCapacity(octets.count)
    var place = 0
    func at(_ offset: Int) -> UInt8 {
        place + offset < octets.count ? octets[place + offset] : 0
    }
    func atQuotes() -> Bool { at(0) == quote && at(1) == quote && at(2) == quote }
    while place < octets.count {
        let octet = octets[place]
        if octet == slash, at(1) == slash {
            while place < octets.count, octets[place] != newline { place += 1 }
        } else if octet == slash, at(1) == star {
            place += 2
            while place < octets.count, !(at(0) == star && at(1) == slash) { place += 1 }
            place += 2
        } else if octet == quote {
            let isLong = atQuotes()
            place += isLong ? 3 : 1
            if isLong {
                while place < octets.count, !atQuotes() { place += 1 }
            } else {
                while place < octets.count, at(0) != quote, at(0) != newline {
                    place += at(0) == escape ? 2 : 1
                }
            }
            place += isLong ? 3 : 1
            out += [quote, quote]
        } else {
            out.append(octet)
            place += 1
        }
    }
    return String(decoding: out, as: UTF8.self)
}
