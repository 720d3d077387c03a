public import TrustEngine

extension PolicySnapshot {
    /// Judges a request by this policy. The call takes about as long as verifying the signatures of
    /// the path, reads no clock, disk or network, and never waits.
    ///
    /// - Parameters:
    ///   - request: the request.
    ///   - recording: the recorders that see the decision; by default none.
    public func judge(
        _ request: TrustRequest, recording: DecisionRecording = DecisionRecording()
    ) -> Decision {
        recording.judge(request, by: self)
    }

    /// Judges a request by this policy, and fetches the evidence that the verdict wants and that
    /// may be fetched. The verdict with that evidence counts; it has the same time. Evidence is
    /// fetched at most three times for a request, and nothing is fetched for a chain whose
    /// signatures do not reach an anchor. This policy gives every verdict, also where a store puts
    /// another one in force while evidence is fetched.
    ///
    /// Where the rule permits fetching as `wait`, the call blocks for at most
    /// `FetchLimits.timePerRequest`. Otherwise the call blocks only to read evidence from the
    /// fetcher's folder. Evidence that cannot be had changes nothing: the rule says what follows.
    ///
    /// - Parameters:
    ///   - request: the request.
    ///   - fetcher: fetches the evidence; nil where nothing is fetched.
    ///   - recording: the recorders that see the decision, once, with all its evidence.
    public func judge(
        _ request: TrustRequest, fetching fetcher: EvidenceFetcher?,
        recording: DecisionRecording = DecisionRecording()
    ) -> Decision {
        guard let fetcher else { return recording.judge(request, by: self) }
        let engine = engine
        let recorder = FilterRecorder(request, engine)
        let answer = fetcher.evaluateWaiting(recorder?.asked(for: request) ?? request, by: engine)
        return decision(answer, by: engine, recorder, recording)
    }

    /// Judges a request and fetches as the synchronous function does, for callers that must not
    /// block.
    ///
    /// When the kept evidence is enough, and when nothing may be fetched, the decision comes at
    /// once on the caller's own thread. Otherwise another thread waits for the evidence. When
    /// `FetchLimits.waiting` threads wait already, or the system has no thread left, nothing is
    /// fetched: the rule says what follows.
    public func judge(
        _ request: TrustRequest, fetching fetcher: EvidenceFetcher?,
        recording: DecisionRecording = DecisionRecording()
    ) async -> Decision {
        guard let fetcher else { return recording.judge(request, by: self) }
        let engine = engine
        let recorder = FilterRecorder(request, engine)
        let answer = await fetcher.evaluateAside(
            recorder?.asked(for: request) ?? request, by: engine)
        return decision(answer, by: engine, recorder, recording)
    }

    private func decision(
        _ answer: EvidenceFetcher.Answer, by engine: Engine, _ recorder: FilterRecorder?,
        _ recording: DecisionRecording
    ) -> Decision {
        let decision = Decision(
            answer.verdict, of: recorder?.recorded(in: answer.request) ?? answer.request,
            by: self, engine: engine,
            attempts: answer.attempts)
        recording.record(decision)
        return decision
    }
}
