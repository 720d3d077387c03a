public import TrustEngine

extension PolicyStore {
    /// Judges a request by the policy in force. The call never waits, whatever is being loaded.
    ///
    /// - Parameters:
    ///   - request: the request.
    ///   - recording: the recorders that see the decision; by default none.
    public func judge(
        _ request: TrustRequest, recording: DecisionRecording = DecisionRecording()
    ) -> Decision {
        snapshot.judge(request, recording: recording)
    }

    /// Judges a request by the policy in force, and fetches the evidence that the verdict wants and
    /// that may be fetched, as `PolicySnapshot.judge(_:fetching:recording:)` does. The call blocks
    /// where the rule permits waiting.
    ///
    /// - Parameters:
    ///   - request: the request.
    ///   - fetcher: fetches the evidence; nil where nothing is fetched.
    ///   - recording: the recorders that see the decision, once, with all its evidence.
    public func judge(
        _ request: TrustRequest, fetching fetcher: EvidenceFetcher?,
        recording: DecisionRecording = DecisionRecording()
    ) -> Decision {
        snapshot.judge(request, fetching: fetcher, recording: recording)
    }

    /// Judges a request and fetches as the synchronous function does, for callers that must not
    /// block.
    public func judge(
        _ request: TrustRequest, fetching fetcher: EvidenceFetcher?,
        recording: DecisionRecording = DecisionRecording()
    ) async -> Decision {
        await snapshot.judge(request, fetching: fetcher, recording: recording)
    }
}
