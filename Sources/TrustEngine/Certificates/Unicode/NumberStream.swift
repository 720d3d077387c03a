/// Reads the numbers of a generated text. `grammar/number_stream.py` describes the form: each digit
/// has five bits, the lowest digit comes first, and 32 is added to every digit of a number but its
/// last.
package struct NumberStream {
    private var digits: Substring.UTF8View

    /// Makes a reader of a text that our generator wrote. A character that is not a digit is read
    /// as one.
    package init(_ text: String) { digits = text[...].utf8 }

    /// Whether every number has been read.
    package var isAtEnd: Bool { digits.isEmpty }

    /// The next number; 0 at the end of the text.
    package mutating func number() -> UInt32 {
        var value: UInt32 = 0
        var shift: UInt32 = 0
        while let digit = digits.popFirst() {
            let bits = NumberStream.value(digit)
            value |= (bits & 31) << shift
            if bits < 32 { break }
            shift += 5
        }
        return value
    }

    /// The next number, which may be negative.
    package mutating func signedNumber() -> Int32 {
        let value = Int32(number())
        return value & 1 == 0 ? value / 2 : -(value + 1) / 2
    }

    private static func value(_ digit: UInt8) -> UInt32 {
        switch digit {
        case 0x41...0x5A: return UInt32(digit - 0x41)
        case 0x61...0x7A: return UInt32(digit - 0x61 + 26)
        case 0x30...0x39: return UInt32(digit - 0x30 + 52)
        case UInt8(ascii: "-"): return 62
        default: return 63
        }
    }
}
