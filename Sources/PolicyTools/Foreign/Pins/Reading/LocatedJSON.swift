import PolicyCompiler
import TrustEngine

/// Reads JSON (RFC 8259) with the place of each value. Keys that stand twice, comments and trailing
/// commas are refused.
struct LocatedJSON {
    private let bytes: [UInt8]
    private var at = 0
    private var count = 0

    /// The value of a text that has passed the checks of `ForeignText`.
    ///
    /// - Throws: HX101 with the place of the first fault.
    static func read(_ bytes: [UInt8]) throws(ForeignError) -> SettingNode {
        var reader = LocatedJSON(bytes: bytes)
        if bytes.starts(with: [0xEF, 0xBB, 0xBF]) { reader.at = 3 }
        let value = try reader.value(0)
        reader.skipBlanks()
        guard reader.at == bytes.count else {
            throw reader.fault("text behind the end of the JSON value")
        }
        return value
    }

    private init(bytes: [UInt8]) { self.bytes = bytes }

    private func fault(_ message: String) -> ForeignError {
        ForeignText.fault(message, min(at, bytes.count)..<min(at + 1, bytes.count))
    }

    private mutating func skipBlanks() {
        while at < bytes.count, [0x20, 0x09, 0x0A, 0x0D].contains(bytes[at]) { at += 1 }
    }

    private mutating func take(_ mark: Unicode.Scalar) -> Bool {
        skipBlanks()
        guard at < bytes.count, bytes[at] == UInt8(ascii: mark) else { return false }
        at += 1
        return true
    }

    private mutating func value(_ depth: Int) throws(ForeignError) -> SettingNode {
        skipBlanks()
        let start = at
        count += 1
        guard depth < SettingNode.deepest else {
            throw fault("more than \(SettingNode.deepest) values inside each other")
        }
        guard count <= SettingNode.mostValues else {
            throw fault("more than \(SettingNode.mostValues) values")
        }
        guard at < bytes.count else { throw fault("a value is missing at the end of the file") }
        let content: SettingNode.Content
        switch bytes[at] {
        case UInt8(ascii: "{"): content = .dictionary(try dictionary(depth))
        case UInt8(ascii: "["): content = .list(try list(depth))
        case UInt8(ascii: "\""): content = .text(try string())
        case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"):
            try number()
            content = .other("a number")
        default: content = try word()
        }
        return SettingNode(content: content, range: start..<at)
    }

    private mutating func dictionary(
        _ depth: Int
    ) throws(ForeignError) -> [SettingNode.Entry] {
        at += 1
        var entries: [SettingNode.Entry] = []
        if take("}") { return entries }
        repeat {
            skipBlanks()
            let start = at
            guard at < bytes.count, bytes[at] == UInt8(ascii: "\"") else {
                throw fault("a key in double quotes is missing")
            }
            let key = try string()
            let range = start..<at
            guard take(":") else { throw fault("`:` is missing behind a key") }
            entries.append(
                SettingNode.Entry(key: key, keyRange: range, value: try value(depth + 1)))
        } while take(",")
        guard take("}") else { throw fault("`,` or `}` is missing") }
        try SettingNode.refuseTwins(entries)
        return entries
    }

    private mutating func list(_ depth: Int) throws(ForeignError) -> [SettingNode] {
        at += 1
        var items: [SettingNode] = []
        if take("]") { return items }
        repeat { items.append(try value(depth + 1)) } while take(",")
        guard take("]") else { throw fault("`,` or `]` is missing") }
        return items
    }

    private mutating func string() throws(ForeignError) -> String {
        let start = at
        at += 1
        var value: [UInt8] = []
        while at < bytes.count {
            let byte = bytes[at]
            if byte == UInt8(ascii: "\"") {
                at += 1
                return String(decoding: value, as: UTF8.self)
            }
            guard byte >= 0x20 else { break }
            guard byte == UInt8(ascii: "\\") else {
                value.append(byte)
                at += 1
                continue
            }
            guard at + 1 < bytes.count else { break }
            at += 2
            switch bytes[at - 1] {
            case UInt8(ascii: "n"): value.append(0x0A)
            case UInt8(ascii: "t"): value.append(0x09)
            case UInt8(ascii: "r"): value.append(0x0D)
            case UInt8(ascii: "b"): value.append(0x08)
            case UInt8(ascii: "f"): value.append(0x0C)
            case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"):
                value.append(bytes[at - 1])
            case UInt8(ascii: "u"): try escape(into: &value)
            default:
                at -= 2
                throw fault("an escape that JSON does not have")
            }
        }
        throw ForeignText.fault("a string without its end", start..<start + 1)
    }

    /// `\u` and four digits. Halves of pairs and characters that an editor does not show are
    /// refused.
    private mutating func escape(into value: inout [UInt8]) throws(ForeignError) {
        let digits = bytes[min(at, bytes.count)..<min(at + 4, bytes.count)]
        guard digits.count == 4,
            let number = UInt32(String(decoding: digits, as: UTF8.self), radix: 16),
            let scalar = Unicode.Scalar(number), number >= 0x20, !HiddenCharacter.isHidden(scalar)
        else {
            throw ForeignText.fault(
                "`\\u` takes four hexadecimal digits of a character that can be seen",
                at - 2..<min(at + 4, bytes.count))
        }
        value += Array(String(Character(scalar)).utf8)
        at += 4
    }

    private mutating func number() throws(ForeignError) {
        let start = at
        while at < bytes.count, "+-.eE0123456789".utf8.contains(bytes[at]) { at += 1 }
        guard Double(String(decoding: bytes[start..<at], as: UTF8.self)) != nil else {
            throw ForeignText.fault("a number that JSON does not have", start..<at)
        }
    }

    private mutating func word() throws(ForeignError) -> SettingNode.Content {
        for (word, content) in [
            ("true", SettingNode.Content.flag(true)), ("false", .flag(false)),
            ("null", .other("null")),
        ] where bytes[at...].starts(with: word.utf8) {
            at += word.utf8.count
            return content
        }
        throw fault("found text that is not JSON")
    }
}
