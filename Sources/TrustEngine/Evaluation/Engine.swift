/// A policy table, prepared for evaluation together with the inputs that the table names. The value
/// does not change, and threads may share it.
public struct Engine: Sendable {
    /// What was prepared of the table.
    private let contents: EngineContents
    /// What was set after the table was prepared; nil where nothing was. It is one reference,
    /// because each verdict copies its engine several times.
    private var attached: Attached?

    private final class Attached: Sendable {
        let freshness: TableFreshness?
        let filters: SuppliedFilters?
        let statement: TableStatement?

        init(
            freshness: TableFreshness?, filters: SuppliedFilters?, statement: TableStatement?
        ) {
            self.freshness = freshness
            self.filters = filters
            self.statement = statement
        }
    }

    /// Until when the table is fresh; nil where the table never becomes stale. Whoever keeps the
    /// engine sets a new value when the source confirms the table.
    public var freshness: TableFreshness? {
        get { attached?.freshness }
        set { attached = Attached(freshness: newValue, filters: filters, statement: statement) }
    }
    /// The CRLite filters that are asked for requests without filters; nil where the program has
    /// none. The engine is pure as long as the filters do not change.
    public var filters: SuppliedFilters? {
        get { attached?.filters }
        set { attached = Attached(freshness: freshness, filters: newValue, statement: statement) }
    }
    /// What the table's envelope states; nil for a table without an envelope. It serves the words
    /// of an explanation.
    package var statement: TableStatement? {
        get { attached?.statement }
        set { attached = Attached(freshness: freshness, filters: filters, statement: newValue) }
    }

    /// The policy table that decides.
    public var table: PolicyTable {
        @inline(__always) get { contents.table }
    }
    /// SHA-256 over the system store's certificates in their order, each preceded by its length as
    /// four big-endian octets; nil when the table does not name `system`.
    public var systemStoreDigest: Digest? { contents.systemStoreDigest }

    // Documented in `EngineContents`. Inlined, so that reading one field copies only that field.
    package var anchors: TrustAnchorIndex {
        @inline(__always) get { contents.anchors }
    }
    package var setIDs: [String] {
        @inline(__always) get { contents.setIDs }
    }
    package var offered: OfferedCertificates {
        @inline(__always) get { contents.offered }
    }
    package var pinnedKeys: [Int: PinnedKeys] {
        @inline(__always) get { contents.pinnedKeys }
    }
    var pinIndices: [PinIndex] {
        @inline(__always) get { contents.pinIndices }
    }
    package var anchorConstraints: [[AnchorConstraints]] {
        @inline(__always) get { contents.anchorConstraints }
    }
    package var requirements: [PreparedRequirements] {
        @inline(__always) get { contents.requirements }
    }
    package var checks: [String: CustomCheck] {
        @inline(__always) get { contents.checks }
    }
    package var logLists: [Digest: LogList] {
        @inline(__always) get { contents.logLists }
    }
    package var crypto: any CryptoBackend {
        @inline(__always) get { contents.crypto }
    }
    package var workLimit: Int {
        @inline(__always) get { contents.workLimit }
    }
    package var overrides: EngineOverrides {
        @inline(__always) get { contents.overrides }
    }

    /// Cost units that one evaluation may spend by default: 25 to 30 ms of one core. One hostile
    /// chain may cost at most 50 ms; this limit keeps a machine of two thirds of the speed below
    /// that. A key that is met for the first time costs up to a quarter more than its units (100
    /// P-256 keys of one name: 1.1 to 1.25 us a unit).
    package static let standardWorkLimit = 25_000

    /// Prepares a table. Cost: linear in the anchors.
    ///
    /// A certificate of the system store that does not parse is skipped, because the policy's
    /// author does not own the store. A store without one certificate that parses counts as no
    /// store.
    ///
    /// - Throws: `EngineError` when an anchor does not parse; when a pin set holds a
    ///   certificate that the set does not pin; when the policy names `system` and `inputs` has no
    ///   usable system store; when the policy names a check that is not registered; when a log list
    ///   cannot be read.
    public init(
        table: PolicyTable, inputs: EngineInputs = EngineInputs(), crypto: any CryptoBackend
    ) throws(EngineError) {
        try self.init(
            table: table, inputs: inputs, crypto: crypto, workLimit: Engine.standardWorkLimit)
    }

