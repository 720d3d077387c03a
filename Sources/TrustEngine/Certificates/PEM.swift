/// The textual encoding of certificates and keys (RFC 7468), read strictly: the labels of a block
/// match, and its base64 is padded and exact. Text between blocks is skipped, because bundles
/// contain it.
package enum PEM {
    /// The labels of certificates: the label of section 5.1, and a label that older tools write.
    package static let certificateLabels: Set<String> = ["CERTIFICATE", "X509 CERTIFICATE"]
    /// The label of CRLs (section 6).
    package static let crlLabel = "X509 CRL"

    /// Every block of a text, in its order. Cost: linear in `text`.
    ///
    /// A line that begins with `-----BEGIN ` opens a block and must be a whole opening line. Only
    /// base64 stands between it and the closing line, in lines of any length that end in LF or
    /// CRLF. Headers as in RFC 1421 are skipped before the base64, so that an encrypted key is
    /// still seen as a key.
    ///
    /// - Throws: `PEMError` at the first line that breaks these rules.
    package static func decode(_ text: Span<UInt8>) throws(PEMError) -> [PEMBlock] {
        var blocks: [PEMBlock] = []
        var lines = Lines(end: text.count)
        while let line = lines.next(in: text) {
            if starts(line, with: closing, in: text) {
                throw PEMError(problem: .closedWithoutOpening, offset: line.lowerBound)
            }
            guard starts(line, with: opening, in: text) else { continue }
            guard let label = label(line, opening, in: text) else {
                throw PEMError(problem: .badBoundary, offset: line.lowerBound)
            }
            blocks.append(try block(label, from: line.lowerBound, &lines, text))
        }
        return blocks
    }

    private static func block(
        _ label: String, from start: Int, _ lines: inout Lines, _ text: Span<UInt8>
    ) throws(PEMError) -> PEMBlock {
        var body = Base64Body()
        var isInHeaders = false
        var isFirst = true
        while let line = lines.next(in: text) {
            if starts(line, with: closing, in: text) {
                guard let ending = self.label(line, closing, in: text) else {
                    throw PEMError(problem: .badBoundary, offset: line.lowerBound)
                }
                guard ending == label else {
                    throw PEMError(problem: .labelsDiffer, offset: line.lowerBound)
                }
                guard let der = body.finish() else {
                    throw PEMError(problem: .badPadding, offset: line.lowerBound)
                }
                guard !der.isEmpty else { throw PEMError(problem: .empty, offset: start) }
                return PEMBlock(label: label, der: der, range: start..<line.upperBound)
            }
            if starts(line, with: opening, in: text) {
                throw PEMError(problem: .notClosed, offset: start)
            }
            if isFirst { isInHeaders = contains(line, UInt8(ascii: ":"), in: text) }
            isFirst = false
            if isInHeaders {
                isInHeaders = !line.isEmpty
                continue
            }
            for index in line {
                guard body.append(text[index]) else {
                    throw PEMError(problem: .badCharacter, offset: index)
                }
            }
        }
        throw PEMError(problem: .notClosed, offset: start)
    }

    private static let opening = Array("-----BEGIN ".utf8)
    private static let closing = Array("-----END ".utf8)
    private static let dashes = Array("-----".utf8)

    private static func starts(
        _ line: Range<Int>, with prefix: [UInt8], in text: Span<UInt8>
    ) -> Bool {
        guard line.count >= prefix.count else { return false }
        return text.extracting(line.lowerBound..<line.lowerBound + prefix.count).octetsEqual(prefix)
    }

    private static func contains(_ line: Range<Int>, _ octet: UInt8, in text: Span<UInt8>) -> Bool {
        for index in line where text[index] == octet { return true }
        return false
    }

    /// The label between a boundary's prefix and its dashes: printable ASCII without a hyphen at
    /// either end (RFC 7468 section 3). Nil for other octets.
    private static func label(
        _ line: Range<Int>, _ prefix: [UInt8], in text: Span<UInt8>
    ) -> String? {
        let start = line.lowerBound + prefix.count
        let end = line.upperBound - dashes.count
        guard start < end, text.extracting(end..<line.upperBound).octetsEqual(dashes) else {
            return nil
        }
        let label = text.copied(ByteRange(start: start, count: end - start))
        guard label.allSatisfy({ (0x20...0x7E).contains($0) }), label.first != 0x20,
            label.first != 0x2D, label.last != 0x20, label.last != 0x2D
        else { return nil }
        return String(decoding: label, as: UTF8.self)
    }

    /// The lines of a text, without their line ends and without trailing blanks.
    private struct Lines {
        var position = 0
        let end: Int

        mutating func next(in text: Span<UInt8>) -> Range<Int>? {
            guard position < end else { return nil }
            let start = position
            while position < end, text[position] != 0x0A { position += 1 }
            var lineEnd = position
            position += 1
            while lineEnd > start {
                let octet = text[lineEnd - 1]
                guard octet == 0x20 || octet == 0x09 || octet == 0x0D else { break }
                lineEnd -= 1
            }
            return start..<lineEnd
        }
    }
}

