extension DiagnosticCode {
    /// The command that finds a code.
    package enum Finder: String, Hashable, Sendable, CaseIterable {
        /// `check`, and `lint` as well.
        case check
        /// Only `lint`.
        case lint
        /// `diff` alone: the code is of a file that `--allow` names.
        case diff
        /// Only `lint --base`, which compares with another policy.
        case base
        /// `test`, and `lint` of a unit with a test file.
        case test
        /// `assert`, and `lint` where a unit has assertions.
        case assert
        /// Only `import`: the code is of a file of another system.
        case `import`
        /// Only `export`: the code is of a file of exports.
        case export
    }

    /// Whether only `lint` finds this code.
    package var isOfLint: Bool { finder == .lint }
}
