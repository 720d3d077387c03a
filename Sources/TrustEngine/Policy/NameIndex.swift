// The index over host names: one probe for each suffix of a host, in memory that is laid out for
// it.
//
// Patterns with the same name behind their wildcard share an entry: `x.example`, `*.x.example:443`
// and `**.x.example` are one entry. The slot of an entry holds its fingerprint (32 bits of a hash)
// and its offset among the entries, eight bytes in all. So a probe that finds nothing touches one
// cache line and reads no name. The hash runs from right to left and passes every suffix of a host,
// so hashing the host once gives all probes. Of the structures that were measured this one is the
// best: eight-byte slots are two to ten times as fast as nested tables, chained maps and tries at a
// million patterns.
//
// The slots are one array with gaps, sorted by fingerprint. An entry stands at its home (the
// fingerprint scaled to the number of homes) or, where the home is taken, directly behind its
// predecessor. Nothing wraps around: the array is longer by the space that the last entries need,
// and it ends with an empty slot. So a set of patterns has exactly one index, and a search ends at
// the first empty slot or at the first greater fingerprint. Entries lie in the order of their
// slots, so one linear pass over both checks at load that the index is that one.
//
// Three words of label counts say which probes can succeed at all. A table without `**.` patterns
// never probes a bare top-level domain.

/// Reads the index over host names. All functions take the two sections as spans.
enum NameIndex {
    /// Bytes before the first slot.
    static let headerSize = 40
    static let emptySlot = UInt32.max

    /// The wildcard before the name of an entry. Raw values order wildcards by specificity.
    enum Wildcard: Int, CaseIterable {
        case none = 0
        case oneLabel = 1
        case anyLabels = 2
    }

    /// A fingerprint that is being computed. Octets are added from the last octet of a name to the
    /// first.
    struct Hash {
        // The offset basis and prime of 64-bit FNV-1a.
        private var state: UInt64 = 0xCBF2_9CE4_8422_2325

        @inline(__always)
        mutating func add(_ octet: UInt8) {
            state = (state ^ UInt64(octet)) &* 0x100_0000_01B3
        }

        /// Adds a name whose last `done` octets were added before.
        @inline(__always)
        mutating func add(_ name: Span<UInt8>, from done: Int) {
            var position = name.count &- done
            while position > 0 {
                position &-= 1
                add(name[position])
            }
        }

        /// Adds the label that ends at `end`, and gives the offset of its first octet.
        @inline(__always)
        mutating func addLabel(of host: Span<UInt8>, endingAt end: Int) -> Int {
            var hash = self
            var start = end
            while start > 0 {
                let octet = host[start &- 1]
                if octet == UInt8(ascii: ".") { break }
                hash.add(octet)
                start &-= 1
            }
            self = hash
            return start
        }

        /// The last step spreads the low bits, which octets change, into the high bits, which
        /// choose the home. The factor is 2^64 divided by the golden ratio.
        @inline(__always)
        var fingerprint: UInt32 {
            let mixed = (state ^ state >> 29) &* 0x9E37_79B9_7F4A_7C15
            return UInt32(truncatingIfNeeded: mixed >> 32)
        }
    }

    static func fingerprint(of name: Span<UInt8>) -> UInt32 {
        var hash = Hash()
        hash.add(name, from: 0)
        return hash.fingerprint
    }

    static func home(of fingerprint: UInt32, homes: UInt32) -> Int {
        Int((UInt64(fingerprint) &* UInt64(homes)) >> 32)
    }

    /// The bit for a name with a number of labels. Bit 63 stands for all greater numbers.
    @inline(__always)
    static func bit(forLabels count: Int) -> UInt64 {
        1 << UInt64(truncatingIfNeeded: min(count, 63))
    }

    static func maskOffset(_ wildcard: Wildcard) -> Int { 16 + 8 * wildcard.rawValue }

