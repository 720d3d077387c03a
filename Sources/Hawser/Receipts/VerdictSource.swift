public import TrustEngine

/// An engine at one moment, with the facts about its table. Code that evaluates and then records
/// which policy decided uses one value of this type for both.
public protocol PolicyInForce: Sendable {
    /// The engine.
    var engine: Engine { get }
    /// The table's revision; nil when the table states none.
    var revision: UInt64? { get }
    /// Who decides by this policy, for receipts and reports; by default nobody is named.
    var decider: Decider { get }
    /// The options by which the command `hawser` reads this policy on this machine, such as
    /// `--table` and a path. By default nil; then no command is proposed.
    var commandOptions: [String]? { get }
}

extension PolicyInForce {
    /// Nobody is named.
    public var decider: Decider { Decider() }
    /// No file is known.
    public var commandOptions: [String]? { nil }
}

/// A source of verdicts: a store whose policy changes, or one engine.
public protocol VerdictSource: Sendable {
    /// The type of a policy that is in force at one moment.
    associatedtype Snapshot: PolicyInForce
    /// The policy in force now. The call is cheap and never waits.
    var snapshot: Snapshot { get }
}

/// One engine that always stays in force.
public struct FixedPolicy: PolicyInForce, VerdictSource {
    /// The engine.
    public let engine: Engine
    /// The table's revision; nil when the table states none.
    public let revision: UInt64?
    /// Who decides by this policy.
    public let decider: Decider
    /// The options by which the command `hawser` reads this policy.
    public let commandOptions: [String]?

    /// Makes a source from one engine.
    public init(
        _ engine: Engine, revision: UInt64? = nil, decider: Decider = Decider(),
        commandOptions: [String]? = nil
    ) {
        self.engine = engine
        self.revision = revision
        self.decider = decider
        self.commandOptions = commandOptions
    }

    /// Keeps a policy as it is now: the same engine judges, explains and is recorded.
    public init(_ policy: some PolicyInForce) {
        self.init(
            policy.engine, revision: policy.revision, decider: policy.decider,
            commandOptions: policy.commandOptions)
    }

    /// This value itself.
    public var snapshot: FixedPolicy { self }
}

extension Verdict {
    /// The breaches of demands on issuers that an accept has a notice of; empty for a reject.
    var issuanceBreaches: [IssuanceBreach] {
        guard case .accept(let acceptance) = outcome else { return [] }
        return acceptance.notices.flatMap { notice -> [IssuanceBreach] in
            if case .issuance(let breaches) = notice { breaches } else { [] }
        }
    }

    /// The ids of the demands in `issuanceBreaches`, each once.
    var issuanceDemands: [String] {
        var demands: [String] = []
        for breach in issuanceBreaches where !demands.contains(breach.demand) {
            demands.append(breach.demand)
        }
        return demands
    }
}
