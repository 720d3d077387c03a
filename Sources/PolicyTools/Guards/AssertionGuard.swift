import PolicyCompiler
import Rendering
import TrustEngine

/// An assertion of one side, with the policy that its names are looked up in.
struct AssertionGuard {
    /// The ending of the name of a file of assertions.
    static let ending = ".assert.yaml"

    let assertion: Assertion
    /// The path of its file from the top.
    let path: String
    /// The hosts as the file writes them.
    let hosts: String
    let policy: GuardTree.Policy
    /// Each demand as the file writes it, by its key; demands of `at-least` by both keys, with a
    /// dot.
    let written: [String: String]

    init(_ assertion: Assertion, in tree: SyntaxTree, path: String, policy: GuardTree.Policy) {
        self.assertion = assertion
        self.path = path
        self.policy = policy
        let section = tree.root?.entries.first { $0.key.text == "assertions" }?.value
        let own = section?.entries.first { $0.key.span == assertion.id.span }?.value
        hosts =
            own?.entries.first { $0.key.text == "hosts" }
            .map { AssertionGuard.text($0.value) } ?? ""
        var written: [String: String] = [:]
        for (key, value) in own?.entries ?? [] where !AssertionGuard.terms.contains(key.text) {
            if key.text == AssertedDemand.Key.atLeast.rawValue {
                for (name, value) in value.entries {
                    written["\(key.text).\(name.text)"] = AssertionGuard.text(value)
                }
            } else {
                written[key.text] = AssertionGuard.text(value)
            }
        }
        self.written = written
    }

    /// The keys of an assertion that demand nothing.
    private static let terms: Set<String> = ["hosts", "during", "owner", "note"]

    /// A value on one line. The depth is limited by the parser.
    private static func text(_ node: SyntaxNode) -> String {
        switch node.kind {
        case .scalar: return node.text
        case .list: return "[" + node.items.map(text).joined(separator: ", ") + "]"
        case .map:
            return "{ "
                + node.entries.map { "\($0.key.text): \(text($0.value))" }.joined(separator: ", ")
                + " }"
        case .error: return "?"
        }
    }
}

/// Whether one assertion implies another, by the order of behaviours.
struct AssertionImplication {
    let old: GuardTree
    let new: GuardTree
    let since: UTCInstant
    let crypto: any CryptoBackend

    /// What the new assertion no longer holds the policy to, a line each; empty if it implies the
    /// old one.
    ///
    /// An assertion has each demand once, so a demand is implied by the demand of the same key. A
    /// demand of another key that says the same is not recognised.
    func losses(_ was: AssertionGuard, _ now: AssertionGuard) -> [String] {
        losses(from: (was, old), to: (now, new))
    }

    /// What the new assertion holds the policy to that the old one does not.
    func gains(_ was: AssertionGuard, _ now: AssertionGuard) -> [String] {
        losses(from: (now, new), to: (was, old)).map { line in
            // Values are told from old to new, whichever side demands more.
            let parts = line.components(of: " -> ")
            guard parts.count == 2, let colon = parts[0].firstRange(of: ": ") else { return line }
            let head = parts[0][..<colon.upperBound]
            return "\(head)\(parts[1]) -> \(parts[0][colon.upperBound...])"
        }
    }

    private typealias Side = (assertion: AssertionGuard, tree: GuardTree)

    private func losses(from was: Side, to now: Side) -> [String] {
        let (one, other) = (was.assertion.assertion, now.assertion.assertion)
        // What has ended holds nothing any more.
        if let end = one.during.until, end < since { return [] }
        var lost = hosts(one.hosts, other.hosts) + during(one.during, other.during)
        let comparison = DemandComparison(
            was.assertion.policy.table, now.assertion.policy.table, since: since)
        for (key, text) in was.assertion.written.sorted(by: { $0.key < $1.key }) {
            let there = now.assertion.written[key]
            guard !isImplied(key, was, now, comparison) else { continue }
            let change = there == text ? "\(text) (what it names changed)" : there ?? "not demanded"
            lost.append("\(key): \(text) -> \(change)")
        }
        return lost
    }

    // MARK: Hosts and time

    private func hosts(_ was: Assertion.Hosts, _ now: Assertion.Hosts) -> [String] {
        guard case .inside(let patterns) = now else { return [] }
        guard case .inside(let wanted) = was else {
            return ["hosts: all -> \(AssertionImplication.list(patterns))"]
        }
        let lost = wanted.filter { one in !patterns.contains { $0.covers(one) } }
        guard !lost.isEmpty else { return [] }
        return [
            "hosts: \(AssertionImplication.list(wanted)) -> \(AssertionImplication.list(patterns))"
        ]
    }

