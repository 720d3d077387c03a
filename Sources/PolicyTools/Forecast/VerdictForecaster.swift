package import Rendering
package import TrustEngine

// The instants at which the verdict on a request changes.
//
// The engine is asked, not a list of dates: it is evaluated at every date of the policy and of the
// chain, and once a day. Where two neighbouring answers differ, the second in between at which the
// answer turns is found by halving. So what decides (validity, clock skew, waivers, the age of a
// CRL, `nextUpdate`, a log list) needs no second implementation here.

/// Finds the instants at which the verdict on a request changes.
package struct VerdictForecaster {
    private let engine: Engine
    private let rules: DatedRules
    private let since: UTCInstant
    private let until: UTCInstant
    /// The dates of the policy.
    private let dates: [UTCInstant]

    /// Prepares the questions about one policy.
    ///
    /// - Parameter changes: the changes of the policy, at which the engine is asked too.
    package init(
        _ engine: Engine, _ rules: DatedRules, changes: [Forecast.Change], since: UTCInstant,
        until: UTCInstant
    ) {
        self.engine = engine
        self.rules = rules
        self.since = since
        self.until = until
        dates = changes.map(\.instant)
    }

    /// The compared parts of two answers.
    private struct Answer: Hashable {
        let accepts: Bool
        let violations: Set<String>
        let reported: Set<String>
        let notices: Set<String>

        init(_ verdict: Verdict) {
            accepts = verdict.isAccept
            violations = Set(verdict.violations.map(\.id))
            guard case .accept(let acceptance) = verdict.outcome else {
                (reported, notices) = ([], [])
                return
            }
            reported = Set(acceptance.reported.map(\.violation.id))
            notices = Set(acceptance.notices.map(\.id))
        }

        var ids: Set<String> { violations.union(reported).union(notices) }
    }

    /// The verdict on a request at the beginning, and the changes after it.
    ///
    /// - Parameters:
    ///   - source: where the request was recorded.
    ///   - freshness: until when the table of the request is fresh.
    ///
    /// Cost: an evaluation for each day and date, and some twenty for each change.
    package func forecast(
        _ request: TrustRequest, source: String, freshness: TableFreshness?
    ) -> (request: Forecast.Request, changes: [Forecast.Change]) {
        var engine = engine
        engine.freshness = freshness
        func answer(_ instant: UTCInstant) -> Answer {
            var asked = request
            asked.time = instant
            return Answer(engine.evaluate(asked))
        }
        func explanation(_ instant: UTCInstant) -> Explanation {
            var asked = request
            asked.time = instant
            return engine.explain(asked)
        }
        var changes: [Forecast.Change] = []
        var (last, state) = (since, answer(since))
        for instant in instants(request) where changes.count < VerdictForecaster.most {
            let next = answer(instant)
            // Each turn of the loop finds one second at which the answer turns. The answer at
            // `low` is `state`, and that at `high` is another.
            while state != next, changes.count < VerdictForecaster.most {
                var (low, high) = (last.secondsSinceEpoch, instant.secondsSinceEpoch)
                while high - low > 1 {
                    let middle = low + (high - low) / 2
                    if answer(UTCInstant(secondsSinceEpoch: middle)) == state {
                        low = middle
                    } else {
                        high = middle
                    }
                }
                last = UTCInstant(secondsSinceEpoch: high)
                changes.append(
                    change(
                        at: last, request, source: source,
                        from: explanation(UTCInstant(secondsSinceEpoch: low)),
                        to: explanation(last)))
                state = answer(last)
            }
            last = instant
        }
        let first = explanation(since)
        return (
            Forecast.Request(
                source: source, host: HostWithPort.text(request.host, request.port),
                accepts: first.verdict.isAccept, headline: ExplainDocument.firstLine(of: first)),
            changes
        )
    }

    /// The instants at which the engine is asked, sorted: each date and the seconds around it, and
    /// at least `grid` instants in between.
    private func instants(_ request: TrustRequest) -> [UTCInstant] {
        let length = until.secondsSinceEpoch - since.secondsSinceEpoch
        let step = max(1, min(86_400, length / VerdictForecaster.least))
        let steps = min(VerdictForecaster.grid, length / step)
        var found: Set<UTCInstant> = [until]
        for number in 1...max(1, steps) {
            found.insert(since.advanced(bySeconds: length / max(1, steps) * number))
        }
        let certificates = request.presentedChain.prefix(VerdictForecaster.mostCertificates)
            .compactMap { try? Certificate(der: $0) }
        for date in dates + certificates.flatMap({ [$0.notBefore, $0.notAfter] }) {
            for offset in [Int64(-1), 0, 1] { found.insert(date.advanced(bySeconds: offset)) }
        }
        return found.filter { since < $0 && $0 <= until }.sorted()
    }

    private func change(
        at instant: UTCInstant, _ request: TrustRequest, source: String, from before: Explanation,
        to after: Explanation
    ) -> Forecast.Change {
        let effect: Forecast.Effect
        switch (before.verdict.isAccept, after.verdict.isAccept) {
        case (true, false): effect = .rejects
        case (false, true): effect = .accepts
        case (true, true), (false, false): effect = .tells
        }
        let (was, now) = (Answer(before.verdict).ids, Answer(after.verdict).ids)
        let verdict = Forecast.VerdictChange(
            source: source, host: HostWithPort.text(request.host, request.port),
            before: ExplainDocument.firstLine(of: before),
            after: ExplainDocument.firstLine(of: after),
            begins: now.subtracting(was).sorted(), ends: was.subtracting(now).sorted())
        var rules: [RuleReference] = []
        var owner: String?
        var origin: FieldOrigin?
        if let host = try? CanonicalHost(text: request.host) {
            let decision = self.rules.decision(host, port: request.port)
            owner = self.rules.body(of: decision)?.owner
            origin = self.rules.origin(of: decision)
            let id = decision.rule.map { self.rules.contents.rules[$0].id } ?? ""
            rules = [RuleReference(id: id, owner: owner, location: origin?.location)]
        }
        return Forecast.Change(
            instant: instant, kind: .verdict, effect: effect, subject: source,
            sentence: ForecastSentences.verdict(verdict, effect), details: [], rules: rules,
            hosts: [], owner: owner, origin: origin, verdict: verdict)
    }

    /// Most changes of one request that are told.
    private static let most = 64
    /// Most instants between dates at which the engine is asked.
    private static let grid: Int64 = 512
    /// The least number of instants, where the time is shorter than as many days.
    private static let least: Int64 = 32
    /// Certificates whose dates are read; a longer chain has no path.
    private static let mostCertificates = 32
}
