import TrustEngine

/// An engine that was made from offered bytes, with the facts that the bytes state.
struct CheckedTable: Sendable {
    /// The engine.
    let engine: Engine
    /// The revision; nil when the table states none.
    let revision: UInt64?
    /// The terms that the table states; nil when it states none.
    let terms: TableTerms?
    /// All signatures of the table, whether or not keys are trusted.
    let signatures: [TableSignature]
    /// All octets that were offered, as the state directory keeps them.
    let bytes: [UInt8]

    /// Whether the table was issued before the terms of the table in force, or states none where
    /// that one does.
    func isIssued(before other: TableTerms?) -> Bool {
        guard let other else { return false }
        guard let terms else { return true }
        return terms.issued < other.issued
    }

    /// The inputs, beside the request, that determine the engine's verdicts.
    var meaning: EngineMeaning { EngineMeaning(engine) }
}

/// The inputs, beside the request, that determine an engine's verdicts. Engines of equal meaning
/// give equal verdicts. The custom checks are not compared: they stay the same for the life of a
/// store.
struct EngineMeaning: Hashable, Sendable {
    private let policy: Digest
    private let systemStore: Digest?
    /// Digests of the log lists in use, sorted.
    private let logLists: [[UInt8]]

    init(_ engine: Engine) {
        policy = engine.table.policyDigest
        systemStore = engine.systemStoreDigest
        logLists = engine.logListDigests.map(\.bytes).sorted { $0.lexicographicallyPrecedes($1) }
    }
}

/// Makes a checked table from offered bytes. All checks of a table alone are here. `PolicyStore`
/// compares the table with the one in force.
struct TableIntake: Sendable {
    let trustedKeys: TrustedKeys?
    let checks: [String: CustomCheck]
    let logList: [UInt8]?
    private let filters: SuppliedFilters?
    let allowWaivers: Bool
    let admission: (@Sendable (Engine) -> PolicyStore.Admission)?
    private let clock: @Sendable () -> UTCInstant
    /// The backend of every engine of the store. Its memory outlives a reload, because it does not
    /// depend on a table.
    private let crypto: any CryptoBackend

    init(_ configuration: PolicyStore.Configuration) {
        trustedKeys = configuration.trustedKeys
        checks = configuration.checks
        logList = configuration.logList
        filters = configuration.crlite
        allowWaivers = configuration.allowWaivers
        admission = configuration.admission
        clock = configuration.clock
        crypto = EngineLoader.remembering(
            configuration.crypto, mostSignatures: configuration.rememberedSignatures)
    }

    /// Checks a table, compares it with `floor`, and asks the program's own test last.
    ///
    /// - Throws: the first reason why the table is refused.
    func check(_ bytes: [UInt8], _ floor: RevisionFloor?) throws(TableRefusal) -> CheckedTable {
        let opened: OpenedTable
        var engine: Engine
        do throws(TableLoadError) {
            opened = try EngineLoader.open(tableBytes: bytes, trustedKeys: trustedKeys)
            engine = try EngineLoader.load(
                table: opened.table, checks: checks, logList: logList, crypto: crypto)
        } catch {
            throw .notLoaded(error)
        }
        engine.statement = opened.statement
        engine.filters = filters
        if !allowWaivers {
            let rules = engine.table.rulesWithWaivers()
            guard rules.isEmpty else { throw .waiversNotAllowed(rules: rules) }
        }
        let table = CheckedTable(
            engine: engine, revision: opened.revision, terms: opened.terms,
            signatures: opened.signatures, bytes: bytes)
        try floor?.admit(RevisionFloor(table))
        if let end = opened.terms?.expires, opened.terms?.hasExpired(at: clock()) == true {
            throw .expired(end)
        }
        if case .refused(let reason)? = admission?(engine) { throw .notAdmitted(reason) }
        return table
    }
}

extension PolicyTable {
    /// The ids of rules that have waivers, sorted; `default` is one of them. Waivers that have
    /// ended count too.
    fileprivate func rulesWithWaivers() -> [String] {
        (0..<ruleCount + (deniesByDefault ? 0 : 1)).compactMap { index in
            let record = rule(at: index)
            guard record.waivers.count > 0 else { return nil }
            return index == ruleCount ? "default" : text(record.id)
        }.sorted()
    }
}
