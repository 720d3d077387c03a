extension Engine {
    /// Judges a request. The function is pure: the same engine and the same request give the same
    /// verdict. The engine's budget bounds the work, whatever the peer presents.
    public func evaluate(_ request: TrustRequest) -> Verdict {
        var sink = NoTrace()
        return Evaluator.run(engine: self, request: request, into: &sink)
    }

    /// Judges a request of which the caller has the head. `whole` returns the request with that
    /// head. It is called once, or never if no rule matches the host. Returns the same verdict as
    /// `evaluate` on the whole request.
    package func evaluate(_ head: RequestHead, whole: () -> TrustRequest) -> Verdict {
        var sink = NoTrace()
        return Evaluator.run(engine: self, head: head, whole: whole, into: &sink)
    }

    /// Judges a request and records the trace that the verdict follows from. It runs the same code
    /// as `evaluate`.
    public func explain(_ request: TrustRequest) -> Explanation {
        var sink = TraceRecorder()
        let verdict = Evaluator.run(engine: self, request: request, into: &sink)
        return Explanation(
            verdict: verdict, trace: Trace(steps: sink.steps), table: table,
            facts: RequestFacts(request, verdict, self, sink))
    }
}
