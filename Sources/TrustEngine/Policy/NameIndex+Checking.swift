// The check at load that the bytes are the one index over their names, and that nothing a lookup
// follows leads out of them.

extension NameIndex {
    /// Checks both sections in one pass, linear and without allocation.
    static func check(
        slots: Span<UInt8>, names: Span<UInt8>, ruleCount: Int
    ) throws(TableDecodingError) {
        guard slots.count >= headerSize, names.count < 1 << 31 else {
            throw .malformed("name index: no room for its header")
        }
        let homes = slots.number32(at: 0)
        let slotCount = Int(slots.number32(at: 4))
        let entryCount = Int(slots.number32(at: 8))
        guard slots.count == headerSize + 8 * slotCount, slotCount >= 1,
            Int(homes) == NameIndex.homes(entries: entryCount), slotCount >= Int(homes)
        else {
            throw .malformed("name index: its size does not fit its entries")
        }
        var seen = Contents()
        var previous: (slot: Int, fingerprint: UInt32, entry: Int)?
        for slot in 0..<slotCount {
            let fingerprint = slots.number32(at: headerSize + 8 * slot)
            let offset = slots.number32(at: headerSize + 8 * slot + 4)
            if offset == emptySlot {
                guard fingerprint == 0 else {
                    throw .malformed("name index: slot \(slot) is neither empty nor full")
                }
                continue
            }
            let entry = seen.bytes
            guard Int(offset) == entry else {
                throw .malformed("name index: slot \(slot) skips or repeats an entry")
            }
            guard try seen.addEntry(names, ruleCount: ruleCount) == fingerprint else {
                throw .malformed("name index: slot \(slot) has another name's fingerprint")
            }
            var expected = home(of: fingerprint, homes: homes)
            if let previous {
                expected = max(expected, previous.slot + 1)
                guard
                    previous.fingerprint < fingerprint
                        || previous.fingerprint == fingerprint
                            && namePrecedes(previous.entry, entry, names)
                else { throw .malformed("name index: slot \(slot) is out of order") }
            }
            guard slot == expected else {
                throw .malformed("name index: slot \(slot) is not where a search looks")
            }
            previous = (slot, fingerprint, entry)
        }
        // The last slot is empty: a search that goes past every entry ends there.
        let used = (previous?.slot ?? -1) + 1
        guard slotCount == max(used + 1, Int(homes)), used < slotCount else {
            throw .malformed("name index: it does not end where it should")
        }
        guard seen.bytes == names.count, seen.entries == entryCount,
            seen.patterns == Int(slots.number32(at: 12)), seen.exact == slots.number64(at: 16),
            seen.oneLabel == slots.number64(at: 24), seen.anyLabels == slots.number64(at: 32)
        else {
            throw .malformed("name index: its header does not describe its entries")
        }
    }

    private static func namePrecedes(_ left: Int, _ right: Int, _ names: Span<UInt8>) -> Bool {
        let (ours, theirs) = (Int(names[left]), Int(names[right]))
        for index in 1..<(1 + min(ours, theirs)) where names[left + index] != names[right + index] {
            return names[left + index] < names[right + index]
        }
        return ours < theirs
    }

    /// What the entries read so far add up to.
    private struct Contents {
        var bytes = 0
        var entries = 0
        var patterns = 0
        var exact: UInt64 = 0
        var oneLabel: UInt64 = 0
        var anyLabels: UInt64 = 0

