import Glibc
import LibCrypto
import TrustEngine

/// Fetches the revocation evidence that verdicts want, and keeps it in memory and, if the program
/// names one, in a folder. Evaluation remains a pure function: the fetcher evaluates the request
/// again with more evidence.
///
/// Nothing is fetched for a presented chain whose signatures do not reach an anchor, because the
/// verdict on it wants nothing. The rule decides about fetching. Under `never` nothing is fetched.
/// Under `prefetch` evidence is fetched only in `prefetch(atMost:)`, which a program calls in the
/// background. Under `wait` the caller waits, for at most `FetchLimits.timePerRequest`.
///
/// `prefetch` and the synchronous `evaluateFetching` block the calling thread. The asynchronous
/// `evaluateFetching` does not block it for the network. Any number of threads and engines may
/// share a fetcher. The engine that wants evidence verifies it by its own crypto backend, and
/// engines that share a fetcher share the evidence that was verified.
public final class EvidenceFetcher: Sendable {
    let limits: FetchLimits
    let permissions: FetchPermissions
    let transport: any EvidenceTransport
    let folder: EvidenceFolder?
    let clock: @Sendable () -> UTCInstant
    let cache: Monitor<EvidenceCache>
    /// Number of threads that wait for asynchronous callers.
    let waiting = Monitor(0)

    /// Makes a fetcher.
    ///
    /// - Parameters:
    ///   - limits: the limits on time, octets and exchanges.
    ///   - permissions: the addresses and ports that may be asked besides public ones.
    ///   - folder: a folder that keeps evidence between runs; it is made if it does not exist.
    /// - Throws: when the folder cannot be made or read.
    public convenience init(
        limits: FetchLimits = FetchLimits(), permissions: FetchPermissions = FetchPermissions(),
        folder: String? = nil
    ) throws(FileReadError) {
        var kept: EvidenceFolder?
        if let folder {
            kept = try EvidenceFolder(
                path: folder, limit: limits.diskOctets, crypto: LibCryptoBackend())
        }
        self.init(
            limits: limits, permissions: permissions, folder: kept,
            transport: HTTPTransport(
                vetting: AddressVetting(allowed: permissions.networks),
                resolution: NameResolution()),
            clock: { UTCInstant(secondsSinceEpoch: Int64(time(nil))) })
    }

    /// Makes a fetcher with the caller's transport and clock.
    init(
        limits: FetchLimits, permissions: FetchPermissions, folder: EvidenceFolder?,
        transport: any EvidenceTransport, clock: @escaping @Sendable () -> UTCInstant
    ) {
        self.limits = limits
        self.permissions = permissions
        self.folder = folder
        self.transport = transport
        self.clock = clock
        self.cache = Monitor(EvidenceCache(limits))
    }

    // MARK: One piece

    /// The time and octets that one request has left.
    struct Budget {
        let deadline: Deadline
        var octets: Int
    }

    /// Where a piece of evidence came from.
    enum Origin: Hashable {
        case kept
        case fetched
    }

    /// Which kept evidence is good enough.
    enum Freshness {
        /// Any evidence that is kept and may be given out.
        case kept
        /// Only evidence that was fetched within the last `FetchLimits.retry` seconds, because the
        /// kept evidence did not satisfy.
        case anew
    }

    /// A piece of evidence that is kept, in memory or in the folder; nil when there is none. The
    /// call does not wait for the network.
    func kept(_ need: EvidenceNeed) -> PreparedEvidence? {
        let now = clock()
        if let kept = cache.withLock({ $0.evidence(need.key, at: now) }) { return kept.evidence }
        let limit = maximumOctets(need)
        guard let found = folder?.read(need.key, limit: limit),
            let evidence = try? need.prepare(found.octets)
        else { return nil }
        let kept = KeptEvidence(evidence, for: need, fetched: found.fetched, limits)
        // The time of a file from the future is wrong, so the file is not used.
        guard kept.isVouchedFor, now < kept.end, found.fetched <= now else { return nil }
        cache.withLock { $0.keep(kept) }
        return evidence
    }

