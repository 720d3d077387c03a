import PolicyCompiler
import TrustEngine

/// The checks of a text file of another system before it is read.
enum ForeignText {
    /// Refuses files that are too large, octets that are not UTF-8, control characters, characters
    /// that an editor does not show, long lines, and private keys.
    ///
    /// - Throws: HX101 with the place, HX410 for a private key.
    static func check(_ bytes: [UInt8]) throws(ForeignError) {
        guard bytes.count <= MarkupReader.largestFile else {
            throw fault(
                "the file has \(bytes.count) octets; at most \(MarkupReader.largestFile) are read",
                0..<0)
        }
        if bytes.starts(with: [0xFE, 0xFF]) || bytes.starts(with: [0xFF, 0xFE]) {
            throw fault("the file is UTF-16; write it as UTF-8", 0..<2)
        }
        var offset = 0
        var lineStart = 0
        while offset < bytes.count {
            let byte = bytes[offset]
            if byte == 0x0A { lineStart = offset + 1 }
            guard offset - lineStart < MarkupReader.longestLine else {
                throw fault(
                    "a line of more than \(MarkupReader.longestLine) octets; break it",
                    lineStart..<lineStart)
            }
            if (byte >= 0x20 && byte < 0x7F) || byte == 0x0A || byte == 0x09 {
                offset += 1
                continue
            }
            let step = UTF8Step.decode(bytes, at: offset)
            let range = offset..<offset + step.length
            guard let scalar = step.scalar else {
                throw fault("an octet that is not UTF-8; write the file as UTF-8", range)
            }
            offset += step.length
            if scalar == "\r", offset < bytes.count, bytes[offset] == 0x0A { continue }
            if scalar == "\u{FEFF}", range.lowerBound == 0 { continue }
            guard scalar.value >= 0x20, scalar != "\u{7F}", !HiddenCharacter.isHidden(scalar) else {
                throw fault(
                    "\(HiddenCharacter.name(scalar)), \(HiddenCharacter.kind(scalar)); remove it",
                    range)
            }
        }
        if let key = find("PRIVATE KEY-----", in: bytes) {
            throw ForeignError(
                .privateKey,
                "the file holds a private key, which everybody who has the file can read",
                at: key, help: ["take it out, and replace the key on the server"])
        }
    }

    /// The first place of an ASCII text.
    static func find(_ text: StaticString, in bytes: [UInt8]) -> Range<Int>? {
        let wanted = Array(text.description.utf8)
        guard bytes.count >= wanted.count else { return nil }
        for start in 0...(bytes.count - wanted.count) where bytes[start] == wanted[0] {
            if bytes[start..<start + wanted.count].elementsEqual(wanted) {
                return start..<start + wanted.count
            }
        }
        return nil
    }

    static func fault(_ message: String, _ range: Range<Int>) -> ForeignError {
        ForeignError(.foreignSyntax, message, at: range)
    }

    /// A day in the form `yyyy-MM-dd`; nil for other texts.
    static func day(_ text: String, at range: Range<Int>) -> NSCFile.Day? {
        let parts = text.utf8.split(separator: UInt8(ascii: "-"), omittingEmptySubsequences: false)
        guard parts.map(\.count) == [4, 2, 2] else { return nil }
        var numbers: [Int] = []
        for part in parts {
            guard part.allSatisfy({ UInt8(ascii: "0")...UInt8(ascii: "9") ~= $0 }),
                let number = Int(String(decoding: part, as: UTF8.self))
            else { return nil }
            numbers.append(number)
        }
        guard (1...12).contains(numbers[1]), numbers[2] >= 1,
            numbers[2] <= UTCInstant.daysIn(month: numbers[1], year: numbers[0])
        else { return nil }
        return NSCFile.Day(year: numbers[0], month: numbers[1], day: numbers[2], range: range)
    }
}
