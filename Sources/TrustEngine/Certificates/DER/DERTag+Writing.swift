extension DERTag {
    /// Writes an element with this tag around its parts. The length is in its shortest form (X.690
    /// section 10.1).
    package func element(_ parts: [UInt8]...) -> [UInt8] {
        let count = parts.reduce(0) { $0 + $1.count }
        var element: [UInt8] = [rawValue]
        element.reserveCapacity(count + 10)
        if count < 0x80 {
            element.append(UInt8(count))
        } else {
            let octets = (Int.bitWidth - count.leadingZeroBitCount + 7) / 8
            element.append(0x80 | UInt8(octets))
            for number in (0..<octets).reversed() {
                element.append(UInt8(truncatingIfNeeded: count >> (number * 8)))
            }
        }
        for part in parts { element += part }
        return element
    }
}
