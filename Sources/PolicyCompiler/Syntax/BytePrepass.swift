import TrustEngine

/// Checks the bytes of a policy file before libyaml reads them (LANGUAGE section 1.1).
///
/// libyaml ends a comment at U+0085, U+2028, U+2029 and a lone carriage return; editors do not.
/// Text that a reviewer sees as a comment would then be a key. So every hidden character is an
/// error at its exact offset, and is masked. Inside a line it is replaced by as many blanks as it
/// has bytes, which can neither end a comment nor begin a line. Before the first visible character
/// of a line it is removed, so that the line keeps the indentation that its author sees. A file
/// without hidden characters is passed on unchanged.
struct BytePrepass {
    /// The most octets of a policy file (LANGUAGE section 1.6).
    static let largestFile = 64 << 20
    /// The most problems that are reported one by one. The last one states how many more there are.
    static let mostProblems = 100

    private let bytes: [UInt8]
    private let file: Int
    private var edits: [Edit] = []
    private var diagnostics: [Diagnostic] = []
    private var untold = 0
    private var hasUnicodeSpace = false

    /// A range of the file and the number of blanks that replace it.
    struct Edit {
        var range: Range<Int>
        var blanks: Int
        /// Whether blanks replace indentation, so that no text is lost.
        var isIndentation = false
        /// What stands in its place: blanks, or letters for a text that must stay a value.
        var filler: UInt8 = 0x20
    }

    /// Prepares one file.
    ///
    /// - Parameter mendsBlocks: whether PEM that is not indented and marks of templates are looked
    ///   for. They stop libyaml, or give it maps without values, so they are looked for in a file
    ///   that could not be read.
    static func prepare(
        _ file: SourceFile, fileIndex: Int, mendsBlocks: Bool = false
    ) -> PreparedText {
        var prepass = BytePrepass(bytes: file.bytes, file: fileIndex)
        return prepass.run(mendsBlocks)
    }

    private init(bytes: [UInt8], file: Int) {
        self.bytes = bytes
        self.file = file
    }

    private mutating func run(_ mendsBlocks: Bool) -> PreparedText {
        if let refusal = refusal() {
            return PreparedText(
                input: [], offsets: OffsetMap(), isASCII: true, masked: [],
                diagnostics: [refusal], isReadable: false)
        }
        let survey = Survey(bytes)
        guard survey.needsLook || mendsBlocks else {
            return PreparedText(
                input: bytes, offsets: OffsetMap(), isASCII: survey.isASCII, masked: [],
                diagnostics: [], isReadable: true)
        }
        lookAtCharacters()
        if hasUnicodeSpace { lookAtSpaces() }
        if mendsBlocks { lookAtBlocks() }
        if survey.hasDirective { lookAtDirectives() }
        if survey.hasLeadingTab { lookAtTabs() }
        if untold > 0, !diagnostics.isEmpty {
            diagnostics[diagnostics.count - 1].notes.append("\(untold) more of the kind follow")
        }
        return prepared(isASCII: survey.isASCII)
    }

    /// The diagnostic for a file that is not text or is too large.
    private func refusal() -> Diagnostic? {
        if bytes.count > Self.largestFile {
            return Diagnostic(
                .limits, "the file has \(bytes.count) bytes; a policy file may have 64 MiB",
                at: label(0..<0), help: ["split it into files `NAME.policy.yaml` of the same unit"])
        }
        let start = Array(bytes.prefix(2))
        if start == [0xFF, 0xFE] || start == [0xFE, 0xFF] {
            return Diagnostic(
                .encoding, "the file is UTF-16; a policy is UTF-8", at: label(0..<2),
                help: ["save it as UTF-8 without a byte order mark"])
        }
        return nil
    }

    // MARK: Hidden characters

    private mutating func lookAtCharacters() {
        var offset = 0
        if bytes.starts(with: [0xEF, 0xBB, 0xBF]) {
            report(
                Diagnostic(
                    .encoding, "the file begins with a byte order mark; a policy begins with text",
                    at: label(0..<3, "three bytes that editors do not show"),
                    help: ["save it as UTF-8 without a byte order mark"],
                    fix: deletion(0..<3, .safe, "delete the byte order mark")))
            edits.append(Edit(range: 0..<3, blanks: 0))
            offset = 3
        }
        var lineHasText = false
        while offset < bytes.count {
            let byte = bytes[offset]
            if byte == 0x0A {
                lineHasText = false
                offset += 1
                continue
            }
            if byte < 0x80, byte >= 0x20, byte != 0x7F {
                if byte != 0x20 { lineHasText = true }
                offset += 1
                continue
            }
            if byte == 0x09 || (byte == 0x0D && follows(0x0A, offset)) {
                offset += 1
                continue
            }
            let decoded = UTF8Step.decode(bytes, at: offset)
            let range = offset..<offset + decoded.length
            offset = range.upperBound
            if let scalar = decoded.scalar {
                guard HiddenCharacter.isHidden(scalar) else {
                    if HiddenCharacter.isSpace(scalar) { hasUnicodeSpace = true }
                    lineHasText = true
                    continue
                }
                report(hidden(scalar, range))
            } else {
                report(notUTF8(range))
            }
            edits.append(Edit(range: range, blanks: lineHasText ? range.count : 0))
        }
    }

