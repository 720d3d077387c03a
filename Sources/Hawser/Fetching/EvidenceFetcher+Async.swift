public import TrustEngine

extension EvidenceFetcher {
    /// Evaluates and fetches like the synchronous function, for callers that must not block.
    ///
    /// When the kept evidence is enough, and when nothing may be fetched, the answer comes at once
    /// on the caller's own thread. Otherwise another thread waits for the evidence. When
    /// `FetchLimits.waiting` threads wait already, or the system has no thread left, nothing is
    /// fetched: the rule says what follows.
    public func evaluateFetching(
        _ request: TrustRequest, by policy: some PolicyInForce, permission: Permission = .policy
    ) async -> FetchedVerdict {
        let policy = FixedPolicy(policy)
        let (verdict, isFinal) = evaluateKept(request, by: policy, permission: permission)
        if isFinal { return verdict }
        return await withCheckedContinuation { continuation in
            let isFree = waiting.withLock { count in
                guard count < limits.waiting else { return false }
                count += 1
                return true
            }
            let isStarted =
                isFree
                && BackgroundThread.start { [self] in
                    let fetched = evaluateWaiting(request, by: policy, permission: permission)
                    waiting.withLock { $0 -= 1 }
                    continuation.resume(returning: fetched)
                }
            guard !isStarted else { return }
            if isFree { waiting.withLock { $0 -= 1 } }
            continuation.resume(returning: verdict)
        }
    }
}
