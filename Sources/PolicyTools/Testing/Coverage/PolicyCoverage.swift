import Rendering
package import TrustEngine

/// How much of a policy the cases of a test ask (REVIEW section 3).
///
/// Three kinds of things are counted, and the total counts each of them once:
///
/// - *rules*: every rule that decides a host, and `default`. It is covered by a case that it
///   decides.
/// - *hosts in time*: every class of hosts in every interval of time. The classes come from
///   `HostClasses`. An interval begins at the earliest clock of the cases and wherever a waiver, an
///   entry of `report-only` or the enforcement of a pin set of the class's rule has ended. It is
///   covered by a case with a host of the class and a clock in the interval.
/// - *outcomes*: for every demand that a rule's own fields make, an accept that met the demand, and
///   a reject by it.
package struct PolicyCoverage: Sendable {
    /// The counted kinds.
    package enum Kind: String, Hashable, Sendable, CaseIterable {
        case rules
        case hosts
        case outcomes
    }

    /// How many there are, and how many of them cases ask.
    package struct Count: Hashable, Sendable {
        package var covered = 0
        package var all = 0

        static func += (count: inout Count, other: Count) {
            count.covered += other.covered
            count.all += other.all
        }
    }

    /// Something that no case asks.
    package struct Gap: Hashable, Sendable {
        package let kind: Kind
        /// The missing part, lower case, no full stop: "no case is refused by the pins of `pay`".
        package let sentence: String
        /// The id of the rule; empty for `default`.
        package let rule: String
        /// Where the policy writes what no case asks.
        package let location: Provenance.Location?
        /// A host and a port to ask, and the earliest instant at which the question is answered so.
        package let witness: PolicyDiff.Witness
        package let time: UTCInstant
        /// How many of the counted things are missing: a class that no case asks is missing in each
        /// of its intervals.
        package let count: Int
    }

    /// How often cases asked what a line of the policy says.
    package struct Line: Hashable, Sendable {
        /// Path relative to the root of the unit.
        package let file: String
        package let line: Int
        /// The number of cases, by the least asked thing of the line.
        package let hits: Int
    }

    package let counts: [Kind: Count]
    /// The gaps: rules, then hosts, then outcomes; each by its place.
    package let gaps: [Gap]
    /// Every line of the policy that has a rule, a pattern or a demand; by file, then by line.
    package let lines: [Line]
    /// The earliest clock of the cases, where the first interval begins.
    package let since: UTCInstant
    /// The number of classes at which the work was given up, so that every pattern counts as one
    /// class; nil where the classes were made.
    package let tooManyClasses: Int?

    init(
        counts: [Kind: Count], gaps: [Gap], lines: [Line], since: UTCInstant, tooManyClasses: Int?
    ) {
        self.counts = counts
        self.gaps = gaps
        self.lines = lines
        self.since = since
        self.tooManyClasses = tooManyClasses
    }

    package subscript(kind: Kind) -> Count { counts[kind] ?? Count() }

    /// Everything that is counted, of all kinds together.
    package var total: Count { Kind.allCases.reduce(into: Count()) { $0 += self[$1] } }

    /// The whole policy in tenths of a percent, rounded down: 1000 only where nothing is missing.
    package var tenths: Int {
        let total = total
        return total.all == 0 ? 1000 : total.covered * 1000 / total.all
    }

    /// The gaps to list, each with its sentence. Gaps that follow from a rule that no case asks are
    /// counted in the sentence of the rule.
    package var listed: [(gap: Gap, sentence: String)] {
        let unasked = Set(gaps.filter { $0.kind == .rules }.map(\.rule))
        return gaps.filter { $0.kind == .rules || !unasked.contains($0.rule) }.map { gap in
            guard gap.kind == .rules else { return (gap, gap.sentence) }
            let all = gaps.filter { $0.rule == gap.rule }.reduce(0) { $0 + $1.count }
            return (gap, "\(gap.sentence) (\(all) missing in all)")
        }
    }

    /// The shortfall below a share of the policy, in one sentence; nil where it is reached.
    ///
    /// - Parameter tenths: the share in tenths of a percent.
    package func shortfall(below tenths: Int) -> String? {
        let total = total
        guard total.covered * 1000 < tenths * total.all else { return nil }
        let wanted = (tenths * total.all + 999) / 1000
        let parts = Kind.allCases.filter { self[$0].covered < self[$0].all }.map { kind in
            "\(CoverageWords.name(kind)) \(self[kind].covered) of \(self[kind].all)"
        }
        return "coverage is \(CoverageWords.percent(self.tenths)) "
            + "(\(total.covered) of \(total.all)), below the \(CoverageWords.percent(tenths)) that "
            + "`--minimum-coverage` asks for: \(wanted - total.covered) more must be covered; "
            + parts.joined(separator: ", ")
    }
}
