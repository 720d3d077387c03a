/// A policy table with the inputs it names, resolved and prepared: what evaluation runs on.
/// Immutable and safe to share between threads.
public struct Engine: Sendable {
    /// The table.
    public let table: PolicyTable
    /// SHA-256 over the system store's certificates in their order, each preceded by its length as
    /// four big-endian octets; nil when the table does not name `system`.
    public let systemStoreDigest: Digest?
    /// Until when the table is fresh; nil where it never is stale. Whoever keeps the engine sets it anew when
    /// the table is confirmed.
    public var freshness: TableFreshness?

    /// Every anchor of every set.
    package let anchors: TrustAnchorIndex
    /// Id of every anchor set by its index in the table; then one for each pin set, whose certificates
    /// are anchors where pinned keys are: `pinned-keys`.
    package let setIDs: [String]
    /// What the sets offer to the path search.
    package let offered: OfferedCertificates
    /// Pin sets by index whose entries are the anchors of some rule.
    package let pinnedKeys: [Int: PinnedKeys]
    /// Whether some member of a set has constraints, by the set's index in `setIDs`.
    package let isConstrained: [Bool]
    /// The constraints of every group of anchors, by `TrustAnchor.group`.
    package let anchorConstraints: [[AnchorConstraints]]
    /// The table's flattened requirements and identities, decoded once.
    package let requirements: [Requirements]
    /// The checks that the table names, as the program registers them.
    package let checks: [String: CustomCheck]
    /// The log lists to judge timestamps by, under the digests that requirements name: the table's, or the
    /// load's where that is newer.
    package let logLists: [Digest: LogList]
    package let crypto: any CryptoBackend
    /// Cost units one evaluation may spend.
    package let workLimit: Int
    /// What runs of public vectors lift; nothing for a service.
    package let overrides: EngineOverrides

    /// Cost units one evaluation may spend unless said otherwise: 25 to 30 ms of one core, so that a
    /// machine half as fast again stays below the 50 ms that one hostile chain may cost at most. A key that is met
    /// for the first time costs up to a quarter more than its units (100 P-256 keys of one name: 1.1 to
    /// 1.25 us a unit).
    package static let standardWorkLimit = 25_000

    /// Prepares a table. Cost: linear in the anchors.
    ///
    /// - Throws: `EngineLoadError` when an anchor does not parse, a pin set holds a certificate that it
    ///   does not pin, the policy names `system` and `inputs` has no usable system store, or it names a
    ///   check that is not registered. A certificate of the system store that does not parse is passed
    ///   over, as its owner is not the policy's author; a store without one usable certificate is no
    ///   store.
    public init(
        table: PolicyTable, inputs: EngineInputs = EngineInputs(), crypto: any CryptoBackend
    ) throws(EngineLoadError) {
        try self.init(
            table: table, inputs: inputs, crypto: crypto, workLimit: Engine.standardWorkLimit)
    }

    /// Prepares a table with a work limit of the caller's choice, and for runs of public vectors with
    /// demands lifted that no table can lift.
    package init(
        table: PolicyTable, inputs: EngineInputs, crypto: any CryptoBackend, workLimit: Int,
        overrides: EngineOverrides = EngineOverrides()
    ) throws(EngineLoadError) {
        var builder = EngineBuilder(
            table: table, inputs: inputs, crypto: crypto, liftedLimits: overrides.anchorLimits)
        for set in 0..<table.anchorSetCount { try builder.add(set: set) }
        try builder.addPinnedKeys()
        self.table = table
        self.systemStoreDigest = builder.storeDigest
        self.anchors = TrustAnchorIndex(builder.anchors)
        self.setIDs = builder.setIDs
        self.offered = builder.offered
        self.pinnedKeys = builder.pinnedKeys
        self.isConstrained = builder.isConstrained
        self.anchorConstraints = builder.constraints
        self.overrides = overrides
        self.requirements = (0..<table.requirementCount).map {
            overrides.lifting(table.requirements(at: $0))
        }
        let names = Set(requirements.flatMap(\.checks))
        let missing = names.filter { inputs.checks[$0] == nil }.sorted()
        guard missing.isEmpty else {
            throw EngineLoadError(
                code: .checkNotRegistered,
                context: "the policy names checks that this program does not register: "
                    + missing.map { "`\($0)`" }.joined(separator: ", "))
        }
        self.logLists = try builder.logLists(demandedBy: requirements)
        self.checks = inputs.checks.filter { names.contains($0.key) }
        self.crypto = crypto
        self.workLimit = workLimit
    }

