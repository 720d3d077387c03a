public import TrustEngine

/// Why an engine cannot be loaded.
public enum EngineLoaderError: Error, Hashable, Sendable {
    /// A file cannot be read.
    case file(FileReadError)
    /// The bytes are not a policy table, or the envelope of the table is not in order.
    case table(TableDecodingError)
    /// Too few of the trusted keys have signed the table.
    case signature(TableSignatureError)
    /// An input that the table needs is missing or cannot be read: the system store, an anchor, a
    /// custom check, or a log list.
    case engine(EngineLoadError)

    /// The reason's stable name.
    public var code: String {
        switch self {
        case .file(let error): return error.code.rawValue
        case .table(let error): return error.code.rawValue
        case .signature(let error): return error.code.rawValue
        case .engine(let error): return error.code.rawValue
        }
    }

    /// What was found: lower case, no full stop.
    public var context: String {
        switch self {
        case .file(let error): return error.context
        case .table(let error): return error.context
        case .signature(let error): return error.context
        case .engine(let error): return error.context
        }
    }
}

/// Makes engines. Their crypto backend is libcrypto unless the caller gives another. An engine gets
/// the machine's trust store when its table names it.
public enum EngineLoader {
    /// Octets of the largest table file that is read: some twenty million patterns.
    public static let largestTable = 1 << 30

    /// Makes an engine from a compiled table file, bare or signed.
    ///
    /// - Parameters:
    ///   - path: the table file.
    ///   - trustedKeys: the keys that must have signed the table. With nil, signatures are not
    ///     verified, and whoever may write the file decides.
    ///   - checks: the custom checks that the program registers, by the names that policies use
    ///     under `checks`. A table that names another check does not load.
    ///   - logList: a log_list.json that is newer than the list compiled into the table
    ///     (`EngineInputs.logList`).
    ///   - crypto: what verifies the signatures of certificates and evidence. The signatures of the
    ///     table are verified by libcrypto.
    public static func load(
        tableFile path: String, trustedKeys: TrustedKeys? = nil,
        checks: [String: CustomCheck] = [:],
        logList: [UInt8]? = nil, crypto: any CryptoBackend = EngineLoader.crypto
    ) throws(EngineLoaderError) -> Engine {
        let opened = try open(tableFile: path, trustedKeys: trustedKeys)
        return try load(table: opened.table, checks: checks, logList: logList, crypto: crypto)
    }

    /// Makes an engine from the bytes of a compiled table, bare or signed, under the same terms.
    public static func load(
        tableBytes bytes: [UInt8], trustedKeys: TrustedKeys? = nil,
        checks: [String: CustomCheck] = [:], logList: [UInt8]? = nil,
        crypto: any CryptoBackend = EngineLoader.crypto
    ) throws(EngineLoaderError) -> Engine {
        let opened = try open(tableBytes: bytes, trustedKeys: trustedKeys)
        return try load(table: opened.table, checks: checks, logList: logList, crypto: crypto)
    }

    /// Makes an engine from a decoded table, under the same terms. The system store is read only
    /// when the table names it.
    public static func load(
        table: PolicyTable, checks: [String: CustomCheck] = [:], logList: [UInt8]? = nil,
        crypto: any CryptoBackend = EngineLoader.crypto
    ) throws(EngineLoaderError) -> Engine {
        var inputs = EngineInputs(checks: checks, logList: logList)
        if (0..<table.anchorSetCount).contains(where: { table.anchorSet(at: $0).namesSystemStore })
        {
            let store: [[UInt8]]?
            do throws(FileReadError) {
                store = try SystemStore.read()
            } catch {
                throw .file(error)
            }
            guard let store, !store.isEmpty else {
                throw .engine(
                    EngineLoadError(
                        code: .systemStoreMissing,
                        context: store == nil ? SystemStore.missing() : SystemStore.empty()))
            }
            inputs.systemStore = store
        }
        return try load(table: table, inputs: inputs, crypto: crypto)
    }

    /// Makes an engine from a table and the caller's inputs. Nothing else is read.
    public static func load(
        table: PolicyTable, inputs: EngineInputs, crypto: any CryptoBackend = EngineLoader.crypto
    ) throws(EngineLoaderError) -> Engine {
        do throws(EngineLoadError) {
            return try Engine(table: table, inputs: inputs, crypto: crypto)
        } catch {
            throw .engine(error)
        }
    }
}
