import ArgumentParser
import Hawser
import PolicyTools
import Rendering
import TrustEngine

/// `hawser explain`: the verdict on a chain, and what it rests on.
struct ExplainCommand: Answering {
    static let configuration = CommandConfiguration(
        commandName: "explain",
        abstract:
            "Say whether a host's certificate chain is trusted, why, and what would change it.",
        discussion: """
            The chain comes from a file (PEM or DER, the server's own certificate first) or from a \
            server. A server is only looked at: no application data is sent.

            `--why-not RULE` asks another question, of the policy alone: why that rule does not decide \
            the host. It looks at no chain, and its answer ends with 0 whatever it is.
            """)

    @OptionGroup var question: RequestOptions

    @Flag(
        help: "Fetch the evidence that the verdict wants, whatever the rule says of `network`.")
    var fetch = false

    @OptionGroup(title: "With `--fetch`") var fetching: FetchOptions

    @Option(
        name: .customLong("save-evidence"),
        help: "A folder to write the evidence to, and the chain, so that `--evidence` asks again.",
        completion: .directory)
    var saveEvidence: String?

    @Option(
        name: .customLong("why-not"),
        help: "Say why this rule, or `default`, does not decide the host.")
    var whyNot: String?

    @Flag(help: "Show every step.")
    var trace = false

    @OptionGroup var output: OutputOptions

    func answer() throws(CommandFailure) -> ExitStatus {
        if let whyNot {
            try Report.print(whyNotAnswer(whyNot))
            return .clean
        }
        var asked = try request()
        if fetch { asked = try fetched(asked) }
        if let saveEvidence {
            let names = try EvidenceFiles.save(asked.request, in: saveEvidence)
            Report.progress("wrote \(names.count) files to \(saveEvidence)")
        }
        let explanation = asked.engine.explain(asked.request)
        try Report.print(
            text(explanation, asked.engine.table.provenance(), asked.assumptions))
        return explanation.verdict.isAccept ? .clean : .findings
    }

    // MARK: The request

    private func request() throws(CommandFailure) -> AskedRequest {
        guard fetch || !fetching.isGiven else {
            throw .couldNotAsk("`--allow-network` and `--allow-port` are for `--fetch`")
        }
        return try question.asked()
    }

    /// The request with what its verdict wants, and what the reader must know of that.
    private func fetched(_ asked: AskedRequest) throws(CommandFailure) -> AskedRequest {
        var asked = asked
        let fetched = try fetching.fetcher().evaluateFetching(
            asked.request, with: asked.engine, permission: .caller)
        asked.request = fetched.request
        asked.assumptions += fetched.attempts.map(FetchSentences.line)
        if !fetched.attempts.isEmpty,
            let sentence = FetchSentences.policy(asked.rule?.revocation.network)
        {
            asked.assumptions.append(sentence)
        }
        return asked
    }

    // MARK: The answer

    private func text(
        _ explanation: Explanation, _ provenance: Provenance?, _ assumptions: [String]
    ) -> String {
        guard output.format == .text else {
            return TraceJSON.render(
                explanation, provenance: provenance, assumptions: assumptions)
        }
        return TraceText.render(
            explanation, provenance: provenance,
            options: TraceText.Options(
                detail: trace ? .everything : .screen, colour: Report.colour(output.colour),
                assumptions: assumptions, commands: commands(explanation)))
    }

    /// What to run next, with the arguments of this call.
    private func commands(_ explanation: Explanation) -> [String] {
        guard !explanation.verdict.isAccept else { return [] }
        let ids = Set(explanation.verdict.violations.map(\.id))
        // `show` can say nothing of what is no host.
        guard !ids.contains("bad-host") else { return [] }
        var commands = [ShellWords.line(["hawser", "show", question.host] + question.policy.words)]
        if !fetch, !explanation.verdict.wanted.isEmpty {
            commands.append(ShellWords.line(["hawser", "explain"] + question.words + ["--fetch"]))
        }
        if !ids.isDisjoint(with: ["pin-mismatch", "self-signed-leaf"]) {
            if let chain = question.chain {
                commands.append(ShellWords.line(["hawser", "pin", chain]))
            }
            if let connect = question.connect {
                commands.append(
                    ShellWords.line([
                        "hawser", "pin", "--connect", connect, "--name", question.host,
                    ]))
            }
        }
        return commands
    }
}
