/// The recorded steps of one evaluation.
public struct Trace: Hashable, Sendable {
    /// The steps in the order in which they happened.
    public let steps: [TraceStep]

    /// Makes a trace from its steps.
    public init(steps: [TraceStep]) { self.steps = steps }
}

extension TraceStep {
    /// Whether texts and JSON list the step. The other steps serve advice: no check reads them, and
    /// `grammar/trace.schema.json` does not have them.
    package var isListed: Bool {
        switch self {
        case .presentedKey, .issuerAddresses, .misplacedEndEntity: return false
        case .engine, .request, .pattern, .rule, .certificate, .demand, .path, .check, .search,
            .work:
            return true
        }
    }
}
