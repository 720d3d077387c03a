/// The canonical ordering of marks (Unicode standard, section 3.11).
package enum CanonicalOrder {
    /// A code point and its canonical combining class.
    package typealias Marked = (code: UInt32, combiningClass: UInt8)

    /// Sorts each run of marks by combining class. Marks of one class keep their order. Cost: O(n
    /// log n).
    package static func sort(_ text: inout [Marked]) {
        var start = 0
        while start < text.count {
            guard text[start].combiningClass != 0 else {
                start += 1
                continue
            }
            var end = start + 1
            while end < text.count, text[end].combiningClass != 0 { end += 1 }
            if end - start > 1 {
                let run = text[start..<end].enumerated().sorted { left, right in
                    (left.element.combiningClass, left.offset)
                        < (right.element.combiningClass, right.offset)
                }
                for (offset, mark) in run.enumerated() { text[start + offset] = mark.element }
            }
            start = end
        }
    }
}

/// Syllables of Hangul. A syllable is computed from its parts (Unicode standard, section 3.12).
package enum HangulSyllable {
    package static let syllableBase: UInt32 = 0xAC00
    package static let leadingBase: UInt32 = 0x1100
    package static let vowelBase: UInt32 = 0x1161
    /// The code point before the first trailing consonant.
    package static let trailingBase: UInt32 = 0x11A7
    package static let leadingCount: UInt32 = 19
    package static let vowelCount: UInt32 = 21
    /// The number of trailing consonants, plus one for a syllable without a trailing consonant.
    package static let trailingCount: UInt32 = 28
    package static let syllableCount: UInt32 = 11_172

    /// The full decomposition of a syllable; nil for any other code point.
    package static func parts(of code: UInt32) -> [UInt32]? {
        let syllable = code &- syllableBase
        guard syllable < syllableCount else { return nil }
        let trailing = syllable % trailingCount
        let parts = [
            leadingBase + syllable / (vowelCount * trailingCount),
            vowelBase + syllable % (vowelCount * trailingCount) / trailingCount,
        ]
        return trailing == 0 ? parts : parts + [trailingBase + trailing]
    }
}
