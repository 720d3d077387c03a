/// Where the one evaluator reports what it does.
package protocol TraceSink {
    /// Whether steps are kept, so that work which only makes steps can be left out.
    static var keepsSteps: Bool { get }
    /// Takes a step; a sink that drops it never evaluates the argument.
    mutating func record(_ step: @autoclosure () -> TraceStep)
}

/// Drops every step: what enforcement runs with.
package struct NoTrace: TraceSink {
    package static var keepsSteps: Bool { false }
    package init() {}
    @inline(__always)
    package mutating func record(_ step: @autoclosure () -> TraceStep) {}
}

/// Keeps every step: what `explain` runs with.
package struct TraceRecorder: TraceSink {
    package static var keepsSteps: Bool { true }
    package private(set) var steps: [TraceStep] = []
    package init() {}
    package mutating func record(_ step: @autoclosure () -> TraceStep) { steps.append(step()) }
}
