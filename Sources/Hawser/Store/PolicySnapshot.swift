public import TrustEngine

/// What a store has in force at one moment: an engine, and what is known of its table. Whoever
/// holds a snapshot judges by it to the end, whatever the store puts in force meanwhile.
public final class PolicySnapshot: Sendable {
    /// The engine.
    public let engine: Engine
    /// Goes up by one whenever what is in force means something else: another policy, another log
    /// list, another trust store of the machine. Put it into what keys sessions and pooled
    /// connections, so that none outlives the policy that it was opened under. Counted from 1 in
    /// each store.
    public let epoch: UInt64
    /// The table's revision; nil when it states none.
    public let revision: UInt64?
    /// When the table was put in force.
    public let loadedAt: UTCInstant

    /// The hosts that may be judged more strictly than by the table before: connections to them
    /// that were opened before may be such that would not be opened now. None for the first table
    /// of a store.
    public let stricter: StricterHosts

    /// A snapshot.
    init(
        engine: Engine, freshness: TableFreshness?, epoch: UInt64, revision: UInt64?,
        loadedAt: UTCInstant, stricter: StricterHosts
    ) {
        var engine = engine
        engine.freshness = freshness
        self.engine = engine
        self.stricter = stricter
        self.epoch = epoch
        self.revision = revision
        self.loadedAt = loadedAt
    }

    /// The same snapshot, confirmed once more.
    func confirmed(_ freshness: TableFreshness?) -> PolicySnapshot {
        PolicySnapshot(
            engine: engine, freshness: freshness, epoch: epoch, revision: revision,
            loadedAt: loadedAt, stricter: stricter)
    }

    /// The verdict on a request.
    public func evaluate(_ request: TrustRequest) -> Verdict { engine.evaluate(request) }

    /// The verdict on a request and the trace that it follows from.
    public func explain(_ request: TrustRequest) -> Explanation { engine.explain(request) }
}
