internal import TrustEngine

/// A log list as far as compiling looks at it: JSON (RFC 8259) with the members that version 3 of
/// log_list.json has. What its logs are is read where timestamps are judged.
enum LogListFile {
    /// Octets a log list may have; the public one has about 60,000.
    static let limit = 16 << 20

    /// What is wrong with a file, to stand after its name; nil for a log list.
    static func problem(_ bytes: [UInt8]) -> String? {
        var reader = JSONReader(bytes)
        let members: [(name: Range<Int>, value: Range<Int>)]
        do throws(JSONReader.Problem) {
            guard let found = try reader.members() else { return "is JSON but no object" }
            members = found
        } catch {
            return "is not JSON at its line \(LineIndex(bytes).line(of: error.offset) + 1): "
                + error.reason
        }
        func values(_ name: String) -> [ArraySlice<UInt8>] {
            members.filter { bytes[$0.name].elementsEqual(name.utf8) }.map { bytes[$0.value] }
        }
        for name in ["log_list_timestamp", "operators"] {
            switch values(name).count {
            case 0: return "has no `\(name)`"
            case 1: break
            default: return "has `\(name)` twice"
            }
        }
        for timestamp in values("log_list_timestamp") {
            let text = String(decoding: timestamp.dropFirst().dropLast(), as: UTF8.self)
            guard timestamp.first == UInt8(ascii: "\""), UTCInstant(text: text) != nil else {
                return "has a `log_list_timestamp` that is not of the form 2026-01-31T12:00:00Z"
            }
        }
        guard values("operators").allSatisfy({ $0.first == UInt8(ascii: "[") }) else {
            return "has `operators` that are no list"
        }
        return nil
    }
}

/// Reads JSON as far as the members of the outermost object. Without recursion, each octet once;
/// deeper than 64 is refused.
private struct JSONReader {
    struct Problem: Error {
        let offset: Int
        let reason: String
    }

    private let bytes: [UInt8]
    private var at = 0

    init(_ bytes: [UInt8]) {
        self.bytes = bytes
    }

    /// Names (between their quotes) and values of the members, in order; nil when the text is another
    /// value than an object. A name spelt with escapes is its source.
    mutating func members() throws(Problem) -> [(name: Range<Int>, value: Range<Int>)]? {
        skipSpace()
        var members: [(name: Range<Int>, value: Range<Int>)] = []
        guard next == UInt8(ascii: "{") else {
            try skipValue()
            try requireEnd()
            return nil
        }
        at += 1
        skipSpace()
        if !take("}") {
            repeat {
                let name = try readKey()
                skipSpace()
                let start = at
                try skipValue()
                members.append((name, start..<at))
                skipSpace()
            } while take(",")
            guard take("}") else { throw problem("`,` or `}` is wanted") }
        }
        try requireEnd()
        return members
    }

    private var next: UInt8? { at < bytes.count ? bytes[at] : nil }

    private func problem(_ reason: String) -> Problem { Problem(offset: at, reason: reason) }

    private mutating func requireEnd() throws(Problem) {
        skipSpace()
        guard next == nil else { throw problem("something stands behind its end") }
    }

    private mutating func skipSpace() {
        while let byte = next, [0x20, 0x09, 0x0A, 0x0D].contains(byte) { at += 1 }
    }

    private mutating func take(_ character: Unicode.Scalar) -> Bool {
        guard next == UInt8(ascii: character) else { return false }
        at += 1
        return true
    }

    /// One value with all that is in it.
    private mutating func skipValue() throws(Problem) {
        var open: [UInt8] = []
        repeat {
            skipSpace()
            if take("{") {
                skipSpace()
                if !take("}") {
                    try enter(UInt8(ascii: "{"), &open)
                    _ = try readKey()
                    continue
                }
            } else if take("[") {
                skipSpace()
                if !take("]") {
                    try enter(UInt8(ascii: "["), &open)
                    continue
                }
            } else {
                try skipScalar()
            }
            try leave(&open)
        } while !open.isEmpty
    }

    private func enter(_ container: UInt8, _ open: inout [UInt8]) throws(Problem) {
        guard open.count < 64 else { throw problem("it nests deeper than 64") }
        open.append(container)
    }

    /// What follows a value: the next one of its container, or the end of that and of those around it.
    private mutating func leave(_ open: inout [UInt8]) throws(Problem) {
        while let container = open.last {
            skipSpace()
            let isObject = container == UInt8(ascii: "{")
            if take(",") {
                if isObject { _ = try readKey() }
                return
            }
            guard take(isObject ? "}" : "]") else {
                throw problem("`,` or `\(isObject ? "}" : "]")` is wanted")
            }
            open.removeLast()
        }
    }

    /// A member's name and the colon behind it.
    private mutating func readKey() throws(Problem) -> Range<Int> {
        skipSpace()
        let start = at + 1
        try skipString()
        let end = at - 1
        skipSpace()
        guard take(":") else { throw problem("`:` is wanted") }
        return start..<end
    }

    private mutating func skipScalar() throws(Problem) {
        switch next {
        case UInt8(ascii: "\""): try skipString()
        case UInt8(ascii: "-"): try skipNumber()
        case .some(let byte) where DecimalNumber.isDigit(byte): try skipNumber()
        default:
            for word in ["true", "false", "null"] where bytes[at...].starts(with: word.utf8) {
                at += word.utf8.count
                return
            }
            throw problem("a value is wanted")
        }
    }

    private mutating func skipString() throws(Problem) {
        guard take("\"") else { throw problem("a text in double quotes is wanted") }
        while let byte = next {
            switch byte {
            case UInt8(ascii: "\""):
                at += 1
                return
            case UInt8(ascii: "\\"): try skipEscape()
            case 0..<0x20: throw problem("a control character stands in a text")
            default:
                let step = UTF8Step.decode(bytes, at: at)
                guard step.scalar != nil else { throw problem("it is not UTF-8") }
                at += step.length
            }
        }
        throw problem("a text has no end")
    }

    private mutating func skipEscape() throws(Problem) {
        let rest = bytes[(at + 1)...]
        if let first = rest.first, "\"\\/bfnrt".utf8.contains(first) {
            at += 2
            return
        }
        guard rest.first == UInt8(ascii: "u"), rest.dropFirst().prefix(4).count == 4,
            rest.dropFirst().prefix(4).allSatisfy({ Unicode.Scalar($0).properties.isASCIIHexDigit })
        else { throw problem("an escape that JSON does not have") }
        at += 6
    }

    private mutating func skipNumber() throws(Problem) {
        _ = take("-")
        if !take("0") { try skipDigits() }
        if take(".") { try skipDigits() }
        if take("e") || take("E") {
            _ = take("+") || take("-")
            try skipDigits()
        }
    }

    private mutating func skipDigits() throws(Problem) {
        let start = at
        while let byte = next, DecimalNumber.isDigit(byte) { at += 1 }
        guard at > start else { throw problem("a digit is wanted") }
    }
}
