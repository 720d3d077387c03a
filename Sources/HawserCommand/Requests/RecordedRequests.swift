import Hawser
import PolicyTools
import Rendering
import TLSProbe
import TrustEngine

/// Recorded requests, which `diff` judges under both policies and `forecast` at later instants.
struct RecordedRequests {
    private struct One {
        /// Where it was recorded: `receipts.ndjson:3`, `chains/api.example.pem`.
        let source: String
        let receipt: DecisionReceipt?
        let host: String
        let port: UInt16
        let chain: [[UInt8]]
        let time: UTCInstant
        let tls: TLSState
        /// The folders with its evidence. A receipt holds its own evidence.
        var folders: [String] = []
        /// The evidence that came with the chain.
        var evidence = Evidence()
    }

    private var requests: [One] = []
    /// What was recorded and cannot be judged again, with the reason.
    private(set) var unjudged: [String] = []

    /// The most octets of a file of receipts.
    private static let largestReceipts = 256 << 20

    var isEmpty: Bool { requests.isEmpty && unjudged.isEmpty }

    // MARK: Reading

    /// Adds the chains of a folder: `HOST.pem` and `HOST_PORT.pem`, leaf first. Evidence beside
    /// them, as `hawser fetch` names it, counts for all.
    ///
    /// - Parameter fileAdvice: what to do with a file in place of a folder, as the end of a
    ///   sentence.
    mutating func add(
        chains folder: String, at time: UTCInstant, fileAdvice: String = ""
    ) throws(CommandFailure) {
        if NamedPath.isFile(folder) {
            throw .couldNotAsk(
                "`\(folder)` is a file; `--chains` takes a folder of HOST.pem or HOST_PORT.pem"
                    + fileAdvice)
        }
        let names = try asking { () throws(FileReadError) in
            let root = try RootFolder(path: folder)
            return try root.entries(of: "").filter(\.kind.isFile).map(\.name)
                .filter { $0.hasSuffix(".pem") }.sorted()
        }
        guard !names.isEmpty else {
            throw .couldNotAsk(
                "`\(folder)` has no chain; a file with one is named `HOST.pem` or `HOST_PORT.pem`")
        }
        for name in names {
            let path = "\(folder)/\(name)"
            let stem = name.dropLast(".pem".count)
            let parts = stem.split(separator: "_", omittingEmptySubsequences: false)
            let port = parts.count == 2 ? UInt16(decimalDigits: parts[1]) : 443
            guard parts.count <= 2, let port, port > 0,
                (try? CanonicalHost(text: String(parts[0]))) != nil
            else {
                throw .couldNotAsk(
                    "`\(path)` does not say whose chain it is; name it `HOST.pem` or "
                        + "`HOST_PORT.pem`")
            }
            requests.append(
                One(
                    source: path, receipt: nil, host: String(parts[0]), port: port,
                    chain: try CertificateFile.chain(path), time: time,
                    tls: .assumed(TLSParameters()), folders: [folder]))
        }
    }

    /// Adds the receipts of a file, one in each line. Receipts with only digests, and receipts with
    /// a redacted host, are counted and not judged.
    mutating func add(receipts path: String) throws(CommandFailure) {
        let lines = try InputFile.read(path, limit: RecordedRequests.largestReceipts)
            .split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
        for (index, line) in lines.enumerated() where line.contains(where: { $0 > 0x20 }) {
            let source = "\(path):\(index + 1)"
            let receipt: DecisionReceipt
            do throws(ReceiptError) {
                receipt = try DecisionReceipt(json: Array(line))
            } catch {
                throw .couldNotAsk(
                    "`\(source)` is not a receipt, \(error.code.rawValue): \(error.context)")
            }
            guard case .text(let host) = receipt.host, let port = receipt.port else {
                unjudged.append("\(source): its host or port is redacted")
                continue
            }
            guard let inputs = receipt.inputs else {
                unjudged.append("\(source): it holds digests and no chain")
                continue
            }
            requests.append(
                One(
                    source: source, receipt: receipt, host: host, port: port, chain: inputs.chain,
                    time: receipt.time, tls: receipt.tls))
        }
    }

    /// Adds the chain of a file.
    ///
    /// - Parameter evidence: folders of evidence.
    mutating func add(
        chain path: String, of target: RequestHost, at time: UTCInstant, evidence: [String]
    ) throws(CommandFailure) {
        requests.append(
            One(
                source: path, receipt: nil, host: target.host, port: target.port,
                chain: try CertificateFile.chain(path), time: time,
                tls: .assumed(TLSParameters()), folders: evidence))
    }

