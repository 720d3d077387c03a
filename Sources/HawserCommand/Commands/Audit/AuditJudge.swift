import Hawser
import PolicyTools
import Rendering
import TrustEngine

/// Judges rows. It changes nothing, so any number of threads ask it at once, and the result of a
/// row depends only on the row.
struct AuditJudge: Sendable {
    /// The rows that are written.
    enum Selection: Sendable {
        case all, rejected, changed
    }

    let engine: Engine
    /// The policy before a change, with the classes of hosts; nil where one policy is asked.
    let old: (engine: Engine, classes: FlipClasses)?
    let reader: AuditRowReader
    /// Evidence for every row.
    let evidence: Evidence
    let selection: Selection
    let sample: AuditSample?
    let writesReceipts: Bool
    let longest: Int
    let crypto: any CryptoBackend

    /// What came out of a batch.
    struct Judged: Sendable {
        let end: AuditPlace
        var rows: [UInt8] = []
        var receipts: [UInt8] = []
        var facts: [AuditFacts] = []
        /// The rows that were judged with prepared CRLs.
        var preparedRows = 0
    }

    /// Judges the rows of a batch, in their order.
    func judge(_ batch: AuditBatch) -> Judged {
        var judged = Judged(end: batch.end)
        judged.facts.reserveCapacity(batch.rows.count)
        for row in batch.rows {
            switch row {
            case .line(let number, let octets):
                judge(
                    Array(batch.text[octets]), AuditRow(input: batch.input, line: number), &judged)
            case .tooLong(let number):
                let problem = AuditRow.Problem(
                    .tooLong, "the row has more than \(longest) octets, the most that are read")
                add(problem, AuditRow(input: batch.input, line: number), &judged)
            }
        }
        return judged
    }

    private func add(_ problem: AuditRow.Problem, _ row: AuditRow, _ judged: inout Judged) {
        judged.rows += row.text(problem, policy: engine.table.policyDigest).utf8
        judged.facts.append(
            AuditFacts(input: row.input, line: row.line, .error(problem.code)))
    }

    private func judge(_ octets: [UInt8], _ row: AuditRow, _ judged: inout Judged) {
        if let sample, !sample.holds(octets, crypto) {
            judged.facts.append(AuditFacts(input: row.input, line: row.line, .leftOut))
            return
        }
        do throws(AuditRow.Problem) {
            let question = try reader.read(octets)
            if let old {
                try compare(question, old.engine, old.classes, row, &judged)
            } else {
                try answer(question, row, &judged)
            }
        } catch {
            add(error, row, &judged)
        }
    }

    // MARK: One policy

    private func answer(
        _ question: AuditQuestion, _ row: AuditRow, _ judged: inout Judged
    ) throws(AuditRow.Problem) {
        let (engine, request) = try prepare(question, engine)
        if request.withCRLsUnprepared != nil { judged.preparedRows += 1 }
        let (explanation, asked) = engine.explainRecording(request)
        let judgement = AuditJudgement(explanation)
        let isChanged = question.earlier.map { $0 != judgement.isAccept }
        judged.facts.append(
            AuditFacts(
                input: row.input, line: row.line, host: request.host, judgement,
                isChanged: isChanged))
        switch selection {
        case .all: break
        case .rejected where judgement.isAccept: return
        case .changed where isChanged != true: return
        case .rejected, .changed: break
        }
        judged.rows +=
            row.text(
                self.asked(question), judgement, policy: engine.table.policyDigest
            ).utf8
        guard writesReceipts else { return }
        let receipt = DecisionReceipt(
            Decision(explanation, of: asked, by: PolicySnapshot(engine)),
            inputs: .selfContained(atMost: DecisionReceipt.maximumLineOctets / 2))
        judged.receipts += receipt.json.utf8
        judged.receipts.append(UInt8(ascii: "\n"))
    }

    private func asked(_ question: AuditQuestion) -> AuditRow.Question {
        AuditRow.Question(
            id: question.id, host: question.request.host, port: question.request.port,
            time: question.request.time, earlier: question.earlier)
    }