    /// A piece of evidence from memory or from the network. When another caller is asking for the
    /// same piece, the call waits for that answer.
    func obtain(
        _ need: EvidenceNeed, _ freshness: Freshness, _ budget: inout Budget
    ) throws(FetchFailure) -> (evidence: PreparedEvidence, origin: Origin) {
        enum Admission {
            case have(KeptEvidence)
            case refused(FetchFailure)
            case ask
        }
        let admission = cache.wait(until: budget.deadline) { cache -> Admission? in
            let now = clock()
            if let kept = cache.evidence(need.key, at: now), isEnough(kept, freshness, at: now) {
                return .have(kept)
            }
            if let failure = cache.pause(need, at: now) { return .refused(failure) }
            return cache.begin(need) ? .ask : nil
        }
        switch admission {
        case nil: throw .timedOut
        case .refused(let failure)?: throw failure
        case .have(let kept)?: return (kept.evidence, .kept)
        case .ask?: break
        }
        defer { cache.withLock { $0.end(need) } }
        return (try ask(need, &budget), .fetched)
    }

    private func isEnough(_ kept: KeptEvidence, _ freshness: Freshness, at now: UTCInstant) -> Bool
    {
        switch freshness {
        case .kept: return true
        case .anew: return now < kept.fetched.advanced(bySeconds: limits.retry)
        }
    }

    private func ask(
        _ need: EvidenceNeed, _ budget: inout Budget
    ) throws(FetchFailure) -> PreparedEvidence {
        let maximum = maximumOctets(need)
        guard budget.octets > 0 else { throw .budgetSpent }
        let isWhole =
            Deadline(in: limits.timePerExchange).millisecondsLeft
            <= budget.deadline.millisecondsLeft
        do throws(FetchFailure) {
            let octets = try transport.answer(
                to: need.question, maximumOctets: min(maximum, budget.octets),
                by: budget.deadline.within(limits.timePerExchange))
            budget.octets -= octets.count
            let evidence = try need.prepare(octets)
            let now = clock()
            let kept = KeptEvidence(evidence, for: need, fetched: now, limits)
            cache.withLock { cache in
                cache.succeed(need)
                cache.keep(kept)
            }
            if kept.isVouchedFor { folder?.write(octets, for: need.key, fetched: now) }
            return evidence
        } catch {
            // A timeout is not the host's fault when the exchange had less than its full time. A
            // budget that is spent says nothing about the answer.
            let isOurs: Bool
            switch error {
            case .busy, .backedOff, .budgetSpent: isOurs = true
            case .timedOut: isOurs = !isWhole
            case .tooLarge(let limit): isOurs = limit < maximum
            default: isOurs = false
            }
            if !isOurs { cache.withLock { $0.fail(need, error, at: clock()) } }
            throw error
        }
    }

    private func maximumOctets(_ need: EvidenceNeed) -> Int {
        need.wanted.source == .crl ? limits.crlOctets : limits.responseOctets
    }

    // MARK: In the background

    /// Fetches the evidence that was wanted under `prefetch` since the last call, and fetches kept
    /// evidence again when half of the rest of its validity period, or `FetchLimits.refresh`, has
    /// passed since the fetch. Call it every few minutes, on a thread or timer of the program. The
    /// call blocks until all pieces were tried.
    ///
    /// - Parameter limit: most pieces that are fetched.
    /// - Returns: the number of pieces that were fetched, and the number that failed.
    @discardableResult
    public func prefetch(atMost limit: Int = 256) -> (fetched: Int, failed: Int) {
        let needs = cache.withLock { $0.takePending(atMost: limit, at: clock()) }
        var fetched = 0
        for need in needs {
            var budget = Budget(
                deadline: Deadline(in: limits.timePerRequest), octets: limits.octetsPerRequest)
            if (try? obtain(need, .anew, &budget)) != nil { fetched += 1 }
        }
        return (fetched, needs.count - fetched)
    }
}
