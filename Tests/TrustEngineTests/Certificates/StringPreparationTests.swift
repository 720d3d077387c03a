import Foundation
import TestPKI
import Testing
import TrustEngine

/// The tables of string preparation against data that they were not made from: Foundation's
/// normalisation and the standard library's letters, both of a later Unicode.
@Suite("string preparation (RFC 4518)")
struct StringPreparationTests {
    /// A value prepared, from a UTF8String.
    private static func prepared(
        _ text: String, by rule: StringPreparation.Rule = .caseIgnore
    ) -> [UInt32]? {
        prepared(DER.text(0x0C, text), by: rule)
    }

    private static func prepared(
        _ value: [UInt8], by rule: StringPreparation.Rule = .caseIgnore
    ) -> [UInt32]? {
        var reader = DERReader(value.span)
        guard let element = try? reader.next(in: value.span) else { return nil }
        return StringPreparation.prepared(element, in: value.span, by: rule)
    }

    private static func text(_ codes: [UInt32]) -> String {
        var text = String.UnicodeScalarView()
        for code in codes { if let scalar = Unicode.Scalar(code) { text.append(scalar) } }
        return String(text)
    }

    /// Whether Unicode 3.2 has a scalar.
    @Sendable private static func isOld(_ scalar: Unicode.Scalar) -> Bool {
        guard let age = scalar.properties.age else { return false }
        return (age.major, age.minor) <= (3, 2)
    }

    private static let scalars = (0...0x10FFFF).compactMap { Unicode.Scalar(UInt32($0)) }

    /// Code points whose decomposition Unicode's Corrigendum 4 changed after version 3.2.
    private static let corrected: Set<UInt32> = [0x2F868, 0x2F874, 0x2F91F, 0x2F95F, 0x2F9BF]

    /// Controls and format characters that are mapped to nothing, and characters that are mapped to
    /// space.
    private static func isInsignificant(_ scalar: Unicode.Scalar) -> Bool {
        prepared("a\(scalar)b") == [0x61, 0x62] || prepared("a\(scalar)b") == [0x61, 0x20, 0x62]
    }

    @Test("section 2.4: what Unicode 3.2 has and is no private use is prepared, and nothing else")
    func repertoire() {
        var refused = 0
        for scalar in Self.scalars {
            let isPrivate = scalar.properties.generalCategory == .privateUse
            let expected =
                Self.isOld(scalar) && !isPrivate && scalar != "\u{FFFD}"
                && !scalar.properties.isNoncharacterCodePoint
            let isPrepared = Self.prepared("\(scalar)") != nil
            if isPrepared != expected { Issue.record("U+\(String(scalar.value, radix: 16))") }
            if !isPrepared { refused += 1 }
        }
        #expect(refused > 900_000)
    }

    @Test("section 2.2: what is mapped to nothing and to space")
    func insignificant() {
        func list(_ text: String) -> Set<UInt32> {
            Set(
                text.split(separator: " ").flatMap { part in
                    let ends = part.split(separator: "-").compactMap { UInt32($0, radix: 16) }
                    return Array(ends[0]...ends[ends.count - 1])
                })
        }
        // As the RFC has them, but for its slip FF00-FE0F.
        let nothing = list(
            "00AD 1806 034F 180B-180D FE00-FE0F FFFC 0000-0008 000E-001F 007F-0084 0086-009F 06DD "
                + "070F 180E 200C-200F 202A-202E 2060-2063 206A-206F FEFF FFF9-FFFB 1D173-1D17A "
                + "E0001 E0020-E007F 200B")
        let space = list("0009-000D 0085 0020 00A0 1680 2000-200A 2028-2029 202F 205F 3000")
        for scalar in Self.scalars where Self.prepared("\(scalar)") != nil {
            let between = Self.prepared("a\(scalar)b")
            #expect((between == [0x61, 0x62]) == nothing.contains(scalar.value), "\(scalar.value)")
            #expect((between == [0x61, 0x20, 0x62]) == space.contains(scalar.value))
        }
    }

    @Test("section 2.3: compatibility decomposition changes nothing that is prepared")
    func normalisation() {
        var changed = 0
        for scalar in Self.scalars
        where Self.isOld(scalar) && !Self.corrected.contains(scalar.value)
            && Self.prepared("\(scalar)") != nil && !Self.isInsignificant(scalar)
        {
            for form in [
                "\(scalar)".decomposedStringWithCompatibilityMapping,
                "\(scalar)".precomposedStringWithCompatibilityMapping,
                "\(scalar)".decomposedStringWithCanonicalMapping,
            ] where !form.unicodeScalars.elementsEqual("\(scalar)".unicodeScalars) {
                changed += 1
                if Self.prepared(form) != Self.prepared("\(scalar)") {
                    Issue.record("U+\(String(scalar.value, radix: 16))")
                }
            }
        }
        #expect(changed > 30_000)
    }