    /// The request with its evidence, and the engine as the row wants it.
    private func prepare(
        _ question: AuditQuestion, _ engine: Engine
    ) throws(AuditRow.Problem) -> (Engine, TrustRequest) {
        var (engine, request) = (engine, question.request)
        if !question.lists.isEmpty {
            let signers = EvidenceSigners(request, engine)
            for list in question.lists {
                request.evidence.add(crl: list, signers: signers, crypto: crypto)
            }
        }
        request.evidence.prepared += evidence.prepared
        request.evidence.crls += evidence.crls
        guard let receipt = question.receipt else {
            addFilters(to: &request)
            return (engine, request)
        }
        engine.freshness = receipt.table.freshness
        let missing = request.addEvidence(
            of: receipt, signers: EvidenceSigners(request, engine), crypto: crypto)
        guard missing.isEmpty else {
            throw AuditRow.Problem(
                .unknownEvidence, "the receipt holds digests of evidence that is not at hand")
        }
        // The evidence of then, and the evidence of now.
        let own = Set(request.evidence.prepared.map(\.digest))
        request.evidence.prepared += evidence.prepared.filter { !own.contains($0.digest) }
        request.evidence.crls += evidence.crls
        addFilters(to: &request)
        return (engine, request)
    }

    /// Adds the filters that are asked for every row, or the recorded replies that count for every
    /// row. What the filters of now say is revoked is revoked, whatever the row has recorded.
    private func addFilters(to request: inout TrustRequest) {
        guard let filters = evidence.filters else {
            if request.evidence.filterReplies.isEmpty {
                request.evidence.filterReplies = evidence.filterReplies
            } else {
                for (question, reply) in evidence.filterReplies {
                    request.evidence.add(reply, to: question)
                }
            }
            return
        }
        request.evidence.filters = filters
        for question in request.evidence.filterReplies.keys {
            request.evidence.add(
                filters.filters.reply(to: question), to: question, isRevokedOnly: true)
        }
    }

    // MARK: Two policies

    private func compare(
        _ question: AuditQuestion, _ old: Engine, _ classes: FlipClasses, _ row: AuditRow,
        _ judged: inout Judged
    ) throws(AuditRow.Problem) {
        let (engine, request) = try prepare(question, engine)
        if request.withCRLsUnprepared != nil { judged.preparedRows += 1 }
        let (explanation, asked) = engine.explainRecording(request)
        let now = AuditJudgement(explanation)
        var (oldEngine, oldRequest) = try prepare(question, old)
        // Both policies have the same replies of filters.
        for (question, reply) in asked.evidence.filterReplies {
            oldRequest.evidence.filterReplies[question] = reply
        }
        let isFlip = oldEngine.evaluate(oldRequest).isAccept != now.isAccept
        let hosts =
            isFlip ? classes.hosts(of: request.host, port: request.port) : nil
        let before = isFlip ? AuditJudgement(oldEngine.explain(oldRequest)) : nil
        judged.facts.append(
            AuditFacts(
                input: row.input, line: row.line, host: request.host, now, isChanged: isFlip,
                before: before, hosts: hosts))
        guard let before else { return }
        judged.rows +=
            row.text(
                self.asked(question), now, policy: engine.table.policyDigest,
                before: (before, classes.name(of: hosts))
            ).utf8
    }
}

/// A part of the rows, chosen by the rows' own octets: the same rows each time.
struct AuditSample: Sendable {
    private let numerator: UInt64
    private let denominator: UInt64
    /// As it was written, for the checkpoint.
    let text: String

    /// Reads `1/100`.
    init(_ text: String) throws(CommandFailure) {
        let parts = text.split(separator: "/", omittingEmptySubsequences: false)
        guard parts.count == 2, let numerator = UInt64(decimalDigits: parts[0]),
            let denominator = UInt64(decimalDigits: parts[1]), numerator > 0,
            numerator <= denominator, denominator <= 1_000_000_000
        else {
            throw .couldNotAsk(
                "`--sample` takes a part of the rows, as in `1/100`, not `\(text)`")
        }
        self.numerator = numerator
        self.denominator = denominator
        self.text = text
    }

    /// Whether a row is in the sample. Equal rows are in it together.
    func holds(_ octets: [UInt8], _ crypto: any CryptoBackend) -> Bool {
        let word = crypto.digest(.sha256, of: octets.span).word(0)
        return word.multipliedFullWidth(by: denominator).high < numerator
    }
}
