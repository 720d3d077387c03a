package import TrustEngine

/// The patterns that come near to a host that no pattern matches, so that a slip in the question or
/// in the policy is seen: the same host on another port, the name behind a wildcard, a name with
/// one other character. Where none of these is there and `default` is `deny`, the nearest pattern.
package struct NearPatterns: Hashable, Sendable {
    /// How a pattern comes near to the host.
    package enum Nearness: Hashable, Sendable {
        /// Why it does not cover the host.
        case difference(PatternDifference)
        /// The pattern covers this host, which differs from the host in one character: one more,
        /// one less, another, or two neighbours swapped.
        case oneCharacter(host: String)
    }

    /// A pattern that comes near.
    package struct Pattern: Hashable, Sendable {
        package let text: String
        /// Id of the rule that the pattern belongs to.
        package let rule: String
        package let nearness: Nearness
        package let location: Provenance.Location?
    }

    /// The patterns, at most three, the nearest first.
    package let patterns: [Pattern]
    /// How many more come as near.
    package let more: Int
    /// The port that was asked for.
    package let port: UInt16

    /// The most patterns that are named.
    private static let most = 3

    /// The most patterns of a table that is searched, which takes a tenth of a second. In a larger
    /// table nothing is near.
    private static let largestTable = 100_000

    /// The fewest labels from the right that the nearest pattern shares with a name, or bits from
    /// the left with an address. Less is shared with strangers.
    private static func fewestShared(with host: CanonicalHost) -> Int {
        switch host {
        case .name: return 2
        case .address(let address): return address.isIPv4 ? 16 : 32
        }
    }

    /// Searches a table. Nothing is near where a pattern matches. Time is linear in the table, up
    /// to a bound.
    package init(table: PolicyTable, host: CanonicalHost, port: UInt16) {
        self.port = port
        guard table.patternCount <= NearPatterns.largestTable,
            table.lookUp(host, port: port) == nil
        else {
            (patterns, more) = ([], 0)
            return
        }
        let fewest = NearPatterns.fewestShared(with: host)
        var close: [(miss: PatternMiss, nearness: Nearness, rule: UInt32)] = []
        var nearest: (miss: PatternMiss, nearness: Nearness, rule: UInt32)?
        table.forEachPattern { pattern, rule in
            guard let miss = PatternMiss(pattern, host, port: port) else { return }
            if let other = OneCharacter.host(of: pattern, near: host) {
                close.append((miss, .oneCharacter(host: other), rule))
                return
            }
            switch miss.difference {
            case .port, .apex: close.append((miss, .difference(miss.difference), rule))
            case .label, .severalLabels, .below, .above, .otherAddress, .outside, .otherFamily,
                .otherKind:
                guard miss.shared >= fewest, nearest.map({ miss.isNearer(than: $0.miss) }) ?? true
                else { return }
                nearest = (miss, .difference(miss.difference), rule)
            }
        }
        if close.isEmpty, table.deniesByDefault, let nearest { close = [nearest] }
        guard !close.isEmpty else {
            (patterns, more) = ([], 0)
            return
        }
        more = max(0, close.count - NearPatterns.most)
        let places = PlaceFinder(provenance: table.provenance(), profile: "baseline")
        patterns = close.sorted { $0.miss.isNearer(than: $1.miss) }.prefix(NearPatterns.most)
            .map { miss, nearness, rule in
                let text = miss.pattern.canonicalText
                let id = table.text(table.rule(at: Int(rule)).id)
                return Pattern(
                    text: text, rule: id, nearness: nearness,
                    location: places.pattern(text, rule: id))
            }
    }
}

/// Finds hosts that differ from a host in one character.
private enum OneCharacter {
    /// The host that a pattern covers, with its port if the pattern has one, if it differs from
    /// `host` in one character of what the pattern writes; nil otherwise, and for addresses: of
    /// these each is as likely as its neighbour.
    static func host(of pattern: HostPattern, near host: CanonicalHost) -> String? {
        guard case .name(let asked) = host else { return nil }
        let found: String
        switch pattern.host {
        case .name(let name):
            guard differ(Array(name.utf8), Array(asked.utf8)) else { return nil }
            found = name
        case .oneLabel(let base):
            guard let before = labels(before: base, in: asked), !before.contains(".") else {
                return nil
            }
            found = "\(before).\(base)"
        case .anyLabels(let base):
            guard let before = labels(before: base, in: asked) else { return nil }
            found = "\(before).\(base)"
        case .address, .network: return nil
        }
        return pattern.port.map { "\(found):\($0)" } ?? found
    }

    /// The labels of a name before its last labels, if these differ from `base` in one character.
    private static func labels(before base: String, in name: String) -> String? {
        let labels = name.split(separator: ".")
        let count = base.split(separator: ".").count
        guard labels.count > count,
            differ(
                Array(base.utf8), Array(labels.suffix(count).joined(separator: ".").utf8))
        else { return nil }
        return labels.dropLast(count).joined(separator: ".")
    }

    private static func isDigit(_ octet: UInt8) -> Bool { (0x30...0x39).contains(octet) }

    /// Whether two texts differ in one character: one more, one less, another, or two neighbours
    /// swapped. A digit in place of a digit does not count as a slip.
    private static func differ(_ left: [UInt8], _ right: [UInt8]) -> Bool {
        guard abs(left.count - right.count) <= 1 else { return false }
        let same = zip(left, right).prefix { $0 == $1 }.count
        let (left, right) = (left[same...], right[same...])
        if left.count != right.count {
            return left.count > right.count
                ? left.dropFirst().elementsEqual(right) : right.dropFirst().elementsEqual(left)
        }
        guard let first = left.first, let other = right.first else { return false }
        if left.dropFirst().elementsEqual(right.dropFirst()) {
            // `web1` and `web2` are two hosts; nobody meant the other.
            return !(isDigit(first) && isDigit(other))
        }
        return left.count > 1 && left.dropFirst().first == other && right.dropFirst().first == first
            && left.dropFirst(2).elementsEqual(right.dropFirst(2))
    }
}
