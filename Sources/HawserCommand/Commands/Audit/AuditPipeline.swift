import Hawser
import PolicyTools

/// Reads, judges and writes rows at once: one thread reads, several judge, and the thread that
/// calls writes, in the order of the rows. Few batches are on the way at a time; where the writer
/// waits, the reader waits too.
struct AuditPipeline: Sendable {
    /// Takes the batches in their order. It throws where they cannot be written.
    typealias Writer = (AuditJudge.Judged) throws(CommandFailure) -> Void

    private struct State: Sendable {
        var waiting: [AuditBatch] = []
        var judged: [Int: AuditJudge.Judged] = [:]
        var taken = 0
        var written = 0
        /// The number of all batches, when the input has ended.
        var count: Int?
        var octets = 0
        var failure: CommandFailure?
        var isStopped = false
        /// Threads that judge.
        var judging = 0
    }

    let judge: AuditJudge
    let jobs: Int

    /// What the writer's thread is told while it waits: the octets of the input that are read.
    typealias Ticker = (_ octets: Int) -> Void

    /// Judges every row that `reader` has, and hands what comes out to `write`. `tick` is called a
    /// few times a second.
    func run(
        _ reader: AuditReader, tick: Ticker, write: Writer
    ) throws(CommandFailure) {
        let state = Monitor(State())
        try start(reader, state)
        defer {
            state.withLock { $0.isStopped = true }
            // The thread that reads may wait for a stream, and nobody waits for it.
            _ = state.wait { $0.judging == 0 ? true : nil }
        }
        while true {
            let turn = Deadline(in: .milliseconds(200))
            let next = state.wait(until: turn) { state -> Turn? in
                if let batch = state.judged.removeValue(forKey: state.written) {
                    state.written += 1
                    return .batch(batch)
                }
                if state.count == state.written { return .end(state.failure) }
                return nil
            }
            tick(state.withLock { $0.octets })
            switch next {
            case .batch(let batch)?: try write(batch)
            case .end(let failure)?:
                if let failure { throw failure }
                return
            case nil: break
            }
        }
    }

    private enum Turn {
        case batch(AuditJudge.Judged)
        case end(CommandFailure?)
    }

    private func start(
        _ reader: AuditReader, _ state: Monitor<State>
    ) throws(CommandFailure) {
        let most = 2 * jobs + 2
        let judge = judge
        var isReading = false
        var judging = 0
        for _ in 0..<jobs {
            state.withLock { $0.judging += 1 }
            let isStarted = BackgroundThread.start {
                AuditPipeline.work(judge, state)
                state.withLock { $0.judging -= 1 }
            }
            if isStarted { judging += 1 } else { state.withLock { $0.judging -= 1 } }
        }
        // With fewer threads than were asked for it takes longer, and is the same.
        if judging > 0 {
            isReading = BackgroundThread.start { AuditPipeline.read(reader, state, most: most) }
        }
        guard isReading else {
            state.withLock { $0.isStopped = true }
            throw .couldNotAsk("the system starts no thread, and rows are judged by threads")
        }
    }

    private static func read(_ reader: AuditReader, _ state: Monitor<State>, most: Int) {
        var reader = reader
        var read = 0
        while true {
            let isStopped = state.wait { state -> Bool? in
                if state.isStopped { return true }
                return read - state.written < most ? false : nil
            }
            if isStopped { return }
            do throws(CommandFailure) {
                guard let batch = try reader.batch() else { break }
                read += 1
                let octets = reader.octets
                state.withLock {
                    $0.waiting.append(batch)
                    $0.octets = octets
                }
            } catch {
                state.withLock { $0.failure = error }
                break
            }
        }
        let count = read
        state.withLock { $0.count = count }
    }

    private static func work(_ judge: AuditJudge, _ state: Monitor<State>) {
        while true {
            let next = state.wait { state -> AuditBatch?? in
                if state.isStopped { return .some(nil) }
                if !state.waiting.isEmpty {
                    state.taken += 1
                    return state.waiting.removeFirst()
                }
                return state.count == state.taken ? .some(nil) : nil
            }
            guard let batch = next else { return }
            let judged = judge.judge(batch)
            state.withLock { $0.judged[batch.number] = judged }
        }
    }
}
