import Foundation
import Hawser
import HawserYAML
import PolicyCompiler
import PolicyTools
import TrustEngine

@testable import HawserCommand

/// What `lint` says of a unit on disk, for comparing with what a server says of texts.
enum LintedFolder {
    static let crypto = EngineLoader.makeBackend()

    /// A finding with its place as an editor counts it, in units of UTF-16.
    struct Item: Hashable, Comparable, CustomStringConvertible {
        let code: String
        let severity: Int
        let start: [Int]
        let end: [Int]

        static func < (left: Item, right: Item) -> Bool {
            "\(left)".utf8.lexicographicallyPrecedes("\(right)".utf8)
        }

        var description: String { "\(start)-\(end) \(code) \(severity)" }
    }

    /// The findings by the path of their file. The unit is read as `lint` reads it, without a
    /// server.
    static func findings(_ folder: URL, _ options: LintOptions) throws -> [String: [Item]] {
        let root = try NamedPath.resolve(folder.path)
        let unit = try UnitLoader.unit(in: RootFolder(path: root))
        let own = try LintedUnit.options(options, of: unit, root: root)
        var report = FindingReport()
        report.add(Linter.lint(unit, own, crypto: crypto), below: "")
        var found: [String: [Item]] = [:]
        for finding in report.findings {
            let span = finding.primary.span
            let file = report.files[Int(span.file)]
            found[file.path, default: []].append(
                Item(
                    code: finding.code.rawValue,
                    severity: [.error: 1, .warning: 2, .info: 3][finding.severity] ?? 0,
                    start: place(Int(span.start), in: file.bytes),
                    end: place(Int(span.end), in: file.bytes)))
        }
        return found.mapValues { $0.sorted() }
    }

    /// Line and character of an offset by units of UTF-16, where a line ends with LF, CR LF or CR.
    static func place(_ offset: Int, in bytes: [UInt8]) -> [Int] {
        let units = Array(String(decoding: bytes[..<min(offset, bytes.count)], as: UTF8.self).utf16)
        let next = offset < bytes.count ? bytes[offset] : 0
        var (line, character) = (0, 0)
        for (index, unit) in units.enumerated() {
            let following = index + 1 < units.count ? units[index + 1] : UInt16(next)
            if unit == 0x0A || unit == 0x0D && following != 0x0A {
                (line, character) = (line + 1, 0)
            } else {
                character += 1
            }
        }
        return [line, character]
    }

    /// A diagnostic of the protocol.
    static func item(_ diagnostic: [String: Any]) -> Item {
        func place(_ key: String) -> [Int] {
            let range = diagnostic["range"] as? [String: Any]
            let position = range?[key] as? [String: Any]
            return [position?["line"] as? Int ?? -1, position?["character"] as? Int ?? -1]
        }
        return Item(
            code: diagnostic["code"] as? String ?? "",
            severity: diagnostic["severity"] as? Int ?? 0,
            start: place("start"), end: place("end"))
    }
}
