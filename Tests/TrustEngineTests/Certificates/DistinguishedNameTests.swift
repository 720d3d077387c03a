import Testing
import TrustEngine

@Suite("distinguished names (RFC 5280 section 7.1, RFC 4514)")
struct DistinguishedNameTests {
    private static func cn(_ tag: UInt8, _ content: [UInt8]) -> [UInt8] {
        DER.sequence(DER.attribute([0x55, 4, 3], DER.element(tag, content)))
    }

    private static func cn(_ tag: UInt8, _ text: String) -> [UInt8] { cn(tag, Array(text.utf8)) }

    private static func pair(_ order: [Int]) -> [UInt8] {
        let parts = [
            DER.sequence(DER.oid(0x55, 4, 3), DER.text(0x0C, "a")),
            DER.sequence(DER.oid(0x55, 4, 10), DER.text(0x13, "B")),
            DER.sequence(DER.oid(0x55, 4, 10), DER.text(0x13, "b")),
        ]
        return DER.sequence(DER.element(0x31, order.flatMap { parts[$0] }))
    }

    private static let rows: [(name: String, left: [UInt8], right: [UInt8], isEqual: Bool)] = [
        ("same octets", cn(0x0C, "a"), cn(0x0C, "a"), true),
        ("string types", cn(0x0C, "Example"), cn(0x13, "Example"), true),
        ("case", cn(0x13, "EXAMPLE"), cn(0x13, "example"), true),
        ("case beyond ASCII", cn(0x0C, "É"), cn(0x0C, "é"), false),
        ("white space at the ends", cn(0x13, "  a "), cn(0x13, "a"), true),
        ("white space inside", cn(0x13, "a   b"), cn(0x13, "a b"), true),
        ("white space or none", cn(0x13, "a b"), cn(0x13, "ab"), false),
        ("white space alone", cn(0x13, "   "), cn(0x13, ""), true),
        ("BMPString", cn(0x1E, [0, 0x41, 0x20, 0xAC]), cn(0x0C, "a€"), true),
        ("UniversalString", cn(0x1C, [0, 1, 0xF6, 0]), cn(0x0C, "😀"), true),
        ("TeletexString as Latin-1", cn(0x14, [0xE9]), cn(0x0C, "é"), true),
        ("broken UTF-8 equals itself", cn(0x0C, [0xC3]), cn(0x0C, [0xC3, 0x20]), true),
        ("broken UTF-8 equals no letter", cn(0x0C, [0xC3]), cn(0x14, [0xC3]), false),
        ("overlong UTF-8", cn(0x0C, [0xC1, 0x81]), cn(0x0C, "a"), false),
        ("BMPString of odd length", cn(0x1E, [0, 0x41, 0]), cn(0x0C, "A"), false),
        (
            "another attribute", DER.sequence(DER.attribute([0x55, 4, 10], DER.text(0x0C, "a"))),
            cn(0x0C, "a"), false
        ),
        ("not text: octets decide", cn(0x04, [1]), cn(0x04, [1]), true),
        ("not text: type decides", cn(0x04, [0x61]), cn(0x0C, "a"), false),
        ("a set in another order", pair([0, 1]), pair([1, 0]), true),
        ("a set and another spelling", pair([0, 1]), pair([2, 0]), true),
        ("a set and a part of it", pair([0, 1]), pair([0]), false),
        ("a part and the set", pair([0]), pair([0, 1]), false),
        ("counts in a set", pair([1, 2, 0]), pair([1, 0, 0]), false),
        ("counts in a set, equal", pair([1, 2, 0]), pair([0, 2, 2]), true),
        (
            "two relative names are no set",
            DER.sequence(
                DER.attribute([0x55, 4, 3], DER.text(0x0C, "a")),
                DER.attribute([0x55, 4, 10], DER.text(0x13, "B"))), pair([0, 1]), false
        ),
        ("longer", DER.sequence(), cn(0x0C, "a"), false),
        ("empty", DER.sequence(), DER.sequence(), true),
    ]

