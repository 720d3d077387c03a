/// The only way by which text of policies, certificates and hosts reaches Markdown (GitHub Flavored
/// Markdown, version 0.29). What comes out stays in its cell, mentions nobody, links nowhere and
/// renders as itself.
///
/// Text is shown as a code span unless each of its characters is known to be harmless. In a code
/// span nothing is read as Markdown or HTML but its own fence (GFM section 6.3), and GitHub makes
/// no mentions, issue links and emoji of it. An entity or a backslash does not stop these: GitHub
/// looks for them in the rendered text.
///
/// Everything here goes by Unicode scalars. A mark that combines with the pipe or backtick before
/// it makes one `Character` of both, and hides them from a search by characters.
package enum MarkdownText {
    private typealias Scalars = Substring.UnicodeScalarView

    /// A value as code, scalar by scalar. A control character or a hidden one is shown as
    /// `TerminalEscape` shows it.
    package static func code(_ text: String) -> String {
        let shown = TerminalEscape.escape(text)
        guard !shown.isEmpty else { return "` `" }
        // A pipe in a code span would end the cell of a table (GFM section 4.10). Readers differ in
        // what they make of a backslash before it, so that it stands outside as an entity.
        return shown.unicodeScalars.split(separator: "|", omittingEmptySubsequences: false)
            .map { $0.isEmpty ? "" : span($0) }.joined(separator: "&#124;")
    }

    /// A code span with a fence that is longer than every run of backticks inside.
    private static func span(_ text: Scalars) -> String {
        var (longest, run) = (0, 0)
        for scalar in text {
            run = scalar == "`" ? run + 1 : 0
            longest = max(longest, run)
        }
        let fence = String(repeating: "`", count: longest + 1)
        // A reader takes away one blank on each side if there is one on both.
        let needsBlanks =
            text.first == "`" || text.last == "`"
            || (text.first == " " && text.last == " " && text.contains { $0 != " " })
        let blank = needsBlanks ? " " : ""
        return fence + blank + String(text) + blank + fence
    }

    /// A line in a block of code of a language, whose fence no text can end.
    package static func block(_ text: String, of language: String) -> String {
        block([text], of: language)
    }

    /// A sentence in which user text stands in backticks. What stands in backticks becomes code,
    /// and so does every word outside that Markdown, or GitHub, could take for more than a word.
    ///
    /// - Parameter isFirst: whether a block of Markdown may begin with the sentence. Punctuation
    ///   that begins a list or a quotation there is harmless elsewhere.
    package static func prose(_ sentence: String, isFirst: Bool = true) -> String {
        runs(of: sentence, isFirst: isFirst).text
    }

    /// The same sentence inside an element of HTML, such as `<summary>`: to the next empty line
    /// nothing is read as Markdown there (GFM section 4.6), so that a code span would hide no tag.
    package static func proseInHTML(_ sentence: String) -> String {
        runs(of: sentence, isFirst: true).html
    }

    private static func runs(of sentence: String, isFirst: Bool) -> Runs {
        // Blanks at the start could make a block of code.
        let shown = String(TerminalEscape.escape(sentence).unicodeScalars.drop { $0 == " " })
        let parts = shown.unicodeScalars.split(
            separator: "`", omittingEmptySubsequences: false)
        var runs = Runs(isFirst: isFirst)
        guard !parts.count.isMultiple(of: 2) else {
            // A backtick without its partner belongs to user text: no pair can be relied on.
            runs.add(plain: Substring(shown).unicodeScalars)
            return runs
        }
        for (index, part) in parts.enumerated() {
            if index.isMultiple(of: 2) { runs.add(plain: part) } else { runs.add(code: part) }
        }
        return runs
    }

    /// The parts of a sentence, by turns code and not.
    private struct Runs {
        /// Whether a block of Markdown may begin with the first of them.
        let isFirst: Bool
        private var runs: [(text: String, isCode: Bool)] = []

        init(isFirst: Bool) { self.isFirst = isFirst }

        var text: String {
            runs.map { run in
                run.isCode ? MarkdownText.code(run.text) : run.text.replacing("->", with: "-&gt;")
            }.joined()
        }

        var html: String {
            runs.map { run in
                (run.isCode ? HTML.element("code", run.text) : HTML(run.text)).markup
            }.joined()
        }

        mutating func add(plain text: Scalars) {
            let words = text.split(separator: " ", omittingEmptySubsequences: false)
            for (index, word) in words.enumerated() {
                if index > 0 { add(" ", isCode: false) }
                guard !word.isEmpty else { continue }
                guard MarkdownText.isHarmless(word, isFirst: isFirst && runs.isEmpty) else {
                    // The punctuation of the sentence stays outside.
                    let core = MarkdownText.core(of: word)
                    guard !core.isEmpty else {
                        add(code: word)
                        continue
                    }
                    add(String(word[..<core.startIndex]), isCode: false)
                    add(code: core)
                    add(String(word[core.endIndex...]), isCode: false)
                    continue
                }
                add(String(word), isCode: false)
            }
        }

        mutating func add(code text: Scalars) {
            add(String(text), isCode: true)
        }

        /// Adds a run. A letter or a digit that touches code becomes a part of the code, so that a
        /// fence never stands inside a word.
        private mutating func add(_ text: String, isCode: Bool) {
            guard !text.isEmpty else { return }
            guard let last = runs.last else {
                runs.append((text, isCode))
                return
            }
            switch (last.isCode, isCode) {
            case (true, true), (false, false):
                runs[runs.count - 1].text += text
            case (true, false):
                if let first = text.unicodeScalars.first, MarkdownText.isWordPart(first) {
                    runs[runs.count - 1].text += text
                } else {
                    runs.append((text, false))
                }
            case (false, true):
                guard let end = last.text.unicodeScalars.last, MarkdownText.isWordPart(end) else {
                    runs.append((text, true))
                    return
                }
                let scalars = last.text.unicodeScalars
                let start =
                    scalars.lastIndex(of: " ").map { scalars.index(after: $0) }
                    ?? scalars.startIndex
                let word = String(scalars[start...])
                runs[runs.count - 1].text = String(scalars[..<start])
                runs.append((word + text, true))
            }
        }
    }

    /// Whether a scalar belongs to a word: a letter with its marks, or a digit.
    private static func isWordPart(_ scalar: Unicode.Scalar) -> Bool {
        if scalar.isASCII { return isDigit(scalar) || isASCIILetter(scalar) }
        switch scalar.properties.generalCategory {
        case .uppercaseLetter, .lowercaseLetter, .titlecaseLetter, .modifierLetter, .otherLetter,
            .nonspacingMark, .spacingMark:
            return true
        default: return false
        }
    }

    private static func isDigit(_ scalar: Unicode.Scalar) -> Bool { "0"..."9" ~= scalar }

    private static func isASCIILetter(_ scalar: Unicode.Scalar) -> Bool {
        "a"..."z" ~= scalar || "A"..."Z" ~= scalar
    }

    /// A word without the punctuation around it.
    private static func core(of word: Scalars) -> Scalars {
        var core = word.drop { $0 == "(" }
        while let last = core.last, ",.;:)".unicodeScalars.contains(last) {
            // The end of a pair inside the word belongs to it: `§6.1.1(d)`.
            guard last != ")" || !core.contains("(") else { break }
            core = core.dropLast()
        }
        return core
    }

    /// Whether a word means nothing to Markdown and to GitHub: letters with hyphens and apostrophes
    /// inside, or digits with points inside, between usual punctuation; and our arrow.
    private static func isHarmless(_ word: Scalars, isFirst: Bool) -> Bool {
        if word.elementsEqual("->".unicodeScalars) { return !isFirst }
        let core = core(of: word)
        // Lone punctuation is harmless only after the word that it belongs to.
        guard !core.isEmpty else { return !isFirst }
        if core.allSatisfy({ isDigit($0) || $0 == "." || $0 == "," }) {
            // A number with punctuation at the start of a block can begin a list.
            return !isFirst || core.count == word.count
        }
        // GitHub links what may be the digest of a commit.
        guard !(core.count >= 7 && core.allSatisfy(\.properties.isHexDigit)) else { return false }
        return core.split(omittingEmptySubsequences: false) { $0 == "-" || $0 == "'" }.allSatisfy {
            part in
            !part.isEmpty && part.allSatisfy { isWordPart($0) && !isDigit($0) }
        }
    }
}

extension MarkdownText {
    /// Lines in a block of code of a language, whose fence no text can end.
    package static func block(_ lines: [String], of language: String) -> String {
        let shown = lines.map(TerminalEscape.escape)
        var longest = 2
        for line in shown {
            var run = 0
            for scalar in line.unicodeScalars {
                run = scalar == "`" ? run + 1 : 0
                longest = max(longest, run)
            }
        }
        let fence = String(repeating: "`", count: longest + 1)
        return "\(fence)\(language)\n\(shown.joined(separator: "\n"))\n\(fence)"
    }
}
