/// A line of a file of receipts.
package struct ScannedReceiptLine: Hashable, Sendable {
    /// The path of the file from the unit's root.
    package let path: String
    /// The line, from 1; nil where the file has only one receipt.
    package let line: Int?
}

/// Reads `FILE` and `FILE:LINE`, which name a decision receipt.
package enum ReceiptLineScanner {
    /// The most lines that a file of receipts may have.
    private static let mostLines = 1_000_000_000

    /// Reads a name of a receipt. Digits after the last colon are the line.
    ///
    /// - Parameter file: the path of the file that contains the scalar, from the unit's root.
    /// - Throws: HW103 for a line that is not a number from 1; what `RelativePathScanner` throws.
    package static func scan(
        _ text: String, namedIn file: String
    ) throws(ScalarProblem) -> ScannedReceiptLine {
        try ScalarProblem.requireText(text, of: "the receipt")
        let bytes = Array(text.utf8)
        var path = text
        var line: Int?
        if let colon = bytes.lastIndex(of: UInt8(ascii: ":")), colon > 0,
            bytes[colon + 1..<bytes.count].first != UInt8(ascii: "/")
        {
            let digits = bytes[(colon + 1)...]
            guard case .value(let number) = DecimalNumber.read(digits), number > 0,
                number <= mostLines
            else {
                throw ScalarProblem(
                    .unknownValue,
                    "\(ScalarProblem.quote(text)) names no line: behind the last `:` stands a number "
                        + "from 1",
                    range: (digits.isEmpty ? colon : colon + 1)..<bytes.count,
                    help: ["write for example `receipts.ndjson:3`"])
            }
            path = String(decoding: bytes[..<colon], as: UTF8.self)
            line = Int(number)
        }
        let scanned = try RelativePathScanner.scan(path, namedIn: file)
        guard !scanned.isFolder else {
            throw ScalarProblem(
                .unknownValue, "\(ScalarProblem.quote(text)) is a folder; a receipt is in a file",
                help: ["write for example `receipts.ndjson:3`"])
        }
        return ScannedReceiptLine(path: scanned.path, line: line)
    }
}
