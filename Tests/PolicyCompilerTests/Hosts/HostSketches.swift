import TestPKI

/// Seeded policies of host patterns, hosts near them, and both as text.
struct HostSketches {
    private var random: SplitMix

    init(seed: UInt64) {
        random = SplitMix(state: seed)
    }

    private mutating func below(_ limit: Int) -> Int { Int.random(in: 0..<limit, using: &random) }
    private mutating func oneIn(_ count: Int) -> Bool { below(count) == 0 }
    private mutating func pick<Value>(_ list: [Value]) -> Value { list[below(list.count)] }

    // MARK: Parts

    /// Few labels, so that patterns and hosts meet; one that only looks like two, and one that
    /// begins as another does.
    private mutating func labels(_ count: ClosedRange<Int>) -> [String] {
        (0..<Int.random(in: count, using: &random)).map { _ in pick(["a", "a", "b", "ab", "c-1_"]) }
    }

    /// Addresses that share long prefixes and differ at their ends and in few bits between.
    private mutating func octets() -> [UInt8] {
        if oneIn(2) { return [10, pick([0, 0, 128]), pick([0, 1]), UInt8(below(4))] }
        let end = UInt8(below(4))
        return [0x20, 0x01, 0x0D, 0xB8, 0, pick([0, 0, 1])] + [UInt8](repeating: 0, count: 9) + [
            end
        ]
    }

    private mutating func port() -> Int { pick([1, 443, 443, 8443, 65_535]) }

    mutating func pattern() -> PlainPattern {
        let host: PlainPattern.Host
        switch below(8) {
        case 0, 1: host = .exact(labels(1...4))
        case 2, 3: host = .oneLabel(labels(1...3))
        case 4, 5: host = .anyLabels(labels(1...3))
        case 6: host = .address(octets())
        default:
            let octets = octets()
            let bits = pick(
                octets.count == 4
                    ? [0, 1, 8, 9, 16, 23, 24, 30, 31] : [0, 32, 47, 48, 64, 126, 127])
            host = .network(HostSketches.masked(octets, bits: bits), bits: bits)
        }
        return PlainPattern(host: host, port: oneIn(2) ? port() : nil)
    }

    mutating func policy() -> PlainPolicy {
        var patterns: [PlainPattern] = []
        var seen: Set<PlainPattern> = []
        for _ in 0..<Int.random(in: 1...24, using: &random) {
            let drawn = pattern()
            if seen.insert(drawn).inserted { patterns.append(drawn) }
            // The same host with another port, or with none: only the port is left to decide.
            let sibling = PlainPattern(host: drawn.host, port: drawn.port == nil ? port() : nil)
            if oneIn(4), seen.insert(sibling).inserted { patterns.append(sibling) }
        }
        let ruleCount = Int.random(in: 1...patterns.count, using: &random)
        let rules = patterns.indices.map { $0 < ruleCount ? $0 : below(ruleCount) }
        return PlainPolicy(patterns: patterns, rules: rules, hasDefaultRule: oneIn(2))
    }

    /// A host that a pattern of the policy is about, or that just misses it; sometimes any host.
    mutating func request(near policy: PlainPolicy) -> (host: PlainHost, port: Int) {
        let pattern = pick(policy.patterns)
        let port = oneIn(3) ? port() : pattern.port ?? port()
        if oneIn(8) { return (oneIn(3) ? .address(octets()) : .name(labels(1...5)), port) }
        let host: PlainHost
        switch pattern.host {
        case .exact(let labels): host = .name(labels)
        case .oneLabel(let base): host = .name(labels(1...1) + base)
        case .anyLabels(let base): host = .name(labels(1...3) + base)
        case .address(let octets): host = .address(octets)
        case .network(let octets, let bits):
            var filled = octets
            for index in bits..<octets.count * 8 where oneIn(2) {
                filled[index / 8] |= 1 << UInt8(7 - index % 8)
            }
            host = .address(filled)
        }
        return (oneIn(4) ? nudged(host) : host, port)
    }

    /// The same host but for one label or one bit.
    private mutating func nudged(_ host: PlainHost) -> PlainHost {
        switch host {
        case .name(var labels):
            if oneIn(3) {
                labels.insert("a", at: below(labels.count + 1))
            } else if labels.count > 1, oneIn(2) {
                labels.remove(at: below(labels.count))
            } else {
                labels[below(labels.count)] = pick(["a", "b", "ab"])
            }
            return .name(labels)
        case .address(var octets):
            let bit = below(octets.count * 8)
            octets[bit / 8] ^= 1 << UInt8(7 - bit % 8)
            return .address(octets)
        }
    }

    private static func masked(_ octets: [UInt8], bits: Int) -> [UInt8] {
        octets.enumerated().map { index, octet in
            let kept = min(max(bits - index * 8, 0), 8)
            return kept == 0 ? 0 : octet & (0xFF << UInt8(8 - kept))
        }
    }

    // MARK: Text

    /// A host as a program might write it: any letter case, a dot at its end, IPv6 in any spelling.
    mutating func text(_ host: PlainHost) -> String {
        switch host {
        case .name(let labels): return spelled(labels)
        case .address(let octets):
            // An IPv4-mapped address is judged as the IPv4 address (section 11.2).
            if octets.count == 4, oneIn(4) { return "::ffff:" + HostSketches.dotted(octets) }
            return spelled(octets)
        }
    }

    /// A pattern as it may stand in a policy.
    mutating func text(_ pattern: PlainPattern) -> String {
        let port = pattern.port.map { ":\($0)" } ?? ""
        switch pattern.host {
        case .exact(let labels): return spelled(labels) + port
        case .oneLabel(let base): return "*." + spelled(base) + port
        case .anyLabels(let base): return "**." + spelled(base) + port
        case .address(let octets):
            // A prefix of the whole address is the address (section 11.4).
            let prefix = oneIn(3) ? "/\(octets.count * 8)" : ""
            return bracketed(spelled(octets) + prefix, octets, port)
        case .network(let octets, let bits):
            return bracketed(spelled(octets) + "/\(bits)", octets, port)
        }
    }

    private func bracketed(_ text: String, _ octets: [UInt8], _ port: String) -> String {
        octets.count == 4 || port.isEmpty ? text + port : "[\(text)]\(port)"
    }

    private mutating func spelled(_ labels: [String]) -> String {
        let text = labels.joined(separator: ".") + (oneIn(6) ? "." : "")
        return oneIn(3) ? text.uppercased() : text
    }

    private mutating func spelled(_ octets: [UInt8]) -> String {
        guard octets.count == 16 else { return HostSketches.dotted(octets) }
        let groups = stride(from: 0, to: 16, by: 2).map {
            Int(octets[$0]) << 8 | Int(octets[$0 + 1])
        }
        let words = groups.map { String($0, radix: 16) }
        // `::` for the longest run of zeros; sometimes every group is written out.
        guard !oneIn(3), let run = HostSketches.longestZeroRun(groups) else {
            return words.joined(separator: ":")
        }
        return words[..<run.lowerBound].joined(separator: ":") + "::"
            + words[run.upperBound...].joined(separator: ":")
    }

    private static func dotted(_ octets: [UInt8]) -> String {
        octets.map { String($0) }.joined(separator: ".")
    }

    private static func longestZeroRun(_ groups: [Int]) -> Range<Int>? {
        var longest: Range<Int>?
        for start in groups.indices {
            let end = groups[start...].firstIndex { $0 != 0 } ?? groups.endIndex
            if end - start > max(longest?.count ?? 0, 1) { longest = start..<end }
        }
        return longest
    }
}
