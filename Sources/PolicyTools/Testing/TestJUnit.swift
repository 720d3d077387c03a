/// Writes a run of tests as JUnit: a suite for each test file, a case for each case. A file with
/// mistakes is a suite with an error for each mistake.
enum TestJUnit {
    static func render(_ report: TestReport) -> String {
        let errors = report.files.reduce(0) { $0 + $1.problems.count }
        var page = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
        page += "<testsuites name=\"hawser\" tests=\"\(report.cases.count + errors)\" "
        page += "failures=\"\(report.failed)\" errors=\"\(errors)\">\n"
        for file in report.files { page += suite(file) }
        return page + "</testsuites>\n"
    }

    private static func suite(_ file: TestReport.File) -> String {
        let name = JUnitWriter.escape(file.path)
        let failed = file.cases.count { !$0.passes }
        let tests = file.cases.count + file.problems.count
        var page = "  <testsuite name=\"\(name)\" tests=\"\(tests)\" "
        page += "failures=\"\(failed)\" errors=\"\(file.problems.count)\">\n"
        for problem in file.problems {
            let text = JUnitWriter.escape(
                "\(problem.place.text): error[\(problem.code)]: \(problem.message)")
            let message = JUnitWriter.escape(problem.message)
            page += "    <testcase classname=\"\(name)\" name=\"\(problem.code) at line "
            page += "\(problem.place.line)\">\n"
            page += "      <error type=\"\(problem.code)\" message=\"\(message)\">\(text)</error>\n"
            page += "    </testcase>\n"
        }
        for one in file.cases { page += testCase(one, name) }
        return page + "  </testsuite>\n"
    }

    private static func testCase(_ one: TestReport.Case, _ suite: String) -> String {
        let head =
            "    <testcase classname=\"\(suite)\" name=\"\(JUnitWriter.escape(one.name))\" "
            + "file=\"\(JUnitWriter.escape(one.place.file))\" line=\"\(one.place.line)\""
        guard !one.passes else { return head + "/>\n" }
        let message = one.differences.map {
            "\($0.field): expected \($0.expected), got \($0.got)"
        }.joined(separator: "; ")
        var lines = one.differences.flatMap { difference in
            [
                "\(difference.field): expected \(difference.expected) at \(difference.place.text)",
                "got \(difference.got)"
                    + difference.origins.map { " by \($0)" }.joined(separator: ","),
            ]
        }
        if let first = one.firstLine { lines.append(first) }
        lines.append(one.command)
        return head + ">\n      <failure type=\"expectation\" "
            + "message=\"\(JUnitWriter.escape(message))\">"
            + JUnitWriter.escape(lines.joined(separator: "\n")) + "</failure>\n"
            + "    </testcase>\n"
    }
}
