/// An IPv4 or IPv6 address.
public struct IPAddress: Hashable, Sendable, BitwiseCopyable {
    /// Upper and lower half of the address. An IPv4 address occupies the lowest 32 bits of `low`.
    package let high: UInt64
    package let low: UInt64
    /// Whether this is an IPv4 address.
    public let isIPv4: Bool

    package init(high: UInt64, low: UInt64, isIPv4: Bool) {
        self.high = high
        self.low = low
        self.isIPv4 = isIPv4
    }

    /// An address from its 4 or 16 octets in network order; nil for any other number.
    public init?(bytes: Span<UInt8>) {
        switch bytes.count {
        case 4:
            self.init(high: 0, low: IPAddress.number(bytes, 0, 4), isIPv4: true)
        case 16:
            self.init(
                high: IPAddress.number(bytes, 0, 8), low: IPAddress.number(bytes, 8, 8),
                isIPv4: false)
        default:
            return nil
        }
    }

    /// The octets in network order: 4 or 16.
    public var bytes: [UInt8] {
        var bytes: [UInt8] = []
        if !isIPv4 {
            for shift in stride(from: UInt64(56), through: 0, by: -8) {
                bytes.append(UInt8(truncatingIfNeeded: high >> shift))
            }
        }
        for shift in stride(from: UInt64(isIPv4 ? 24 : 56), through: 0, by: -8) {
            bytes.append(UInt8(truncatingIfNeeded: low >> shift))
        }
        return bytes
    }

    /// Bits of the address: 32 or 128.
    public var bitCount: Int { isIPv4 ? 32 : 128 }

    /// Whether this is an IPv4-mapped IPv6 address, `::ffff:0:0/96` (RFC 4291 section 2.5.5.2).
    public var isIPv4Mapped: Bool { !isIPv4 && high == 0 && low >> 32 == 0xFFFF }

    /// The IPv4 address inside an IPv4-mapped address; any other address unchanged.
    public var unmapped: IPAddress {
        isIPv4Mapped ? IPAddress(high: 0, low: low & 0xFFFF_FFFF, isIPv4: true) : self
    }

    /// The address with every bit after the first `prefix` bits zero. A `prefix` outside 0 to
    /// `bitCount` is clamped.
    package func masked(prefix: Int) -> IPAddress {
        masked(by: IPAddress.mask(prefix: prefix, isIPv4: isIPv4))
    }

    /// The address with the bits zero that are zero in `mask`. The mask is an address of the same
    /// family.
    package func masked(by mask: IPAddress) -> IPAddress {
        IPAddress(high: high & mask.high, low: low & mask.low, isIPv4: isIPv4)
    }

    /// Whether an address of the same family has the same first `prefix` bits as this one.
    public func contains(_ address: IPAddress, prefix: Int) -> Bool {
        isIPv4 == address.isIPv4 && masked(prefix: prefix) == address.masked(prefix: prefix)
    }

    /// The length of the prefix that this address is the mask of; nil when the address is not a
    /// mask of a prefix.
    package var maskLength: Int? {
        let ones =
            isIPv4
            ? (low << 32 | 0xFFFF_FFFF).nonzeroBitCount - 32
            : high.nonzeroBitCount + low.nonzeroBitCount
        return IPAddress.mask(prefix: ones, isIPv4: isIPv4) == self ? ones : nil
    }

    private static func mask(prefix: Int, isIPv4: Bool) -> IPAddress {
        let bits = min(max(prefix, 0), isIPv4 ? 32 : 128)
        if isIPv4 {
            return IPAddress(
                high: 0, low: (UInt64(0xFFFF_FFFF) << UInt64(32 - bits)) & 0xFFFF_FFFF, isIPv4: true
            )
        }
        // A smart shift by 64 gives 0. A half without prefix bits needs that.
        return IPAddress(
            high: UInt64.max << UInt64(64 - min(bits, 64)),
            low: UInt64.max << UInt64(64 - max(bits - 64, 0)), isIPv4: false)
    }

    private static func number(_ bytes: Span<UInt8>, _ start: Int, _ count: Int) -> UInt64 {
        var number: UInt64 = 0
        for index in start..<start + count { number = number << 8 | UInt64(bytes[index]) }
        return number
    }
}