    /// Prepares a table with another work limit. `overrides` lifts demands for runs of public test
    /// vectors; no table can lift them.
    package init(
        table: PolicyTable, inputs: EngineInputs, crypto: any CryptoBackend, workLimit: Int,
        overrides: EngineOverrides = EngineOverrides()
    ) throws(EngineError) {
        contents = try EngineContents(
            table: table, inputs: inputs, crypto: crypto, workLimit: workLimit,
            overrides: overrides)
    }

    /// Digests of the log lists that timestamps are judged by.
    package var logListDigests: Set<Digest> { Set(logLists.values.map(\.digest)) }

    /// The log list that a rule's timestamps are judged by; nil where the rule has none.
    package func logList(of rule: RuleRecord) -> LogList? {
        requirements(of: rule).transparency.logList.flatMap { logLists[$0] }
    }

    /// The flattened requirements of a rule.
    package func requirements(of rule: RuleRecord) -> Requirements {
        requirements[Int(rule.requirements)].requirements
    }

    /// Indices in `setIDs` of the sets that a rule trusts: its anchor sets, or its pin sets where
    /// the pinned keys are its anchors. Nothing is copied.
    package func setsTrusted(by rule: RuleRecord) -> IndexView {
        rule.anchorsArePinnedKeys
            ? table.indices(rule.pins, addend: table.anchorSetCount) : table.indices(rule.anchors)
    }

    /// Whether the policy's `default` is `deny`.
    var deniesByDefault: Bool {
        @inline(__always) get { contents.deniesByDefault }
    }

    /// The most specific pattern for a host, as `PolicyTable.lookUp`. The table is not copied.
    @inline(__always)
    func lookUp(_ host: CanonicalHost, port: UInt16) -> PatternMatch? {
        contents.table.lookUp(host, port: port)
    }

    /// Whether a set that a rule trusts has constraints. Cost: where few sets have any, none of the
    /// rule's sets is walked.
    func isConstrained(_ rule: RuleRecord) -> Bool {
        let constrained = contents.constrainedSets
        guard !constrained.isEmpty else { return false }
        let trusted = setsTrusted(by: rule)
        if constrained.count < trusted.count {
            return constrained.contains { trusted.contains($0) }
        }
        let isConstrained = contents.isConstrained
        return trusted.contains { isConstrained[$0] }
    }

    /// Ids of the sets that a rule trusts, each once.
    package func idsOfSets(trustedBy rule: RuleRecord) -> [String] {
        rule.anchorsArePinnedKeys
            ? [PinnedKeys.setID] : setsTrusted(by: rule).map { setIDs[$0] }
    }
}

/// The inputs that a table names and that are not inside the table.
public struct EngineInputs: Sendable {
    /// DER of the machine's trust anchors; nil when the machine has no store.
    public var systemStore: [[UInt8]]?
    /// The checks that the program registers, by the names that policies use under `checks`. The
    /// engine never asks a check that the table does not name.
    public var checks: [String: CustomCheck]
    /// A log list, log_list.json of version 3. It replaces each older list of the table, and
    /// verdicts then carry its digest. Nil keeps the table's own lists.
    public var logList: [UInt8]?

    /// Makes inputs; by default all of them are absent.
    public init(
        systemStore: [[UInt8]]? = nil, checks: [String: CustomCheck] = [:],
        logList: [UInt8]? = nil
    ) {
        self.systemStore = systemStore
        self.checks = checks
        self.logList = logList
    }
}

/// Why no engine can be made from a table.
public struct EngineError: CodedError {
    /// Stable names of the reasons.
    public enum Code: String, Hashable, Sendable {
        /// The policy names `system` and the machine has no usable store.
        case systemStoreMissing = "system-store-missing"
        /// An anchor does not parse, or a pin set holds a certificate that the set does not pin.
        case anchorUnreadable = "anchor-unreadable"
        /// The policy names a check that the program has not registered.
        case checkNotRegistered = "check-not-registered"
        /// A log list of the table or of the load cannot be read, or a rule that demands
        /// transparency has no log list.
        case logListUnreadable = "log-list-unreadable"
    }

    /// The stable name of the reason.
    public let code: Code
    /// Details of the failure, lower case, no full stop.
    public let context: String

    /// Makes an error from its reason and details.
    public init(code: Code, context: String) {
        self.code = code
        self.context = context
    }
}
