import TestPKI
import TrustEngine

/// Patterns and hosts, the same in every run: of a hundred patterns 60 are exact, 30 `*.` and 10
/// `**.`, and of ten hosts seven match one. No two patterns have the same name, because the bare
/// table knows one pattern for each.
struct HostSample {
    /// What stands before the name of a pattern.
    enum Wildcard: Int, CaseIterable { case none, oneLabel, anyLabels }

    private(set) var patterns: [(name: String, wildcard: Wildcard)] = []
    private(set) var hosts: [String] = []

    init(patterns count: Int, hosts hostCount: Int) {
        var random = SplitMix(state: 0x5DEE_CE66 &+ UInt64(count))
        let bases = (0..<max(1, count / 8)).map { _ in
            HostSample.label(&random, 4...11) + "."
                + ["com", "net", "org", "example", "io"][Int(random.next() % 5)]
        }
        var seen: Set<String> = []
        while patterns.count < count {
            let base = bases[Int(random.next() % UInt64(bases.count))]
            var name = HostSample.label(&random, 3...10) + "." + base
            if random.next() % 4 == 0 { name = HostSample.label(&random, 2...6) + "." + name }
            guard seen.insert(name).inserted else { continue }
            let kind = random.next() % 10
            patterns.append((name, kind < 6 ? .none : kind < 9 ? .oneLabel : .anyLabels))
        }
        for _ in 0..<hostCount {
            let pattern = patterns[Int(random.next() % UInt64(count))]
            let first = HostSample.label(&random, 2...6)
            switch (pattern.wildcard, random.next() % 10 < 7) {
            case (.none, true):
                // In memory of its own, like every other host and like the hosts of the bare table:
                // the pattern's own text lies anywhere among the patterns.
                hosts.append(String(decoding: Array(pattern.name.utf8), as: UTF8.self))
            case (.oneLabel, true): hosts.append("\(first).\(pattern.name)")
            case (.anyLabels, true):
                hosts.append("\(first).\(HostSample.label(&random, 2...4)).\(pattern.name)")
            case (_, false):
                let base = bases[Int(random.next() % UInt64(bases.count))]
                hosts.append("\(HostSample.label(&random, 11...12)).\(base)")
            }
        }
    }

    /// The anchor of every rule; no chain is judged by it.
    var anchor: [UInt8] { Scenario().root("Root", key: .p256("host look-up benchmark")).der }

    private static func label(
        _ random: inout SplitMix, _ length: ClosedRange<Int>
    ) -> String {
        let count = length.lowerBound + Int(random.next() % UInt64(length.count))
        return String(
            decoding: (0..<count).map { _ in UInt8(ascii: "a") + UInt8(random.next() % 26) },
            as: UTF8.self)
    }

    /// The table of a policy with these patterns, the rule of a pattern being its index.
    var contents: PolicyContents {
        let body = RuleBody(
            anchors: ["system"], pins: [], profile: "baseline", requirements: Requirements(),
            identity: IdentityRequirement(reference: .host), waivers: [], owner: nil, note: nil)
        let width = String(patterns.count).count
        return PolicyContents(
            defaultRule: .deny,
            rules: patterns.enumerated().map { index, pattern in
                let host: HostPattern.Host
                switch pattern.wildcard {
                case .none: host = .name(pattern.name)
                case .oneLabel: host = .oneLabel(base: pattern.name)
                case .anyLabels: host = .anyLabels(base: pattern.name)
                }
                // Rules are sorted by their ids as text.
                let number = String(index)
                return RuleContents(
                    id: "r" + String(repeating: "0", count: width - number.count) + number,
                    hosts: [HostPattern(host: host, port: nil)], body: body)
            }, anchorSets: [.system], pinSets: [])
    }
}