    private func follows(_ byte: UInt8, _ offset: Int) -> Bool {
        offset + 1 < bytes.count && bytes[offset + 1] == byte
    }

    private func hidden(_ scalar: Unicode.Scalar, _ range: Range<Int>) -> Diagnostic {
        if scalar == "\r" {
            return Diagnostic(
                .encoding,
                "a carriage return stands alone; a line ends with a line feed, or with both",
                at: label(range, "ends a line for YAML, not for every editor"),
                help: ["save the file with line feeds"])
        }
        return Diagnostic(
            .hiddenText,
            "`\(HiddenCharacter.name(scalar))` is hidden here: \(HiddenCharacter.kind(scalar))",
            at: label(range, "not shown by editors"),
            help: ["delete it; where it must be, give the name or text in ASCII"],
            notes: ["a policy must read the same to a reviewer and to the compiler"],
            fix: deletion(range, .needsReview, "delete the hidden character"))
    }

    private func notUTF8(_ range: Range<Int>) -> Diagnostic {
        let shown = bytes[range].map { byte in
            let digits = String(byte, radix: 16, uppercase: true)
            return digits.count < 2 ? "0" + digits : digits
        }
        return Diagnostic(
            .encoding,
            "`\(shown.joined(separator: " "))` is not UTF-8; a policy is UTF-8 throughout",
            at: label(range), help: ["save the file as UTF-8"])
    }

    // MARK: Spaces of Unicode

    private mutating func lookAtSpaces() {
        for run in UnicodeSpaces.runs(bytes) {
            let name =
                "`\(HiddenCharacter.name(run.scalar))`, \(HiddenCharacter.spaceName(run.scalar)),"
            let message: String
            switch run.place {
            case .indentation:
                message = "\(name) indents this line; a policy is indented with blanks"
            case .separator: message = "\(name) stands where a blank is wanted"
            case .end: message = "\(name) ends this line"
            case .inside: message = "\(name) stands inside this text"
            }
            let isEnd = run.place == .end
            report(
                Diagnostic(
                    .hiddenText, message,
                    at: label(run.range, "looks like a blank and is a letter to YAML"),
                    help: [
                        isEnd
                            ? "delete it"
                            : run.place == .inside
                                ? "write a blank; a text that needs the character stands in quotes"
                                : "write a blank"
                    ],
                    fix: FixIt(
                        title: isEnd ? "delete it" : "write blanks",
                        safety: run.isCertain ? .safe : .needsReview,
                        edits: [
                            FixIt.Edit(
                                span(run.range),
                                isEnd ? "" : String(repeating: " ", count: run.blanks))
                        ])))
            let isText = run.place == .inside
            edits.append(
                Edit(
                    range: run.range, blanks: isText ? run.range.count : run.blanks,
                    isIndentation: !isText))
        }
        edits.sort { $0.range.lowerBound < $1.range.lowerBound }
    }

    // MARK: PEM and templates

    /// Whether a file has text that `lookAtBlocks` may find.
    static func mayHaveBlocks(_ bytes: [UInt8]) -> Bool {
        Placeholder.mayBeIn(bytes) || bytes.contains(UnindentedPEM.begin)
    }

    private mutating func lookAtBlocks() {
        for block in UnindentedPEM.blocks(bytes) {
            let lines = block.lines.map { line in
                FixIt.Edit(span(line), String(repeating: " ", count: block.column))
            }
            for line in block.lines {
                edits.append(Edit(range: line, blanks: block.column, isIndentation: true))
            }
            report(
                Diagnostic(
                    .syntaxError,
                    "the PEM below `\(block.header)` is not indented, so it is no part of the value",
                    at: label(block.first, "indented no further than its key"),
                    help: ["indent each of its lines by \(block.column) blanks"],
                    fix: FixIt(
                        title: "indent the PEM by \(block.column) blanks", safety: .safe,
                        edits: lines)))
        }
        for place in Placeholder.misread(bytes) {
            let shown = ScalarProblem.quote(String(decoding: bytes[place], as: UTF8.self))
            report(
                Diagnostic(
                    .syntaxError, "\(shown) is read as braces of YAML", at: label(place),
                    help: [Placeholder.help]))
            edits.append(Edit(range: place, blanks: place.count, filler: 0x78))
        }
        edits.sort { $0.range.lowerBound < $1.range.lowerBound }
    }

    // MARK: Directives and tabs

