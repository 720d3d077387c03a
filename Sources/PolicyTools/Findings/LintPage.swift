import PolicyCompiler
import Rendering
import TrustEngine

/// Writes findings as one page: the counts, each finding with its places, help and fix, what is not
/// reported and why, and the lines of the policy with what the findings mean underlined.
enum LintPage {
    static func render(_ report: FindingReport, version: String) -> String {
        var page = Content(report)
        let findings = page.findings()
        let suppressed = page.suppressed()
        let sections = [
            HTMLPage.Section("findings", "Findings", findings),
            HTMLPage.Section("suppressed", "Not reported", suppressed),
            HTMLPage.Section("policy", "Policy", page.source.content()),
        ]
        let title = DiagnosticText.tally(report.findings, suppressed: report.suppressed.count)
        return HTMLPage.render(
            title: "lint: \(title)", kind: "lint", head: head(report, title), sections: sections,
            footer: [.facts([("written by", [HTML("hawser \(version)")])])])
    }

    private static func head(_ report: FindingReport, _ title: String) -> [HTML] {
        var rows: [(String, [HTML])] = []
        let codes = Set(report.findings.map(\.code)).sorted { $0.rawValue < $1.rawValue }
        if !codes.isEmpty {
            rows.append(
                (
                    "codes",
                    [HTML(sentence: codes.map { "`\($0.rawValue)`" }.joined(separator: ", "))]
                ))
            rows.append(("more", [HTML(sentence: "`hawser rule CODE` explains a code")]))
        }
        return [
            .element("h1", title),
            .element(
                "p",
                [
                    report.findings.map(\.severity).max().map {
                        HTML.word(mood($0), "the gravest: \($0.rawValue)")
                    } ?? .word(.good, "nothing to report")
                ]), .facts(rows),
        ]
    }

    private static func mood(_ severity: Diagnostic.Severity) -> HTML.Mood {
        switch severity {
        case .error: return .bad
        case .warning: return .warn
        case .info: return .soft
        }
    }

    private struct Content {
        private let report: FindingReport
        var source: PolicySourceView

        init(_ report: FindingReport) {
            self.report = report
            source = PolicySourceView(report.files.map(PolicySourceFile.init))
        }

        mutating func findings() -> [HTML] {
            HTML.list(report.findings.map { finding in item(finding) })
        }

        mutating func suppressed() -> [HTML] {
            HTML.list(
                report.suppressed.map { hidden in
                    let (by, reason) = hidden.cause.words
                    return item(hidden.diagnostic)
                        + [.element("p", [HTML("hidden by a \(by): "), HTML(sentence: reason)])]
                })
        }

        private mutating func item(_ finding: Diagnostic) -> [HTML] {
            var parts: [HTML] = [
                .element(
                    "h3",
                    [
                        .word(
                            LintPage.mood(finding.severity),
                            "\(finding.severity.rawValue) \(finding.code.rawValue)"), HTML(" "),
                        HTML(finding.code.slug),
                    ]), .paragraph(finding.message),
                .element("p", ["class": "place"], place(finding.primary)),
            ]
            for label in finding.labels {
                parts.append(.element("p", ["class": "place"], place(label)))
            }
            parts += finding.help.map { .element("p", [HTML("help: "), HTML(sentence: $0)]) }
            parts += finding.notes.map { .element("p", [HTML("note: "), HTML(sentence: $0)]) }
            if let fix = finding.fix { parts += self.fix(fix) }
            return parts
        }

        private mutating func place(_ label: Diagnostic.Label) -> [HTML] {
            guard let place = DiagnosticPlace(label.span, in: report.files) else { return [] }
            let words = label.text.isEmpty ? [] : [HTML(": "), HTML(sentence: label.text)]
            return [link(place)] + words
        }

        /// - Parameter isMarked: whether what the place spans is underlined.
        private mutating func link(_ place: DiagnosticPlace, isMarked: Bool = true) -> HTML {
            let isOneLine = place.end.line == place.start.line
            let line = place.file.line(place.start.line - 1)
            let length = String(decoding: place.file.bytes[line], as: UTF8.self)
                .unicodeScalars.count
            return source.link(
                Provenance.Location(
                    file: place.file.path, line: place.start.line, column: place.start.column),
                before: !isMarked ? nil : isOneLine ? place.end.column : length + 1)
        }

        private mutating func fix(_ fix: FixIt) -> [HTML] {
            let words: String
            switch fix.safety {
            case .safe: words = "`--fix` does this: \(fix.title)"
            case .needsReview:
                words = "`--fix-unsafe` does this, and a person must check it: \(fix.title)"
            }
            var parts = [HTML.paragraph(words)]
            for edit in fix.edits {
                guard let place = DiagnosticPlace(edit.span, in: report.files) else { continue }
                let isRemoval = edit.replacement.isEmpty
                parts.append(
                    .element(
                        "p", ["class": "place"],
                        [
                            HTML(isRemoval ? "remove what stands at " : "write at "),
                            link(place, isMarked: false),
                        ]))
                guard !isRemoval else { continue }
                let lines = edit.replacement.split(
                    separator: "\n", omittingEmptySubsequences: false)
                parts.append(.code(lines.map(String.init)))
            }
            return parts
        }
    }
}
