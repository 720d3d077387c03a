// A host of a class, found by asking the tables themselves.

extension HostClasses {
    /// A host and a port of a class: in each table the rule decides that the class names, by the
    /// table's own lookup. Nil where there is none, which no class of `all()` answers.
    ///
    /// Cost: one lookup in each table for each label that is tried. A label that does not fit is a
    /// label that a pattern names, so all witnesses together try each pattern once or twice.
    package func witness(_ hosts: HostClass) -> (host: CanonicalHost, port: UInt16)? {
        for port in ports(of: hosts) {
            if let host = witness(hosts, port: port) { return (host, port) }
        }
        return nil
    }

    /// The ports to try, the most usual first.
    private func ports(of hosts: HostClass) -> [UInt16] {
        if let port = hosts.port { return [port] }
        var named: Set<UInt16> = []
        if let pattern = hosts.pattern { named = portsOfOthers(pattern).named }
        let usual: [UInt16] = [443, 8443].filter { !named.contains($0) }
        // On a port that no pattern names, only patterns without a port take hosts away.
        let free = (1...UInt16.max).first { !namedPorts.contains($0) }
        guard let free else { return usual + (1...UInt16.max).filter { !named.contains($0) } }
        return usual + [free]
    }

    private func witness(_ hosts: HostClass, port: UInt16) -> CanonicalHost? {
        guard let pattern = hosts.pattern else {
            return firstName(of: hosts, port: port) { HostClasses.unlisted($0) }
        }
        switch pattern.host {
        case .name(let name): return proven(.name(name), hosts, port: port)
        case .address, .network:
            return addresses.uncovered(pattern, port: port)
                .flatMap { proven(.address($0), hosts, port: port) }
        case .oneLabel(let base):
            return firstName(of: hosts, port: port) { HostClasses.label($0, before: base) }
        case .anyLabels(let base):
            // Another table's `*.base` decides every name with one label more.
            guard hasRule(.oneLabel(base: base), port: port) else {
                return firstName(of: hosts, port: port) { HostClasses.label($0, before: base) }
            }
            return firstName(twoLabelsBefore: base, of: hosts, port: port)
        }
    }

    /// Whether a table has a host part, for every port or for one.
    private func hasRule(_ host: HostPattern.Host, port: UInt16) -> Bool {
        tables.contains { table in
            table.rule(of: HostPattern(host: host, port: nil)) != nil
                || table.rule(of: HostPattern(host: host, port: port)) != nil
        }
    }

    /// The first name with two labels more than a base that belongs to a class. A label before the
    /// base fails for a wildcard of its own, and a name for its own pattern; `y` may be tried
    /// twice. So twice as many failures as there are patterns suffice.
    private func firstName(
        twoLabelsBefore base: String, of hosts: HostClass, port: UInt16
    ) -> CanonicalHost? {
        var failures = 0
        var number = 0
        while failures <= 2 * patternCount,
            let inner = HostClasses.label(number, before: base, room: 2)
        {
            number += 1
            guard !hasRule(.oneLabel(base: inner), port: port),
                !hasRule(.anyLabels(base: inner), port: port)
            else {
                failures += 1
                continue
            }
            var before = 0
            while failures <= 2 * patternCount,
                let name = before == 0
                    ? "y.\(inner)" : HostClasses.label(before - 1, before: inner)
            {
                if let host = proven(.name(name), hosts, port: port) { return host }
                before += 1
                failures += 1
            }
        }
        return nil
    }

    /// The first of numbered names that belongs to a class. Two different names fail for two
    /// different patterns, so one more than there are patterns suffices.
    private func firstName(
        of hosts: HostClass, port: UInt16, _ name: (Int) -> String?
    ) -> CanonicalHost? {
        for number in 0...patternCount + 4 {
            guard let name = name(number) else { return nil }
            if let host = proven(.name(name), hosts, port: port) { return host }
        }
        return nil
    }

    /// The host, if the tables' own lookup gives every decider of a class, and the class's pattern
    /// wherever a table has it.
    private func proven(
        _ host: CanonicalHost, _ hosts: HostClass, port: UInt16
    ) -> CanonicalHost? {
        for (table, decider) in zip(tables, hosts.deciders) {
            let match = table.lookUp(host, port: port)
            guard (match.map { Int($0.rule) } ?? HostClass.byDefault) == decider else {
                return nil
            }
            guard let match else { continue }
            guard let pattern = hosts.pattern else { return nil }
            let selected = table.pattern(at: Int(match.pattern))
            guard selected == pattern || pattern.isMoreSpecific(than: selected) else { return nil }
        }
        return host
    }

    // MARK: Names

    /// The characters that may be a label by themselves.
    private static let letters = Array("abcdefghijklmnopqrstuvwxyz0123456789_")

    /// A name with one label before a base, by number: `x`, `x1`, `x2`; every label without a
    /// hyphen where these would be too long. Nil where no label is left.
    ///
    /// - Parameter room: octets that must be left before the name.
    private static func label(_ number: Int, before base: String, room: Int = 0) -> String? {
        let most = min(63, longestName - 1 - base.utf8.count - room)
        guard most >= 1 else { return nil }
        let usual = number == 0 ? "x" : "x\(number)"
        if most >= 16 { return "\(usual).\(base)" }
        // Labels of one octet, then of two, and so on.
        var (rest, length, count) = (number, 1, letters.count)
        while rest >= count {
            rest -= count
            length += 1
            guard length <= most else { return nil }
            count *= letters.count
        }
        var label = ""
        for _ in 0..<length {
            label.append(letters[rest % letters.count])
            rest /= letters.count
        }
        return "\(label).\(base)"
    }

    /// A name that a policy hardly has a pattern for.
    private static func unlisted(_ number: Int) -> String {
        switch number {
        case 0: return "unlisted.example"
        case 1: return "unlisted.test"
        case 2: return "unlisted.invalid"
        default: return "x.unlisted-\(number)"
        }
    }
}
