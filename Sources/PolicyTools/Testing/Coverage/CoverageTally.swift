import Rendering
import TrustEngine

/// Gathers the counts and the gaps of a coverage.
struct CoverageTally {
    /// The rule that is counted now, a host that it decides, and the first instant.
    var rule: FieldPlaces.Rule?
    var example: PolicyDiff.Witness?
    var time = UTCInstant(secondsSinceEpoch: 0)

    private var counts: [PolicyCoverage.Kind: PolicyCoverage.Count] = [:]
    private var gaps: [PolicyCoverage.Kind: [PolicyCoverage.Gap]] = [:]
    /// By file and line, the hits of the least asked thing.
    private var lines: [String: [Int: Int]] = [:]

    /// Counts things that stand at one place of the policy.
    ///
    /// - Parameter hits: the cases that ask the least asked one of them.
    mutating func count(
        _ kind: PolicyCoverage.Kind, _ covered: Int, of all: Int, _ location: Provenance.Location?,
        _ hits: Int
    ) {
        counts[kind, default: .init()] += .init(covered: covered, all: all)
        guard let location else { return }
        let known = lines[location.file]?[location.line] ?? .max
        lines[location.file, default: [:]][location.line] = min(known, hits)
    }

    /// Adds a gap that no case covers. A gap without a host to ask is left out, because no case can
    /// close it.
    mutating func gap(
        _ kind: PolicyCoverage.Kind, _ sentence: String, _ location: Provenance.Location?,
        _ witness: PolicyDiff.Witness? = nil, _ instant: UTCInstant? = nil, count: Int = 1
    ) {
        guard let witness = witness ?? example else { return }
        gaps[kind, default: []].append(
            PolicyCoverage.Gap(
                kind: kind, sentence: sentence, rule: rule?.id ?? "",
                location: location ?? rule?.location, witness: witness, time: instant ?? time,
                count: count))
    }

    func coverage(since: UTCInstant, tooManyClasses: Int?) -> PolicyCoverage {
        PolicyCoverage(
            counts: counts,
            gaps: PolicyCoverage.Kind.allCases.flatMap {
                PlaceOrder.sorted(gaps[$0] ?? [], \.location)
            },
            lines: lines.sorted { $0.key < $1.key }.flatMap { file, lines in
                lines.sorted { $0.key < $1.key }.map {
                    PolicyCoverage.Line(file: file, line: $0.key, hits: $0.value)
                }
            }, since: since, tooManyClasses: tooManyClasses)
    }
}
