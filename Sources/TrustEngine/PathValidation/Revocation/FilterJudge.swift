/// The timestamps by which filters may cover an end entity.
package struct CountedTimestamps: Hashable, Sendable {
    /// The embedded timestamps, which the issuer's signature covers, then the timestamps of OCSP
    /// and TLS whose signatures verify.
    package let times: [LoggedTime]
    /// Whether all embedded timestamps were read. If not, an unread one may be the earliest.
    package let isWhole: Bool

    /// Makes the value from its parts.
    package init(times: [LoggedTime], isWhole: Bool) {
        self.times = times
        self.isWhole = isWhole
    }
}

/// Asks the filters that came with a request about the end entity of a path, and reads their reply
/// by the rule's limits (LANGUAGE section 8). `RevocationDecision` decides what follows.
///
/// A reply is only as good as the filter is new and as the certificate is within it:
///
/// - A filter states no end, so every filter has a longest age. It counts from the newest time that
///   the filter covers, or from its building where that is stated. An older filter is *stale*, and
///   so is a filter of a later time. That a filter says *revoked* counts at any age.
/// - No filter knows certificates of CAs, or certificates that had expired when it was built.
/// - If no filter covers the certificate, the certificate may be too new. The rule's grace counts
///   from notBefore or from the earliest timestamp, whichever is earlier: a peer chooses which
///   timestamps it sends, and can get new ones for an old certificate. Old filters give no grace.
struct FilterJudge: Sendable {
    private let filters: FilterSource
    /// The window with the longest age of a filter.
    private let window: EvidenceWindow
    /// Seconds for which a filter counts.
    private let maximumAge: Int64
    /// Seconds for which a new certificate passes.
    private let grace: Int64
    /// The reply about the end entity, by the digest of the issuer's key.
    private var replies: [Digest: RevocationFilterReply] = [:]

    init(
        _ filters: FilterSource, time: UTCInstant, clockSkew: Int64, maximumAge: Int64,
        grace: Int64
    ) {
        self.filters = filters
        self.window = EvidenceWindow(time: time, clockSkew: clockSkew, maximumAge: maximumAge)
        self.maximumAge = maximumAge
        self.grace = grace
    }

    /// The answers about an end entity whose signature the issuer's key verifies; at least one.
    /// Several answers are several causes, of which the harshest action counts. Cost: units for the
    /// question and for the words of filters that were read.
    mutating func answers(
        about certificate: Certificate, issuerKey: Digest, _ timestamps: CountedTimestamps,
        logName: (Digest) -> String?, budget: inout WorkBudget
    ) throws(WorkExhausted) -> [RevocationAnswer] {
        let reply = try reply(about: certificate, issuerKey, timestamps, &budget)
        switch reply.status {
        case .refused(let fault):
            return [answer(.unusable(.filtersRefused(fault)), reply, timestamps)]
        case .missing(let fault):
            return [answer(.unusable(.filtersMissing(fault)), reply, timestamps)]
        case .notCovered:
            return notCovered(
                certificate, reply, timestamps, staleness: staleness(of: reply.newest))
        case .revoked, .good, .notEnrolled: break
        }
        guard let deciding = reply.deciding else {
            let fault = FilterFault(
                code: "incomplete", context: "the reply names no filter that decides")
            return [answer(.unusable(.filtersRefused(fault)), reply, timestamps)]
        }
        let cover = AskedFilters.Cover(
            log: deciding.timestamp.log, logName: logName(deciding.timestamp.log),
            time: deciding.timestamp.instant, from: deciding.covered.lowerBound,
            until: deciding.covered.upperBound)
        func decided(_ finding: RevocationAnswer.Finding) -> RevocationAnswer {
            answer(finding, reply, timestamps, cover: cover)
        }
        if reply.status == .revoked { return [decided(.revokedByFilter)] }
        // Filters hold no certificates of CAs, so that none covers this one.
        guard !certificate.layout.extensions.isCA else {
            return [decided(.unusable(.noFilterCovers))]
        }
        var problems: [EvidenceProblem] = []
        if let problem = staleness(of: deciding.asOf) { problems.append(problem) }
        if hadExpired(certificate, before: deciding) { problems.append(.expiredBeforeFilter) }
        if reply.status == .notEnrolled { problems.append(.issuerNotEnrolled) }
        return problems.isEmpty
            ? [decided(.good)] : problems.map { decided(.unusable($0)) }
    }

