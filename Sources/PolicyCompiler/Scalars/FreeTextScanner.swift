/// Free text: owners, notes, reasons, tickets, inline PEM.
package enum FreeTextScanner {
    /// Octets that a `pem` scalar may have (LANGUAGE section 1.6).
    package static let pemLimit = 1_048_576

    /// The text as it is.
    ///
    /// - Parameters:
    ///   - field: the key, for the message.
    ///   - limit: octets allowed; `pemLimit` for `pem`.
    /// - Throws: HW005 for a plain word or number that other YAML readers do not take for text,
    ///   HW011 over the limit, HW014 for nothing.
    package static func scan(
        _ text: String, for field: String, style: SyntaxNode.Style,
        limit: Int = ScalarProblem.textLimit
    ) throws(ScalarProblem) -> String {
        try ScalarProblem.requireText(text, of: "`\(field)`", limit: limit)
        if style == .plain, let problem = AmbiguousScalar.problem(of: text) { throw problem }
        return text
    }
}
