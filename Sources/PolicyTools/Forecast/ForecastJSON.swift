import Rendering
import TrustEngine

/// Writes everything that is known of a forecast as JSON. The form is
/// `grammar/forecast.schema.json`.
enum ForecastJSON {
    /// The name of the format, with its version.
    private static let schema = "hawser/forecast/1"

    static func render(_ report: ForecastReport) -> String {
        document(report).render(.pretty) + "\n"
    }

    static func document(_ report: ForecastReport) -> JSONValue {
        let outcome: [(String, JSONValue?)]
        switch report.outcome {
        case .notAsked(let failure):
            outcome = [
                ("asked", .bool(false)), ("reason", .string(failure.context)),
                ("isOurFault", .bool(failure.isOurs)),
            ]
        case .foreseen(let forecast): outcome = [("asked", .bool(true))] + members(forecast)
        }
        return .object(
            [("schema", .string(schema)), ("command", .string(report.command))] + outcome)
    }

    private static func members(_ forecast: Forecast) -> [(String, JSONValue?)] {
        [
            ("policy", .string(forecast.name)),
            ("policyDigest", .string(forecast.policyDigest.text)),
            ("from", .string(forecast.since.description)),
            ("until", .string(forecast.until.description)),
            ("failUntil", .optional(forecast.failUntil?.description)),
            (
                "counts",
                .object(
                    [("changes", .integer(forecast.changes.count))]
                        + Forecast.Effect.allCases.map {
                            ($0.rawValue, .integer(forecast.count($0)))
                        } + [("failures", .integer(forecast.failures.count))])
            ), ("changes", .array(forecast.changes.map(change))),
            (
                "requests",
                .array(
                    forecast.requests.map { request in
                        .object([
                            ("source", .string(request.source)), ("host", .string(request.host)),
                            ("accepts", .bool(request.accepts)),
                            ("headline", .string(request.headline)),
                        ])
                    })
            ), ("unjudged", .array(forecast.unjudged.map { .string($0) })),
        ]
    }

    private static func change(_ change: Forecast.Change) -> JSONValue {
        .object([
            ("instant", .string(change.instant.description)),
            ("kind", .string(change.kind.rawValue)), ("effect", .string(change.effect.rawValue)),
            ("subject", .string(change.subject)), ("sentence", .string(change.sentence)),
            ("details", .array(change.details.map { .string($0) })),
            ("owner", .optional(change.owner)), ("origin", change.origin?.json),
            ("rules", .array(change.rules.map(rule))), ("hosts", .array(change.hosts.map(hosts))),
            (
                "verdict",
                change.verdict.map { verdict in
                    .object([
                        ("source", .string(verdict.source)), ("host", .string(verdict.host)),
                        ("before", .string(verdict.before)), ("after", .string(verdict.after)),
                        ("begins", .array(verdict.begins.map { .string($0) })),
                        ("ends", .array(verdict.ends.map { .string($0) })),
                    ])
                }
            ),
        ])
    }

    private static func rule(_ rule: RuleReference) -> JSONValue {
        .object([
            ("id", .string(rule.id)), ("owner", .optional(rule.owner)),
            ("file", .optional(rule.location?.file)),
            ("line", rule.location.map { .integer($0.line) }),
            ("column", rule.location.map { .integer($0.column) }),
        ])
    }

    private static func hosts(_ hosts: PolicyDiff.HostText) -> JSONValue {
        .object([
            ("pattern", .optional(hosts.pattern)), ("port", hosts.port.map { .integer($0) }),
            ("except", .array(hosts.exceptions.map { .string($0) })),
            ("exceptionsLeftOut", .integer(hosts.omitted)),
        ])
    }
}
