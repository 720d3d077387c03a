import Foundation

/// The sentences of a file that people read, without the code around them.
struct Prose {
    enum Kind: String, CaseIterable {
        /// Comments of code, of scripts and of YAML.
        case comments
        /// String literals of the product and the texts of contracts, which it prints.
        case texts
        /// Markdown.
        case pages
    }

    struct Paragraph {
        let kind: Kind
        /// The number of the first line, from 1.
        let line: Int
        /// The lines, joined by single spaces.
        var text: String
        var lines = 1
    }

    private(set) var paragraphs: [Paragraph] = []

    /// The paragraphs of a file, in their order. Files of a kind that holds no prose have none.
    ///
    /// Generated text is left out: its source is counted.
    static func paragraphs(of file: Tree.File) -> [Paragraph] {
        var prose = Prose()
        let isGenerated =
            file.name.contains("+Generated")
            || file.lines.prefix(5).contains {
                $0.contains("Made by `") || $0.contains("Written by `")
            }
        guard !isGenerated else { return [] }
        let ending = file.name.split(separator: ".").dropFirst().last.map(String.init) ?? ""
        let isContract = file.path.hasPrefix("grammar/")
        switch ending {
        case "swift", "c", "h", "go", "java":
            prose.readCode(file, countingTexts: file.path.hasPrefix("Sources/"))
        case "md":
            prose.readPage(file)
        case "json" where isContract:
            prose.readStrings(file)
        case "yaml" where isContract && file.components.count == 2:
            prose.readContract(file)
        case "py", "sh", "rb", "yaml", "yml", "ci", "":
            prose.readScript(file)
        default: break
        }
        return prose.paragraphs
    }
}

// MARK: Lines that become paragraphs

extension Prose {
    /// Gathers the lines of a comment or a page: an empty line, a list item, a heading, a row of a
    /// table or a fence begins a new paragraph. Fenced lines are not prose.
    private struct Gatherer {
        let kind: Kind
        private(set) var finished: [Paragraph] = []
        private var current: Paragraph?
        private var isFenced = false

        init(kind: Kind) { self.kind = kind }

        mutating func add(_ line: some StringProtocol, number: Int) {
            let text = line.trimmingCharacters(in: .whitespaces)
            if text.hasPrefix("```") {
                isFenced.toggle()
                end()
                return
            }
            guard !isFenced, text.contains(where: \.isLetter) else {
                end()
                return
            }
            if Gatherer.begins(text) { end() }
            if current == nil {
                current = Paragraph(kind: kind, line: number, text: text)
            } else {
                current?.text += " " + text
                current?.lines += 1
            }
        }

        mutating func end() {
            if let current { finished.append(current) }
            current = nil
        }

        /// Whether a line begins a paragraph, whatever stands before it.
        private static func begins(_ text: String) -> Bool {
            if ["- ", "* ", "#", "|", "<!--", "MARK:"].contains(where: text.hasPrefix) {
                return true
            }
            let number = text.prefix { $0.isNumber }
            return !number.isEmpty && text.dropFirst(number.count).hasPrefix(". ")
        }
    }

    private mutating func take(_ gatherer: Gatherer) {
        var gatherer = gatherer
        gatherer.end()
        paragraphs += gatherer.finished
    }

    /// A Markdown page, without the entries that `generate-tables` writes into it.
    private mutating func readPage(_ file: Tree.File) {
        var gatherer = Gatherer(kind: .pages)
        var isGenerated = false
        for (index, line) in file.lines.enumerated() {
            if line.hasPrefix("<!-- keys of ") { isGenerated = true }
            if line.hasPrefix("<!-- end of keys") { isGenerated = false }
            gatherer.add(isGenerated ? "" : line, number: index + 1)
        }
        take(gatherer)
    }

    /// The comments of a script, and the documentation of Python.
    private mutating func readScript(_ file: Tree.File) {
        var gatherer = Gatherer(kind: .comments)
        var isDocumentation = false
        for (index, line) in file.lines.enumerated() {
            let text = line.drop { $0 == " " || $0 == "\t" }
            let quotes = line.components(separatedBy: "\"\"\"").count - 1
            if isDocumentation || quotes > 0 && text.hasPrefix("\"\"\"") {
                gatherer.add(line.replacingOccurrences(of: "\"\"\"", with: ""), number: index + 1)
                if quotes % 2 == 1 { isDocumentation.toggle() }
                if !isDocumentation { gatherer.end() }
            } else if text.hasPrefix("#"), !text.hasPrefix("#!") {
                gatherer.add(text.drop { $0 == "#" }, number: index + 1)
            } else {
                gatherer.end()
                guard let mark = line.range(of: "  # ") else { continue }
                gatherer.add(line[mark.upperBound...], number: index + 1)
                gatherer.end()
            }
        }
        take(gatherer)
    }

