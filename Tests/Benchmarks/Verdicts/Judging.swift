import Hawser
import TrustEngine

/// One request, judged again and again by several threads at a time.
struct Judging: Sendable {
    let store: PolicyStore
    let request: TrustRequest
    /// Verdicts of each thread.
    let count: Int
    let threads: Int

    /// Judges; whether every verdict was the same.
    func run() async -> Bool {
        let accepts = store.judge(request).isAccept
        return await withTaskGroup(of: Bool.self) { group in
            for _ in 0..<threads { group.addTask { areAll(accepts) } }
            var isSteady = true
            for await part in group { isSteady = isSteady && part }
            return isSteady
        }
    }

    private func areAll(_ accepts: Bool) -> Bool {
        for _ in 0..<count where store.judge(request).isAccept != accepts { return false }
        return true
    }
}
