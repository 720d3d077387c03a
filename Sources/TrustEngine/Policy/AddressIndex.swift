// The index over addresses and networks. It holds groups of one family and one prefix length, the
// longest prefix first; the records of a group are sorted by address and port. A lookup searches
// each group of the address's family by binary search, at most 33 or 129 groups. The first match is
// the most specific.
//
// The section holds the number of groups, a zero word, eight bytes for each group (family 4 or 6,
// prefix, two zero octets, number of records), then the records in the order of their groups. A
// record has 12 bytes for IPv4 (address, port, two zero octets, rule) and 24 for IPv6 (upper half,
// lower half, port, two zero octets, rule). A whole address is a prefix of 32 or 128 bits. Port 0
// stands for every port.

/// Reads and writes the index over addresses. All functions take the section as a span.
enum AddressIndex {
    /// The bit of a pattern's index that marks an address or a network.
    static let patternBit: UInt32 = 1 << 31

    struct Row {
        let address: IPAddress
        let prefix: Int
        /// The port of the pattern; 0 for every port.
        let port: UInt16
        let rule: UInt32

        static func precedes(_ left: Row, _ right: Row) -> Bool {
            if left.address.isIPv4 != right.address.isIPv4 { return left.address.isIPv4 }
            if left.prefix != right.prefix { return left.prefix > right.prefix }
            if left.address != right.address {
                return AddressIndex.precedes(left.address, right.address)
            }
            return left.port < right.port
        }

        var pattern: HostPattern {
            HostPattern(
                host: prefix == address.bitCount
                    ? .address(address) : .network(address, prefix: prefix),
                port: port == 0 ? nil : port)
        }
    }

    /// Orders the addresses of one family by number.
    static func precedes(_ left: IPAddress, _ right: IPAddress) -> Bool {
        left.high != right.high ? left.high < right.high : left.low < right.low
    }

    private static func size(_ isIPv4: Bool) -> Int { isIPv4 ? 12 : 24 }

    /// One group of the section.
    private struct Group {
        let isIPv4: Bool
        let prefix: Int
        let count: Int
        /// Number of records before the group, and offset of its first record.
        let first: Int
        let start: Int

        func row(_ index: Int, _ bytes: Span<UInt8>) -> Row {
            let offset = start + index * AddressIndex.size(isIPv4)
            let address: IPAddress
            if isIPv4 {
                address = IPAddress(
                    high: 0, low: UInt64(bytes.number32(at: offset)), isIPv4: true)
            } else {
                address = IPAddress(
                    high: bytes.number64(at: offset), low: bytes.number64(at: offset + 8),
                    isIPv4: false)
            }
            let rest = offset + (isIPv4 ? 4 : 16)
            return Row(
                address: address, prefix: prefix, port: bytes.number16(at: rest),
                rule: bytes.number32(at: rest + 4))
        }

        /// The index of the first pattern of a network, or where it would stand.
        func firstIndex(of network: IPAddress, _ bytes: Span<UInt8>) -> Int {
            var low = 0
            var high = count
            while low < high {
                let middle = (low + high) / 2
                if AddressIndex.precedes(row(middle, bytes).address, network) {
                    low = middle + 1
                } else {
                    high = middle
                }
            }
            return low
        }

        /// The pattern of exactly this network and port; nil when there is none.
        func find(_ network: IPAddress, port: UInt16, _ bytes: Span<UInt8>) -> PatternMatch? {
            var low = 0
            var high = count
            while low < high {
                let middle = (low + high) / 2
                let row = row(middle, bytes)
                if row.address == network, row.port == port {
                    return PatternMatch(
                        pattern: AddressIndex.patternBit | UInt32(first + middle), rule: row.rule)
                }
                let isBefore =
                    row.address == network
                    ? row.port < port : AddressIndex.precedes(row.address, network)
                if isBefore { low = middle + 1 } else { high = middle }
            }
            return nil
        }
    }

    /// The groups of a section in their order.
    private struct Groups {
        private let count: Int
        private var index = 0
        private var first = 0
        private var start: Int

