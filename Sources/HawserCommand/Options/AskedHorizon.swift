import PolicyCompiler

/// A time ahead that a user asks about: `--horizon 90d`.
enum AskedHorizon {
    /// The seconds of an option's value; at least one, and at most a hundred years.
    static func seconds(_ text: String, of option: String) throws(CommandFailure) -> Int64 {
        let seconds = try asking { () throws(ScalarProblem) in
            try DurationScanner.scan(text, for: option)
        }
        guard (1...longest).contains(seconds) else {
            throw .couldNotAsk("`\(option) \(text)` is not between a second and a hundred years")
        }
        return seconds
    }

    /// 90 days, as for the linter.
    static let usual: Int64 = 90 * 86_400
    /// A hundred years of 366 days.
    private static let longest: Int64 = 36_600 * 86_400
}
