/// Reads ids: `[a-z][a-z0-9-]*`, no hyphen at the end, at most 64 octets (LANGUAGE section 3).
package enum IDScanner {
    /// The most octets of an id (LANGUAGE section 1.6).
    package static let limit = 64

    /// Reads an id from a scalar or a map key. The caller checks whether it is a built-in id.
    ///
    /// - Throws: HW005 for a plain word that other YAML readers do not read as text, HW110 for a
    ///   character or an end that ids do not have, HW011 for more than 64 octets, HW014.
    package static func scan(
        _ text: String, style: SyntaxNode.Style
    ) throws(ScalarProblem) -> String {
        if isCertain(text) {
            try refuseAmbiguous(text, style: style)
            return text
        }
        try ScalarProblem.requireText(text, of: "the id", limit: limit)
        let bytes = Array(text.utf8)
        if let at = bytes.firstIndex(where: { !isIDByte($0) }) {
            try refuseAmbiguous(text, style: style)
            throw ScalarProblem(
                .badId,
                "\(ScalarProblem.quote(text)) is not an id: \(character(of: text, at: at)) is not "
                    + "a lower-case letter, a digit or a hyphen",
                range: at..<bytes.characterEnd(at), help: repair(text))
        }
        try refuseAmbiguous(text, style: style)
        guard isLetter(bytes[0]) else {
            throw ScalarProblem(
                .badId,
                "\(ScalarProblem.quote(text)) is not an id: it begins with "
                    + "\(character(of: text, at: 0)), not with a lower-case letter",
                range: 0..<1, help: repair(text))
        }
        guard bytes[bytes.count - 1] != UInt8(ascii: "-") else {
            throw ScalarProblem(
                .badId, "\(ScalarProblem.quote(text)) is not an id: it ends with a hyphen",
                range: bytes.count - 1..<bytes.count, help: repair(text))
        }
        return text
    }

    /// Whether a text has the characters, the beginning, the end and the length of an id. Most do,
    /// and this test takes no copy of them.
    private static func isCertain(_ text: String) -> Bool {
        let octets = text.utf8.span
        guard (1...limit).contains(octets.count), isLetter(octets[0]) else { return false }
        for index in 1..<octets.count {
            guard isIDByte(octets[index]) else { return false }
        }
        return octets[octets.count - 1] != UInt8(ascii: "-")
    }

    private static func refuseAmbiguous(
        _ text: String, style: SyntaxNode.Style
    ) throws(ScalarProblem) {
        if style == .plain, let problem = AmbiguousScalar.problem(of: text) { throw problem }
    }

    /// A help line with the most similar id, if there is one.
    private static func repair(_ text: String) -> [String] {
        var id = ""
        for byte in text.utf8 {
            if isIDByte(byte) {
                id.unicodeScalars.append(Unicode.Scalar(byte))
            } else if (0x41...0x5A).contains(byte) {
                id.unicodeScalars.append(Unicode.Scalar(byte + 0x20))
            } else if !id.hasSuffix("-") {
                id += "-"
            }
        }
        let trimmed = id.drop { !isLetter($0.utf8.first ?? 0) }
        var result = String(trimmed)
        while result.hasSuffix("-") { result.removeLast() }
        return result.isEmpty ? [] : ["write for example `\(result)`"]
    }

    private static func isLetter(_ byte: UInt8) -> Bool { (0x61...0x7A).contains(byte) }

    private static func isIDByte(_ byte: UInt8) -> Bool {
        isLetter(byte) || DecimalNumber.isDigit(byte) || byte == UInt8(ascii: "-")
    }

    /// The character that begins at a byte, for the message.
    private static func character(of text: String, at offset: Int) -> String {
        let index = text.utf8.index(text.utf8.startIndex, offsetBy: offset)
        return ScalarProblem.quote(String(text.unicodeScalars[index]))
    }
}
