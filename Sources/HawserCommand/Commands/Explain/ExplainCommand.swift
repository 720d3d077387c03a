import ArgumentParser
import Hawser
import PolicyCompiler
import PolicyTools
import Rendering
import TrustEngine

/// `hawser explain`: prints the verdict on a chain and the reasons for it.
struct ExplainCommand: FormattedCommand {
    typealias Answer = ExplainedVerdict

    static let configuration = CommandConfiguration(
        commandName: "explain",
        abstract:
            "Say whether a host's certificate chain is trusted, why, and what would change it.",
        discussion: """
            The chain comes from a file (PEM or DER, the server's own certificate first) or from a \
            server. No application data is sent to the server.

            `--why-not RULE` says why that rule does not decide the host. It needs only the policy and no \
            chain, and always ends with 0.

            `--receipt FILE` repeats a decision of a program; `FILE:ID` finds it by the id that the \
            program's log has. The host, the time, the TLS parameters and \
            the verdict come from the receipt, the policy from the options, and the chain and the evidence \
            from either. The inputs are compared with the digests of the receipt; if one differs, nothing \
            is replayed and the status is 2. Otherwise the first line says whether verdict and trace are \
            the same. The status is 1 if they are not; otherwise it is the status of the verdict.
            """)

    @OptionGroup var question: RequestOptions

    @Flag(
        help: "Fetch the evidence that the verdict wants, whatever the rule says of `network`.")
    var fetch = false

    @OptionGroup(title: "With `--fetch`") var fetching: FetchOptions

    @OptionGroup(title: "Decisions that a program wrote down") var receipts: ReceiptOptions

    @Option(
        name: .customLong("save-evidence"),
        help: "A folder to write the chain and the evidence to, for a later `--evidence`.",
        completion: .directory)
    var saveEvidence: String?

    @Option(
        name: .customLong("why-not"),
        help: "Say why this rule, or `default`, does not decide the host.",
        completion: .custom(PolicyWords.rules))
    var whyNot: String?

    @Flag(help: "Show every step.")
    var trace = false

    @OptionGroup var output: AnswerOptions<ExplainedVerdict>

    func answer() throws(CommandFailure) -> ExitStatus {
        if let whyNot {
            try answerWhyNot(whyNot)
            return .clean
        }
        let output = try AnswerOutput(output)
        if let option = receipts.firstWithoutReceipt {
            throw .couldNotAsk("`\(option)` is for `--receipt`")
        }
        var asked: AskedRequest
        var replay: ReplayedReceipt?
        if let (receipt, line) = try receipts.read() {
            guard !fetch, !fetching.isGiven else {
                throw .couldNotAsk(
                    "`--fetch` has no place beside `--receipt`, which says by which evidence")
            }
            (asked, replay) = try question.asked(replaying: receipt, line: line, receipts)
        } else {
            asked = try request()
            if fetch { asked = try fetched(asked) }
        }
        let explanation = asked.explain()
        if let saveEvidence {
            let names = try EvidenceFiles.save(asked.request, in: saveEvidence)
            Report.progress("wrote \(names.count) files to \(saveEvidence)")
        }
        if let sentence = asked.preparation(of: explanation.verdict) {
            asked.assumptions.append(sentence)
        }
        if let sentence = try question.defaultCertificate(
            after: explanation.verdict, on: asked.request)
        {
            asked.assumptions.append(sentence)
        }
        if let sentence = question.unreadStore(after: explanation.verdict, asked.engine) {
            asked.assumptions.append(sentence)
        }
        let answer = try replay?.answer(of: asked.request, explanation)
        try output.write(explained(explanation, asked, answer))
        return explanation.verdict.isAccept && answer?.differences.isEmpty ?? true
            ? .clean : .findings
    }

    // MARK: The request

    private func request() throws(CommandFailure) -> AskedRequest {
        guard fetch || !fetching.isGiven else {
            throw .couldNotAsk("`--allow-network` and `--allow-port` are for `--fetch`")
        }
        return try question.asked()
    }

    /// The request with the evidence that its verdict wants, fetched, and with sentences about the
    /// fetching.
    private func fetched(_ asked: AskedRequest) throws(CommandFailure) -> AskedRequest {
        var asked = asked
        let fetched = PolicySnapshot(asked.engine)
            .judge(asked.request, fetching: try fetching.fetcher())
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

    private func explained(
        _ explanation: Explanation, _ asked: AskedRequest, _ replay: ReplayAnswer?
    ) -> ExplainedVerdict {
        ExplainedVerdict(
            explanation: explanation, asked: asked, replay: replay,
            repairs: explanation.verdict.isAccept
                ? nil
                : asked.rewriting?.repairs(explanation, asked, isPresent: question.at == nil),
            commands: commands(explanation, asked.request, isReplay: replay != nil),
            detail: trace ? .everything : .screen,
            command: ShellWords.line(["hawser", "explain"] + question.words))
    }

    /// Commands to run next, with the arguments of this call. `hawser pin` is not proposed: if
    /// another server answered in place of the right one, its pins would be the wrong ones.
    private func commands(
        _ explanation: Explanation, _ request: TrustRequest, isReplay: Bool
    ) -> [String] {
        guard !explanation.verdict.isAccept else { return [] }
        // `show` cannot answer for a text that is not a host.
        guard !explanation.verdict.violations.contains(where: { $0.id == "bad-host" }) else {
            return []
        }
        let host =
            (try? question.target().text) ?? HostWithPort.text(request.host, request.port)
        var commands = [ShellWords.line(["hawser", "show", host] + question.policy.words)]
        if !fetch, !isReplay, !explanation.verdict.wanted.isEmpty {
            commands.append(ShellWords.line(["hawser", "explain"] + question.words + ["--fetch"]))
        }
        return commands
    }
}
