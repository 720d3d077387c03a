/// Receives the steps of an evaluation.
package protocol TraceSink {
    /// Whether the sink keeps steps. Code that only makes steps runs only for a sink that keeps
    /// them.
    static var keepsSteps: Bool { get }
    /// Takes a step. A sink that drops the step never evaluates the argument.
    mutating func record(_ step: @autoclosure () -> TraceStep)
}

/// Drops every step. Enforcement runs with this sink.
package struct NoTrace: TraceSink {
    package static var keepsSteps: Bool { false }
    /// Says nothing. Without it a sink has no address, and the thread sanitizer looks at the memory
    /// of what is passed inout.
    private let octet: UInt8 = 0
    package init() {}
    @inline(__always)
    package mutating func record(_ step: @autoclosure () -> TraceStep) {}
}

/// Keeps every step. `explain` runs with this sink.
package struct TraceRecorder: TraceSink {
    package static var keepsSteps: Bool { true }
    package private(set) var steps: [TraceStep] = []
    package init() {}
    package mutating func record(_ step: @autoclosure () -> TraceStep) { steps.append(step()) }
}
