import Rendering

/// Writes a run of tests as one page of GitHub's Markdown of at most 60,000 octets: the counts
/// first, then a table of what failed. What has no room is counted. All text of policies, tests and
/// certificates goes through `MarkdownText`.
enum TestMarkdown {
    /// GitHub refuses a comment of more than 65,536 characters. Octets are never fewer.
    private static let most = 60_000

    static func render(_ report: TestReport) -> String {
        var page = "### Tests of the policy: \(report.totals)\n"
        let failed = report.cases.filter { !$0.passes }
        let problems = report.files.flatMap(\.problems)
        let measures = report.measures.map { measure in
            let title =
                report.measures.count > 1
                ? "\nUnit \(MarkdownText.code(measure.folder.isEmpty ? "." : measure.folder))\n"
                : ""
            let mutation = measure.mutation.map { "\n" + $0.markdown(path: measure.path) } ?? ""
            return title + "\n" + CoverageText(measure.coverage, path: measure.path).markdown()
                + mutation
        }
        var left = most - page.utf8.count - 1_000
        func add(_ rows: [String], head: String) {
            guard !rows.isEmpty else { return }
            page += "\n" + head
            left -= head.utf8.count
            for (index, row) in rows.enumerated() {
                guard row.utf8.count <= left else {
                    page += Cut.rest(
                        rows.count - index, before: "\nand ", after: ", which `hawser test` lists\n"
                    )
                    return
                }
                page += row
                left -= row.utf8.count
            }
        }
        add(
            failed.flatMap { one in one.differences.map { row(one, $0) } },
            head: "| case | field | expected | got |\n| --- | --- | --- | --- |\n")
        add(
            problems.map {
                "| \(MarkdownText.code($0.place.text)) | \(MarkdownText.prose($0.message)) |\n"
            }, head: "| not run | mistake |\n| --- | --- |\n")
        add(measures, head: "")
        return page
    }

    private static func row(
        _ one: TestReport.Case, _ difference: TestReport.Difference
    ) -> String {
        let origins = difference.origins.map { "<br>" + MarkdownText.code($0) }.joined()
        return "| \(MarkdownText.code(one.name)) | \(MarkdownText.code(difference.field)) | "
            + "\(MarkdownText.code(difference.expected))<br>"
            + "\(MarkdownText.code(difference.place.text)) | "
            + "\(MarkdownText.code(difference.got))\(origins) |\n"
    }
}
