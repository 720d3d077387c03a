import Hawser
import PolicyTools
import TrustEngine

/// Reads the receipts that cases of tests name.
enum TestReceipts {
    /// The receipt in a line of a file, as the request that it recorded.
    static let read: ReceiptReading = { octets, line, engine in
        let lines = octets.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
        let written = lines.indices.filter { index in
            lines[index].contains { $0 != 0x20 && $0 != 0x0D }
        }
        let number: Int
        if let line {
            guard written.contains(line - 1) else {
                return .failure(
                    RecordedCaseProblem(
                        "the file has no receipt in line \(line); it has \(written.count) in all"))
            }
            number = line
        } else {
            guard let first = written.first, written.count == 1 else {
                return .failure(
                    RecordedCaseProblem(
                        "the file holds \(written.count) receipts; name one by its line, as in "
                            + "`receipts.ndjson:3`"))
            }
            number = first + 1
        }
        let receipt: DecisionReceipt
        do throws(ReceiptError) {
            receipt = try DecisionReceipt(json: Array(lines[number - 1]))
        } catch {
            return .failure(
                RecordedCaseProblem(
                    "line \(number) is no receipt, \(error.code.rawValue): \(error.context)"))
        }
        return request(of: receipt, engine)
    }

    private static func request(
        of receipt: DecisionReceipt, _ engine: Engine
    ) -> Result<RecordedCase, RecordedCaseProblem> {
        guard case .text(let host) = receipt.host, let port = receipt.port else {
            return .failure(RecordedCaseProblem("the receipt's host or port is redacted"))
        }
        guard let inputs = receipt.inputs else {
            return .failure(RecordedCaseProblem("the receipt holds digests and no chain"))
        }
        var request = TrustRequest(
            host: host, port: port, presentedChain: inputs.chain, time: receipt.time,
            tls: receipt.tls)
        let missing = request.addEvidence(
            of: receipt, signers: EvidenceSigners(request, engine))
        guard missing.isEmpty else {
            return .failure(
                RecordedCaseProblem("the receipt holds digests of evidence that is not at hand"))
        }
        return .success(
            RecordedCase(request: request, freshness: receipt.table.freshness))
    }
}
