/// The scripts of letters, as far as needed to tell names that mix them: the Unicode blocks of the
/// scripts that names use (Unicode 16.0), and the letters that look like Latin letters (UTS #39,
/// confusables.txt).
enum NameScript: String {
    case latin = "Latin", greek = "Greek", cyrillic = "Cyrillic", armenian = "Armenian"
    case hebrew = "Hebrew", arabic = "Arabic", han = "Han", kana = "Kana", hangul = "Hangul"
    case other = "another script"

    /// Nil for characters of every script: digits, hyphens, marks.
    private init?(_ scalar: Unicode.Scalar) {
        guard scalar.properties.isAlphabetic else { return nil }
        switch scalar.value {
        case 0x41...0x24F, 0x250...0x2AF, 0x1E00...0x1EFF, 0x2C60...0x2C7F, 0xA720...0xA7FF:
            self = .latin
        case 0x370...0x3FF, 0x1F00...0x1FFF: self = .greek
        case 0x400...0x52F, 0x1C80...0x1C8F, 0x2DE0...0x2DFF, 0xA640...0xA69F: self = .cyrillic
        case 0x530...0x58F: self = .armenian
        case 0x590...0x5FF: self = .hebrew
        case 0x600...0x6FF, 0x750...0x77F, 0x8A0...0x8FF: self = .arabic
        case 0x3005, 0x3007, 0x3400...0x4DBF, 0x4E00...0x9FFF, 0x20000...0x3FFFF: self = .han
        case 0x3040...0x30FF, 0x31F0...0x31FF: self = .kana
        case 0x1100...0x11FF, 0x3130...0x318F, 0xAC00...0xD7AF: self = .hangul
        default: self = .other
        }
    }

    private static func scripts(of label: Substring) -> Set<NameScript> {
        Set(label.unicodeScalars.compactMap { NameScript($0) })
    }

    /// Whether a label mixes scripts as no writing system does. Han is mixed with kana or Hangul,
    /// and each of these with Latin (UTS #39 section 5.2, highly restrictive).
    static func isMixed(_ label: Substring) -> Bool {
        let found = scripts(of: label)
        guard found.count > 1 else { return false }
        let together: [Set<NameScript>] = [[.latin, .han, .kana], [.latin, .han, .hangul]]
        return !together.contains { found.isSubset(of: $0) }
    }

    static func names(of label: Substring) -> [String] {
        scripts(of: label).map(\.rawValue).sorted()
    }

    /// The name with Latin letters in place of letters that look like them.
    static func skeleton(of name: String) -> String {
        String(name.map { lookalikes[$0] ?? $0 })
    }

    private static let lookalikes: [Character: Character] = [
        "а": "a", "е": "e", "о": "o", "р": "p", "с": "c", "у": "y", "х": "x", "і": "i", "ј": "j",
        "ѕ": "s", "ԁ": "d", "һ": "h", "ԛ": "q", "ԝ": "w", "ո": "n", "օ": "o", "ս": "u", "հ": "h",
        "α": "a", "ο": "o", "ν": "v", "ρ": "p", "ι": "i", "κ": "k", "υ": "u", "γ": "y", "σ": "o",
        "ı": "i", "ɡ": "g", "ɑ": "a",
    ]
}
