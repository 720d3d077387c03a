import PolicyCompiler
import Rendering
import TrustEngine

/// Writes everything that is known of assertions as JSON. The form is
/// `grammar/assert-report.schema.json`.
enum AssertionJSON {
    /// The name of the format, with its version.
    private static let schema = "hawser/assert/1"

    static func render(_ report: AssertionReport) -> String {
        let outcome: [(String, JSONValue?)]
        switch report.outcome {
        case .notAsked(let failure):
            outcome = [
                ("asked", .bool(false)), ("reason", .string(failure.context)),
                ("isOurFault", .bool(failure.isOurs)),
            ]
        case .answered(let units):
            let verdicts = report.results.map { AssertionSentences.word($0.result.verdict) }
            func count(_ word: String) -> JSONValue { .integer(verdicts.count { $0 == word }) }
            outcome = [
                ("asked", .bool(true)),
                (
                    "counts",
                    .object([
                        ("assertions", .integer(verdicts.count)), ("proved", count("proved")),
                        ("refuted", count("refuted")), ("stale", count("stale")),
                    ])
                ), ("units", .array(units.map(unit))),
            ]
        }
        let head: [(String, JSONValue?)] = [
            ("schema", .string(schema)), ("command", .string(report.command)),
            ("at", .optional(report.at?.description)),
        ]
        return JSONValue.object(head + outcome).render(.pretty) + "\n"
    }

    private static func unit(_ unit: AssertionReport.Unit) -> JSONValue {
        .object([
            ("folder", .string(unit.folder.path.isEmpty ? "." : unit.folder.path)),
            ("policyDigest", .string(unit.policyDigest.text)),
            ("assertions", .array(unit.results.map { result($0, in: unit.folder) })),
        ])
    }

    private static func result(
        _ result: AssertionResult, in unit: UnitFolder
    ) -> JSONValue {
        var reason: String?
        var refutations: [AssertionRefutation] = []
        switch result.verdict {
        case .proved: break
        case .stale(let sentence, _): reason = sentence
        case .refuted(let list): refutations = list
        }
        return .object([
            ("id", .string(result.assertion.id.value)),
            ("verdict", .string(AssertionSentences.word(result.verdict))),
            ("place", place(AssertionFinding.place(of: result, in: unit))),
            ("owner", .optional(result.assertion.owner)),
            ("note", .optional(result.assertion.note)),
            ("from", .string(result.from.description)),
            ("until", .optional(result.until?.description)),
            (
                "demands",
                .array(result.assertion.demands.map { .string($0.key.rawValue) })
            ), ("classes", .integer(result.classes)),
            ("refutedClasses", .integer(result.refuted)), ("intervals", .integer(result.intervals)),
            ("reason", .optional(reason)),
            ("refutations", .array(refutations.map { refutation($0, in: unit) })),
        ])
    }

    private static func refutation(
        _ refutation: AssertionRefutation, in unit: UnitFolder
    ) -> JSONValue {
        let hosts = refutation.hosts
        return .object([
            ("demand", .string(refutation.demand.key.rawValue)),
            (
                "rule",
                .object([
                    ("id", .string(refutation.rule.id)),
                    ("owner", .optional(refutation.rule.owner)),
                    (
                        "place",
                        refutation.rule.location.map {
                            place(unit.path($0.file), Int($0.line), Int($0.column))
                        } ?? .null
                    ),
                ])
            ),
            (
                "hosts",
                .object([
                    ("pattern", .optional(hosts.pattern)),
                    ("port", hosts.port.map { .integer($0) }),
                    ("except", .array(hosts.exceptions.map { .string($0) })),
                    ("exceptionsLeftOut", .integer(hosts.omitted)),
                ])
            ),
            (
                "witness",
                .object([
                    ("host", .string(refutation.witness.host.text)),
                    ("port", .integer(refutation.witness.port)),
                ])
            ), ("from", .string(refutation.from.description)),
            ("until", .optional(refutation.until?.description)),
            ("furtherClasses", .integer(refutation.further)),
            (
                "gaps",
                .array(
                    refutation.gaps.map { gap in
                        .object([
                            ("path", .string(gap.path)), ("wanted", .string(gap.wanted)),
                            ("found", .string(gap.found)),
                            ("remarks", .array(gap.remarks.map { .string($0) })),
                            ("origin", gap.origin?.json ?? .null),
                        ])
                    })
            ),
        ])
    }

    private static func place(_ place: AssertionFinding.Place) -> JSONValue {
        self.place(place.file, place.line, place.column)
    }

    private static func place(_ file: String, _ line: Int, _ column: Int) -> JSONValue {
        .object([
            ("file", .string(file)), ("line", .integer(line)), ("column", .integer(column)),
        ])
    }
}
