import TrustEngine

/// A piece of evidence that a fetcher keeps.
struct KeptEvidence: Sendable {
    let evidence: PreparedEvidence
    let need: EvidenceNeed
    /// When the evidence was fetched.
    let fetched: UTCInstant
    /// Until when the evidence is given out.
    let end: UTCInstant
    /// From when on `prefetch` fetches the evidence again.
    let refresh: UTCInstant
    /// Whether the evidence's signature verifies under the issuer's key and the fetch falls into
    /// its validity period.
    let isVouchedFor: Bool

    /// Sets how long the evidence is kept. Evidence that the issuer vouches for is kept until its
    /// validity period ends. Other evidence is kept for `FetchLimits.retry`, so that it can be
    /// judged and is not asked for again at once.
    init(
        _ evidence: PreparedEvidence, for need: EvidenceNeed, fetched: UTCInstant,
        _ limits: FetchLimits
    ) {
        self.evidence = evidence
        self.need = need
        self.fetched = fetched
        if evidence.isSigned(byKeyOf: need.wanted.issuer), let validity = evidence.validity,
            validity.contains(fetched)
        {
            let left = validity.upperBound.secondsSinceEpoch - fetched.secondsSinceEpoch
            self.isVouchedFor = true
            self.end = validity.upperBound
            self.refresh = fetched.advanced(bySeconds: min(left / 2, limits.refresh))
        } else {
            self.isVouchedFor = false
            self.end = fetched.advanced(bySeconds: limits.retry)
            self.refresh = end
        }
    }
}

/// The memory of a fetcher: evidence, failures, and the exchanges under way. It is a plain value;
/// the caller supplies the time.
struct EvidenceCache: Sendable {
    private struct Entry {
        let kept: KeptEvidence
        let octets: Int
        var lastUse: UInt64
    }

    private struct Pause {
        var failures: Int
        var end: UTCInstant
        var failure: FetchFailure
    }

    private let limits: FetchLimits
    private var entries: [Digest: Entry] = [:]
    private var octets = 0
    private var uses: UInt64 = 0
    private var pauses: [Digest: Pause] = [:]
    private var hostPauses: [String: Pause] = [:]
    private var asked: Set<Digest> = []
    private var exchanges: [String: Int] = [:]
    private var pending: [Digest: EvidenceNeed] = [:]

    init(_ limits: FetchLimits) { self.limits = limits }

    // MARK: Evidence

    /// The evidence under a key that may be given out now; nil when there is none.
    mutating func evidence(_ key: Digest, at now: UTCInstant) -> KeptEvidence? {
        guard let entry = entries[key] else { return nil }
        guard now < entry.kept.end else {
            remove(key)
            return nil
        }
        uses += 1
        entries[key]?.lastUse = uses
        return entry.kept
    }

    /// Keeps evidence. The evidence that was used longest ago is removed to make room. Evidence
    /// that is larger than the whole room is not kept.
    mutating func keep(_ kept: KeptEvidence) {
        remove(kept.need.key)
        let size = EvidenceCache.octets(of: kept)
        guard size <= limits.memoryOctets else { return }
        while octets + size > limits.memoryOctets || entries.count >= EvidenceCache.maximumEntries,
            let oldest = entries.min(by: { $0.value.lastUse < $1.value.lastUse })
        {
            remove(oldest.key)
        }
        uses += 1
        entries[kept.need.key] = Entry(kept: kept, octets: size, lastUse: uses)
        octets += size
    }

    private mutating func remove(_ key: Digest) {
        guard let entry = entries.removeValue(forKey: key) else { return }
        octets -= entry.octets
    }

    /// Octets that the evidence takes: its DER, a quarter of this for its index, both certificates,
    /// and some more.
    private static func octets(of kept: KeptEvidence) -> Int {
        let need = kept.need
        return kept.evidence.der.count / 4 * 5 + need.wanted.certificate.der.count
            + need.wanted.issuer.der.count + 1_024
    }

    // MARK: Failures

    /// Why a need is not asked for now: the need or its host failed, and the pause is not over. Nil
    /// when it may be asked for.
    func pause(_ need: EvidenceNeed, at now: UTCInstant) -> FetchFailure? {
        for pause in [pauses[need.key], hostPauses[need.host]] {
            if let pause, now < pause.end { return .backedOff }
        }
        return nil
    }

    /// Remembers a failure. A failure of the host counts for the host too.
    mutating func fail(_ need: EvidenceNeed, _ failure: FetchFailure, at now: UTCInstant) {
        extend(&pauses[need.key], failure, now)
        if failure.isOfHost { extend(&hostPauses[need.host], failure, now) }
        // Strangers name the hosts and URLs. So the number of remembered failures has a bound.
        if pauses.count > EvidenceCache.maximumPauses {
            pauses = pauses.filter { now < $0.value.end }
        }
        if pauses.count > EvidenceCache.maximumPauses { pauses = [:] }
        if hostPauses.count > EvidenceCache.maximumPauses {
            hostPauses = hostPauses.filter { now < $0.value.end }
        }
        if hostPauses.count > EvidenceCache.maximumPauses { hostPauses = [:] }
    }

    private func extend(_ pause: inout Pause?, _ failure: FetchFailure, _ now: UTCInstant) {
        let failures = min((pause?.failures ?? 0) + 1, 32)
        var seconds = limits.firstPause
        for _ in 1..<failures where seconds < limits.longestPause { seconds *= 2 }
        pause = Pause(
            failures: failures, end: now.advanced(bySeconds: min(seconds, limits.longestPause)),
            failure: failure)
    }

    /// Forgets the failures of a need and of its host.
    mutating func succeed(_ need: EvidenceNeed) {
        pauses[need.key] = nil
        hostPauses[need.host] = nil
    }

    // MARK: Who is being asked

    /// Begins an exchange for a need. Returns false when the need is asked for already, or when its
    /// host, or all hosts together, have as many exchanges as the limits allow.
    mutating func begin(_ need: EvidenceNeed) -> Bool {
        guard !asked.contains(need.key), asked.count < limits.exchanges,
            exchanges[need.host, default: 0] < limits.exchangesPerHost
        else { return false }
        asked.insert(need.key)
        exchanges[need.host, default: 0] += 1
        return true
    }

    /// Ends an exchange for a need.
    mutating func end(_ need: EvidenceNeed) {
        asked.remove(need.key)
        exchanges[need.host, default: 1] -= 1
        if exchanges[need.host] == 0 { exchanges[need.host] = nil }
    }

    // MARK: What is to be fetched in the background

    /// Puts a need on the list. A full list takes no more.
    mutating func postpone(_ need: EvidenceNeed) {
        guard pending.count < EvidenceCache.maximumPending else { return }
        pending[need.key] = need
    }

    /// Takes at most `limit` needs: first from the list, then the needs of kept evidence whose time
    /// to be fetched again has come.
    mutating func takePending(atMost limit: Int, at now: UTCInstant) -> [EvidenceNeed] {
        var needs = Array(pending.values.prefix(limit))
        for need in needs { pending[need.key] = nil }
        for entry in entries.values where needs.count < limit {
            if now >= entry.kept.refresh, !needs.contains(where: { $0.key == entry.kept.need.key })
            {
                needs.append(entry.kept.need)
            }
        }
        return needs
    }

    /// Number of pieces of evidence that are kept.
    var count: Int { entries.count }
    /// Number of exchanges under way.
    var askedCount: Int { asked.count }

    private static let maximumEntries = 65_536
    private static let maximumPauses = 4_096
    private static let maximumPending = 1_024
}
