import Rendering
public import TrustEngine

/// A reject as an error, with the facts that a reader of a log needs: the violations, the side at
/// fault, the rule and its owner, the id of the decision, and the command to run next.
///
///     reject api.example:443: expired: `CN=api.example` ended on …, judged at … side=server
///     rule=api owner=payments id=r5f0c… next="hawser show api.example:443 --table /etc/p.table"
///
/// `description` is that text in one line. Errors of the C interface, of Python and of Go, the
/// lines of `hawser run` and the answers of `hawser serve` have the same words.
public struct RejectError: CodedError {
    /// The one reason.
    public enum Code: String, Hashable, Sendable, CaseIterable {
        /// The verdict is a reject.
        case rejected
    }

    /// A word of the line besides the violations.
    public struct Word: Hashable, Sendable {
        /// `side`, `rule`, `owner`, `id` or `next`.
        public let name: String
        /// The value, escaped for logs and terminals.
        public let value: String
    }

    /// The host of the request.
    public let host: String
    /// The port of the request.
    public let port: UInt16
    /// The verdict. Code that acts on a reject reads its violations.
    public let verdict: Verdict
    /// The id of the decision, which its receipt and its report have too; nil where the redaction
    /// leaves it out.
    public let id: DecisionID?
    private let said: RejectLine

    /// Makes the error of a reject; nil for an accept.
    ///
    /// The request is explained, so the call costs an evaluation with its trace, unless the
    /// decision is explained already; a reject by no rule is not explained.
    ///
    /// - Parameters:
    ///   - decision: the decision.
    ///   - receipts: the file that the receipts of rejects are written to; the command then replays
    ///     the receipt. Give it only where this reject gets a receipt with its inputs.
    ///   - redaction: The redaction of the records, so that the error has their id. The error
    ///     itself leaves nothing out.
    public init?(
        _ decision: Decision, receipts: String? = nil, redaction: Redaction = Redaction()
    ) {
        guard !decision.isAccept else { return nil }
        self.init(rejected: decision, receipts: receipts, redaction: redaction)
    }

    /// As above, for a verdict that is a reject: there is always an error.
    fileprivate init(
        rejected decision: Decision, receipts: String?, redaction: Redaction
    ) {
        let request = decision.request
        let verdict = decision.verdict
        let id = DecisionID(decision, redaction: redaction)
        let command = decision.command(receipts: receipts, id)
        var line: RejectLine?
        if decision.isExplained || !verdict.isWithoutRule {
            let explanation = decision.explain()
            // A check of the program that is not pure can answer otherwise now. The verdict stays
            // the same.
            if explanation.verdict == verdict {
                line = RejectLine(
                    explanation, host: request.host, port: request.port, id: id?.text,
                    command: command)
            }
        }
        self.init(
            decision, id,
            line
                ?? RejectLine(
                    unexplained: verdict, by: decision.engine.table, host: request.host,
                    port: request.port, id: id?.text, command: command))
    }

    /// Makes the error of a reject without an explanation (`RejectLine`), so that no check of the
    /// program is asked again; nil for an accept. The parameters are as above.
    package init?(
        unexplained decision: Decision, receipts: String? = nil,
        redaction: Redaction = Redaction()
    ) {
        guard !decision.isAccept else { return nil }
        let id = DecisionID(decision, redaction: redaction)
        self.init(
            decision, id,
            RejectLine(
                unexplained: decision.verdict, by: decision.engine.table,
                host: decision.request.host, port: decision.request.port, id: id?.text,
                command: decision.command(receipts: receipts, id)))
    }

    private init(_ decision: Decision, _ id: DecisionID?, _ line: RejectLine) {
        host = decision.request.host
        port = decision.request.port
        verdict = decision.verdict
        self.id = id
        said = line
    }

    /// Always `rejected`. Code that acts on a reject reads its violations.
    public var code: Code { .rejected }
    /// The violations and the words, as `reasons`.
    public var context: String { reasons }
    /// The violations, in the order in which `hawser explain` prints them; at least one.
    public var violations: [Violation] { said.violations }
    /// The rule that decided; empty for the body of `default`, nil where no rule decided.
    public var rule: String? { said.rule }
    /// The owner who answers for it, as in `hawser explain`; nil where no owner is written.
    public var owner: String? { said.owner }
    /// The side at fault, which `hawser explain` says first.
    public var side: Violation.Side { said.side }
    /// The command that says more on this machine; nil where no file has the policy
    /// (`PolicySnapshot.commandOptions`).
    public var command: String? { said.command }

    /// The words of the line besides the violations, in its order.
    public var words: [Word] { said.words.map { Word(name: $0.name, value: $0.value) } }

    /// One line for a log, escaped.
    public var description: String { said.line }
    /// The line without the question: the violations and the words.
    public var reasons: String { said.why }

    /// The first violation and the words, in at most this many octets. `withID` is false where no
    /// decision was made that a record could have.
    package func message(atMost limit: Int, withID: Bool = true) -> String {
        said.message(atMost: limit, withID: withID)
    }
}

extension Decision {
    /// The accept.
    ///
    ///     try store.judge(request).accepted()
    ///
    /// - Throws: the reject. It costs a second evaluation, for the explanation, unless the decision
    ///   was explained for a record.
    @discardableResult
    public func accepted() throws(RejectError) -> Acceptance {
        switch verdict.outcome {
        case .accept(let acceptance): return acceptance
        case .reject:
            throw RejectError(rejected: self, receipts: nil, redaction: Redaction())
        }
    }

    /// The command to run after a reject: it replays the receipt, or prints the rule of the host.
    /// Nil where no file has the policy, and where the text is not a host.
    fileprivate func command(receipts: String?, _ id: DecisionID?) -> String? {
        guard let options = policy.commandOptions else { return nil }
        if let receipts, let id {
            return ShellWords.line(
                ["hawser", "explain", "--receipt", "\(receipts):\(id.text)"] + options)
        }
        guard let host = try? CanonicalHost(text: request.host) else { return nil }
        let place =
            request.port == 0 ? host.text : HostWithPort.text(host.text, request.port)
        return ShellWords.line(["hawser", "show", place] + options)
    }
}
