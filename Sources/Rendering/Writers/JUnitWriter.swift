/// Writes the cases of a document as a JUnit report: a suite for each file, a case for each thing
/// that was asked.
package enum JUnitWriter {
    /// The whole report. Of an answer that could not be given, the one case is an error.
    package static func write(_ document: Document) -> String {
        let suites: Suites
        if case .failed(let reason) = document.findings.run {
            suites = Suites([
                Suites.Suite(
                    document.name,
                    [Suites.Case("asked", .error(kind: nil, message: reason, lines: []))])
            ])
        } else {
            suites = document.suites ?? Suites([])
        }
        let counts = self.counts(suites.suites.flatMap(\.cases), suites)
        return "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
            + "<testsuites name=\"\(escape(document.name))\" \(counts)>\n"
            + suites.suites.map { suite($0, suites) }.joined() + "</testsuites>\n"
    }

    /// The number of cases, of those that failed, and of others where there are any.
    private static func counts(_ cases: [Suites.Case], _ suites: Suites) -> String {
        var (failures, errors, skipped) = (0, 0, 0)
        for one in cases {
            switch one.outcome {
            case .passed, .told: break
            case .failed: failures += 1
            case .error: errors += 1
            case .skipped: skipped += 1
            }
        }
        return "tests=\"\(cases.count)\" failures=\"\(failures)\""
            + (suites.haveErrors ? " errors=\"\(errors)\"" : "")
            + (skipped > 0 ? " skipped=\"\(skipped)\"" : "")
    }

    private static func suite(_ suite: Suites.Suite, _ suites: Suites) -> String {
        let name = escape(suite.name)
        return "  <testsuite name=\"\(name)\" \(counts(suite.cases, suites))>\n"
            + suite.cases.map { testCase($0, name) }.joined() + "  </testsuite>\n"
    }

    private static func testCase(_ one: Suites.Case, _ suite: String) -> String {
        let place =
            one.place.map { " file=\"\(escape($0.file))\" line=\"\($0.line)\"" } ?? ""
        let head = "    <testcase classname=\"\(suite)\" name=\"\(escape(one.name))\"\(place)"
        guard let outcome = element(one.outcome) else { return head + "/>\n" }
        return head + ">\n      \(outcome)\n    </testcase>\n"
    }

    /// The element inside a case; nil for a case that passed.
    private static func element(_ outcome: Suites.Outcome) -> String? {
        func body(_ lines: [String]) -> String { lines.map(escape).joined(separator: "\n") }
        switch outcome {
        case .passed: return nil
        case .told(let lines): return "<system-out>\(body(lines))</system-out>"
        case .failed(let kind, let message, let lines):
            return "<failure type=\"\(escape(kind))\" message=\"\(escape(message))\">"
                + "\(body(lines))</failure>"
        case .error(let kind, let message, let lines):
            let type = kind.map { " type=\"\(escape($0))\"" } ?? ""
            let head = "<error\(type) message=\"\(escape(message))\""
            return lines.isEmpty ? head + "/>" : "\(head)>\(body(lines))</error>"
        case .skipped(let message, let lines):
            return "<skipped message=\"\(escape(message))\">\(body(lines))</skipped>"
        }
    }

    /// Escapes untrusted text for XML. Markup is escaped. Characters that XML 1.0 cannot hold
    /// (section 2.2) or that a viewer hides are shown as `\u{1B}`.
    package static func escape(_ text: String) -> String {
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
