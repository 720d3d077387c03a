internal import TrustEngine

// Scalars: the key decides the type of the value, and the scanner of that type accepts or refuses
// the text.
extension Binder {
    /// Reads a scalar by a scanner; nil if the node is not a scalar or the scanner refuses the
    /// text.
    ///
    /// - Parameters:
    ///   - path: the field, for messages.
    ///   - isText: whether the scanner reads free text or an id. These scanners refuse words like
    ///     `no` themselves.
    func scan<Value>(
        _ node: SyntaxNode, path: String, example: String, isText: Bool = false,
        _ scanner: (String) throws(ScalarProblem) -> Value
    ) -> Located<Value>? {
        guard node.kind == .scalar else {
            if node.kind != .error {
                report(
                    .wrongType, "`\(path)` takes one value; found \(found(node))", at: node.span,
                    help: ["for example `\(shown(example))`"])
            }
            return nil
        }
        let text = node.text
        if !isText, node.style == .plain, isReservedWord(text) {
            report(
                .ambiguousScalar,
                "plain \(quoted(text)) is no text to other YAML readers, and nothing that "
                    + "`\(path)` takes",
                at: node.span, help: ["for example `\(shown(example))`"])
            return nil
        }
        do throws(ScalarProblem) {
            return Located(value: try scanner(text), span: node.span)
        } catch {
            var problem = error
            if problem.replacement == nil, let bare = UnicodeSpaces.trimmed(text) {
                problem.replacement = bare
            }
            if problem.replacement == nil, let items = items(in: text, of: node, scanner) {
                problem.items = items
                problem.help = [
                    "write each as an item: "
                        + items.map { "`\(spelling($0, of: node, problem.isOfHost) ?? $0)`" }
                        .joined(separator: ", ")
                ]
            }
            if problem.help.isEmpty { problem.help = help(for: problem, path) }
            // A fix never writes what the field does not take.
            if let meant = problem.replacement, (try? scanner(meant)) == nil {
                problem.replacement = nil
            }
            report(problem, in: node)
            return nil
        }
    }

    func scan<Value>(
        _ entry: MapEntry?, path: String, _ scanner: (String) throws(ScalarProblem) -> Value
    ) -> Located<Value>? {
        guard let entry else { return nil }
        return scan(entry.value, path: path, example: entry.shape.example, scanner)
    }

    /// A date. It is added to the dates of the policy.
    func date(_ entry: MapEntry?, path: String) -> Located<ScannedDate>? {
        let date = scan(entry, path: path, DateScanner.scan)
        if let date {
            policy.dates.append(
                BoundDate(path: path, firstSecond: date.value.firstSecond, span: date.span))
        }
        return date
    }

    /// Free text.
    func text(_ entry: MapEntry?, path: String) -> Located<String>? {
        guard let entry else { return nil }
        let style = entry.value.style
        return scan(entry.value, path: path, example: entry.shape.example, isText: true) {
            text throws(ScalarProblem) in
            try FreeTextScanner.scan(text, for: path, style: style)
        }
    }

    /// An id, as a map key or as the value of `field`.
    func id(
        _ node: SyntaxNode, field: String = "a name", example: String = "payments"
    ) -> Located<String>? {
        let style = node.style
        return scan(node, path: field, example: example, isText: true) {
            text throws(ScalarProblem) in
            try IDScanner.scan(text, style: style)
        }
    }

    /// Reads one of a field's words. `values` holds the meaning of each word, in the order of the
    /// words.
    func word<Value>(
        _ node: SyntaxNode, path: String, example: String, of words: ClosedWords,
        _ value: (String) -> Value?
    ) -> Located<Value>? {
        scan(node, path: path, example: example) { text throws(ScalarProblem) in
            if words.words.contains(text), let value = value(text) { return value }
            throw self.unknownWord(text, of: words)
        }
    }

