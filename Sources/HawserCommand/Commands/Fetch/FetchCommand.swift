import ArgumentParser
import Hawser
import PolicyTools
import Rendering
import TrustEngine

/// `hawser fetch`: fetches the evidence that the verdict on a chain wants, into a folder.
struct FetchCommand: Answering {
    static let configuration = CommandConfiguration(
        commandName: "fetch",
        abstract: "Fetch the revocation evidence that a chain's verdict wants into a folder.",
        discussion: """
            `hawser explain --evidence DIR` then reads it and needs no network. Nothing is fetched for a \
            chain that does not verify. Only plain http to public addresses on ports 80 and 8080 is used, \
            unless options allow more. Redirects are not followed, and proxies of the environment are not \
            used.

            Ends with 0 if all wanted evidence was fetched, and with 1 if some was not.
            """)

    @OptionGroup var question: RequestOptions

    @OptionGroup var fetch: FetchOptions

    @Option(
        name: [.short, .customLong("output")], help: "The folder to fill; made if need be.",
        completion: .directory)
    var output: String

    @Option(help: AnswerOptions<FetchedEvidence>.formatHelp)
    var format = AskedFormat<FetchedEvidence>(FetchedEvidence.usual)

    func answer() throws(CommandFailure) -> ExitStatus {
        let answers = try AnswerOutput<FetchedEvidence>(format.named, [], colour: .auto)
        let fetcher = try fetch.fetcher()
        let asked = try question.asked()
        let fetched = PolicySnapshot(asked.engine).judge(asked.request, fetching: fetcher)
        let pieces = fetched.attempts.compactMap(\.evidence)
        let names = try EvidenceFiles.save(pieces, in: output)
        let answer = FetchedEvidence(
            fetched: fetched, files: names, assumptions: asked.assumptions)
        try answers.write(answer)
        return answer.isComplete ? .clean : .findings
    }
}

/// The evidence that was fetched for the verdict on a chain.
struct FetchedEvidence: OfferedAnswer {
    let fetched: Decision
    /// The names of the files that were written, in the order of the attempts.
    let files: [String]
    let assumptions: [String]

    static let writers = FormatWriters<FetchedEvidence>([
        .answer(.text): { answer, _ in answer.text },
        .answer(.json): { answer, _ in
            FetchJSON.render(
                answer.fetched, files: answer.files, isComplete: answer.isComplete,
                assumptions: answer.assumptions)
        },
    ])

    private var text: String {
        var text = ""
        var next = files.makeIterator()
        for attempt in fetched.attempts {
            let subject = attempt.wanted.certificate.subjectText
            var line = FetchSentences.line(attempt) + ", for \(subject)"
            if attempt.evidence != nil, let name = next.next() { line += ", in \(name)" }
            text += TerminalEscape.escape(line) + "\n"
        }
        return text + TerminalEscape.escape(conclusion) + "\n"
    }

    /// Whether all evidence that the verdict wanted was fetched.
    var isComplete: Bool {
        guard fetched.verdict.wanted.isEmpty else { return false }
        return fetched.verdict.isAccept || !fetched.attempts.isEmpty
    }

    private var conclusion: String {
        let verdict = fetched.verdict
        let ids = ExplainDocument.ids(verdict.violations)
        let word = verdict.isAccept ? "accept" : "reject: " + ids.joined(separator: ", ")
        guard fetched.attempts.isEmpty else { return "with what was fetched: \(word)" }
        if verdict.violations.contains(where: { $0.kind == .revocationUndetermined }),
            verdict.violations.allSatisfy({ $0.check == .revocation })
        {
            return
                "nothing can be fetched: no certificate of the chain names an address of a source "
                + "that the rule asks; `hawser explain` shows which sources they name: \(word)"
        }
        return verdict.isAccept
            ? "nothing is wanted: \(word)"
            : "nothing is fetched for a chain that is rejected without it: \(word)"
    }
}
