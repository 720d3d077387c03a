/// A text of a document. As a literal it is a sentence, in which user text stands in backticks.
package struct DocumentText: Hashable, Sendable, ExpressibleByStringInterpolation {
    /// A part of a text.
    package enum Span: Hashable, Sendable {
        case sentence(String)
        /// A text in which a backtick is a backtick.
        case plain(String)
        /// A value or a name.
        case code(String)
        /// A text that begins with a place, such as `policy.yaml:12:5 (rule `api`)`.
        case place(String)
        case word(Word)
        /// A sentence that leads to the entry, the row or the section with this id.
        case link(String, to: String)
    }

    package var spans: [Span]

    package init(spans: [Span]) { self.spans = spans }

    package init(_ sentence: String) { spans = [.sentence(sentence)] }

    package init(stringLiteral value: String) { self.init(value) }

    package static func plain(_ text: String) -> DocumentText {
        DocumentText(spans: [.plain(text)])
    }
    package static func code(_ text: String) -> DocumentText { DocumentText(spans: [.code(text)]) }
    package static func place(_ text: String) -> DocumentText {
        DocumentText(spans: [.place(text)])
    }
    package static func word(_ word: Word) -> DocumentText { DocumentText(spans: [.word(word)]) }
    package static func link(_ text: String, to id: String) -> DocumentText {
        DocumentText(spans: [.link(text, to: id)])
    }

    /// Texts with a separator between them.
    package static func joined(_ texts: [DocumentText], by separator: String = ", ") -> DocumentText
    {
        var spans: [Span] = []
        for (index, text) in texts.enumerated() {
            if index > 0 { spans.append(.plain(separator)) }
            spans += text.spans
        }
        return DocumentText(spans: spans)
    }

    package static func + (left: DocumentText, right: DocumentText) -> DocumentText {
        DocumentText(spans: left.spans + right.spans)
    }

    package var isEmpty: Bool { raw.isEmpty }

    /// The text without its marks, not escaped.
    package var raw: String {
        guard spans.count != 1 else { return DocumentText.raw(spans[0]) }
        return spans.map(DocumentText.raw).joined()
    }

    private static func raw(_ span: Span) -> String {
        switch span {
        case .sentence(let text), .plain(let text), .code(let text), .place(let text),
            .link(let text, _):
            return text
        case .word(let word): return word.text
        }
    }
}
