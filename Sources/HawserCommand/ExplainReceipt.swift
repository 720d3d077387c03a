import ArgumentParser
import Hawser
import PolicyTools
import Rendering
import TrustEngine

/// Options of a question that was asked before.
struct ReceiptOptions: ParsableArguments {
    @Option(
        help: """
            A file with a decision receipt to replay, one in each line; FILE:LINE where it holds several.
            """, completion: .file())
    var receipt: String?

    @Option(
        name: .customLong("receipt-key"),
        help: "A file with the key that the receipt's host is redacted under.",
        completion: .file())
    var key: String?

    @Option(
        name: .customLong("system-store"),
        help: "A PEM file with the trust store of the machine that wrote the receipt.",
        completion: .file())
    var systemStore: String?

    /// Whether an option is given that means nothing without a receipt.
    var firstWithoutReceipt: String? {
        guard receipt == nil else { return nil }
        return key.map { _ in "--receipt-key" } ?? systemStore.map { _ in "--system-store" }
    }

    /// Octets of the largest file of receipts that is read.
    private static let largestFile = 256 << 20

    /// Octets of the largest key.
    private static let largestKey = 4_096

    /// The receipt of the option, with its line.
    func read() throws(CommandFailure) -> (receipt: DecisionReceipt, line: Int)? {
        guard let receipt else { return nil }
        let place = ReceiptOptions.place(receipt)
        let lines = try InputFile.read(place.path, limit: ReceiptOptions.largestFile)
            .split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
        let line = try ReceiptOptions.line(place, among: lines)
        do throws(ReceiptError) {
            return (try DecisionReceipt(json: Array(lines[line - 1])), line)
        } catch {
            throw .couldNotAsk(
                "line \(line) of `\(place.path)` is no receipt, \(error.code.rawValue): "
                    + error.context)
        }
    }

    /// The key of the option.
    func redactionKey() throws(CommandFailure) -> RedactionKey? {
        guard let key else { return nil }
        guard
            let key = RedactionKey(try InputFile.read(key, limit: ReceiptOptions.largestKey))
        else {
            throw .couldNotAsk(
                "`\(key)` is no key: it has fewer than \(RedactionKey.shortest) octets")
        }
        return key
    }

    /// `FILE` or `FILE:LINE`: a number behind the last colon is the line.
    private static func place(_ text: String) -> (path: String, line: Int?) {
        guard let colon = text.lastIndex(of: ":"), colon != text.startIndex else {
            return (text, nil)
        }
        let digits = text[text.index(after: colon)...]
        guard !digits.isEmpty, digits.utf8.allSatisfy({ (0x30...0x39).contains($0) }) else {
            return (text, nil)
        }
        return (String(text[..<colon]), Int(digits) ?? .max)
    }

    private static func line(
        _ place: (path: String, line: Int?), among lines: [ArraySlice<UInt8>]
    ) throws(CommandFailure) -> Int {
        let written = lines.indices.filter { place in
            lines[place].contains { $0 != 0x20 && $0 != 0x0D }
        }
        if let line = place.line {
            guard written.contains(line - 1) else {
                throw .couldNotAsk(
                    "`\(place.path)` has no receipt in line \(line); it has \(written.count) in all"
                )
            }
            return line
        }
        guard let first = written.first else {
            throw .couldNotAsk("`\(place.path)` holds no receipt")
        }
        guard written.count == 1 else {
            throw .couldNotAsk(
                "`\(place.path)` holds \(written.count) receipts; name one by its line: "
                    + "`--receipt \(place.path):\(first + 1)`")
        }
        return first + 1
    }
}

/// A receipt that is replayed, and what the request made of it could not take from it.
struct ReplayedReceipt {
    let receipt: DecisionReceipt
    /// Where it stands in its file, 1 first.
    let line: Int
    let key: RedactionKey?
    /// Pieces of evidence that nobody handed over, by their places.
    let missing: [InputMismatch]

    /// What the explanation comes to beside the receipt.
    ///
    /// - Throws: where the question is another one; each difference goes to standard error.
    func outcome(
        of request: TrustRequest, _ explanation: Explanation
    ) throws(CommandFailure) -> ReplayOutcome {
        let found = receipt.mismatches(
            with: request, explanation.verdict, crypto: EngineLoader.crypto, key: key)
        // Where a piece is missing, those behind it stand in other places.
        let others = missing.isEmpty ? found : found.filter { !$0.isEvidence }
        let mismatches = others + missing
        guard mismatches.isEmpty else {
            for mismatch in mismatches {
                Report.progress("error: " + ReplaySentences.line(mismatch))
            }
            throw .couldNotAsk(
                "the question is not that of the receipt, so nothing is replayed")
        }
        return ReplayOutcome(
            line: line,
            differences: receipt.differences(
                from: explanation, crypto: EngineLoader.crypto, key: key),
            uncompared: receipt.uncompared(key: key))
    }
}

extension InputMismatch {
    fileprivate var isEvidence: Bool {
        if case .evidence = input { return true }
        return false
    }
}

/// What a replay comes to.
struct ReplayOutcome {
    let line: Int
    let differences: [ReplayDifference]
    let uncompared: [DecisionReceipt.Uncompared]

    /// The sentences, each a line; the first one answers.
    var lines: [String] {
        ReplaySentences.lines(differences, uncompared)
    }

    /// The member `replay` of `grammar/trace.schema.json`.
    var json: JSONValue {
        .object([
            ("line", .integer(line)), ("same", .bool(differences.isEmpty)),
            ("differences", .array(differences.map(ReplaySentences.json))),
            ("notCompared", .array(uncompared.map { .string($0.rawValue) })),
        ])
    }
}
