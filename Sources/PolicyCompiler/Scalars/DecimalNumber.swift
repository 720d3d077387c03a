/// Decimal digits without sign or leading zero, the only spelling of a number in the language
/// (LANGUAGE section 1.2). The scanners of values with numbers share it.
enum DecimalNumber {
    /// The result of reading some bytes as a number.
    enum Reading: Hashable {
        case value(Int64)
        /// The number does not fit in 63 bits.
        case tooLarge
        case leadingZero
        /// The byte at this index is not a digit. The index is the count if the text is empty.
        case notDigit(at: Int)
    }

    /// Reads every byte of a slice. O(count).
    static func read(_ bytes: ArraySlice<UInt8>) -> Reading {
        guard let first = bytes.first else { return .notDigit(at: bytes.startIndex) }
        var value: Int64 = 0
        var overflows = false
        for index in bytes.indices {
            let byte = bytes[index]
            guard isDigit(byte) else { return .notDigit(at: index) }
            let (product, first) = value.multipliedReportingOverflow(by: 10)
            let (sum, second) = product.addingReportingOverflow(Int64(byte - 0x30))
            overflows = overflows || first || second
            value = overflows ? 0 : sum
        }
        if first == 0x30 && bytes.count > 1 { return .leadingZero }
        return overflows ? .tooLarge : .value(value)
    }

    /// The number that a text is; nil for another text.
    static func value(of text: String) -> Int? {
        guard case .value(let value) = read(Array(text.utf8)[...]) else { return nil }
        return Int(exactly: value)
    }

    /// The number without leading zeros, for a corrected text. All bytes must be digits.
    static func withoutLeadingZeros(_ bytes: ArraySlice<UInt8>) -> String {
        let digits = bytes.drop { $0 == 0x30 }
        return digits.isEmpty ? "0" : String(decoding: digits, as: UTF8.self)
    }

    /// Whether a byte is one of `0` to `9`.
    static func isDigit(_ byte: UInt8) -> Bool { (0x30...0x39).contains(byte) }
}
