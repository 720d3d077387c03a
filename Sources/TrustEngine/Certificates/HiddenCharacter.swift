/// Characters that an editor does not show, or that move, end or erase the text beside them. A
/// policy must not contain them (LANGUAGE section 1.1), and every renderer escapes them.
///
/// The list is from Unicode 16.0: the general categories Cc (without tab and line feed) and Cf, the
/// line and paragraph separators, the Hangul fillers, which are letters without width, the
/// variation selectors of the supplementary plane, and noncharacters.
package enum HiddenCharacter {
    /// Whether a scalar is hidden. Tab and line feed are not hidden; a carriage return is.
    package static func isHidden(_ scalar: Unicode.Scalar) -> Bool {
        let value = scalar.value
        if value < 0x7F { return value < 0x20 && value != 0x09 && value != 0x0A }
        if value < 0xAD { return value <= 0x9F }
        return isHiddenFormat(value)
    }

    private static func isHiddenFormat(_ value: UInt32) -> Bool {
        switch value {
        case 0xAD, 0x61C, 0x6DD, 0x70F, 0x890, 0x891, 0x8E2, 0x600...0x605: return true
        case 0x034F, 0x115F, 0x1160, 0x17B4, 0x17B5, 0x180B...0x180F: return true
        case 0x200B...0x200F, 0x2028...0x202E, 0x2060...0x206F: return true
        case 0x3164, 0xFEFF, 0xFFA0, 0xFFF0...0xFFFB, 0xFFFE, 0xFFFF, 0xFDD0...0xFDEF: return true
        case 0x110BD, 0x110CD, 0x13430...0x1343F, 0x1BCA0...0x1BCA3, 0x1D173...0x1D17A: return true
        case 0xE0000...0xE0FFF: return true
        default: return value > 0xFFFF && value & 0xFFFE == 0xFFFE
        }
    }

    /// Words for the character in a message, such as `a zero-width character`.
    package static func kind(_ scalar: Unicode.Scalar) -> String {
        switch scalar.value {
        case 0x00...0x1F, 0x80...0x84, 0x86...0x9F: return "a control character"
        case 0x7F: return "the delete character"
        case 0x85: return "the next-line character, which ends a line for YAML"
        case 0x2028: return "a line separator, which ends a line for YAML"
        case 0x2029: return "a paragraph separator, which ends a line for YAML"
        case 0x61C, 0x200E, 0x200F, 0x202A...0x202E, 0x2066...0x2069:
            return "a bidirectional control, which reorders the text around it"
        case 0xFEFF: return "a byte order mark inside the text"
        case 0xAD, 0x034F, 0x115F, 0x1160, 0x200B...0x200D, 0x2060...0x2064, 0x3164, 0xFFA0:
            return "a character of no width"
        default: return "a character that is not shown"
        }
    }

    /// Whether a scalar looks like a blank and is none: the spaces of Unicode but U+0020, and the
    /// Braille pattern without dots. No line separator is one, which is hidden.
    package static func isSpace(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0xA0, 0x1680, 0x2000...0x200A, 0x202F, 0x205F, 0x2800, 0x3000: return true
        default: return false
        }
    }

    /// The name of a space for a message, such as `a no-break space`.
    package static func spaceName(_ scalar: Unicode.Scalar) -> String {
        switch scalar.value {
        case 0xA0: return "a no-break space"
        case 0x202F: return "a narrow no-break space"
        case 0x2800: return "a Braille pattern without dots"
        case 0x3000: return "an ideographic space"
        default: return "a space of typesetting"
        }
    }

    /// The code point as `U+200B`, with at least four digits.
    package static func name(_ scalar: Unicode.Scalar) -> String {
        let digits = String(scalar.value, radix: 16, uppercase: true)
        return "U+" + String(repeating: "0", count: max(0, 4 - digits.count)) + digits
    }
}
