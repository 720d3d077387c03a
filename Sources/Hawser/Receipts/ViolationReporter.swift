public import CoreMetrics
import Rendering
import TrustEngine

/// Reports violations beside the verdicts. The same violations are reported once in a while, the
/// number of reports in a minute is limited, and the memory is bounded. The caller always gets the
/// engine's verdict.
///
///     let reporter = ViolationReporter { queue.append($0.json) }
///     let decision = store.judge(request, recording: DecisionRecording(reports: reporter))
///
/// The sink runs on the thread that judges, after the verdict is known. The sink must not wait:
/// it should pass the report on.
public final class ViolationReporter: Sendable {
    /// Which decisions are reported, and how often.
    public struct Configuration: Sendable {
        /// The time in which the same violations of the same host and port under the same policy
        /// are reported only once.
        public var repeatAfter: Duration
        /// Most reports in a minute.
        public var perMinute: Int
        /// Most kinds of reports that are remembered. When there are more, some kinds are reported
        /// again too early.
        public var remembered: Int
        /// Whether an accept with reported failures is reported.
        public var reportsAccepts: Bool
        /// Whether reports have what nearly every accept says under the revocation preset
        /// `best-effort`; by default it is only counted.
        public var bestEffort: ViolationReport.BestEffort
        /// The fields that reports leave out.
        public var redaction: Redaction
        /// The factory of the reporter's counters; nil for the process's own factory,
        /// `MetricsSystem.factory`.
        ///
        /// The counter `hawser_rejects` counts the rejects by `rule`, the id of the rule that
        /// decided, and `violation`, the id of the first violation. `rule` is `default` for the
        /// body of `default`, `none` where no rule decided, and `other` for all rules after the
        /// first 100. No host is a label.
        ///
        /// The counter `hawser_issuance_notices` counts the accepts in which a certificate does not
        /// meet a demand on its issuer, by `demand`: the id of the demand. An accept counts once
        /// for each demand. There are as many values of `demand` as there are demands of this kind
        /// in `grammar/demands.md`, whatever the certificates hold.
        ///
        /// The counter `hawser_undetermined_revocation` counts the accepts that do not know the
        /// revocation status of a certificate, under a rule with the preset `best-effort`, by
        /// `cause`: the cause's name in a policy. An accept counts once for each cause. It counts
        /// whatever `bestEffort` says.
        public var metrics: (any MetricsFactory)?

        /// Makes a configuration. By default the same violations are reported once an hour, with 60
        /// reports a minute and 1,024 remembered kinds. Accepts with reported failures are
        /// reported, without the failures that nearly every accept has. Names are not redacted.
        public init(
            repeatAfter: Duration = .seconds(3_600), perMinute: Int = 60, remembered: Int = 1_024,
            reportsAccepts: Bool = true, redaction: Redaction = Redaction(),
            bestEffort: ViolationReport.BestEffort = .counted
        ) {
            self.repeatAfter = repeatAfter
            self.perMinute = perMinute
            self.remembered = remembered
            self.reportsAccepts = reportsAccepts
            self.redaction = redaction
            self.bestEffort = bestEffort
        }
    }

    /// How many reports a reporter has made so far.
    public struct Counters: Hashable, Sendable {
        /// Reports handed to the sink.
        public var reported: UInt64 = 0
        /// Reports that were held back because the same violations were reported shortly before.
        public var repeated: UInt64 = 0
        /// Reports that were held back because of `perMinute`.
        public var overLimit: UInt64 = 0
        /// Accepts in which a certificate does not meet a demand on its issuer, by the id of the
        /// demand.
        public var issuance: [String: UInt64] = [:]
        /// Accepts that do not know the revocation status of a certificate, under a rule with the
        /// preset `best-effort`, by the cause's name in a policy.
        public var undetermined: [String: UInt64] = [:]
    }

    private struct State {
        var limit: EmissionLimit
        var recent: RecentKinds
        var counters = Counters()
        /// The reports and failures that were held back since the last report.
        var heldBack = ViolationReport.HeldBack()
        var rejectLabels = RejectLabels()
        /// The counters of rejects that there were, by their labels.
        var rejects: [RejectLabels.Series: Counter] = [:]
    }

    private let configuration: Configuration
    private let sink: @Sendable (ViolationReport) -> Void
    private let state: Monitor<State>
    private let factory: any MetricsFactory
    /// The counter of each demand on issuers, by its id.
    private let issuanceCounters: [String: Counter]
    /// The counter of each cause of an unknown revocation status, by its name.
    private let undeterminedCounters: [String: Counter]

    /// Makes a reporter. The sink gets every report.
    public init(
        _ configuration: Configuration = Configuration(),
        sink: @escaping @Sendable (ViolationReport) -> Void
    ) {
        self.configuration = configuration
        self.sink = sink
        let factory = configuration.metrics ?? MetricsSystem.factory
        self.factory = factory
        func counters(
            _ label: String, _ dimension: String, _ values: [String]
        ) -> [String: Counter] {
            Dictionary(
                uniqueKeysWithValues: values.map { value in
                    let dimensions = [(dimension, value)]
                    return (value, Counter(label: label, dimensions: dimensions, factory: factory))
                })
        }
        self.issuanceCounters = counters(
            "hawser_issuance_notices", "demand", IssuanceDemands.all.ids)
        self.undeterminedCounters = counters(
            "hawser_undetermined_revocation", "cause", RevocationCause.allCases.map(\.name))
        self.state = Monitor(
            State(
                limit: EmissionLimit(perMinute: configuration.perMinute),
                recent: RecentKinds(
                    seconds: configuration.repeatAfter.components.seconds,
                    limit: configuration.remembered)))
    }

