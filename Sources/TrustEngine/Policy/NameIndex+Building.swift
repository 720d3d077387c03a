// Writes the index over host names, and reads patterns back from it.

extension NameIndex {
    /// A pattern that is put into the index.
    struct Row {
        let fingerprint: UInt32
        let name: [UInt8]
        let wildcard: Wildcard
        /// 0 for every port.
        let port: UInt16
        let rule: UInt32

        init(name: String, _ wildcard: Wildcard, port: UInt16?, rule: UInt32) {
            let octets = Array(name.utf8)
            self.name = octets
            self.fingerprint = NameIndex.fingerprint(of: octets.span)
            self.wildcard = wildcard
            self.port = port ?? 0
            self.rule = rule
        }

        static func precedes(_ left: Row, _ right: Row) -> Bool {
            if left.fingerprint != right.fingerprint { return left.fingerprint < right.fingerprint }
            if left.name != right.name { return left.name.lexicographicallyPrecedes(right.name) }
            if left.wildcard != right.wildcard {
                return left.wildcard.rawValue < right.wildcard.rawValue
            }
            return left.port < right.port
        }
    }

    /// Number of homes for a number of entries. Three quarters of the homes are taken. That costs
    /// 10.7 bytes for each entry, and two and a half slots for each search.
    static func homes(entries: Int) -> Int { entries == 0 ? 0 : entries + (entries + 2) / 3 }

    /// The two sections for a set of patterns. Each pattern must occur once.
    static func encoded(_ unsorted: [Row]) -> (slots: [UInt8], names: [UInt8]) {
        let rows = sorted(unsorted)
        var entries: [(fingerprint: UInt32, offset: UInt32)] = []
        var names: [UInt8] = []
        var masks: [UInt64] = [0, 0, 0]
        var start = 0
        while start < rows.count {
            var end = start + 1
            while end < rows.count, rows[end].fingerprint == rows[start].fingerprint,
                rows[end].name == rows[start].name
            {
                end += 1
            }
            precondition(names.count < 1 << 30, "too many host patterns for one table")
            entries.append((rows[start].fingerprint, UInt32(names.count)))
            let labels = rows[start].name.count { $0 == UInt8(ascii: ".") } + 1
            for row in rows[start..<end] {
                masks[row.wildcard.rawValue] |= bit(forLabels: labels)
            }
            appendEntry(rows[start..<end], to: &names)
            start = end
        }
        let homes = homes(entries: entries.count)
        var slots: [UInt8] = []
        slots.append32(homes)
        slots.append32(0)
        slots.append32(entries.count)
        slots.append32(rows.count)
        for mask in masks { slots.append64(mask) }
        var filled = 0
        for entry in entries {
            let home = home(of: entry.fingerprint, homes: UInt32(homes))
            while filled < home {
                appendEmptySlot(to: &slots)
                filled += 1
            }
            slots.append32(entry.fingerprint)
            slots.append32(entry.offset)
            filled += 1
        }
        // Every home exists, and behind the last entry a search finds an empty slot.
        repeat {
            appendEmptySlot(to: &slots)
            filled += 1
        } while filled < homes
        var slotCount: [UInt8] = []
        slotCount.append32(filled)
        slots.replace(at: 4, with: slotCount)
        return (slots, names)
    }

    /// Sorts rows. Numbers are sorted first, a fingerprint and an index each: rows have names,
    /// which are slow to move, and few fingerprints are equal.
    private static func sorted(_ unsorted: [Row]) -> [Row] {
        precondition(unsorted.count < 1 << 32, "too many host patterns for one table")
        let keys = unsorted.indices.map { index in
            UInt64(unsorted[index].fingerprint) << 32 | UInt64(index)
        }
        var rows = keys.sorted().map { unsorted[Int($0 & 0xFFFF_FFFF)] }
        var start = 0
        while start < rows.count {
            var end = start + 1
            while end < rows.count, rows[end].fingerprint == rows[start].fingerprint { end += 1 }
            if end - start > 1 { rows[start..<end].sort(by: Row.precedes) }
            start = end
        }
        return rows
    }