        /// Checks the next entry and gives its name's fingerprint.
        mutating func addEntry(
            _ names: Span<UInt8>, ruleCount: Int
        ) throws(TableDecodingError) -> UInt32 {
            let entry = bytes
            guard entry < names.count else { throw .malformed("names: an entry is missing") }
            let count = Int(names[entry])
            let shapeOffset = entry + 1 + count
            guard (1...253).contains(count), shapeOffset < names.count else {
                throw .malformed("names: the entry at \(entry) does not fit")
            }
            let (fingerprint, labels) = try Contents.checkedName(
                names.extracting((entry + 1)..<shapeOffset), at: entry)
            let shape = names[shapeOffset]
            guard shape != 0, shape < 64 else {
                throw .malformed("names: the entry at \(entry) has no or unknown patterns")
            }
            var position = shapeOffset + 1
            for bit in UInt8(0)..<3 {
                let before = patterns
                if shape & (1 << bit) != 0 {
                    try Contents.checkRules(names, position, count: 1, ruleCount)
                    position += 4
                    patterns += 1
                }
                if shape & (8 << bit) != 0 {
                    position = try checkPorts(names, position, ruleCount)
                }
                guard patterns > before else { continue }
                switch bit {
                case 0: exact |= NameIndex.bit(forLabels: labels)
                case 1: oneLabel |= NameIndex.bit(forLabels: labels)
                default: anyLabels |= NameIndex.bit(forLabels: labels)
                }
            }
            bytes = position
            entries += 1
            return fingerprint
        }

        private mutating func checkPorts(
            _ names: Span<UInt8>, _ start: Int, _ ruleCount: Int
        ) throws(TableDecodingError) -> Int {
            guard names.count - start >= 2 else { throw .malformed("names: ports are cut off") }
            let count = Int(names.number16(at: start)) + 1
            guard names.count - start - 2 >= 6 * count else {
                throw .malformed("names: ports are cut off")
            }
            var previous: UInt16 = 0
            for index in 0..<count {
                let port = names.number16(at: start + 2 + 2 * index)
                guard port > previous else { throw .malformed("names: ports are out of order") }
                previous = port
            }
            try Contents.checkRules(names, start + 2 + 2 * count, count: count, ruleCount)
            patterns += count
            return start + 2 + 6 * count
        }

        private static func checkRules(
            _ names: Span<UInt8>, _ start: Int, count: Int, _ ruleCount: Int
        ) throws(TableDecodingError) {
            guard names.count - start >= 4 * count else {
                throw .malformed("names: rules are cut off")
            }
            for index in 0..<count
            where Int(names.number32(at: start + 4 * index)) >= ruleCount {
                throw .malformed("names: a pattern's rule is out of range")
            }
        }

        /// A name in canonical form: what no canonical host could equal is refused.
        private static func checkedName(
            _ name: Span<UInt8>, at entry: Int
        ) throws(TableDecodingError) -> (fingerprint: UInt32, labels: Int) {
            var hash = Hash()
            var labels = 1
            var position = name.count
            // A million of these are read at every load: one branch for each octet but dots, and lengths
            // are looked at once for each label.
            var isCanonical = true
            var labelEnd = position
            while position > 0 {
                position &-= 1
                let octet = name[position]
                hash.add(octet)
                if octet == UInt8(ascii: ".") {
                    let length = labelEnd &- position &- 1
                    isCanonical = isCanonical && length > 0 && length <= 63
                    labels &+= 1
                    labelEnd = position
                } else {
                    isCanonical = isCanonical && isOfLabel(octet)
                }
            }
            guard isCanonical, labelEnd > 0, labelEnd <= 63 else {
                throw .malformed("names: the name at \(entry) is not a canonical host name")
            }
            return (hash.fingerprint, labels)
        }

        /// Whether an octet stands in labels: lower-case letters, digits, hyphen, underscore.
        @inline(__always)
        private static func isOfLabel(_ octet: UInt8) -> Bool {
            let word = octet & 0x40 == 0 ? lowerOctets : upperOctets
            return octet < 0x80 && word >> UInt64(octet & 0x3F) & 1 == 1
        }

        /// A bit for each octet below 64: hyphen and digits.
        private static let lowerOctets: UInt64 = 1 << 0x2D | 0x3FF << 0x30
        /// A bit for each octet from 64 to 127: underscore and lower-case letters.
        private static let upperOctets: UInt64 = 1 << 0x1F | 0x3FF_FFFF << 0x21
    }
}
