/// Receives the steps of an evaluation.
package protocol TraceSink {
    /// Whether the sink keeps steps. Code that only makes steps runs only for a sink that keeps
    /// them.
    static var keepsSteps: Bool { get }
    /// Takes a step. A sink that drops the step never evaluates the argument.
    mutating func record(_ step: @autoclosure () -> TraceStep)
    /// Takes the inputs that the evaluation has parsed. A sink that drops steps never evaluates the
    /// argument.
    mutating func keep(_ inputs: @autoclosure () -> ReadInputs)
}

extension TraceSink {
    /// Drops the inputs.
    @inline(__always)
    package mutating func keep(_ inputs: @autoclosure () -> ReadInputs) {}
}

/// The parsed certificates and evidence of a request. Each input is parsed once: by the evaluation.
package struct ReadInputs: Sendable {
    /// The certificates that can be used, in wire order, each once.
    package var certificates: [CertificatePool.Presented] = []
    /// The revocation evidence; empty where the budget did not allow to read it.
    package var evidence = RevocationEvidence()
}

/// Drops every step. Enforcement runs with this sink.
package struct NoTrace: TraceSink {
    package static var keepsSteps: Bool { false }
    /// Has no meaning. It gives the sink an address: the thread sanitizer reads the memory of
    /// values that are passed inout.
    private let octet: UInt8 = 0
    package init() {}
    @inline(__always)
    package mutating func record(_ step: @autoclosure () -> TraceStep) {}
    @inline(__always)
    package mutating func keep(_ inputs: @autoclosure () -> ReadInputs) {}
}

/// Keeps every step, and the inputs. `explain` runs with this sink.
package struct TraceRecorder: TraceSink {
    package static var keepsSteps: Bool { true }
    package private(set) var steps: [TraceStep] = []
    /// The inputs; empty where the evaluation ended before it read them.
    package private(set) var inputs = ReadInputs()
    package init() {}
    package mutating func record(_ step: @autoclosure () -> TraceStep) { steps.append(step()) }
    package mutating func keep(_ inputs: @autoclosure () -> ReadInputs) { self.inputs = inputs() }
}
