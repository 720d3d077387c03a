/// The addresses and networks of policies, ordered so that the ranges inside a range stand behind
/// it.
struct AddressRanges: Sendable {
    private struct Range: Hashable {
        let address: IPAddress
        let prefix: Int
        let port: UInt16?

        /// The range of a pattern; nil for a pattern on names.
        init?(_ pattern: HostPattern) {
            port = pattern.port
            switch pattern.host {
            case .address(let address): (self.address, prefix) = (address, address.bitCount)
            case .network(let address, let prefix): (self.address, self.prefix) = (address, prefix)
            case .name, .oneLabel, .anyLabels: return nil
            }
        }

        func contains(_ other: Range) -> Bool {
            address.isIPv4 == other.address.isIPv4 && prefix <= other.prefix
                && address.contains(other.address, prefix: prefix)
        }

        /// The first address behind the range; nil where the range ends with the last address.
        var after: IPAddress? {
            guard prefix > 0 else { return nil }
            let step = IPAddress.bit(prefix - 1, isIPv4: address.isIPv4)
            let (low, carries) = address.low.addingReportingOverflow(step.low)
            let (high, overflows) = address.high.addingReportingOverflow(
                step.high + (carries ? 1 : 0))
            guard !overflows, !address.isIPv4 || low <= 0xFFFF_FFFF else { return nil }
            return IPAddress(high: high, low: low, isIPv4: address.isIPv4)
        }

        static func precedes(_ left: Range, _ right: Range) -> Bool {
            if left.address.isIPv4 != right.address.isIPv4 { return left.address.isIPv4 }
            if left.address != right.address {
                return AddressIndex.precedes(left.address, right.address)
            }
            if left.prefix != right.prefix { return left.prefix < right.prefix }
            return (left.port ?? 0) < (right.port ?? 0)
        }
    }

    /// Sorted by `Range.precedes`, each once.
    private let ranges: [Range]

    /// Takes the ranges of patterns; patterns on names are ignored. Cost: O(n log n).
    init(_ patterns: [HostPattern]) {
        ranges = Set(patterns.compactMap(Range.init)).sorted(by: Range.precedes)
    }

    /// Whether narrower ranges together decide every address of a pattern on a port. With `port`
    /// nil, on a port that no pattern names.
    func isFilled(_ pattern: HostPattern, port: UInt16?) -> Bool {
        uncovered(pattern, port: port ?? 0) == nil
    }

    /// The first address of a pattern that no narrower range decides on a port; nil where there is
    /// none. Cost: linear in the ranges inside it.
    ///
    /// - Parameter port: 0 for a port that no pattern names.
    func uncovered(_ pattern: HostPattern, port: UInt16) -> IPAddress? {
        guard let own = Range(pattern) else { return nil }
        // An IPv4-mapped address is asked for as its IPv4 address.
        var next = AddressRanges.unmapped(own.address)
        var index = firstIndex(notBefore: own)
        while index < ranges.count, own.contains(ranges[index]) {
            let inner = ranges[index]
            index += 1
            // A gap: this range and all that follow begin behind the address.
            if AddressIndex.precedes(next, inner.address) { break }
            guard inner.prefix > own.prefix, inner.port ?? port == port,
                inner.address.contains(next, prefix: inner.prefix)
            else { continue }
            guard let after = inner.after else { return nil }
            next = AddressRanges.unmapped(after)
        }
        return own.address.contains(next, prefix: own.prefix) ? next : nil
    }

    /// The address, or the first address behind the IPv4-mapped addresses if it is one.
    private static func unmapped(_ address: IPAddress) -> IPAddress {
        address.isIPv4Mapped
            ? IPAddress(high: 0, low: 0x1_0000_0000_0000, isIPv4: false) : address
    }

    private func firstIndex(notBefore range: Range) -> Int {
        var (low, high) = (0, ranges.count)
        while low < high {
            let middle = (low + high) / 2
            if Range.precedes(ranges[middle], range) { low = middle + 1 } else { high = middle }
        }
        return low
    }
}

extension IPAddress {
    /// The address with one bit set, counted from the left.
    fileprivate static func bit(_ index: Int, isIPv4: Bool) -> IPAddress {
        let fromRight = (isIPv4 ? 31 : 127) - index
        return fromRight < 64
            ? IPAddress(high: 0, low: 1 << UInt64(fromRight), isIPv4: isIPv4)
            : IPAddress(high: 1 << UInt64(fromRight - 64), low: 0, isIPv4: isIPv4)
    }
}
