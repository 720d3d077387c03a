import Rendering
package import TrustEngine

/// Counts what cases ask of a policy.
///
/// Cost: linear in the patterns and in the cases. A class that no case asks costs one look for a
/// host.
struct CoverageCounter {
    /// The classes of one pattern and port, and what was asked of them.
    private struct Cell {
        let hosts: HostClass
        /// The number of cases in each interval of the deciding rule.
        var hits: [Int]
    }

    /// A rule, and what was asked of it.
    private struct Decider {
        let index: Int
        let place: FieldPlaces.Rule
        /// The first instant of each interval but the first one.
        let changes: [UTCInstant]
        let demands: [RuleDemand]
        var hits = 0
        /// By the index in `demands`: accepts that met the demand, and rejects by it.
        var passed: [Int]
        var refused: [Int]
        /// The indices of its classes.
        var cells: [Int] = []
    }

    private let table: PolicyTable
    private let behaviours: PolicyBehaviours
    private let sets: PolicySets
    private let since: UTCInstant
    private let hosts: HostClasses
    private let tooMany: Int?
    private var cells: [Cell] = []
    private var numbers: [Key: Int] = [:]
    private var deciders: [Int: Decider] = [:]

    private struct Key: Hashable {
        let pattern: HostPattern?
        let port: UInt16?
    }

    init(_ table: PolicyTable, since: UTCInstant) {
        self.table = table
        self.since = since
        behaviours = PolicyBehaviours(table, since: since)
        sets = PolicySets(behaviours.contents)
        hosts = HostClasses([table])
        let all: [HostClass]
        do throws(HostClasses.TooMany) {
            all = try hosts.all()
            tooMany = nil
        } catch {
            all = CoverageCounter.classesByPattern(table)
            tooMany = error.classes
        }
        let places = FieldPlaces(table, behaviours.contents)
        for one in HostOrder.sorted(all, by: { $0 }) {
            let index = one.deciders[0]
            if deciders[index] == nil { deciders[index] = decider(index, places) }
            let intervals = (deciders[index]?.changes.count ?? 0) + 1
            deciders[index]?.cells.append(cells.count)
            numbers[Key(pattern: one.pattern, port: one.port)] = cells.count
            cells.append(Cell(hosts: one, hits: Array(repeating: 0, count: intervals)))
        }
    }

    /// One class for each pattern, and one for the hosts that no pattern names.
    private static func classesByPattern(_ table: PolicyTable) -> [HostClass] {
        var classes: [HostClass] = []
        table.forEachPattern { pattern, rule in
            classes.append(
                HostClass(pattern: pattern, port: pattern.port, deciders: [Int(rule)]))
        }
        return classes + [HostClass(pattern: nil, port: nil, deciders: [HostClass.byDefault])]
    }

    private func decider(_ index: Int, _ places: FieldPlaces) -> Decider {
        let demands = RuleDemand.all(of: behaviours.body(of: index), sets: sets, since: since)
        return Decider(
            index: index, place: places.rule(index),
            changes: behaviours.behaviour(of: index).changes(after: since), demands: demands,
            passed: Array(repeating: 0, count: demands.count),
            refused: Array(repeating: 0, count: demands.count))
    }

    // MARK: Counting

    mutating func add(_ one: CaseObservation) {
        let match = table.lookUp(one.host, port: one.port)
        let index = match.map { Int($0.rule) } ?? HostClass.byDefault
        let pattern = match.map { table.pattern(at: Int($0.pattern)) }
        let number =
            numbers[Key(pattern: pattern, port: one.port)]
            ?? numbers[Key(pattern: pattern, port: nil)]
        guard let number, let decider = deciders[index] else { return }
        deciders[index]?.hits += 1
        cells[number].hits[decider.changes.count { $0 <= one.time }] += 1
        guard let explanation = one.explanation else { return }
        let seen = SeenOutcomes(explanation)
        for (position, demand) in decider.demands.enumerated() {
            if seen.passed.contains(demand.check) { deciders[index]?.passed[position] += 1 }
            if seen.refused.contains(demand.check) { deciders[index]?.refused[position] += 1 }
        }
    }

    // MARK: The result

    func result() throws(AnswerFailure) -> PolicyCoverage {
        var tally = CoverageTally()
        for index in deciders.keys.sorted() {
            guard let decider = deciders[index] else { continue }
            var witnesses: [Int: PolicyDiff.Witness] = [:]
            for number in decider.cells where cells[number].hits.contains(0) {
                witnesses[number] = try witness(cells[number].hosts)
            }
            tally.rule = decider.place
            // Where cases ask every class, a case can still miss an outcome.
            tally.example = decider.cells.lazy.compactMap { witnesses[$0] }.first
            if tally.example == nil, let first = decider.cells.first {
                tally.example = try witness(cells[first].hosts)
            }
            tally.time = since
            count(rule: decider, &tally)
            for number in decider.cells {
                count(cells[number], of: decider, witnesses[number], &tally)
            }
            count(outcomes: decider, &tally)
        }
        return tally.coverage(since: since, tooManyClasses: tooMany)
    }