    @Test("equality both ways, and of hashes", arguments: rows.indices)
    func equality(index: Int) {
        let row = DistinguishedNameTests.rows[index]
        let there = DistinguishedName.isEqual(row.left.span, row.right.span)
        let back = DistinguishedName.isEqual(row.right.span, row.left.span)
        #expect(there == row.isEqual, "\(row.name)")
        #expect(back == row.isEqual, "\(row.name)")
        let left = comparisonHash(row.left.span)
        let right = comparisonHash(row.right.span)
        #expect((left == right) == row.isEqual, "\(row.name)")
    }

    @Test("inside: the first relative names are equal")
    func inside() {
        let country = DER.attribute([0x55, 4, 6], DER.text(0x13, "NZ"))
        let folded = DER.attribute([0x55, 4, 6], DER.text(0x0C, "nz"))
        let name = DER.attribute([0x55, 4, 3], DER.text(0x0C, "a"))
        let whole = DER.sequence(country, name)
        for (base, expected) in [
            (DER.sequence(folded), true), (DER.sequence(), true), (whole, true),
            (DER.sequence(name), false), (DER.sequence(country, name, name), false),
        ] {
            let isInside = DistinguishedName.isInside(whole.span, base: base.span)
            #expect(isInside == expected)
        }
    }

    @Test(
        "text",
        arguments: [
            (
                "RFC 4514 section 2.1: last first",
                DER.sequence(
                    DER.attribute([0x55, 4, 6], DER.text(0x13, "NZ")),
                    DER.attribute([0x55, 4, 3], DER.text(0x0C, "a"))), "CN=a,C=NZ"
            ),
            ("section 2.2: a set", pair([0, 1]), "CN=a+O=B"),
            (
                "section 2.4: what is escaped", cn(0x0C, "#a,b+c\"d\\e<f>g;h"),
                ##"CN=\#a\,b\+c\"d\\e\<f\>g\;h"##
            ),
            ("section 2.4: blanks at the ends", cn(0x0C, " a  b "), #"CN=\ a  b\ "#),
            ("section 2.4: NUL", cn(0x0C, "a\u{0}b"), #"CN=a\00b"#),
            ("section 2.4: equals sign and inner #", cn(0x0C, "a=b#"), "CN=a=b#"),
            ("control characters stay raw", cn(0x0C, "a\u{1B}\nb"), "CN=a\u{1B}\nb"),
            ("broken UTF-8", cn(0x0C, [0x61, 0xFF]), #"CN=a\ff"#),
            ("BMPString", cn(0x1E, [0x20, 0xAC]), "CN=€"),
            (
                "section 2.4: an unknown type in hexadecimal",
                DER.sequence(DER.attribute([0x2A, 3], DER.text(0x0C, "a"))), "1.2.3=#0c0161"
            ),
            ("a known type that is no text", cn(0x04, [1]), "2.5.4.3=#040101"),
            ("empty", DER.sequence(), ""),
            ("no name", [0x02, 0x01, 0x00], "(malformed)"),
        ])
    func text(row: (name: String, der: [UInt8], expected: String)) {
        let text = DistinguishedName.text(row.der.span)
        #expect(text == row.expected, "\(row.name)")
    }

    @Test("text is bounded")
    func bounded() {
        let name = DistinguishedNameTests.cn(0x0C, String(repeating: "x", count: 50_000))
        let text = DistinguishedName.text(name.span)
        #expect(text.count == DistinguishedName.textLimit + 1)
        #expect(text.hasSuffix("…"))
    }

    @Test("emptiness")
    func emptiness() {
        let empty = DER.sequence()
        let full = DER.commonName("a")
        let first = DistinguishedName.isEmpty(empty.span)
        let second = DistinguishedName.isEmpty(full.span)
        #expect(first)
        #expect(!second)
    }
}

/// The hash of a name's comparison form; nil for octets that are not a name.
func comparisonHash(_ name: Span<UInt8>) -> UInt64? {
    var outer = DERReader(name)
    var work = ReadingWork()
    guard let element = try? outer.next(.sequence, in: name) else { return nil }
    return try? DistinguishedName.checkedHash(element, in: name, work: &work)
}
