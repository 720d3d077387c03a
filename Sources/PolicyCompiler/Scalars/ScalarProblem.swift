/// Why a scalar is not of the micro-grammar its field takes (LANGUAGE section 11): what a scanner
/// throws and the binder turns into a diagnostic at the right characters.
package struct ScalarProblem: Error, Hashable, Sendable {
    package var code: DiagnosticCode
    /// Names the value found and what would be right; lower case, no full stop.
    package var message: String
    /// Byte offsets into the text at fault, or nil for all of it.
    package var range: Range<Int>?
    package var help: [String]
    package var notes: [String]
    /// The scalar that was probably meant, in place of all of it.
    package var replacement: String?

    package init(
        _ code: DiagnosticCode, _ message: String, range: Range<Int>? = nil, help: [String] = [],
        notes: [String] = [], replacement: String? = nil
    ) {
        self.code = code
        self.message = message
        self.range = range
        self.help = help
        self.notes = notes
        self.replacement = replacement
    }
}

extension ScalarProblem {
    /// Octets that free text, and so any scalar but `pem`, may have (LANGUAGE section 1.6).
    package static let textLimit = 1_000

    /// User text for a message: in backticks, cut after 80 characters.
    static func quote(_ text: some StringProtocol) -> String {
        text.count <= 80 ? "`\(text)`" : "`\(text.prefix(80))…`"
    }

    /// Refuses an empty scalar (HW014) and one over the limit of all text (HW011), so that every
    /// scanner after it works on little and never on nothing.
    static func requireText(
        _ text: String, of what: String, limit: Int = textLimit
    ) throws(ScalarProblem) {
        let count = text.utf8.count
        guard count > 0 else {
            throw ScalarProblem(.emptyValue, "\(what) is empty")
        }
        guard count <= limit else {
            throw ScalarProblem(
                .limits, "\(what) has \(count) octets; the limit is \(limit)",
                range: limit..<count)
        }
    }
}
