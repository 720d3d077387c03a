/// Names under which strangers register names: `com`, `co.uk`. The ICANN section of the Public Suffix
/// List, as the CA/Browser Forum reads it (Baseline Requirements section 3.2.2.6); what companies add
/// for their customers, its private section, does not count, since wildcards over such names are theirs.
///
/// The rules are one sorted text that is searched by halves, so that nothing but its octets is made
/// when it is first asked.
package enum PublicSuffixes {
    /// Whether a name is a public suffix: one of the list's rules, or a single label, which the list
    /// has to be one unless a rule says otherwise. The name is valid; either case of letters will do.
    package static func contains(_ name: Span<UInt8>) -> Bool {
        guard let dot = firstDot(name) else { return true }
        if hasRule("!", name) { return false }
        return hasRule("", name) || hasRule("*.", name.extracting(dot + 1..<name.count))
    }

    /// Whether a wildcard over a name stands for public suffixes, or for everything under one. Cost:
    /// four searches of some thirteen steps, about a microsecond.
    package static func isSpanned(byWildcardOver base: Span<UInt8>) -> Bool {
        contains(base) || hasRule("*.", base)
    }

    private static func firstDot(_ name: Span<UInt8>) -> Int? {
        for index in name.indices where name[index] == UInt8(ascii: ".") { return index }
        return nil
    }

    /// The rules, each between two spaces. INVARIANT (sorted): by octets.
    private static let rules = Array(text.utf8)

    /// Whether the list has a rule: a mark (`!` before an exception, `*.` before a wildcard) and a name.
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

    /// Below, at or above zero, as a rule stands before, at or after what is looked for.
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
