/// The JSON Schemas that the command can print, as they are in `grammar/`. The texts are constants
/// in the executable: nothing is decoded before one is printed.
enum PrintedSchema: String, CaseIterable {
    case policy, diagnostics, rules, trace, show, inspect, fetch, revocations, baseline
    case receipt, report
    case whyNot = "why-not"

    /// The schema's file, with a line end at its end.
    var text: String {
        switch self {
        case .policy: return PrintedSchema.policyText
        case .diagnostics: return PrintedSchema.diagnosticsText
        case .rules: return PrintedSchema.rulesText
        case .trace: return PrintedSchema.traceText
        case .show: return PrintedSchema.showText
        case .inspect: return PrintedSchema.inspectText
        case .fetch: return PrintedSchema.fetchText
        case .revocations: return PrintedSchema.revocationsText
        case .baseline: return PrintedSchema.baselineText
        case .receipt: return PrintedSchema.receiptText
        case .report: return PrintedSchema.reportText
        case .whyNot: return PrintedSchema.whyNotText
        }
    }
}
