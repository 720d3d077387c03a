public import TrustEngine

/// An engine as it was at one moment, with what is known of the table it was made of. Whoever
/// evaluates and then writes down by what, does both with one of these.
public protocol PolicyInForce: Sendable {
    /// The engine.
    var engine: Engine { get }
    /// The table's revision; nil where it came without one.
    var revision: UInt64? { get }
}

/// Where verdicts come from: a store whose policy changes under it, or one engine.
public protocol VerdictSource: Sendable {
    /// What is in force at one moment.
    associatedtype Snapshot: PolicyInForce
    /// What is in force now. Cheap, and never waits.
    var snapshot: Snapshot { get }
}

/// One engine that stays in force.
public struct FixedPolicy: PolicyInForce, VerdictSource {
    /// The engine.
    public let engine: Engine
    /// The table's revision; nil where it came without one.
    public let revision: UInt64?

    /// An engine that stays in force.
    public init(_ engine: Engine, revision: UInt64? = nil) {
        self.engine = engine
        self.revision = revision
    }

    /// Itself.
    public var snapshot: FixedPolicy { self }
}

extension PolicySnapshot: PolicyInForce, VerdictSource {
    /// Itself.
    public var snapshot: PolicySnapshot { self }
}

extension PolicyStore: VerdictSource {}
