package import PolicyCompiler
import Rendering
package import TrustEngine

extension Allowances {
    /// What the allowances make of a change, as of the instant from which on policies are compared.
    ///
    /// A field of a class is allowed by an allowance whose field and values are exactly the printed
    /// ones, of which a pattern covers the whole class, that is in force at that instant, and that
    /// has not ended when the interval begins. A change is allowed where every field is that is not
    /// equal or stricter, in every interval, for every class.
    ///
    /// Cost: linear in the classes, times the allowances of a field.
    func judge(
        _ weakened: [WeakenedField], of classes: [HostClass], since: UTCInstant
    ) -> AllowedChange {
        let candidates = weakened.map { one in entries.filter { $0.allows(one, since: since) } }
        var used: Set<String> = []
        var texts: [String] = []
        var allowed = 0
        var other: HostClass?
        for hosts in classes {
            let answers = candidates.map { list in list.filter { $0.covers(hosts) } }
            for allowance in answers.flatMap({ $0 }) where used.insert(allowance.id).inserted {
                texts.append(allowance.text)
            }
            if !answers.isEmpty, answers.allSatisfy({ !$0.isEmpty }) {
                allowed += 1
            } else {
                other = other ?? hosts
            }
        }
        guard let other else {
            return AllowedChange(text: texts.joined(separator: "; "), partial: nil, used: used)
        }
        let partial =
            "\(Words.count(allowed, "class", "classes")) of \(classes.count) that change "
            + "alike \(allowed == 1 ? "is" : "are") allowed; `\(other.text)` is not"
        return AllowedChange(text: nil, partial: allowed == 0 ? nil : partial, used: used)
    }

    /// The ids of the allowances that a change of a comparison needs.
    func used(by diff: PolicyDiff) -> Set<String> {
        diff.changes.filter { !$0.relation.isNoWeaker }.reduce(into: []) {
            $0.formUnion(judge($1.weakened, of: $1.classes, since: diff.since).used)
        }
    }

    /// The allowances that have ended, that last too long, or that no change of any of the
    /// comparisons needs, at the instant from which on they compare.
    package func findings(after diffs: [PolicyDiff], since: UTCInstant) -> [Diagnostic] {
        let used = Set(diffs.flatMap(\.changes).flatMap { $0.allowed?.used ?? [] })
        let idle = entries.filter { $0.isInForce(at: since) && !used.contains($0.id) }
        return DiagnosticCollector.sorted(findings(at: since) + idle.map { unused($0, in: diffs) })
    }
}

extension Allowance {
    /// How a reader is told of it, behind the word "allowed".
    fileprivate var text: String { "until \(Words.day(until)) by \(owner): \(reason)" }

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
    fileprivate func allows(_ weakened: WeakenedField, since: UTCInstant) -> Bool {
        isInForce(at: since) && isInForce(at: weakened.begins) && names(weakened.field)
            && isSame(also, weakened.lines)
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
            return "the change begins on \(Words.day(exact.weakened.begins)), after its end"
        }
        let lines = exact.weakened.lines
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
