import PolicyCompiler
import TrustEngine

/// A token of Java, Kotlin, Swift or Objective-C.
struct SourceToken {
    enum Kind: Hashable {
        /// A name or a keyword.
        case word(String)
        /// A string without placeholders, escapes resolved.
        case string(String)
        /// A string with placeholders, or with escapes that are not read.
        case template
        case number(String)
        /// A single octet of punctuation.
        case mark(UInt8)
    }
    let kind: Kind
    let range: Range<Int>

    func isMark(_ mark: Unicode.Scalar) -> Bool { kind == .mark(UInt8(ascii: mark)) }

    var word: String? {
        guard case .word(let word) = kind else { return nil }
        return word
    }
}

/// Splits source text into tokens. Comments are skipped, so code in comments is not code.
///
/// Only the parts that import needs are exact: strings with their escapes, comments, names and
/// brackets. A string with a placeholder or an escape that is not read is a token of its own, whose
/// value is unknown.
struct SourceTokens {
    /// The rules that differ between the languages.
    enum Language: Hashable {
        case java, kotlin, swift, objectiveC

        var nestsComments: Bool { self == .kotlin || self == .swift }
        var hasCharacters: Bool { self != .swift }
    }

    private let bytes: [UInt8]
    private let language: Language
    private var at = 0
    private var tokens: [SourceToken] = []

    /// The tokens of a text that has passed the checks of `ForeignText`.
    ///
    /// - Throws: HX101 for a string or a comment without its end.
    static func read(_ bytes: [UInt8], _ language: Language) throws(ForeignError) -> [SourceToken] {
        var reader = SourceTokens(bytes: bytes, language: language)
        try reader.read()
        return reader.tokens
    }

    private init(bytes: [UInt8], language: Language) {
        self.bytes = bytes
        self.language = language
    }

    private func byte(_ offset: Int) -> UInt8? { offset < bytes.count ? bytes[offset] : nil }

    private func starts(_ text: StaticString, at offset: Int) -> Bool {
        let wanted = text.utf8CodeUnitCount
        guard offset + wanted <= bytes.count else { return false }
        return bytes[offset..<offset + wanted].elementsEqual(text.description.utf8)
    }

    private mutating func read() throws(ForeignError) {
        if starts("\u{FEFF}", at: 0) { at = 3 }
        while at < bytes.count {
            let byte = bytes[at]
            switch byte {
            case 0x20, 0x09, 0x0A, 0x0D: at += 1
            case UInt8(ascii: "/") where self.byte(at + 1) == UInt8(ascii: "/"):
                while at < bytes.count, bytes[at] != 0x0A { at += 1 }
            case UInt8(ascii: "/") where self.byte(at + 1) == UInt8(ascii: "*"): try comment()
            case UInt8(ascii: "\""): try string()
            case UInt8(ascii: "#") where language == .swift && rawHashes() != nil: try rawString()
            case UInt8(ascii: "'") where language.hasCharacters: character()
            case UInt8(ascii: "0")...UInt8(ascii: "9"):
                let start = at
                while at < bytes.count, Self.isName(bytes[at]) { at += 1 }
                add(.number(text(start..<at)), start)
            case _ where Self.isName(byte):
                let start = at
                while at < bytes.count, Self.isName(bytes[at]) { at += 1 }
                add(.word(text(start..<at)), start)
            default:
                add(.mark(byte), at, length: 1)
                at += 1
            }
        }
    }

    private mutating func add(_ kind: SourceToken.Kind, _ start: Int, length: Int? = nil) {
        tokens.append(
            SourceToken(kind: kind, range: start..<(length.map { start + $0 } ?? at)))
    }

    private func text(_ range: Range<Int>) -> String {
        String(decoding: bytes[range], as: UTF8.self)
    }

