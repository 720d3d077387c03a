import Rendering
import TrustEngine

/// Text for the bubbles of an editor, which read Markdown.
enum FencedText {
    /// Lines as they stand. Characters that hide or move text are escaped. The fence is longer than
    /// any run of backticks in the lines, so a line cannot end the block.
    static func block(_ lines: [String]) -> String {
        let longest = lines.flatMap { $0.split { $0 != "`" } }.map(\.count).max() ?? 0
        let fence = String(repeating: "`", count: max(3, longest + 1))
        return "\(fence)text\n" + lines.map { TerminalEscape.escape($0) + "\n" }.joined() + fence
    }
}

/// How certificates are told in an editor.
enum CertificateTexts {
    private static let most = 8

    /// The subject, issuer and dates of certificates; nil for none.
    static func markdown(_ certificates: [Certificate], of what: String) -> String? {
        guard !certificates.isEmpty else { return nil }
        var lines = ["\(what): \(Words.count(certificates.count, "certificate"))"]
        for one in certificates.prefix(most) {
            lines += [
                "", "subject      \(one.subjectText)", "issuer       \(one.issuerText)",
                "valid from   \(one.notBefore)", "valid until  \(one.notAfter)",
            ]
        }
        return FencedText.block(lines + Cut.others(certificates.count - most))
    }

    /// The subject and the end of the certificate that ends first, for a hint beside a line.
    static func hint(_ certificates: [Certificate]) -> String? {
        guard let first = certificates.min(by: { $0.notAfter < $1.notAfter }) else { return nil }
        let more = certificates.count > 1 ? ", the first of \(certificates.count) to end" : ""
        return TerminalEscape.escape(
            "\(Words.shortSubject(first.subjectText)), until \(Words.day(first.notAfter))\(more)")
    }
}
