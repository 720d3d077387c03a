import CHawserABI
import Hawser
import Logging
import TrustEngine

/// The options of a store from C, read into Swift types.
struct StoreOptions {
    private(set) var configuration = PolicyStore.Configuration()
    private(set) var watching = FileWatching.notified()
    /// The gate of the program's functions among the options.
    let callbacks = CallbackGate()
    /// The folder of CRLite filters, as the program named it; nil without one.
    private(set) var filterFolder: String?
    /// Where the store reports its metrics to.
    let metrics = MetricsLedger()

    /// How often a file is checked where the system gives no notices of changes.
    private static let pollingInterval = Duration.seconds(5)

    /// Reads the options; NULL gives the defaults.
    init(_ pointer: UnsafePointer<hawser_store_options>?) throws(CallFailure) {
        configuration.metrics = metrics
        guard unsafe pointer != nil else {
            log(to: unsafe CallbackLog(nil, context: nil, callbacks))
            return
        }
        let options = try unsafe CheckedStruct(pointer, "options").value
        if let name = try unsafe CInput.name(options.name, "options.name") {
            configuration.name = name
        }
        configuration.policyPath = try unsafe CInput.name(
            options.policy_path, limit: CInput.limitPath, "options.policy_path")
        configuration.service = try unsafe CInput.name(options.service, "options.service")
        configuration.trustedKeys = try unsafe StoreOptions.keys(options)
        try unsafe readFlags(options)
        watching = try unsafe StoreOptions.watching(options)
        configuration.stateDirectory = try unsafe CInput.name(
            options.state_directory, limit: CInput.limitPath, "options.state_directory")
        configuration.staleness = try unsafe StoreOptions.staleness(options)
        try unsafe readFilters(options)
        try unsafe readChecks(options)
        configuration.logList = try unsafe CInput.octets(
            options.log_list, limit: CInput.limitOctets, "options.log_list")
        log(to: unsafe CallbackLog(options.log, context: options.log_context, callbacks))
    }

    private mutating func log(to handler: CallbackLog) {
        configuration.logger = Logger(label: "hawser") { _ in handler }
    }

    private mutating func readFlags(_ options: hawser_store_options) throws(CallFailure) {
        let flags = unsafe Int(options.flags)
        let known =
            HAWSER_STORE_REFUSE_WAIVERS | HAWSER_STORE_REQUIRE_STATE
            | HAWSER_STORE_REQUIRE_STATE_AT_START
        guard flags & ~known == 0 else {
            throw unsafe .value("options.flags", options.flags, allowed: "HAWSER_STORE_*")
        }
        configuration.allowWaivers = flags & HAWSER_STORE_REFUSE_WAIVERS == 0
        switch (
            flags & HAWSER_STORE_REQUIRE_STATE != 0,
            flags & HAWSER_STORE_REQUIRE_STATE_AT_START != 0
        ) {
        case (false, false): break
        case (true, false): configuration.state = .required
        case (false, true): configuration.state = .requiredAtStart
        case (true, true):
            throw unsafe .value(
                "options.flags", options.flags,
                allowed: "HAWSER_STORE_REQUIRE_STATE or HAWSER_STORE_REQUIRE_STATE_AT_START, not "
                    + "both")
        }
    }

    /// How a store on a file follows it.
    private static func watching(
        _ options: hawser_store_options
    ) throws(CallFailure) -> FileWatching {
        switch unsafe Int(options.follow) {
        case HAWSER_FOLLOW_NOTIFIED: return .notified()
        case HAWSER_FOLLOW_POLLED: return .polled(every: pollingInterval)
        case HAWSER_FOLLOW_NEVER: return .onRequest
        default:
            throw unsafe .value(
                "options.follow", options.follow, allowed: "HAWSER_FOLLOW_*, 0 to 2")
        }
    }

    /// Reads `crlite_directory`. A program that lets no thread follow its table gets none for
    /// filters.
    private mutating func readFilters(_ options: hawser_store_options) throws(CallFailure) {
        filterFolder = try unsafe CInput.name(
            options.crlite_directory, limit: CInput.limitPath, "options.crlite_directory")
        configuration.crlite = filterFolder.map { path in
            SuppliedFilters(
                CRLiteFolder(
                    path, renewal: watching == .onRequest ? .atQuestion : .inBackground))
        }
    }

    /// The keys that verify tables; nil where none is given.
    private static func keys(
        _ options: hawser_store_options
    ) throws(CallFailure) -> TrustedKeys? {
        var budget = CInput.limitOctets
        let given = try unsafe CInput.list(
            options.trusted_keys, options.trusted_key_count, limit: CInput.limitKeys,
            budget: &budget, "options.trusted_keys")
        guard !given.isEmpty else {
            guard unsafe options.threshold == 0 else {
                throw unsafe .value(
                    "options.threshold", options.threshold, allowed: "0 without trusted keys")
            }
            return nil
        }
        do throws(TrustedKeyError) {
            var keys: [TablePublicKey] = []
            for octets in given {
                if octets.count == 32 {
                    keys.append(try TablePublicKey(raw: octets))
                } else {
                    keys.append(try TablePublicKey(pem: octets))
                }
            }
            return try unsafe TrustedKeys(keys, threshold: max(1, Int(options.threshold)))
        } catch {
            throw CallFailure(HAWSER_E_ARGUMENT, error.code.rawValue, error.context)
        }
    }

    private static func staleness(_ options: hawser_store_options) throws(CallFailure) -> Staleness
    {
        let kind = Int(unsafe options.staleness)
        let seconds = unsafe options.stale_after
        if kind == HAWSER_STALE_NEVER {
            guard seconds == 0 else {
                throw .value("options.stale_after", seconds, allowed: "0 with HAWSER_STALE_NEVER")
            }
            return .never
        }
        guard (1...mostSeconds).contains(seconds) else {
            throw .value("options.stale_after", seconds, allowed: "1 to \(mostSeconds) seconds")
        }
        switch kind {
        case HAWSER_STALE_WARN: return .warn(after: .seconds(seconds))
        case HAWSER_STALE_REJECT: return .reject(after: .seconds(seconds))
        default: throw .value("options.staleness", kind, allowed: "HAWSER_STALE_*, 0 to 2")
        }
    }

    /// A hundred years. It is as good as never, and adding it to an instant does not overflow.
    private static let mostSeconds: Int64 = 3_155_760_000

    private mutating func readChecks(_ options: hawser_store_options) throws(CallFailure) {
        let given = try unsafe CInput.array(
            options.checks, options.check_count, limit: CInput.limitKeys, "options.checks")
        for place in 0..<given.count {
            let entry = unsafe given[place]
            guard let name = try unsafe CInput.name(entry.name, "options.checks.name") else {
                throw .null("options.checks[\(configuration.checks.count)].name")
            }
            guard let function = unsafe entry.function else {
                throw .null("options.checks[\(configuration.checks.count)].function")
            }
            let callback = unsafe CallbackCheck(function, context: entry.context)
            let check = CustomCheck { callback.judge($0) }
            guard configuration.checks.updateValue(check, forKey: name) == nil else {
                throw CallFailure(
                    HAWSER_E_ARGUMENT, "registered-twice",
                    "the check `\(name)` is registered twice")
            }
        }
    }
}
