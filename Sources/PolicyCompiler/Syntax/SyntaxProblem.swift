/// Why a text could not be read further, in plain words, and where reading can go on. Offsets count
/// in the prepared text.
struct SyntaxProblem {
    var code: DiagnosticCode
    var message: String
    var primary: Range<Int>
    var label: String
    /// A second range and its words.
    var also: (range: Range<Int>, text: String)?
    var help: [String]
    /// An offset on the line that must be removed.
    var region: Int
    /// Whether a bracket or quote was open, so that the lines below may belong to it.
    var isOpen: Bool
    /// Whether the rest of the file is not worth reading.
    var isLast: Bool
    /// What was probably meant: the title of the edit, the range and its new text.
    var mend: (title: String, range: Range<Int>, text: String)?

    init(
        code: DiagnosticCode, message: String, primary: Range<Int>, label: String = "",
        help: [String] = [], region: Int, isOpen: Bool = false, isLast: Bool = false
    ) {
        self.code = code
        self.message = message
        self.primary = primary
        self.label = label
        self.help = help
        self.region = region
        self.isOpen = isOpen
        self.isLast = isLast
    }

    /// A problem of libyaml, in our words.
    init(_ problem: YAMLProblem, input: [UInt8], longQuote: Range<Int>?) {
        let text = ProblemText(input)
        let (offset, start) = (problem.offset, problem.contextOffset)
        let startsEarlier = text.line(offset) != text.line(start)
        switch problem.context {
        case "while scanning a quoted scalar":
            self.init(text.openQuote(problem))
            return
        case "while parsing a flow sequence", "while parsing a flow mapping":
            self.init(text.openBracket(problem, startsEarlier: startsEarlier))
            return
        case "while parsing a quoted scalar":
            self.init(
                code: .syntaxError, message: text.escapeMessage(problem.problem),
                primary: text.escape(offset), label: "escape",
                help: ["between double quotes write `\\\\` for a backslash, or use single quotes"],
                region: start, isOpen: true)
            return
        case "while scanning a simple key":
            let word = text.word(start)
            self.init(
                code: .syntaxError,
                message: "\(text.quoted(word)) stands alone where `KEY: VALUE` is wanted",
                primary: word, label: "no `:` follows",
                help: ["write a `:` and a blank after a key; put text that is not a key in quotes"],
                region: start)
            return
        default: break
        }
        // An open quote includes everything up to the next quote, and libyaml notices only after
        // that.
        if let longQuote, text.line(longQuote.upperBound) == text.line(offset) {
            self.init(
                code: .syntaxError, message: "a quote opens here and closes only lines below",
                primary: longQuote.lowerBound..<longQuote.lowerBound + 1, label: "opens here",
                help: ["close the quote on its line"], region: longQuote.lowerBound, isOpen: true)
            also = (longQuote.upperBound - 1..<longQuote.upperBound, "taken for its end")
            return
        }
        self.init(text.inBlock(problem))
    }

    private init(_ other: SyntaxProblem) {
        self = other
    }
}

/// Reads the text around a problem to find its cause.
private struct ProblemText {
    let input: [UInt8]

    init(_ input: [UInt8]) {
        self.input = input
    }

    func openQuote(_ problem: YAMLProblem) -> SyntaxProblem {
        let start = problem.contextOffset
        return SyntaxProblem(
            code: .syntaxError, message: "a quote opens here and is never closed",
            primary: start..<min(start + 1, input.count), label: "opens here",
            help: ["close the quote on its line"], region: start, isOpen: true)
    }

    func openBracket(_ problem: YAMLProblem, startsEarlier: Bool) -> SyntaxProblem {
        let start = problem.contextOffset
        let isList = problem.context == "while parsing a flow sequence"
        let (open, close) = isList ? ("[", "]") : ("{", "}")
        let isInside =
            startsEarlier && problem.offset < input.count
            && indentation(problem.offset) > indentation(start)
        var result = SyntaxProblem(
            code: .syntaxError, message: "`\(open)` opens here and is never closed",
            primary: start..<min(start + 1, input.count), label: "no `\(close)` follows",
            help: ["close it with `\(close)`"], region: start, isOpen: true)
        if !startsEarlier || isInside {
            result.message = "`,` or `\(close)` is wanted before \(quoted(word(problem.offset)))"
            result.primary = word(problem.offset)
            result.label = "not expected here"
            result.also = (start..<start + 1, "opens here")
            result.help = ["separate the entries by `,`, or close with `\(close)`"]
            if isList, let end = OneLineItems.missingComma(input, before: problem.offset) {
                result.mend = ("write a comma between them", end..<end, ",")
            }
        }
        return result
    }

