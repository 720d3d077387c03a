import LibCrypto
public import TrustEngine

/// Why an engine cannot be loaded.
public enum EngineLoaderError: Error, Hashable, Sendable {
    /// A file cannot be read.
    case file(FileReadError)
    /// The bytes are not a policy table, or its envelope is not in order.
    case table(TableDecodingError)
    /// Too few of the keys that are trusted have signed it.
    case signature(TableSignatureError)
    /// The table names something this machine does not supply.
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

    /// What was found, lower case, no full stop.
    public var context: String {
        switch self {
        case .file(let error): return error.context
        case .table(let error): return error.context
        case .signature(let error): return error.context
        case .engine(let error): return error.context
        }
    }
}

/// Makes engines: libcrypto behind them, and the machine's trust store where a table names it.
public enum EngineLoader {
    /// Largest table file that is read, octets: some twenty million patterns.
    public static let largestTable = 1 << 30

    /// An engine from a compiled table file, bare or signed.
    ///
    /// With `trustedKeys` only a table loads that enough of them have signed; without, whoever may
    /// write the file decides, and signatures are not looked at.
    ///
    /// In every form `checks` are those that the program registers, by the names that policies use
    /// under `checks`; a table that names another one does not load. `logList` is a log_list.json
    /// of a later day than the one that is compiled in (`EngineInputs.logList`).
    public static func load(
        tableFile path: String, trustedKeys: TrustedKeys? = nil,
        checks: [String: CustomCheck] = [:],
        logList: [UInt8]? = nil
    ) throws(EngineLoaderError) -> Engine {
        let opened = try open(tableFile: path, trustedKeys: trustedKeys)
        return try load(table: opened.table, checks: checks, logList: logList)
    }

    /// An engine from a compiled table's bytes, bare or signed, on the same terms.
    public static func load(
        tableBytes bytes: [UInt8], trustedKeys: TrustedKeys? = nil,
        checks: [String: CustomCheck] = [:], logList: [UInt8]? = nil
    ) throws(EngineLoaderError) -> Engine {
        let opened = try open(tableBytes: bytes, trustedKeys: trustedKeys)
        return try load(table: opened.table, checks: checks, logList: logList)
    }

    /// An engine from a table. The system store is read only when the table names it.
    public static func load(
        table: PolicyTable, checks: [String: CustomCheck] = [:], logList: [UInt8]? = nil
    ) throws(EngineLoaderError) -> Engine {
        var inputs = EngineInputs(checks: checks, logList: logList)
        if (0..<table.anchorSetCount).contains(where: { table.anchorSet(at: $0).namesSystemStore })
        {
            do throws(FileReadError) {
                inputs.systemStore = try SystemStore.read()
            } catch {
                throw .file(error)
            }
        }
        return try load(table: table, inputs: inputs)
    }

    /// An engine from a table with inputs of the caller's choice, read by nobody else.
    public static func load(
        table: PolicyTable, inputs: EngineInputs
    ) throws(EngineLoaderError) -> Engine {
        do throws(EngineLoadError) {
            return try Engine(table: table, inputs: inputs, crypto: LibCryptoBackend())
        } catch {
            throw .engine(error)
        }
    }
}
