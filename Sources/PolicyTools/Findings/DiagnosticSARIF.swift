package import PolicyCompiler
import Rendering

/// Renders findings as SARIF 2.1.0 (OASIS, 2020): one run that declares every code of the
/// catalogue, so that a run without findings closes the alerts of an earlier run. URIs are relative
/// to the unit's root. Each finding has a fingerprint that stays the same if lines move.
package struct DiagnosticSARIF {
    private let report: FindingReport
    private let version: String
    private var files: [SourceFile] { report.files }

    /// Creates a renderer for a report. `version` is the tool's, by Semantic Versioning.
    package init(_ report: FindingReport, version: String) {
        self.report = report
        self.version = version
    }

    /// Creates a renderer for the diagnostics of a unit.
    package init(
        _ diagnostics: [Diagnostic], files: [SourceFile], trees: [SyntaxTree], version: String
    ) {
        self.init(FindingReport(diagnostics, files: files, trees: trees), version: version)
    }

    /// The whole document, with a line end at its end. If some finding is suppressed, every result
    /// states whether it is (section 3.27.23: all or none).
    package func render() -> String {
        let none: JSONValue? = report.suppressed.isEmpty ? nil : .array([])
        let told = zip(report.findings, report.fingerprints).map {
            result($0, fingerprint: $1, suppressions: none)
        }
        let hidden = zip(report.suppressed, report.suppressedFingerprints).map {
            result($0.diagnostic, fingerprint: $1, suppressions: suppression($0.cause))
        }
        let results = told + hidden
        return SARIFDocument(version: version, rules: rules, results: results).render()
    }

    private func suppression(_ cause: SuppressedFinding.Cause) -> JSONValue {
        let isComment = cause != .baseline
        return .array([
            .object([
                ("kind", .string(isComment ? "inSource" : "external")),
                ("justification", .string(cause.words.reason)),
            ])
        ])
    }

    private var rules: [JSONValue] {
        DiagnosticCode.allCases.map { code in
            let page = code.page
            return .object([
                ("id", .string(code.rawValue)), ("name", .string(code.slug)),
                ("shortDescription", text(code.title)),
                ("fullDescription", text(page.explanation)),
                ("help", text(page.fix)),
                (
                    "defaultConfiguration",
                    .object([("level", .string(level(code.severity).rawValue))])
                ), ("properties", properties(of: code)),
            ])
        }
    }

    /// Nil for codes that let nobody in: those about text, keys, tests and layout, which a load
    /// refuses or which change no verdict.
    private func properties(of code: DiagnosticCode) -> JSONValue? {
        switch LintGroup(code) {
        case .text, .schema, .tests, .layout: return nil
        case .hosts, .anchors, .pins, .demands, .exceptions, .suppressions: break
        }
        return level(code.severity).securityProperties
    }

    private func result(
        _ diagnostic: Diagnostic, fingerprint: String, suppressions: JSONValue?
    ) -> JSONValue {
        let words = [diagnostic.message] + diagnostic.help.map { "help: \($0)" }
        let index = DiagnosticCode.allCases.firstIndex(of: diagnostic.code) ?? 0
        return .object([
            ("ruleId", .string(diagnostic.code.rawValue)), ("ruleIndex", .integer(index)),
            ("level", .string(level(diagnostic.severity).rawValue)),
            ("message", text(words.joined(separator: "\n"))),
            ("locations", .array(location(diagnostic.primary).map { [$0] } ?? [])),
            ("relatedLocations", related(diagnostic)),
            ("partialFingerprints", .object([("hawser/1", .string(fingerprint))])),
            ("suppressions", suppressions),
            ("fixes", diagnostic.fix.map { .array([fix($0)]) }),
        ])
    }

    private func related(_ diagnostic: Diagnostic) -> JSONValue? {
        let locations = diagnostic.labels.compactMap { location($0) }
        return locations.isEmpty ? nil : .array(locations)
    }

    private func location(_ label: Diagnostic.Label) -> JSONValue? {
        guard let place = DiagnosticPlace(label.span, in: files) else { return nil }
        return .object([
            (
                "physicalLocation",
                .object([
                    ("artifactLocation", SARIFDocument.artifact(place.file.path)),
                    ("region", region(place)),
                ])
            ),
            ("message", label.text.isEmpty ? nil : text(label.text)),
        ])
    }

    /// A region is never empty: an empty span becomes the character after it.
    private func region(_ place: DiagnosticPlace) -> JSONValue {
        let isEmpty = place.start == place.end
        return .object([
            ("startLine", .integer(place.start.line)),
            ("startColumn", .integer(place.start.column)),
            ("endLine", .integer(place.end.line)),
            ("endColumn", .integer(place.end.column + (isEmpty ? 1 : 0))),
        ])
    }

    private func fix(_ fix: FixIt) -> JSONValue {
        var files: [Int32] = []
        for edit in fix.edits where !files.contains(edit.span.file) { files.append(edit.span.file) }
        let changes = files.compactMap { index -> JSONValue? in
            guard self.files.indices.contains(Int(index)) else { return nil }
            let edits = fix.edits.filter { $0.span.file == index }
            return .object([
                ("artifactLocation", SARIFDocument.artifact(self.files[Int(index)].path)),
                ("replacements", .array(edits.compactMap(replacement))),
            ])
        }
        return .object([("description", text(fix.title)), ("artifactChanges", .array(changes))])
    }

    private func replacement(_ edit: FixIt.Edit) -> JSONValue? {
        guard let place = DiagnosticPlace(edit.span, in: files) else { return nil }
        return .object([
            (
                "deletedRegion",
                .object([
                    ("startLine", .integer(place.start.line)),
                    ("startColumn", .integer(place.start.column)),
                    ("endLine", .integer(place.end.line)),
                    ("endColumn", .integer(place.end.column)),
                ])
            ),
            ("insertedContent", .object([("text", .string(edit.replacement))])),
        ])
    }

    private func text(_ text: String) -> JSONValue { SARIFDocument.text(text) }

    private func level(_ severity: Diagnostic.Severity) -> SARIFDocument.Level {
        switch severity {
        case .error: return .error
        case .warning: return .warning
        case .info: return .note
        }
    }
}