    private mutating func reply(
        about certificate: Certificate, _ issuerKey: Digest, _ timestamps: CountedTimestamps,
        _ budget: inout WorkBudget
    ) throws(WorkExhausted) -> RevocationFilterReply {
        if let known = replies[issuerKey] { return known }
        try budget.take(FilterJudge.unitsOfQuestion)
        let reply = filters.reply(
            to: RevocationFilterQuestion(
                issuerKey: issuerKey, serial: certificate.serialBytes, timestamps: timestamps.times)
        )
        try budget.take(max(0, reply.work) / FilterJudge.wordsOfUnit)
        replies[issuerKey] = reply
        return reply
    }

    // MARK: Time

    /// Why filters of an instant are not current; nil when they are.
    private func staleness(of instant: UTCInstant?) -> EvidenceProblem? {
        guard let instant else { return .tooOld(maximum: maximumAge) }
        return window.staleness(thisUpdate: instant, nextUpdate: .latest)
    }

    /// Whether the certificate may have expired before the filter was built. Where nothing states
    /// when that was, it was at the validation time at the latest, or when the newest time that the
    /// filter covers is later, then.
    private func hadExpired(
        _ certificate: Certificate, before filter: RevocationFilterReply.Deciding
    ) -> Bool {
        if let built = filter.built { return certificate.notAfter < built }
        let latest = max(filter.newest, window.time)
        return certificate.notAfter.advanced(bySeconds: window.clockSkew) < latest
    }

    /// The answers about a certificate that no filter covers.
    private func notCovered(
        _ certificate: Certificate, _ reply: RevocationFilterReply,
        _ timestamps: CountedTimestamps, staleness: EvidenceProblem?
    ) -> [RevocationAnswer] {
        let youth = youth(of: certificate, timestamps, isCurrent: staleness == nil)
        return (staleness.map { [answer(.unusable($0), reply, timestamps)] } ?? [])
            + [answer(.unusable(.noFilterCovers), reply, timestamps, youth: youth)]
    }

    /// How old a certificate is; nil where that is not known. Skew does not make it younger.
    private func youth(
        of certificate: Certificate, _ timestamps: CountedTimestamps, isCurrent: Bool
    ) -> AskedFilters.Youth? {
        // A timestamp of a later time is not valid.
        let times = timestamps.times.map(\.instant).filter(window.hasBegun)
        guard timestamps.isWhole, let earliest = times.min() else { return nil }
        let since = min(certificate.notBefore, earliest)
        let end = since.advanced(bySeconds: grace)
        return AskedFilters.Youth(
            since: since, earliest: earliest,
            age: max(0, window.time.secondsSinceEpoch - since.secondsSinceEpoch),
            passesUntil: grace > 0 ? end : nil,
            passes: grace > 0 && isCurrent && window.time <= end)
    }

    // MARK: Answers

    private func answer(
        _ finding: RevocationAnswer.Finding, _ reply: RevocationFilterReply,
        _ timestamps: CountedTimestamps, cover: AskedFilters.Cover? = nil,
        youth: AskedFilters.Youth? = nil
    ) -> RevocationAnswer {
        let instant = reply.deciding?.asOf ?? reply.newest
        return RevocationAnswer(
            source: .crlite, digest: reply.deciding?.digest ?? reply.index, thisUpdate: instant,
            nextUpdate: instant?.advanced(bySeconds: maximumAge), finding: finding,
            filters: AskedFilters(
                file: reply.deciding?.file, asked: reply.asked, cover: cover, newest: reply.newest,
                timestamps: timestamps.times.count, youth: youth))
    }

    /// Cost units of a question: two digests, and the search in the index.
    private static let unitsOfQuestion = 8
    /// Words of filters that are read in one unit of work.
    private static let wordsOfUnit = 64
}

extension RevocationFilterReply.Deciding {
    /// The instant from which the filter's age counts.
    fileprivate var asOf: UTCInstant { max(newest, built ?? newest) }
}

extension UTCInstant {
    /// An end that never comes: filters state none.
    fileprivate static let latest = UTCInstant(secondsSinceEpoch: .max)
}
