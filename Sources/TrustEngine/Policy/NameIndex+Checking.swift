// Checks at load that the bytes are the one index for their names, and that no offset leads out of
// the bytes.

extension NameIndex {
    /// Checks both sections in one pass, in linear time and without allocation.
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
        var fingerprints = FingerprintCheck()
        // The first entry may have any slot and any fingerprint.
        var previous = (slot: -1, fingerprint: -1, entry: 0)
        for slot in 0..<slotCount {
            let word = slots.number64(at: headerSize &+ 8 &* slot)
            let fingerprint = UInt32(truncatingIfNeeded: word)
            let offset = UInt32(truncatingIfNeeded: word >> 32)
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
            let name = try seen.addEntry(names, ruleCount: ruleCount)
            guard fingerprints.add(fingerprint, of: name, names) else {
                throw .malformed("name index: slot \(slot) or one before has another's fingerprint")
            }
            guard
                previous.fingerprint < Int(fingerprint)
                    || previous.fingerprint == Int(fingerprint)
                        && namePrecedes(previous.entry, entry, names)
            else { throw .malformed("name index: slot \(slot) is out of order") }
            guard slot == max(home(of: fingerprint, homes: homes), previous.slot &+ 1) else {
                throw .malformed("name index: slot \(slot) is not where a search looks")
            }
            previous = (slot, Int(fingerprint), entry)
        }
        guard fingerprints.finish(names) else {
            throw .malformed("name index: a slot has another's fingerprint")
        }
        // The last slot is empty, so a search that goes past every entry ends there.
        let used = previous.slot + 1
        guard slotCount == max(used + 1, Int(homes)), used < slotCount else {
            throw .malformed("name index: it does not end where it should")
        }
        guard seen.bytes == names.count, seen.entries == entryCount,
            seen.patterns == Int(slots.number32(at: 12)),
            seen.exact == slots.number64(at: 16),
            seen.oneLabel == slots.number64(at: 24),
            seen.anyLabels == slots.number64(at: 32)
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

    /// The totals of the entries that were read so far.
    private struct Contents {
        var bytes = 0
        var entries = 0
        var patterns = 0
        var exact: UInt64 = 0
        var oneLabel: UInt64 = 0
        var anyLabels: UInt64 = 0

        /// Checks the next entry and gives the range of its name.
        @inline(__always)
        mutating func addEntry(
            _ names: Span<UInt8>, ruleCount: Int
        ) throws(TableDecodingError) -> Range<Int> {
            let entry = bytes
            guard entry < names.count else { throw .malformed("names: an entry is missing") }
            let count = Int(names[entry])
            let shapeOffset = entry &+ 1 &+ count
            guard (1...253).contains(count), shapeOffset < names.count else {
                throw .malformed("names: the entry at \(entry) does not fit")
            }
            let name = (entry &+ 1)..<shapeOffset
            guard
                let labels = CanonicalName.labels(
                    names.extracting((entry &+ 1)..<(shapeOffset &+ 1)))
            else {
                throw .malformed("names: the name at \(entry) is not a canonical host name")
            }
            let shape = names[shapeOffset]
            guard shape != 0, shape < 64 else {
                throw .malformed("names: the entry at \(entry) has no or unknown patterns")
            }
            let bit = NameIndex.bit(forLabels: labels)
            exact |= Contents.part(bit, shape, 0b001_001)
            oneLabel |= Contents.part(bit, shape, 0b010_010)
            anyLabels |= Contents.part(bit, shape, 0b100_100)
            var position = shapeOffset &+ 1
            if shape < 8 {
                // Nearly all entries have no patterns for single ports. They have one rule for each
                // wildcard.
                var wildcards = shape
                while wildcards != 0 {
                    try Contents.checkRules(names, position, count: 1, ruleCount)
                    position &+= 4
                    patterns &+= 1
                    wildcards &= wildcards &- 1
                }
            } else {
                position = try checkBlocks(names, position, shape, ruleCount)
            }
            bytes = position
            entries &+= 1
            return name
        }

        /// The bit if the shape has one of the kinds, otherwise 0. The answer cannot be predicted,
        /// so the function has no branch.
        private static func part(_ bit: UInt64, _ shape: UInt8, _ kinds: UInt8) -> UInt64 {
            bit &* (shape & kinds == 0 ? 0 : 1)
        }

        /// Checks the blocks of an entry with patterns for single ports. Returns the offset of
        /// their end.
        private mutating func checkBlocks(
            _ names: Span<UInt8>, _ start: Int, _ shape: UInt8, _ ruleCount: Int
        ) throws(TableDecodingError) -> Int {
            var position = start
            for bit in UInt8(0)..<3 {
                if shape & (1 << bit) != 0 {
                    try Contents.checkRules(names, position, count: 1, ruleCount)
                    position += 4
                    patterns += 1
                }
                if shape & (8 << bit) != 0 {
                    position = try checkPorts(names, position, ruleCount)
                }
            }
            return position
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

        @inline(__always)
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
    }
}
