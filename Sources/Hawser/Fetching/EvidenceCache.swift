import TrustEngine

/// A piece of evidence that a fetcher keeps.
struct KeptEvidence: Sendable {
    let evidence: PreparedEvidence
    let need: EvidenceNeed
    /// When it was fetched.
    let fetched: UTCInstant
    /// Until when it is given out.
    let end: UTCInstant
    /// From when on `prefetch` fetches it anew.
    let refresh: UTCInstant
    /// Whether its signature verifies under the issuer's key, and its time has come and is not
    /// over.
    let isVouchedFor: Bool

    /// How long evidence is good for: what the issuer vouches for until it ends, anything else only
    /// long enough to be judged and not asked for at once again.
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

/// What a fetcher remembers: evidence, failures, and who is being asked. A plain value; time comes
/// from whoever asks.
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

    /// Evidence that may be given out at a time.
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

    /// Keeps evidence; what was used longest ago makes room. Evidence larger than all the room is
    /// not kept.
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

    /// Octets of the evidence, a quarter for its index, and what else belongs to it.
    private static func octets(of kept: KeptEvidence) -> Int {
        let need = kept.need
        return kept.evidence.der.count / 4 * 5 + need.wanted.certificate.der.count
            + need.wanted.issuer.der.count + 1_024
    }

    // MARK: Failures

    /// Why a need is not asked now: it failed, or its host did, and the pause is not over.
    func pause(_ need: EvidenceNeed, at now: UTCInstant) -> FetchFailure? {
        for pause in [pauses[need.key], hostPauses[need.host]] {
            if let pause, now < pause.end { return .backedOff }
        }
        return nil
    }

    /// Remembers a failure, of the host too where it is the host's.
    mutating func fail(_ need: EvidenceNeed, _ failure: FetchFailure, at now: UTCInstant) {
        extend(&pauses[need.key], failure, now)
        if failure.isOfHost { extend(&hostPauses[need.host], failure, now) }
        // Strangers name the places: what is remembered of them has a bound.
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

    /// Takes a need up, unless somebody is asking already, or its host, or all of them together,
    /// are asked as often as they may be.
    mutating func begin(_ need: EvidenceNeed) -> Bool {
        guard !asked.contains(need.key), asked.count < limits.exchanges,
            exchanges[need.host, default: 0] < limits.exchangesPerHost
        else { return false }
        asked.insert(need.key)
        exchanges[need.host, default: 0] += 1
        return true
    }

    /// Lays it down again.
    mutating func end(_ need: EvidenceNeed) {
        asked.remove(need.key)
        exchanges[need.host, default: 1] -= 1
        if exchanges[need.host] == 0 { exchanges[need.host] = nil }
    }

    // MARK: What is to be fetched in the background

    /// Puts a need on the list.
    mutating func postpone(_ need: EvidenceNeed) {
        guard pending.count < EvidenceCache.maximumPending else { return }
        pending[need.key] = need
    }

    /// Takes the list, with the evidence whose time for fetching anew has come and that was not
    /// evicted; at most `limit`.
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

    /// Pieces of evidence kept.
    var count: Int { entries.count }
    /// Exchanges under way.
    var askedCount: Int { asked.count }

    private static let maximumEntries = 65_536
    private static let maximumPauses = 4_096
    private static let maximumPending = 1_024
}
