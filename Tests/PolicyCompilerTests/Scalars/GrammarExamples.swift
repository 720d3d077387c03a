import Foundation
import PolicyCompiler
import Testing
import TrustEngine

/// The productions of `grammar/policy.ebnf` and the values beside it, read once.
enum GrammarExamples {
    /// A value of an example file, and the code that its line names.
    struct Row: Sendable, CustomTestStringConvertible {
        let production: String
        let value: String
        let code: String?
        var testDescription: String { "\(production): \(value)" }
    }

    static let productions: [String] = {
        let text = read("policy.ebnf")
        return text.split(separator: "\n").compactMap { line in
            guard line.first?.isLetter == true else { return nil }
            let parts = line.split(separator: "=", maxSplits: 1)
            guard parts.count == 2 else { return nil }
            let name = parts[0].trimmingCharacters(in: .whitespaces)
            return name.contains(" ") ? nil : name
        }
    }()

    static let fileNames: [String] = {
        let folder = grammar.appendingPathComponent("examples").path
        return ((try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []).sorted()
    }()

    static let accepted = rows(".accept.txt")
    static let rejected = rows(".reject.txt")

    private static let grammar: URL = {
        var root = URL(fileURLWithPath: #filePath)
        for _ in 0..<4 { root.deleteLastPathComponent() }
        return root.appendingPathComponent("grammar")
    }()

    private static func read(_ path: String) -> String {
        (try? String(contentsOf: grammar.appendingPathComponent(path), encoding: .utf8)) ?? ""
    }

    private static func rows(_ suffix: String) -> [Row] {
        fileNames.filter { $0.hasSuffix(suffix) }.flatMap { name in
            read("examples/\(name)").split(separator: "\n").filter {
                !$0.hasPrefix("# ") || name.hasPrefix("comment.")
            }
            .map { line in
                let parts = line.components(separatedBy: "\t# ")
                return Row(
                    production: String(name.dropLast(suffix.count)), value: parts[0],
                    code: parts.count == 2 ? parts[1] : nil)
            }
        }
    }
}

/// The scanner that decides each production: a part of a scalar is put into the smallest scalar
/// that holds it.
enum GrammarScanner {
    /// Scans a value as a production.
    ///
    /// - Returns: the problem, or nil when the value is one; a production without a scanner is a
    ///   problem of its own.
    static func problem(_ production: String, _ value: String) -> ScalarProblem? {
        do {
            try scan(production, value)
            return nil
        } catch {
            return error
        }
    }

    /// Parses a value of the YAML subset inside the smallest file that holds it.
    ///
    /// The values are written with `\\n`, `\\r`, `\\t`, `\\\\` and `\\u{HEX}` for what a line of an
    /// example file cannot hold.
    static func parse(_ production: String, _ value: String) -> SyntaxTree {
        let text = unescaped(value)
        let source: String
        switch production {
        case "key": source = "\(text): v\n"
        case "value", "flow-map", "flow-list", "flow-value", "plain", "single-quoted",
            "double-quoted", "literal":
            source = "k: \(text)\n"
        case "comment": source = "k: v \(text)\n"
        case "character": source = "k: v # \(text)\n"
        case "line-end": source = "k: v\(text)l: w\(text)"
        default: source = text
        }
        return SyntaxParser.parse(
            SourceFile(path: "policy.yaml", bytes: Array(source.utf8)), fileIndex: 0)
    }

    private static func unescaped(_ value: String) -> String {
        var text = String.UnicodeScalarView()
        var rest = value.unicodeScalars[...]
        while let scalar = rest.popFirst() {
            guard scalar == "\\", let mark = rest.popFirst() else {
                text.append(scalar)
                continue
            }
            switch mark {
            case "n": text.append("\n")
            case "r": text.append("\r")
            case "t": text.append("\t")
            case "u":
                let digits = rest.dropFirst().prefix { $0 != "}" }
                rest = rest.dropFirst(digits.count + 2)
                if let code = UInt32(String(digits), radix: 16), let scalar = Unicode.Scalar(code) {
                    text.append(scalar)
                }
            default: text.append(mark)
            }
        }
        return String(text)
    }

    private static func scan(_ production: String, _ value: String) throws(ScalarProblem) {
        switch production {
        case "integer": _ = try IntegerScanner.scan(value, for: "field", in: 0...65_535)
        case "digit": _ = try IntegerScanner.scan(value, for: "field", in: 0...9)
        case "id", "letter": _ = try IDScanner.scan(value, style: .plain)
        case "text": _ = try FreeTextScanner.scan(value, for: "note", style: .plain)
        case "path": _ = try RelativePathScanner.scan(value, namedIn: "teams/search/s.policy.yaml")
        case "segment": _ = try RelativePathScanner.scan(value + "/", namedIn: "a/policy.yaml")
        case "exact-name": _ = try ExactNameScanner.scan(value)
        case "address": _ = try AddressScanner.scan(value)
        case "email": _ = try EmailScanner.scan(value)
        case "local-part": _ = try EmailScanner.scan(value + "@corp.example")
        case "uri-pattern": _ = try URIPatternScanner.scan(value)
        case "scheme": _ = try URIPatternScanner.scan("\(value)://a.example/b")
        case "authority": _ = try URIPatternScanner.scan("a://\(value)/b")
        case "uri-segment": _ = try URIPatternScanner.scan("a://b.example/\(value)/c")
        case "spki-digest": _ = try SPKIDigestScanner.scan(value)
        case "base64": _ = try SPKIDigestScanner.scan("sha256/\(value)")
        case "cert-digest": _ = try CertificateDigestScanner.scan(value)
        case "hex": _ = try CertificateDigestScanner.scan("sha256:\(value)")
        case "field-path": _ = try FieldPathScanner.scan(value)
        case "receipt-line": _ = try ReceiptLineScanner.scan(value, namedIn: "a/policy.test.yaml")
        case "requested-host": _ = try RequestedHostScanner.scan(value)
        case "unit-path": _ = try UnitPathScanner.scan(value)
        case "duration": _ = try DurationScanner.scan(value, for: "field")
        case "oid": _ = try ObjectIdentifierScanner.scan(value)
        default:
            if try scanDatePart(production, value) { return }
            try scanHostPart(production, value)
        }
    }

    private static func scanDatePart(
        _ production: String, _ value: String
    ) throws(ScalarProblem) -> Bool {
        switch production {
        case "date": _ = try DateScanner.scan(value)
        case "year": _ = try DateScanner.scan("\(value)-01-01")
        case "month": _ = try DateScanner.scan("2026-\(value)-01")
        case "day": _ = try DateScanner.scan("2026-01-\(value)")
        case "hour": _ = try DateScanner.scan("2026-01-01T\(value):00:00Z")
        case "minute": _ = try DateScanner.scan("2026-01-01T00:\(value):00Z")
        case "second": _ = try DateScanner.scan("2026-01-01T00:00:\(value)Z")
        default: return false
        }
        return true
    }

    private static func scanHostPart(
        _ production: String, _ value: String
    ) throws(ScalarProblem) {
        switch production {
        case "host-pattern", "dns-pattern": _ = try HostPatternScanner.scan(value)
        case "label": _ = try HostPatternScanner.scan("\(value).example")
        // Between two letters, so that its place in a label does not matter.
        case "label-character": _ = try HostPatternScanner.scan("a\(value)b")
        case "ipv4", "ipv6": _ = try AddressScanner.scan(value)
        case "octet": _ = try AddressScanner.scan("10.\(value).0.1")
        case "prefix": _ = try HostPatternScanner.scan("::/\(value)")
        case "port": _ = try HostPatternScanner.scan("host.example:\(value)")
        default: throw ScalarProblem(.unknownValue, "no scanner for `\(production)`")
        }
    }
}