// Text: RFC 4291 section 2.2 in, RFC 5952 out.
extension IPAddress: CustomStringConvertible {
    /// Reads an address from text: IPv4 as four decimal numbers without leading zeros; IPv6 in any
    /// spelling of RFC 4291 section 2.2, without brackets and without a zone. Nil for any other
    /// text.
    public init?(text: String) {
        let bytes = Array(text.utf8)
        guard bytes.count <= 45 else { return nil }
        if bytes.contains(UInt8(ascii: ":")) {
            self.init(ipv6: bytes)
        } else if let low = IPAddress.ipv4(bytes[...]) {
            self.init(high: 0, low: low, isIPv4: true)
        } else {
            return nil
        }
    }

    /// The canonical text: dotted decimal for IPv4, RFC 5952 for IPv6 (lower case, the longest run
    /// of zero groups shortened, the IPv4 part of an IPv4-mapped address dotted).
    public var description: String {
        if isIPv4 { return IPAddress.dotted(low) }
        if isIPv4Mapped { return "::ffff:" + IPAddress.dotted(low & 0xFFFF_FFFF) }
        let groups = (0..<8).map { index in
            UInt16(truncatingIfNeeded: (index < 4 ? high : low) >> UInt64(48 - index % 4 * 16))
        }
        var best = 0..<0
        var start = 0
        while start < 8 {
            var end = start
            while end < 8, groups[end] == 0 { end += 1 }
            if end - start >= 2, end - start > best.count { best = start..<end }
            start = end + 1
        }
        func joined(_ groups: ArraySlice<UInt16>) -> String {
            groups.map { String($0, radix: 16) }.joined(separator: ":")
        }
        guard !best.isEmpty else { return joined(groups[...]) }
        return joined(groups[..<best.lowerBound]) + "::" + joined(groups[best.upperBound...])
    }

    private init?(ipv6 bytes: [UInt8]) {
        var groups: [UInt16] = []
        var gap: Int?
        var position = 0
        if bytes.starts(with: [0x3A, 0x3A]) {
            gap = 0
            position = 2
        }
        while position < bytes.count {
            let end = bytes[position...].firstIndex(of: 0x3A) ?? bytes.count
            let part = bytes[position..<end]
            if part.contains(UInt8(ascii: ".")) {
                guard end == bytes.count, let low = IPAddress.ipv4(part) else { return nil }
                groups.append(UInt16(truncatingIfNeeded: low >> 16))
                groups.append(UInt16(truncatingIfNeeded: low))
                position = end
                break
            }
            guard let group = IPAddress.group(part), groups.count < 8 else { return nil }
            groups.append(group)
            position = end
            guard position < bytes.count else { break }
            position += 1
            if position < bytes.count, bytes[position] == 0x3A {
                guard gap == nil else { return nil }
                gap = groups.count
                position += 1
            } else if position == bytes.count {
                return nil
            }
        }
        guard gap == nil ? groups.count == 8 : groups.count < 8 else { return nil }
        if let gap {
            groups.insert(contentsOf: [UInt16](repeating: 0, count: 8 - groups.count), at: gap)
        }
        var high: UInt64 = 0
        var low: UInt64 = 0
        for group in groups[..<4] { high = high << 16 | UInt64(group) }
        for group in groups[4...] { low = low << 16 | UInt64(group) }
        self.init(high: high, low: low, isIPv4: false)
    }

    private static func group(_ part: ArraySlice<UInt8>) -> UInt16? {
        guard (1...4).contains(part.count) else { return nil }
        var value: UInt16 = 0
        for byte in part {
            let digit: UInt8
            switch byte {
            case 0x30...0x39: digit = byte - 0x30
            case 0x41...0x46: digit = byte - 0x41 + 10
            case 0x61...0x66: digit = byte - 0x61 + 10
            default: return nil
            }
            value = value << 4 | UInt16(digit)
        }
        return value
    }

    private static func ipv4(_ bytes: ArraySlice<UInt8>) -> UInt64? {
        let parts = bytes.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
        guard parts.count == 4 else { return nil }
        var address: UInt64 = 0
        for part in parts {
            guard (1...3).contains(part.count), part.count == 1 || part.first != 0x30 else {
                return nil
            }
            var value: UInt64 = 0
            for byte in part {
                guard (0x30...0x39).contains(byte) else { return nil }
                value = value * 10 + UInt64(byte - 0x30)
            }
            guard value <= 255 else { return nil }
            address = address << 8 | value
        }
        return address
    }

    private static func dotted(_ address: UInt64) -> String {
        "\(address >> 24 & 255).\(address >> 16 & 255).\(address >> 8 & 255).\(address & 255)"
    }
}
