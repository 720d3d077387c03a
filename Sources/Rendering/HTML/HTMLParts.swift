// The parts that pages share, each in one form.

extension HTML {
    /// What a word says of a thing. A word has a mark besides its colour.
    package enum Mood: Sendable {
        case good, bad, warn, soft

        fileprivate var marks: (name: StaticString, sign: String) {
            switch self {
            case .good: return ("word good", "✓ ")
            case .bad: return ("word bad", "✗ ")
            case .warn: return ("word warn", "! ")
            case .soft: return ("word soft", "")
            }
        }
    }

    /// A word with its mark and colour.
    ///
    /// - Parameter isVerdict: whether the word is the answer of the page.
    package static func word(_ mood: Mood, _ text: String, isVerdict: Bool = false) -> HTML {
        element(
            "span", ["class": "\(mood.marks.name)\(isVerdict ? " verdict" : "")"],
            mood.marks.sign + text)
    }

    /// A paragraph that is a sentence.
    package static func paragraph(_ sentence: String) -> HTML {
        element("p", [HTML(sentence: sentence)])
    }

    /// A list whose items have room; nothing without items.
    package static func list(_ items: [[HTML]]) -> [HTML] {
        items.isEmpty ? [] : [element("ul", ["class": "list"], items.map { element("li", $0) })]
    }

    /// A list of sentences; nothing where there is none.
    package static func sentences(_ sentences: [String]) -> [HTML] {
        sentences.isEmpty
            ? []
            : [element("ul", sentences.map { element("li", [HTML(sentence: $0)]) })]
    }

    /// A table, which becomes a list of blocks on a narrow screen; nothing without rows.
    ///
    /// - Parameters:
    ///   - caption: what the table lists.
    ///   - rows: the cells; the cells of the column `head` are the headings of their rows.
    package static func table(
        _ caption: String, _ columns: [String], _ rows: [[[HTML]]], head: Int = 0
    ) -> [HTML] {
        guard !rows.isEmpty else { return [] }
        let body = rows.map { cells -> HTML in
            element(
                "tr",
                cells.enumerated().map { index, cell in
                    index == head ? element("th", ["scope": "row"], cell) : element("td", cell)
                })
        }
        return [
            element(
                "table", ["class": "wide"],
                [
                    element("caption", caption),
                    element(
                        "thead",
                        [element("tr", columns.map { element("th", ["scope": "col"], $0) })]),
                    element("tbody", body),
                ])
        ]
    }

    /// Lines of a program, kept as they are.
    package static func code(_ lines: [String]) -> HTML {
        element(
            "pre",
            [
                element(
                    "span", ["class": "code"],
                    lines.enumerated().map { index, line in
                        joined([constant(index == 0 ? "" : "\n"), HTML(line)])
                    })
            ])
    }

    /// A part that is folded on the screen and open on paper.
    package static func folded(_ title: [HTML], _ content: [HTML]) -> HTML {
        element("details", [element("summary", title)] + content)
    }
}
