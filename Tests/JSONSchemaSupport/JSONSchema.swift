import Foundation

/// A JSON Schema validator for the part of draft-07 that the schemas in `grammar/` use. A keyword
/// that it does not know is an error, so that no schema promises more than is tested; `x-` begins
/// an annotation.
package struct JSONSchema: Sendable {
    private let root: JSONDocument

    /// One way in which a document breaks a schema.
    package struct Violation: Hashable, Sendable, CustomStringConvertible {
        /// JSON pointer into the document.
        package let pointer: String
        package let message: String
        package var description: String { "\(pointer.isEmpty ? "/" : pointer): \(message)" }
    }

    /// Reads a schema and refuses keywords that are not understood.
    package init(text: String) throws {
        root = try JSONDocument(text: text)
        try JSONSchema.check(root, at: "#")
    }

    /// Every way in which a document breaks the schema; empty when it is valid.
    package func violations(of document: JSONDocument) -> [Violation] {
        validate(document, root, at: "", depth: 0)
    }

    /// Every way in which a document breaks one of the schema's `definitions`.
    package func violations(of document: JSONDocument, definition name: String) -> [Violation] {
        violations(of: document, like: .object(["$ref": .string("#/definitions/\(name)")]))
    }

    /// Every way in which a document breaks a schema whose references lead into this one.
    package func violations(of document: JSONDocument, like schema: JSONDocument) -> [Violation] {
        validate(document, schema, at: "", depth: 0)
    }

    // MARK: Keywords

    private static let annotations: Set<String> = [
        "$schema", "$id", "id", "$comment", "title", "description", "default", "examples", "format",
    ]
    private static let schemaKeywords: Set<String> = [
        "not", "items", "additionalProperties", "propertyNames", "if", "then", "else",
    ]
    private static let schemaMaps: Set<String> = ["definitions", "properties", "patternProperties"]
    private static let schemaLists: Set<String> = ["oneOf", "anyOf", "allOf"]
    private static let plain: Set<String> = [
        "$ref", "type", "enum", "const", "required", "minItems", "maxItems", "uniqueItems",
        "minLength", "maxLength", "minimum", "maximum", "minProperties", "maxProperties", "pattern",
    ]

    private static func check(_ schema: JSONDocument, at pointer: String) throws {
        if case .bool = schema { return }
        guard case .object(let members) = schema else {
            throw JSONDocument.Problem(description: "\(pointer) is no schema")
        }
        for (key, value) in members {
            let here = "\(pointer)/\(key)"
            if schemaKeywords.contains(key) {
                try check(value, at: here)
            } else if schemaLists.contains(key) {
                for (index, item) in value.items.enumerated() {
                    try check(item, at: "\(here)/\(index)")
                }
            } else if schemaMaps.contains(key) {
                guard case .object(let map) = value else {
                    throw JSONDocument.Problem(description: "\(here) is no map of schemas")
                }
                for (name, item) in map { try check(item, at: "\(here)/\(name)") }
            } else if !plain.contains(key), !annotations.contains(key), !key.hasPrefix("x-") {
                throw JSONDocument.Problem(description: "\(here): keyword not understood")
            }
            if key == "pattern" {
                _ = try NSRegularExpression(pattern: value.text ?? "(")
            }
        }
    }

    // MARK: Validation

    private func validate(
        _ document: JSONDocument, _ schema: JSONDocument, at pointer: String, depth: Int
    ) -> [Violation] {
        guard depth < 300 else { return [Violation(pointer: pointer, message: "nested too deep")] }
        if case .bool(let allowed) = schema {
            return allowed ? [] : [Violation(pointer: pointer, message: "nothing is allowed here")]
        }
        guard case .object(let keywords) = schema else { return [] }
        // Draft-07 section 8.3: beside `$ref` every other keyword is ignored.
        if let reference = keywords["$ref"]?.text {
            guard let target = resolve(reference) else {
                return [Violation(pointer: pointer, message: "`\(reference)` leads nowhere")]
            }
            return validate(document, target, at: pointer, depth: depth + 1)
        }
        var violations = scalars(document, keywords, at: pointer)
        violations += combinations(document, keywords, at: pointer, depth: depth)
        switch document {
        case .object(let members):
            violations += object(members, keywords, at: pointer, depth: depth)
        case .array(let items):
            violations += array(items, keywords, at: pointer, depth: depth)
        default: break
        }
        return violations
    }

    private func resolve(_ reference: String) -> JSONDocument? {
        guard reference.hasPrefix("#") else { return nil }
        var node: JSONDocument? = root
        for part in reference.dropFirst().split(separator: "/") {
            let name = part.replacingOccurrences(of: "~1", with: "/")
                .replacingOccurrences(of: "~0", with: "~")
            node = node?[name]
        }
        return node
    }

    private func scalars(
        _ document: JSONDocument, _ keywords: [String: JSONDocument], at pointer: String
    ) -> [Violation] {
        var messages: [String] = []
        if let type = keywords["type"] {
            let types = type.text.map { [$0] } ?? type.items.compactMap(\.text)
            if !types.contains(where: { JSONSchema.is(document, $0) }) {
                messages.append("wanted \(types.joined(separator: " or "))")
            }
        }
        if let constant = keywords["const"], constant != document {
            messages.append("wanted \(constant), found \(document)")
        }
        if let allowed = keywords["enum"]?.items, !allowed.contains(document) {
            messages.append("\(document) is not among the allowed values")
        }
        if case .string(let text) = document {
            if let pattern = keywords["pattern"]?.text,
                text.range(of: pattern, options: .regularExpression) == nil
            {
                messages.append("`\(text)` does not match `\(pattern)`")
            }
            messages += bounds(text.unicodeScalars.count, "Length", keywords)
        }
        if let value = JSONSchema.double(document) {
            if let low = keywords["minimum"].flatMap(JSONSchema.double), value < low {
                messages.append("\(value) is below \(low)")
            }
            if let high = keywords["maximum"].flatMap(JSONSchema.double), value > high {
                messages.append("\(value) is above \(high)")
            }
        }
        return messages.map { Violation(pointer: pointer, message: $0) }
    }

    private func combinations(
        _ document: JSONDocument, _ keywords: [String: JSONDocument], at pointer: String, depth: Int
    ) -> [Violation] {
        func failures(_ schema: JSONDocument) -> [Violation] {
            validate(document, schema, at: pointer, depth: depth + 1)
        }
        var violations: [Violation] = []
        for schema in keywords["allOf"]?.items ?? [] { violations += failures(schema) }
        if let any = keywords["anyOf"]?.items, !any.contains(where: { failures($0).isEmpty }) {
            violations.append(Violation(pointer: pointer, message: "none of `anyOf` holds"))
        }
        if let one = keywords["oneOf"]?.items {
            let all = one.map(failures)
            let holding = all.filter(\.isEmpty).count
            if holding > 1 {
                violations.append(
                    Violation(pointer: pointer, message: "\(holding) of `oneOf` hold, not one"))
            } else if holding == 0 {
                // The alternative that came closest says most.
                violations.append(Violation(pointer: pointer, message: "none of `oneOf` holds"))
                violations += all.min { $0.count < $1.count } ?? []
            }
        }
        if let not = keywords["not"], failures(not).isEmpty {
            violations.append(Violation(pointer: pointer, message: "`not` holds"))
        }
        if let condition = keywords["if"] {
            let branch = failures(condition).isEmpty ? keywords["then"] : keywords["else"]
            if let branch { violations += failures(branch) }
        }
        return violations
    }

    private func object(
        _ members: [String: JSONDocument], _ keywords: [String: JSONDocument], at pointer: String,
        depth: Int
    ) -> [Violation] {
        var violations: [Violation] = []
        for required in keywords["required"]?.items.compactMap(\.text) ?? []
        where members[required] == nil {
            violations.append(Violation(pointer: pointer, message: "`\(required)` is missing"))
        }
        violations += bounds(members.count, "Properties", keywords)
            .map { Violation(pointer: pointer, message: $0) }
        var patterns: [String: JSONDocument] = [:]
        if case .object(let map)? = keywords["patternProperties"] { patterns = map }
        for (key, value) in members.sorted(by: { $0.key < $1.key }) {
            let here = "\(pointer)/\(key)"
            var isKnown = false
            if let names = keywords["propertyNames"] {
                violations += validate(.string(key), names, at: here, depth: depth + 1)
            }
            if let schema = keywords["properties"]?[key] {
                isKnown = true
                violations += validate(value, schema, at: here, depth: depth + 1)
            }
            for (pattern, schema) in patterns
            where key.range(of: pattern, options: .regularExpression) != nil {
                isKnown = true
                violations += validate(value, schema, at: here, depth: depth + 1)
            }
            if !isKnown, let schema = keywords["additionalProperties"] {
                if schema == .bool(false) {
                    violations.append(Violation(pointer: here, message: "key not allowed"))
                } else {
                    violations += validate(value, schema, at: here, depth: depth + 1)
                }
            }
        }
        return violations
    }

    private func array(
        _ items: [JSONDocument], _ keywords: [String: JSONDocument], at pointer: String, depth: Int
    ) -> [Violation] {
        var violations = bounds(items.count, "Items", keywords)
            .map { Violation(pointer: pointer, message: $0) }
        if keywords["uniqueItems"] == .bool(true), Set(items).count != items.count {
            violations.append(Violation(pointer: pointer, message: "an item stands twice"))
        }
        if let schema = keywords["items"] {
            for (index, item) in items.enumerated() {
                violations += validate(item, schema, at: "\(pointer)/\(index)", depth: depth + 1)
            }
        }
        return violations
    }

    private func bounds(
        _ count: Int, _ noun: String, _ keywords: [String: JSONDocument]
    ) -> [String] {
        var messages: [String] = []
        if case .integer(let low)? = keywords["min\(noun)"], count < Int(low) {
            messages.append("\(count) is below min\(noun) \(low)")
        }
        if case .integer(let high)? = keywords["max\(noun)"], count > Int(high) {
            messages.append("\(count) is above max\(noun) \(high)")
        }
        return messages
    }

    private static func double(_ document: JSONDocument) -> Double? {
        switch document {
        case .integer(let value): return Double(value)
        case .number(let value): return value
        default: return nil
        }
    }

    private static func `is`(_ document: JSONDocument, _ type: String) -> Bool {
        switch (document, type) {
        case (.object, "object"), (.array, "array"), (.string, "string"), (.bool, "boolean"),
            (.null, "null"), (.integer, "integer"), (.integer, "number"), (.number, "number"):
            return true
        case (.number(let value), "integer"): return value == value.rounded()
        default: return false
        }
    }
}
