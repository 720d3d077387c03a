// Writes the index over host names, and reads patterns back from it.

extension NameIndex {
    /// The patterns that are put into the index. Their names lie end to end, because a list of
    /// octets for each would take most of the time.
    struct Rows {
        /// A pattern.
        fileprivate struct Row: BitwiseCopyable {
            let fingerprint: UInt32
            /// Where its name begins in `octets`, and its length.
            let start: UInt32
            let count: UInt8
            let wildcard: Wildcard
            /// 0 for every port.
            let port: UInt16
            let rule: UInt32
        }

        fileprivate var rows: [Row] = []
        fileprivate var octets: [UInt8] = []

        mutating func add(_ name: String, _ wildcard: Wildcard, port: UInt16?, rule: UInt32) {
            let start = octets.count
            octets += name.utf8
            precondition(
                (1...253).contains(octets.count - start), "a host pattern without a name")
            precondition(octets.count < 1 << 32, "too many host patterns for one table")
            rows.append(
                Row(
                    fingerprint: NameIndex.fingerprint(of: octets.span.extracting(start...)),
                    start: UInt32(start), count: UInt8(octets.count - start), wildcard: wildcard,
                    port: port ?? 0, rule: rule))
        }

        fileprivate func name(_ row: Row) -> Range<Int> {
            Int(row.start)..<Int(row.start) + Int(row.count)
        }

        /// How the names of two rows are ordered: negative where the first stands before the
        /// second, 0 where they are equal.
        fileprivate func order(_ left: Row, _ right: Row) -> Int {
            BlobList.order(octets.span, name(left), octets.span, name(right))
        }

        fileprivate func precedes(_ left: Row, _ right: Row) -> Bool {
            if left.fingerprint != right.fingerprint { return left.fingerprint < right.fingerprint }
            let order = order(left, right)
            if order != 0 { return order < 0 }
            if left.wildcard != right.wildcard {
                return left.wildcard.rawValue < right.wildcard.rawValue
            }
            return left.port < right.port
        }

        /// Sorts the rows. Numbers are sorted first, a fingerprint and an index each: few
        /// fingerprints are equal.
        fileprivate mutating func sort() {
            precondition(rows.count < 1 << 32, "too many host patterns for one table")
            let keys = rows.indices.map { index in
                UInt64(rows[index].fingerprint) << 32 | UInt64(index)
            }
            var sorted = keys.sorted().map { rows[Int($0 & 0xFFFF_FFFF)] }
            var start = 0
            while start < sorted.count {
                var end = start + 1
                while end < sorted.count, sorted[end].fingerprint == sorted[start].fingerprint {
                    end += 1
                }
                if end - start > 1 { sorted[start..<end].sort { precedes($0, $1) } }
                start = end
            }
            rows = sorted
        }
    }

    /// Number of homes for a number of entries. Three quarters of the homes are taken. That costs
    /// 10.7 bytes for each entry, and two and a half slots for each search.
    static func homes(entries: Int) -> Int { entries == 0 ? 0 : entries + (entries + 2) / 3 }

    /// The two sections for a set of patterns. Each pattern must occur once.
    static func encoded(_ unsorted: Rows) -> (slots: [UInt8], names: [UInt8]) {
        var list = unsorted
        list.sort()
        let rows = list.rows
        var entries: [(fingerprint: UInt32, offset: UInt32)] = []
        entries.reserveCapacity(rows.count)
        var names: [UInt8] = []
        names.reserveCapacity(list.octets.count + 6 * rows.count)
        var masks: [UInt64] = [0, 0, 0]
        var start = 0
        while start < rows.count {
            var end = start + 1
            while end < rows.count, rows[end].fingerprint == rows[start].fingerprint,
                list.order(rows[end], rows[start]) == 0
            {
                end += 1
            }
            precondition(names.count < 1 << 30, "too many host patterns for one table")
            entries.append((rows[start].fingerprint, UInt32(names.count)))
            let name = list.octets[list.name(rows[start])]
            let labels = name.count { $0 == UInt8(ascii: ".") } + 1
            for row in rows[start..<end] {
                masks[row.wildcard.rawValue] |= bit(forLabels: labels)
            }
            appendEntry(rows[start..<end], name: name, to: &names)
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
        slots.replace32(at: 4, with: UInt32(filled))
        return (slots, names)
    }

    private static func appendEmptySlot(to slots: inout [UInt8]) {
        slots.append32(0)
        slots.append32(emptySlot)
    }

    /// Appends the entry of a name. Its rows are sorted, so the rows of one wildcard stand
    /// together.
    private static func appendEntry(
        _ rows: ArraySlice<Rows.Row>, name: ArraySlice<UInt8>, to names: inout [UInt8]
    ) {
        names.append(UInt8(name.count))
        names += name
        let shapeOffset = names.count
        names.append(0)
        var start = rows.startIndex
        while start < rows.endIndex {
            let wildcard = rows[start].wildcard
            var end = start + 1
            while end < rows.endIndex, rows[end].wildcard == wildcard {
                precondition(rows[end - 1].port < rows[end].port, "a host pattern in two rules")
                end += 1
            }
            if rows[start].port == 0 {
                names[shapeOffset] |= 1 << UInt8(wildcard.rawValue)
                names.append32(rows[start].rule)
                start += 1
            }
            if start < end {
                names[shapeOffset] |= 8 << UInt8(wildcard.rawValue)
                names.append16(UInt16(end - start - 1))
                for row in rows[start..<end] { names.append16(row.port) }
                for row in rows[start..<end] { names.append32(row.rule) }
            }
            start = end
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
