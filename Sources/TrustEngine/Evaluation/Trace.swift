/// The recorded steps of one evaluation.
public struct Trace: Hashable, Sendable {
    /// The steps in the order in which they happened.
    public let steps: [TraceStep]

    /// Makes a trace from its steps.
    public init(steps: [TraceStep]) { self.steps = steps }
}