    /// The problem of a text that is none of a field's words. It names the words and the one that
    /// was probably meant. The fix writes that word only if it demands the most, since any other
    /// word can demand less than a farther layer does, or if the text is another spelling of it.
    func unknownWord(_ text: String, of words: ClosedWords) -> ScalarProblem {
        if let same = WordSpelling.word(for: text, in: words) {
            var problem = ScalarProblem(
                .unknownValue,
                "\(quoted(text)) is not \(words.noun); did you mean `\(same)`? allowed: "
                    + words.words.joined(separator: " "), write: same)
            problem.isSameValue = true
            return problem
        }
        let proposal = words.proposal(for: text)
        let hint = proposal == nil ? ";" : question(proposal)
        return ScalarProblem(
            .unknownValue,
            "\(quoted(text)) is not \(words.noun)\(hint) allowed: "
                + words.words.joined(separator: " "),
            help: (WordSpelling.hint(for: text, in: words)
                ?? proposal.map {
                    "write `\($0.word)`\($0.isStrictest ? "" : " if you meant it")"
                }).map { [$0] } ?? [],
            replacement: proposal.flatMap { $0.isStrictest ? $0.word : nil })
    }

    /// A help for a problem that has none of its own. It proposes no value: what was meant is not
    /// known, and another value may demand less.
    private func help(for problem: ScalarProblem, _ path: String) -> [String] {
        if problem.isOfHost {
            return ["write a name such as `api.acme.example`, or an address such as `10.20.0.7`"]
        }
        let key = path.split(separator: ".").last.map(String.init) ?? path
        guard readsPolicy, Binder.keysOfRule.contains(key) else { return [] }
        let field = ProfileField(rawValue: path) != nil ? path : key
        return ["`hawser rule \(field)` prints what `\(path)` takes"]
    }

    /// The keys that `hawser rule` explains by their names.
    private static let keysOfRule = Set(PolicyFields.all.flatMap { $0.keys.map(\.name) })

    /// The files that a path of the unit names: the file itself, or every certificate file directly
    /// in the folder. Nil if a problem was reported.
    func paths(_ node: SyntaxNode, field: String, example: String) -> [Located<String>]? {
        let scanned = scan(node, path: field, example: example) { text throws(ScalarProblem) in
            try RelativePathScanner.scan(text, namedIn: self.currentPath)
        }
        guard let scanned else { return nil }
        let path = scanned.value.path
        guard scanned.value.isFolder else { return [Located(value: path, span: scanned.span)] }
        let names: [String]
        do throws(ResourceError) {
            names = try files.list(path).filter(CertificateFileName.isOne)
        } catch {
            report(error, of: Located(value: path + "/", span: scanned.span))
            return nil
        }
        guard !names.isEmpty else {
            report(
                .anchorUnreadable,
                "\(quoted(node.text)) holds no certificate file, so nothing would come of it",
                at: node.span,
                help: [
                    "a folder stands for the files directly in it that are named "
                        + listed(CertificateFileName.endings.map { "*\($0)" })
                ])
            return nil
        }
        let prefix = path.isEmpty ? "" : path + "/"
        return names.map { Located(value: prefix + $0, span: scanned.span) }
    }

