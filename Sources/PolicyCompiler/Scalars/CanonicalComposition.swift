/// Normalization Form C (UAX #15) of text whose code points a label may hold.
///
/// The standard library normalises when it compares strings but has no public way to get the
/// result, so the algorithm stands here: decompose canonically, sort marks by combining class,
/// compose again; Hangul by arithmetic (Unicode standard, section 3.12).
enum CanonicalComposition {
    /// The code points in Normalization Form C. O(n log n), and O(n²) in a run of marks alone,
    /// which the limit on text keeps small.
    static func normalized(_ codes: [UInt32]) -> [UInt32] {
        if codes.allSatisfy({ $0 < 0x80 }) { return codes }
        let tables = IDNATables.shared
        var marked = codes.flatMap { decomposed($0, tables) }.map { code in
            (code: code, combiningClass: tables.kind(of: code)?.combiningClass ?? 0)
        }
        sortMarks(&marked)
        return composed(marked, tables)
    }

    /// The full canonical decomposition of one code point.
    private static func decomposed(_ code: UInt32, _ tables: IDNATables) -> [UInt32] {
        let syllable = code &- Hangul.syllableBase
        if syllable < Hangul.syllableCount {
            let trailing = syllable % Hangul.trailingCount
            let parts = [
                Hangul.leadingBase + syllable / (Hangul.vowelCount * Hangul.trailingCount),
                Hangul.vowelBase
                    + syllable % (Hangul.vowelCount * Hangul.trailingCount) / Hangul.trailingCount,
            ]
            return trailing == 0 ? parts : parts + [Hangul.trailingBase + trailing]
        }
        // Only the first of a pair decomposes again.
        var first = code
        var tail: [UInt32] = []
        while let pair = tables.decomposition(of: first) {
            tail.append(pair.second)
            first = pair.first
        }
        return [first] + tail.reversed()
    }

    /// Sorts each run of marks by combining class; equal classes keep their order.
    private static func sortMarks(_ marked: inout [(code: UInt32, combiningClass: UInt8)]) {
        var index = 1
        while index < marked.count {
            var place = index
            let mark = marked[index]
            while mark.combiningClass != 0, place > 0,
                marked[place - 1].combiningClass > mark.combiningClass
            {
                marked[place] = marked[place - 1]
                place -= 1
            }
            marked[place] = mark
            index += 1
        }
    }

    /// Composes each mark with the last starter unless something between them blocks it.
    private static func composed(
        _ marked: [(code: UInt32, combiningClass: UInt8)], _ tables: IDNATables
    ) -> [UInt32] {
        var result: [UInt32] = []
        var starter: Int?
        var lastClass: UInt8 = 0
        for (code, combiningClass) in marked {
            if let starter {
                let isAdjacent = starter == result.count - 1
                let isFree = isAdjacent || (lastClass < combiningClass && combiningClass != 0)
                if isFree, let composite = compose(result[starter], code, tables) {
                    result[starter] = composite
                    continue
                }
            }
            if combiningClass == 0 { starter = result.count }
            lastClass = combiningClass
            result.append(code)
        }
        return result
    }

    private static func compose(_ first: UInt32, _ second: UInt32, _ tables: IDNATables) -> UInt32?
    {
        let leading = first &- Hangul.leadingBase
        let vowel = second &- Hangul.vowelBase
        if leading < Hangul.leadingCount && vowel < Hangul.vowelCount {
            return Hangul.syllableBase
                + (leading * Hangul.vowelCount + vowel) * Hangul.trailingCount
        }
        let syllable = first &- Hangul.syllableBase
        let trailing = second &- Hangul.trailingBase
        if syllable < Hangul.syllableCount && syllable % Hangul.trailingCount == 0
            && trailing > 0 && trailing < Hangul.trailingCount
        {
            return first + trailing
        }
        return tables.composition(of: first, second)
    }

    /// The constants of the Unicode standard, section 3.12.
    private enum Hangul {
        static let syllableBase: UInt32 = 0xAC00
        static let leadingBase: UInt32 = 0x1100
        static let vowelBase: UInt32 = 0x1161
        static let trailingBase: UInt32 = 0x11A7
        static let leadingCount: UInt32 = 19
        static let vowelCount: UInt32 = 21
        static let trailingCount: UInt32 = 28
        static let syllableCount: UInt32 = 11_172
    }
}
