import PolicyCompiler
import Rendering

/// Makes the document of the findings of `lint` and `check`: each finding with its places, help and
/// fix, and each file as a suite of cases.
struct LintDocument {
    /// The parts of a document. To read the catalogue and to write the sentences of a case takes
    /// time, so a document has only the parts that its writer needs.
    enum Part {
        /// The findings.
        case findings
        /// Every code of the catalogue as a rule, so that a run without findings closes the alerts
        /// of an earlier run.
        case rules
        /// The cases.
        case suites
    }

    private let report: FindingReport

    /// The document of a report.
    ///
    /// - Parameter listsSuppressed: whether annotations include suppressed findings, as the level
    ///   `audit` does.
    static func document(
        _ report: FindingReport, _ parts: Set<Part>, version: String, listsSuppressed: Bool
    ) -> Document {
        let teller = LintDocument(report: report)
        var document = Document(kind: "lint", name: "hawser", version: version)
        if parts.contains(.findings) {
            document.findings = teller.findings(listsSuppressed: listsSuppressed)
        }
        if parts.contains(.rules) { document.findings.rules = rules }
        if parts.contains(.suites) { document.suites = teller.suites() }
        return document
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
        case .hosts, .anchors, .pins, .demands, .exceptions, .suppressions: return true
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