    /// A scalar in place of a node, quoted as the node is; a host pattern is always quoted. Nil if
    /// the text cannot stand there.
    private func spelling(_ text: String, of node: SyntaxNode, _ isHost: Bool) -> String? {
        let isPlain =
            node.style == .plain
            && text.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7F && !Binder.indicators.contains($0) }
            && !text.utf8.starts(with: "-".utf8) && text.utf8.last != UInt8(ascii: ":")
        if isPlain, !isHost { return text }
        return TypographicQuotes.canBeQuoted(text) ? "\"\(text)\"" : nil
    }

    /// Characters that end a plain scalar, or begin something else, in one of the forms of YAML.
    private static let indicators = Set("#,[]{}&*!|>'\"%@`?".utf8)

    /// Whether some YAML reader takes a plain scalar for a boolean or null (LANGUAGE section 1.2).
    func isReservedWord(_ text: String) -> Bool {
        guard let first = text.unicodeScalars.first else { return false }
        let isLetter =
            first.isASCII
            ? (0x61...0x7A).contains(first.value | 0x20) : first.properties.isAlphabetic
        guard first == "~" || isLetter else { return false }
        return AmbiguousScalar.problem(of: text) != nil
    }

    /// Reports the problem that a scanner found, at the characters that are wrong. A problem of a
    /// host pattern is reported at the whole scalar, quotes included: its message names the part.
    func report(_ problem: ScalarProblem, in node: SyntaxNode) {
        let isHost = problem.isOfHost
        let span = isHost ? node.span : problem.range.map { node.span(ofText: $0) } ?? node.span
        var fix: FixIt?
        if problem.code == .ambiguousScalar, node.style == .plain {
            fix = FixIt(
                title: "quote it", safety: .safe,
                edits: [FixIt.Edit(node.span, "\"\(node.text)\"")])
        } else if !problem.items.isEmpty,
            let edit = splitting(
                node, into: problem.items.compactMap { spelling($0, of: node, isHost) })
        {
            fix = FixIt(title: "write each as an item", safety: .needsReview, edits: [edit])
        } else if let meant = problem.replacement, let written = spelling(meant, of: node, isHost) {
            fix = FixIt(
                title: "write `\(meant)`\(problem.condition)",
                safety: problem.isSameValue ? .safe : .needsReview,
                edits: [FixIt.Edit(node.span, written)])
        }
        report(
            problem.code, problem.message, at: span, help: problem.help, notes: problem.notes,
            fix: fix)
    }
}

// Words for messages.
extension Binder {
    func report(
        _ code: DiagnosticCode, _ message: String, at span: SourceSpan,
        labels: [Diagnostic.Label] = [], help: [String] = [], notes: [String] = [],
        fix: FixIt? = nil
    ) {
        let unseen = unseen(at: span)
        diagnostics.append(
            Diagnostic(
                code, message, at: Diagnostic.Label(span), labels: labels, help: help + unseen.help,
                notes: notes + unseen.notes, fix: fix))
    }

    /// Notes about a refused value that a reader may not see: that a mark of a template is not
    /// expanded, and that a character only looks like a blank.
    private func unseen(at span: SourceSpan) -> (help: [String], notes: [String]) {
        guard let current, current.index == Int(span.file) else { return ([], []) }
        let bytes = current.file.bytes
        let range = Int(span.start)..<min(Int(span.end), bytes.count)
        guard range.count <= ScalarProblem.textLimit, !bytes[range].contains(0x0A) else {
            return ([], [])
        }
        var found: (help: [String], notes: [String]) = ([], [])
        if Placeholder.touches(bytes, range) { found.help.append(Placeholder.help) }
        for offset in range {
            guard let space = UnquotedText.space(bytes, offset) else { continue }
            let place = current.file.position(of: offset)
            found.notes.append(
                "`\(HiddenCharacter.name(space.scalar))`, \(HiddenCharacter.spaceName(space.scalar)), "
                    + "stands at \(place.line):\(place.column); it looks like a blank and is none")
            break
        }
        return found
    }

    /// User text for a message: in backticks, and at most 80 characters of it.
    func quoted(_ text: String) -> String { ScalarProblem.quote(text) }

    /// The kind of a node as `takes a list; found …` names it.
    func found(_ node: SyntaxNode) -> String {
        switch node.kind {
        case .map: return "a map"
        case .list: return "a list"
        case .scalar: return quoted(node.text)
        case .error: return "something unreadable"
        }
    }

    /// `; did you mean …?`, or an empty text.
    func question(_ proposal: ClosedWords.Proposal?) -> String {
        proposal.map { "; did you mean `\($0.word)`?" } ?? ""
    }

    /// The names in backticks, separated by commas.
    func listed(_ names: [String]) -> String {
        names.map { "`\($0)`" }.joined(separator: ", ")
    }
}
