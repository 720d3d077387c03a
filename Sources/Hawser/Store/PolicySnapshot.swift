public import TrustEngine

/// The policy that a store has in force at one moment: an engine, and the facts about its table. A
/// snapshot never changes. Code that holds one evaluates by it, whatever the store puts in force
/// later.
public final class PolicySnapshot: Sendable {
    /// The engine, by which every request is judged. It says until when the table is fresh; where
    /// the wall clock was set since then, that moment was moved with it. So take the engine for
    /// each request anew.
    public var engine: Engine {
        guard age.isCounted else { return loaded }
        var engine = loaded
        engine.freshness = age.freshness()
        return engine
    }
    private let loaded: Engine
    /// The age of the table.
    let age: TableAge
    /// A number that goes up by one when the meaning of the policy in force changes: another
    /// policy, another log list, or another trust store of the machine. Make it a part of the keys
    /// of sessions and pooled connections, so that no connection outlives the policy that it was
    /// opened under. Each store counts from 1.
    public let epoch: UInt64
    /// The table's revision; nil when it states none.
    public let revision: UInt64?
    /// When the table was put in force.
    public let loadedAt: UTCInstant
    /// The names of the service and the store, and the epoch, for receipts and reports.
    public let decider: Decider

    /// The options by which the command `hawser` reads this policy on this machine: `--table` with
    /// the path of the table's file, or `--policy` with `PolicyStore.Configuration.policyPath`. Nil
    /// where the table came from the program's memory.
    public let commandOptions: [String]?

    /// The hosts that this table may judge more strictly than the table before it. Connections to
    /// these hosts that are open may be connections that the new table would reject. Empty for the
    /// first table of a store.
    public let stricter: StricterHosts

    /// The epochs before this one.
    let history: EpochHistory

    /// Makes a snapshot. `decider` has the names, and gets this epoch. `history` ends with this
    /// epoch; a store's first snapshot has an empty one.
    init(
        engine: Engine, age: TableAge, epoch: UInt64, revision: UInt64?,
        loadedAt: UTCInstant, decider: Decider, commandOptions: [String]?,
        stricter: StricterHosts,
        history: EpochHistory = EpochHistory()
    ) {
        var engine = engine
        engine.freshness = age.freshness()
        self.loaded = engine
        self.age = age
        self.stricter = stricter
        self.epoch = epoch
        self.revision = revision
        self.loadedAt = loadedAt
        self.decider = Decider(service: decider.service, store: decider.store, epoch: epoch)
        self.commandOptions = commandOptions
        self.history = history
    }

    /// The same snapshot of a table of another age.
    func with(_ age: TableAge) -> PolicySnapshot {
        PolicySnapshot(
            engine: loaded, age: age, epoch: epoch, revision: revision, loadedAt: loadedAt,
            decider: decider, commandOptions: commandOptions, stricter: stricter,
            history: history)
    }

    /// Whether a connection to a host that was accepted under an earlier epoch of the same store
    /// may go on: a session that is resumed, or a connection in a pool. True when no policy since
    /// then judges the host more strictly. False for a host that is none, for an epoch since which
    /// more than 100,000 patterns became stricter, and for a table that is stale and rejects.
    ///
    /// Cost: as for a verdict without signatures, for each epoch in between.
    public func holds(epoch: UInt64, host: String, port: UInt16, at time: UTCInstant) -> Bool {
        if let freshness = engine.freshness, freshness.rejects(at: time) { return false }
        guard let host = try? CanonicalHost(text: host) else { return false }
        return history.holds(epoch, now: self.epoch, loaded.table, host: host, port: port)
    }

    /// The verdict on a request.
    public func evaluate(_ request: TrustRequest) -> Verdict { engine.evaluate(request) }

    /// The verdict on a request, with the trace that leads to the verdict.
    public func explain(_ request: TrustRequest) -> Explanation { engine.explain(request) }
}