        init(_ bytes: Span<UInt8>) {
            self.count = Int(bytes.number32(at: 0))
            self.start = 8 + 8 * count
        }

        mutating func next(_ bytes: Span<UInt8>) -> Group? {
            guard index < count else { return nil }
            let group = Group(
                isIPv4: bytes[8 + 8 * index] == 4, prefix: Int(bytes[9 + 8 * index]),
                count: Int(bytes.number32(at: 12 + 8 * index)), first: first, start: start)
            index += 1
            first += group.count
            start += group.count * AddressIndex.size(group.isIPv4)
            return group
        }
    }

    /// The most specific pattern that matches an address; nil when none matches.
    static func lookUp(_ address: IPAddress, port: UInt16, _ bytes: Span<UInt8>) -> PatternMatch? {
        var groups = Groups(bytes)
        while let group = groups.next(bytes) {
            guard group.isIPv4 == address.isIPv4 else { continue }
            let network = address.masked(prefix: group.prefix)
            if port != 0, let match = group.find(network, port: port, bytes) { return match }
            if let match = group.find(network, port: 0, bytes) { return match }
        }
        return nil
    }

    /// Every pattern that matches an address, the most specific first. Patterns with a longer
    /// prefix than `longestPrefix` are left out.
    static func candidates(
        _ address: IPAddress, port: UInt16, longestPrefix: Int = 128, _ bytes: Span<UInt8>
    ) -> [PatternMatch] {
        var found: [PatternMatch] = []
        var groups = Groups(bytes)
        while let group = groups.next(bytes) {
            guard group.isIPv4 == address.isIPv4, group.prefix <= longestPrefix else { continue }
            let network = address.masked(prefix: group.prefix)
            if port != 0, let match = group.find(network, port: port, bytes) {
                found.append(match)
            }
            if let match = group.find(network, port: 0, bytes) { found.append(match) }
        }
        return found
    }

    /// The rule of exactly this network and port; nil when there is none. Port 0 stands for every
    /// port.
    static func rule(
        of network: IPAddress, prefix: Int, port: UInt16, _ bytes: Span<UInt8>
    ) -> UInt32? {
        var groups = Groups(bytes)
        while let group = groups.next(bytes) {
            guard group.isIPv4 == network.isIPv4, group.prefix == prefix else { continue }
            return group.find(network, port: port, bytes)?.rule
        }
        return nil
    }

    /// The ports that patterns of these networks name; at most `most` and one more.
    static func ports(
        covering address: IPAddress, longestPrefix: Int, most: Int, _ bytes: Span<UInt8>
    ) -> Set<UInt16> {
        var ports: Set<UInt16> = []
        var groups = Groups(bytes)
        while let group = groups.next(bytes) {
            guard group.isIPv4 == address.isIPv4, group.prefix <= longestPrefix else { continue }
            let network = address.masked(prefix: group.prefix)
            var index = group.firstIndex(of: network, bytes)
            while index < group.count, ports.count <= most {
                let row = group.row(index, bytes)
                guard row.address == network else { break }
                if row.port != 0 { ports.insert(row.port) }
                index += 1
            }
        }
        return ports
    }

    /// Whether the most specific network with a pattern has one with a port.
    static func dependsOnPort(_ address: IPAddress, _ bytes: Span<UInt8>) -> Bool {
        var groups = Groups(bytes)
        while let group = groups.next(bytes) {
            guard group.isIPv4 == address.isIPv4 else { continue }
            let network = address.masked(prefix: group.prefix)
            let first = group.firstIndex(of: network, bytes)
            // Rows of one network are sorted by port, and port 0 stands for every port.
            guard first < group.count, group.row(first, bytes).address == network else { continue }
            guard group.row(first, bytes).port == 0 else { return true }
            return first + 1 < group.count && group.row(first + 1, bytes).address == network
        }
        return false
    }

    /// A pattern by its index among the records.
    static func pattern(at number: Int, _ bytes: Span<UInt8>) -> HostPattern {
        var groups = Groups(bytes)
        while let group = groups.next(bytes) {
            if number - group.first < group.count {
                return group.row(number - group.first, bytes).pattern
            }
        }
        preconditionFailure("no pattern has this index")
    }

