import PolicyCompiler
import Rendering
import TrustEngine

/// Compares values that a test writes with values that `show` prints.
enum ExpectedText {
    /// The value on one line, in flow form.
    static func text(_ value: ExpectedValue) -> String { FlowText.render(json(value)) }

    private static func json(_ value: ExpectedValue) -> JSONValue {
        switch value {
        case .scalar(let text): return .string(text)
        case .list(let items): return .array(items.map(json))
        case .map(let entries):
            return .object(entries.map { JSONValue.Member($0.key, json($0.value)) })
        }
    }

    /// Whether a value is the one that a test expects. Of a map only the expected entries are
    /// compared. Items may stand in any order unless the order has a meaning.
    ///
    /// - Parameter absent: the word for a field without a value.
    static func holds(
        _ expected: ExpectedValue, of got: JSONValue, absent: String, isOrdered: Bool
    ) -> Bool {
        switch (expected, got) {
        case (.scalar(let text), .null): return text == absent || text == "none"
        case (.scalar(let text), .string(let found)): return holds(text, found)
        case (.scalar(let text), .integer(let number)): return text == String(number)
        case (.scalar(let text), .bool(let flag)): return text == (flag ? "yes" : "no")
        case (.list(let items), .null): return items.isEmpty
        case (.list(let items), .array(let found)):
            guard items.count == found.count else { return false }
            if isOrdered {
                return zip(items, found).allSatisfy {
                    holds($0, of: $1, absent: absent, isOrdered: true)
                }
            }
            var left = found
            for item in items {
                guard
                    let index = left.firstIndex(where: {
                        holds(item, of: $0, absent: absent, isOrdered: false)
                    })
                else { return false }
                left.remove(at: index)
            }
            return true
        case (.map(let entries), .object(let members)):
            return entries.allSatisfy { entry in
                guard let member = members.first(where: { $0.key == entry.key }) else {
                    return entry.value == .scalar("none")
                }
                return holds(
                    entry.value, of: member.value, absent: absent, isOrdered: isOrdered)
            }
        case (.scalar, .array), (.scalar, .object), (.list, .string), (.list, .integer),
            (.list, .bool), (.list, .object), (.map, .string), (.map, .integer), (.map, .bool),
            (.map, .null), (.map, .array):
            return false
        }
    }

    /// Whether two scalars mean the same: a bare date stands for its first and for its last second,
    /// and a duration may be written in another unit.
    private static func holds(_ expected: String, _ found: String) -> Bool {
        if expected == found { return true }
        if let date = try? DateScanner.scan(expected) {
            return date.firstSecond.description == found || date.lastSecond.description == found
        }
        guard let one = try? DurationScanner.scan(expected, for: ""),
            let other = try? DurationScanner.scan(found, for: "")
        else { return false }
        return one == other
    }
}
