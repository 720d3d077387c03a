import Foundation
import JSONSchemaSupport
import PolicyCompiler

/// A policy as an editor's schema support sees it: JSON values by the core schema of YAML (YAML
/// 1.2.2 section 10.3), where the look of a plain scalar decides its type.
enum EditorsView {
    /// The value of a node; nil where something could not be read.
    static func value(_ node: SyntaxNode) -> JSONDocument? {
        switch node.kind {
        case .error: return nil
        case .scalar: return node.style == .plain ? plain(node.text) : .string(node.text)
        case .list:
            let items = node.items.map(value)
            return items.contains(nil) ? nil : .array(items.compactMap { $0 })
        case .map:
            var members: [String: JSONDocument] = [:]
            for entry in node.entries {
                guard let member = value(entry.value) else { return nil }
                members[entry.key.text] = member
            }
            return .object(members)
        }
    }

    /// A plain scalar by its look.
    static func plain(_ text: String) -> JSONDocument {
        switch text {
        case "", "~", "null", "Null", "NULL": return .null
        case "true", "True", "TRUE": return .bool(true)
        case "false", "False", "FALSE": return .bool(false)
        case ".nan", ".NaN", ".NAN": return .number(.nan)
        default: break
        }
        for (prefix, radix) in [("0o", 8), ("0x", 16)] where text.hasPrefix(prefix) {
            if let value = Int64(text.dropFirst(2), radix: radix) { return .integer(value) }
        }
        if matches(text, "[-+]?[0-9]+") {
            return Int64(text).map { .integer($0) } ?? .number(Double(text) ?? .infinity)
        }
        if matches(text, "[-+]?(\\.[0-9]+|[0-9]+(\\.[0-9]*)?)([eE][-+]?[0-9]+)?") {
            return .number(Double(text) ?? 0)
        }
        if matches(text, "[-+]?\\.(inf|Inf|INF)") { return .number(.infinity) }
        return .string(text)
    }

    private static func matches(_ text: String, _ pattern: String) -> Bool {
        text.range(of: "^(\(pattern))$", options: .regularExpression) != nil
    }
}

/// `grammar/policy.schema.json` and what stands beside it, from this checkout.
enum PolicySchema {
    static let repository = URL(filePath: #filePath).deletingLastPathComponent()
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

    static func text(_ path: String) throws -> String {
        try String(contentsOf: repository.appending(path: path), encoding: .utf8)
    }

    static func schema() throws -> JSONSchema {
        try JSONSchema(text: text("grammar/policy.schema.json"))
    }
}

/// `grammar/schema-differences.txt`: what the checker refuses and the schema cannot, with the
/// reason.
struct SchemaDifferences {
    struct Entry: Hashable {
        /// `policy`, or a production of the grammar.
        let place: String
        /// A code of the catalogue, or a value of the production's examples.
        let subject: String
        let reason: String
    }

    /// A line without its three columns.
    struct Malformed: Error {
        let line: String
    }

    let entries: [Entry]

    /// Reads the file: three columns between tabs; lines that begin with `#` are comments.
    init() throws {
        let text = try PolicySchema.text("grammar/schema-differences.txt")
        entries = try text.split(separator: "\n").filter { !$0.hasPrefix("#") }.map { line in
            let columns = line.split(separator: "\t", omittingEmptySubsequences: true)
            guard columns.count == 3 else {
                throw Malformed(line: String(line))
            }
            return Entry(
                place: String(columns[0]), subject: String(columns[1]), reason: String(columns[2]))
        }
    }

    func entry(_ place: String, _ subject: String) -> Entry? {
        entries.first { $0.place == place && $0.subject == subject }
    }
}
