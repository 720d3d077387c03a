import PolicyCompiler
import TrustEngine

/// The options `--assume NAME=pass` and `--assume NAME=fail`. They state the outcome of checks that
/// programs register and that this command cannot run.
struct AssumedChecks {
    private enum Outcome: String {
        case pass, fail
    }

    private let outcomes: [String: Outcome]

    init(_ options: [String]) throws(CommandFailure) {
        var outcomes: [String: Outcome] = [:]
        for option in options {
            let parts = option.split(separator: "=", omittingEmptySubsequences: false)
            guard parts.count == 2, !parts[0].isEmpty,
                let outcome = Outcome(rawValue: String(parts[1]))
            else {
                throw .couldNotAsk(
                    "`--assume \(option)` says nothing of a check; write `--assume NAME=pass` or "
                        + "`--assume NAME=fail`")
            }
            let name = String(parts[0])
            guard outcomes.updateValue(outcome, forKey: name) ?? outcome == outcome else {
                throw .couldNotAsk("`--assume` has `\(name)` both pass and fail; choose one")
            }
        }
        self.outcomes = outcomes
    }

    /// The answers by the names of the checks, sorted.
    var answers: [(name: String, passes: Bool)] {
        outcomes.sorted { $0.key < $1.key }.map { ($0.key, $0.value == .pass) }
    }

    /// Sentences that tell the reader the assumed outcomes for the deciding rule.
    func sentences(for rule: Requirements?) -> [String] {
        (rule?.checks ?? []).compactMap { name in
            outcomes[name].map { "check `\(name)` is assumed to \($0.rawValue)" }
        }
    }

    /// A check for every name in the tables, for any number of requests: an outcome must be given
    /// for each.
    func registeredForAll(
        _ tables: [PolicyTable]
    ) throws(CommandFailure) -> [String: CustomCheck] {
        let names = Set(tables.flatMap(\.checkNames))
        if let unknown = outcomes.keys.sorted().first(where: { !names.contains($0) }) {
            throw .couldNotAsk(
                "the policy names no check `\(unknown)`"
                    + DidYouMean.question(for: unknown, among: names.sorted()))
        }
        let missing = names.filter { outcomes[$0] == nil }.sorted()
        guard missing.isEmpty else {
            let which = missing.map { "`\($0)`" }.joined(separator: ", ")
            let options = missing.map { "--assume \($0)=pass" }.joined(separator: " ")
            throw .couldNotAsk(
                "the policy asks \(which), which only a program that registers it can run; say what "
                    + "to assume: `\(options)`, or `fail`")
        }
        return AssumedChecks.checks(names, outcomes)
    }

    private static func checks(
        _ names: Set<String>, _ outcomes: [String: Outcome]
    ) -> [String: CustomCheck] {
        var checks: [String: CustomCheck] = [:]
        for name in names {
            let outcome = outcomes[name] ?? .fail
            checks[name] = CustomCheck { _ in
                outcome == .pass ? .pass : .fail(reason: "assumed by `--assume \(name)=fail`")
            }
        }
        return checks
    }

    /// A check for every name in the table. Outcomes must be given only for the checks of the
    /// deciding rule. Checks of other rules are not asked; they would fail.
    ///
    /// - Throws: if the rule names a check without an assumed outcome, and if an outcome is given
    ///   for a check that the policy does not name.
    func registered(
        for table: PolicyTable, rule: Requirements?
    ) throws(CommandFailure) -> [String: CustomCheck] {
        let names = table.checkNames
        if let unknown = outcomes.keys.sorted().first(where: { !names.contains($0) }) {
            throw .couldNotAsk(
                "the policy names no check `\(unknown)`"
                    + DidYouMean.question(for: unknown, among: names.sorted()))
        }
        let missing = (rule?.checks ?? []).filter { outcomes[$0] == nil }
        guard missing.isEmpty else {
            let which = missing.map { "`\($0)`" }.joined(separator: ", ")
            let options = missing.map { "--assume \($0)=pass" }.joined(separator: " ")
            throw .couldNotAsk(
                "the rule asks \(which), which only a program that registers it can run; say what "
                    + "to assume: `\(options)`, or `fail`")
        }
        return AssumedChecks.checks(names, outcomes)
    }
}