    private static func appendEmptySlot(to slots: inout [UInt8]) {
        slots.append32(0)
        slots.append32(emptySlot)
    }

    private static func appendEntry(_ rows: ArraySlice<Row>, to names: inout [UInt8]) {
        let name = rows[rows.startIndex].name
        precondition((1...253).contains(name.count), "a host pattern without a name")
        names.append(UInt8(name.count))
        names += name
        let shapeOffset = names.count
        names.append(0)
        for wildcard in Wildcard.allCases {
            let block = rows.filter { $0.wildcard == wildcard }
            let ports = block.filter { $0.port != 0 }
            let distinct = zip(block, block.dropFirst()).allSatisfy { $0.port < $1.port }
            precondition(distinct, "a host pattern in two rules")
            if ports.count < block.count {
                names[shapeOffset] |= 1 << UInt8(wildcard.rawValue)
                names.append32(block[0].rule)
            }
            if !ports.isEmpty {
                names[shapeOffset] |= 8 << UInt8(wildcard.rawValue)
                names.append16(UInt16(ports.count - 1))
                for port in ports { names.append16(port.port) }
                for port in ports { names.append32(port.rule) }
            }
        }
    }

    /// The pattern that an offset among the entries stands for. Time is logarithmic in the entries.
    static func pattern(
        at offset: Int, slots: Span<UInt8>, names: Span<UInt8>
    ) -> HostPattern {
        // The entry is the last entry that begins at or before the offset. A probe that hits an
        // empty slot goes on to the next full slot, and behind all slots there is an end.
        var low = 0
        var high = Int(slots.number32(at: 4))
        var entry = 0
        while low < high {
            let middle = (low + high) / 2
            var full = middle
            while full < high, slots.number32(at: headerSize + 8 * full + 4) == emptySlot {
                full += 1
            }
            let found = full < high ? Int(slots.number32(at: headerSize + 8 * full + 4)) : Int.max
            if found <= offset {
                entry = found
                low = full + 1
            } else {
                high = middle
            }
        }
        var position = offset - entry
        let base = name(ofEntry: entry, names)
        for wildcard in Wildcard.allCases {
            let block = Block(entry, wildcard, names)
            if position < block.count {
                let port =
                    block.hasAnyPort && position == 0
                    ? nil : block.port(position - (block.hasAnyPort ? 1 : 0), names)
                return pattern(base, wildcard, port: port)
            }
            position -= block.count
        }
        preconditionFailure("no pattern has this index")
    }

    /// Calls `body` for every pattern and its rule, in the order of the entries.
    static func forEach(
        names: Span<UInt8>, _ body: (HostPattern, UInt32) -> Void
    ) {
        var entry = 0
        while entry < names.count {
            let base = name(ofEntry: entry, names)
            var end = entry + 2 + base.utf8.count
            for wildcard in Wildcard.allCases {
                let block = Block(entry, wildcard, names)
                if let match = block.matchAnyPort(names) {
                    body(pattern(base, wildcard, port: nil), match.rule)
                }
                for index in 0..<block.portCount {
                    body(
                        pattern(base, wildcard, port: block.port(index, names)),
                        block.rule(forPort: index, names))
                }
                end = block.end
            }
            entry = end
        }
    }

    private static func name(ofEntry entry: Int, _ names: Span<UInt8>) -> String {
        var octets: [UInt8] = []
        octets.reserveCapacity(Int(names[entry]))
        for index in 0..<Int(names[entry]) { octets.append(names[entry + 1 + index]) }
        return String(decoding: octets, as: UTF8.self)
    }

    private static func pattern(_ base: String, _ wildcard: Wildcard, port: UInt16?) -> HostPattern
    {
        switch wildcard {
        case .none: return HostPattern(host: .name(base), port: port)
        case .oneLabel: return HostPattern(host: .oneLabel(base: base), port: port)
        case .anyLabels: return HostPattern(host: .anyLabels(base: base), port: port)
        }
    }
}
