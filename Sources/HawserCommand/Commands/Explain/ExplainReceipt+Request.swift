import Hawser
import PolicyTools
import Rendering
import TrustEngine

extension RequestOptions {
    /// The request of a receipt and the engine that judges it. Inputs that the receipt does not
    /// contain come from the options.
    func asked(
        replaying receipt: DecisionReceipt, line: Int, _ options: ReceiptOptions
    ) throws(CommandFailure) -> (asked: AskedRequest, replay: ReplayedReceipt) {
        try checkReplayOptions(receipt)
        var assumptions = ["asked again as the receipt has it: time, TLS parameters and evidence"]
        try refuseSecondInput(besides: options.inputs)
        let target = try target(of: receipt)
        var judge = try judge(
            host: target.host, port: target.port, &assumptions)
        judge.engine.freshness = receipt.table.freshness
        if receipt.table.fileDigest != judge.engine.table.fileDigest {
            assumptions.append("the table is another file than the receipt's, of the same meaning")
        }
        var request = TrustRequest(
            host: target.host, port: target.port, presentedChain: try presented(in: receipt),
            time: receipt.time, tls: receipt.tls)
        let signers = EvidenceSigners(request, judge.engine)
        try addEvidence(to: &request, signers: signers)
        let filters = request.evidence.filters
        let missing = request.addEvidence(of: receipt, signers: signers, asksFilters: true)
        assumptions += RecordedReplies.sentences(
            request.evidence.filterReplies, of: "the receipt", against: filters)
        let replay = ReplayedReceipt(
            receipt: receipt, line: line, key: try options.redactionKey(), missing: missing)
        let asked = AskedRequest(
            request: request, engine: judge.engine, rule: judge.rule, assumptions: assumptions,
            rewriting: nil)
        return (asked, replay)
    }

    /// Refuses options for what the receipt itself contains.
    private func checkReplayOptions(_ receipt: DecisionReceipt) throws(CommandFailure) {
        let settled = [
            connect.map { _ in "--connect" }, at.map { _ in "--at" }, tls.firstGiven,
            cleartext ? "--cleartext" : nil,
        ]
        if let option = settled.compactMap({ $0 }).first {
            throw .couldNotAsk(
                "`\(option)` has no place beside `--receipt`, which says how it was asked")
        }
        let needsChain = receipt.inputs == nil && receipt.chain?.isEmpty != true
        if chain == nil, needsChain, receipt.tls != .cleartext {
            throw .couldNotAsk(
                "the receipt holds digests alone; give the chain as it was presented: "
                    + "`--chain FILE`")
        }
    }

    /// The host of the receipt's request. If the receipt does not contain it, it comes from the
    /// argument HOST.
    private func target(
        of receipt: DecisionReceipt
    ) throws(CommandFailure) -> (host: String, port: UInt16) {
        let given = try host.map { text throws(CommandFailure) in
            (name: try RequestHost(text).host, port: try HostAndPort(text).port)
        }
        var name = given?.name
        if name == nil, case .text(let recorded) = receipt.host { name = recorded }
        guard let name else {
            throw .couldNotAsk("the receipt's host is redacted; give it: HOST")
        }
        guard let port = given?.port ?? receipt.port else {
            throw .couldNotAsk("the receipt's port is redacted; give it: HOST:PORT")
        }
        return (name, port)
    }

    private func presented(in receipt: DecisionReceipt) throws(CommandFailure) -> [[UInt8]] {
        if let chain { return try CertificateFile.chain(chain) }
        return receipt.inputs?.chain ?? []
    }
}

extension TrustRequest {
    /// Puts the evidence of a receipt in place of the request's own. The request's own supplies the
    /// pieces that the receipt holds only by their digests. Returns the pieces that are not at
    /// hand.
    ///
    /// - Parameter asksFilters: whether the request's own filters are asked where the receipt has
    ///   only the digest of a reply. Then the caller compares the replies with the receipt.
    mutating func addEvidence(
        of receipt: DecisionReceipt, signers: EvidenceSigners,
        crypto: any CryptoBackend = EngineLoader.makeBackend(), asksFilters: Bool = false
    ) -> [InputMismatch] {
        guard let pieces = receipt.evidence else { return [] }
        var pool = EvidencePool(evidence, crypto, asksFilters ? evidence.filters : nil)
        for case let octets? in receipt.inputs?.evidence ?? [] { pool.add(octets) }
        let missing: [InputMismatch]
        (evidence, missing) = pool.evidence(pieces, signers: signers)
        return missing
    }
}

