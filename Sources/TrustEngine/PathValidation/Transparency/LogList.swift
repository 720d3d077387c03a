/// A list of Certificate Transparency logs: the parts of log_list.json, version 3, by which
/// timestamps are judged.
package struct LogList: Sendable {
    /// SHA-256 of the file.
    package let digest: Digest
    /// The instant at which the list was issued: `log_list_timestamp`.
    package let issued: UTCInstant
    /// The logs, by the SHA-256 of their keys.
    package let logs: [Digest: TransparencyLog]
}

/// One log of the list.
package struct TransparencyLog: Sendable {
    /// The log's name in the list, raw text.
    package let name: String
    /// The log's operator, raw text.
    package let operatorName: String
    /// The former operators, each with its last second, in the order of time.
    package let previousOperators: [(name: String, until: UTCInstant)]
    /// The key's SubjectPublicKeyInfo, DER.
    package let keyBytes: [UInt8]
    /// The log's key. Its ranges point into `keyBytes`.
    package let key: PublicKey
    /// The log's state and since when it has that state; pending where the list does not say.
    package let state: TransparencyLogState
    package let since: UTCInstant
    /// The log takes certificates whose notAfter lies in this interval; nil for all certificates.
    package let interval: Interval?
    /// Whether the log has the static CT API, which is read in tiles. Other logs have the API of
    /// RFC 6962.
    package let isTiled: Bool

    /// An interval of time. `from` is inside, `until` is not.
    package struct Interval: Hashable, Sendable {
        package let from: UTCInstant
        package let until: UTCInstant
    }

    /// The operator at an instant. A list names former operators, so that a certificate keeps the
    /// independence of operators that it was issued with.
    package func operatorName(at time: UTCInstant) -> String {
        previousOperators.first { time <= $0.until }?.name ?? operatorName
    }
}

/// The states of a log in version 3 of the list.
public enum TransparencyLogState: String, Hashable, Sendable, CaseIterable {
    case pending, qualified, usable, readonly, retired, rejected
}

/// Why octets are not a log list.
package struct LogListError: Error, Hashable, Sendable {
    /// The fault, to be read after the list's name: lower case, no full stop.
    package let reason: String

    init(_ reason: String) { self.reason = reason }
}

extension LogList {
    /// The most logs that are read. The public list has about 80.
    package static let maximumLogs = 4_096

    /// Reads a list. Members that the engine does not need may hold any JSON. Cost: linear in the
    /// octets.
    ///
    /// - Throws: `LogListError` for octets that leave in doubt which logs the list has, or a
    ///   property of a log.
    package init(json bytes: [UInt8], crypto: any CryptoBackend) throws(LogListError) {
        var reader = LogListReader(bytes: bytes, identity: .computed(crypto))
        let (issued, logs) = try reader.read()
        self.digest = crypto.digest(.sha256, of: bytes.span)
        self.issued = issued
        self.logs = logs
    }

    /// Reads a list for a comparison. The digest and the ids of logs are taken as they are written;
    /// an engine computes them. Nil where the octets are not a log list. Cost: linear in the
    /// octets.
    init?(written bytes: [UInt8], digest: Digest) {
        var reader = LogListReader(bytes: bytes, identity: .written)
        guard let (issued, logs) = try? reader.read() else { return nil }
        self.digest = digest
        self.issued = issued
        self.logs = logs
    }
}

/// Reads the logs of log_list.json.
private struct LogListReader {
    /// How the id of a log is found.
    enum Identity {
        /// It is the SHA-256 of the key, and `log_id` must be equal.
        case computed(any CryptoBackend)
        /// It is `log_id`.
        case written
    }

    let bytes: [UInt8]
    let identity: Identity
    private var logs: [Digest: TransparencyLog] = [:]

    init(bytes: [UInt8], identity: Identity) {
        self.bytes = bytes
        self.identity = identity
    }

    mutating func read() throws(LogListError) -> (UTCInstant, [Digest: TransparencyLog]) {
        guard let root = try members(0..<bytes.count) else {
            throw LogListError("is JSON but no object")
        }
        func required(_ name: String) throws(LogListError) -> Range<Int> {
            guard let value = try root.only(name, of: nil) else {
                throw LogListError("has no `\(name)`")
            }
            return value
        }
        let stamp = try required("log_list_timestamp")
        let list = try required("operators")
        guard let issued = instant(stamp) else {
            throw LogListError(
                "has a `log_list_timestamp` that is not of the form 2026-01-31T12:00:00Z")
        }
        guard let operators = try elements(list) else {
            throw LogListError("has `operators` that are no list")
        }
        for (index, value) in operators.enumerated() {
            let context = "operator \(index + 1)"
            guard let fields = try members(value),
                let name = text(try fields.only("name", of: context))
            else { throw LogListError("has no `name` in \(context)") }
            for (key, isTiled) in [("logs", false), ("tiled_logs", true)] {
                guard let value = try fields.only(key, of: context) else { continue }
                guard let items = try elements(value) else {
                    throw LogListError("has `\(key)` that are no list in \(context)")
                }
                for (number, item) in items.enumerated() {
                    try add(
                        item, of: name, isTiled: isTiled,
                        context: "`\(key)` \(number + 1) of \(context)")
                }
            }
        }
        return (issued, logs)
    }

