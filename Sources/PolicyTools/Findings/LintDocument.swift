package import PolicyCompiler
package import Rendering

/// Makes the document of the findings of `lint` and `check`: each finding with its places, help and
/// fix, and each file as a suite of cases.
package struct LintDocument {
    /// The parts of a document. To read the catalogue and to write the sentences of a case takes
    /// time, so a document has only the parts that its writer needs.
    package enum Part {
        /// The findings.
        case findings
        /// Every code of the catalogue as a rule, so that a run without findings closes the alerts
        /// of an earlier run.
        case rules
        /// The cases.
        case suites
        /// The lines of a text: each finding with its source lines, and the number of findings.
        case text
        /// The headline, each finding with its lines, help and fix, and the policy files.
        case page
    }

    private let report: FindingReport

    /// The document of a report.
    ///
    /// - Parameter listsSuppressed: whether annotations include suppressed findings, as the level
    ///   `audit` does.
    package static func document(
        _ report: FindingReport, _ parts: Set<Part>, version: String, listsSuppressed: Bool = false
    ) -> Document {
        let teller = LintDocument(report: report)
        var document = Document(kind: "lint", name: "hawser", version: version)
        if parts.contains(.findings) {
            document.findings = teller.findings(listsSuppressed: listsSuppressed)
        }
        if parts.contains(.rules) { document.findings.rules = rules }
        if parts.contains(.suites) { document.suites = teller.suites() }
        if parts.contains(.text) { document.blocks = teller.text() }
        if parts.contains(.page) {
            document.headline = teller.headline()
            document.blocks = teller.page()
            document.sources = report.files.map(PolicySourceFile.init)
        }
        return document
    }

    /// Diagnostics as text, as `lint` prints them; an empty text if there are none.
    package static func text(
        _ diagnostics: [Diagnostic], files: [SourceFile], colour: TextWriter.Colour = .plain
    ) -> String {
        let report = FindingReport(diagnostics, files: files, trees: [])
        // A text does not show the version.
        return TextWriter.write(document(report, [.text], version: ""), colour: colour)
    }

    // MARK: Findings

    private static var rules: [FindingRule] {
        DiagnosticCode.allCases.map { code in
            let page = code.page
            return FindingRule(
                id: code.rawValue, name: code.slug, title: code.title,
                explanation: page.explanation, help: page.fix,
                level: FindingLevel(code.severity), isSecurity: isSecurity(code))
        }
    }

    private func findings(listsSuppressed: Bool) -> Findings {
        var findings = Findings()
        let told = zip(report.findings, report.fingerprints).map {
            finding($0, fingerprint: $1, nil)
        }
        let hidden = zip(report.suppressed, report.suppressedFingerprints).map {
            finding($0.diagnostic, fingerprint: $1, $0.cause)
        }
        findings.results = told + hidden
        if !listsSuppressed { findings.annotations = told }
        return findings
    }

    /// Whether a policy with the code can accept a wrong peer. Codes about text, keys, tests and
    /// layout cannot: a load refuses them, or they change no verdict.
    private static func isSecurity(_ code: DiagnosticCode) -> Bool {
        switch LintGroup(code) {
        case .text, .schema, .tests, .layout: return false
        case .hosts, .anchors, .pins, .demands, .exceptions, .suppressions, .imports: return true
        }
    }

    private func finding(
        _ diagnostic: Diagnostic, fingerprint: String, _ cause: SuppressedFinding.Cause?
    ) -> Finding {
        var finding = Finding(
            rule: diagnostic.code.rawValue, level: FindingLevel(diagnostic.severity),
            title: LintDocument.title(diagnostic),
            lines: [diagnostic.message] + diagnostic.help.map { "help: \($0)" })
        if let place = place(diagnostic.primary) {
            finding.places = [place] + diagnostic.labels.compactMap { self.place($0) }
        }
        finding.statesNoPlace = true
        finding.fingerprint = ("hawser/1", fingerprint)
        if let cause {
            finding.annotation = [diagnostic.message, "reason: \(cause.words.reason)"]
            finding.suppression = Finding.Suppression(
                isInSource: cause != .baseline, reason: cause.words.reason, word: "suppressed")
        }
        if let fix = diagnostic.fix {
            finding.fixes = [
                Finding.Fix(
                    title: fix.title,
                    edits: fix.edits.compactMap { edit in
                        place(Diagnostic.Label(edit.span, "")).map {
                            (place: $0, text: edit.replacement)
                        }
                    })
            ]
        }
        return finding
    }

    private static func title(_ diagnostic: Diagnostic) -> String {
        "\(diagnostic.code.rawValue) \(diagnostic.code.slug)"
    }

    /// Nil if the label belongs to no file.
    private func place(_ label: Diagnostic.Label) -> FindingPlace? {
        guard let place = DiagnosticPlace(label.span, in: report.files) else { return nil }
        return FindingPlace(
            file: place.file.path, line: place.start.line, column: place.start.column,
            end: FindingPlace.End(line: place.end.line, column: place.end.column),
            text: label.text)
    }

    // MARK: The text

    /// A text underlines at most this number of places of a finding besides the first.
    private static let mostLabels = 3

    private func text() -> [Block] {
        guard !report.findings.isEmpty else { return [] }
        var blocks: [Block] = []
        for finding in report.findings {
            let word = Word(
                "\(finding.severity.rawValue)[\(finding.code.rawValue)]", Tone(finding.severity))
            let excerpt = excerpt(finding, word: word, most: LintDocument.mostLabels)
            blocks += [Block(.excerpt(excerpt), room: .screen), .gap()]
        }
        return blocks + [.line(.plain(report.tally), room: .screen)]
    }

    // MARK: The page

    private func headline() -> Headline {
        let codes = Set(report.findings.map(\.code.rawValue)).sorted()
        let worst = report.findings.map(\.severity).max().map {
            Word("worst: \($0.rawValue)", Tone($0))
        }
        return Headline(
            report.tally, words: [worst ?? .good("nothing to report")],
            fields: codes.isEmpty
                ? []
                : [
                    Field("codes", DocumentText(codes.map { "`\($0)`" }.joined(separator: ", "))),
                    Field("more", "`hawser rule CODE` explains a code"),
                ])
    }

    private func page() -> [Block] {
        let noun = Noun("finding", "findings")
        let hidden = report.suppressed.map { entry($0.diagnostic, $0.cause) }
        return [
            .section(
                "findings", "Findings",
                [.list(report.findings.map { entry($0, nil) }, noun: noun)], room: .page),
            .section("suppressed", "Not reported", [.list(hidden, noun: noun)], room: .page),
        ]
    }

    private func entry(
        _ diagnostic: Diagnostic, _ cause: SuppressedFinding.Cause?
    ) -> Entry {
        let severity = diagnostic.severity
        var blocks = [Block(.excerpt(excerpt(diagnostic, word: nil)))]
        if let fix = diagnostic.fix { blocks += self.blocks(fix) }
        if let (by, reason) = cause?.words {
            blocks.append(.line("hidden by a \(by): \(reason)"))
        }
        return Entry(
            word: Word("\(severity.rawValue) \(diagnostic.code.rawValue)", Tone(severity)),
            .plain(diagnostic.code.slug), blocks, rank: LintDocument.rank(severity, cause))
    }

    /// Errors stay longest if space is short, suppressed findings go first.
    private static func rank(
        _ severity: Diagnostic.Severity, _ cause: SuppressedFinding.Cause?
    ) -> Rank {
        guard cause == nil else { return .last }
        switch severity {
        case .error: return Rank(10)
        case .warning: return Rank(20)
        case .info: return Rank(30)
        }
    }

    private func blocks(_ fix: FixIt) -> [Block] {
        let words =
            switch fix.safety {
            case .safe: "`--fix` does this: \(fix.title)"
            case .needsReview:
                "`--fix-unsafe` does this, and a person must check it: \(fix.title)"
            }
        let edits = fix.edits.compactMap { edit -> Block? in
            guard let at = place(Diagnostic.Label(edit.span, "")) else { return nil }
            guard !edit.replacement.isEmpty else {
                return .line("remove the text at " + .place(at.citation))
            }
            let lines = edit.replacement.split(separator: "\n", omittingEmptySubsequences: false)
            return .snippet("\(at.citation), the new text:", lines.map(String.init))
        }
        return [.line(DocumentText(words))] + edits
    }

    // MARK: Source lines

    /// The lines of a label.
    private struct Mark {
        let file: Int
        let span: SourceSpan
        let text: String
        let isPrimary: Bool
        let firstLine: Int
        let lastLine: Int
    }

    /// The message of a diagnostic with its lines.
    ///
    /// - Parameters:
    ///   - word: the word before the message; nil if an entry of a list has it.
    ///   - most: the number of labels after the first.
    private func excerpt(_ diagnostic: Diagnostic, word: Word?, most: Int = .max) -> Excerpt {
        let labels = [diagnostic.primary] + diagnostic.labels.prefix(most)
        let marks = labels.enumerated().compactMap { mark($1, isPrimary: $0 == 0) }
        return Excerpt(
            word: word, message: diagnostic.message,
            groups: marks.map(\.file).unrepeated.map { file in
                group(marks.filter { $0.file == file })
            },
            notes: diagnostic.help.map { ("help", $0) } + diagnostic.notes.map { ("note", $0) })
    }

    /// Nil for a label of an unknown file.
    private func mark(_ label: Diagnostic.Label, isPrimary: Bool) -> Mark? {
        let index = Int(label.span.file)
        guard report.files.indices.contains(index) else { return nil }
        let file = report.files[index]
        let start = min(Int(label.span.start), file.bytes.count)
        let end = min(max(start, Int(label.span.end)), file.bytes.count)
        return Mark(
            file: index, span: SourceSpan(file: index, start: start, end: end), text: label.text,
            isPrimary: isPrimary, firstLine: file.lines.line(of: start),
            lastLine: file.lines.line(of: max(start, end - 1)))
    }

    /// The lines of marks of one file: the first and the last of each mark.
    private func group(_ marks: [Mark]) -> Excerpt.Group {
        let file = report.files[marks[0].file]
        let place = file.position(of: Int(marks[0].span.start))
        let numbers = Set(marks.flatMap { [$0.firstLine, $0.lastLine] }).sorted()
        return Excerpt.Group(
            path: file.path, line: place.line, column: place.column,
            lines: numbers.map { line in
                let own = marks.filter { $0.firstLine == line || $0.lastLine == line }
                return Excerpt.MarkedLine(
                    number: line + 1, octets: file.bytes[file.line(line)],
                    marks: own.map { LintDocument.underline($0, line: line, in: file) })
            })
    }

    /// The part of a mark that is in a line. The words of the mark are in its last line.
    private static func underline(
        _ mark: Mark, line: Int, in file: SourceFile
    ) -> Excerpt.Mark {
        let bounds = file.line(line)
        var start = max(Int(mark.span.start), bounds.lowerBound)
        if mark.firstLine < line {
            while start < bounds.upperBound, file.bytes[start] == 0x20 { start += 1 }
        }
        let end = min(Int(mark.span.end), bounds.upperBound)
        let first = min(start, max(end, bounds.upperBound))
        return Excerpt.Mark(
            range: first - bounds.lowerBound..<max(start, end) - bounds.lowerBound,
            text: mark.lastLine == line ? mark.text : "", isPrimary: mark.isPrimary)
    }

    // MARK: Cases

    /// Each file is a suite, each finding a failed case, each suppressed finding a skipped case,
    /// and each remark a passed case. A file without findings has one passed case, so that a clean
    /// run shows that the file was examined.
    private func suites() -> Suites {
        var cases = report.files.map { _ in [Suites.Case]() }
        var stray: [Suites.Case] = []
        let all: [(Diagnostic, SuppressedFinding.Cause?)] =
            report.findings.map { ($0, nil) }
            + report.suppressed.map { ($0.diagnostic, $0.cause) }
        for (diagnostic, cause) in all {
            let file = Int(diagnostic.primary.span.file)
            let one = testCase(diagnostic, cause)
            if cases.indices.contains(file) { cases[file].append(one) } else { stray.append(one) }
        }
        let suites = zip(report.files, cases).map { file, cases in
            Suites.Suite(file.path, cases.isEmpty ? [Suites.Case("clean", .passed)] : cases)
        }
        return Suites(
            suites + (stray.isEmpty ? [] : [Suites.Suite("unit", stray)]), haveErrors: false)
    }

    private func testCase(
        _ diagnostic: Diagnostic, _ cause: SuppressedFinding.Cause?
    ) -> Suites.Case {
        let line = place(diagnostic.primary).map { " at line \($0.line)" } ?? ""
        let text = [DiagnosticConcise.render([diagnostic], files: report.files)]
        let outcome: Suites.Outcome
        if let cause {
            outcome = .skipped(
                message: "suppressed; reason: \(cause.words.reason)", lines: text)
        } else if diagnostic.severity > .info {
            outcome = .failed(
                kind: diagnostic.severity.rawValue, message: diagnostic.message, lines: text)
        } else {
            outcome = .told(lines: text)
        }
        return Suites.Case(LintDocument.title(diagnostic) + line, outcome)
    }
}

extension Tone {
    /// The tone of a severity.
    fileprivate init(_ severity: Diagnostic.Severity) {
        switch severity {
        case .error: self = .bad
        case .warning: self = .warn
        case .info: self = .soft
        }
    }
}

extension FindingLevel {
    /// The level of a severity.
    init(_ severity: Diagnostic.Severity) {
        switch severity {
        case .error: self = .error
        case .warning: self = .warning
        case .info: self = .note
        }
    }
}
