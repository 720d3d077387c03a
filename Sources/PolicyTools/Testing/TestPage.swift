import Rendering
import TrustEngine

/// Writes a run of tests as one page: what failed with both sides and their places, what was not
/// run, every case, what no case asks, and the lines that are cited.
enum TestPage {
    static func render(_ report: TestReport) -> String {
        var source = PolicySourceView(report.sources)
        let failed = report.cases.filter { !$0.passes }
        var failures: [[HTML]] = []
        for one in failed { failures.append(failure(one, &source)) }
        var problems: [[HTML]] = []
        for problem in report.files.flatMap(\.problems) {
            problems.append([
                .element(
                    "p",
                    [
                        .word(.bad, "error \(problem.code)"), HTML(" "),
                        HTML(sentence: problem.message),
                    ]),
                .element("p", ["class": "place"], [link(problem.place, &source)]),
            ])
        }
        let cases = self.cases(report, &source)
        var measures: [HTML] = []
        for measure in report.measures {
            if report.measures.count > 1 {
                measures.append(.element("h3", measure.folder.isEmpty ? "." : measure.folder))
            }
            measures += CoverageText(measure.coverage, path: measure.path).html(&source)
            if let mutation = measure.mutation {
                measures += mutation.html(path: measure.path, &source)
            }
        }
        return HTMLPage.render(
            title: "test: \(report.totals)", kind: "test", head: head(report),
            sections: [
                HTMLPage.Section("failed", "Failed", HTML.list(failures)),
                HTMLPage.Section("broken", "Not run", HTML.list(problems)),
                HTMLPage.Section("cases", "Cases", cases),
                HTMLPage.Section("coverage", "What the cases ask", measures),
                HTMLPage.Section("policy", "Policy and tests", source.content()),
            ], footer: [.facts([("written by", [HTML("hawser \(report.version)")])])])
    }

    private static func head(_ report: TestReport) -> [HTML] {
        let isGood = report.failed == 0 && report.broken == 0 && !report.cases.isEmpty
        return [
            .element("h1", report.totals),
            .element(
                "p",
                [
                    report.cases.isEmpty
                        ? .word(.warn, "nothing was run")
                        : isGood
                            ? .word(.good, "every case passed")
                            : .word(.bad, "not every case passed")
                ]),
        ]
    }

    private static func link(
        _ place: TestReport.Place, _ source: inout PolicySourceView
    ) -> HTML {
        source.link(
            Provenance.Location(file: place.file, line: place.line, column: place.column))
    }

    private static func failure(
        _ one: TestReport.Case, _ source: inout PolicySourceView
    ) -> [HTML] {
        var rows: [[[HTML]]] = []
        for difference in one.differences {
            let expected = [
                HTML.element("p", [.element("code", difference.expected)]),
                .element("p", ["class": "place"], [link(difference.place, &source)]),
            ]
            var got = [HTML.element("p", [.element("code", difference.got)])]
            for origin in difference.origins {
                got.append(.element("p", ["class": "place"], [source.link(text: origin)]))
            }
            rows.append([[HTML(difference.field)], expected, got])
        }
        var parts: [HTML] = [
            .element("h3", [.word(.bad, "failed"), HTML(" \(one.name)")]),
            .element(
                "p", ["class": "place"],
                [
                    link(one.place, &source),
                    HTML(
                        ", \(HostWithPort.text(one.host, one.port)) at \(one.time.description)"),
                ]),
        ]
        parts += HTML.table(
            "where the result differs from what was expected", ["field", "expected", "got"], rows)
        if let first = one.firstLine { parts.append(.paragraph(first)) }
        return parts + [.code([one.command])]
    }

    private static func cases(
        _ report: TestReport, _ source: inout PolicySourceView
    ) -> [HTML] {
        var parts: [HTML] = []
        for file in report.files {
            var rows: [[[HTML]]] = []
            for one in file.cases {
                let verdict = one.accepts.map { $0 ? "accept" : "reject" }
                rows.append([
                    [.word(one.passes ? .good : .bad, one.passes ? "passed" : "failed")],
                    [HTML(one.name)],
                    [
                        .element("p", HostWithPort.text(one.host, one.port)),
                        .element("p", ["class": "place"], "at \(one.time.description)"),
                    ], [HTML(verdict ?? "the policy alone")],
                    [link(one.place, &source)],
                ])
            }
            parts += HTML.table(
                file.path, ["outcome", "case", "host", "verdict", "place"], rows, head: 1)
        }
        return parts
    }
}
