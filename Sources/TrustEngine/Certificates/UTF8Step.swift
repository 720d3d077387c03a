/// Decodes strict UTF-8 (RFC 3629 section 4), one character at a time.
package enum UTF8Step {
    /// The scalar at an offset and its length. If the bytes are not UTF-8, the scalar is nil, and
    /// the length reaches to the next byte that can begin a character.
    package static func decode(
        _ bytes: [UInt8], at offset: Int
    ) -> (scalar: Unicode.Scalar?, length: Int) {
        let first = bytes[offset]
        if first < 0x80 { return (Unicode.Scalar(first), 1) }
        let (length, lowest): (Int, UInt32)
        switch first {
        case 0xC2...0xDF: (length, lowest) = (2, 0x80)
        case 0xE0...0xEF: (length, lowest) = (3, 0x800)
        case 0xF0...0xF4: (length, lowest) = (4, 0x1_0000)
        default: return (nil, invalidRun(bytes, offset))
        }
        guard offset + length <= bytes.count else { return (nil, invalidRun(bytes, offset)) }
        var value = UInt32(first) & (0x7F >> UInt32(length))
        for next in bytes[offset + 1..<offset + length] {
            guard next & 0xC0 == 0x80 else { return (nil, invalidRun(bytes, offset)) }
            value = value << 6 | UInt32(next & 0x3F)
        }
        guard value >= lowest, let scalar = Unicode.Scalar(value) else {
            return (nil, invalidRun(bytes, offset))
        }
        return (scalar, length)
    }

    private static func invalidRun(_ bytes: [UInt8], _ offset: Int) -> Int {
        var end = offset + 1
        while end < bytes.count, bytes[end] & 0xC0 == 0x80 { end += 1 }
        return end - offset
    }
}
