package import PolicyReading

/// Writes a value on one line, in the flow form of a policy: `[a, b]`, `{ at: ca }`. The caller
/// must still pass the text through `TerminalEscape`.
package enum FlowText {
    /// The text of a value. A scalar that stands alone is not quoted; null is written as `none`.
    /// `most` limits the items that a list at the top level shows; the omitted items are counted.
    package static func render(_ value: JSONValue, most: Int = .max) -> String {
        switch value {
        case .string(let text): return text
        case .array(let items) where items.count > most:
            let shown = items.prefix(most).map(inner).joined(separator: ", ")
            return "[\(shown)\(Cut.rest(items.count - most, before: ", … "))]"
        default: return inner(value)
        }
    }

    /// Recursive: the depth is the depth of our own structures, never of input.
    private static func inner(_ value: JSONValue) -> String {
        switch value {
        case .null: return "none"
        case .bool(let flag): return flag ? "yes" : "no"
        case .integer(let number): return String(number)
        case .string(let text): return isPlain(text) ? text : quoted(text)
        case .array(let items): return "[\(items.map(inner).joined(separator: ", "))]"
        case .object(let members):
            let pairs = members.map { "\($0.key): \(inner($0.value))" }
            return "{ \(pairs.joined(separator: ", ")) }"
        }
    }

    /// Whether YAML reads the text as one plain scalar in flow form (YAML 1.2 section 7.3.3).
    private static func isPlain(_ text: String) -> Bool {
        guard let first = text.unicodeScalars.first, let last = text.unicodeScalars.last,
            !"*&!|>%@`'\"#- ?".unicodeScalars.contains(first), last != " ", last != ":"
        else { return false }
        guard !text.unicodeScalars.contains(where: { ",[]{}\"".unicodeScalars.contains($0) }) else {
            return false
        }
        return !text.contains(": ") && !text.contains(" #")
    }

    private static func quoted(_ text: String) -> String {
        var result = "\""
        for scalar in text.unicodeScalars {
            if scalar == "\"" || scalar == "\\" { result += "\\" }
            result.unicodeScalars.append(scalar)
        }
        return result + "\""
    }
}
