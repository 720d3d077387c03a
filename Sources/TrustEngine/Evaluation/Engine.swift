/// A policy table with the inputs it names, resolved and prepared: what evaluation runs on.
/// Immutable and safe to share between threads.
public struct Engine: Sendable {
    /// The table.
    public let table: PolicyTable

    /// Prepares a table. Cost: linear in the anchors.
    ///
    /// - Throws: `EngineLoadError` when an anchor does not parse, or the policy names `system` and
    ///   `inputs` has no usable system store.
    public init(
        table: PolicyTable, inputs: EngineInputs = EngineInputs(), crypto: any CryptoBackend
    ) throws(EngineLoadError) {
        self.table = table
    }

    /// The verdict on a request.
    public func evaluate(_ request: TrustRequest) -> Verdict {
        Verdict(
            outcome: .reject([.engineError("not built")]), policyDigest: table.policyDigest,
            systemStoreDigest: nil)
    }

    /// The verdict on a request and the trace that it follows from; the same code as `evaluate`.
    public func explain(_ request: TrustRequest) -> Explanation {
        Explanation(verdict: evaluate(request), trace: Trace(steps: []))
    }
}

/// A verdict with its trace.
public struct Explanation: Hashable, Sendable {
    /// The verdict.
    public let verdict: Verdict
    /// The steps it follows from.
    public let trace: Trace

    /// An explanation.
    public init(verdict: Verdict, trace: Trace) {
        self.verdict = verdict
        self.trace = trace
    }
}

/// What a table names and a load must supply.
public struct EngineInputs: Sendable {
    /// DER of the machine's trust anchors; nil when there is no store.
    public var systemStore: [[UInt8]]?

    /// Inputs; by default none.
    public init(systemStore: [[UInt8]]? = nil) { self.systemStore = systemStore }
}

/// Why a table cannot be made into an engine.
public struct EngineLoadError: Error, Hashable, Sendable {
    /// The reason's stable name.
    public enum Code: String, Hashable, Sendable {
        case systemStoreMissing = "system-store-missing"
        case anchorUnreadable = "anchor-unreadable"
    }

    /// The reason.
    public let code: Code
    /// What was found, lower case, no full stop.
    public let context: String

    /// An error.
    public init(code: Code, context: String) {
        self.code = code
        self.context = context
    }
}