    func escapeMessage(_ problem: String) -> String {
        switch problem {
        case "found invalid Unicode character escape code":
            return "this escape stands for no character"
        case "did not find expected hexdecimal number":
            return "this escape wants more hexadecimal digits"
        default: return "this escape is not one that YAML knows"
        }
    }

    /// Problems in block maps, block lists and scalars.
    func inBlock(_ problem: YAMLProblem) -> SyntaxProblem {
        let offset = visible(problem.offset)
        let here = word(offset)
        let shown = quoted(here)
        var result = SyntaxProblem(
            code: .syntaxError, message: "\(shown) cannot be read as YAML here", primary: here,
            region: offset)
        switch problem.problem {
        case "mapping values are not allowed in this context":
            result.message = "`:` makes a second key here; a line holds one"
            result.primary = offset..<min(offset + 1, input.count)
            result.label = "second `:`"
            result.help = [
                "put text that holds `: ` in quotes\(quotedText(offset)), or begin the inner map on the "
                    + "next line"
            ]
        case "block sequence entries are not allowed in this context":
            result.message = "`-` begins a list on the line of its key"
            result.help = ["begin the list on the next line, or write it as `[…]`"]
            if let items = OneLineItems.items(input, onTheLineOf: offset) {
                describe(items, &result)
            } else {
                result.mend = OneLineItems.list(input, at: offset).map {
                    ("begin the list on the next line", $0.range, $0.text)
                }
            }
        case "mapping keys are not allowed in this context":
            result.code = .yamlFeature
            result.message = "a key written with `?` stands here; a key is text before `:`"
            result.help = ["write `KEY: VALUE`"]
        case "found character that cannot start any token":
            result = cannotBegin(offset)
        case "did not find expected key", "did not find expected '-' indicator":
            result.message = "\(shown) is indented like nothing above it"
            result.label = "neither a sibling nor a child of the lines above"
            result.help = [indentationHelp(offset)]
            let wantsItem = problem.problem == "did not find expected '-' indicator"
            if let items = OneLineItems.items(input, onTheLineOf: offset) {
                describe(items, &result)
            } else if wantsItem, indentation(offset) == indentation(problem.contextOffset) {
                result.message = "\(shown) stands among the items of a list without a `-`"
                result.label = "no item"
            } else if isOnSameLineAsText(offset) {
                result.message = "\(shown) follows a value that is already complete"
                result.label = "not expected here"
                result.help = ["put the whole value in quotes, or begin a new line"]
            }
        case "did not find expected <document start>":
            result.message = "\(shown) does not go on with what stands above it"
            result.help = ["a policy is one map: every top-level line is `KEY: …`"]
        case "did not find expected node content":
            result.message = "a value is wanted before \(shown)"
        case "found unexpected document indicator", "found unknown directive name",
            "could not find expected directive name":
            result.code = .yamlFeature
            result.message = "a YAML directive stands here; a policy has none"
        case "found a tab character where an indentation space is expected",
            "found a tab character that violates indentation":
            result.code = .tabIndent
            result.message = "a tab indents this line; a policy is indented with blanks"
        case "did not find expected comment or line break":
            result.message = "\(shown) stands on the line of `|`; literal text begins on the next"
            result.help = ["put the text on the lines below, indented"]
        default: describeProperty(problem, &result)
        }
        return result
    }

    /// The text of the line's first key in quotes, as `KEY: "TEXT"` in backticks after a comma;
    /// empty where it has quotes or brackets of its own.
    private func quotedText(_ offset: Int) -> String {
        let line = IndentedLine(input, at: line(offset))
        let content = line.whitespace.upperBound + line.contentColumn(input) - line.column
        guard let key = line.key(input),
            let end = line.lastVisible(input).flatMap({ last in
                input[key.endIndex..<line.end].lastIndex(of: last)
            }), end > key.endIndex + 1
        else { return "" }
        let text = input[(key.endIndex + 1)...end].drop { $0 == 0x20 }
        let marks = Set("\"'[]{}#\\`".utf8)
        guard text.count <= 200, text.allSatisfy({ !marks.contains($0) }) else { return "" }
        return ", `\(String(decoding: input[content..<key.endIndex], as: UTF8.self)): "
            + "\"\(String(decoding: text, as: UTF8.self))\"`"
    }

