package import PolicyReading
import TrustEngine

/// How JSON is laid out.
package enum JSONLayout: Hashable, Sendable {
    /// One line, without blanks.
    case compact
    /// Two blanks for each level; each member or item on its own line.
    case pretty
}

extension JSONValue {
    /// The text of the value (RFC 8259), without a line end after it. Control characters, DEL,
    /// U+2028, U+2029 and every format character are written as `\u` escapes, so the text carries
    /// no hidden character into a terminal, a log or a script.
    package func render(_ layout: JSONLayout = .compact) -> String {
        var writer = JSONWriter(layout: layout)
        writer.write(self, depth: 0)
        return writer.text
    }

    /// The same as `render(_:)`, under the name that other formats use.
    package func render(pretty: Bool) -> String {
        render(pretty ? .pretty : .compact)
    }
}

/// Writes a value recursively. The depth is the depth of our own structures, never of input.
private struct JSONWriter {
    let layout: JSONLayout
    var text = ""

    mutating func write(_ value: JSONValue, depth: Int) {
        switch value {
        case .null: text += "null"
        case .bool(let flag): text += flag ? "true" : "false"
        case .integer(let number): text += String(number)
        case .string(let string): write(string)
        case .array(let items):
            writeList(open: "[", close: "]", count: items.count, depth: depth) { writer, index in
                writer.write(items[index], depth: depth + 1)
            }
        case .object(let members):
            writeList(open: "{", close: "}", count: members.count, depth: depth) { writer, index in
                writer.write(members[index].key)
                writer.text += writer.layout == .pretty ? ": " : ":"
                writer.write(members[index].value, depth: depth + 1)
            }
        }
    }

    private mutating func writeList(
        open: String, close: String, count: Int, depth: Int,
        each: (inout JSONWriter, Int) -> Void
    ) {
        text += open
        for index in 0..<count {
            if index > 0 { text += "," }
            breakLine(depth: depth + 1)
            each(&self, index)
        }
        if count > 0 { breakLine(depth: depth) }
        text += close
    }

    private mutating func breakLine(depth: Int) {
        guard layout == .pretty else { return }
        text += "\n"
        for _ in 0..<depth { text += "  " }
    }

    /// Text that stands for itself is appended a run at a time.
    private mutating func write(_ string: String) {
        text += "\""
        var rest = Substring(string)
        while let stop = rest.utf8.firstIndex(where: { !JSONWriter.isPlain($0) }) {
            text += rest[..<stop]
            escape(rest.unicodeScalars[stop])
            rest = rest[rest.unicodeScalars.index(after: stop)...]
        }
        text += rest
        text += "\""
    }

    private mutating func escape(_ scalar: Unicode.Scalar) {
        switch scalar {
        case "\"": text += "\\\""
        case "\\": text += "\\\\"
        case "\n": text += "\\n"
        case "\r": text += "\\r"
        case "\t": text += "\\t"
        default:
            if HiddenCharacter.isHidden(scalar) {
                for unit in String(scalar).utf16 { write(unit) }
            } else {
                text.unicodeScalars.append(scalar)
            }
        }
    }

    /// Whether an octet is visible ASCII or a blank, and stands for itself in a text.
    private static func isPlain(_ octet: UInt8) -> Bool {
        (0x20...0x7E).contains(octet) && octet != UInt8(ascii: "\"") && octet != UInt8(ascii: "\\")
    }

    private mutating func write(_ unit: UInt16) {
        let digits = String(unit, radix: 16)
        text += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
    }
}
