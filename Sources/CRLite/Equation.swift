/// The equation of a certificate: which bits of a column are added up. A bit is added
/// if its coefficient is 1: the key has 256 coefficients, for the bits from a row on that follows
/// from the key, too.
struct Equation {
    private let coefficients: InlineArray<4, UInt64>
    /// The words of a column that an equation reads at most: 256 bits from any bit on.
    static let words = 5

    /// The equation of SHA-256 over the issuer's digest and the serial number. Its first
    /// coefficient is always 1.
    init(_ key: Digest256) {
        var coefficients = key.coefficients
        coefficients[0] |= 1
        self.coefficients = coefficients
    }

    /// The row of a block with so many rows from which on bits are added; 0 for a block without
    /// rows.
    func row(of rows: Int) -> Int { Int(coefficients[3] % UInt64(max(1, rows))) }

    /// Whether the sum is odd. Bits behind the last word of a column are 0.
    ///
    /// - Parameter row: from 0 to 2^33, since offsets and rows have 32 bits.
    func isOdd(
        _ row: Int, in column: ClubcardFilter.Column, _ bytes: Span<UInt8>,
        _ format: ClubcardFilter.Format
    ) -> Bool {
        let first = row / 64
        let shift = UInt64(row % 64)
        var sum: UInt64 = 0
        var low = word(first, of: column, bytes, format)
        for index in 0..<4 {
            let high = word(first + index + 1, of: column, bytes, format)
            // `<<` with 64 gives 0.
            sum ^= (low >> shift | high << (64 - shift)) & coefficients[index]
            low = high
        }
        return !sum.nonzeroBitCount.isMultiple(of: 2)
    }

    private func word(
        _ index: Int, of column: ClubcardFilter.Column, _ bytes: Span<UInt8>,
        _ format: ClubcardFilter.Format
    ) -> UInt64 {
        guard index < column.words else { return 0 }
        let number = FilterOctets.bigEndian(bytes, at: column.offset + 8 * index)
        return format == .upki ? number : number.byteSwapped
    }
}
