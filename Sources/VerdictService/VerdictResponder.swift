package import Hawser
import Rendering
import TrustEngine

/// Answers questions about one policy, each by the table that is in force when it comes. No socket
/// and no clock but the store's; any number of threads may ask.
///
/// A reject has the status 403, so a caller that looks at the status alone fails closed: 200 is an
/// accept, and everything else is none.
package final class VerdictResponder: Sendable {
    /// The name and version of the format of `/v1/evaluate`.
    package static let verdictSchema = "hawser/verdict/1"
    /// The name and version of the format of `/healthz`.
    package static let healthSchema = "hawser/health/1"
    /// The name and version of the format of `/readyz`.
    package static let readySchema = "hawser/ready/1"

    package let store: PolicyStore
    private let ledger: MetricsLedger
    private let verdicts = VerdictCount()
    /// Fetches evidence where a rule lets it; nil where nothing is ever fetched.
    private let fetcher: EvidenceFetcher?
    private let places = Monitor<KnownPlaces?>(nil)

    /// The provenance of one table, read once: reading it takes as long as the policy has fields.
    private struct KnownPlaces: Sendable {
        let table: Digest
        let provenance: Provenance?
    }

    /// - Parameters:
    ///   - ledger: the factory of the store's metrics.
    ///   - fetcher: what fetches evidence where a rule lets it; nil for nothing.
    package init(store: PolicyStore, ledger: MetricsLedger, fetcher: EvidenceFetcher? = nil) {
        self.store = store
        self.ledger = ledger
        self.fetcher = fetcher
    }

    /// Whether a question takes some microseconds, so that the thread that reads it may answer it.
    /// A long body, a rule that is shown, and a fetch can take longer.
    package func isShort(_ endpoint: Endpoint, octets: Int) -> Bool {
        switch endpoint {
        case .health, .ready, .metrics: return true
        case .evaluate, .explain: return fetcher == nil && octets <= VerdictResponder.shortBody
        case .show: return false
        }
    }

    /// A chain of four certificates with its staple has some 12,000 octets in base64.
    private static let shortBody = 32 << 10

    /// Answers the question that a body asks; the endpoints of GET have none.
    ///
    /// - Parameters:
    ///   - isStopping: whether the server stops, so that it is not ready.
    ///   - metrics: numbers of the server itself, for `/metrics`.
    package func answer(
        _ endpoint: Endpoint, body: [UInt8], isStopping: Bool = false,
        metrics: MetricsText = MetricsText()
    ) -> ServiceAnswer {
        do throws(ServiceProblem) {
            switch endpoint {
            case .evaluate: return try evaluate(try AskedQuestion(body, for: endpoint))
            case .explain: return explain(try AskedQuestion(body, for: endpoint))
            case .show: return try show(try AskedQuestion(body, for: endpoint))
            case .health: return health()
            case .ready: return ready(isStopping: isStopping)
            case .metrics:
                var all = metrics
                all.add(store, ledger, verdicts)
                return ServiceAnswer(
                    status: 200, mediaType: ServiceAnswer.openMetrics,
                    text: all.text(.openMetrics))
            }
        } catch {
            return ServiceAnswer(error)
        }
    }

    // MARK: Verdicts

    private struct Judged {
        /// The decision, with its explanation.
        let decision: Decision
        let explanation: Explanation

        var snapshot: PolicySnapshot { decision.policy }
        /// The reject in words; nil for an accept.
        var reject: RejectError? { RejectError(decision) }
        /// The commands to run next; empty for an accept.
        var commands: [String] { reject?.command.map { [$0] } ?? [] }
        /// Sentences about fetching.
        let fetches: [String]
    }

    private func judge(_ asked: AskedQuestion) -> Judged {
        let snapshot = store.snapshot
        let engine = snapshot.engine
        var request = TrustRequest(
            host: asked.host, port: asked.port, presentedChain: asked.chain,
            time: asked.time ?? store.configuration.clock(), tls: asked.tls,
            evidence: asked.evidence)
        // CRLs are prepared, as the command prepares them: reading a large CRL from a request would
        // use up the work of an evaluation.
        let lists = request.evidence.crls
        if !lists.isEmpty {
            let signers = EvidenceSigners(request, engine)
            request.evidence.crls = []
            for list in lists {
                request.evidence.add(crl: list, signers: signers, crypto: engine.crypto)
            }
        }
        var fetches: [String] = []
        if let fetcher {
            let fetched = snapshot.judge(request, fetching: fetcher)
            request = fetched.request
            fetches = fetched.attempts.map { attempt in
                let what = "\(attempt.wanted.source.name) \(attempt.wanted.url)"
                switch attempt.outcome {
                case .kept, .fetched: return "fetched \(what)"
                case .failed(let failure):
                    return "could not fetch \(what): \(failure.code.rawValue): \(failure.context)"
                }
            }
        }
        let explanation: Explanation
        (explanation, request) = engine.explainRecording(request)
        verdicts.count(
            explanation.verdict, host: request.host, port: request.port, by: engine.table)
        return Judged(
            decision: Decision(explanation, of: request, by: snapshot, engine: engine),
            explanation: explanation, fetches: fetches)
    }

    private func trace(_ judged: Judged) -> TraceJSON {
        let table = judged.snapshot.engine.table
        let known = places.withLock { $0 }
        let provenance: Provenance?
        if let known, known.table == table.fileDigest {
            provenance = known.provenance
        } else {
            provenance = table.provenance()
            let read = KnownPlaces(table: table.fileDigest, provenance: provenance)
            places.withLock { $0 = read }
        }
        return TraceJSON(judged.explanation, provenance, table)
    }

    /// A caller acts on this answer, so no port is assumed where the port may decide.
    private func evaluate(_ asked: AskedQuestion) throws(ServiceProblem) -> ServiceAnswer {
        let judged = judge(asked)
        if asked.isPortAssumed,
            ConnectionDemands.dependOnPort(of: judged.snapshot.engine, host: asked.host)
        {
            throw ServiceProblem(
                .portUnknown,
                "the body has no `port`, and the policy may decide this host by another rule at "
                    + "another port",
                pointer: "/port")
        }
        let reject = judged.reject
        let value = trace(judged).verdictValue(
            schema: VerdictResponder.verdictSchema,
            [
                "id": judged.decision.id.text, "line": reject?.description.json ?? .null,
                "commands": (reject?.command).map { [$0] } ?? [],
                "store": store.configuration.name, "epoch": judged.snapshot.epoch,
                "revision": judged.snapshot.revision?.json ?? .null,
            ])
        return ServiceAnswer(
            status: VerdictResponder.status(judged.explanation.verdict), value,
            fields: VerdictResponder.fields(judged.snapshot))
    }

    private func explain(_ asked: AskedQuestion) -> ServiceAnswer {
        let judged = judge(asked)
        let value = trace(judged).value(
            asked.assumptions + judged.fetches, commands: judged.commands)
        return ServiceAnswer(
            status: VerdictResponder.status(judged.explanation.verdict),
            mediaType: ServiceAnswer.json, text: value.render(.pretty) + "\n",
            fields: VerdictResponder.fields(judged.snapshot))
    }

    /// The status of a verdict. Only an accept has a status of success.
    private static func status(_ verdict: Verdict) -> UInt16 { verdict.isAccept ? 200 : 403 }

    /// The epoch, which belongs into the keys of sessions and pooled connections.
    private static func fields(_ snapshot: PolicySnapshot) -> [(String, String)] {
        [("hawser-epoch", String(snapshot.epoch))]
    }

    // MARK: The policy and the service

    private func show(_ asked: AskedQuestion) throws(ServiceProblem) -> ServiceAnswer {
        let snapshot = store.snapshot
        let host: CanonicalHost
        do throws(HostProblem) {
            host = try CanonicalHost(text: asked.host)
        } catch {
            throw ServiceProblem(
                .malformed,
                "`\(asked.host.prefix(80))` is neither a host name nor an address: \(error.reason)",
                pointer: "/host")
        }
        let rule = EffectiveRule(
            table: snapshot.engine.table, host: host, port: asked.port,
            crypto: EngineLoader.makeBackend(rememberedSignatures: 0))
        return ServiceAnswer(
            status: 200, mediaType: ServiceAnswer.json, text: RuleFields.renderJSON(rule),
            fields: VerdictResponder.fields(snapshot))
    }

    private func health() -> ServiceAnswer {
        ServiceAnswer(
            status: 200,
            .object(["schema": VerdictResponder.healthSchema, "alive": true]))
    }

    private func ready(isStopping: Bool) -> ServiceAnswer {
        let state = store.state
        let rejects =
            store.snapshot.engine.freshness?.rejects(at: store.configuration.clock()) ?? false
        let reason = isStopping ? "stopping" : rejects ? "table-stale" : nil
        let (watching, late) = VerdictResponder.words(state.watching)
        func text(_ instant: UTCInstant?) -> JSONValue {
            instant.map { .string($0.description) } ?? .null
        }
        let value = JSONValue.object([
            "schema": VerdictResponder.readySchema, "ready": reason == nil,
            "reason": reason?.json ?? .null, "store": state.name, "epoch": state.epoch,
            "revision": state.revision?.json ?? .null, "policyDigest": state.policyDigest.text,
            "tableDigest": state.fileDigest.text, "loadedAt": text(state.loadedAt),
            "confirmedAt": text(state.confirmedAt), "isStale": state.isStale,
            "staleAfter": text(state.staleAfter), "watching": watching,
            "watchingReason": late?.json ?? .null,
            "refused": state.lastRefused.map { refused in
                JSONValue.object([
                    "at": text(refused.at), "code": refused.refusal.code.rawValue,
                    "error": refused.refusal.context,
                ])
            } ?? .null,
            "sourceFailed": state.lastFailed.map { failed in
                JSONValue.object([
                    "at": text(failed.at), "code": failed.failure.code.rawValue,
                    "error": failed.failure.context,
                ])
            } ?? .null,
        ])
        let fields = reason == nil ? [] : [("retry-after", "1")]
        return ServiceAnswer(status: reason == nil ? 200 : 503, value, fields: fields)
    }

    private static func words(
        _ watching: PolicyStoreState.Watching
    ) -> (word: String, reason: String?) {
        let word: String
        switch watching {
        case .notified: word = "notified"
        case .polled: word = "polled"
        case .unwatched: word = "unwatched"
        }
        return (word, watching.reason?.context)
    }
}