    private static func isName(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"), UInt8(ascii: "$"), 0x80...:
            true
        default: false
        }
    }

    private mutating func comment() throws(ForeignError) {
        let start = at
        var depth = 0
        while at < bytes.count {
            if starts("/*", at: at), depth == 0 || language.nestsComments {
                depth += 1
                at += 2
            } else if starts("*/", at: at) {
                depth -= 1
                at += 2
                if depth == 0 { return }
            } else {
                at += 1
            }
        }
        throw ForeignText.fault("a comment without its end", start..<start + 2)
    }

    private mutating func character() {
        let start = at
        at += 1
        while at < bytes.count, bytes[at] != UInt8(ascii: "'"), bytes[at] != 0x0A {
            at += bytes[at] == UInt8(ascii: "\\") ? 2 : 1
        }
        at = min(at + 1, bytes.count)
        add(.template, start)
    }

    /// The number of `#` before a quote in Swift; nil if no quote follows.
    private func rawHashes() -> Int? {
        var offset = at
        while byte(offset) == UInt8(ascii: "#") { offset += 1 }
        return byte(offset) == UInt8(ascii: "\"") ? offset - at : nil
    }

    private mutating func rawString() throws(ForeignError) {
        let start = at
        let hashes = rawHashes() ?? 0
        at += hashes + 1
        while at < bytes.count {
            if bytes[at] == UInt8(ascii: "\""), at + hashes < bytes.count,
                bytes[at + 1..<at + 1 + hashes].allSatisfy({ $0 == UInt8(ascii: "#") })
            {
                at += hashes + 1
                add(.template, start)
                return
            }
            at += 1
        }
        throw ForeignText.fault("a string without its end", start..<start + hashes + 1)
    }

    private mutating func string() throws(ForeignError) {
        let start = at
        let isLong = language != .objectiveC && starts("\"\"\"", at: at)
        at += isLong ? 3 : 1
        var value: [UInt8] = []
        var isLiteral = !isLong
        while at < bytes.count {
            let byte = bytes[at]
            if byte == UInt8(ascii: "\""), !isLong || starts("\"\"\"", at: at) {
                at += isLong ? 3 : 1
                let text = String(decoding: value, as: UTF8.self)
                add(isLiteral ? .string(text) : .template, start)
                return
            }
            if byte == 0x0A, !isLong { break }
            if byte == UInt8(ascii: "$"), language == .kotlin {
                let next = self.byte(at + 1)
                if next == UInt8(ascii: "{") {
                    isLiteral = false
                    try placeholder(UInt8(ascii: "{"), UInt8(ascii: "}"))
                    continue
                }
                if let next, Self.isName(next) { isLiteral = false }
            }
            guard byte == UInt8(ascii: "\\"), !(isLong && language == .kotlin) else {
                value.append(byte)
                at += 1
                continue
            }
            switch self.byte(at + 1) {
            case UInt8(ascii: "n"): value.append(0x0A)
            case UInt8(ascii: "t"): value.append(0x09)
            case UInt8(ascii: "r"): value.append(0x0D)
            case let next? where "\\\"'/$".utf8.contains(next): value.append(next)
            case UInt8(ascii: "(") where language == .swift:
                isLiteral = false
                try placeholder(UInt8(ascii: "("), UInt8(ascii: ")"))
                continue
            default: isLiteral = false
            }
            at += 2
        }
        throw ForeignText.fault("a string without its end", start..<start + 1)
    }

    /// Skips `\(…)` or `${…}`: brackets are counted, and strings inside are skipped.
    private mutating func placeholder(_ open: UInt8, _ close: UInt8) throws(ForeignError) {
        let start = at
        at += 2
        var depth = 1
        while at < bytes.count {
            let byte = bytes[at]
            if byte == UInt8(ascii: "\"") {
                at += 1
                while at < bytes.count, bytes[at] != UInt8(ascii: "\""), bytes[at] != 0x0A {
                    at += bytes[at] == UInt8(ascii: "\\") ? 2 : 1
                }
            } else if byte == open {
                depth += 1
            } else if byte == close {
                depth -= 1
            }
            at += 1
            if depth == 0 { return }
        }
        at = bytes.count
        throw ForeignText.fault("a placeholder without its end", start..<start + 2)
    }
}
