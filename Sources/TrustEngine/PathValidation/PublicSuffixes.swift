/// Names under which the public registers names: `com`, `co.uk`. The list is the ICANN section of
/// the Public Suffix List, as the CA/Browser Forum reads it (Baseline Requirements section
/// 3.2.2.6). The private section, in which companies list names for their customers, does not
/// count: wildcards over such names are the companies' own.
///
/// The rules are one sorted text and are found by binary search. The first use makes only the array
/// of its octets.
package enum PublicSuffixes {
    /// Whether a name is a public suffix: one of the list's rules, or a single label. The list says
    /// that a single label is a suffix unless a rule says otherwise. The name must be valid; upper
    /// and lower case are allowed.
    package static func contains(_ name: Span<UInt8>) -> Bool {
        guard let dot = firstDot(name) else { return true }
        if hasRule("!", name) { return false }
        return hasRule("", name) || hasRule("*.", name.extracting(dot + 1..<name.count))
    }

    /// Whether a wildcard over a name covers a public suffix, or every name under one. Cost: four
    /// searches of about thirteen steps, about a microsecond.
    package static func isSpanned(byWildcardOver base: Span<UInt8>) -> Bool {
        contains(base) || hasRule("*.", base)
    }

    private static func firstDot(_ name: Span<UInt8>) -> Int? {
        for index in name.indices where name[index] == UInt8(ascii: ".") { return index }
        return nil
    }

    /// The rules, each between two spaces. INVARIANT (sorted by octets).
    private static let rules = Array(text.utf8)

    /// Whether the list has a rule: a mark (`!` before an exception, `*.` before a wildcard) and a
    /// name.
    private static func hasRule(_ mark: StaticString, _ name: Span<UInt8>) -> Bool {
        let prefix = Array(mark.description.utf8)
        let rules = rules.span
        var low = 0
        var high = rules.count
        while low < high {
            var start = low + (high - low) / 2
            while start > low, rules[start - 1] != UInt8(ascii: " ") { start -= 1 }
            switch order(ofRuleAt: start, in: rules, against: prefix, name) {
            case 0: return true
            case ..<0:
                while start < high, rules[start] != UInt8(ascii: " ") { start += 1 }
                low = start + 1
            default: high = start
            }
        }
        return false
    }

    /// Compares a rule with a mark and a name: below zero, zero or above zero where the rule stands
    /// before, at or after them.
    private static func order(
        ofRuleAt start: Int, in rules: Span<UInt8>, against prefix: [UInt8], _ name: Span<UInt8>
    ) -> Int {
        let wantedCount = prefix.count + name.count
        for offset in 0..<wantedCount {
            let index = start + offset
            let wanted =
                offset < prefix.count
                ? prefix[offset] : DNSName.folded(name[offset - prefix.count])
            guard index < rules.count, rules[index] != UInt8(ascii: " ") else { return -1 }
            if rules[index] != wanted { return Int(rules[index]) - Int(wanted) }
        }
        let end = start + wantedCount
        return end == rules.count || rules[end] == UInt8(ascii: " ") ? 0 : 1
    }
}
