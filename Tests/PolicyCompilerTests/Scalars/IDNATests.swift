import Testing

@testable import PolicyCompiler

@Suite("UTS #46 and Punycode")
struct IDNATests {
    @Test(
        "RFC 3492 section 7.1: samples both ways",
        arguments: [
            ("他们为什么不说中文", "ihqwcrb4cv8a8dqg056pqjye"),
            ("почемужеонинеговорятпорусски", "b1abfaaepdrnnbgefbadotcwatmq2g4l"),
            ("למההםפשוטלאמדבריםעברית", "4dbcagdahymbxekheh6e0a7fei0b"),
            ("3年b組金八先生", "3b-ww4c5e180e575a65lsy2b"),
            ("bücher", "bcher-kva"),
        ])
    func punycode(text: String, punycode: String) throws {
        let codes = text.unicodeScalars.map(\.value)
        let encoded = try #require(Punycode.encode(codes))
        #expect(String(decoding: encoded, as: UTF8.self) == punycode)
        #expect(Punycode.decode(encoded) == codes)
    }

    @Test(
        "RFC 3492 section 6.4: what does not decode, overflow among it",
        arguments: ["99999999", "zzzzzzzzzzzz", "a-b!", "é-a"])
    func punycodeRefused(text: String) {
        #expect(Punycode.decode(Array(text.utf8)) == nil)
    }

    @Test(
        "UTS #46 section 4: U-labels and their A-labels",
        arguments: [
            // Non-transitional: deviations stay.
            ("faß.de", "xn--fa-hia.de"), ("βόλος.com", "xn--nxasmm1c.com"),
            ("නෙ", "xn--r0c4f"),
            // Mapped: case, width, compatibility, ideographic dot.
            ("BÜCHER.example", "xn--bcher-kva.example"),
            ("ＢüｃｈＥＲ。example", "xn--bcher-kva.example"),
            ("ﬁnd.example", "find.example"), ("Ⅷ.example", "viii.example"),
            ("a\u{AD}b\u{2060}.example", "ab.example"), ("K\u{212A}.example", "kk.example"),
            // Normalization Form C, Hangul by parts, marks in another order.
            ("bu\u{308}cher", "xn--bcher-kva"), ("\u{1112}\u{1161}\u{11AB}", "xn--6q8b"),
            ("a\u{301}\u{328}", "xn--2da03h"), ("\u{1E9B}\u{323}", "xn--1ig"),
            // Symbols are valid in UTS #46, though not in IDNA2008.
            ("☕.example", "xn--53h.example"), ("☕\u{FE0F}.example", "xn--53h.example"),
            ("≠.example", "xn--1ch.example"),
            // Confusable with `apple`, and a name.
            ("аррӏе.com", "xn--80ak6aa92e.com"),
            // Joiners: after a virama, and between joining letters.
            ("क्\u{200D}ष", "xn--11b2ezcw70k"), ("نامه\u{200C}ای", "xn--mgba3gch31f060k"),
            // Bidi.
            ("אבג.example", "xn--4dbcd.example"), ("אבג1.קום", "xn--1-zhcde.xn--9dbq2a"),
        ])
    func names(text: String, ascii: String) throws {
        let scanned = try ExactNameScanner.scan(text)
        #expect(scanned.canonicalText == ascii)
        let back = try ExactNameScanner.scan(ascii)
        #expect(back.isCanonical)
        if let unicode = back.unicodeText {
            #expect(try ExactNameScanner.scan(unicode).canonicalText == ascii)
        }
    }

    @Test(
        "UTS #46 section 4.1: what is no name",
        arguments: [
            // Disallowed, alone or by mapping to characters that no label has.
            "a\u{FFFD}.example", "a℀b.example", "a／b.example", "a＊.example", "a\u{E000}.example",
            "\u{378}.example",
            // Begins with a mark.
            "\u{301}a.example", "xn--a-xbb.example",
            // CheckJoiners: RFC 5892 A.1, A.2.
            "a\u{200D}b.example", "a\u{200C}b.example", "\u{200C}.example", "क\u{200D}ष.example",
            // RFC 5893 section 2, conditions 1 to 6, over all labels of the name.
            "1אב.example", "אaב.example", "אב-ג$.example", "אב+.example", "א1٢.example",
            "aא.example", "1a.אבג", "אבג.1a", "xn--4dbcd.1a",
            // A-labels that do not round-trip.
            "xn--fax-zj1a.example", "xn--wca.example", "xn--bucher-xyd.example",
            "xn--xn---3ra.example", "xn----eha.example", "xn----dha.example", "xn--a-wbb.example",
            "xn--ab-m1t.example", "xn--a-zhce.example", "xn--0ug.example", "xn--53hw110f.example",
            "xn--abc-.example", "xn--.example", "xn--zca-.example", "xn--99999999.example",
            // Hyphens at the ends, empty labels and numbers that appear by mapping.
            "ü-.example", "-ü.example", "ü。。example", "example.１２３", "\u{AD}.example",
        ])
    func refused(text: String) throws {
        let problem = try #require(throws: ScalarProblem.self) { try ExactNameScanner.scan(text) }
        #expect(problem.code == .badHost || problem.code == .badWildcard, "\(problem.message)")
    }

    @Test("the tables are whole")
    func tables() throws {
        let tables = IDNATables.shared
        #expect(IDNATables.unicodeVersion == "17.0.0")
        // First and last of what a label may hold, and the ends of the mapped code points.
        #expect(tables.kind(of: 0x2D)?.bidi == .europeanSeparator)
        #expect(tables.kind(of: 0xE01F0) == nil)
        #expect(tables.mapping(of: 0x41) == [0x61])
        #expect(tables.mapping(of: 0xE01EF) == [])
        #expect(tables.mapping(of: 0xFDFA)?.count == 18)
        #expect(tables.kind(of: 0x94D)?.combiningClass == 9)
        #expect(tables.kind(of: 0x627)?.joining == .right)
        #expect(tables.composition(of: 0x75, 0x308) == 0xFC)
        #expect(tables.kind(of: 0x10FFFF) == nil)
    }
}
