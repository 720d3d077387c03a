// Numbers in bytes. All numbers of the table format are little-endian. No number is read by
// reinterpreting memory; the compiler makes one load of each of these reads.

extension Span where Element == UInt8 {
    @inline(__always)
    func number16(at offset: Int) -> UInt16 {
        let part = extracting(offset..<(offset &+ 2))
        return UInt16(part[0]) | UInt16(part[1]) << 8
    }

    @inline(__always)
    func number32(at offset: Int) -> UInt32 {
        let part = extracting(offset..<(offset &+ 4))
        return UInt32(part[0]) | UInt32(part[1]) << 8 | UInt32(part[2]) << 16
            | UInt32(part[3]) << 24
    }

    @inline(__always)
    func number64(at offset: Int) -> UInt64 {
        let part = extracting(offset..<(offset &+ 8))
        var number: UInt64 = 0
        for index in 0..<8 { number |= UInt64(part[index]) << UInt64(8 &* index) }
        return number
    }
}

extension [UInt8] {
    func number16(at offset: Int) -> UInt16 { span.number16(at: offset) }
    func number32(at offset: Int) -> UInt32 { span.number32(at: offset) }
    func number64(at offset: Int) -> UInt64 { span.number64(at: offset) }
    func signed64(at offset: Int) -> Int64 { Int64(bitPattern: span.number64(at: offset)) }

    mutating func append16(_ number: UInt16) {
        append(UInt8(truncatingIfNeeded: number))
        append(UInt8(truncatingIfNeeded: number >> 8))
    }

    mutating func append32(_ number: UInt32) {
        append16(UInt16(truncatingIfNeeded: number))
        append16(UInt16(truncatingIfNeeded: number >> 16))
    }

    /// Appends a count or index that the encoder made. The encoder sees to it that the number fits.
    mutating func append32(_ number: Int) { append32(UInt32(number)) }

    mutating func append64(_ number: UInt64) {
        append32(UInt32(truncatingIfNeeded: number))
        append32(UInt32(truncatingIfNeeded: number >> 32))
    }

    mutating func append64(_ number: Int64) { append64(UInt64(bitPattern: number)) }

    mutating func replace32(at offset: Int, with number: UInt32) {
        for index in 0..<4 {
            self[offset + index] = UInt8(truncatingIfNeeded: number >> UInt32(8 * index))
        }
    }

    mutating func replace(at offset: Int, with bytes: [UInt8]) {
        for (index, byte) in bytes.enumerated() { self[offset + index] = byte }
    }
}
