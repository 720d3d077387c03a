#if AsyncHTTPClient

public import AsyncHTTPClient
import CoreMetrics
public import Hawser
public import Logging
public import NIOCore
import Synchronization
public import TrustEngine

/// Why a source cannot be made.
public struct HTTPTableSourceError: CodedError {
    /// Stable names of the reasons.
    public enum Code: String, Hashable, Sendable, CaseIterable {
        /// The store trusts no keys, so whoever answers for the URL would decide the policy.
        case keysRequired = "keys-required"
        /// The text is not a URL of `https` or `http`, or it can be read in more than one way.
        case badURL = "bad-url"
    }

    /// The reason.
    public let code: Code
    /// What was found and what would be right; lower case, no full stop.
    public let context: String

    private init(_ code: Code, _ context: String) {
        self.code = code
        self.context = context
    }

    static let keysRequired = HTTPTableSourceError(
        .keysRequired,
        "the store trusts no keys, and a table from the network must be signed: set "
            + "`PolicyStore.Configuration.trustedKeys`")

    static func badURL(_ url: String) -> HTTPTableSourceError {
        HTTPTableSourceError(
            .badURL, "`\(SafeText.line(url))` is no URL such as `https://HOST/PATH`")
    }
}

/// Keeps a store's table the newest that a URL has.
///
///     let source = try HTTPTableSource(
///         store: store, url: "https://policy.acme.example/table", client: client)
///     let polling = Task { await source.run() }
///
/// Each request carries the table's entity tag. While nothing changes the answer is 304, which is
/// short and confirms the table in force. After a failure, or a table that the store refuses, the
/// pause grows up to `PollSchedule.longestPause`, with jitter and `Retry-After`. The store decides
/// by signature, revision and content; the transport decides only whether there is an answer. The
/// TLS connection to the URL is judged by the client's own configuration.
public final class HTTPTableSource: Sendable {
    /// How a source asks its URL.
    public struct Configuration: Sendable {
        /// When the source asks.
        public var schedule = PollSchedule()
        /// How long one request may take, until the last octet of the answer.
        public var timeout: TimeAmount = .seconds(60)
        /// Most octets that are read of an answer.
        public var largestTable: Int = EngineLoader.largestTable
        /// Fields that the request carries besides its own, such as `Authorization`.
        public var headers: [(name: String, value: String)] = []
        /// The log that the source writes to.
        public var logger = Logger(label: "hawser.source")

        /// The defaults.
        public init() {}
    }

    /// The outcome of one request.
    public enum Outcome: Sendable {
        /// The source had a table, and the store answered the offer.
        case offered(PolicyStore.OfferOutcome)
        /// The table in force is the newest.
        case confirmed
        /// There was no answer that counts.
        case failed(SourceFailure)

        /// The word in metrics and logs.
        public var name: String {
            switch self {
            case .offered(.installed): return "installed"
            case .offered(.unchanged): return "unchanged"
            case .offered(.refused): return "refused"
            case .confirmed: return "confirmed"
            case .failed: return "failed"
            }
        }

        /// Whether the table in force is the table that the source has.
        public var isGood: Bool {
            switch self {
            case .offered(.installed), .offered(.unchanged), .confirmed: return true
            case .offered(.refused), .failed: return false
            }
        }
    }

    /// A table that came from the source and is in force, with its entity tag.
    private struct Tagged {
        let tag: String
        let table: Digest
    }

    private struct State {
        var tagged: Tagged?
        var retryAfter: Int64?
    }

    typealias Exchange =
        @Sendable (HTTPClientRequest, TimeAmount) async throws -> HTTPClientResponse

    private let store: PolicyStore
    private let url: String
    private let origin: WebOrigin
    private let configuration: Configuration
    private let exchange: Exchange
    private let sleep: @Sendable (Duration) async throws -> Void
    private let state = Mutex(State())

    /// Makes a source that asks through an `HTTPClient`. The client should follow no redirects: an
    /// answer from another origin does not count.
    public convenience init(
        store: PolicyStore, url: String, client: HTTPClient,
        configuration: Configuration = Configuration()
    ) throws(HTTPTableSourceError) {
        try self.init(store: store, url: url, configuration: configuration) { request, timeout in
            try await client.execute(request, timeout: timeout)
        }
    }

    /// Makes a source that asks through a client that is itself judged by a store, this one or
    /// another.
    public convenience init(
        store: PolicyStore, url: String, client: HawserHTTPClient,
        configuration: Configuration = Configuration()
    ) throws(HTTPTableSourceError) {
        try self.init(store: store, url: url, configuration: configuration) { request, timeout in
            try await client.execute(request, timeout: timeout)
        }
    }

    init(
        store: PolicyStore, url: String, configuration: Configuration,
        sleep: @escaping @Sendable (Duration) async throws -> Void = {
            try await Task.sleep(for: $0)
        },
        exchange: @escaping Exchange
    ) throws(HTTPTableSourceError) {
        guard store.configuration.trustedKeys != nil else { throw .keysRequired }
        guard let (origin, _) = WebOrigin.split(url) else { throw .badURL(url) }
        self.store = store
        self.url = url
        self.origin = origin
        self.configuration = configuration
        self.exchange = exchange
        self.sleep = sleep
    }

