import TrustEngine

/// An engine made of offered bytes, and what the bytes say of themselves.
struct CheckedTable: Sendable {
    /// The engine.
    let engine: Engine
    /// What the table is numbered, where it is.
    let revision: UInt64?
    /// Whose signatures it carries, whether or not anybody asks for them.
    let signatures: [TableSignature]
    /// Every octet that was offered, as it is kept for the next start.
    let bytes: [UInt8]

    /// What the verdicts of an engine follow from, beside the request.
    var meaning: EngineMeaning { EngineMeaning(engine) }
}

/// What the verdicts of an engine follow from, beside the request: equal meanings, equal verdicts.
/// The checks that a program registers are the same for the life of a store.
struct EngineMeaning: Hashable, Sendable {
    private let policy: Digest
    private let systemStore: Digest?
    /// Of the log lists in use, sorted.
    private let logLists: [[UInt8]]

    init(_ engine: Engine) {
        policy = engine.table.policyDigest
        systemStore = engine.systemStoreDigest
        logLists = engine.logListDigests.map(\.bytes).sorted { $0.lexicographicallyPrecedes($1) }
    }
}

/// From offered bytes to a checked table: whatever can be said against a table by itself is said
/// here, and what compares it with the one in force in `PolicyStore`.
struct TableIntake: Sendable {
    let trustedKeys: TrustedKeys?
    let checks: [String: CustomCheck]
    let logList: [UInt8]?
    let allowWaivers: Bool
    let admission: (@Sendable (Engine) -> String?)?

    init(_ configuration: PolicyStore.Configuration) {
        trustedKeys = configuration.trustedKeys
        checks = configuration.checks
        logList = configuration.logList
        allowWaivers = configuration.allowWaivers
        admission = configuration.admission
    }

    /// The table in the bytes, which no revision forbids and the program admits.
    func check(_ bytes: [UInt8], _ floor: RevisionFloor?) throws(TableRefusal) -> CheckedTable {
        let opened: OpenedTable
        let engine: Engine
        do throws(EngineLoaderError) {
            opened = try EngineLoader.open(tableBytes: bytes, trustedKeys: trustedKeys)
            engine = try EngineLoader.load(table: opened.table, checks: checks, logList: logList)
        } catch {
            throw .notLoaded(error)
        }
        if !allowWaivers {
            let rules = engine.table.rulesWithWaivers()
            guard rules.isEmpty else { throw .waiversNotAllowed(rules: rules) }
        }
        let table = CheckedTable(
            engine: engine, revision: opened.revision, signatures: opened.signatures, bytes: bytes)
        try floor?.admit(RevisionFloor(table))
        if let reason = admission?(engine) { throw .notAdmitted(reason) }
        return table
    }
}

extension PolicyTable {
    /// The ids of rules that have waivers, over or not, sorted; `default` among them.
    fileprivate func rulesWithWaivers() -> [String] {
        (0..<ruleCount + (deniesByDefault ? 0 : 1)).compactMap { index in
            let record = rule(at: index)
            guard record.waivers.count > 0 else { return nil }
            return index == ruleCount ? "default" : text(record.id)
        }.sorted()
    }
}