/// The evidence that was handed over, by its digest.
private struct EvidencePool {
    private var octets: [Digest: [UInt8]] = [:]
    private var prepared: [Digest: PreparedEvidence] = [:]
    private let filters: SuppliedFilters?
    private let crypto: any CryptoBackend

    /// - Parameter filters: filters that are asked for replies that were not handed over.
    init(_ evidence: Evidence, _ crypto: any CryptoBackend, _ filters: SuppliedFilters?) {
        self.crypto = crypto
        self.filters = filters
        if let staple = evidence.stapledOCSP { add(staple) }
        for response in evidence.ocspResponses { add(response) }
        for list in evidence.crls { add(list) }
        if let timestamps = evidence.sctList { add(timestamps) }
        for reply in FilterReplyJSON.ordered(evidence.filterReplies, crypto) {
            octets[reply.digest] = reply.octets
        }
        for piece in evidence.prepared {
            prepared[piece.digest] = piece
            if piece.revocationSet == nil { octets[piece.digest] = piece.der }
        }
    }

    mutating func add(_ piece: [UInt8]) {
        octets[crypto.digest(.sha256, of: piece.span)] = piece
    }

    /// The evidence of a receipt, each piece in the form that the receipt names, and the pieces
    /// that were not handed over.
    func evidence(
        _ pieces: [DecisionReceipt.EvidenceDigest], signers: EvidenceSigners
    ) -> (Evidence, [InputMismatch]) {
        var evidence = Evidence()
        var missing: [InputMismatch] = []
        for (index, piece) in pieces.enumerated() where !add(piece, to: &evidence, signers) {
            missing.append(
                InputMismatch(
                    input: .evidence(index, piece.kind), recorded: piece.digest.text, given: nil))
        }
        return (evidence, missing)
    }

    /// Adds a piece; false if it was not handed over.
    private func add(
        _ piece: DecisionReceipt.EvidenceDigest, to evidence: inout Evidence,
        _ signers: EvidenceSigners
    ) -> Bool {
        if let found = prepared[piece.digest], piece.kind == found.receiptKind {
            evidence.prepared.append(found)
            return true
        }
        guard let octets = octets[piece.digest] else {
            guard piece.kind == .filterReply, let filters else { return false }
            evidence.filters = filters
            return true
        }
        switch piece.kind {
        case .filterReply:
            guard let (question, reply) = try? FilterReplyJSON.read(octets) else { return false }
            evidence.add(reply, to: question)
        case .staple: evidence.stapledOCSP = octets
        case .response: evidence.ocspResponses.append(octets)
        case .list: evidence.crls.append(octets)
        case .timestamps: evidence.sctList = octets
        case .preparedList, .preparedResponse, .unverifiedList, .unverifiedResponse:
            guard let found = prepare(octets, piece.kind, signers.certificates) else {
                return false
            }
            evidence.prepared.append(found)
        case .revocationSet: return false
        }
        return true
    }

    /// Prepares a piece that was prepared when the receipt was written. It succeeds or fails as it
    /// did then; nil for octets of another kind.
    private func prepare(
        _ octets: [UInt8], _ kind: DecisionReceipt.EvidenceDigest.Kind, _ signers: [Certificate]
    ) -> PreparedEvidence? {
        let isList = kind == .preparedList || kind == .unverifiedList
        let isVerified = kind == .preparedList || kind == .preparedResponse
        let signers = isVerified ? signers : []
        do throws(EvidenceError) {
            return isList
                ? try PreparedEvidence(crl: octets, signers: signers, crypto: crypto)
                : try PreparedEvidence(ocspResponse: octets, signers: signers, crypto: crypto)
        } catch {
            return nil
        }
    }
}
