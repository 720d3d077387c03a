import Rendering
public import TrustEngine

extension DecisionReceipt {
    /// How much of the inputs a receipt holds.
    public enum InputDetail: Hashable, Sendable {
        /// The digests of the inputs.
        case digests
        /// The inputs in base64, so that the receipt replays without files. The receipt holds only
        /// digests when the inputs have more octets than this, or when host or chain are redacted.
        case selfContained(atMost: Int)
    }

    /// Makes the receipt of a decision. The call costs an evaluation with its trace, unless the
    /// decision is explained already. No sampling and no limit is asked.
    public init(
        _ decision: Decision, inputs detail: InputDetail = .digests,
        redaction: Redaction = Redaction()
    ) {
        let explanation = decision.explain()
        let request = decision.request
        let engine = decision.engine
        let verdict = decision.verdict
        let pieces = request.evidence.pieces(engine.crypto)
        id = DecisionID(decision, redaction: redaction)
        decisionMaker = decision.policy.decisionMaker
        table = Table(decision)
        host = Host(request.host, redaction)
        // A rule often has only one host, so its name and its place would reveal the host.
        let keepsRule: Bool
        if case .kept = redaction.host { keepsRule = true } else { keepsRule = false }
        rule = keepsRule ? TraceOutline(explanation.trace).decidingRule : nil
        port = redaction.port == .kept ? request.port : nil
        time = request.time
        tls = request.tls
        if redaction.chain == .kept {
            chain = request.presentedChain.map { engine.crypto.digest(.sha256, of: $0.span) }
            evidence = pieces.map(\.piece)
        }
        isAccept = verdict.isAccept
        let traced = TraceJSON(explanation, explanation.provenanceOfFailures, explanation.table)
        func recorded(_ violation: Violation) -> RecordedViolation {
            RecordedViolation(traced.violation(violation), withPlace: keepsRule)
        }
        violations = verdict.violations.map(recorded)
        reported = verdict.reported.map {
            ReportedFailure(
                violation: recorded($0.violation), reason: $0.recordedReason, until: $0.until)
        }
        trace = DecisionReceipt.mark(of: explanation, redaction, engine.crypto)
        guard case .selfContained(let limit) = detail, redaction.keepsNames else { return }
        let octets =
            request.presentedChain.map(\.count).reduce(0, +)
            + pieces.map { $0.octets?.count ?? 0 }.reduce(0, +)
        guard octets <= limit else { return }
        inputs = Inputs(chain: request.presentedChain, evidence: pieces.map(\.octets))
    }

    private static func mark(
        of explanation: Explanation, _ redaction: Redaction, _ crypto: any CryptoBackend
    ) -> Trace {
        let text = TraceJSON.canonical(explanation)
        if let key = redaction.key { return .keyed(key.digest(.trace, text)) }
        guard redaction.keepsNames, redaction.port == .kept else { return .dropped }
        return .digest(crypto.digest(.sha256, of: Array(text.utf8).span))
    }
}

extension Verdict {
    /// The failures that an accept reports; none of a reject.
    var reported: [Reported] {
        guard case .accept(let acceptance) = outcome else { return [] }
        return acceptance.reported
    }
}

extension Evidence {
    /// All pieces with their octets, in the order of receipts. The octets of a CRL of a revocation
    /// set are nil.
    func pieces(
        _ crypto: any CryptoBackend
    ) -> [(piece: DecisionReceipt.EvidenceDigest, octets: [UInt8]?)] {
        var pieces: [(piece: DecisionReceipt.EvidenceDigest, octets: [UInt8]?)] = []
        func add(_ kind: DecisionReceipt.EvidenceDigest.Kind, _ octets: [UInt8]) {
            let digest = crypto.digest(.sha256, of: octets.span)
            pieces.append((.init(kind: kind, digest: digest), octets))
        }
        if let stapledOCSP { add(.staple, stapledOCSP) }
        for evidence in prepared {
            pieces.append(
                (
                    .init(kind: evidence.receiptKind, digest: evidence.digest),
                    evidence.revocationSet == nil ? evidence.der : nil
                ))
        }
        for response in ocspResponses { add(.response, response) }
        for list in crls { add(.list, list) }
        if let sctList { add(.timestamps, sctList) }
        for reply in FilterReplyJSON.ordered(filterReplies, crypto) {
            pieces.append((.init(kind: .filterReply, digest: reply.digest), reply.octets))
        }
        return pieces
    }
}

extension PreparedEvidence {
    /// The kind of this evidence in a receipt.
    public var receiptKind: DecisionReceipt.EvidenceDigest.Kind {
        if revocationSet != nil { return .revocationSet }
        if isVerified { return source == .crl ? .preparedList : .preparedResponse }
        return source == .crl ? .unverifiedList : .unverifiedResponse
    }
}
