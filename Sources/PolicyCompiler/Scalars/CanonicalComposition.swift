import TrustEngine

/// Normalization Form C (UAX #15), for text whose characters a label may contain.
///
/// The standard library normalises strings when it compares them, but has no public function that
/// returns the result. So the algorithm is here: decompose canonically, sort marks by combining
/// class, compose again. Hangul is computed (Unicode standard, section 3.12).
enum CanonicalComposition {
    /// The code points in Normalization Form C. O(n log n).
    static func normalized(_ codes: [UInt32]) -> [UInt32] {
        if codes.allSatisfy({ $0 < 0x80 }) { return codes }
        let tables = IDNATables.shared
        var marked = codes.flatMap { decomposed($0, tables) }.map { code in
            (code: code, combiningClass: tables.kind(of: code)?.combiningClass ?? 0)
        }
        CanonicalOrder.sort(&marked)
        return composed(marked, tables)
    }

    /// The full canonical decomposition of one code point.
    private static func decomposed(_ code: UInt32, _ tables: IDNATables) -> [UInt32] {
        if let parts = HangulSyllable.parts(of: code) { return parts }
        // Only the first code point of a pair can decompose further.
        var first = code
        var tail: [UInt32] = []
        while let pair = tables.decomposition(of: first) {
            tail.append(pair.second)
            first = pair.first
        }
        return [first] + tail.reversed()
    }

    /// Composes each mark with the last starter, unless a mark between them blocks it.
    private static func composed(
        _ marked: [CanonicalOrder.Marked], _ tables: IDNATables
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
        let leading = first &- HangulSyllable.leadingBase
        let vowel = second &- HangulSyllable.vowelBase
        if leading < HangulSyllable.leadingCount && vowel < HangulSyllable.vowelCount {
            return HangulSyllable.syllableBase
                + (leading * HangulSyllable.vowelCount + vowel) * HangulSyllable.trailingCount
        }
        let syllable = first &- HangulSyllable.syllableBase
        let trailing = second &- HangulSyllable.trailingBase
        if syllable < HangulSyllable.syllableCount && syllable % HangulSyllable.trailingCount == 0
            && trailing > 0 && trailing < HangulSyllable.trailingCount
        {
            return first + trailing
        }
        return tables.composition(of: first, second)
    }
}
