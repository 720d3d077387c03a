import CSchemas
import PolicyTools

/// The JSON Schemas that the command can print, as they are in `grammar/`. The C target `CSchemas`
/// embeds the files as constants of the executable. Their octets are not read before one is
/// printed.
enum PrintedSchema: String, CaseIterable {
    case policy, allow, test, assert, diagnostics, rules, trace, show, classes, inspect, filter
    case fetch, revocations, baseline, receipt, report, error, diff, log, forecast, audit
    case exports, export
    /// An OpenAPI document, not a JSON Schema by itself.
    case serve
    case whyNot = "why-not"
    case testReport = "test-report"
    case assertReport = "assert-report"
    case filterReply = "filter-reply"
    case auditRow = "audit-row"
    case auditSummary = "audit-summary"
    case unitReport = "unit-report"

    /// The schema's file, with a line end at its end.
    var text: String { String(decoding: EmbeddedFile.octets(number), as: UTF8.self) }

    private var number: UInt32 {
        let number =
            switch self {
            case .policy: HAWSER_SCHEMA_POLICY
            case .allow: HAWSER_SCHEMA_ALLOW
            case .test: HAWSER_SCHEMA_TEST
            case .testReport: HAWSER_SCHEMA_TEST_REPORT
            case .assert: HAWSER_SCHEMA_ASSERT
            case .assertReport: HAWSER_SCHEMA_ASSERT_REPORT
            case .diagnostics: HAWSER_SCHEMA_DIAGNOSTICS
            case .rules: HAWSER_SCHEMA_RULES
            case .trace: HAWSER_SCHEMA_TRACE
            case .show: HAWSER_SCHEMA_SHOW
            case .classes: HAWSER_SCHEMA_CLASSES
            case .inspect: HAWSER_SCHEMA_INSPECT
            case .filter: HAWSER_SCHEMA_FILTER
            case .filterReply: HAWSER_SCHEMA_FILTER_REPLY
            case .fetch: HAWSER_SCHEMA_FETCH
            case .revocations: HAWSER_SCHEMA_REVOCATIONS
            case .baseline: HAWSER_SCHEMA_BASELINE
            case .receipt: HAWSER_SCHEMA_RECEIPT
            case .report: HAWSER_SCHEMA_REPORT
            case .error: HAWSER_SCHEMA_ERROR
            case .whyNot: HAWSER_SCHEMA_WHY_NOT
            case .diff: HAWSER_SCHEMA_DIFF
            case .log: HAWSER_SCHEMA_LOG
            case .forecast: HAWSER_SCHEMA_FORECAST
            case .serve: HAWSER_OPENAPI_SERVE
            case .audit: HAWSER_SCHEMA_AUDIT
            case .auditRow: HAWSER_SCHEMA_AUDIT_ROW
            case .auditSummary: HAWSER_SCHEMA_AUDIT_SUMMARY
            case .unitReport: HAWSER_SCHEMA_UNIT_REPORT
            case .exports: HAWSER_SCHEMA_EXPORTS
            case .export: HAWSER_SCHEMA_EXPORT
            }
        return UInt32(number)
    }
}
