import Testing
import TrustEngine

@Suite("DER reader (X.690)")
struct DERReaderTests {
    /// What reading one element and then the end answers; nil when all is well.
    private func problem(_ bytes: [UInt8]) -> DERError.Problem? {
        var reader = DERReader(bytes.span)
        do {
            _ = try reader.next(in: bytes.span)
            try reader.finish()
            return nil
        } catch {
            return error.problem
        }
    }

    @Test(
        "lengths and tags",
        arguments: [
            ("10.1.3 short length", [0x04, 0x01, 0xAA], nil),
            (
                "10.1 long length where needed",
                [0x04, 0x81, 0x80] + [UInt8](repeating: 0, count: 128), nil
            ),
            ("10.1 long length where short would do", [0x04, 0x81, 0x01, 0xAA], .lengthNotMinimal),
            (
                "10.1 leading zero in a length",
                [0x04, 0x82, 0x00, 0x80] + [UInt8](repeating: 0, count: 128), .lengthNotMinimal
            ),
            ("10.1 indefinite length", [0x30, 0x80, 0x00, 0x00], .indefiniteLength),
            ("8.1.3 length of five octets", [0x04, 0x85, 1, 0, 0, 0, 0], .lengthTooLong),
            (
                "8.1.3 length of four octets past the end", [0x04, 0x84, 0xFF, 0xFF, 0xFF, 0xFF],
                .truncated
            ),
            ("8.1.3 length cut short", [0x04, 0x82, 0x01], .truncated),
            ("8.1.3 content cut short", [0x04, 0x02, 0xAA], .truncated),
            ("8.1.2 tag without length", [0x04], .truncated),
            ("8.1.2 tag number above 30", [0x1F, 0x20, 0x00], .multipleOctetTag),
            ("nothing at all", [], .missingElement),
            ("octets behind the element", [0x05, 0x00, 0x00], .trailingOctets),
        ] as [(String, [UInt8], DERError.Problem?)])
    func lengths(row: (name: String, bytes: [UInt8], expected: DERError.Problem?)) {
        #expect(problem(row.bytes) == row.expected, "\(row.name)")
    }

    @Test(
        "integers",
        arguments: [
            ("8.3 zero", [0x00], 0, nil), ("8.3 127", [0x7F], 127, nil),
            ("8.3 128 with its sign octet", [0x00, 0x80], 128, nil),
            ("8.3 Int32.max", [0x7F, 0xFF, 0xFF, 0xFF], Int32.max, nil),
            ("8.3 above Int32.max is clamped", [0x00, 0xFF, 0xFF, 0xFF, 0xFF], Int32.max, nil),
            ("8.3 far above is clamped", [0x01, 0, 0, 0, 0, 0, 0, 0, 0, 0], Int32.max, nil),
            ("8.3.2 padded", [0x00, 0x7F], nil, .badInteger),
            ("8.3.2 padded negative", [0xFF, 0x80], nil, .badInteger),
            ("8.3.1 empty", [], nil, .badInteger),
            ("8.3 negative", [0x80], nil, .negativeInteger),
        ] as [(String, [UInt8], Int32?, DERError.Problem?)])
    func integers(
        row: (name: String, content: [UInt8], value: Int32?, expected: DERError.Problem?)
    ) {
        let bytes = [0x02, UInt8(row.content.count)] + row.content
        var value: Int32?
        var found: DERError.Problem?
        do {
            var reader = DERReader(bytes.span)
            value = try reader.next(.integer, in: bytes.span).nonNegativeInteger(in: bytes.span)
        } catch {
            found = error.problem
        }
        #expect(value == row.value, "\(row.name)")
        #expect(found == row.expected, "\(row.name)")
    }

    @Test(
        "booleans, section 11.1",
        arguments: [
            ([0xFF], true), ([0x00], false), ([0x01], nil), ([], nil), ([0xFF, 0xFF], nil),
        ] as [([UInt8], Bool?)])
    func booleans(content: [UInt8], expected: Bool?) {
        let bytes = [0x01, UInt8(content.count)] + content
        var reader = DERReader(bytes.span)
        let value = try? reader.next(.boolean, in: bytes.span).boolean(in: bytes.span)
        #expect(value == expected)
    }

    @Test(
        "named bits, section 8.6",
        arguments: [
            ([0x07, 0x80], 1), ([0x05, 0xA0], 0b101), ([0x00, 0x00, 0x80], 1 << 8),
            ([0x00], 0), ([0x00, 0x01], 1 << 7),
            ([0x01], nil), ([0x08, 0x80], nil), ([0x04, 0xA8], nil), ([], nil),
        ] as [([UInt8], UInt16?)])
    func namedBits(content: [UInt8], expected: UInt16?) {
        let bytes = [0x03, UInt8(content.count)] + content
        var reader = DERReader(bytes.span)
        let value = try? reader.next(.bitString, in: bytes.span).namedBits(in: bytes.span)
        #expect(value == expected)
    }

    @Test("a nested reader ends where its element ends")
    func nested() throws {
        let bytes: [UInt8] = [0x30, 0x02, 0x05, 0x00, 0x05, 0x00]
        var outer = DERReader(bytes.span)
        var inner = try outer.next(.sequence, in: bytes.span).reader
        _ = try inner.next(.null, in: bytes.span)
        #expect(inner.isAtEnd)
        #expect(!outer.isAtEnd)
        let tag = outer.peek(in: bytes.span)
        #expect(tag == .null)
        let absent = try outer.nextIfPresent(.integer, in: bytes.span)
        #expect(absent == nil)
    }

    @Test("8.1.3 an element may not be longer than what holds it, though the buffer is")
    func longerThanItsParent() throws {
        let bytes: [UInt8] = [0x30, 0x02, 0x04, 0x01, 0xAA]
        var outer = DERReader(bytes.span)
        var inner = try outer.next(.sequence, in: bytes.span).reader
        #expect(throws: DERError(.truncated, at: 2)) { try inner.next(in: bytes.span) }
    }
}
