import PolicyCompiler
import Rendering

/// Writes the answers to assertions as a JUnit report: a suite for each file, a case for each
/// assertion. What is stale fails as what is refuted does.
enum AssertionJUnit {
    static func render(_ report: AssertionReport) -> String {
        var page = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
        switch report.outcome {
        case .notAsked(let failure):
            let message = escape(AssertionSentences.notAsked(failure))
            page += "<testsuites name=\"hawser assert\" tests=\"1\" failures=\"0\" errors=\"1\">\n"
            page += "  <testsuite name=\"hawser assert\" tests=\"1\" failures=\"0\" errors=\"1\">\n"
            page += "    <testcase classname=\"hawser assert\" name=\"asked\">\n"
            page += "      <error message=\"\(message)\"/>\n    </testcase>\n  </testsuite>\n"
        case .answered(let units, _):
            page += "<testsuites name=\"hawser assert\" \(counts(report.results.map(\.result)))>\n"
            for unit in units { page += suites(unit) }
        }
        return page + "</testsuites>\n"
    }

    private static func counts(_ results: [AssertionResult]) -> String {
        "tests=\"\(results.count)\" failures=\"\(results.count { !$0.isProved })\" errors=\"0\""
    }

    private static func suites(_ unit: AssertionReport.Unit) -> String {
        var files: [String] = []
        for result in unit.results where !files.contains(result.file.path) {
            files.append(result.file.path)
        }
        return files.map { file in
            let name = escape(unit.folder.path(file))
            let own = unit.results.filter { $0.file.path == file }
            return "  <testsuite name=\"\(name)\" \(counts(own))>\n"
                + own.map { testCase($0, name, unit.folder) }.joined() + "  </testsuite>\n"
        }.joined()
    }

    private static func testCase(
        _ result: AssertionResult, _ suite: String, _ unit: UnitFolder
    ) -> String {
        let name = escape(result.assertion.id.value)
        let head = "    <testcase classname=\"\(suite)\" name=\"\(name)\""
        guard !result.isProved else { return head + "/>\n" }
        var lines = AssertionSentences.background(result)
        if case .refuted(let list) = result.verdict {
            lines += list.flatMap { AssertionSentences.lines($0, in: unit) }
        }
        let type = AssertionSentences.word(result.verdict)
        let message = escape(AssertionSentences.headline(result))
        let body = lines.map { escape($0) }.joined(separator: "\n")
        return head + ">\n      <failure type=\"\(type)\" message=\"\(message)\">\(body)"
            + "</failure>\n    </testcase>\n"
    }

    private static func escape(_ text: String) -> String { JUnitWriter.escape(text) }
}
