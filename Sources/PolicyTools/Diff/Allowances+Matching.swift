package import PolicyCompiler
import Rendering
package import TrustEngine

/// What a file of allowances makes of a comparison.
package struct AllowedDiff: Sendable {
    /// The comparison. A change that is allowed for each of its classes has an `allowance`.
    package let diff: PolicyDiff
    /// Whether every class that is not equal or stricter is allowed.
    package let isNoWeaker: Bool
    /// Sentences about changes that are allowed only for some of their classes.
    package let partial: [String]
    /// The ids of the allowances that a change needs.
    package let used: Set<String>
}

extension Allowances {
    /// Lets changes of a comparison pass, as of the instant from which on it compares.
    ///
    /// A field of a class is allowed by an allowance whose field and values are exactly the printed
    /// ones, of which a pattern covers the whole class, that is in force at that instant, and that
    /// has not ended when the interval begins. A change is allowed where every field is that is not
    /// equal or stricter, in every interval, for every class.
    ///
    /// Cost: linear in the classes that changed, times the allowances of a field.
    package func apply(to diff: PolicyDiff) -> AllowedDiff {
        var diff = diff
        var used: Set<String> = []
        var partial: [String] = []
        var weak: Set<HostClass> = []
        var isAllowed = true
        for index in diff.changes.indices where !diff.changes[index].relation.isNoWeaker {
            let change = diff.changes[index]
            weak.formUnion(change.classes)
            let answer = Answer(self, change, since: diff.since)
            used.formUnion(answer.used)
            if answer.allowed.count == change.classes.count {
                diff.changes[index].allowance = answer.texts.joined(separator: "; ")
            } else {
                isAllowed = false
                if let first = answer.others.first, !answer.allowed.isEmpty {
                    partial.append(
                        "\(DiffSentences.count(answer.allowed.count, "class", "classes")) of "
                            + "\(change.classes.count) that change alike "
                            + "\(answer.allowed.count == 1 ? "is" : "are") allowed; "
                            + "`\(first.text)` is not")
                }
            }
        }
        // A class that is counted and told by no change can be allowed by nothing.
        let isWhole = weak.count == diff.counts.weaker + diff.counts.incomparable
        return AllowedDiff(
            diff: diff, isNoWeaker: isAllowed && isWhole, partial: partial, used: used)
    }

    /// The allowances that have ended, that last too long, or that no change of any of the
    /// comparisons needs, at the instant from which on they compare.
    package func findings(after diffs: [AllowedDiff], since: UTCInstant) -> [Diagnostic] {
        let idle = entries.filter { allowance in
            allowance.isInForce(at: since) && !diffs.contains { $0.used.contains(allowance.id) }
        }
        return DiagnosticCollector.sorted(
            findings(at: since) + idle.map { unused($0, in: diffs.map(\.diff)) })
    }

    /// What the allowances say of one change.
    private struct Answer {
        /// The classes of which every field is allowed, and the others.
        var allowed: [HostClass] = []
        var others: [HostClass] = []
        /// The allowances that allow at least one field of one class.
        var used: Set<String> = []
        /// How readers are told of the allowances, each once.
        var texts: [String] = []

        init(_ allowances: Allowances, _ change: PolicyDiff.Change, since: UTCInstant) {
            let wanted = change.weakened
            let candidates = wanted.map { one in
                allowances.entries.filter { $0.allows(one, of: change, since: since) }
            }
            for hosts in change.classes {
                let answers = candidates.map { list in list.filter { $0.covers(hosts) } }
                for allowance in answers.flatMap({ $0 }) where used.insert(allowance.id).inserted {
                    texts.append(allowance.text)
                }
                if !answers.isEmpty, answers.allSatisfy({ !$0.isEmpty }) {
                    allowed.append(hosts)
                } else {
                    others.append(hosts)
                }
            }
        }
    }
}

/// A field that is not equal or stricter in an interval.
private struct WeakenedField {
    let field: PolicyDiff.Field
    let begins: UTCInstant
}

extension PolicyDiff.Change {
    /// Every field of every interval that is not equal or stricter.
    fileprivate var weakened: [WeakenedField] {
        intervals.flatMap { interval in
            interval.fields.filter { !$0.relation.isNoWeaker }
                .map { WeakenedField(field: $0, begins: interval.from) }
        }
    }

