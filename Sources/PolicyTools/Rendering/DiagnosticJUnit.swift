package import PolicyCompiler

/// Findings as a JUnit report: a suite a file, a failed case a finding, and a passed case for a file
/// without any, so that a clean run is seen to have looked.
package enum DiagnosticJUnit {
    /// The whole document. Remarks are passed cases with their words in `system-out`.
    package static func render(_ diagnostics: [Diagnostic], files: [SourceFile]) -> String {
        let failures = diagnostics.filter { $0.severity > .info }.count
        var page = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
        let suites = files.enumerated().map { index, file in
            (file.path, diagnostics.filter { Int($0.primary.span.file) == index })
        }
        let stray = diagnostics.filter { !files.indices.contains(Int($0.primary.span.file)) }
        let all = suites + (stray.isEmpty ? [] : [("unit", stray)])
        let cases = all.reduce(0) { $0 + max(1, $1.1.count) }
        page += "<testsuites name=\"hawser\" tests=\"\(cases)\" failures=\"\(failures)\">\n"
        for (path, found) in all { page += suite(path, found, files) }
        return page + "</testsuites>\n"
    }

    private static func suite(
        _ path: String, _ found: [Diagnostic], _ files: [SourceFile]
    ) -> String {
        let failures = found.filter { $0.severity > .info }.count
        let name = escape(path)
        var page = "  <testsuite name=\"\(name)\" tests=\"\(max(1, found.count))\" "
        page += "failures=\"\(failures)\">\n"
        if found.isEmpty { page += "    <testcase classname=\"\(name)\" name=\"clean\"/>\n" }
        for diagnostic in found {
            let place = DiagnosticPlace(diagnostic.primary.span, in: files)
            let line = place.map { " at line \($0.start.line)" } ?? ""
            let title = "\(diagnostic.code.rawValue) \(diagnostic.code.slug)\(line)"
            page += "    <testcase classname=\"\(name)\" name=\"\(title)\">\n"
            let body = escape(DiagnosticConcise.render([diagnostic], files: files))
            if diagnostic.severity > .info {
                page += "      <failure type=\"\(diagnostic.severity.rawValue)\" "
                page += "message=\"\(escape(diagnostic.message))\">\(body)</failure>\n"
            } else {
                page += "      <system-out>\(body)</system-out>\n"
            }
            page += "    </testcase>\n"
        }
        return page + "  </testsuite>\n"
    }

    /// The one way hostile text reaches XML: markup is escaped, and what XML 1.0 cannot hold
    /// (section 2.2) or a viewer hides is shown as `\u{1B}`.
    static func escape(_ text: String) -> String {
        var escaped = ""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "&": escaped += "&amp;"
            case "<": escaped += "&lt;"
            case ">": escaped += "&gt;"
            case "\"": escaped += "&quot;"
            case "'": escaped += "&apos;"
            case "\n": escaped += "&#10;"
            case "\t": escaped += "&#9;"
            case "\u{FFFE}", "\u{FFFF}":
                escaped += "\\u{" + String(scalar.value, radix: 16, uppercase: true) + "}"
            default: TerminalEscape.append(scalar, to: &escaped)
            }
        }
        return escaped
    }
}