    private func count(rule decider: Decider, _ tally: inout CoverageTally) {
        tally.count(.rules, min(1, decider.hits), of: 1, decider.place.location, decider.hits)
        guard decider.hits == 0 else { return }
        tally.gap(.rules, CoverageWords.unasked(rule: decider.place.id), decider.place.location)
    }

    /// - Parameter witness: a host of the class, where some interval of the class is not asked. Nil
    ///   there for a pattern whose hosts narrower patterns take; it counts nowhere.
    private func count(
        _ cell: Cell, of decider: Decider, _ witness: PolicyDiff.Witness?,
        _ tally: inout CoverageTally
    ) {
        let asked = cell.hits.count { $0 > 0 }
        if asked < cell.hits.count, witness == nil { return }
        let place = cell.hosts.pattern.flatMap { decider.place.place(of: $0) }
        tally.count(.hosts, asked, of: cell.hits.count, place, cell.hits.min() ?? 0)
        guard asked > 0 else {
            tally.gap(
                .hosts, CoverageWords.unasked(cell.hosts, during: nil), place, witness,
                count: cell.hits.count)
            return
        }
        for (interval, hits) in cell.hits.enumerated() where hits == 0 {
            tally.gap(
                .hosts, CoverageWords.unasked(cell.hosts, during: words(interval, decider)), place,
                witness, interval == 0 ? since : decider.changes[interval - 1])
        }
    }

    private func count(outcomes decider: Decider, _ tally: inout CoverageTally) {
        for (position, demand) in decider.demands.enumerated() {
            let hits =
                (demand.canPass ? [decider.passed[position]] : [])
                + (demand.canRefuse ? [decider.refused[position]] : [])
            let missing = hits.count { $0 == 0 }
            let origin = decider.place.origin(of: demand.path)
            // A demand that policies do not write, such as the host's name, has no line.
            tally.count(
                .outcomes, hits.count - missing, of: hits.count,
                origin?.layer == .byDefault ? nil : origin?.location, hits.min() ?? 0)
            guard missing > 0 else { continue }
            tally.gap(
                .outcomes,
                CoverageWords.unseen(
                    demand, rule: decider.place.id,
                    pass: demand.canPass && decider.passed[position] == 0,
                    refusal: demand.canRefuse && decider.refused[position] == 0),
                origin?.location, count: missing)
        }
    }

    /// A host of a class. Nil where the class stands for a pattern and no host is left to it.
    private func witness(_ one: HostClass) throws(AnswerFailure) -> PolicyDiff.Witness? {
        if let found = hosts.witness(one) {
            return PolicyDiff.Witness(host: found.host, port: found.port)
        }
        guard tooMany != nil else {
            throw AnswerFailure(
                "no host of `\(one.text)` is decided as was found; this is a fault of hawser",
                isOurs: true)
        }
        return nil
    }

    /// An interval of a rule in words.
    private func words(_ interval: Int, _ decider: Decider) -> String {
        func edge(_ number: Int) -> (time: UTCInstant, ends: [String])? {
            guard decider.changes.indices.contains(number) else { return nil }
            let time = decider.changes[number]
            return (time, ends(at: time.advanced(bySeconds: -1), decider.index))
        }
        return CoverageWords.interval(from: edge(interval - 1), before: edge(interval))
    }

    /// What of a rule is in force for the last time in a second.
    private func ends(at last: UTCInstant, _ index: Int) -> [String] {
        guard let body = behaviours.body(of: index) else { return [] }
        return body.waivers.filter { $0.until == last }.map { "waiver `\($0.tolerance.name)`" }
            + body.reportOnly.filter { $0.until == last }.map { "report-only `\($0.check.name)`" }
            + body.pins.compactMap { sets.pins[$0] }
            .filter { $0.enforceUntil == last && $0.onExpiry != .fail }
            .map { "the enforcement of pins `\($0.id)`" }
    }
}

extension PolicyCoverage {
    /// Counts what the cases of a test ask of a policy.
    ///
    /// - Throws: `AnswerFailure` where no host of a class is decided as was found, a fault of ours.
    ///
    /// Cost: linear in the patterns of the table and in the cases.
    package init(_ table: PolicyTable, _ cases: [CaseObservation]) throws(AnswerFailure) {
        let since = cases.map(\.time).min() ?? UTCInstant(secondsSinceEpoch: 0)
        var counter = CoverageCounter(table, since: since)
        for one in cases { counter.add(one) }
        self = try counter.result()
    }
}
