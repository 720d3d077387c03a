import PolicyCompiler
import Rendering

/// Writes what is not proved as SARIF 2.1.0: one result for each refutation, at the line of the
/// policy, with the assertion as a related place.
enum AssertionSARIF {
    static func render(_ report: AssertionReport) -> String {
        switch report.outcome {
        case .notAsked(let failure):
            return SARIFDocument(
                version: report.version, rules: rules, failure: AssertionSentences.notAsked(failure)
            ).render()
        case .answered:
            var seen: Set<String> = []
            let results = AssertionFinding.all(report)
                .filter { seen.insert($0.fingerprint).inserted }.map(result)
            return SARIFDocument(
                version: report.version, rules: rules,
                invocation: .object([("executionSuccessful", .bool(true))]), results: results
            ).render()
        }
    }

    private static var rules: [JSONValue] {
        AssertionFinding.Kind.allCases.map { kind in
            .object([
                ("id", .string(kind.rawValue)),
                ("shortDescription", SARIFDocument.text(kind.code.title)),
                ("fullDescription", SARIFDocument.text(kind.code.page.explanation)),
                (
                    "help",
                    SARIFDocument.text("`hawser help assert.md` prints what each demand asks.")
                ),
                (
                    "defaultConfiguration",
                    .object([("level", .string(SARIFDocument.Level.error.rawValue))])
                ), ("properties", SARIFDocument.Level.error.securityProperties),
            ])
        }
    }

    private static func result(_ finding: AssertionFinding) -> JSONValue {
        let places = finding.policyPlaces + [finding.assertionPlace]
        return .object([
            ("ruleId", .string(finding.kind.rawValue)),
            (
                "ruleIndex",
                .integer(AssertionFinding.Kind.allCases.firstIndex(of: finding.kind) ?? 0)
            ), ("level", .string(SARIFDocument.Level.error.rawValue)),
            ("message", SARIFDocument.message(finding.lines.joined(separator: "\n"))),
            ("locations", .array([location(places[0])])),
            (
                "relatedLocations",
                places.count > 1
                    ? .array(places[1...].prefix(AssertionSARIF.mostPlaces).map(location)) : nil
            ),
            (
                "partialFingerprints",
                .object([("hawserAssert/1", .string(finding.fingerprint))])
            ),
        ])
    }

    private static func location(_ place: AssertionFinding.Place) -> JSONValue {
        .object([
            (
                "physicalLocation",
                .object([
                    ("artifactLocation", SARIFDocument.artifact(place.file)),
                    (
                        "region",
                        .object([
                            ("startLine", .integer(place.line)),
                            ("startColumn", .integer(place.column)),
                        ])
                    ),
                ])
            )
        ])
    }

    /// Further places that a result names.
    private static let mostPlaces = 20
}

extension AssertionFinding.Kind {
    /// The code by which `lint` reports it.
    fileprivate var code: DiagnosticCode {
        switch self {
        case .refuted: return .refutedAssertion
        case .stale: return .staleAssertion
        }
    }
}
