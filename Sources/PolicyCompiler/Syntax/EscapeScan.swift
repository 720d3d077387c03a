/// Finds the escapes of a double-quoted scalar that stand for one character (YAML 1.1 section 5.6,
/// the set that libyaml reads).
enum EscapeScan {
    struct Escape {
        var scalar: Unicode.Scalar
        /// From the backslash to the last digit.
        var range: Range<Int>
    }

    /// The escapes in a range, in order. Line continuations are left out.
    static func escapes(_ bytes: [UInt8], _ content: Range<Int>) -> [Escape] {
        var found: [Escape] = []
        var offset = content.lowerBound
        while offset + 1 < content.upperBound {
            guard bytes[offset] == 0x5C else {
                offset += 1
                continue
            }
            let letter = bytes[offset + 1]
            let digits = digitCount(letter)
            let end = min(offset + 2 + digits, content.upperBound)
            let value =
                digits == 0
                ? named(letter)
                : UInt32(String(decoding: bytes[offset + 2..<end], as: UTF8.self), radix: 16)
            if let value, let scalar = Unicode.Scalar(value) {
                found.append(Escape(scalar: scalar, range: offset..<end))
            }
            offset = end
        }
        return found
    }

    private static func digitCount(_ letter: UInt8) -> Int {
        switch letter {
        case 0x78: return 2  // x
        case 0x75: return 4  // u
        case 0x55: return 8  // U
        default: return 0
        }
    }

    private static func named(_ letter: UInt8) -> UInt32? {
        switch Unicode.Scalar(letter) {
        case "0": return 0x00
        case "a": return 0x07
        case "b": return 0x08
        case "t": return 0x09
        case "n": return 0x0A
        case "v": return 0x0B
        case "f": return 0x0C
        case "r": return 0x0D
        case "e": return 0x1B
        case " ": return 0x20
        case "\"": return 0x22
        case "/": return 0x2F
        case "\\": return 0x5C
        case "N": return 0x85
        case "_": return 0xA0
        case "L": return 0x2028
        case "P": return 0x2029
        default: return nil
        }
    }
}
