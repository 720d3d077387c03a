// How two behaviours compare from an instant to the end of time.

/// The comparison of two behaviours in an interval of time. The interval ends where the next one of
/// the timeline begins; the last one never ends.
package struct DatedComparison: Sendable {
    /// The first instant of the interval.
    package let from: UTCInstant
    package let comparison: BehaviourComparison
}

extension Behaviour {
    /// The instants after `time` at which the behaviour changes: the first second after the end of
    /// an exception or of the enforcement of a pin set. Sorted, each once.
    package func changes(after time: UTCInstant) -> [UTCInstant] {
        guard case .body(let body) = self else { return [] }
        let ends = body.exceptions.map(\.until) + body.pins.compactMap { $0.end?.last }
        return Set(ends.map { $0.advanced(bySeconds: 1) }).filter { $0 > time }.sorted()
    }
}

extension BehaviourOrder {
    /// How one behaviour compares with another at every instant from `time` on. Neighbouring
    /// intervals differ.
    ///
    /// Cost: a comparison for each instant at which one of the two changes.
    package func timeline(
        _ here: Behaviour, _ there: Behaviour, since time: UTCInstant
    ) -> [DatedComparison] {
        let instants = Set(here.changes(after: time) + there.changes(after: time)).sorted()
        var found: [DatedComparison] = []
        for instant in [time] + instants {
            let comparison = compare(here.asOf(instant), there.asOf(instant))
            if let last = found.last, last.comparison == comparison { continue }
            found.append(DatedComparison(from: instant, comparison: comparison))
        }
        return found
    }
}
