import TrustEngine

/// The order of hosts that change alike: by the domain above them, the smallest domain first. So a
/// host of its own stands before many neighbours, whatever its name.
enum HostGroups {
    /// The domain above the hosts of a class; empty for addresses and for the hosts that no
    /// pattern matches.
    static func domain(of hosts: HostClass) -> String {
        switch hosts.pattern?.host {
        case .name(let name):
            guard let dot = name.utf8.firstIndex(of: UInt8(ascii: ".")) else { return name }
            return String(name[name.utf8.index(after: dot)...])
        case .oneLabel(let base), .anyLabels(let base): return base
        case .address, .network, nil: return ""
        }
    }

    /// The indices of classes, the smallest domain first. Domains of one size, and the
    /// classes of one domain, keep their order. Cost: O(n log n).
    static func indices(_ classes: [HostClass]) -> [Int] {
        guard classes.count > 2 else { return Array(classes.indices) }
        var first: [String: Int] = [:]
        var sizes: [Int] = []
        let numbers = classes.map { hosts -> Int in
            let domain = HostGroups.domain(of: hosts)
            if let number = first[domain] {
                sizes[number] += 1
                return number
            }
            first[domain] = sizes.count
            sizes.append(1)
            return sizes.count - 1
        }
        return classes.indices.sorted {
            let (one, other) = (numbers[$0], numbers[$1])
            return (sizes[one], one, $0) < (sizes[other], other, $1)
        }
    }

    /// The hosts of a change, parted by the domain above them. Domains with one class stand
    /// together.
    static func parts(_ change: PolicyDiff.Change) -> [ArraySlice<PolicyDiff.HostText>] {
        var parts: [ArraySlice<PolicyDiff.HostText>] = []
        var start = change.hosts.startIndex
        var isAlone = true
        func domain(_ index: Int) -> String { HostGroups.domain(of: change.classes[index]) }
        guard change.hosts.count == change.classes.count else { return [change.hosts[...]] }
        for index in change.hosts.indices.dropFirst() {
            let isSame = domain(index) == domain(index - 1)
            let next = index + 1
            let nextIsSame = next < change.hosts.endIndex && domain(index) == domain(next)
            if isSame || (isAlone && !nextIsSame) {
                if isSame { isAlone = false }
                continue
            }
            parts.append(change.hosts[start..<index])
            start = index
            isAlone = !nextIsSame
        }
        return parts + [change.hosts[start...]]
    }
}