    /// Names the columns of the open levels above that are next to the line's column.
    private func indentationHelp(_ offset: Int) -> String {
        let help = "indent it as far as the entries it belongs with"
        let own = IndentedLine(input, at: line(offset))
        guard !own.isBlank else { return help }
        var open = Int.max
        var near: [String] = []
        var above = own.whitespace.lowerBound
        for _ in 0..<Self.linesAbove where above > 0 && open > 0 {
            above = line(above - 1)
            let level = IndentedLine(input, at: above)
            guard !level.isBlank, level.column < open,
                input[level.whitespace.upperBound] != UInt8(ascii: "#")
            else { continue }
            open = level.column
            guard abs(open - own.column) <= 2, level.isListItem(input) == own.isListItem(input)
            else { continue }
            near.append("by \(open) blanks as \(quoted(word(level.whitespace.upperBound)))")
        }
        return near.isEmpty ? help : "\(help): \(near.joined(separator: ", or "))"
    }

    /// The most lines above a problem that are read for its help.
    private static let linesAbove = 256

    /// Several items of a list on one line.
    private func describe(_ items: OneLineItems, _ result: inout SyntaxProblem) {
        result.message =
            "\(quoted(result.primary)) follows an item on its line; a line holds one item"
        result.label = "not expected here"
        result.help = [
            "write each on a line: " + items.texts.map { "`- \($0)`" }.joined(separator: ", ")
        ]
        result.mend = ("write each on a line", items.range, items.lines)
    }

    private func describeProperty(_ problem: YAMLProblem, _ result: inout SyntaxProblem) {
        switch problem.context {
        case "while scanning an anchor", "while scanning an alias":
            result.code = .aliasOrMerge
            let isAlias = problem.context == "while scanning an alias"
            result.message =
                isAlias
                ? "`*` begins an alias of YAML, and a policy has none"
                : "`&` begins an anchor of YAML, and a policy has none"
            result.help = [
                isAlias
                    ? "put the text in quotes, as every host pattern is"
                    : "put text that begins with `&` in quotes"
            ]
            result.primary = word(problem.contextOffset)
            result.label = "not in quotes"
        case "while scanning a tag", "while parsing a tag", "while parsing a node":
            result.code = .explicitTag
            result.message = "`!` begins a tag of YAML, and a policy has none"
            result.help = ["put text that begins with `!` in quotes"]
            result.primary = word(problem.contextOffset)
        case "while scanning a directive", "while scanning a %YAML directive",
            "while scanning a %TAG directive":
            result.code = .yamlFeature
            result.message = "a YAML directive stands here; a policy has none"
        default: break
        }
    }

    private func cannotBegin(_ offset: Int) -> SyntaxProblem {
        let end = input.characterEnd(offset)
        let character = String(decoding: input[offset..<end], as: UTF8.self)
        var result = SyntaxProblem(
            code: .syntaxError, message: "`\(character)` cannot begin a value",
            primary: offset..<end, label: "put the text in quotes",
            help: ["put the whole text in quotes"], region: offset)
        if character == "\t" {
            result.code = .tabIndent
            result.message = "a tab stands where a blank is wanted"
            result.label = "tab"
            result.help = ["replace it by a blank"]
        }
        return result
    }

    // MARK: Places

    /// The nearest visible character at or before an offset.
    private func visible(_ offset: Int) -> Int {
        var index = min(offset, input.count - 1)
        guard index >= 0 else { return 0 }
        if index == offset, input[index] == 0x09 { return index }
        while index > 0, input[index] <= 0x20 { index -= 1 }
        return index
    }

    /// The range from an offset to the next blank, line end, comma or closing bracket: at most 40
    /// bytes, and never ending inside a character.
    func word(_ offset: Int) -> Range<Int> {
        let start = max(0, min(offset, input.count))
        var end = start
        while end < input.count, input[end] > 0x20, end - start < 40 {
            if end > start, [0x5D, 0x7D, 0x2C].contains(input[end]) { break }
            end = input.characterEnd(end)
        }
        if end - start > 1, input[end - 1] == 0x3A { end -= 1 }
        return start..<end
    }

    func escape(_ offset: Int) -> Range<Int> {
        var start = min(offset, max(0, input.count - 1))
        while start > 0, input[start] != 0x5C, input[start] != 0x0A { start -= 1 }
        return start..<input.characterEnd(start + 1)
    }

    func quoted(_ range: Range<Int>) -> String {
        range.isEmpty
            ? "the end of the line" : "`\(String(decoding: input[range], as: UTF8.self))`"
    }

    /// The offset of the first byte of a line, which identifies the line.
    func line(_ offset: Int) -> Int {
        var start = min(offset, input.count)
        while start > 0, input[start - 1] != 0x0A { start -= 1 }
        return start
    }

    private func indentation(_ offset: Int) -> Int {
        let start = line(offset)
        return input[start...].prefix { $0 == 0x20 }.count
    }

    private func isOnSameLineAsText(_ offset: Int) -> Bool {
        input[line(offset)..<offset].contains { $0 > 0x20 && $0 != 0x2D }
    }
}
