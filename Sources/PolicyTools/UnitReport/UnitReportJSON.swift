import Rendering
import TrustEngine

/// Writes everything that is known of a unit as JSON. The form is
/// `grammar/unit-report.schema.json`.
extension UnitReportJSON {
    /// The document, with a line end at its end.
    package static func render(_ document: UnitReportDocument) -> String {
        value(document).document
    }

    static func value(_ document: UnitReportDocument) -> Document {
        let report = document.report
        return Document(
            command: document.command, version: document.version, unit: report.name,
            policyDigest: report.policyDigest.text, at: report.time.description,
            until: report.until.description, summary: UnitReportSentences.lead(report),
            counts: .init(
                classes: report.classes.count, rules: report.ruleCount, denied: report.deniedCount,
                ways: report.demands.count { !$0.isDenied }, anchors: report.anchors.count,
                pins: report.pins.count, exceptions: report.exceptions.count),
            next: report.next.map {
                .init(
                    instant: $0.instant.description, subject: $0.subject, sentence: $0.sentence)
            }, classes: report.classes.enumerated().map { hosts($0 + 1, $1) },
            demands: report.demands.map(demands), anchors: report.anchors.map(anchors),
            pins: report.pins.map(pins), exceptions: report.exceptions.map(exception),
            surface: report.surface.map(surface),
            findings: report.findings.map { DiagnosticJSON.document($0).json })
    }

    // MARK: Hosts

    private static func hosts(_ number: Int, _ entry: UnitReport.HostEntry) -> Class {
        Class(
            number: number, hosts: DiffSentences.text(entry.hosts, exceptions: false),
            except: entry.hosts.exceptions, omitted: entry.hosts.omitted, depth: entry.depth,
            inside: entry.outer, pattern: entry.pattern, rule: entry.rule.id,
            owner: entry.rule.owner, note: entry.note, location: .location(entry.location),
            witness: entry.witness.text, demands: entry.demands + 1,
            exceptions: entry.exceptions.map { $0 + 1 },
            comparison: entry.comparison.map(comparison))
    }

    private static func comparison(_ comparison: UnitReport.Comparison) -> Class.Comparison {
        .init(
            relation: DiffSentences.relation(comparison.relation), rule: comparison.rule,
            sentence: UnitReportSentences.comparison(comparison),
            fields: comparison.fields.map {
                .init(
                    field: $0.path, relation: DiffSentences.relation($0.relation),
                    sentence: $0.sentence)
            })
    }

    private static func demands(_ demands: UnitReport.Demands) -> Demands {
        Demands(
            denied: demands.isDenied, anchors: demands.anchors,
            pinnedKeysAreAnchors: demands.arePinnedKeys, pins: demands.pins,
            pinsBind: demands.pinsBind, guarantee: demands.guarantee,
            strictness: .object(
                demands.strictness.map { ($0.field.rawValue, .string($0.value)) }),
            written: demands.fields.map(field), classes: demands.classes)
    }

    private static func field(_ field: EffectiveRule.Field) -> Field {
        Field(
            field: field.name, text: field.text(), value: field.value, origin: field.origin.json)
    }

    private static func uses(_ uses: UnitReport.Uses) -> Uses {
        Uses(rules: uses.rules, classes: uses.classes)
    }

    // MARK: Sets and exceptions

    private static func anchors(_ entry: UnitReport.AnchorEntry) -> Anchors {
        Anchors(
            id: entry.id, owner: entry.owner, location: .location(entry.location),
            usedBy: uses(entry.uses), fields: entry.fields.map(field),
            certificates: entry.certificates.map {
                .init(
                    standing: $0.standing.rawValue, sentence: $0.sentence,
                    certificate: $0.facts.json)
            })
    }

    private static func pins(_ entry: UnitReport.PinEntry) -> Pins {
        Pins(
            id: entry.id, owner: entry.owner, location: .location(entry.location),
            usedBy: uses(entry.uses), standing: entry.standing.rawValue,
            sentences: entry.sentences, fields: entry.fields.map(field))
    }

    private static func exception(_ entry: UnitReport.ExceptionEntry) -> Exception {
        Exception(
            kind: entry.kind.rawValue, check: entry.check, until: entry.until.description,
            standing: entry.standing.rawValue, sentence: entry.sentence, owner: entry.owner,
            reason: entry.reason, ticket: entry.ticket, limit: entry.limit, note: entry.note,
            origin: entry.origin?.json, usedBy: uses(entry.uses))
    }

    private static func surface(_ row: UnitReport.SurfaceRow) -> Surface {
        Surface(
            kind: row.kind.rawValue, authorities: row.authorities, sets: row.sets,
            classes: row.classes, pinned: row.pinned, holdsDefault: row.holdsDefault)
    }
}
