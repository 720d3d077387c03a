/// Messages of editors that are not UTF-8. JSON is, but an editor may have a text that is not, and
/// writes it as it stands. A change that is thrown away would leave the server with another text
/// than the editor has.
enum MendedText {
    /// The message in UTF-8: each octet that belongs to no character becomes U+FFFD, and half of a
    /// surrogate pair in three octets becomes the escape that JSON has for it.
    static func octets(_ message: [UInt8]) -> [UInt8] {
        var mended: [UInt8] = []
        mended.reserveCapacity(message.count)
        var index = 0
        while index < message.count {
            let length = length(of: message, at: index)
            if length > 0 {
                mended += message[index..<index + length]
                index += length
            } else if let unit = HalfPairs.unit(message[...], at: index),
                message[index + 2] & 0xC0 == 0x80
            {
                mended += "\\u\(String(unit, radix: 16))".utf8
                index += 3
            } else {
                mended += [0xEF, 0xBF, 0xBD]
                index += 1
            }
        }
        return mended
    }

    /// The number of octets of the character at an index; 0 if none stands there.
    private static func length(of message: [UInt8], at index: Int) -> Int {
        let wanted: Int
        switch message[index] {
        case 0x00...0x7F: return 1
        case 0xC2...0xDF: wanted = 2
        case 0xE0...0xEF: wanted = 3
        case 0xF0...0xF4: wanted = 4
        default: return 0
        }
        guard index + wanted <= message.count,
            String(validating: message[index..<index + wanted], as: UTF8.self) != nil
        else { return 0 }
        return wanted
    }
}
