import TrustEngine

/// Which decisions get a receipt.
public struct ReceiptSampling: Hashable, Sendable {
    /// One accept in this many gets a receipt; 1 for every accept, 0 for none.
    public var acceptsOneIn: UInt32
    /// One reject in this many gets a receipt; 1 for every reject, 0 for none.
    public var rejectsOneIn: UInt32
    /// Most receipts of rejects in a minute. A reject is evaluated a second time for its trace, and
    /// a peer can cause any number of rejects. Rejects above this number are counted and get no
    /// receipt.
    public var rejectsPerMinute: Int
    /// Octets that the choice depends on, besides the request. Replicas with the same seed choose
    /// the same requests. A secret seed prevents a peer from making requests that are not sampled.
    public var seed: [UInt8]

    /// Makes a sampling. By default every reject gets a receipt, up to 600 a minute, and one accept
    /// in 1,000.
    public init(
        acceptsOneIn: UInt32 = 1_000, rejectsOneIn: UInt32 = 1, rejectsPerMinute: Int = 600,
        seed: [UInt8] = []
    ) {
        self.acceptsOneIn = acceptsOneIn
        self.rejectsOneIn = rejectsOneIn
        self.rejectsPerMinute = rejectsPerMinute
        self.seed = seed
    }

    /// The number that decides whether a request is sampled, from the seed, the host, the port, the
    /// time and the last octets of the end entity, which belong to its signature. Equal requests
    /// give equal numbers on every replica. A request that differs in one of these gives an
    /// unrelated number.
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

    /// Whether a draw is chosen when one in `count` is chosen.
    static func chooses(_ draw: @autoclosure () -> UInt64, oneIn count: UInt32) -> Bool {
        count == 1 || (count > 1 && draw() % UInt64(count) == 0)
    }
}

/// Writes receipts of decisions beside the verdicts. The caller always gets the engine's verdict,
/// whatever happens to the receipt.
///
///     let recorder = ReceiptRecorder { log.write($0.json) }
///     let decision = store.judge(request, recording: DecisionRecording(receipts: recorder))
///
/// A sampled accept is explained instead of evaluated. Another accept costs one digest of a few
/// octets more than its verdict, and nothing when every accept or none is sampled. A sampled reject
/// costs an evaluation and an explanation, because the verdict is not known before. Where every
/// accept is sampled, it costs only the explanation. `rejectsPerMinute` bounds the number of second
/// evaluations.
///
/// The sink runs on the thread that judges, after the verdict is known. The sink must not wait: it
/// should pass the receipt on.
public final class ReceiptRecorder: Sendable {
    /// How many receipts a recorder has written so far.
    public struct Counters: Hashable, Sendable {
        /// Receipts handed to the sink.
        public var recorded: UInt64 = 0
        /// Rejects that were sampled and got no receipt because of `rejectsPerMinute`.
        public var overLimit: UInt64 = 0
    }

    private struct State {
        var limit: EmissionLimit
        var counters = Counters()
    }

    private let sampling: ReceiptSampling
    private let inputs: DecisionReceipt.InputDetail
    private let redaction: Redaction
    private let sink: @Sendable (DecisionReceipt) -> Void
    private let state: Monitor<State>

    /// Makes a recorder. The sink gets every receipt.
    public init(
        sampling: ReceiptSampling = ReceiptSampling(),
        inputs: DecisionReceipt.InputDetail = .digests, redaction: Redaction = Redaction(),
        sink: @escaping @Sendable (DecisionReceipt) -> Void
    ) {
        self.sampling = sampling
        self.inputs = inputs
        self.redaction = redaction
        self.sink = sink
        self.state = Monitor(State(limit: EmissionLimit(perMinute: sampling.rejectsPerMinute)))
    }

    /// How many receipts were written so far.
    public var counters: Counters { state.withLock { $0.counters } }

    /// Whether an accept of the request is to get a receipt, so that the request is explained at
    /// once and not evaluated first. `draw` is the number that decides about the request, once it
    /// was needed: a digest of a few octets.
    func samplesAccept(
        _ request: TrustRequest, _ crypto: any CryptoBackend, draw: inout UInt64?
    ) -> Bool {
        chooses(sampling.acceptsOneIn, request, crypto, &draw)
    }

    /// Writes the receipt of a decision, if the decision is sampled. A decision that is not
    /// explained is evaluated a second time for it, and keeps the explanation for the recorders
    /// after this one. `rejectsPerMinute` bounds how often that happens for rejects.
    func record(_ decision: inout Decision, draw: inout UInt64?) {
        guard isRecorded(decision, &draw) else { return }
        decision = decision.withExplanation()
        let receipt = DecisionReceipt(decision, inputs: inputs, redaction: redaction)
        state.withLock { $0.counters.recorded += 1 }
        sink(receipt)
    }

    private func isRecorded(_ decision: Decision, _ draw: inout UInt64?) -> Bool {
        let request = decision.request
        let crypto = decision.engine.crypto
        if decision.isAccept { return samplesAccept(request, crypto, draw: &draw) }
        guard chooses(sampling.rejectsOneIn, request, crypto, &draw) else { return false }
        return state.withLock { state in
            let admits = state.limit.admits(at: request.time)
            if !admits { state.counters.overLimit += 1 }
            return admits
        }
    }

    private func chooses(
        _ oneIn: UInt32, _ request: TrustRequest, _ crypto: any CryptoBackend,
        _ draw: inout UInt64?
    ) -> Bool {
        func drawn() -> UInt64 {
            let value = draw ?? sampling.draw(request, crypto)
            draw = value
            return value
        }
        return ReceiptSampling.chooses(drawn(), oneIn: oneIn)
    }
}
