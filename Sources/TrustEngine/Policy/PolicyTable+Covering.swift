// Finds the rules that decide the hosts of a pattern, where no more specific pattern decides.

extension PolicyTable {
    /// The rule of exactly this pattern; nil where the table does not have the pattern. One probe,
    /// no allocation.
    package func rule(of pattern: HostPattern) -> UInt32? {
        let addresses = bytes.span.extracting(layout[.addresses].range)
        switch pattern.host {
        case .name(let name): return rule(of: name, .none, port: pattern.port)
        case .oneLabel(let base): return rule(of: base, .oneLabel, port: pattern.port)
        case .anyLabels(let base): return rule(of: base, .anyLabels, port: pattern.port)
        case .address(let address):
            return AddressIndex.rule(
                of: address, prefix: address.bitCount, port: pattern.port ?? 0, addresses)
        case .network(let address, let prefix):
            return AddressIndex.rule(
                of: address, prefix: prefix, port: pattern.port ?? 0, addresses)
        }
    }

    private func rule(
        of name: String, _ wildcard: NameIndex.Wildcard, port: UInt16?
    ) -> UInt32? {
        NameIndex.rule(
            of: name.utf8.span, wildcard, port: port,
            slots: bytes.span.extracting(layout[.nameSlots].range),
            names: bytes.span.extracting(layout[.names].range))
    }

    /// The patterns that match every host of a pattern at a port and are not more specific than it,
    /// the most specific first. With `port` nil, at a port that no pattern names. The first of them
    /// decides the hosts that no more specific pattern decides.
    package func covering(_ pattern: HostPattern, port: UInt16?) -> [PatternMatch] {
        let table = bytes.span
        // No pattern names port 0.
        let port = port ?? 0
        switch pattern.host {
        case .name(let name): return covering(name, labelsBefore: 0, port: port)
        case .oneLabel(let base): return covering(base, labelsBefore: 1, port: port)
        case .anyLabels(let base): return covering(base, labelsBefore: 2, port: port)
        case .address(let address):
            return AddressIndex.candidates(
                address, port: port, table.extracting(layout[.addresses].range))
        case .network(let address, let prefix):
            return AddressIndex.candidates(
                address, port: port, longestPrefix: prefix,
                table.extracting(layout[.addresses].range))
        }
    }

    /// The ports of patterns that match a host of this pattern at their port and are, apart from
    /// the port, not more specific than it. Nil where there are more than `most`.
    func ports(covering pattern: HostPattern, most: Int) -> Set<UInt16>? {
        let table = bytes.span
        var ports: Set<UInt16> = []
        func addPorts(_ name: String, labelsBefore: Int) {
            NameIndex.forEachBlock(
                covering: name.utf8.span, labelsBefore: labelsBefore,
                slots: table.extracting(layout[.nameSlots].range),
                names: table.extracting(layout[.names].range)
            ) { block, names in
                for index in 0..<block.portCount where ports.count <= most {
                    ports.insert(block.port(index, names))
                }
            }
        }
        switch pattern.host {
        case .name(let name): addPorts(name, labelsBefore: 0)
        case .oneLabel(let base): addPorts(base, labelsBefore: 1)
        case .anyLabels(let base): addPorts(base, labelsBefore: 2)
        case .address(let address):
            ports = AddressIndex.ports(
                covering: address, longestPrefix: address.bitCount, most: most,
                table.extracting(layout[.addresses].range))
        case .network(let address, let prefix):
            ports = AddressIndex.ports(
                covering: address, longestPrefix: prefix, most: most,
                table.extracting(layout[.addresses].range))
        }
        return ports.count <= most ? ports : nil
    }

    /// Whether the rule that decides for a host may be another at another port: a pattern with a
    /// port matches the host, and a more specific pattern that matches the host at every port does
    /// not exist.
    package func dependsOnPort(_ host: CanonicalHost) -> Bool {
        let table = bytes.span
        switch host {
        case .name(let name):
            // The most specific block that has a pattern says it.
            var depends: Bool?
            NameIndex.forEachBlock(
                covering: name.utf8.span, labelsBefore: 0,
                slots: table.extracting(layout[.nameSlots].range),
                names: table.extracting(layout[.names].range)
            ) { block, _ in
                if depends == nil, block.count > 0 { depends = block.portCount > 0 }
            }
            return depends ?? false
        case .address(let address):
            return AddressIndex.dependsOnPort(
                address, table.extracting(layout[.addresses].range))
        }
    }

    private func covering(
        _ name: String, labelsBefore: Int, port: UInt16
    ) -> [PatternMatch] {
        var found: [PatternMatch] = []
        NameIndex.forEachBlock(
            covering: name.utf8.span, labelsBefore: labelsBefore,
            slots: bytes.span.extracting(layout[.nameSlots].range),
            names: bytes.span.extracting(layout[.names].range)
        ) { block, names in
            if let match = block.match(port: port, names) { found.append(match) }
            if let match = block.matchAnyPort(names) { found.append(match) }
        }
        return found
    }
}

extension NameIndex {
    /// The rule of exactly this pattern; nil where the index does not have it.
    static func rule(
        of name: Span<UInt8>, _ wildcard: Wildcard, port: UInt16?, slots: Span<UInt8>,
        names: Span<UInt8>
    ) -> UInt32? {
        let homes = slots.number32(at: 0)
        guard homes > 0,
            let entry = find(
                fingerprint(of: name), name, from: 0, homes: homes, slots: slots, names: names)
        else { return nil }
        let block = Block(entry, wildcard, names)
        return (port.map { block.match(port: $0, names) } ?? block.matchAnyPort(names))?.rule
    }

    /// Calls `body` for the patterns of each entry that cover names with `labelsBefore` labels
    /// before a name: 0 for the name itself, 1, or 2 for any greater number. The most specific come
    /// first.
    static func forEachBlock(
        covering name: Span<UInt8>, labelsBefore: Int, slots: Span<UInt8>, names: Span<UInt8>,
        _ body: (Block, Span<UInt8>) -> Void
    ) {
        let homes = slots.number32(at: 0)
        guard homes > 0 else { return }
        var suffix = 0
        var labelsBefore = labelsBefore
        while suffix < name.count {
            let fingerprint = fingerprint(of: name.extracting(suffix..<name.count))
            if let entry = find(
                fingerprint, name, from: suffix, homes: homes, slots: slots, names: names)
            {
                let kinds: [Wildcard]
                switch labelsBefore {
                case 0: kinds = [.none]
                case 1: kinds = [.oneLabel, .anyLabels]
                default: kinds = [.anyLabels]
                }
                for kind in kinds { body(Block(entry, kind, names), names) }
            }
            while suffix < name.count, name[suffix] != UInt8(ascii: ".") { suffix += 1 }
            suffix += 1
            labelsBefore += 1
        }
    }
}
