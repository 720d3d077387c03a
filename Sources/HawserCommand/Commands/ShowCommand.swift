import ArgumentParser
import PolicyTools
import TrustEngine

/// `hawser show`: the rule that one host gets.
struct ShowCommand: Answering {
    static let configuration = CommandConfiguration(
        commandName: "show",
        abstract: "Show the rule that a host gets, with the file and line of every field.")

    @Argument(help: "HOST or HOST:PORT; the port is 443 unless said.")
    var host: String

    @OptionGroup var policy: PolicyOptions
    @OptionGroup var output: OutputOptions

    func answer() throws(CommandFailure) -> ExitStatus {
        let request = try RequestHost(host)
        let canonical: CanonicalHost
        do throws(HostProblem) {
            canonical = try CanonicalHost(text: request.host)
        } catch {
            throw .couldNotAsk("`\(host)` is neither a host name nor an address: \(error.reason)")
        }
        let table = try PolicySource.table(policy: policy.policy, tableFile: policy.table)
        let rule = EffectiveRule(table: table, host: canonical, port: request.port)
        for assumption in request.assumptions { Report.progress(assumption) }
        switch output.format {
        case .text: try Report.print(RuleText.render(rule))
        case .json: try Report.print(RuleText.renderJSON(rule))
        }
        return .clean
    }
}
