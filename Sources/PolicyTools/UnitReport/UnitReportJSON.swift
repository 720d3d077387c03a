import Rendering
import TrustEngine

/// Writes everything that is known of a unit as JSON. The form is
/// `grammar/unit-report.schema.json`.
package enum UnitReportJSON {
    /// The name of the format, with its version.
    private static let schema = "hawser/unit-report/1"

    /// The document, with a line end at its end.
    package static func render(_ document: UnitReportDocument) -> String {
        value(document).render(.pretty) + "\n"
    }

    static func value(_ document: UnitReportDocument) -> JSONValue {
        let report = document.report
        return .object([
            ("schema", .string(schema)), ("command", .string(document.command)),
            ("version", .string(document.version)), ("unit", .string(report.name)),
            ("policyDigest", .string(report.policyDigest.text)),
            ("at", .string(report.time.description)),
            ("until", .string(report.until.description)),
            ("summary", .string(UnitReportSentences.lead(report))), ("counts", counts(report)),
            ("next", report.next.map(next)),
            (
                "classes",
                .array(report.classes.enumerated().map { hosts($0 + 1, $1, report) })
            ),
            ("demands", .array(report.demands.map(demands))),
            ("anchors", .array(report.anchors.map(anchors))),
            ("pins", .array(report.pins.map(pins))),
            ("exceptions", .array(report.exceptions.map(exception))),
            ("surface", .array(report.surface.map(surface))),
            ("findings", report.findings.map(DiagnosticJSON.value)),
        ])
    }

    private static func counts(_ report: UnitReport) -> JSONValue {
        .object([
            ("classes", .integer(report.classes.count)), ("rules", .integer(report.ruleCount)),
            ("denied", .integer(report.deniedCount)),
            ("ways", .integer(report.demands.count { !$0.isDenied })),
            ("anchors", .integer(report.anchors.count)), ("pins", .integer(report.pins.count)),
            ("exceptions", .integer(report.exceptions.count)),
        ])
    }

    private static func next(_ next: UnitReport.NextReject) -> JSONValue {
        .object([
            ("instant", .string(next.instant.description)), ("subject", .string(next.subject)),
            ("sentence", .string(next.sentence)),
        ])
    }

    private static func strings(_ texts: [String]) -> JSONValue {
        .array(texts.map { .string($0) })
    }

    // MARK: Hosts

    private static func hosts(
        _ number: Int, _ entry: UnitReport.HostEntry, _ report: UnitReport
    ) -> JSONValue {
        .object([
            ("number", .integer(number)),
            ("hosts", .string(DiffSentences.text(entry.hosts, exceptions: false))),
            ("except", strings(entry.hosts.exceptions)),
            ("omitted", .integer(entry.hosts.omitted)), ("depth", .integer(entry.depth)),
            ("inside", entry.outer.map { .integer($0) }), ("pattern", .optional(entry.pattern)),
            ("rule", .string(entry.rule.id)), ("owner", .optional(entry.rule.owner)),
            ("note", .optional(entry.note)), ("location", .location(entry.location)),
            ("witness", .string(entry.witness.text)), ("demands", .integer(entry.demands + 1)),
            ("exceptions", .array(entry.exceptions.map { .integer($0 + 1) })),
            ("comparison", entry.comparison.map(comparison)),
        ])
    }

    private static func comparison(_ comparison: UnitReport.Comparison) -> JSONValue {
        .object([
            ("relation", .string(DiffSentences.relation(comparison.relation))),
            ("rule", .string(comparison.rule)),
            ("sentence", .string(UnitReportSentences.comparison(comparison))),
            (
                "fields",
                .array(
                    comparison.fields.map { field in
                        .object([
                            ("field", .string(field.path)),
                            ("relation", .string(DiffSentences.relation(field.relation))),
                            ("sentence", .string(field.sentence)),
                        ])
                    })
            ),
        ])
    }

    private static func demands(_ demands: UnitReport.Demands) -> JSONValue {
        .object([
            ("denied", .bool(demands.isDenied)), ("anchors", strings(demands.anchors)),
            ("pinnedKeysAreAnchors", .bool(demands.arePinnedKeys)),
            ("pins", strings(demands.pins)), ("pinsBind", .bool(demands.pinsBind)),
            ("guarantee", .optional(demands.guarantee)),
            (
                "strictness",
                .object(demands.strictness.map { ($0.field.rawValue, .string($0.value)) })
            ), ("written", .array(demands.fields.map(field))),
            ("classes", .array(demands.classes.map { .integer($0) })),
        ])
    }

    private static func field(_ field: EffectiveRule.Field) -> JSONValue {
        .object([
            ("field", .string(field.name)), ("text", .string(field.text())),
            ("value", field.value), ("origin", field.origin.json),
        ])
    }

    private static func uses(_ uses: UnitReport.Uses) -> JSONValue {
        .object([("rules", strings(uses.rules)), ("classes", .integer(uses.classes))])
    }

    // MARK: Sets and exceptions

    private static func anchors(_ entry: UnitReport.AnchorEntry) -> JSONValue {
        .object([
            ("id", .string(entry.id)), ("owner", .optional(entry.owner)),
            ("location", .location(entry.location)), ("usedBy", uses(entry.uses)),
            ("fields", .array(entry.fields.map(field))),
            (
                "certificates",
                .array(
                    entry.certificates.map { certificate in
                        .object([
                            ("standing", .string(certificate.standing.rawValue)),
                            ("sentence", .string(certificate.sentence)),
                            ("certificate", certificate.facts.json),
                        ])
                    })
            ),
        ])
    }

    private static func pins(_ entry: UnitReport.PinEntry) -> JSONValue {
        .object([
            ("id", .string(entry.id)), ("owner", .optional(entry.owner)),
            ("location", .location(entry.location)), ("usedBy", uses(entry.uses)),
            ("standing", .string(entry.standing.rawValue)),
            ("sentences", strings(entry.sentences)),
            ("fields", .array(entry.fields.map(field))),
        ])
    }

    private static func exception(_ entry: UnitReport.ExceptionEntry) -> JSONValue {
        .object([
            ("kind", .string(entry.kind.rawValue)), ("check", .string(entry.check)),
            ("until", .string(entry.until.description)),
            ("standing", .string(entry.standing.rawValue)),
            ("sentence", .string(entry.sentence)), ("owner", .optional(entry.owner)),
            ("reason", .optional(entry.reason)), ("ticket", .optional(entry.ticket)),
            ("limit", .optional(entry.limit)), ("note", .optional(entry.note)),
            ("origin", entry.origin?.json), ("usedBy", uses(entry.uses)),
        ])
    }

    private static func surface(_ row: UnitReport.SurfaceRow) -> JSONValue {
        .object([
            ("kind", .string(row.kind.rawValue)), ("authorities", strings(row.authorities)),
            ("sets", strings(row.sets)), ("classes", .integer(row.classes)),
            ("pinned", .integer(row.pinned)), ("holdsDefault", .bool(row.holdsDefault)),
        ])
    }
}
