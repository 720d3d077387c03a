import Glibc
import LibCrypto
import TrustEngine

/// Fetches the revocation evidence that verdicts want, and keeps it: in memory, and in a folder if
/// it is given one. Evaluation stays what it is, a pure function; this asks it again with more
/// evidence.
///
/// Nothing is fetched for a chain whose signatures do not reach an anchor, since its verdict wants
/// nothing. What a rule says of fetching holds: under `never` nothing is, under `prefetch` only in
/// `prefetch(atMost:)`, which a program calls in the background, and under `wait` the caller waits,
/// at most `FetchLimits.timePerRequest`.
///
/// `prefetch` and the synchronous form of `evaluateFetching` block the thread that they are called
/// on; the asynchronous form blocks none of the caller's. A fetcher may be shared by any number of
/// threads and engines.
public final class EvidenceFetcher: Sendable {
    let limits: FetchLimits
    let permissions: FetchPermissions
    let transport: any EvidenceTransport
    let folder: EvidenceFolder?
    let clock: @Sendable () -> UTCInstant
    let crypto = LibCryptoBackend()
    let cache: Monitor<EvidenceCache>
    /// Threads on which asynchronous callers wait.
    let waiting = Monitor(0)

    /// A fetcher.
    ///
    /// - Parameters:
    ///   - limits: of time, octets and questions.
    ///   - permissions: which addresses and ports may be asked besides public ones.
    ///   - folder: a folder to keep evidence in between runs; it is made if it is not there.
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

    /// A fetcher with a transport and a clock of the caller's.
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

    /// What one request has left.
    struct Budget {
        let deadline: Deadline
        var octets: Int
    }

    /// How a piece was had.
    enum Origin: Hashable {
        case kept
        case fetched
    }

    /// What is taken for an answer.
    enum Freshness {
        /// Whatever is kept and good.
        case kept
        /// Only what was fetched since the last `retry` seconds: what is kept did not satisfy.
        case anew
    }

    /// A piece of evidence that is kept, in memory or in the folder. Waits for nobody.
    func kept(_ need: EvidenceNeed) -> PreparedEvidence? {
        let now = clock()
        if let kept = cache.withLock({ $0.evidence(need.key, at: now) }) { return kept.evidence }
        let limit = maximumOctets(need)
        guard let found = folder?.read(need.key, limit: limit),
            let evidence = try? need.prepare(found.octets, crypto: crypto)
        else { return nil }
        let kept = KeptEvidence(evidence, for: need, fetched: found.fetched, limits)
        // A file from the future has a wrong time, and nothing follows from it.
        guard kept.isVouchedFor, now < kept.end, found.fetched <= now else { return nil }
        cache.withLock { $0.keep(kept) }
        return evidence
    }

    /// A piece of evidence from memory or from the network. Who asks for what somebody else is
    /// asking for waits for that answer.
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
            let evidence = try need.prepare(octets, crypto: crypto)
            let now = clock()
            let kept = KeptEvidence(evidence, for: need, fetched: now, limits)
            cache.withLock { cache in
                cache.succeed(need)
                cache.keep(kept)
            }
            if kept.isVouchedFor { folder?.write(octets, for: need.key, fetched: now) }
            return evidence
        } catch {
            // Who gave an exchange less than its time cannot blame the host, and a budget that is
            // spent says nothing of the answer.
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

    /// Fetches what was wanted under `prefetch` since the last call, and anew what is in use and
    /// has been kept for half of its time or a day. For a thread or timer of the program's, every
    /// few minutes; blocks until all of it was tried.
    ///
    /// - Parameter limit: most pieces that are fetched.
    /// - Returns: how many were fetched, and how many could not be.
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
