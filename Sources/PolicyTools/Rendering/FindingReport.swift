package import PolicyCompiler
import Rendering

/// What a run found, ready to be written: the findings of one unit or of several, and those that are not
/// told, each with its fingerprint.
package struct FindingReport: Sendable {
    /// What spans index into.
    package private(set) var files: [SourceFile] = []
    /// In the order of the files, then of the source.
    package private(set) var findings: [Diagnostic] = []
    /// Of each finding, in their order.
    package private(set) var fingerprints: [String] = []
    package private(set) var suppressed: [SuppressedFinding] = []
    /// Of each suppressed finding, in their order.
    package private(set) var suppressedFingerprints: [String] = []
    /// Whether everything was looked at (`LintResult.isWhole`).
    package private(set) var isWhole = true

    /// A report that nothing was added to.
    package init() {}

    /// The report of one unit.
    package init(_ diagnostics: [Diagnostic], files: [SourceFile], trees: [SyntaxTree]) {
        add(diagnostics, suppressed: [], files: files, trees: trees, below: "")
    }

    /// Adds what was found in a unit whose folder is `folder` from where the report is read, empty for
    /// that place itself.
    package mutating func add(_ result: LintResult, below folder: String) {
        isWhole = isWhole && result.isWhole
        add(
            result.findings, suppressed: result.suppressed, files: result.compilation.files,
            trees: result.compilation.trees, below: folder)
    }

    private mutating func add(
        _ diagnostics: [Diagnostic], suppressed hidden: [SuppressedFinding],
        files unitFiles: [SourceFile], trees: [SyntaxTree], below folder: String
    ) {
        let named =
            folder.isEmpty
            ? unitFiles : unitFiles.map { SourceFile($0, path: "\(folder)/\($0.path)") }
        // One numbering for both, so that hiding one of several equal findings renames none.
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

    /// Moves to the suppressed those findings that a baseline lists. What no load accepts stays.
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

    /// What is not told, a line each, for whoever audits: `policy.yaml:9:24: suppressed[HW211]: …`.
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

    /// Whether a finding is as bad as `severity`, or worse.
    package func reaches(_ severity: Diagnostic.Severity) -> Bool {
        findings.contains { $0.severity >= severity }
    }
}

extension Diagnostic {
    /// The same in a list of files with so many more before its own.
    fileprivate func moved(byFiles count: Int) -> Diagnostic {
        guard count > 0 else { return self }
        func moved(_ span: SourceSpan) -> SourceSpan {
            SourceSpan(
                file: Int(span.file) + count, start: Int(span.start), end: Int(span.end))
        }
        var copy = self
        copy.primary.span = moved(primary.span)
        for index in labels.indices { copy.labels[index].span = moved(labels[index].span) }
        if let fix {
            copy.fix = FixIt(
                title: fix.title, safety: fix.safety, basis: fix.basis,
                edits: fix.edits.map { FixIt.Edit(moved($0.span), $0.replacement) })
        }
        return copy
    }
}