/// One block of a PEM text.
package struct PEMBlock: Hashable, Sendable {
    /// The label behind `BEGIN`, such as `CERTIFICATE` or `PUBLIC KEY`.
    package let label: String
    /// The octets that the base64 encodes.
    package let der: [UInt8]
    /// Offsets from the first octet of the opening line to the last octet of the closing line,
    /// without its line end.
    package let range: Range<Int>

    /// Whether the block holds a private key of any kind (RFC 7468 sections 10 and 11, and the
    /// older labels such as `RSA PRIVATE KEY`).
    package var isPrivateKey: Bool { label.hasSuffix("PRIVATE KEY") }
}

extension [PEMBlock] {
    /// Whether any of the blocks holds a private key.
    package var containsPrivateKey: Bool { contains(where: \.isPrivateKey) }
}

/// Why a text is not PEM.
package struct PEMError: Error, Hashable, Sendable {
    /// The kinds of problems. The raw value is a sentence for people: lower case, no full stop.
    package enum Problem: String, Hashable, Sendable {
        case badBoundary = "a line that begins as a boundary must be one, `-----BEGIN LABEL-----`"
        case closedWithoutOpening = "an END line without a BEGIN line"
        case notClosed = "a BEGIN line without an END line"
        case labelsDiffer = "the END line names another label than the BEGIN line"
        case badCharacter = "only base64 may stand between the BEGIN and END lines"
        case badPadding = "the base64 is cut short or not padded exactly"
        case empty = "the block is empty"
    }

    /// The kind of problem.
    package let problem: Problem
    /// Offset of the problem in the text.
    package let offset: Int
}

extension Base64 {
    /// The octets that a base64 text encodes; nil when the text is not base64 with exact padding,
    /// or contains anything else.
    package static func decode(_ text: some Sequence<UInt8>) -> [UInt8]? {
        var body = Base64Body()
        for character in text where !body.append(character) { return nil }
        return body.finish()
    }

    /// The same for a part of an array, which this module compiles for itself: a record of many
    /// thousand octets takes a tenth of the time.
    package static func decode(_ text: ArraySlice<UInt8>) -> [UInt8]? {
        var body = Base64Body(octets: text.count / 4 * 3)
        for character in text where !body.append(character) { return nil }
        return body.finish()
    }
}

/// Collects base64 (RFC 4648 section 4). Padding stands only at the end, in the right number, and
/// spare bits are zero.
private struct Base64Body {
    private var octets: [UInt8] = []
    private var bits: UInt32 = 0
    private var digits = 0
    private var padding = 0

    /// A body for so many octets; they may become more.
    init(octets count: Int = 0) { octets.reserveCapacity(count) }

    /// Takes one character; false when the character must not stand here.
    mutating func append(_ character: UInt8) -> Bool {
        let value: UInt8
        switch character {
        case 0x41...0x5A: value = character - 0x41
        case 0x61...0x7A: value = character - 0x61 + 26
        case 0x30...0x39: value = character - 0x30 + 52
        case 0x2B: value = 62
        case 0x2F: value = 63
        case 0x3D:
            padding += 1
            return padding <= 2
        default: return false
        }
        guard padding == 0 else { return false }
        bits = bits << 6 | UInt32(value)
        digits += 1
        if digits == 4 {
            octets.append(UInt8(truncatingIfNeeded: bits >> 16))
            octets.append(UInt8(truncatingIfNeeded: bits >> 8))
            octets.append(UInt8(truncatingIfNeeded: bits))
            bits = 0
            digits = 0
        }
        return true
    }

    /// The octets; nil when the last group is not complete.
    mutating func finish() -> [UInt8]? {
        switch (digits, padding) {
        case (0, 0): return octets
        case (2, 2) where bits & 0xF == 0:
            octets.append(UInt8(truncatingIfNeeded: bits >> 4))
            return octets
        case (3, 1) where bits & 0x3 == 0:
            octets.append(UInt8(truncatingIfNeeded: bits >> 10))
            octets.append(UInt8(truncatingIfNeeded: bits >> 2))
            return octets
        default: return nil
        }
    }
}