    /// Finds lines that begin with `%` before the first line of the policy.
    private mutating func lookAtDirectives() {
        var offset = bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? 3 : 0
        while offset < bytes.count {
            var end = offset
            while end < bytes.count, bytes[end] != 0x0A { end += 1 }
            let line = bytes[offset..<end]
            if line.first == 0x25 {
                let text = line.last == 0x0D ? offset..<end - 1 : offset..<end
                report(
                    Diagnostic(
                        .yamlFeature, "a YAML directive stands here; a policy has none",
                        at: label(text, "directive"),
                        help: ["delete the line; `hawser: 1` says which language the file is in"]))
                edits.removeAll { text.contains($0.range.lowerBound) }
                edits.append(Edit(range: text, blanks: text.count))
            } else if let first = line.first(where: { $0 != 0x20 && $0 != 0x0D }), first != 0x23 {
                break
            }
            offset = end + 1
        }
        edits.sort { $0.range.lowerBound < $1.range.lowerBound }
    }

    private mutating func lookAtTabs() {
        for repair in TabIndentation.repairs(bytes) {
            edits.append(
                Edit(range: repair.whitespace, blanks: repair.blanks, isIndentation: true))
            guard let tabs = repair.tabs else { continue }
            let fix = FixIt(
                title: "indent with blanks", safety: .needsReview,
                edits: [
                    FixIt.Edit(
                        span(repair.whitespace), String(repeating: " ", count: repair.blanks))
                ])
            report(
                Diagnostic(
                    .tabIndent, "a tab indents this line; a policy is indented with blanks",
                    at: label(tabs, tabs.count == 1 ? "tab" : "tabs"),
                    help: ["indent with blanks: the lines around suggest \(repair.blanks)"],
                    fix: fix))
        }
        edits.sort { $0.range.lowerBound < $1.range.lowerBound }
    }

    // MARK: Result

    private mutating func prepared(isASCII: Bool) -> PreparedText {
        var input: [UInt8] = []
        var offsets = OffsetMap()
        var masked: [Range<Int>] = []
        input.reserveCapacity(bytes.count)
        var copied = 0
        for edit in edits where edit.range.lowerBound >= copied {
            input.append(contentsOf: bytes[copied..<edit.range.lowerBound])
            input.append(contentsOf: repeatElement(edit.filler, count: edit.blanks))
            copied = edit.range.upperBound
            if edit.blanks != edit.range.count {
                if edit.blanks > 0 {
                    offsets.add(
                        input: input.count - edit.blanks, source: edit.range.lowerBound)
                }
                offsets.add(input: input.count, source: copied)
            } else if !edit.isIndentation {
                masked.append(edit.range)
            }
        }
        input.append(contentsOf: bytes[copied...])
        return PreparedText(
            input: input, offsets: offsets, isASCII: isASCII, masked: masked,
            diagnostics: DiagnosticCollector.sorted(diagnostics), isReadable: true)
    }

    private mutating func report(_ diagnostic: Diagnostic) {
        if diagnostics.count < Self.mostProblems {
            diagnostics.append(diagnostic)
        } else {
            untold += 1
        }
    }

    private func span(_ range: Range<Int>) -> SourceSpan {
        SourceSpan(file: file, start: range.lowerBound, end: range.upperBound)
    }

    private func label(_ range: Range<Int>, _ text: String = "") -> Diagnostic.Label {
        Diagnostic.Label(span(range), text)
    }

    private func deletion(
        _ range: Range<Int>, _ safety: FixIt.Safety, _ title: String
    ) -> FixIt {
        FixIt(title: title, safety: safety, edits: [FixIt.Edit(span(range), "")])
    }
}

/// One fast pass over the bytes that tells whether anything needs a closer look.
private struct Survey {
    var isASCII = true
    var hasControl = false
    var hasLeadingTab = false
    var hasDirective = false

    var needsLook: Bool { !isASCII || hasControl || hasLeadingTab || hasDirective }

    init(_ bytes: [UInt8]) {
        guard Survey.hasUnusual(bytes) else { return }
        var atStart = true
        var previous: UInt8 = 0x0A
        for byte in bytes {
            if byte > 0x20, byte < 0x7F {
                if byte == 0x25, previous == 0x0A { hasDirective = true }
                atStart = false
            } else if byte == 0x0A {
                atStart = true
            } else if byte >= 0x80 {
                isASCII = false
                atStart = false
            } else if byte == 0x09 {
                if atStart { hasLeadingTab = true }
            } else if byte != 0x20, byte != 0x0D {
                hasControl = true
            }
            if previous == 0x0D, byte != 0x0A { hasControl = true }
            previous = byte
        }
        if previous == 0x0D { hasControl = true }
        // A byte order mark moves the start of the first line.
        if bytes.starts(with: [0xEF, 0xBB, 0xBF, 0x25]) { hasDirective = true }
    }

    /// Whether there is any byte but line feeds and printable ASCII without `%`. Nearly every byte
    /// of a policy takes one comparison here.
    private static func hasUnusual(_ bytes: [UInt8]) -> Bool {
        for byte in bytes where byte &- 0x26 > 0x7E - 0x26 {
            guard byte == 0x0A || (0x20...0x24).contains(byte) else { return true }
        }
        return false
    }
}
