import PolicyCompiler
import Rendering

/// Renders findings as a JUnit report. Each file is a suite, each finding a failed case, and each
/// suppressed finding a skipped case. A file without findings has one passed case, so that a clean
/// run shows that the file was examined.
package struct DiagnosticJUnit {
    private let report: FindingReport
    private var files: [SourceFile] { report.files }

    /// A finding, with what suppresses it; nil if nothing does.
    private typealias Case = (finding: Diagnostic, cause: SuppressedFinding.Cause?)

    /// The whole document. Remarks are passed cases with their text in `system-out`.
    package static func render(_ report: FindingReport) -> String {
        DiagnosticJUnit(report: report).page()
    }

    private func page() -> String {
        let cases: [Case] =
            report.findings.map { ($0, nil) } + report.suppressed.map { ($0.diagnostic, $0.cause) }
        var suites = files.enumerated().map { index, file in
            (file.path, cases.filter { Int($0.finding.primary.span.file) == index })
        }
        let stray = cases.filter { !files.indices.contains(Int($0.finding.primary.span.file)) }
        if !stray.isEmpty { suites.append(("unit", stray)) }
        let tests = suites.reduce(0) { $0 + max(1, $1.1.count) }
        var page = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
        page += "<testsuites name=\"hawser\" tests=\"\(tests)\" \(counts(cases))>\n"
        for (path, found) in suites { page += suite(path, found) }
        return page + "</testsuites>\n"
    }

    /// The number of failed cases, and of skipped cases if there are any.
    private func counts(_ cases: [Case]) -> String {
        let failures = cases.count { $0.cause == nil && $0.finding.severity > .info }
        let skipped = cases.count { $0.cause != nil }
        return "failures=\"\(failures)\"" + (skipped > 0 ? " skipped=\"\(skipped)\"" : "")
    }

    private func suite(_ path: String, _ found: [Case]) -> String {
        let name = JUnitWriter.escape(path)
        var page = "  <testsuite name=\"\(name)\" tests=\"\(max(1, found.count))\" "
        page += "\(counts(found))>\n"
        if found.isEmpty { page += "    <testcase classname=\"\(name)\" name=\"clean\"/>\n" }
        for (diagnostic, cause) in found {
            let place = DiagnosticPlace(diagnostic.primary.span, in: files)
            let line = place.map { " at line \($0.start.line)" } ?? ""
            let title = "\(diagnostic.code.rawValue) \(diagnostic.code.slug)\(line)"
            page += "    <testcase classname=\"\(name)\" name=\"\(title)\">\n"
            page += "      \(result(diagnostic, cause))\n    </testcase>\n"
        }
        return page + "  </testsuite>\n"
    }

    private func result(_ diagnostic: Diagnostic, _ cause: SuppressedFinding.Cause?) -> String {
        let body = JUnitWriter.escape(DiagnosticConcise.render([diagnostic], files: files))
        if let cause {
            let reason = JUnitWriter.escape("suppressed; reason: \(cause.words.reason)")
            return "<skipped message=\"\(reason)\">\(body)</skipped>"
        }
        guard diagnostic.severity > .info else { return "<system-out>\(body)</system-out>" }
        let message = JUnitWriter.escape(diagnostic.message)
        return "<failure type=\"\(diagnostic.severity.rawValue)\" message=\"\(message)\">\(body)"
            + "</failure>"
    }
}
