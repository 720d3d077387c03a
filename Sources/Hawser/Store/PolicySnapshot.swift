public import TrustEngine

/// The policy that a store has in force at one moment: an engine, and the facts about its table. A
/// snapshot never changes. Code that holds one evaluates by it, whatever the store puts in force
/// later.
public final class PolicySnapshot: Sendable {
    /// The engine.
    public let engine: Engine
    /// A number that goes up by one when the meaning of the policy in force changes: another
    /// policy, another log list, or another trust store of the machine. Make it a part of the keys
    /// of sessions and pooled connections, so that no connection outlives the policy that it was
    /// opened under. Each store counts from 1.
    public let epoch: UInt64
    /// The table's revision; nil when it states none.
    public let revision: UInt64?
    /// When the table was put in force.
    public let loadedAt: UTCInstant

    /// The hosts that this table may judge more strictly than the table before it. Connections to
    /// these hosts that are open may be connections that the new table would reject. Empty for the
    /// first table of a store.
    public let stricter: StricterHosts

    /// Makes a snapshot.
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

    /// The same snapshot, with a newer confirmation.
    func confirmed(_ freshness: TableFreshness?) -> PolicySnapshot {
        PolicySnapshot(
            engine: engine, freshness: freshness, epoch: epoch, revision: revision,
            loadedAt: loadedAt, stricter: stricter)
    }

    /// The verdict on a request.
    public func evaluate(_ request: TrustRequest) -> Verdict { engine.evaluate(request) }

    /// The verdict on a request, with the trace that leads to the verdict.
    public func explain(_ request: TrustRequest) -> Explanation { engine.explain(request) }
}
