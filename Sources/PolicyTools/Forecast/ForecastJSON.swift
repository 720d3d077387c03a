import Rendering
import TrustEngine

/// Writes everything that is known of a forecast as JSON. The form is
/// `grammar/forecast.schema.json`.
extension ForecastJSON {
    static func render(_ report: ForecastReport) -> String { document(report).document }

    static func document(_ report: ForecastReport) -> Document {
        switch report.outcome {
        case .notAsked(let failure):
            return Document(
                command: report.command, reason: failure.context, isOurFault: failure.isOurs)
        case .foreseen(let forecast):
            return Document(
                command: report.command, policy: forecast.name,
                policyDigest: forecast.policyDigest.text, from: forecast.since.description,
                until: forecast.until.description, failUntil: forecast.failUntil?.description,
                counts: .init(
                    changes: forecast.changes.count, rejects: forecast.count(.rejects),
                    accepts: forecast.count(.accepts), tells: forecast.count(.tells),
                    failures: forecast.failures.count),
                changes: forecast.changes.map(change),
                requests: forecast.requests.map {
                    Request(
                        source: $0.source, host: $0.host, accepts: $0.accepts,
                        headline: $0.headline)
                }, unjudged: forecast.unjudged)
        }
    }

    private static func change(_ change: Forecast.Change) -> Change {
        Change(
            instant: change.instant.description, kind: change.kind.rawValue,
            effect: change.effect.rawValue, subject: change.subject, sentence: change.sentence,
            details: change.details, owner: change.owner, origin: change.origin?.json,
            rules: change.rules.map {
                Rule(
                    id: $0.id, owner: $0.owner, file: $0.location?.file,
                    line: $0.location.map { Int($0.line) },
                    column: $0.location.map { Int($0.column) })
            },
            hosts: change.hosts.map {
                Hosts(
                    pattern: $0.pattern, port: $0.port.map { Int($0) }, except: $0.exceptions,
                    exceptionsLeftOut: $0.omitted)
            },
            verdict: change.verdict.map {
                .init(
                    source: $0.source, host: $0.host, before: $0.before, after: $0.after,
                    begins: $0.begins, ends: $0.ends)
            })
    }
}
