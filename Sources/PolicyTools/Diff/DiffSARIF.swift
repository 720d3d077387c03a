import Rendering
import TrustEngine

/// Writes a comparison as SARIF 2.1.0: one result for each field of a group of classes that change
/// alike, one of each kind, field and source first. Its fingerprint names the first class and the
/// field, so that it stays when lines move.
enum DiffSARIF {
    static func render(_ report: DiffReport) -> String {
        switch report.outcome {
        case .notCompared(let failure):
            return SARIFDocument(
                version: report.version, rules: rules, failure: DiffReport.sentence(failure)
            ).render()
        case .compared(let answers):
            var seen: Set<String> = []
            let results = answers.map(\.diff).flatMap { diff -> [JSONValue] in
                // Two changes of one comparison may be of one field and one first class. Of several
                // comparisons, the later ones repeat what the first says.
                var numbers: [String: Int] = [:]
                let findings = DiffFinding.all(diff)
                return FindingChoice.order(findings).compactMap { index in
                    let finding = findings[index]
                    let own = finding.fingerprint
                    numbers[own, default: 0] += 1
                    let number = numbers[own] ?? 1
                    let key = number == 1 ? own : "\(own)-\(number)"
                    guard let rule = Rule(finding.relation), seen.insert(key).inserted else {
                        return nil
                    }
                    return result(finding, rule, report, key)
                }
            }
            let guardResults = answers.compactMap(\.guards).flatMap {
                DiffSARIF.guards(
                    $0, firstRule: rules.count, statesSuppressions: report.hasAllowances)
            }
            return SARIFDocument(
                version: report.version, rules: rules + guardRules,
                invocation: .object([
                    ("executionSuccessful", .bool(true)),
                    (
                        "properties",
                        answers.allSatisfy(\.approvals.isEmpty)
                            ? nil
                            : .object([
                                (
                                    "approvals",
                                    .array(answers.map { ApprovalSentences($0.approvals).json })
                                )
                            ])
                    ),
                ]), results: results + guardResults
            ).render()
        }
    }

    /// What a result says of a field.
    private enum Rule: String, CaseIterable {
        case weaker = "diff-weaker"
        case incomparable = "diff-incomparable"
        case stricter = "diff-stricter"

        init?(_ relation: Relation) {
            switch relation {
            case .weaker: self = .weaker
            case .incomparable: self = .incomparable
            case .stricter: self = .stricter
            case .equal: return nil
            }
        }

        var level: SARIFDocument.Level {
            switch self {
            case .weaker: return .error
            case .incomparable: return .warning
            case .stricter: return .note
            }
        }

        var title: String {
            switch self {
            case .weaker: return "hosts accept what they refused"
            case .incomparable: return "hosts accept other chains than before"
            case .stricter: return "hosts refuse what they accepted"
            }
        }

        var explanation: String {
            switch self {
            case .weaker:
                return "Under the new policy a field demands less for these hosts than under the "
                    + "old one, at some instant from the day of the comparison on."
            case .incomparable:
                return "Under the new policy a field demands something else for these hosts: it "
                    + "may accept what was refused, and refuse what was accepted."
            case .stricter:
                return "Under the new policy a field demands more for these hosts. A server that "
                    + "does not meet it yet is refused."
            }
        }
    }

    private static var rules: [JSONValue] {
        Rule.allCases.map { rule in
            .object([
                ("id", .string(rule.rawValue)), ("shortDescription", text(rule.title)),
                ("fullDescription", text(rule.explanation)),
                ("help", text("`hawser help diff.md` prints what stricter means, field by field.")),
                ("defaultConfiguration", .object([("level", .string(rule.level.rawValue))])),
                ("properties", rule == .stricter ? nil : rule.level.securityProperties),
            ])
        }
    }

    private static func result(
        _ finding: DiffFinding, _ rule: Rule, _ report: DiffReport, _ fingerprint: String
    ) -> JSONValue {
        let names = JSONValue.array(
            finding.change.classes.map { .object([("fullyQualifiedName", .string($0.text))]) })
        let places = finding.locations.enumerated().map { index, place in
            JSONValue.object([
                (
                    "physicalLocation",
                    .object([
                        (
                            "artifactLocation",
                            SARIFDocument.artifact(report.path(of: place, in: finding.unit))
                        ),
                        (
                            "region",
                            .object([
                                ("startLine", .integer(place.location.line)),
                                ("startColumn", .integer(place.location.column)),
                            ])
                        ),
                    ])
                ), ("logicalLocations", index == 0 ? names : nil),
            ])
        }
        var suppressions: JSONValue?
        if let allowance = finding.change.allowance {
            suppressions = .array([
                .object([
                    ("kind", .string("external")), ("justification", .string(allowance)),
                ])
            ])
        } else if report.hasAllowances {
            // If any result has suppressions, all state theirs (section 3.27.23).
            suppressions = .array([])
        }
        return .object([
            ("ruleId", .string(rule.rawValue)),
            ("ruleIndex", .integer(Rule.allCases.firstIndex(of: rule) ?? 0)),
            ("level", .string(rule.level.rawValue)),
            (
                "message",
                SARIFDocument.message(
                    finding.lines(octets: .max, command: report.command).joined(separator: "\n"))
            ),
            (
                "locations",
                .array(
                    places.first.map { [$0] } ?? [.object([("logicalLocations", names)])])
            ),
            (
                "relatedLocations",
                places.count > 1 ? .array(Array(places[1...].prefix(DiffSARIF.mostPlaces))) : nil
            ),
            ("partialFingerprints", .object([("hawserDiff/1", .string(fingerprint))])),
            ("suppressions", suppressions),
        ])
    }

    /// Further places that a result names. Every host of a result is named.
    private static let mostPlaces = 20

    private static func text(_ text: String) -> JSONValue { SARIFDocument.text(text) }
}

extension DiffReport {
    /// Whether some change is allowed.
    fileprivate var hasAllowances: Bool {
        switch outcome {
        case .notCompared: return false
        case .compared(let answers):
            return answers.contains { $0.diff.changes.contains { $0.allowance != nil } }
        }
    }
}
