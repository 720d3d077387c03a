import PolicyCompiler
import Rendering
package import TrustEngine

/// The hosts for which a file of another system accepts more or less than a policy: the comparison
/// of the policy with the policy that the file means.
package struct ExportLoss: Sendable {
    /// A field of classes of hosts that differ alike.
    package struct Line: Hashable, Sendable {
        /// How the file compares with the policy.
        package let relation: Relation
        /// The path, as in the language; `decision` where only one side denies.
        package let field: String
        package let policy: String
        package let file: String
        /// The consequences, a part of a sentence each.
        package let remarks: [String]
        /// The hosts in patterns.
        package let hosts: [PolicyDiff.HostText]
        package let witness: PolicyDiff.Witness
        /// Where the policy states the field, or the rule; nil for a table without places.
        package let location: Provenance.Location?
        /// The first instant of the difference; nil if it begins with the export.
        package let from: UTCInstant?
        /// Whether the format states the field for no host.
        package let isUnstated: Bool
    }

    /// Weaker lines come first, then incomparable ones, then stricter ones.
    package let lines: [Line]
    /// Differences that the policy of the file has no words for.
    package let gaps: [ForeignGap]
    /// The classes of hosts that were compared.
    package let classes: Int

    /// How the file compares with the policy.
    package var relation: Relation {
        Relation.direction(of: lines.map(\.relation) + gaps.map(\.file))
    }

    /// The same at the instant of the export, without what begins later.
    package var relationNow: Relation {
        Relation.direction(
            of: lines.filter { $0.from == nil }.map(\.relation) + gaps.map(\.file))
    }

    /// Compares a policy with a file.
    ///
    /// - Parameters:
    ///   - policy: the table of the policy, or of the file that is expected.
    ///   - strictest, weakest: the tables of the file's two readings.
    ///   - unstated: the fields that the format cannot state.
    /// - Throws: as `DiffQuestion.compare`.
    package init(
        of policy: PolicyTable, strictest: PolicyTable, weakest: PolicyTable?, gaps: [ForeignGap],
        unstated: [String], since time: UTCInstant, crypto: any CryptoBackend
    ) throws(AnswerFailure) {
        let strict = try Self.diff(policy, strictest, since: time, crypto: crypto)
        var lines = Self.lines(strict, unstated: unstated)
        if let weakest {
            let weak = try Self.diff(policy, weakest, since: time, crypto: crypto)
            let found = Self.lines(weak, unstated: unstated).filter { $0.relation != .stricter }
            lines = found + lines.filter { $0.relation == .stricter }
        }
        let order: [Relation] = [.weaker, .incomparable, .stricter]
        self.lines = order.flatMap { relation in
            lines.filter { $0.relation == relation && $0.from == nil }
                + lines.filter { $0.relation == relation && $0.from != nil }
        }
        self.gaps = gaps
        classes = strict.counts.classes
    }

    private static func diff(
        _ old: PolicyTable, _ new: PolicyTable, since time: UTCInstant, crypto: any CryptoBackend
    ) throws(AnswerFailure) -> PolicyDiff {
        try DiffQuestion(
            DiffSide("policy", SparePins.replaced(in: old, crypto: crypto)),
            DiffSide("file", SparePins.replaced(in: new, crypto: crypto)), since: time
        ).compare(crypto: crypto)
    }

    private static func lines(_ diff: PolicyDiff, unstated: [String]) -> [Line] {
        let (old, new) = (
            diff.old.table.contents(listsHosts: false), diff.new.table.contents(listsHosts: false)
        )
        let idle = (old: idleRules(old), new: idleRules(new))
        return diff.changes.flatMap { change -> [Line] in
            // A host of which nobody can vouch is denied, although a rule has it.
            let isIdle = change.rules.allSatisfy {
                idle.old.contains($0.old.id) && idle.new.contains($0.new.id)
            }
            guard change.rules.isEmpty || !isIdle else { return [] }
            var seen: Set<[String]> = []
            return change.intervals.flatMap { interval in
                interval.fields.compactMap { field -> Line? in
                    guard field.relation != .equal,
                        seen.insert([field.path, field.from, field.to]).inserted
                    else { return nil }
                    var (policy, file) = (field.from, field.to)
                    var remarks = field.remarks
                    // The file has no ids for its sets, so their keys are told.
                    if field.path.hasPrefix("pins"), let rules = change.rules.first {
                        let lacksSpare = losesSpare(rules.old.id, old, rules.new.id, new)
                        if field.path == "pins" || lacksSpare {
                            policy = pins(of: rules.old.id, in: old, at: interval.from)
                            file = pins(of: rules.new.id, in: new, at: interval.from)
                        }
                        if lacksSpare {
                            remarks.append("the file has one key and lacks a spare for a rotation")
                        }
                    }
                    return Line(
                        relation: field.relation, field: field.path, policy: policy,
                        file: file, remarks: remarks, hosts: change.hosts,
                        witness: change.witness,
                        location: change.places[field.path]?.first?.old?.location
                            ?? change.rules.first?.old.location,
                        from: interval.from == diff.since ? nil : interval.from,
                        isUnstated: unstated.contains {
                            field.path == $0 || field.path.hasPrefix($0 + ".")
                        })
                }
            }
        }
    }

    /// The ids of the rules that accept no connection: no anchor of theirs can end a path, and the
    /// path is not waived. `default` is the empty id.
    private static func idleRules(_ contents: PolicyContents) -> Set<String> {
        let dead = Set(contents.anchorSets.filter { !$0.canEndPaths }.map(\.id))
        func isIdle(_ body: RuleBody) -> Bool {
            !body.anchorsArePinnedKeys && body.anchors.allSatisfy(dead.contains)
                && !body.waivers.contains { $0.tolerance == .cleartext || $0.tolerance == .path }
        }
        var idle = Set(contents.rules.filter { isIdle($0.body) }.map(\.id))
        switch contents.defaultRule {
        case .deny: idle.insert("")
        case .body(let body): if isIdle(body) { idle.insert("") }
        }
        return idle
    }

    /// The pin sets of a rule. `default` is the empty id.
    private static func sets(
        of rule: String, in contents: PolicyContents
    ) -> [PinSetContents] {
        var body = contents.rules.first { $0.id == rule }?.body
        if body == nil, case .body(let fallback) = contents.defaultRule { body = fallback }
        return (body?.pins ?? []).compactMap { id in contents.pinSets.first { $0.id == id } }
    }

    /// Whether every set of one rule has at least two keys, and some set of the other has one.
    private static func losesSpare(
        _ old: String, _ policy: PolicyContents, _ new: String, _ file: PolicyContents
    ) -> Bool {
        sets(of: old, in: policy).allSatisfy { $0.keyDigests.count > 1 }
            && sets(of: new, in: file).contains { $0.keyDigests.count == 1 }
    }

    /// The pin sets of a rule in words: `1 of 2 keys at ca`. `default` is the empty id.
    private static func pins(
        of rule: String, in contents: PolicyContents, at time: UTCInstant
    ) -> String {
        let sets = sets(of: rule, in: contents).filter { set in
            guard let end = set.enforceUntil, set.onExpiry != .fail else { return true }
            return DatedTerm.isInForce(until: end, at: time)
        }
        let words = sets.map { set -> String in
            let entries = set.keys + set.backups
            let places = entries.map(\.position.name).unrepeated.sorted()
            let keys = set.keyDigests
            let end = set.onExpiry == .fail ? nil : set.enforceUntil
            return "\(set.match) of \(Words.count(keys.count, "key")) at "
                + places.joined(separator: " or ") + (end.map { " until \($0)" } ?? "")
        }
        return words.isEmpty ? "none" : words.joined(separator: ", and ")
    }
}
