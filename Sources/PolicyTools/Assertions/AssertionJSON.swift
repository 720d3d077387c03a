import PolicyCompiler
import Rendering
import TrustEngine

/// Writes everything that is known of assertions as JSON. The form is
/// `grammar/assert-report.schema.json`.
extension AssertionJSON {
    static func render(_ report: AssertionReport) -> String {
        switch report.outcome {
        case .notAsked(let failure):
            return Document(
                command: report.command, reason: failure.context, isOurFault: failure.isOurs
            ).document
        case .answered(let units, let time):
            let verdicts = report.results.map { AssertionSentences.word($0.result.verdict) }
            func count(_ word: String) -> Int { verdicts.count { $0 == word } }
            return Document(
                command: report.command, at: time.description,
                counts: .init(
                    assertions: verdicts.count, proved: count("proved"), refuted: count("refuted"),
                    stale: count("stale")), units: units.map(unit)
            ).document
        }
    }

    private static func unit(_ unit: AssertionReport.Unit) -> Unit {
        Unit(
            folder: unit.folder.path.isEmpty ? "." : unit.folder.path,
            policyDigest: unit.policyDigest.text,
            assertions: unit.results.map { result($0, in: unit.folder) })
    }

    private static func result(_ result: AssertionResult, in unit: UnitFolder) -> Assertion {
        var reason: String?
        var refutations: [AssertionRefutation] = []
        switch result.verdict {
        case .proved: break
        case .stale(let sentence, _): reason = sentence
        case .refuted(let list): refutations = list
        }
        let assertion = result.assertion
        let place = AssertionFinding.place(of: result, in: unit)
        return Assertion(
            id: assertion.id.value, verdict: AssertionSentences.word(result.verdict),
            place: Place(file: place.file, line: place.line, column: place.column),
            owner: assertion.owner, note: assertion.note, from: result.from.description,
            until: result.until?.description, demands: assertion.demands.map(\.key.rawValue),
            classes: result.classes, refutedClasses: result.refuted, intervals: result.intervals,
            reason: reason, refutations: refutations.map { refutation($0, in: unit) })
    }

    private static func refutation(
        _ refutation: AssertionRefutation, in unit: UnitFolder
    ) -> Refutation {
        let hosts = refutation.hosts
        let witness = refutation.witness
        return Refutation(
            demand: refutation.demand.key.rawValue,
            rule: .init(
                id: refutation.rule.id, owner: refutation.rule.owner,
                place: refutation.rule.location.map {
                    Place(file: unit.path($0.file), line: $0.line, column: $0.column)
                }),
            hosts: .init(
                pattern: hosts.pattern, port: hosts.port.map { Int($0) },
                except: hosts.exceptions, exceptionsLeftOut: hosts.omitted),
            witness: .init(host: witness.host.text, port: witness.port),
            from: refutation.from.description, until: refutation.until?.description,
            furtherClasses: refutation.further,
            gaps: refutation.gaps.map {
                .init(
                    path: $0.path, wanted: $0.wanted, found: $0.found, remarks: $0.remarks,
                    origin: $0.origin?.json)
            })
    }
}