    /// Adds what a server showed.
    mutating func add(
        _ connection: ProbedConnection, of target: RequestHost, at time: UTCInstant,
        evidence: [String]
    ) {
        requests.append(
            One(
                source: connection.address, receipt: nil, host: target.host, port: target.port,
                chain: connection.presentedChain, time: time,
                tls: .observed(connection.parameters), folders: evidence,
                evidence: connection.evidence))
    }

    /// Leaves out the requests for other hosts.
    mutating func keep(_ hosts: [(host: CanonicalHost, port: UInt16)]) {
        guard !hosts.isEmpty else { return }
        requests.removeAll { one in
            let host = try? CanonicalHost(text: one.host)
            return !hosts.contains { $0.host == host && $0.port == one.port }
        }
    }

    // MARK: Judging

    /// The requests with their evidence, for an engine. Those whose evidence is not at hand are
    /// counted and left out.
    mutating func prepared(
        for engine: Engine
    ) throws(CommandFailure) -> [(source: String, request: TrustRequest)] {
        var found: [(source: String, request: TrustRequest)] = []
        for one in requests {
            guard let request = try prepare(one, engine) else {
                unjudged.append(RecordedRequests.lacking(one))
                continue
            }
            // The replies of filters count at every instant that is asked about.
            found.append((one.source, engine.evaluateRecording(request).1))
        }
        return found
    }

    private static func lacking(_ one: One) -> String {
        "\(one.source): it holds digests of evidence that is not at hand"
    }

    /// Judges every request under both policies. Checks that programs register pass in both.
    func judge(
        _ old: PolicyTable, _ new: PolicyTable, systemStore: String?
    ) throws(CommandFailure) -> RecordedVerdicts {
        guard !isEmpty else { return .none }
        let (before, after) = (
            try RecordedRequests.engine(old, systemStore),
            try RecordedRequests.engine(new, systemStore)
        )
        var flips: [RecordedVerdicts.Flip] = []
        var judged = 0
        var unjudged = self.unjudged
        for one in requests {
            guard let (was, own) = try explanation(one, before),
                let (now, other) = try explanation(one, after)
            else {
                unjudged.append(RecordedRequests.lacking(one))
                continue
            }
            judged += 1
            guard was.verdict.isAccept != now.verdict.isAccept else { continue }
            flips.append(
                RecordedVerdicts.Flip(
                    source: one.source, before: was, after: now,
                    certificates: (EvidenceSigners(own, before).certificates
                        + EvidenceSigners(other, after).certificates)
                        .map { CertificateFacts($0, crypto: EngineLoader.makeBackend()) }))
        }
        return RecordedVerdicts(judged: judged, flips: flips, unjudged: unjudged)
    }

    /// An engine for a table. Checks that programs register pass.
    static func engine(
        _ table: PolicyTable, _ systemStore: String?
    ) throws(CommandFailure) -> Engine {
        let checks = Dictionary(
            uniqueKeysWithValues: table.checkNames.map { ($0, CustomCheck { _ in .pass }) })
        return try PolicySource.engine(table, checks: checks, systemStore: systemStore)
    }

    /// The explanation of a request; nil where a piece of its evidence is not at hand.
    private func explanation(
        _ one: One, _ engine: Engine
    ) throws(CommandFailure) -> (Explanation, TrustRequest)? {
        guard let request = try prepare(one, engine) else { return nil }
        var engine = engine
        if let receipt = one.receipt { engine.freshness = receipt.table.freshness }
        return (engine.explain(request), request)
    }

    /// A request with its evidence; nil where a piece of it is not at hand.
    private func prepare(_ one: One, _ engine: Engine) throws(CommandFailure) -> TrustRequest? {
        var request = TrustRequest(
            host: one.host, port: one.port, presentedChain: one.chain, time: one.time,
            tls: one.tls, evidence: one.evidence)
        let signers = EvidenceSigners(request, engine)
        for folder in one.folders {
            try EvidenceFiles.read(folder, into: &request.evidence, signers: signers)
        }
        _ = RecordedReplies.settle(&request.evidence)
        guard let receipt = one.receipt else { return request }
        return request.addEvidence(of: receipt, signers: signers).isEmpty ? request : nil
    }
}