    /// What stands below a field for a reader, a line each: its remarks, and the authorities that
    /// the change adds, where the field is the one that adds them.
    func lines(below field: PolicyDiff.Field) -> [String] {
        let adds: Bool
        switch (field.path, source) {
        case ("anchors", _), (ChangeWords.decision, _): adds = true
        case (let path, .anchors(let id)): adds = path == "anchors.\(id)"
        case (_, .rules), (_, .pins): adds = false
        }
        return field.remarks + (adds ? authorities.added.map { DiffSentences.text($0) } : [])
            + (digests[field.path] ?? [])
    }
}

extension Allowance {
    /// How a reader is told of it, behind the word "allowed".
    fileprivate var text: String { "until \(DiffSentences.day(until)) by \(owner): \(reason)" }

    /// Whether one of the patterns covers the whole class.
    fileprivate func covers(_ hosts: HostClass) -> Bool {
        switch (self.hosts, hosts.pattern) {
        case (.unmatched, nil): return true
        case (.unmatched, .some), (.inside, nil): return false
        case (.inside(let patterns), let pattern?):
            let whole = HostPattern(host: pattern.host, port: pattern.port ?? hosts.port)
            return patterns.contains { $0.covers(whole) }
        }
    }

    /// Whether the allowance is for this field of a change, whatever its hosts.
    fileprivate func allows(
        _ weakened: WeakenedField, of change: PolicyDiff.Change, since: UTCInstant
    ) -> Bool {
        isInForce(at: since) && isInForce(at: weakened.begins) && names(weakened.field)
            && isSame(also, change.lines(below: weakened.field))
    }

    private func names(_ field: PolicyDiff.Field) -> Bool {
        // A value that is cut short may stand for another one as well.
        self.field == field.path && !field.from.contains("…") && !field.to.contains("…")
            && from == TerminalEscape.escape(field.from) && to == TerminalEscape.escape(field.to)
    }

    /// Whether the lines are the printed ones, in any order.
    private func isSame(_ lines: [String], _ printed: [String]) -> Bool {
        lines.sorted() == printed.map { TerminalEscape.escape($0) }.sorted()
    }

    // MARK: Why an allowance is not used

    /// The change in the comparisons that is nearest to the allowance, as help.
    fileprivate func nearest(in diffs: [PolicyDiff]) -> String {
        let all = diffs.flatMap(\.changes).filter { !$0.relation.isNoWeaker }
            .flatMap { change in change.weakened.map { (change: change, weakened: $0) } }
        let fallback = "delete it; where its change is merged, nobody needs it any more"
        let same = all.filter { $0.weakened.field.path == field }
        guard let first = same.first else {
            let near = DidYouMean.near(field, among: Set(all.map(\.weakened.field.path)).sorted())
            return near.first.map { "write `field: \($0)` if that is meant" } ?? fallback
        }
        let inside = same.filter { one in one.change.classes.contains { covers($0) } }
        guard let met = inside.first else {
            let hosts = first.change.classes.first?.text ?? ""
            return
                "no class that changes in `\(field)` lies inside `hosts`; the first is `\(hosts)`"
        }
        guard let exact = inside.first(where: { names($0.weakened.field) }) else {
            let own = met.weakened.field
            return "`\(field)` changes from `\(own.from)` to `\(own.to)` there"
        }
        guard isInForce(at: exact.weakened.begins) else {
            return "the change begins on \(DiffSentences.day(exact.weakened.begins)), after its end"
        }
        let lines = exact.change.lines(below: exact.weakened.field)
        guard !lines.isEmpty else { return "leave out `also`: nothing is printed below `\(field)`" }
        let texts = JSONValue.array(lines.map { .string(TerminalEscape.escape($0)) })
        return "write what is printed below `\(field)`: `also: \(texts.render(.compact))`"
    }
}

extension Allowances {
    /// An allowance that no change needs (HW609).
    private func unused(_ allowance: Allowance, in diffs: [PolicyDiff]) -> Diagnostic {
        Diagnostic(
            .allowanceUnused, "no change needs allowance `\(allowance.id)`",
            at: Diagnostic.Label(allowance.place), help: [allowance.nearest(in: diffs)],
            notes: [allowance.background])
    }
}

extension PolicyDiff.Field {
    /// Whether the printed values say everything that the field lets through. Names of sets, of
    /// rules and of authorities do not: what stands behind them may be anything. An allowance of
    /// this field holds the digest of the value or body (`ValueDigest`).
    var saysAll: Bool {
        guard from != to, !from.isEmpty, !to.isEmpty else { return false }
        if path.hasPrefix("waivers.") || path.hasPrefix("report-only.") { return true }
        guard let field = ProfileField(rawValue: path) else { return false }
        let others: Set<ProfileField> = [
            .forbiddenKeys, .transparencyLogList, .transparencyExemptAnchors,
        ]
        return !others.contains(field)
    }
}
