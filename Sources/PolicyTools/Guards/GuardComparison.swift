import PolicyCompiler
import Rendering
package import TrustEngine

/// Compares the guards of two sides: assertions by the order of behaviours, tests by what they
/// expect, allowances, baselines and ignore comments by what they let pass, workflows by their
/// calls.
package struct GuardComparison {
    private let old: GuardTree
    private let new: GuardTree
    private let since: UTCInstant
    private let diffs: [PolicyDiff]
    private let crypto: any CryptoBackend
    private let implication: AssertionImplication
    private let order: ExpectationOrder
    /// The allowances of the new side that a change of this comparison needs, by file and id.
    private var needed: Set<String> = []
    private var changes: [GuardChange] = []

    private init(
        _ old: GuardTree, _ new: GuardTree, _ diffs: [PolicyDiff], since: UTCInstant,
        crypto: any CryptoBackend
    ) {
        self.old = old
        self.new = new
        self.diffs = diffs
        self.since = since
        self.crypto = crypto
        implication = AssertionImplication(old: old, new: new, since: since, crypto: crypto)
        order = ExpectationOrder(crypto: crypto)
    }

    /// The changes of guards between two sides, the gravest first.
    ///
    /// - Parameters:
    ///   - diffs: what the same change does to policies: an allowance that one of these needs is
    ///     an allowance of this very change.
    ///   - since: the instant from which on the policies are compared.
    ///
    /// Cost: linear in the guards of the files that are given, and a comparison of behaviours for
    /// each demand of an assertion.
    package static func changes(
        from old: GuardTree, to new: GuardTree, of diffs: [PolicyDiff], since: UTCInstant,
        crypto: any CryptoBackend
    ) -> [GuardChange] {
        var comparison = GuardComparison(old, new, diffs, since: since, crypto: crypto)
        comparison.run()
        return GuardChange.sorted(comparison.changes)
    }

    // MARK: Pairs

    /// The guards of one side with the problems of their files.
    private struct Side {
        var entries: [GuardEntry] = []
        /// The files whose guards do not count, by path: the kind of the guards, and the reason.
        var problems: [String: (kind: GuardKind, text: String)] = [:]
    }

    private func read(_ tree: GuardTree, isNew: Bool) -> Side {
        let reader = GuardReader(tree: tree, isNew: isNew, since: since, crypto: crypto)
        var side = Side()
        for (path, bytes) in tree.files.sorted(by: { $0.key < $1.key }) {
            guard let file = reader.read(path, bytes) else { continue }
            side.entries += file.entries
            side.problems[path] = file.problem.map { (file.kind, $0) }
        }
        return side
    }

    private mutating func run() {
        let (before, after) = (read(old, isNew: false), read(new, isNew: true))
        findNeeded(after.entries)
        var pairs: [(was: GuardEntry, now: GuardEntry)] = []
        var removed = before.entries
        var added = after.entries
        // The same file first, then the same unit, then a unit that has moved.
        let keys: [(GuardEntry) -> String?] = [
            { [$0.kind.rawValue, $0.file, $0.key].joined(separator: "\n") },
            { one in one.unit.map { [one.kind.rawValue, $0, one.key].joined(separator: "\n") } },
            { [new, old] one in
                guard let unit = one.unit else {
                    return [one.kind.rawValue, one.key].joined(separator: "\n")
                }
                let path = unit.isEmpty ? "policy.yaml" : "\(unit)/policy.yaml"
                let stays = new.identities[path] != nil && old.identities[path] != nil
                return stays ? nil : [one.kind.rawValue, one.key].joined(separator: "\n")
            },
            // Another name for the same.
            { $0.meaning },
            // A comment whose line has another text, or that stands at another line.
            { one in
                guard case .ignore = one.content else { return nil }
                return [one.file, one.name].joined(separator: "\n")
            },
        ]
        for key in keys { GuardComparison.pair(&removed, &added, by: key, into: &pairs) }
        for pair in pairs { compare(pair.was, pair.now) }
        tellRemoved(removed, after)
        tellAdded(added)
        tellUnread(before, after)
    }

    /// Moves the guards that have the same key on both sides into pairs, in their order.
    private static func pair(
        _ removed: inout [GuardEntry], _ added: inout [GuardEntry],
        by key: (GuardEntry) -> String?, into pairs: inout [(was: GuardEntry, now: GuardEntry)]
    ) {
        var waiting: [String: [Int]] = [:]
        for (index, one) in added.enumerated().reversed() {
            if let key = key(one) { waiting[key, default: []].append(index) }
        }
        var taken: Set<Int> = []
        removed = removed.filter { one in
            guard let key = key(one), let index = waiting[key]?.popLast() else { return true }
            taken.insert(index)
            pairs.append((one, added[index]))
            return false
        }
        added = added.enumerated().filter { !taken.contains($0.offset) }.map(\.element)
    }

    /// Finds the allowances of the new side that a change of this comparison needs.
    private mutating func findNeeded(_ entries: [GuardEntry]) {
        var files: [String: [Allowance]] = [:]
        for entry in entries {
            if case .allowance(let one) = entry.content {
                files[entry.file, default: []].append(one)
            }
        }
        for (path, list) in files {
            guard let bytes = new.files[path] else { continue }
            let allowances = Allowances(file: SourceFile(path: path, bytes: bytes), entries: list)
            for diff in diffs {
                needed.formUnion(allowances.used(by: diff).map { "\(path)\n\($0)" })
            }
        }
    }

    private func isNeeded(_ entry: GuardEntry) -> Bool {
        needed.contains("\(entry.file)\n\(entry.name)")
    }

    // MARK: The same guard on both sides

    private mutating func compare(_ was: GuardEntry, _ now: GuardEntry) {
        switch (was.content, now.content) {
        case (.assertion(let old), .assertion(let new)):
            let lost = implication.losses(old, new)
            let gained = implication.gains(old, new)
            if !lost.isEmpty {
                tell(.weaker, was, now, "is weaker", lost)
            } else if !gained.isEmpty {
                tell(.stricter, was, now, "is stricter", gained)
            }
        case (.test(let old), .test(let new)):
            let change = TestGuard.change(from: old, to: new, order, hasChanged: hasChanged)
            guard let change else { return }
            let words =
                switch change.relation {
                case .weaker: "expects less"
                case .stricter: "expects more"
                case .incomparable, .equal: "changes"
                }
            tell(change.relation, was, now, words, change.lines)
        case (.allowance(let old), .allowance(let new)): compare(old, new, was, now)
        case (.ignore(let old), .ignore(let new)): compare(old, new, was, now)
        case (.finding, .finding): return
        case (.export(let old), .export(let new)):
            guard let change = ExportGuard.change(from: old, to: new) else { return }
            let words =
                switch change.relation {
                case .weaker: "is weaker"
                case .stricter: "is for more hosts"
                case .incomparable, .equal: "changes"
                }
            tell(change.relation, was, now, words, change.lines)
        case (.workflow(let old, let oldBytes), .workflow(let new, let newBytes)):
            guard !GuardComparison.isSame(oldBytes, newBytes) else { return }
            let lines =
                old.filter { !new.contains($0) }.map { "no longer: \($0)" }
                + new.filter { !old.contains($0) }.map { "now: \($0)" }
            tell(.incomparable, was, now, "changes, and calls hawser", lines)
        case (.assertion, _), (.test, _), (.allowance, _), (.ignore, _), (.finding, _),
            (.export, _), (.workflow, _):
            // Only guards of one kind are paired.
            return
        }
    }

    private mutating func compare(
        _ old: Allowance, _ new: Allowance, _ was: GuardEntry, _ now: GuardEntry
    ) {
        var (wider, narrower): ([String], [String]) = ([], [])
        let texts = (GuardComparison.hosts(old.hosts), GuardComparison.hosts(new.hosts))
        if old.hosts != new.hosts {
            if !GuardComparison.covers(old.hosts, new.hosts) {
                wider.append("hosts: \(texts.0) -> \(texts.1)")
            } else if !GuardComparison.covers(new.hosts, old.hosts) {
                narrower.append("hosts: \(texts.0) -> \(texts.1)")
            }
        }
        let values = [
            ("field", old.field, new.field), ("from", old.from, new.from), ("to", old.to, new.to),
            (
                "also", old.also.sorted().joined(separator: "; "),
                new.also.sorted().joined(separator: "; ")
            ),
        ]
        // Another value is another change that is let through.
        wider += values.filter { $0.1 != $0.2 }.map { "\($0.0): \($0.1) -> \($0.2)" }
        if old.until != new.until {
            let line =
                "until: \(DiffSentences.last(old.until)) -> \(DiffSentences.last(new.until))"
            // An allowance that has ended lets nothing pass, whatever its last day.
            if new.until > old.until, new.isInForce(at: since) {
                wider.append(line)
            } else if new.until < old.until, old.isInForce(at: since) {
                narrower.append(line)
            }
        }
        if !wider.isEmpty {
            tell(.weaker, was, now, "lets more pass", wider, isOfThisChange: isNeeded(now))
        } else if !narrower.isEmpty {
            tell(.stricter, was, now, "lets less pass", narrower)
        }
    }

    private mutating func compare(
        _ old: IgnoreGuard, _ new: IgnoreGuard, _ was: GuardEntry, _ now: GuardEntry
    ) {
        var relations: [Relation] = []
        var lines: [String] = []
        func note(_ relation: Relation, _ line: String) {
            relations.append(relation)
            lines.append(line)
        }
        func word(_ until: UTCInstant?) -> String {
            until.map { DiffSentences.last($0) } ?? "no end"
        }
        if old.until != new.until {
            let isLonger = old.until.map { end in new.until.map { $0 > end } ?? true } ?? false
            note(isLonger ? .weaker : .stricter, "until: \(word(old.until)) -> \(word(new.until))")
        }
        // An earlier end does not make up for findings of another line.
        if old.target != new.target {
            note(.incomparable, "line: \(old.target) -> \(new.target)")
        }
        let relation = Relation.direction(of: relations)
        switch relation {
        case .weaker: tell(relation, was, now, "lasts longer", lines)
        case .stricter: tell(relation, was, now, "ends earlier", lines)
        case .incomparable: tell(relation, was, now, "speaks of another line", lines)
        case .equal: return
        }
    }

    /// Whether two texts are equal but for their line ends, which a work tree may have changed.
    private static func isSame(_ one: [UInt8], _ other: [UInt8]) -> Bool {
        one == other
            || one.lazy.filter { $0 != 0x0D }.elementsEqual(other.lazy.filter { $0 != 0x0D })
    }

    /// Whether a file, or a file of a folder, differs between the two sides.
    private func hasChanged(_ path: String) -> Bool {
        if old.identities[path] != nil || new.identities[path] != nil {
            return old.identities[path] != new.identities[path]
        }
        func below(_ tree: GuardTree) -> [String: String] {
            tree.identities.filter { $0.key.hasPrefix(path + "/") }
        }
        return below(old) != below(new)
    }

    private static func hosts(_ hosts: Allowance.Hosts) -> String {
        switch hosts {
        case .unmatched: return "default"
        case .inside(let patterns): return patterns.map(\.canonicalText).joined(separator: ", ")
        }
    }

    private static func covers(_ wide: Allowance.Hosts, _ narrow: Allowance.Hosts) -> Bool {
        switch (wide, narrow) {
        case (.unmatched, .unmatched): return true
        case (.inside(let patterns), .inside(let wanted)):
            return wanted.allSatisfy { one in patterns.contains { $0.covers(one) } }
        case (.unmatched, .inside), (.inside, .unmatched): return false
        }
    }

    // MARK: Guards of one side

    /// Guards that are gone; the guards of one file for one reason together.
    private mutating func tellRemoved(_ entries: [GuardEntry], _ after: Side) {
        struct Group: Hashable {
            let kind: GuardKind
            let file: String
            let reason: String?
        }
        var groups: [(key: Group, entries: [GuardEntry])] = []
        for entry in entries {
            let key = Group(
                kind: entry.kind, file: entry.file, reason: reason(of: entry, after))
            if groups.last?.key == key {
                groups[groups.count - 1].entries.append(entry)
            } else {
                groups.append((key, [entry]))
            }
        }
        for (key, list) in groups {
            let relation = key.kind.whenRemoved
            guard list.count > 1 || key.kind == .baseline else {
                tell(
                    relation, list[0], nil, key.kind.removed,
                    [key.reason].compactMap(\.self))
                continue
            }
            changes.append(
                GuardChange(
                    key.kind, relation, name: key.file,
                    "\(Words.count(list.count, key.kind.noun, key.kind.nouns)) of "
                        + "`\(key.file)` \(list.count == 1 ? "is" : "are") "
                        + key.kind.removed.dropFirst(3),
                    details: [key.reason].compactMap(\.self) + list.map(\.line),
                    place: list.first?.place, oldOwner: GuardComparison.owners(list)))
        }
    }

    /// Why a guard is gone: what became of its file. Nil where the file is there and can be read.
    private func reason(of entry: GuardEntry, _ after: Side) -> String? {
        if let problem = after.problems[entry.file] { return problem.text }
        guard new.identities[entry.file] == nil else { return nil }
        // A file that was renamed so that it is skipped.
        let folder = GuardTree.folder(of: entry.file)
        let near = after.problems.filter {
            GuardTree.folder(of: $0.key) == folder && old.identities[$0.key] == nil
        }
        let renamed = near.sorted { $0.key < $1.key }.first?.value.text
        return renamed.map { "`\(entry.file)` is gone, and \($0)" } ?? "`\(entry.file)` is gone"
    }

    private mutating func tellAdded(_ entries: [GuardEntry]) {
        var groups: [(kind: GuardKind, file: String, entries: [GuardEntry])] = []
        for entry in entries {
            // Each allowance is agreed to by itself.
            if entry.kind != .allowance, groups.last?.kind == entry.kind,
                groups.last?.file == entry.file
            {
                groups[groups.count - 1].entries.append(entry)
            } else {
                groups.append((entry.kind, entry.file, [entry]))
            }
        }
        for (kind, file, list) in groups {
            let relation = kind.whenAdded
            guard list.count > 1 || kind == .baseline else {
                tell(
                    relation, nil, list[0], kind.added, list[0].background,
                    isOfThisChange: isNeeded(list[0]))
                continue
            }
            changes.append(
                GuardChange(
                    kind, relation, name: file,
                    "\(Words.count(list.count, kind.noun, kind.nouns)) of `\(file)` "
                        + "\(list.count == 1 ? "is" : "are") \(kind.added.dropFirst(3))",
                    details: list.map(\.line), place: list.first?.place,
                    newOwner: GuardComparison.owners(list)))
        }
    }

    /// Files whose guards do not count on the new side although nothing of them was lost: new files
    /// that are skipped, and files that could be read on neither side.
    private mutating func tellUnread(_ before: Side, _ after: Side) {
        let told = Set(changes.flatMap(\.details))
        for (path, problem) in after.problems.sorted(by: { $0.key < $1.key })
        where !told.contains(where: { $0.contains(problem.text) }) {
            // A file that did not change guards as little as before.
            guard before.problems[path]?.text != problem.text || old.files[path] != new.files[path]
            else { continue }
            changes.append(
                GuardChange(
                    problem.kind, .incomparable, name: path, problem.text,
                    place: GuardChange.Place(
                        file: new.prefix + path, line: 1, column: 1, isNew: true)))
        }
    }

    private static func owners(_ entries: [GuardEntry]) -> String? {
        let names = Set(entries.compactMap(\.owner)).sorted()
        return names.isEmpty ? nil : names.joined(separator: ", ")
    }

    // MARK: Changes

    private mutating func tell(
        _ relation: Relation, _ was: GuardEntry?, _ now: GuardEntry?, _ words: String,
        _ details: [String] = [], isOfThisChange: Bool = false
    ) {
        guard let entry = now ?? was else { return }
        changes.append(
            GuardChange(
                entry.kind, relation, name: entry.name, "\(entry.words) \(words)",
                details: details, place: entry.place, oldOwner: was?.owner, newOwner: now?.owner,
                isOfThisChange: isOfThisChange))
    }
}
