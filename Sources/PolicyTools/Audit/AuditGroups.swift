package import Rendering
import TrustEngine

/// The rows that are rejected and the rows whose verdict changed, grouped by the change, the rule
/// and the violation. A row with two violations counts in two groups.
///
/// The number of groups is bounded by the rules of the policy. The hosts of a group are counted one
/// by one up to the limits here, and the rows of other hosts together.
package struct AuditGroups: Sendable {
    /// How the verdict of a row differs from the earlier verdict, the gravest case first.
    package enum Change: String, Hashable, Sendable, CaseIterable {
        /// The row was rejected and is accepted.
        case toAccept = "to-accept"
        /// The row was accepted and is rejected.
        case toReject = "to-reject"
        /// The row is rejected. It was rejected before, or no earlier verdict is known.
        case reject
    }

    /// The common facts of a group's rows.
    package struct Key: Hashable, Sendable {
        package let change: Change
        /// The rule that decides: empty for `default`, nil if no rule decided.
        package let rule: String?
        /// The id of the violation that rejects, or that rejected before; nil if the earlier
        /// violations are not known.
        package let violation: String?

        package init(change: Change, rule: String?, violation: String?) {
            self.change = change
            self.rule = rule
            self.violation = violation
        }
    }

    /// The rows of one group.
    package struct Group: Hashable, Sendable {
        package fileprivate(set) var rows = 0
        /// The first row.
        package let input: String?
        package let line: Int
        package fileprivate(set) var hosts: [String: Int] = [:]

        package init(
            rows: Int = 0, input: String?, line: Int, hosts: [String: Int] = [:]
        ) {
            self.rows = rows
            self.input = input
            self.line = line
            self.hosts = hosts
        }

        /// The rows whose hosts are not counted one by one.
        package var otherRows: Int { rows - hosts.values.reduce(0, +) }
    }

    /// The most hosts that one group counts one by one.
    package static let mostHosts = 100
    /// The most hosts that all groups together count one by one.
    package static let mostHostsOfAll = 10_000

    private var groups: [Key: Group] = [:]
    /// The hosts that all groups count one by one.
    private var hosts = 0

    package init() {}

    /// The groups, the gravest first: by the change, then the violations that somebody in between
    /// can cause, then the group with the most rows.
    package var sorted: [(key: Key, group: Group)] {
        groups.map { (key: $0.key, group: $0.value) }.sorted { AuditGroups.isBefore($0, $1) }
    }

    /// Adds a group of an earlier run.
    package mutating func restore(_ key: Key, _ group: Group) {
        groups[key] = group
        hosts += group.hosts.count
    }

    /// Adds the next row.
    mutating func add(_ facts: AuditFacts) {
        let change: Change
        switch (facts.outcome, facts.isChanged) {
        case (.accept, true): change = .toAccept
        case (.reject, true): change = .toReject
        case (.reject, _): change = .reject
        case (.accept, _), (.error, _), (.leftOut, _): return
        }
        let grounds: [String?] = facts.grounds.isEmpty ? [nil] : facts.grounds
        for violation in grounds {
            add(facts, to: Key(change: change, rule: facts.rule, violation: violation))
        }
    }

    private mutating func add(_ facts: AuditFacts, to key: Key) {
        var group = groups[key] ?? Group(input: facts.input, line: facts.line)
        group.rows += 1
        if let host = facts.host, host.utf8.count <= AuditTally.longestHost {
            if group.hosts[host] != nil {
                group.hosts[host, default: 0] += 1
            } else if group.hosts.count < AuditGroups.mostHosts, hosts < AuditGroups.mostHostsOfAll
            {
                group.hosts[host] = 1
                hosts += 1
            }
        }
        groups[key] = group
    }

    private static func isBefore(
        _ left: (key: Key, group: Group), _ right: (key: Key, group: Group)
    ) -> Bool {
        func order(_ one: (key: Key, group: Group)) -> (Int, Int, Int, String, String) {
            let change = Change.allCases.firstIndex(of: one.key.change) ?? 0
            let side = one.key.violation.flatMap(ViolationKind.init)?.declaration.side
            // No id of a rule or a violation begins with a tilde.
            return (
                change, side == .inBetween ? 0 : 1, -one.group.rows, one.key.rule ?? "~",
                one.key.violation ?? "~"
            )
        }
        return order(left) < order(right)
    }
}

extension AuditGroups {
    /// The groups as the summary and a checkpoint have them.
    package var value: JSONValue {
        .array(
            sorted.map { key, group in
                .object([
                    "change": key.change.rawValue, "rule": key.rule?.json ?? .null,
                    "violation": key.violation?.json ?? .null, "rows": group.rows,
                    "first": JSONValue.object([
                        "input": group.input?.json ?? .null, "row": group.line,
                    ]),
                    "hosts": AuditTally.counts(group.hosts, name: "host"),
                    "otherRows": group.otherRows,
                ])
            })
    }
}
