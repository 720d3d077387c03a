import ArgumentParser
import Hawser
import PolicyTools
import Rendering
import TrustEngine

/// The options for replaying a receipt.
struct ReceiptOptions: ParsableArguments {
    @Option(
        help: """
            A file with a decision receipt to replay, one in each line; where it holds several, \
            FILE:LINE, or FILE:ID with the id that the line of log of a reject has.
            """, completion: .file())
    var receipt: String?

    @Option(
        name: .customLong("receipt-key"),
        help: "A file with the key that the receipt's host is redacted under.",
        completion: .file())
    var key: String?

    /// The options that read a file that may be standard input, with their values.
    var inputs: [(String, [String])] {
        [
            ("--receipt", receipt.map { [ReceiptOptions.place($0).path] } ?? []),
            ("--receipt-key", key.map { [$0] } ?? []),
        ]
    }

    /// The first option given that has no meaning without a receipt; nil if there is none.
    var firstWithoutReceipt: String? {
        guard receipt == nil else { return nil }
        return key.map { _ in "--receipt-key" }
    }

    /// The most octets of a file of receipts.
    private static let largestFile = 256 << 20

    /// The most octets of a key.
    private static let largestKey = 4_096

    /// The receipt that the option names, with its line.
    func read() throws(CommandFailure) -> (receipt: DecisionReceipt, line: Int)? {
        guard let receipt else { return nil }
        let place = ReceiptOptions.place(receipt)
        let lines = try InputFile.readStream(place.path, limit: ReceiptOptions.largestFile)
            .split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
        let line = try ReceiptOptions.line(place, among: lines)
        do throws(ReceiptError) {
            return (try DecisionReceipt(json: Array(lines[line - 1])), line)
        } catch {
            throw .couldNotAsk(
                "line \(line) of `\(place.path)` is not a receipt, \(error.code.rawValue): "
                    + error.context)
        }
    }

    /// The key that the option names.
    func redactionKey() throws(CommandFailure) -> RedactionKey? {
        guard let key else { return nil }
        guard
            let key = RedactionKey(try InputFile.readStream(key, limit: ReceiptOptions.largestKey))
        else {
            throw .couldNotAsk(
                "`\(key)` is not a key: it has fewer than \(RedactionKey.shortest) octets")
        }
        return key
    }

    /// Which line of a file is meant.
    private enum Chosen {
        /// The only one.
        case only
        /// The line with this number, from 1.
        case line(Int)
        /// The receipt with this id.
        case id(DecisionID)
    }

    /// Splits `FILE`, `FILE:LINE` or `FILE:ID`. A number after the last colon is the line, and an
    /// id is an id; other text belongs to the path.
    private static func place(_ text: String) -> (path: String, chosen: Chosen) {
        guard let colon = text.lastIndex(of: ":"), colon != text.startIndex else {
            return (text, .only)
        }
        let path = String(text[..<colon])
        let word = text[text.index(after: colon)...]
        if let id = DecisionID(text: word) { return (path, .id(id)) }
        guard !word.isEmpty, word.utf8.allSatisfy({ (0x30...0x39).contains($0) }) else {
            return (text, .only)
        }
        return (path, .line(Int(word) ?? .max))
    }

    /// The number of the first line that is a receipt with the id, from 1. A file of records has
    /// reports with the same id too, and they are passed over. Equal decisions have equal ids, so
    /// any of several receipts tells the same.
    private static func line(
        of id: DecisionID, among lines: [ArraySlice<UInt8>]
    ) -> Int? {
        let text = Array(id.text.utf8)
        return lines.firstIndex { line in
            line.firstRange(of: text) != nil
                && (try? DecisionReceipt(json: Array(line)))?.id == id
        }.map { $0 + 1 }
    }

    private static func line(
        _ place: (path: String, chosen: Chosen), among lines: [ArraySlice<UInt8>]
    ) throws(CommandFailure) -> Int {
        if case .id(let id) = place.chosen {
            guard let line = line(of: id, among: lines) else {
                throw .couldNotAsk(
                    "`\(place.path)` has no receipt with the id `\(id)`; the service did not "
                        + "write one (its sampling and its limits decide), or it is in another "
                        + "file")
            }
            return line
        }
        let written = lines.indices.filter { index in
            lines[index].contains { $0 != 0x20 && $0 != 0x0D }
        }
        if case .line(let line) = place.chosen {
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

/// A receipt that is replayed, and the pieces of its evidence that are missing.
struct ReplayedReceipt {
    let receipt: DecisionReceipt
    /// The line of the receipt in its file, from 1.
    let line: Int
    let key: RedactionKey?
    /// Pieces of evidence that were not handed over, by their index.
    let missing: [InputMismatch]

    /// Compares the explanation with the receipt.
    ///
    /// - Throws: if the request is not the receipt's. Each difference is reported on standard
    ///   error.
    func answer(
        of request: TrustRequest, _ explanation: Explanation
    ) throws(CommandFailure) -> ReplayAnswer {
        let found = receipt.mismatches(
            with: request, explanation.verdict, crypto: EngineLoader.makeBackend(), key: key)
        // If a piece is missing, the pieces after it have other indices, so differences of evidence
        // mean nothing.
        let others = missing.isEmpty ? found : found.filter { !$0.isEvidence }
        let mismatches = others + missing
        guard mismatches.isEmpty else {
            for mismatch in mismatches {
                Report.progress("error: " + ReplaySentences.line(mismatch))
            }
            throw .couldNotAsk(
                "the question differs from the receipt's question, so nothing is replayed")
        }
        return ReplayAnswer(
            line: line,
            differences: receipt.differences(
                from: explanation, crypto: EngineLoader.makeBackend(), key: key),
            uncompared: receipt.uncompared(key: key))
    }
}

extension InputMismatch {
    fileprivate var isEvidence: Bool {
        if case .evidence = input { return true }
        return false
    }
}

/// The answer of a replay.
struct ReplayAnswer {
    let line: Int
    let differences: [ReplayDifference]
    let uncompared: [DecisionReceipt.Uncompared]

    /// The sentences, one line each. The first one is the answer.
    var lines: [String] {
        ReplaySentences.lines(differences, uncompared)
    }

    /// The member `replay` of `grammar/trace.schema.json`.
    var json: JSONValue {
        .object([
            "line": line, "same": differences.isEmpty,
            "differences": differences.map(ReplaySentences.json),
            "notCompared": uncompared.map(\.rawValue),
        ])
    }
}
