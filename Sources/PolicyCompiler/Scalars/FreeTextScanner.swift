/// Reads free text: owners, notes, reasons, tickets, PEM.
package enum FreeTextScanner {
    /// The most octets of a `pem` scalar (LANGUAGE section 1.6).
    package static let pemLimit = 1_048_576

    /// Stands in printed repairs where a person must write the owner of an exception. It is not a
    /// valid owner, so a repair that was pasted and not completed does not compile.
    package static let ownerPlaceholder = "<owner>"

    /// The text, unchanged.
    ///
    /// - Parameters:
    ///   - field: the key, for the message.
    ///   - limit: the most octets; `pemLimit` for `pem`.
    /// - Throws: HW005 for a plain word or number that other YAML readers do not read as text,
    ///   HW011 for a text that is too long, HW014 for an empty text, HW103 for the placeholder of
    ///   an owner.
    package static func scan(
        _ text: String, for field: String, style: SyntaxNode.Style,
        limit: Int = ScalarProblem.textLimit
    ) throws(ScalarProblem) -> String {
        try ScalarProblem.requireText(text, of: "`\(field)`", limit: limit)
        if style == .plain, let problem = AmbiguousScalar.problem(of: text) { throw problem }
        guard text != ownerPlaceholder else {
            throw ScalarProblem(
                .unknownValue,
                "`\(ownerPlaceholder)` stands for a name: write the team that answers for it")
        }
        return text
    }
}