    /// How many reports were made so far.
    public var counters: Counters { state.withLock { $0.counters } }

    /// Counts a decision. The sink gets a report when there is a violation to report. Only a
    /// decision that is reported is explained, by a second evaluation, and keeps the explanation
    /// for the recorders after this one.
    func record(_ decision: inout Decision) {
        guard let heldBack = admits(decision.verdict, decision.request, decision.engine) else {
            return
        }
        decision = decision.withExplanation()
        sink(
            ViolationReport(
                decision, redaction: configuration.redaction,
                bestEffort: configuration.bestEffort, heldBack: heldBack))
    }

    /// The reports and failures that were held back before this report; nil when this report is
    /// held back too, and when nothing is to be reported.
    private func admits(
        _ verdict: Verdict, _ request: TrustRequest, _ engine: Engine
    ) -> ViolationReport.HeldBack? {
        countIssuance(verdict)
        if !verdict.isAccept { countReject(verdict, request, engine) }
        let failures = AcceptedFailures(verdict, of: request, by: engine)
        count(undetermined: failures.undetermined)
        let kind = RecentKinds.Kind(
            verdict, request, reported: failures.told(configuration.bestEffort))
        guard !kind.violations.isEmpty, !verdict.isAccept || configuration.reportsAccepts else {
            return nil
        }
        return state.withLock { state in
            if state.recent.holds(kind, at: request.time) {
                state.counters.repeated += 1
                state.heldBack.suppressed += 1
                return nil
            }
            guard state.limit.admits(at: request.time) else {
                state.counters.overLimit += 1
                state.heldBack.suppressed += 1
                return nil
            }
            state.recent.insert(kind)
            state.counters.reported += 1
            defer { state.heldBack = ViolationReport.HeldBack() }
            return state.heldBack
        }
    }

    /// Counts the demands on issuers that a verdict has a notice of.
    private func countIssuance(_ verdict: Verdict) {
        // Most verdicts have none, and then nothing is locked.
        let demands = verdict.issuanceDemands.filter { issuanceCounters[$0] != nil }
        guard !demands.isEmpty else { return }
        for demand in demands { issuanceCounters[demand]?.increment() }
        state.withLock { state in
            for demand in demands { state.counters.issuance[demand, default: 0] += 1 }
        }
    }

    /// Counts a reject by its rule and its first violation.
    private func countReject(_ verdict: Verdict, _ request: TrustRequest, _ engine: Engine) {
        let rule = engine.table.ruleID(decidingFor: request.host, port: request.port)
        let counter = state.withLock { state -> Counter? in
            guard
                let series = state.rejectLabels.series(
                    verdict, host: request.host, rule: rule)
            else { return nil }
            if let counter = state.rejects[series] { return counter }
            let counter = Counter(
                label: "hawser_rejects",
                dimensions: [("rule", series.rule), ("violation", series.violation)],
                factory: factory)
            state.rejects[series] = counter
            return counter
        }
        counter?.increment()
    }

    /// Counts an accept with unknown revocation statuses that `best-effort` lets through.
    private func count(undetermined causes: [RevocationCause]) {
        guard !causes.isEmpty else { return }
        for cause in causes { undeterminedCounters[cause.name]?.increment() }
        state.withLock { state in
            for cause in causes { state.counters.undetermined[cause.name, default: 0] += 1 }
            if configuration.bestEffort == .counted { state.heldBack.undetermined += 1 }
        }
    }
}

/// The kinds of reports that were made lately, in two generations. The older generation is
/// forgotten when the younger one is full or its time is over. A kind is remembered for at least
/// half of the time and at most all of it, unless there are too many kinds.
struct RecentKinds: Sendable {
    /// The values that are equal in two reports of the same kind.
    struct Kind: Hashable, Sendable {
        let host: String
        let port: UInt16
        let policy: Digest
        let isAccept: Bool
        let violations: [String]

        /// Octets of a host that are compared. No name is longer, and a longer text is not a host.
        private static let longestHost = 256

        /// Makes a kind. `reported` has the failures of an accept that a report would have.
        init(_ verdict: Verdict, _ request: TrustRequest, reported: [Reported]) {
            let ids = Set((verdict.violations + reported.map(\.violation)).map(\.id))
            host = String(decoding: request.host.utf8.prefix(Kind.longestHost), as: UTF8.self)
            port = request.port
            policy = verdict.policyDigest
            isAccept = verdict.isAccept
            violations = ids.sorted()
        }
    }

    private let half: Int64
    private let limit: Int
    private var young: Set<Kind> = []
    private var old: Set<Kind> = []
    private var start: UTCInstant?

    init(seconds: Int64, limit: Int) {
        self.half = max(1, seconds / 2)
        self.limit = max(2, limit) / 2
    }

    /// Whether a report of this kind was made lately.
    mutating func holds(_ kind: Kind, at time: UTCInstant) -> Bool {
        age(to: time)
        return young.contains(kind) || old.contains(kind)
    }

    /// Remembers a kind.
    mutating func insert(_ kind: Kind) {
        if young.count >= limit {
            old = young
            young = []
        }
        young.insert(kind)
    }

    private mutating func age(to time: UTCInstant) {
        guard let start else { return self.start = time }
        // Times that have gone back begin a new span too.
        let later = time >= start.advanced(bySeconds: half)
        guard later || time <= start.advanced(bySeconds: -half) else { return }
        let isLong = time >= start.advanced(bySeconds: 2 * half) || !later
        old = isLong ? [] : young
        young = []
        self.start = time
    }
}
