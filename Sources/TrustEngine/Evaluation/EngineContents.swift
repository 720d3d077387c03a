/// What an engine prepares of a table when it is loaded, and never changes. It is an object, so
/// that a copy of an engine costs one count of references.
package final class EngineContents: Sendable {
    /// The policy table that decides.
    let table: PolicyTable
    /// SHA-256 of the machine's store; nil when the table does not name `system`.
    let systemStoreDigest: Digest?
    /// Every anchor of every anchor set.
    let anchors: TrustAnchorIndex
    /// Ids of sets: first the id of each anchor set, by its index in the table; then `pinned-keys`
    /// once for each pin set. A pin set has an index here because its certificates are the anchors
    /// of rules with `anchors: pinned-keys`.
    let setIDs: [String]
    /// The `intermediates` of all anchor sets.
    let offered: OfferedCertificates
    /// The pin sets whose entries are the anchors of some rule, by their index in the table.
    let pinnedKeys: [Int: PinnedKeys]
    /// The entries of each pin set by digest, by the set's index in the table.
    let pinIndices: [PinIndex]
    /// Whether at least one member of a set has constraints, by the set's index in `setIDs`.
    let isConstrained: [Bool]
    /// The sets of which that is so, ascending.
    let constrainedSets: [Int]
    /// Whether the table's `default` is `deny`.
    let deniesByDefault: Bool
    /// The constraints of each group of anchors, by `TrustAnchor.group`.
    let anchorConstraints: [[AnchorConstraints]]
    /// The table's flattened requirements, by their index in the table.
    let requirements: [PreparedRequirements]
    /// The checks that the program registers, by the names that the table uses.
    let checks: [String: CustomCheck]
    /// The log lists that timestamps are judged by. The key is the digest that requirements name.
    /// The value is the list of the table, or the list given to the load where that list is newer.
    let logLists: [Digest: LogList]
    let crypto: any CryptoBackend
    /// Cost units that one evaluation may spend.
    let workLimit: Int
    /// Demands that runs of public test vectors lift. A service lifts none.
    let overrides: EngineOverrides

    /// Prepares a table; see `Engine.init`.
    init(
        table: PolicyTable, inputs: EngineInputs, crypto: any CryptoBackend, workLimit: Int,
        overrides: EngineOverrides
    ) throws(EngineError) {
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
        self.pinIndices = (0..<table.pinSetCount).map { PinIndex(table.pinSet(at: $0), of: table) }
        let isConstrained = builder.isConstrained
        self.isConstrained = isConstrained
        self.constrainedSets = isConstrained.indices.filter { isConstrained[$0] }
        self.deniesByDefault = table.deniesByDefault
        self.anchorConstraints = builder.constraints
        self.overrides = overrides
        let requirements = (0..<table.requirementCount).map {
            overrides.lifting(table.requirements(at: $0))
        }
        self.requirements = requirements.map(PreparedRequirements.init)
        let names = Set(requirements.flatMap(\.checks))
        let missing = names.filter { inputs.checks[$0] == nil }.sorted()
        guard missing.isEmpty else {
            throw EngineError(
                code: .checkNotRegistered,
                context: "the policy names checks that this program does not register: "
                    + missing.map { "`\($0)`" }.joined(separator: ", "))
        }
        self.logLists = try builder.logLists(demandedBy: requirements)
        self.checks = inputs.checks.filter { names.contains($0.key) }
        self.crypto = crypto
        self.workLimit = workLimit
    }
}

/// The flattened requirements of rules, decoded once. They are an object, since a rule's demands
/// hold them and lists in them are many.
package final class PreparedRequirements: Sendable {
    /// The requirements.
    package let requirements: Requirements

    init(_ requirements: Requirements) { self.requirements = requirements }
}