    private static func list(_ patterns: [HostPattern]) -> String {
        let shown = patterns.prefix(mostPatterns).map(\.canonicalText).joined(separator: ", ")
        return "[\(shown)\(Cut.rest(patterns.count - mostPatterns, before: ", … "))]"
    }

    private static let mostPatterns = 8

    private func during(_ was: DateWindow, _ now: DateWindow) -> [String] {
        func begin(_ window: DateWindow) -> UTCInstant { max(window.from ?? since, since) }
        func word(_ instant: UTCInstant?) -> String {
            instant.map { Words.day($0) } ?? "not written"
        }
        var lost: [String] = []
        if begin(now) > begin(was) {
            lost.append("during.from: \(word(was.from)) -> \(word(now.from))")
        }
        if let end = now.until, was.until.map({ end < $0 }) ?? true {
            lost.append(
                "during.until: \(was.until.map { DiffSentences.last($0) } ?? "not written") -> "
                    + DiffSentences.last(end))
        }
        return lost
    }

    // MARK: Demands

    /// Whether the demands of the other assertion imply a demand of this one. A demand that is not
    /// known here is implied only by the same text.
    private func isImplied(
        _ key: String, _ was: Side, _ now: Side, _ comparison: DemandComparison
    ) -> Bool {
        func demand(_ side: Side) -> AssertedDemand.Statement? {
            let name = key.prefix { $0 != "." }
            return side.assertion.assertion.demands.first { $0.key.rawValue == name }?.statement
        }
        if let one = demand(was), let other = demand(now) {
            if case .atLeast(let floor) = one, case .atLeast(let own) = other {
                let name = String(key.drop { $0 != "." }.dropFirst())
                if let answer = comparison.isImplied(name, of: floor, by: own) { return answer }
            }
            if case .noWeakerThan(let one) = one, case .noWeakerThan(let other) = other {
                return isNoWeaker(one, other, was, now, comparison)
            }
            if case .neverTrusts(let one) = one, case .neverTrusts(let other) = other {
                return Set(one.identities).isSubset(of: other.identities)
            }
            if case .noAnchor(let one) = one, case .noAnchor(let other) = other {
                return Set(one.identities).isSubset(of: other.identities)
            }
        }
        return was.assertion.written[key] == now.assertion.written[key]
    }

    /// Whether what the new assertion compares with is as strict as what the old one compares with.
    private func isNoWeaker(
        _ was: AssertedComparison, _ now: AssertedComparison, _ one: Side, _ other: Side,
        _ comparison: DemandComparison
    ) -> Bool {
        switch (was, now) {
        case (
            .profile(_, let old, let oldReports, let oldLists),
            .profile(_, let new, let newReports, let newLists)
        ):
            return comparison.isNoWeaker(
                comparison.neutral.held(to: new, reportOnly: newReports, logLists: newLists),
                than: comparison.neutral.held(to: old, reportOnly: oldReports, logLists: oldLists))
        case (.rule(let old), .rule(let new)):
            return old.value == new.value
                && comparison.isNoWeaker(rule: new.value, than: old.value)
        case (.byDefault, .byDefault): return comparison.isDefaultNoWeaker
        case (.unit(let old), .unit(let new)):
            guard let old = table(old.value, one), let new = table(new.value, other) else {
                return false
            }
            return isNoWeaker(new, than: old)
        case (.profile, _), (.rule, _), (.byDefault, _), (.unit, _): return false
        }
    }

    private func table(_ path: String, _ side: Side) -> PolicyTable? {
        let folder = GuardTree.folder(of: side.assertion.path)
        return GuardTree.resolve(path, from: folder).flatMap { side.tree.policy($0)?.table }
    }

    private func isNoWeaker(_ table: PolicyTable, than other: PolicyTable) -> Bool {
        if table.policyDigest == other.policyDigest { return true }
        do throws(AnswerFailure) {
            let question = DiffQuestion(
                DiffSide("OLD", other), DiffSide("NEW", table), since: since)
            return try question.compare(crypto: crypto).relation.isNoWeaker
        } catch {
            // A demand that is not compared is not known to be as strict.
            return false
        }
    }
}

extension String {
    /// The parts between a separator.
    fileprivate func components(of separator: String) -> [String] {
        var parts: [String] = []
        var rest = self[...]
        while let range = rest.firstRange(of: separator) {
            parts.append(String(rest[..<range.lowerBound]))
            rest = rest[range.upperBound...]
        }
        return parts + [String(rest)]
    }
}