    /// A contract in YAML: each value is a text, over as many lines as it has.
    private mutating func readContract(_ file: Tree.File) {
        var comments = Gatherer(kind: .comments)
        var texts = Gatherer(kind: .texts)
        for (index, line) in file.lines.enumerated() {
            let text = line.drop { $0 == " " }
            if text.hasPrefix("#") {
                comments.add(text.drop { $0 == "#" }, number: index + 1)
                continue
            }
            comments.end()
            let key = text.hasPrefix("- ") ? text.dropFirst(2) : text
            let name = key.prefix { $0.isLetter || $0.isNumber || $0 == "-" }
            if !name.isEmpty, key.dropFirst(name.count).hasPrefix(":") {
                texts.end()
                texts.add(key.dropFirst(name.count + 1), number: index + 1)
            } else {
                texts.add(line, number: index + 1)
            }
        }
        take(comments)
        take(texts)
    }
}

// MARK: Code

extension Prose {
    /// The comments of code, and its string literals where the product prints them.
    private mutating func readCode(_ file: Tree.File, countingTexts: Bool) {
        var scanner = CodeScanner(file.text, isSwift: file.name.hasSuffix(".swift"))
        scanner.scan()
        var gatherer = Gatherer(kind: .comments)
        var previous = -1
        for comment in scanner.comments {
            if comment.line != previous + 1 || comment.startsBlock { gatherer.end() }
            gatherer.add(comment.text, number: comment.line)
            previous = comment.line
        }
        take(gatherer)
        guard countingTexts else { return }
        add(scanner.literals)
    }

    /// Every string of a JSON document.
    private mutating func readStrings(_ file: Tree.File) {
        var scanner = CodeScanner(file.text, isSwift: false)
        scanner.scan()
        add(scanner.literals)
    }

    /// Literals with at least two words are texts; others are names.
    private mutating func add(_ literals: [CodeScanner.Literal]) {
        for literal in literals where literal.text.contains(" ") {
            var gatherer = Gatherer(kind: .texts)
            for (index, line) in literal.text.split(
                separator: "\n", omittingEmptySubsequences: false
            ).enumerated() {
                gatherer.add(line, number: literal.line + index)
            }
            gatherer.end()
            paragraphs += gatherer.finished
        }
    }
}

/// Takes the comments and the string literals out of Swift, C, Go, Java or JSON.
private struct CodeScanner {
    struct Comment {
        let line: Int
        let text: String
        /// Whether it opens a comment between `/*` and `*/`, or follows code on its line.
        let startsBlock: Bool
    }

    /// A literal, or several that `+` or nothing but space joins.
    struct Literal {
        let line: Int
        var text: String
    }

    private(set) var comments: [Comment] = []
    private(set) var literals: [Literal] = []
    /// The text, with a zero octet behind it.
    private let octets: [UInt8]
    private let isSwift: Bool
    private var place = 0
    private var line = 1
    /// Whether only `+` and space stand between the last literal and `place`.
    private var isJoined = false
    /// Whether only space stands before `place` on its line.
    private var isLineStart = true

    init(_ text: String, isSwift: Bool) {
        octets = Array(text.utf8) + [0]
        self.isSwift = isSwift
    }

    private var isAtEnd: Bool { place >= octets.count - 1 }

    private func at(_ offset: Int) -> UInt8 {
        place + offset < octets.count ? octets[place + offset] : 0
    }

    private func stands(_ text: String) -> Bool {
        octets[place...].starts(with: text.utf8)
    }

    private mutating func advance(_ count: Int = 1) {
        for _ in 0..<count where !isAtEnd {
            if octets[place] == UInt8(ascii: "\n") {
                line += 1
                isLineStart = true
            } else if octets[place] != UInt8(ascii: " ") {
                isLineStart = false
            }
            place += 1
        }
    }

