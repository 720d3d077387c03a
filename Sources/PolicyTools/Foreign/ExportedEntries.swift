package import Rendering
import TrustEngine

/// The entries of a format that names hosts one by one, each for a name and, if it says so, for
/// names below it: Android's `domain`, Apple's domains.
package struct ExportedEntries<Value: Hashable & Sendable>: Sendable {
    /// An entry.
    package struct Entry: Hashable, Sendable {
        /// A canonical name or an address.
        package let name: String
        package let includesSubdomains: Bool
        package let value: Value
    }

    /// How far an entry reaches that includes names below it.
    package enum Reach: Sendable {
        /// Every name below, and the longest entry decides.
        case everyLabel
        /// Names with one label more, and an entry of their own goes first.
        case oneLabel
    }

    /// The value of every host without an entry.
    package let other: Value
    /// In the order of `ExportedPolicy.names`, then addresses.
    package let entries: [Entry]

    /// Finds the entries that give each host the value of what decides it.
    ///
    /// An entry gives its name and the names below it one value. Where the policy has a pattern for
    /// each of them and they differ, the stricter one is taken; where it has one for either, that
    /// pattern is.
    package init(
        _ policy: ExportedPolicy, reach: Reach, other: Value,
        value: (DatedRules.Decision) -> Value
    ) {
        var entries: [Entry] = []
        // The values of the entries that include names below them.
        var below: [String: Value] = [:]
        func inherited(_ name: String) -> Value {
            var rest = Substring(name)
            while let dot = rest.firstIndex(of: ".") {
                rest = rest[rest.index(after: dot)...]
                if let value = below[String(rest)] { return value }
                if case .oneLabel = reach { break }
            }
            return other
        }
        for name in policy.names {
            let own = policy.decision(of: name)
            let under = Self.under(name, policy, reach)
            let above: Value
            switch reach {
            case .everyLabel: above = inherited(name)
            case .oneLabel: above = other
            }
            let values = (own: value(own), under: value(under))
            let includes =
                values.under != above && (policy.hasWildcard(name) || values.own == values.under)
            guard includes else {
                if values.own != inherited(name) {
                    entries.append(
                        Entry(name: name, includesSubdomains: false, value: values.own))
                }
                continue
            }
            var chosen = values.under
            if values.own != values.under, ExportedPolicy.isName(own.pattern?.host) {
                chosen = value(policy.stricter(under, own))
            }
            below[name] = chosen
            entries.append(Entry(name: name, includesSubdomains: true, value: chosen))
        }
        for address in policy.addresses {
            let own = value(policy.decision(of: address))
            guard own != other else { continue }
            entries.append(Entry(name: address, includesSubdomains: false, value: own))
        }
        self.other = other
        self.entries = entries
    }

    /// What decides the names below a name, as far as an entry reaches.
    private static func under(
        _ name: String, _ policy: ExportedPolicy, _ reach: Reach
    ) -> DatedRules.Decision {
        let one = policy.decision(below: name, .oneLabel)
        guard case .everyLabel = reach else { return one }
        let any = policy.decision(below: name, .anyLabels)
        guard one != any, ExportedPolicy.base(of: any.pattern?.host) == name else { return one }
        return policy.stricter(one, any)
    }
}
