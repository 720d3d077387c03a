package import TrustEngine

/// Filters of one request that remember what they replied, so that a decision is explained and
/// recorded by the replies that it was made by. A folder of filters may have other ones a moment
/// later.
package final class FilterRecorder: RevocationFilters {
    private let source: FilterSource
    private let original: SuppliedFilters?
    private let replies = Monitor<[RevocationFilterQuestion: RevocationFilterReply]>([:])

    /// Makes a recorder; nil for a request that has no filters under an engine that has none.
    package init?(_ request: TrustRequest, _ engine: Engine) {
        guard let source = request.evidence.filterSource(otherwise: engine.filters) else {
            return nil
        }
        self.source = source
        self.original = request.evidence.filters
    }

    /// The reply, which is the same each time.
    package func reply(to question: RevocationFilterQuestion) -> RevocationFilterReply {
        if let known = replies.withLock({ $0[question] }) { return known }
        let reply = source.reply(to: question)
        // Of two threads that ask, the first one decides.
        return replies.withLock { replies in
            if let known = replies[question] { return known }
            replies[question] = reply
            return reply
        }
    }

    /// The request as it is evaluated: this recorder is asked.
    package func asked(for request: TrustRequest) -> TrustRequest {
        var request = request
        request.evidence.filters = SuppliedFilters(self)
        request.evidence.filterReplies = [:]
        return request
    }

    /// The request with the replies that were given, which count when it is judged again.
    package func recorded(in request: TrustRequest) -> TrustRequest {
        var request = request
        request.evidence.filters = original
        request.evidence.filterReplies = replies.withLock { $0 }
        return request
    }
}

extension Engine {
    /// The verdict, and the request with the replies of filters that the verdict rests on.
    package func evaluateRecording(_ request: TrustRequest) -> (Verdict, TrustRequest) {
        guard let recorder = FilterRecorder(request, self) else {
            return (evaluate(request), request)
        }
        let verdict = evaluate(recorder.asked(for: request))
        return (verdict, recorder.recorded(in: request))
    }

    /// The explanation, and the request with the replies of filters that it rests on.
    package func explainRecording(_ request: TrustRequest) -> (Explanation, TrustRequest) {
        guard let recorder = FilterRecorder(request, self) else {
            return (explain(request), request)
        }
        let explanation = explain(recorder.asked(for: request))
        return (explanation, recorder.recorded(in: request))
    }
}
