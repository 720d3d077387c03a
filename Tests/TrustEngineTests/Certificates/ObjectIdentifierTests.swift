import Testing
import TrustEngine

@Suite("object identifiers (X.690 section 8.19)")
struct ObjectIdentifierTests {
    @Test(
        "dotted text",
        arguments: [
            ("serverAuth", [0x2B, 6, 1, 5, 5, 7, 3, 1], "1.3.6.1.5.5.7.3.1"),
            ("root 2 with a large second arc", [0x88, 0x37, 0x03], "2.999.3"),
            ("root 0", [0x09, 0x92, 0x26], "0.9.2342"),
            ("one octet", [0x2A], "1.2"),
            (
                "64 bits", [0x2A] + [0x81] + [UInt8](repeating: 0xFF, count: 8) + [0x7F],
                "1.2.18446744073709551615"
            ),
            (
                "beyond 64 bits",
                [0x2A] + [0x82] + [UInt8](repeating: 0x80, count: 8) + [0x00, 0x01],
                "1.2.(arc beyond 64 bits).1"
            ),
            ("cut short", [0x2A, 0x80], "(malformed)"),
            ("empty", [], "(malformed)"),
        ] as [(String, [UInt8], String)])
    func text(row: (name: String, content: [UInt8], expected: String)) {
        let text = ObjectIdentifier.text(of: row.content.span)
        #expect(text == row.expected, "\(row.name)")
    }

    @Test(
        "what is an identifier",
        arguments: [
            ([0x2A, 0x03], true), ([0x2A, 0x81, 0x00], true), ([], false), ([0x2A, 0x83], false),
            ([0x2A, 0x80, 0x01], false), ([0x80, 0x01], false),
        ] as [([UInt8], Bool)])
    func check(content: [UInt8], isValid: Bool) {
        let bytes = [0x06, UInt8(content.count)] + content
        var reader = DERReader(bytes.span)
        var passed = false
        do {
            try ObjectIdentifier.check(reader.next(in: bytes.span), in: bytes.span)
            passed = true
        } catch {
            #expect(error.problem == .badObjectIdentifier)
        }
        #expect(passed == isValid)
    }

    @Test("no text is unbounded")
    func bounded() {
        let text = ObjectIdentifier.text(of: [UInt8](repeating: 1, count: 60_000).span)
        #expect(text.hasSuffix("…"))
        #expect(text.count < 1_000)
    }

    @Test("codes of different lengths differ")
    func codes() {
        let short: [UInt8] = [0x2A]
        let long: [UInt8] = [0x00, 0x2A]
        let first = ObjectIdentifier.code(ByteRange(start: 0, count: 1), in: short.span)
        let second = ObjectIdentifier.code(ByteRange(start: 0, count: 2), in: long.span)
        #expect(first != second)
        let huge = [UInt8](repeating: 1, count: 16)
        let none = ObjectIdentifier.code(ByteRange(start: 0, count: 16), in: huge.span)
        #expect(none == 0)
    }
}
