package import PolicyCompiler
package import Rendering

/// Renders diagnostics as JSON for `--format json`. The form is `grammar/diagnostics.schema.json`.
///
/// Lines and columns count from 1 (columns in Unicode scalars), offsets from 0 in bytes. An end is
/// after the last character.
package enum DiagnosticJSON {
    /// The name of the JSON format, with its version.
    package static let schema = "hawser/diagnostics/1"

    /// The whole document. `files` are those that spans index.
    package static func value(_ diagnostics: [Diagnostic], files: [SourceFile]) -> JSONValue {
        value(FindingReport(diagnostics, files: files, trees: []))
    }

    package static func value(_ report: FindingReport) -> JSONValue {
        .object([
            ("schema", .string(schema)),
            ("diagnostics", .array(report.findings.map { value($0, report.files) })),
            (
                "suppressed",
                report.suppressed.isEmpty
                    ? nil : .array(report.suppressed.map { value($0, report.files) })
            ),
            ("summary", summary(report.findings)),
        ])
    }

    private static func value(_ hidden: SuppressedFinding, _ files: [SourceFile]) -> JSONValue {
        let (by, reason) = hidden.cause.words
        return .object([
            ("by", .string(by)), ("reason", .string(reason)),
            ("finding", value(hidden.diagnostic, files)),
        ])
    }

    /// A report as text, indented, with a line end at its end.
    package static func render(_ report: FindingReport) -> String {
        value(report).render(.pretty) + "\n"
    }

    /// The document as text, indented, with a line end at its end.
    package static func render(_ diagnostics: [Diagnostic], files: [SourceFile]) -> String {
        value(diagnostics, files: files).render(.pretty) + "\n"
    }

    /// One object on a line for each diagnostic: the element of `diagnostics` in the document, with
    /// the name of the format before it. An empty text if there are none.
    package static func renderLines(_ diagnostics: [Diagnostic], files: [SourceFile]) -> String {
        diagnostics.map { line(value($0, files)) }.joined()
    }

    /// One object on a line for each suppressed finding: the element of `suppressed` in the
    /// document, with the name of the format before it.
    package static func renderLines(suppressed report: FindingReport) -> String {
        report.suppressed.map { line(value($0, report.files)) }.joined()
    }

    private static func line(_ value: JSONValue) -> String {
        guard case .object(let members) = value else { return "" }
        let schema = JSONValue.Member("schema", .string(schema))
        return JSONValue.object([schema] + members).render(.compact) + "\n"
    }

    private static func value(_ diagnostic: Diagnostic, _ files: [SourceFile]) -> JSONValue {
        .object([
            ("code", .string(diagnostic.code.rawValue)),
            ("name", .string(diagnostic.code.slug)),
            ("severity", .string(diagnostic.severity.rawValue)),
            ("message", .string(diagnostic.message)),
            ("primary", value(diagnostic.primary, files)),
            ("labels", .array(diagnostic.labels.map { value($0, files) })),
            ("help", .array(diagnostic.help.map { .string($0) })),
            ("notes", .array(diagnostic.notes.map { .string($0) })),
            ("fixes", .array(diagnostic.fix.map { [value($0, files)] } ?? [])),
        ])
    }

    private static func value(_ label: Diagnostic.Label, _ files: [SourceFile]) -> JSONValue {
        .object(place(label.span, files) + [("label", .string(label.text))])
    }

    private static func value(_ fix: FixIt, _ files: [SourceFile]) -> JSONValue {
        .object([
            ("title", .string(fix.title)),
            ("safety", .string(fix.safety.rawValue)),
            (
                "edits",
                .array(
                    fix.edits.map {
                        .object(
                            place($0.span, files) + [("replacement", .string($0.replacement))])
                    })
            ),
        ])
    }

    /// File, start and end. The file is null for a span that belongs to no file.
    private static func place(
        _ span: SourceSpan, _ files: [SourceFile]
    ) -> [(String, JSONValue?)] {
        guard let place = DiagnosticPlace(span, in: files) else { return [("file", .null)] }
        return [
            ("file", .string(place.file.path)), ("start", value(place.start)),
            ("end", value(place.end)),
        ]
    }

    private static func value(_ position: SourcePosition) -> JSONValue {
        .object([
            ("line", .integer(position.line)), ("column", .integer(position.column)),
            ("offset", .integer(position.offset)),
        ])
    }

    private static func summary(_ diagnostics: [Diagnostic]) -> JSONValue {
        func count(_ severity: Diagnostic.Severity) -> JSONValue {
            .integer(diagnostics.filter { $0.severity == severity }.count)
        }
        return .object([
            ("errors", count(.error)), ("warnings", count(.warning)), ("infos", count(.info)),
        ])
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
