public import TrustEngine

/// A Certificate Transparency log whose key is known, as a log list has it.
public struct TestLog: Hashable, Sendable {
    /// What the list calls it.
    public var name: String
    /// Who runs it.
    public var operatorName: String
    /// Signs its timestamps.
    public var key: TestKey
    /// Where it stands; nil leaves `state` out.
    public var state: TransparencyLogState? = .usable
    /// Since when.
    public var since: UTCInstant = .at("2025-01-01")
    /// Who ran it before, and until when.
    public var previousOperators: [PreviousOperator] = []
    /// First second and first second no more of the notAfter that it takes.
    public var interval: Range<UTCInstant>?
    /// Whether it is read in tiles.
    public var isTiled = false
    /// `log_id`, when it shall not be the true one.
    public var rawID: [UInt8]?

    /// Who ran a log once.
    public struct PreviousOperator: Hashable, Sendable {
        /// Its name.
        public var name: String
        /// The last second.
        public var until: UTCInstant

        /// A former operator.
        public init(name: String, until: UTCInstant) {
            self.name = name
            self.until = until
        }
    }

    /// A usable log with a P-256 key of its own name.
    public init(_ name: String, of operatorName: String, key: TestKey? = nil) {
        self.name = name
        self.operatorName = operatorName
        self.key = key ?? .p256("log \(name)")
    }

    /// The same log, changed.
    public func with(_ change: (inout TestLog) -> Void) -> TestLog {
        var log = self
        change(&log)
        return log
    }

    /// A timestamp of this log; a month before the instant that examples are judged at unless said
    /// otherwise.
    public func timestamp(
        at time: UTCInstant = .at("2026-05-01"), _ change: (inout TestTimestamp) -> Void = { _ in }
    ) -> TestTimestamp {
        var timestamp = TestTimestamp(log: self, time: time)
        // A log that is read in tiles says where (the static CT API).
        if isTiled { timestamp.extensions = [0, 0, 5, 0, 0, 0, 0, 7] }
        change(&timestamp)
        return timestamp
    }

    /// The log as an object of log_list.json.
    fileprivate var json: String {
        var members = [
            "\"description\": \"\(name)\"",
            "\"log_id\": \"\(PEMWriter.base64(rawID ?? key.spkiSHA256))\"",
            "\"key\": \"\(PEMWriter.base64(key.spki))\"",
            "\"url\": \"https://\(name.lowercased()).log.example/\"", "\"mmd\": 86400",
        ]
        if let state {
            members.append("\"state\": { \"\(state.rawValue)\": { \"timestamp\": \"\(since)\" } }")
        }
        if let interval {
            members.append(
                "\"temporal_interval\": { \"start_inclusive\": \"\(interval.lowerBound)\", "
                    + "\"end_exclusive\": \"\(interval.upperBound)\" }")
        }
        if !previousOperators.isEmpty {
            let list = previousOperators.map {
                "{ \"name\": \"\($0.name)\", \"end_time\": \"\($0.until)\" }"
            }
            members.append("\"previous_operators\": [\(list.joined(separator: ", "))]")
        }
        let lines = members.map { "          \($0)" }.joined(separator: ",\n")
        return "        {\n\(lines)\n        }"
    }
}

/// log_list.json, version 3.
public enum TestLogList {
    /// A list of logs, issued two weeks before the instant that examples are judged at unless said
    /// otherwise; operators in the order in which they come first.
    public static func json(
        _ logs: [TestLog], issued: UTCInstant = .at("2026-05-15")
    ) -> String {
        var names: [String] = []
        for log in logs where !names.contains(log.operatorName) { names.append(log.operatorName) }
        func list(_ key: String, _ logs: [TestLog]) -> String {
            logs.isEmpty
                ? "      \"\(key)\": []"
                : "      \"\(key)\": [\n\(logs.map(\.json).joined(separator: ",\n"))\n      ]"
        }
        let operators = names.map { name in
            let own = logs.filter { $0.operatorName == name }
            return """
                    {
                      "name": "\(name)",
                      "email": ["ct@\(name.lowercased()).example"],
                \(list("logs", own.filter { !$0.isTiled })),
                \(list("tiled_logs", own.filter(\.isTiled)))
                    }
                """
        }
        return """
            {
              "version": "1.0",
              "log_list_timestamp": "\(issued)",
              "operators": [
            \(operators.joined(separator: ",\n"))
              ]
            }

            """
    }
}