    @Test("section 2.2: letters that differ in case are prepared alike")
    func folding() {
        var changed = 0
        for scalar in Self.scalars where Self.prepared("\(scalar)") != nil {
            let properties = scalar.properties
            for form in [properties.lowercaseMapping, properties.uppercaseMapping]
            where form != "\(scalar)" && form.unicodeScalars.allSatisfy(Self.isOld) {
                // RFC 3454 folds neither this letter to i nor i to it.
                if scalar == "\u{131}" { continue }
                changed += 1
                if Self.prepared(form) != Self.prepared("\(scalar)") {
                    Issue.record("U+\(String(scalar.value, radix: 16))")
                }
            }
        }
        #expect(changed > 1_500)
        #expect(Self.prepared("\u{131}") == [0x131])
    }

    @Test("nothing else is changed than letters' case and compatibility forms")
    func nothingElse() {
        for scalar in Self.scalars
        where !Self.corrected.contains(scalar.value) && scalar != "\u{131}"
            && !Self.isInsignificant(scalar)
        {
            // What stays as it is makes nothing equal.
            guard let prepared = Self.prepared("a\(scalar)b"),
                prepared != [0x61, scalar.value, 0x62]
            else { continue }
            var expected = "a\(scalar)b".decomposedStringWithCompatibilityMapping
            var folded = ""
            for part in expected.unicodeScalars {
                let lower = part.properties.uppercaseMapping.unicodeScalars
                    .map(\.properties.lowercaseMapping).joined()
                // A letter whose other case is younger is a letter of its own.
                folded += lower.unicodeScalars.allSatisfy(Self.isOld) ? lower : "\(part)"
            }
            expected = folded.decomposedStringWithCompatibilityMapping
            if Self.text(prepared) != expected {
                Issue.record("U+\(String(scalar.value, radix: 16))")
            }
            if Self.prepared(Self.text(prepared)) != prepared {
                Issue.record("twice U+\(String(scalar.value, radix: 16))")
            }
        }
    }

    @Test("sequences that are canonically equivalent are prepared alike")
    func sequences() {
        var random = SplitMix(state: 11)
        // Without U+0345: RFC 4518 folds it to a letter before it puts marks in order.
        let marks = (0x300...0x36F).compactMap { Unicode.Scalar(UInt32($0)) }
            .filter { Self.isOld($0) && $0 != "\u{34F}" && $0 != "\u{345}" }
        let letters = Array("aeiouAEIOUyYñÑçåøΑάωЙй가각힣カがｶ".unicodeScalars)
        for _ in 0..<3_000 {
            var scalars = String.UnicodeScalarView()
            for _ in 0..<4 {
                scalars.append(letters.randomElement(using: &random) ?? "a")
                for _ in 0..<Int.random(in: 0...4, using: &random) {
                    scalars.append(marks.randomElement(using: &random) ?? "\u{301}")
                }
            }
            let text = String(scalars)
            let prepared = Self.prepared(text)
            #expect(prepared != nil)
            #expect(Self.prepared(text.precomposedStringWithCanonicalMapping) == prepared)
            #expect(Self.prepared(text.decomposedStringWithCanonicalMapping) == prepared)
            #expect(Self.prepared(text.precomposedStringWithCompatibilityMapping) == prepared)
        }
    }

    @Test(
        "section 2.6: what is insignificant, by the rule",
        arguments: [
            (.caseIgnore, " a  b ", "a b"), (.caseIgnore, "   ", ""), (.caseIgnore, "a-b", "a-b"),
            (.numericString, " 1 2  3 ", "123"), (.numericString, "1-2", "1-2"),
            (.telephoneNumber, "+1 2-3\u{2010}4\u{2011}5\u{2212}6\u{58A}7\u{FF0D}8", "+12345678"),
            (.ia5, " A  b ", "a b"),
        ] as [(StringPreparation.Rule, String, String)])
    func rules(rule: StringPreparation.Rule, text: String, expected: String) {
        let prepared = Self.prepared(text, by: rule)
        #expect(prepared.map(Self.text) == expected)
    }

    @Test("IA5String syntax holds nothing beyond ASCII")
    func ia5() {
        #expect(Self.prepared("é", by: .ia5) == nil)
        #expect(Self.prepared("a\u{AD}", by: .ia5) == nil)
    }

    @Test("TeletexString: what T.61 and ASCII have in common")
    func teletex() {
        for octet in 0...UInt8.max {
            let isCommon = (0x20...0x7F).contains(octet) && !"#$\\^`{}~\u{7F}".utf8.contains(octet)
            let isPrepared = Self.prepared(DER.element(0x14, [octet])) != nil
            #expect(isPrepared == isCommon, "0x\(String(octet, radix: 16))")
        }
    }

    @Test("a long run of marks is put in order in little time")
    func marks() {
        let run = String(repeating: "\u{323}\u{307}\u{31B}", count: 20_000)
        let sorted =
            String(repeating: "\u{31B}", count: 20_000)
            + String(repeating: "\u{323}", count: 20_000)
            + String(repeating: "\u{307}", count: 20_000)
        #expect(Self.prepared("q" + run) == Self.prepared("q" + sorted))
    }
}