    /// The verdict on a request. Pure: same engine, same request, same verdict. Work is bounded by
    /// the engine's budget, whatever the peer presented.
    public func evaluate(_ request: TrustRequest) -> Verdict {
        var sink = NoTrace()
        return Evaluator.run(engine: self, request: request, into: &sink)
    }

    /// The verdict on a request and the trace that it follows from; the same code as `evaluate`.
    public func explain(_ request: TrustRequest) -> Explanation {
        var sink = TraceRecorder()
        let verdict = Evaluator.run(engine: self, request: request, into: &sink)
        return Explanation(verdict: verdict, trace: Trace(steps: sink.steps))
    }

    /// Digests of the log lists that timestamps are judged by.
    package var logListDigests: Set<Digest> { Set(logLists.values.map(\.digest)) }

    /// The log list of a rule; nil where it has none.
    package func logList(of rule: RuleRecord) -> LogList? {
        requirements[Int(rule.requirements)].transparency.logList.flatMap { logLists[$0] }
    }

    /// Indices of the sets that a rule trusts: its anchor sets, or its pin sets where pinned keys are
    /// its anchors.
    package func setsTrusted(by rule: RuleRecord) -> [Int] {
        guard rule.anchorsArePinnedKeys else {
            return (0..<Int(rule.anchors.count)).map { table.index(rule.anchors, $0) }
        }
        return (0..<Int(rule.pins.count)).map {
            table.anchorSetCount + table.index(rule.pins, $0)
        }
    }

    /// Their ids, each once.
    package func idsOfSets(trustedBy rule: RuleRecord) -> [String] {
        rule.anchorsArePinnedKeys
            ? [PinnedKeys.setID] : setsTrusted(by: rule).map { setIDs[$0] }
    }
}

/// A verdict with its trace.
public struct Explanation: Hashable, Sendable {
    /// The verdict.
    public let verdict: Verdict
    /// The steps it follows from.
    public let trace: Trace

    /// An explanation.
    public init(verdict: Verdict, trace: Trace) {
        self.verdict = verdict
        self.trace = trace
    }
}

/// What a table names and a load must supply.
public struct EngineInputs: Sendable {
    /// DER of the machine's trust anchors; nil when there is no store.
    public var systemStore: [[UInt8]]?
    /// What the program checks, by the names that policies use under `checks`. Those that a table does
    /// not name are never asked.
    public var checks: [String: CustomCheck]
    /// log_list.json, version 3, of a later day than the one that is compiled in; each of the table's that
    /// is older is replaced by it, and verdicts carry the digest of the one used. Nil for the table's own.
    public var logList: [UInt8]?

    /// Inputs; by default none.
    public init(
        systemStore: [[UInt8]]? = nil, checks: [String: CustomCheck] = [:],
        logList: [UInt8]? = nil
    ) {
        self.systemStore = systemStore
        self.checks = checks
        self.logList = logList
    }
}

/// Why a table cannot be made into an engine.
public struct EngineLoadError: Error, Hashable, Sendable {
    /// The reason's stable name.
    public enum Code: String, Hashable, Sendable {
        /// The policy names `system` and there is no usable store.
        case systemStoreMissing = "system-store-missing"
        /// An anchor does not parse, or a pin set holds a certificate that it does not pin.
        case anchorUnreadable = "anchor-unreadable"
        /// The policy names a check that the program does not register.
        case checkNotRegistered = "check-not-registered"
        /// A log list, of the table or given to the load, cannot be read, or a rule that demands
        /// transparency has none.
        case logListUnreadable = "log-list-unreadable"
    }

    /// The reason.
    public let code: Code
    /// What was found, lower case, no full stop.
    public let context: String

    /// An error.
    public init(code: Code, context: String) {
        self.code = code
        self.context = context
    }
}