    /// Asks at once and then again and again, until the task is cancelled.
    public func run() async {
        var schedule = configuration.schedule
        while !Task.isCancelled {
            let outcome = await poll()
            guard !Task.isCancelled else { return }
            let pause = schedule.pause(
                after: outcome.isGood, retryAfter: state.withLock { $0.retryAfter },
                chance: Double.random(in: 0..<1))
            do {
                try await sleep(pause)
            } catch {
                // Cancelling the task ends the sleep.
                return
            }
        }
    }

    /// Asks once, now. It is for programs with a timer of their own.
    @discardableResult
    public func poll() async -> Outcome {
        let tagged = state.withLock { $0.tagged }
        // The entity tag is sent only while its table is in force: another source may have offered
        // another table.
        let isInForce = tagged.map { $0.table == store.state.fileDigest } ?? false
        let question = TableQuestion(
            url: url, origin: origin, tag: isInForce ? tagged?.tag : nil,
            headers: configuration.headers, limit: configuration.largestTable)
        let answer = await answer(to: question)
        // A cancelled request says nothing about the source.
        if case .failed(let failure, _) = answer, Task.isCancelled { return .failed(failure) }
        let outcome = settle(answer, asked: isInForce ? tagged : nil)
        report(outcome)
        return outcome
    }

    private func answer(to question: TableQuestion) async -> TableAnswer {
        let (exchange, timeout) = (exchange, configuration.timeout)
        do {
            return try await withTimeout(timeout) {
                try await question.read(exchange(question.request, timeout))
            }
        } catch is TimedOut {
            let seconds = Double(timeout.nanoseconds) / 1e9
            return .failed(
                SourceFailure(code: "timed-out", context: "no whole answer within \(seconds) s"),
                retryAfter: nil)
        } catch {
            return .failed(
                SourceFailure(code: "no-answer", context: SafeText.line("\(error)")),
                retryAfter: nil)
        }
    }

    private func settle(_ answer: TableAnswer, asked: Tagged?) -> Outcome {
        switch answer {
        case .table(let octets, let tag):
            let offer = store.offer(octets, origin: url)
            state.withLock { state in
                state.retryAfter = nil
                state.tagged = nil
                // A table that was refused is requested whole the next time, because the reason may
                // pass.
                if case .refused = offer { return }
                guard let tag else { return }
                state.tagged = Tagged(tag: tag, table: store.state.fileDigest)
            }
            return .offered(offer)
        case .unchanged:
            state.withLock { $0.retryAfter = nil }
            guard let asked, asked.table == store.state.fileDigest else {
                // Another source changed the table meanwhile; the next request is for the whole
                // table.
                return .failed(
                    SourceFailure(
                        code: "superseded", context: "another table was put in force meanwhile"))
            }
            store.confirm()
            return .confirmed
        case .failed(let failure, let retryAfter):
            state.withLock { $0.retryAfter = retryAfter }
            store.sourceFailed(failure, origin: url)
            return .failed(failure)
        }
    }

    private func report(_ outcome: Outcome) {
        Counter(
            label: "hawser_table_polls",
            dimensions: [("store", store.configuration.name), ("outcome", outcome.name)]
        ).increment()
        var metadata: Logger.Metadata = [
            "store": "\(store.configuration.name)", "url": "\(SafeText.line(url))",
        ]
        switch outcome {
        case .offered(.installed(let snapshot)):
            metadata["epoch"] = "\(snapshot.epoch)"
            metadata["revision"] = snapshot.revision.map { "\($0)" }
            configuration.logger.info("a table was put in force", metadata: metadata)
        case .offered(.unchanged), .confirmed:
            configuration.logger.debug("the table in force is the newest", metadata: metadata)
        case .offered(.refused(let refusal)):
            metadata["code"] = "\(refusal.code)"
            metadata["reason"] = "\(SafeText.line(refusal.context))"
            configuration.logger.error("a table was refused", metadata: metadata)
        case .failed(let failure):
            metadata["code"] = "\(failure.code)"
            metadata["reason"] = "\(failure.context)"
            configuration.logger.warning("there is no table to be had", metadata: metadata)
        }
    }
}

/// No answer came in time.
private struct TimedOut: Error {}

/// Returns the result of `body`, or throws `TimedOut`. The one that ends later is cancelled.
private func withTimeout<Value: Sendable>(
    _ timeout: TimeAmount, _ body: @escaping @Sendable () async throws -> Value
) async throws -> Value {
    try await withThrowingTaskGroup(of: Value.self) { group in
        group.addTask(operation: body)
        group.addTask {
            try await Task.sleep(for: .nanoseconds(timeout.nanoseconds))
            throw TimedOut()
        }
        defer { group.cancelAll() }
        guard let first = try await group.next() else { throw TimedOut() }
        return first
    }
}

#endif
