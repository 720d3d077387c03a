package import PolicyCompiler
import Rendering

/// Renders diagnostics as JSON for `--format json`. The form is `grammar/diagnostics.schema.json`.
///
/// Lines and columns count from 1 (columns in Unicode scalars), offsets from 0 in bytes. An end is
/// after the last character.
extension DiagnosticJSON {
    /// The name of the JSON format, with its version.
    private static let schema = "hawser/diagnostics/1"

    static func document(_ report: FindingReport) -> Document {
        func count(_ severity: PolicyCompiler.Diagnostic.Severity) -> Int {
            report.findings.count { $0.severity == severity }
        }
        let suppressed = report.suppressed.map { finding($0, report.files) }
        return Document(
            diagnostics: report.findings.map { finding($0, report.files) },
            suppressed: suppressed.isEmpty ? nil : suppressed,
            summary: .init(
                errors: count(.error), warnings: count(.warning), infos: count(.info)))
    }

    /// A report as text, indented, with a line end at its end.
    package static func render(_ report: FindingReport) -> String { document(report).document }

    /// The document as text, indented, with a line end at its end.
    package static func render(
        _ diagnostics: [PolicyCompiler.Diagnostic], files: [SourceFile]
    ) -> String {
        render(FindingReport(diagnostics, files: files, trees: []))
    }

    /// One object on a line for each diagnostic: the element of `diagnostics` in the document, with
    /// the name of the format before it. An empty text if there are none.
    package static func renderLines(
        _ diagnostics: [PolicyCompiler.Diagnostic], files: [SourceFile]
    ) -> String {
        diagnostics.map { line(finding($0, files).json) }.joined()
    }

    /// One object on a line for each suppressed finding: the element of `suppressed` in the
    /// document, with the name of the format before it.
    package static func renderLines(suppressed report: FindingReport) -> String {
        report.suppressed.map { line(finding($0, report.files).json) }.joined()
    }

    private static func line(_ value: JSONValue) -> String {
        guard case .object(let members) = value else { return "" }
        let schema = JSONValue.Member("schema", .string(schema))
        return JSONValue.object([schema] + members).render(.compact) + "\n"
    }

    // MARK: Findings

    private static func finding(_ hidden: SuppressedFinding, _ files: [SourceFile]) -> Suppressed {
        let (by, reason) = hidden.cause.words
        return Suppressed(by: by, reason: reason, finding: finding(hidden.diagnostic, files))
    }

    private static func finding(
        _ diagnostic: PolicyCompiler.Diagnostic, _ files: [SourceFile]
    ) -> Diagnostic {
        Diagnostic(
            code: diagnostic.code.rawValue, name: diagnostic.code.slug,
            severity: diagnostic.severity.rawValue, message: diagnostic.message,
            primary: label(diagnostic.primary, files),
            labels: diagnostic.labels.map { label($0, files) }, help: diagnostic.help,
            notes: diagnostic.notes, fixes: diagnostic.fix.map { [fix($0, files)] } ?? [])
    }

    /// The file is null for a span that belongs to no file.
    private static func label(
        _ label: PolicyCompiler.Diagnostic.Label, _ files: [SourceFile]
    ) -> Label {
        let place = DiagnosticPlace(label.span, in: files)
        return Label(
            file: place?.file.path, start: place.map { position($0.start) },
            end: place.map { position($0.end) }, label: label.text)
    }

    private static func fix(_ fix: FixIt, _ files: [SourceFile]) -> Fix {
        Fix(
            title: fix.title, safety: fix.safety.rawValue,
            edits: fix.edits.compactMap { edit in
                guard let place = DiagnosticPlace(edit.span, in: files) else { return nil }
                return .init(
                    file: place.file.path, start: position(place.start), end: position(place.end),
                    replacement: edit.replacement)
            })
    }

    private static func position(_ position: SourcePosition) -> Position {
        Position(line: position.line, column: position.column, offset: position.offset)
    }
}

extension SuppressedFinding.Cause {
    /// What hides the finding, in the word that formats use, and the reason.
    var words: (by: String, reason: String) {
        switch self {
        case .comment(let reason): return ("comment", reason)
        case .baseline: return ("baseline", "listed in the baseline")
        }
    }
}
