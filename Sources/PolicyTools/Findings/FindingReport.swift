package import PolicyCompiler
import Rendering

/// The findings of a run, ready to be written: of one unit or several, including the findings that
/// are not reported, each with its fingerprint.
package struct FindingReport: Sendable {
    /// The files that spans index.
    package private(set) var files: [SourceFile] = []
    /// By file, then in source order.
    package private(set) var findings: [Diagnostic] = []
    /// The fingerprints of `findings`, in the same order.
    package private(set) var fingerprints: [String] = []
    /// Findings that ignore comments or a baseline hide.
    package private(set) var suppressed: [SuppressedFinding] = []
    /// The fingerprints of `suppressed`, in the same order.
    package private(set) var suppressedFingerprints: [String] = []
    /// Whether the linter examined everything (`LintResult.isWhole`).
    package private(set) var isWhole = true

    /// Creates an empty report.
    package init() {}

    /// Creates the report of one unit.
    package init(_ diagnostics: [Diagnostic], files: [SourceFile], trees: [SyntaxTree]) {
        add(diagnostics, suppressed: [], files: files, trees: trees, below: "")
    }

    /// Adds the findings of a unit. `folder` is the path of the unit's folder from the folder in
    /// which the report is read; empty if they are the same.
    package mutating func add(_ result: LintResult, below folder: String) {
        isWhole = isWhole && result.isWhole
        add(
            result.findings, suppressed: result.suppressed, files: result.files,
            trees: result.compilation.trees, below: folder)
        for file in result.testFiles where !file.findings.isEmpty {
            add(file.findings, suppressed: [], files: file.files, trees: file.trees, below: folder)
        }
    }

    /// Adds diagnostics of a unit's files that nothing suppresses, with `folder` as in the other
    /// `add`.
    package mutating func add(
        _ diagnostics: [Diagnostic], files: [SourceFile], trees: [SyntaxTree], below folder: String
    ) {
        add(diagnostics, suppressed: [], files: files, trees: trees, below: folder)
    }

    private mutating func add(
        _ diagnostics: [Diagnostic], suppressed hidden: [SuppressedFinding],
        files unitFiles: [SourceFile], trees: [SyntaxTree], below folder: String
    ) {
        let named =
            folder.isEmpty
            ? unitFiles : unitFiles.map { SourceFile($0, path: "\(folder)/\($0.path)") }
        // Reported and suppressed findings are numbered together, so that hiding one of several
        // equal findings does not change the fingerprints of the others.
        let all = DiagnosticCollector.sorted(diagnostics + hidden.map(\.diagnostic))
        let marks = Dictionary(
            zip(all, DiagnosticFingerprint.all(all, files: named, trees: trees)),
            uniquingKeysWith: { first, _ in first })
        let offset = files.count
        findings += diagnostics.map { $0.moved(byFiles: offset) }
        fingerprints += diagnostics.map { marks[$0] ?? "" }
        suppressed += hidden.map {
            SuppressedFinding($0.diagnostic.moved(byFiles: offset), $0.cause)
        }
        suppressedFingerprints += hidden.map { marks[$0.diagnostic] ?? "" }
        files += named
    }

    /// Moves the findings that a baseline lists to the suppressed findings. Diagnostics that a load
    /// refuses stay.
    package mutating func suppress(by baseline: LintBaseline) {
        let isListed = zip(findings, fingerprints).map { finding, mark in
            LintRules.isSuppressible(finding.code) && baseline.fingerprints.contains(mark)
        }
        for (index, finding) in findings.enumerated() where isListed[index] {
            suppressed.append(SuppressedFinding(finding, .baseline))
            suppressedFingerprints.append(fingerprints[index])
        }
        findings = zip(findings, isListed).filter { !$1 }.map(\.0)
        fingerprints = zip(fingerprints, isListed).filter { !$1 }.map(\.0)
    }

    /// The suppressed findings, one line each, for the level `audit`: place, `suppressed[HW211]`,
    /// message and reason.
    package var suppressedText: String {
        suppressed.map { hidden in
            let finding = hidden.diagnostic
            let place = DiagnosticPlace(finding.primary.span, in: files).map {
                "\($0.file.path):\($0.start.line):\($0.start.column): "
            }
            let line =
                "\(place ?? "")suppressed[\(finding.code.rawValue)]: \(finding.message); reason: "
                + hidden.cause.words.reason
            return TerminalEscape.escape(line) + "\n"
        }.joined()
    }

    /// The number of findings: `3 errors, 1 warning; 2 suppressed`.
    package var tally: String {
        FindingReport.tally(findings, suppressed: suppressed.count)
    }

    /// The number of diagnostics. Severities that did not occur are left out.
    package static func tally(_ diagnostics: [Diagnostic], suppressed: Int = 0) -> String {
        let kinds: [(Diagnostic.Severity, String)] = [
            (.error, "error"), (.warning, "warning"), (.info, "remark"),
        ]
        let counts = kinds.compactMap { severity, word -> String? in
            let count = diagnostics.count { $0.severity == severity }
            return count == 0 ? nil : Words.count(count, word)
        }
        let found = counts.isEmpty ? "nothing found" : counts.joined(separator: ", ")
        return suppressed == 0 ? found : "\(found); \(suppressed) suppressed"
    }

    /// Whether a finding has the severity or a worse one.
    package func reaches(_ severity: Diagnostic.Severity) -> Bool {
        findings.contains { $0.severity >= severity }
    }
}

extension Diagnostic {
    /// The same diagnostic in a list of files with `count` files before its own.
    fileprivate func moved(byFiles count: Int) -> Diagnostic {
        guard count > 0 else { return self }
        func moved(_ span: SourceSpan) -> SourceSpan {
            SourceSpan(
                file: Int(span.file) + count, start: Int(span.start), end: Int(span.end))
        }
        var copy = self
        copy.primary.span = moved(primary.span)
        for index in labels.indices { copy.labels[index].span = moved(labels[index].span) }
        copy.fix?.edits = fix?.edits.map { FixIt.Edit(moved($0.span), $0.replacement) } ?? []
        return copy
    }
}
