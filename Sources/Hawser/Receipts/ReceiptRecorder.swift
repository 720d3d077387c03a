public import TrustEngine

/// Which decisions a receipt is written of.
public struct ReceiptSampling: Hashable, Sendable {
    /// Of so many accepts one; 1 for each, 0 for none.
    public var acceptsOneIn: UInt32
    /// Of so many rejects one; 1 for each, 0 for none.
    public var rejectsOneIn: UInt32
    /// Most receipts of rejects in a minute. A reject is evaluated a second time for its trace, and
    /// a peer can be refused as often as it likes: past this they are counted and not written.
    public var rejectsPerMinute: Int
    /// What the choice depends on besides the request. Replicas with the same choose the same
    /// requests; kept secret, it keeps a peer from choosing requests that are not sampled.
    public var seed: [UInt8]

    /// A sampling; by default every reject, up to 600 a minute, and one in 1,000 accepts.
    public init(
        acceptsOneIn: UInt32 = 1_000, rejectsOneIn: UInt32 = 1, rejectsPerMinute: Int = 600,
        seed: [UInt8] = []
    ) {
        self.acceptsOneIn = acceptsOneIn
        self.rejectsOneIn = rejectsOneIn
        self.rejectsPerMinute = rejectsPerMinute
        self.seed = seed
    }

    /// Where a request falls, the same wherever it is asked: of the seed, the host, the port, the
    /// time and the end of the end entity's octets, which is its signature. Equal requests fall
    /// alike; one that differs in any of these falls anywhere.
    func draw(_ request: TrustRequest, _ crypto: any CryptoBackend) -> UInt64 {
        var message: [UInt8] = []
        message.reserveCapacity(seed.count + request.host.utf8.count + 64)
        func add(_ number: UInt64) {
            for shift in stride(from: 56, through: 0, by: -8) {
                message.append(UInt8(truncatingIfNeeded: number >> UInt64(shift)))
            }
        }
        add(UInt64(seed.count))
        message += seed
        add(UInt64(request.host.utf8.count))
        message += request.host.utf8
        add(UInt64(request.port))
        add(UInt64(bitPattern: request.time.secondsSinceEpoch))
        if let leaf = request.presentedChain.first { message += leaf.suffix(32) }
        let digest = crypto.digest(.sha256, of: message.span)
        return (0..<8).reduce(0) { $0 << 8 | UInt64(digest.byte(at: $1)) }
    }

    /// Whether a draw is among one in so many.
    static func chooses(_ draw: @autoclosure () -> UInt64, oneIn count: UInt32) -> Bool {
        count == 1 || (count > 1 && draw() % UInt64(count) == 0)
    }
}

/// Writes receipts of decisions beside the verdicts, and never in their way: what it is given gets
/// the verdict of its engine, whatever becomes of the receipt.
///
///     let recorder = ReceiptRecorder { log.write($0.json) }
///     let verdict = recorder.evaluate(request, by: store)
///
/// The sink runs on the thread that evaluates, after the verdict is known. It must not wait: hand
/// the receipt on.
public final class ReceiptRecorder: Sendable {
    /// What a recorder has done so far.
    public struct Counters: Hashable, Sendable {
        /// Receipts handed to the sink.
        public var recorded: UInt64 = 0
        /// Rejects that were sampled and over the limit of a minute.
        public var overLimit: UInt64 = 0
    }

    private struct State {
        var limit: EmissionLimit
        var counters = Counters()
    }

    private let sampling: ReceiptSampling
    private let weight: DecisionReceipt.Weight
    private let redaction: Redaction
    private let sink: @Sendable (DecisionReceipt) -> Void
    private let state: Monitor<State>

    /// A recorder.
    public init(
        sampling: ReceiptSampling = ReceiptSampling(),
        weight: DecisionReceipt.Weight = .digests, redaction: Redaction = Redaction(),
        sink: @escaping @Sendable (DecisionReceipt) -> Void
    ) {
        self.sampling = sampling
        self.weight = weight
        self.redaction = redaction
        self.sink = sink
        self.state = Monitor(State(limit: EmissionLimit(perMinute: sampling.rejectsPerMinute)))
    }

    /// What was done so far.
    public var counters: Counters { state.withLock { $0.counters } }

    /// The verdict on a request, with a receipt where it is sampled.
    ///
    /// An accept that is sampled is explained in place of evaluated. One that is not costs one
    /// digest of a few octets more than its verdict, nothing at all where every accept or none is
    /// sampled. A reject that is sampled is explained after it was evaluated, since nobody knows
    /// before; that is bounded by `rejectsPerMinute`.
    public func evaluate(_ request: TrustRequest, by source: some VerdictSource) -> Verdict {
        let policy = source.snapshot
        let engine = policy.engine
        var drawn: UInt64?
        func draw() -> UInt64 {
            let value = drawn ?? sampling.draw(request, engine.crypto)
            drawn = value
            return value
        }
        if ReceiptSampling.chooses(draw(), oneIn: sampling.acceptsOneIn) {
            let explanation = engine.explain(request)
            guard explanation.verdict.isAccept else {
                if isRecordedReject(draw(), at: request.time) {
                    write(explanation, of: request, by: policy)
                }
                return explanation.verdict
            }
            write(explanation, of: request, by: policy)
            return explanation.verdict
        }
        let verdict = engine.evaluate(request)
        if !verdict.isAccept, isRecordedReject(draw(), at: request.time) {
            write(engine.explain(request), of: request, by: policy)
        }
        return verdict
    }

    /// Writes the receipt of a decision that was explained for another reason, whatever the
    /// sampling says.
    public func record(
        _ explanation: Explanation, of request: TrustRequest, by policy: some PolicyInForce
    ) {
        write(explanation, of: request, by: policy)
    }

    private func isRecordedReject(
        _ draw: @autoclosure () -> UInt64, at time: UTCInstant
    ) -> Bool {
        guard ReceiptSampling.chooses(draw(), oneIn: sampling.rejectsOneIn) else { return false }
        return state.withLock { state in
            let admits = state.limit.admits(at: time)
            if !admits { state.counters.overLimit += 1 }
            return admits
        }
    }

    private func write(
        _ explanation: Explanation, of request: TrustRequest, by policy: some PolicyInForce
    ) {
        let receipt = DecisionReceipt(
            explanation, of: request, by: policy, weight: weight, redaction: redaction)
        state.withLock { $0.counters.recorded += 1 }
        sink(receipt)
    }
}
