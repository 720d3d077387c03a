import PolicyCompiler

/// Reads the attributes of Mozilla's `certdata.txt`, after the grammar that NSS's `certdata.perl`
/// accepts: a line `NAME TYPE VALUE`, where the value of the type `MULTILINE_OCTAL` stands in the
/// next lines up to `END`. Linear in the text.
struct CertdataScanner {
    /// One attribute.
    struct Attribute {
        let name: String
        /// The octets of the name, for findings.
        let range: Range<Int>
        let value: Value
        /// The octets of the whole attribute.
        let whole: Range<Int>
    }

    enum Value {
        /// A word of the type that stands before it: `CKO_CERTIFICATE`.
        case word(String)
        /// A text in quotes.
        case text(String)
        /// Octets in octal escapes.
        case octets([UInt8])
    }

    private let bytes: [UInt8]
    private var at = 0

    /// The longest line, in octets. Comments of the real file have 300.
    private static let longestLine = 8 << 10
    /// The longest value, in octets: certificates above 64 KiB are not read.
    private static let longestValue = 64 << 10

    init(_ bytes: [UInt8]) { self.bytes = bytes }

    /// The next attribute; nil at the end.
    mutating func next() throws(ForeignError) -> Attribute? {
        while let line = try nextLine() {
            let words = try words(in: line)
            guard let name = words.first else { continue }
            let text = text(name)
            // The first line of the data, and the line that CVS wrote before 2012.
            if text == "BEGINDATA" || text == "CVS_ID" { continue }
            guard text.hasPrefix("CKA_"), words.count >= 2 else {
                throw fault(
                    "a line of data begins with an attribute's name, `CKA_…`, and its type",
                    at: name)
            }
            return try attribute(text, words, line)
        }
        return nil
    }

    private mutating func attribute(
        _ name: String, _ words: [Range<Int>], _ line: Range<Int>
    ) throws(ForeignError) -> Attribute {
        let type = text(words[1])
        guard words.count == (type == "MULTILINE_OCTAL" ? 2 : 3) else {
            throw fault(
                type == "MULTILINE_OCTAL"
                    ? "the octets of `\(name)` begin on the next line"
                    : "`\(name)` has one value behind its type", at: words[0])
        }
        let value: Value
        switch type {
        case "MULTILINE_OCTAL": value = .octets(try octets(of: name, words[0]))
        case "UTF8", "ASCII7": value = .text(try quoted(words[2]))
        default:
            guard type.hasPrefix("CK_") else {
                throw fault("the type `\(type)` is not one of certdata.txt", at: words[1])
            }
            value = .word(text(words[2]))
        }
        return Attribute(
            name: name, range: words[0], value: value, whole: words[0].lowerBound..<line.upperBound)
    }

    func fault(_ message: String, at range: Range<Int>) -> ForeignError {
        ForeignError(.certdataSyntax, message, at: range)
    }

    // MARK: Lines

    /// The next line, without its end.
    private mutating func nextLine() throws(ForeignError) -> Range<Int>? {
        guard at < bytes.count else { return nil }
        let start = at
        while at < bytes.count, bytes[at] != 0x0A { at += 1 }
        var end = at
        if at < bytes.count { at += 1 }
        guard end - start <= Self.longestLine else {
            throw fault(
                "a line of more than \(Self.longestLine) octets", at: start..<start + 1)
        }
        if end > start, bytes[end - 1] == 0x0D { end -= 1 }
        for index in start..<end where bytes[index] < 0x20 && bytes[index] != 0x09 {
            throw fault("a control character", at: index..<index + 1)
        }
        return start..<end
    }

    /// The words of a line up to a comment. A text in quotes is one word.
    private func words(in line: Range<Int>) throws(ForeignError) -> [Range<Int>] {
        var words: [Range<Int>] = []
        var index = line.lowerBound
        while index < line.upperBound {
            let byte = bytes[index]
            if byte == UInt8(ascii: "#") { break }
            guard byte != 0x20, byte != 0x09 else {
                index += 1
                continue
            }
            let start = index
            if byte == UInt8(ascii: "\"") {
                index += 1
                while index < line.upperBound, bytes[index] != UInt8(ascii: "\"") {
                    index += bytes[index] == UInt8(ascii: "\\") ? 2 : 1
                }
                guard index < line.upperBound else {
                    throw fault("a text without its closing quote", at: start..<line.upperBound)
                }
                index += 1
            } else {
                while index < line.upperBound, bytes[index] != 0x20, bytes[index] != 0x09 {
                    index += 1
                }
            }
            words.append(start..<index)
        }
        return words
    }

    private func text(_ range: Range<Int>) -> String {
        String(decoding: bytes[range], as: UTF8.self)
    }

    // MARK: Values

    /// The octets of a text in quotes. `\xC3` is one octet; before another character the backslash
    /// falls away.
    private func quoted(_ range: Range<Int>) throws(ForeignError) -> String {
        guard range.count >= 2, bytes[range.lowerBound] == UInt8(ascii: "\"") else {
            throw fault("a text stands in double quotes", at: range)
        }
        var octets: [UInt8] = []
        var index = range.lowerBound + 1
        let end = range.upperBound - 1
        while index < end {
            guard bytes[index] == UInt8(ascii: "\\"), index + 1 < end else {
                octets.append(bytes[index])
                index += 1
                continue
            }
            if bytes[index + 1] == UInt8(ascii: "x"), index + 3 < end,
                let high = digit(index + 2), let low = digit(index + 3)
            {
                octets.append(high << 4 | low)
                index += 4
            } else {
                octets.append(bytes[index + 1])
                index += 2
            }
        }
        return String(decoding: octets, as: UTF8.self)
    }

    private func digit(_ index: Int) -> UInt8? {
        Character(Unicode.Scalar(bytes[index])).hexDigitValue.map { UInt8($0) }
    }

    /// The octets in the lines up to `END`.
    private mutating func octets(
        of name: String, _ place: Range<Int>
    ) throws(ForeignError) -> [UInt8] {
        var octets: [UInt8] = []
        while let line = try nextLine() {
            if bytes[line].elementsEqual(Array("END".utf8)) { return octets }
            var index = line.lowerBound
            while index < line.upperBound {
                guard line.upperBound - index >= 4, bytes[index] == UInt8(ascii: "\\"),
                    let value = octal(index + 1)
                else {
                    throw fault(
                        "octets are written `\\ooo` with three octal digits, up to a line `END`",
                        at: index..<line.upperBound)
                }
                octets.append(value)
                index += 4
            }
            guard octets.count <= Self.longestValue else {
                throw fault(
                    "`\(name)` has more than \(Self.longestValue) octets", at: place)
            }
        }
        throw fault("`\(name)` has no line `END`", at: place)
    }

    /// The octet of three octal digits.
    private func octal(_ start: Int) -> UInt8? {
        var value = 0
        for byte in bytes[start..<start + 3] {
            guard (0x30...0x37).contains(byte) else { return nil }
            value = value << 3 | Int(byte & 7)
        }
        return UInt8(exactly: value)
    }
}
