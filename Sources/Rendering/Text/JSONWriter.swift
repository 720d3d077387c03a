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
        return String(decoding: writer.octets, as: UTF8.self)
    }

    /// The same as `render(_:)`, under the name that other formats use.
    package func render(pretty: Bool) -> String {
        render(pretty ? .pretty : .compact)
    }
}

/// Writes a value recursively. The depth is the depth of our own structures, never of input.
private struct JSONWriter {
    let layout: JSONLayout
    /// UTF-8.
    var octets: [UInt8] = []

    mutating func write(_ value: JSONValue, depth: Int) {
        switch value {
        case .null: octets += "null".utf8
        case .bool(let flag): octets += (flag ? "true" : "false").utf8
        case .integer(let number): octets += String(number).utf8
        case .string(let string): write(string)
        case .array(let items):
            writeList(open: "[", close: "]", count: items.count, depth: depth) { writer, index in
                writer.write(items[index], depth: depth + 1)
            }
        case .object(let members):
            writeList(open: "{", close: "}", count: members.count, depth: depth) { writer, index in
                writer.write(members[index].key)
                writer.octets.append(UInt8(ascii: ":"))
                if writer.layout == .pretty { writer.octets.append(0x20) }
                writer.write(members[index].value, depth: depth + 1)
            }
        }
    }

    private mutating func writeList(
        open: Unicode.Scalar, close: Unicode.Scalar, count: Int, depth: Int,
        each: (inout JSONWriter, Int) -> Void
    ) {
        octets.append(UInt8(ascii: open))
        for index in 0..<count {
            if index > 0 { octets.append(UInt8(ascii: ",")) }
            breakLine(depth: depth + 1)
            each(&self, index)
        }
        if count > 0 { breakLine(depth: depth) }
        octets.append(UInt8(ascii: close))
    }

    private mutating func breakLine(depth: Int) {
        guard layout == .pretty else { return }
        octets.append(0x0A)
        octets.append(contentsOf: repeatElement(0x20, count: 2 * depth))
    }

    /// Most texts are of visible ASCII and a few line ends.
    private mutating func write(_ string: String) {
        octets.append(UInt8(ascii: "\""))
        let span = string.utf8.span
        if span.indices.allSatisfy({ span[$0] < 0x80 }) {
            for index in span.indices { writeASCII(span[index]) }
        } else {
            for scalar in string.unicodeScalars { write(scalar) }
        }
        octets.append(UInt8(ascii: "\""))
    }

    private mutating func writeASCII(_ octet: UInt8) {
        switch octet {
        case UInt8(ascii: "\""), UInt8(ascii: "\\"):
            octets.append(UInt8(ascii: "\\"))
            octets.append(octet)
        case 0x20...0x7E: octets.append(octet)
        case 0x0A: octets += "\\n".utf8
        case 0x0D: octets += "\\r".utf8
        case 0x09: octets += "\\t".utf8
        default: escape(UInt16(octet))
        }
    }

    private mutating func write(_ scalar: Unicode.Scalar) {
        if scalar.isASCII {
            writeASCII(UInt8(ascii: scalar))
        } else if HiddenCharacter.isHidden(scalar) {
            for unit in scalar.utf16 { escape(unit) }
        } else {
            octets += scalar.utf8
        }
    }

    private mutating func escape(_ unit: UInt16) {
        let digits = String(unit, radix: 16)
        octets += ("\\u" + String(repeating: "0", count: 4 - digits.count) + digits).utf8
    }
}
