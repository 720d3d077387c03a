import ArgumentParser

/// The options of every command that asks a policy.
struct PolicyOptions: ParsableArguments {
    @Option(
        help: """
            A policy file or folder; by default what `HAWSER_POLICY` names, or the unit of the \
            current folder, or the only one below it.
            """, completion: .file())
    var policy: String?

    @Option(
        help: "A compiled table, in place of a policy; `HAWSER_TABLE` names one, too.",
        completion: .file())
    var table: String?

    @OptionGroup var trusted: TrustedKeyOptions

    /// The options as they were given, to repeat them in a proposed command.
    var words: [String] {
        (policy.map { ["--policy", $0] } ?? []) + (table.map { ["--table", $0] } ?? [])
            + trusted.words
    }
}