    /// Skips the octets before the next mark or the end of the line, and returns them. Most octets
    /// are skipped here: the C library is fast in debug builds too.
    @discardableResult
    private mutating func skip(upTo marks: String) -> ArraySlice<UInt8> {
        let start = place
        let (count, blanks) = octets.withUnsafeBytes { bytes in
            guard let base = bytes.baseAddress else { return (0, 0) }
            let text = (base + start).assumingMemoryBound(to: CChar.self)
            return (strcspn(text, marks + "\n"), strspn(text, " "))
        }
        place += count
        if blanks < count {
            isLineStart = false
            isJoined = false
        }
        return octets[start..<place]
    }

    mutating func scan() { scan(untilClosed: false) }

    /// Reads code up to the end, or up to the parenthesis that ends an interpolation.
    private mutating func scan(untilClosed: Bool) {
        var depth = 0
        while !isAtEnd {
            skip(upTo: "/\"#'()+")
            if isAtEnd { return }
            if stands("//") {
                readLineComment()
            } else if stands("/*") {
                readBlockComment()
            } else if isSwift, stands("#\"") {
                readRawLiteral()
            } else if stands("\"") {
                readLiteral()
            } else if !isSwift, stands("'"), at(1) == UInt8(ascii: "\\") || at(2) == at(0) {
                advance(at(1) == UInt8(ascii: "\\") ? 4 : 3)
            } else {
                let octet = at(0)
                if untilClosed, octet == UInt8(ascii: "(") { depth += 1 }
                if untilClosed, octet == UInt8(ascii: ")") {
                    if depth == 0 { return }
                    depth -= 1
                }
                isJoined = isJoined && (octet == UInt8(ascii: "+") || octet == UInt8(ascii: "\n"))
                advance()
            }
        }
    }

    private mutating func readLineComment() {
        let (number, follows) = (line, !isLineStart)
        while at(0) == UInt8(ascii: "/") { advance() }
        let text = String(decoding: skip(upTo: ""), as: UTF8.self)
        comments.append(Comment(line: number, text: text, startsBlock: follows))
    }

    private mutating func readBlockComment() {
        let first = line
        advance(2)
        let start = place
        while !isAtEnd, !stands("*/") {
            skip(upTo: "*")
            if !stands("*/") { advance() }
        }
        let text = String(decoding: octets[start..<place], as: UTF8.self)
        advance(2)
        for (index, line) in text.split(
            separator: "\n", omittingEmptySubsequences: false
        ).enumerated() {
            let trimmed = line.drop { $0 == " " || $0 == "*" }
            comments.append(
                Comment(line: first + index, text: String(trimmed), startsBlock: index == 0))
        }
    }

    private mutating func readRawLiteral() {
        let (first, joined) = (line, isJoined)
        advance(2)
        let start = place
        while !isAtEnd, !stands("\"#") { advance() }
        add(octets[start..<place], line: first, joined: joined)
        advance(2)
        isJoined = true
    }

    private mutating func readLiteral() {
        let (first, joined, count) = (line, isJoined, literals.count)
        let isLong = isSwift && stands("\"\"\"")
        advance(isLong ? 3 : 1)
        var text: [UInt8] = []
        while !isAtEnd {
            text += skip(upTo: "\"\\")
            if isAtEnd { break }
            if isLong ? stands("\"\"\"") : stands("\"") || stands("\n") { break }
            if isSwift, stands("\\(") {
                advance(2)
                scan(untilClosed: true)
                advance()
                text += Array("…".utf8)
            } else if isLong, stands("\\\n") {
                // Text goes on in the next line.
                advance(2)
                while stands(" ") { advance() }
            } else if stands("\\n") {
                text.append(UInt8(ascii: "\n"))
                advance(2)
            } else if stands("\\") {
                text.append(at(1))
                advance(2)
            } else {
                text.append(at(0))
                advance()
            }
        }
        advance(isLong ? 3 : 1)
        // A literal in an interpolation stands between this one and the one before.
        add(text[...], line: first, joined: joined && literals.count == count)
        isJoined = true
    }

    private mutating func add(_ text: ArraySlice<UInt8>, line: Int, joined: Bool) {
        let text = String(decoding: text, as: UTF8.self)
        if joined, !literals.isEmpty {
            literals[literals.count - 1].text += text
        } else {
            literals.append(Literal(line: line, text: text))
        }
    }
}