    /// Calls `body` for every pattern with its rule.
    static func forEach(_ bytes: Span<UInt8>, _ body: (HostPattern, UInt32) -> Void) {
        var groups = Groups(bytes)
        while let group = groups.next(bytes) {
            for index in 0..<group.count {
                let row = group.row(index, bytes)
                body(row.pattern, row.rule)
            }
        }
    }

    /// Number of patterns in the section.
    static func patternCount(_ bytes: Span<UInt8>) -> Int {
        var count = 0
        var groups = Groups(bytes)
        while let group = groups.next(bytes) { count += group.count }
        return count
    }

    /// The section for a set of patterns. Each pattern must occur once.
    static func encoded(_ unsorted: [Row]) -> [UInt8] {
        let rows = unsorted.sorted(by: Row.precedes)
        var groups: [(first: Row, count: Int)] = []
        for (index, row) in rows.enumerated() {
            precondition(
                index == 0 || Row.precedes(rows[index - 1], row), "a host pattern in two rules")
            if let last = groups.last, last.first.prefix == row.prefix,
                last.first.address.isIPv4 == row.address.isIPv4
            {
                groups[groups.count - 1].count += 1
            } else {
                groups.append((row, 1))
            }
        }
        var bytes: [UInt8] = []
        bytes.append32(groups.count)
        bytes.append32(0)
        for group in groups {
            bytes.append(group.first.address.isIPv4 ? 4 : 6)
            bytes.append(UInt8(group.first.prefix))
            bytes.append16(0)
            bytes.append32(group.count)
        }
        for row in rows {
            if row.address.isIPv4 {
                bytes.append32(UInt32(truncatingIfNeeded: row.address.low))
            } else {
                bytes.append64(row.address.high)
                bytes.append64(row.address.low)
            }
            bytes.append16(row.port)
            bytes.append16(0)
            bytes.append32(row.rule)
        }
        return bytes
    }

    /// Checks the section: groups and records are in order, host bits are zero, rules are in range.
    /// Linear time.
    static func check(_ bytes: Span<UInt8>, ruleCount: Int) throws(TableDecodingError) {
        guard bytes.count >= 8, bytes.number32(at: 4) == 0,
            Int(bytes.number32(at: 0)) <= min(162, (bytes.count - 8) / 8)
        else { throw .malformed("addresses: no room for the groups") }
        let groups = Int(bytes.number32(at: 0))
        var start = 8 + 8 * groups
        var previous: Row?
        for index in 0..<groups {
            let family = bytes[8 + 8 * index]
            let prefix = Int(bytes[9 + 8 * index])
            let count = Int(bytes.number32(at: 12 + 8 * index))
            guard family == 4 || family == 6, prefix <= (family == 4 ? 32 : 128), count > 0,
                bytes.number16(at: 10 + 8 * index) == 0,
                count <= (bytes.count - start) / size(family == 4)
            else { throw .malformed("addresses: group \(index) does not fit") }
            let group = Group(
                isIPv4: family == 4, prefix: prefix, count: count, first: 0, start: start)
            for position in 0..<count {
                let row = group.row(position, bytes)
                let padding = start + position * size(family == 4) + (family == 4 ? 6 : 18)
                guard row.address.masked(prefix: prefix) == row.address,
                    bytes.number16(at: padding) == 0, Int(row.rule) < ruleCount
                else { throw .malformed("addresses: a pattern of group \(index) is not valid") }
                if let previous, !Row.precedes(previous, row) {
                    throw .malformed("addresses: a pattern of group \(index) is out of order")
                }
                if position == 0, let previous, previous.prefix == prefix,
                    previous.address.isIPv4 == row.address.isIPv4
                {
                    throw .malformed("addresses: group \(index) is in two parts")
                }
                previous = row
            }
            start += count * size(family == 4)
        }
        guard start == bytes.count else {
            throw .malformed("addresses: bytes behind the last pattern")
        }
    }
}