    /// The most specific pattern for a name, as an offset among the entries and a rule.
    ///
    /// Suffixes are hashed from short to long. A longer suffix is more specific, so of the shorter
    /// ones the last match decides. The two longest are looked for at the end, the longest first.
    static func lookUp(
        _ host: Span<UInt8>, port: UInt16, slots: Span<UInt8>, names: Span<UInt8>
    ) -> PatternMatch? {
        let homes = slots.number32(at: 0)
        guard homes > 0 else { return nil }
        let exact = slots.number64(at: 16)
        let oneLabel = slots.number64(at: 24)
        let anyLabels = slots.number64(at: 32)
        var best: PatternMatch?
        var hash = Hash()
        // The suffix that was hashed before the label that is being hashed, and its labels. Whether
        // it is one label short of the host shows when the label is at its start.
        var suffix = (start: host.count &+ 1, fingerprint: UInt32(0))
        var labels = 0
        while true {
            let start = hash.addLabel(of: host, endingAt: suffix.start &- 1)
            if start == 0 { break }
            if anyLabels & bit(forLabels: labels) != 0,
                let entry = find(
                    suffix.fingerprint, host, from: suffix.start, homes: homes, slots: slots,
                    names: names),
                let match = resolve(entry, .anyLabels, port: port, names: names)
            {
                best = match
            }
            suffix = (start, hash.fingerprint)
            labels &+= 1
            hash.add(UInt8(ascii: "."))
        }
        if exact & bit(forLabels: labels &+ 1) != 0,
            let entry = find(
                hash.fingerprint, host, from: 0, homes: homes, slots: slots, names: names),
            let match = resolve(entry, .none, port: port, names: names)
        {
            return match
        }
        if (oneLabel | anyLabels) & bit(forLabels: labels) != 0,
            let entry = find(
                suffix.fingerprint, host, from: suffix.start, homes: homes, slots: slots,
                names: names)
        {
            if let match = resolve(entry, .oneLabel, port: port, names: names) { return match }
            if let match = resolve(entry, .anyLabels, port: port, names: names) { return match }
        }
        return best
    }

    /// Every pattern that matches a name, the most specific first.
    static func candidates(
        _ host: Span<UInt8>, port: UInt16, slots: Span<UInt8>, names: Span<UInt8>
    ) -> [PatternMatch] {
        var found: [PatternMatch] = []
        forEachBlock(covering: host, labelsBefore: 0, slots: slots, names: names) { block, names in
            if let match = block.match(port: port, names) { found.append(match) }
            if let match = block.matchAnyPort(names) { found.append(match) }
        }
        return found
    }

    /// The offset of the entry for the end of a host; nil when there is none.
    @inline(__always)
    static func find(
        _ fingerprint: UInt32, _ host: Span<UInt8>, from start: Int, homes: UInt32,
        slots: Span<UInt8>, names: Span<UInt8>
    ) -> Int? {
        var slot = headerSize &+ 8 &* home(of: fingerprint, homes: homes)
        while true {
            let word = slots.number64(at: slot)
            let offset = UInt32(truncatingIfNeeded: word >> 32)
            let found = UInt32(truncatingIfNeeded: word)
            if offset == emptySlot || found > fingerprint { return nil }
            if found == fingerprint, isName(Int(offset), host, from: start, names: names) {
                return Int(offset)
            }
            slot &+= 8
        }
    }

    @inline(__always)
    private static func isName(
        _ entry: Int, _ host: Span<UInt8>, from start: Int, names: Span<UInt8>
    ) -> Bool {
        let count = Int(names[entry])
        guard count == host.count &- start else { return false }
        return names.extracting((entry &+ 1)..<(entry &+ 1 &+ count))
            .octetsEqual(host.extracting(start..<(start &+ count)))
    }