    private mutating func add(
        _ value: Range<Int>, of operatorName: String, isTiled: Bool, context: String
    ) throws(LogListError) {
        guard let fields = try members(value) else {
            throw LogListError("has \(context) that is no object")
        }
        guard let keyBytes = base64(try fields.only("key", of: context)),
            let key = try? PublicKey.parse(spki: keyBytes.span, at: 0)
        else { throw LogListError("has no `key` that can be read in \(context)") }
        let written = base64(try fields.only("log_id", of: context))
        guard let written, let id = id(of: keyBytes, written), id.bytes == written else {
            throw LogListError("has a `log_id` that is not the SHA-256 of the key in \(context)")
        }
        let (state, since) = try readState(fields.only("state", of: context), context)
        let log = TransparencyLog(
            name: text(try fields.only("description", of: context)) ?? context,
            operatorName: operatorName,
            previousOperators: try readOperators(
                fields.only("previous_operators", of: context), context),
            keyBytes: keyBytes, key: key, state: state, since: since,
            interval: try readInterval(fields.only("temporal_interval", of: context), context),
            isTiled: isTiled)
        guard logs.count < LogList.maximumLogs else {
            throw LogListError("has more than \(LogList.maximumLogs) logs")
        }
        guard logs.updateValue(log, forKey: id) == nil else {
            throw LogListError("has the log of \(context) twice")
        }
    }

    private func id(of keyBytes: [UInt8], _ written: [UInt8]) -> Digest? {
        switch identity {
        case .computed(let crypto): return crypto.digest(.sha256, of: keyBytes.span)
        case .written: return Digest(.sha256, bytes: written)
        }
    }

    /// Reads a log's state. Nobody has decided about a log without a state.
    private func readState(
        _ value: Range<Int>?, _ context: String
    ) throws(LogListError) -> (TransparencyLogState, UTCInstant) {
        guard let value else { return (.pending, UTCInstant(secondsSinceEpoch: 0)) }
        guard let fields = try members(value), fields.items.count == 1,
            let state = TransparencyLogState(rawValue: fields.items[0].name),
            let inner = try members(fields.items[0].value),
            let since = instant(try inner.only("timestamp", of: context))
        else {
            let states = TransparencyLogState.allCases.map { "`\($0.rawValue)`" }
            throw LogListError(
                "has a `state` that is not one of \(states.joined(separator: ", ")) with its "
                    + "`timestamp` in \(context)")
        }
        return (state, since)
    }

    private func readInterval(
        _ value: Range<Int>?, _ context: String
    ) throws(LogListError) -> TransparencyLog.Interval? {
        guard let value else { return nil }
        guard let fields = try members(value),
            let from = instant(try fields.only("start_inclusive", of: context)),
            let until = instant(try fields.only("end_exclusive", of: context))
        else {
            throw LogListError(
                "has a `temporal_interval` without `start_inclusive` and `end_exclusive` in \(context)"
            )
        }
        return TransparencyLog.Interval(from: from, until: until)
    }

    private func readOperators(
        _ value: Range<Int>?, _ context: String
    ) throws(LogListError) -> [(name: String, until: UTCInstant)] {
        guard let value else { return [] }
        guard let items = try elements(value) else {
            throw LogListError("has `previous_operators` that are no list in \(context)")
        }
        var operators: [(name: String, until: UTCInstant)] = []
        for item in items {
            guard let fields = try members(item),
                let name = text(try fields.only("name", of: context)),
                let until = instant(try fields.only("end_time", of: context))
            else {
                throw LogListError(
                    "has `previous_operators` without `name` and `end_time` in \(context)")
            }
            operators.append((name, until))
        }
        return operators.sorted { $0.until < $1.until }
    }

    // MARK: JSON

    /// The members of an object, by their names with escapes resolved.
    private struct Fields {
        let items: [(name: String, value: Range<Int>)]

        /// The one member with a name; nil when there is none. Two members with one name leave open
        /// which one counts, so they are an error.
        func only(_ name: String, of context: String?) throws(LogListError) -> Range<Int>? {
            let found = items.filter { $0.name == name }
            guard found.count <= 1 else {
                throw LogListError("has `\(name)` twice" + (context.map { " in \($0)" } ?? ""))
            }
            return found.first?.value
        }
    }

    private func members(_ range: Range<Int>) throws(LogListError) -> Fields? {
        var reader = JSONReader(bytes, in: range)
        do throws(JSONReader.Problem) {
            guard let members = try reader.members() else { return nil }
            return Fields(
                items: members.map { member in
                    let quoted = member.name.lowerBound - 1..<member.name.upperBound + 1
                    return (JSONReader.text(bytes, quoted) ?? "", member.value)
                })
        } catch {
            throw notJSON(error)
        }
    }

    private func elements(_ range: Range<Int>) throws(LogListError) -> [Range<Int>]? {
        var reader = JSONReader(bytes, in: range)
        do throws(JSONReader.Problem) {
            return try reader.elements()
        } catch {
            throw notJSON(error)
        }
    }

    private func notJSON(_ problem: JSONReader.Problem) -> LogListError {
        let line = bytes.prefix(problem.offset).count { $0 == 0x0A } + 1
        return LogListError("is not JSON at its line \(line): \(problem.reason)")
    }

    private func text(_ value: Range<Int>?) -> String? {
        value.flatMap { JSONReader.text(bytes, $0) }
    }

    private func instant(_ value: Range<Int>?) -> UTCInstant? {
        text(value).flatMap { UTCInstant(text: $0) }
    }

    private func base64(_ value: Range<Int>?) -> [UInt8]? {
        text(value).flatMap { Base64.decode($0.utf8) }
    }
}
