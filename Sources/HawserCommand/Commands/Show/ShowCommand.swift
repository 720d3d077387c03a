import ArgumentParser
import Hawser
import PolicyCompiler
import PolicyTools
import Rendering
import TrustEngine

/// `hawser show`: prints the rule that decides one host, `default`, or a profile, with every field;
/// or which rule decides each class of hosts.
struct ShowCommand: FormattedCommand {
    typealias Answer = ShownRule

    static let configuration = CommandConfiguration(
        commandName: "show",
        abstract: "Show the rule that a host gets, with the file and line of its fields.",
        discussion: """
            The answer fits a screen: the rule, its owner, its exceptions, its anchors and pins, and the \
            fields that differ from the defaults. `--all` prints every field with the layer that wrote \
            it: the rule, a profile, or a built-in profile. `--format json` always has every field, and \
            `--format flat` prints one line for each field without file and line, so that two hosts or \
            two policies can be compared:

            diff <(hawser show a.example --format flat) <(hawser show b.example --format flat)

            A pattern such as "**.example" or "10.0.0.0/8" stands for every host inside it, and \
            `--classes` for every host there is. These hosts are parted into classes that one pattern \
            decides; each is printed with its rule, what the rule demands in short, and one host of it.
            """)

    @Argument(
        help: "HOST or HOST:PORT, by default port 443; or PATTERN, in quotes.",
        completion: .custom(PolicyWords.hosts))
    var host: String?

    @Flag(name: .customLong("classes"), help: "Show which rule decides each class of hosts.")
    var showsClasses = false

    @Flag(name: .customLong("default"), help: "Show what decides hosts that no rule matches.")
    var showsDefault = false

    @Option(
        help: "Show a profile with the profiles that it extends. Built-in profiles are shown, too.",
        completion: .custom(PolicyWords.profiles))
    var profile: String?

    @Flag(help: "Print every field. Of a profile every field is always printed.")
    var all = false

    @OptionGroup var policy: PolicyOptions

    @OptionGroup var output: AnswerOptions<ShownRule>

    func answer() throws(CommandFailure) -> ExitStatus {
        let output = try AnswerOutput(output)
        let rule: EffectiveRule
        switch (host, showsDefault, profile, showsClasses) {
        case (let host?, false, nil, false):
            if let pattern = try ShowCommand.pattern(host) {
                try output.write(classes(inside: pattern))
                return .clean
            }
            rule = try hostRule(host)
        case (nil, true, nil, false):
            rule = EffectiveRule(defaultOf: try table(), crypto: EngineLoader.makeBackend())
        case (nil, false, let id?, false): rule = try profileRule(id)
        case (nil, false, nil, true):
            try output.write(classes(inside: nil))
            return .clean
        case (nil, false, nil, false):
            throw .couldNotAsk(
                "give a host or a pattern, `--classes`, `--default` or `--profile ID`")
        default:
            throw .couldNotAsk(
                "a host, `--classes`, `--default` and `--profile` are questions of their own; "
                    + "ask one")
        }
        let subject =
            showsDefault ? ["--default"] : host.map { [$0] } ?? profile.map { ["--profile", $0] }
        try output.write(
            .rule(
                rule, isWhole: all || profile != nil,
                command: ShellWords.line(
                    ["hawser", "show"] + (subject ?? []) + policy.words
                        + (profile == nil ? ["--all"] : []))))
        return .clean
    }

    private func hostRule(_ text: String) throws(CommandFailure) -> EffectiveRule {
        let request = try RequestHost(text)
        let host = try request.canonical()
        let rule = EffectiveRule(
            table: try table(), host: host, port: request.port, crypto: EngineLoader.makeBackend())
        for assumption in request.assumptions { Report.progress(assumption) }
        return rule
    }

    /// The pattern that an argument is; nil where it is one host.
    private static func pattern(_ text: String) throws(CommandFailure) -> HostPattern? {
        guard text.contains("*") || text.contains("/") else { return nil }
        do throws(ScalarProblem) {
            return try HostPatternScanner.scan(text).pattern
        } catch {
            // A text with `/` may be a URL, of which the host is told.
            guard text.contains("*"), !text.contains("://") else { return nil }
            throw .couldNotAsk(([error.message] + error.help).joined(separator: "; "))
        }
    }

    /// The classes of hosts inside a pattern, or all.
    private func classes(inside pattern: HostPattern?) throws(CommandFailure) -> ShownRule {
        let table = try table()
        let command = ShellWords.line(["hawser", "show"] + [host ?? "--classes"] + policy.words)
        return try asking { () throws(AnswerFailure) in
            .classes(
                try PolicyClasses(table, inside: pattern, crypto: EngineLoader.makeBackend()),
                command: command)
        }
    }

    private func profileRule(_ id: String) throws(CommandFailure) -> EffectiveRule {
        // A built-in profile is the same under every policy.
        if let builtIn = BuiltInProfile(rawValue: id) {
            return EffectiveRule(
                profile: id, parent: nil, requirements: builtIn.requirements, reportOnly: [],
                provenance: Provenance())
        }
        let checked = try PolicySource.policy(policy)
        guard let profile = FlattenedProfile(id, of: checked) else {
            let ids = FlattenedProfile.ids(of: checked) + BuiltInProfile.allCases.map(\.rawValue)
            throw .couldNotAsk(
                "the policy has no profile `\(id)`" + DidYouMean.question(for: id, among: ids))
        }
        return EffectiveRule(
            profile: id, parent: profile.parent, requirements: profile.requirements,
            reportOnly: profile.reportOnly,
            provenance: ProvenanceLowering.locations(of: checked).provenance)
    }

    private func table() throws(CommandFailure) -> PolicyTable {
        try PolicySource.table(policy)
    }
}