    @inline(__always)
    private static func resolve(
        _ entry: Int, _ wildcard: Wildcard, port: UInt16, names: Span<UInt8>
    ) -> PatternMatch? {
        let shapeOffset = entry &+ 1 &+ Int(names[entry])
        let shape = names[shapeOffset]
        // Nearly all entries have no patterns for single ports.
        if shape < 8 {
            let bit: UInt8 = 1 << UInt8(wildcard.rawValue)
            guard shape & bit != 0 else { return nil }
            let before = (shape & (bit &- 1)).nonzeroBitCount
            return PatternMatch(
                pattern: UInt32(truncatingIfNeeded: entry &+ before),
                rule: names.number32(at: shapeOffset &+ 1 &+ 4 &* before))
        }
        let block = Block(entry, wildcard, names)
        return block.match(port: port, names) ?? block.matchAnyPort(names)
    }

    /// The patterns of one entry with one wildcard. An entry is the length and octets of the name,
    /// a shape octet (bits 0 to 2: which wildcards have a pattern for every port; bits 3 to 5:
    /// which have patterns for single ports), and then a block for each wildcard: the rule for
    /// every port; the number of ports less one, the ports ascending, the rules of the ports.
    struct Block {
        /// Offset of the entry, and the number of its patterns before this block.
        let entry: Int
        let first: Int
        /// Offset of the block.
        let start: Int
        let hasAnyPort: Bool
        let portCount: Int

        @inline(__always)
        init(_ entry: Int, _ wildcard: Wildcard, _ names: Span<UInt8>) {
            let shapeOffset = entry &+ 1 &+ Int(names[entry])
            let shape = names[shapeOffset]
            var start = shapeOffset &+ 1
            var first = 0
            for bit in 0..<UInt8(wildcard.rawValue) {
                if shape & (1 << bit) != 0 {
                    start &+= 4
                    first &+= 1
                }
                if shape & (8 << bit) != 0 {
                    let ports = Int(names.number16(at: start)) &+ 1
                    start &+= 2 &+ 6 &* ports
                    first &+= ports
                }
            }
            let bit = UInt8(wildcard.rawValue)
            self.entry = entry
            self.first = first
            self.hasAnyPort = shape & (1 << bit) != 0
            let ports = start &+ (hasAnyPort ? 4 : 0)
            self.portCount = shape & (8 << bit) != 0 ? Int(names.number16(at: ports)) &+ 1 : 0
            self.start = start
        }

        /// Number of patterns in the block.
        var count: Int { (hasAnyPort ? 1 : 0) + portCount }
        /// Offset behind the block.
        var end: Int { start + (hasAnyPort ? 4 : 0) + (portCount > 0 ? 2 + 6 * portCount : 0) }
        /// Offset of the first port.
        private var ports: Int { start &+ (hasAnyPort ? 6 : 2) }

        func port(_ index: Int, _ names: Span<UInt8>) -> UInt16 {
            names.number16(at: ports &+ 2 &* index)
        }

        func rule(forPort index: Int, _ names: Span<UInt8>) -> UInt32 {
            names.number32(at: ports &+ 2 &* portCount &+ 4 &* index)
        }

        func match(atPort index: Int, _ names: Span<UInt8>) -> PatternMatch {
            PatternMatch(
                pattern: UInt32(entry &+ first &+ (hasAnyPort ? 1 : 0) &+ index),
                rule: rule(forPort: index, names))
        }

        @inline(__always)
        func matchAnyPort(_ names: Span<UInt8>) -> PatternMatch? {
            guard hasAnyPort else { return nil }
            return PatternMatch(
                pattern: UInt32(truncatingIfNeeded: entry &+ first),
                rule: names.number32(at: start))
        }

        @inline(__always)
        func match(port wanted: UInt16, _ names: Span<UInt8>) -> PatternMatch? {
            guard portCount > 0 else { return nil }
            var low = 0
            var high = portCount
            while low < high {
                let middle = (low &+ high) / 2
                let found = port(middle, names)
                if found == wanted { return match(atPort: middle, names) }
                if found < wanted { low = middle &+ 1 } else { high = middle }
            }
            return nil
        }
    }
}
