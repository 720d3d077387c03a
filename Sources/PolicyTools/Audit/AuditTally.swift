package import Rendering
import TrustEngine

/// The counts of an audit. Rows are added in their order, so the counts do not depend on how many
/// threads judged. The memory is bounded by the policy, and by the limits here.
package struct AuditTally: Sendable {
    /// How many verdicts a rule gave.
    package struct Verdicts: Hashable, Sendable {
        package var accepted: Int
        package var rejected: Int

        package init(accepted: Int = 0, rejected: Int = 0) {
            self.accepted = accepted
            self.rejected = rejected
        }
    }

    /// A row that cost much work.
    package struct Costly: Hashable, Sendable {
        package let input: String?
        package let line: Int
        package let host: String
        package let units: Int

        package init(input: String?, line: Int, host: String, units: Int) {
            self.input = input
            self.line = line
            self.host = host
            self.units = units
        }
    }

    /// The flips of one class of hosts.
    package struct Flips: Hashable, Sendable {
        package var toAccept: Int
        package var toReject: Int
        /// The first row that flips.
        package let input: String?
        package let line: Int

        package init(toAccept: Int = 0, toReject: Int = 0, input: String?, line: Int) {
            self.toAccept = toAccept
            self.toReject = toReject
            self.input = input
            self.line = line
        }
    }

    /// The most hosts that are counted one by one.
    package static let mostHosts = 1_000
    /// The most octets of a host that is counted; the engine decides no longer host.
    package static let longestHost = 300
    /// The most rows that are listed for their work.
    package static let mostCostly = 10

    /// Rows of every kind; without lines that hold nothing.
    package var rows = 0
    package var verdicts = Verdicts()
    /// Rows that are not in the sample.
    package var leftOut = 0
    /// Rows whose verdict is another than the earlier one, and those with the same.
    package var changed = 0
    package var unchanged = 0
    /// The changed rows that are accepted now.
    package var changedToAccept = 0
    package var errors: [String: Int] = [:]
    /// By the rule's id: empty for `default`, nil where no rule decided.
    package var rules: [String?: Verdicts] = [:]
    package var violations: [String: Int] = [:]
    package var reported: [String: Int] = [:]
    package var notices: [String: Int] = [:]
    /// Rows whose host no pattern matches; of the first hosts one by one.
    package var unmatchedRows = 0
    package var unmatchedHosts: [String: Int] = [:]
    /// The rows that cost the most, the most costly first, and of equals the earlier one.
    package var costly: [Costly] = []
    /// Signatures that the verdicts rest on, remembered ones among them.
    package var signatures = 0
    /// The rejected rows, and the rows whose verdict changed.
    package var groups = AuditGroups()
    /// Flips between two policies, by the text of the class of hosts.
    package var flips: [String: Flips] = [:]

    package init() {}

    /// The number of rows that are errors.
    package var errorCount: Int { errors.values.reduce(0, +) }

    /// Adds the next row.
    package mutating func add(_ facts: AuditFacts) {
        rows += 1
        switch facts.outcome {
        case .leftOut:
            leftOut += 1
            return
        case .error(let code):
            errors[code.rawValue, default: 0] += 1
            return
        case .accept:
            verdicts.accepted += 1
            rules[facts.rule, default: Verdicts()].accepted += 1
        case .reject:
            verdicts.rejected += 1
            rules[facts.rule, default: Verdicts()].rejected += 1
        }
        for id in facts.violations { violations[id, default: 0] += 1 }
        for id in facts.reported { reported[id, default: 0] += 1 }
        for id in facts.notices { notices[id, default: 0] += 1 }
        switch facts.isChanged {
        case true?:
            changed += 1
            if facts.outcome == .accept { changedToAccept += 1 }
        case false?: unchanged += 1
        case nil: break
        }
        signatures += facts.signatures
        groups.add(facts)
        addUnmatched(facts)
        addCostly(facts)
        addFlip(facts)
    }

    private mutating func addUnmatched(_ facts: AuditFacts) {
        guard facts.isUnmatched, let host = facts.host else { return }
        unmatchedRows += 1
        if unmatchedHosts[host] != nil
            || unmatchedHosts.count < AuditTally.mostHosts
                && host.utf8.count <= AuditTally.longestHost
        {
            unmatchedHosts[host, default: 0] += 1
        }
    }

    private mutating func addCostly(_ facts: AuditFacts) {
        let isFull = costly.count == AuditTally.mostCostly
        guard let host = facts.host, !isFull || facts.units > costly[costly.count - 1].units else {
            return
        }
        let place = costly.firstIndex { $0.units < facts.units } ?? costly.count
        if isFull { costly.removeLast() }
        let shown = String(decoding: host.utf8.prefix(AuditTally.longestHost), as: UTF8.self)
        costly.insert(
            Costly(input: facts.input, line: facts.line, host: shown, units: facts.units),
            at: place)
    }

    private mutating func addFlip(_ facts: AuditFacts) {
        guard facts.isChanged == true, let hosts = facts.hosts else { return }
        var own =
            flips[hosts.text]
            ?? Flips(input: facts.input, line: facts.line)
        if facts.outcome == .accept { own.toAccept += 1 } else { own.toReject += 1 }
        flips[hosts.text] = own
    }
}

extension AuditTally {
    /// The counts as members of the summary, which a checkpoint holds too.
    package var members: JSONMembers {
        [
            "rows": rows, "accepted": verdicts.accepted, "rejected": verdicts.rejected,
            "leftOut": leftOut, "changed": changed, "unchanged": unchanged,
            "changedToAccept": changedToAccept, "groups": groups.value,
            "errors": AuditTally.counts(errors, name: "code"),
            "rules": rules.sorted { AuditTally.isBefore($0.key, $1.key) }.map { rule, count in
                JSONValue.object([
                    "rule": rule?.json ?? .null, "accepted": count.accepted,
                    "rejected": count.rejected,
                ])
            }, "violations": AuditTally.counts(violations, name: "id"),
            "reported": AuditTally.counts(reported, name: "id"),
            "notices": AuditTally.counts(notices, name: "id"),
            "unmatched": JSONValue.object([
                "rows": unmatchedRows, "hosts": AuditTally.counts(unmatchedHosts, name: "host"),
            ]), "signatures": signatures,
            "costliest": costly.map { row in
                JSONValue.object([
                    "input": row.input?.json ?? .null, "row": row.line, "host": row.host,
                    "units": row.units,
                ])
            },
        ]
    }

    /// Counts, the largest first, and of equals by their names.
    package static func sorted(_ counts: [String: Int]) -> [(name: String, count: Int)] {
        counts.sorted { ($1.value, $0.key) < ($0.value, $1.key) }
            .map { (name: $0.key, count: $0.value) }
    }

    static func counts(_ counts: [String: Int], name: String) -> JSONValue {
        .array(
            sorted(counts).map { one in
                .object([name: one.name, "rows": one.count])
            })
    }

    /// The order of rules: by their ids, `default` first, and what no rule decided last.
    private static func isBefore(_ one: String?, _ other: String?) -> Bool {
        guard let one else { return false }
        return other.map { one < $0 } ?? true
    }
}
