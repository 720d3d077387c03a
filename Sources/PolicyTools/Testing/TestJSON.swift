import Rendering
import TrustEngine

/// Writes a run of tests by `grammar/test-report.schema.json`, ended by a line feed.
enum TestJSON {
    static func render(_ report: TestReport) -> String {
        JSONValue.object([
            ("schema", .string("hawser/test/1")),
            (
                "totals",
                .object([
                    ("cases", .integer(report.cases.count)), ("failed", .integer(report.failed)),
                    ("files", .integer(report.files.count)),
                    ("filesNotRun", .integer(report.broken)),
                ])
            ),
            ("files", .array(report.files.map(file))),
            ("units", .array(report.measures.map(unit))),
        ]).render(pretty: true) + "\n"
    }

    private static func unit(_ measure: TestReport.Measure) -> JSONValue {
        .object([
            ("folder", .string(measure.folder.isEmpty ? "." : measure.folder)),
            ("coverage", CoverageText(measure.coverage, path: measure.path).json),
            ("mutation", measure.mutation.map { $0.json(path: measure.path) }),
        ])
    }

    private static func file(_ file: TestReport.File) -> JSONValue {
        .object([
            ("file", .string(file.path)),
            ("cases", .array(file.cases.map(one))),
            (
                "problems",
                .array(
                    file.problems.map {
                        .object([
                            ("code", .string($0.code)), ("message", .string($0.message)),
                            ("place", place($0.place)),
                        ])
                    })
            ),
        ])
    }

    private static func one(_ one: TestReport.Case) -> JSONValue {
        .object([
            ("name", .string(one.name)),
            ("passed", .bool(one.passes)),
            ("place", place(one.place)),
            ("host", .string(one.host)),
            ("port", .integer(one.port)),
            ("at", .string(one.time.description)),
            ("verdict", one.accepts.map { .string($0 ? "accept" : "reject") }),
            (
                "differences",
                .array(
                    one.differences.map {
                        .object([
                            ("field", .string($0.field)), ("expected", .string($0.expected)),
                            ("got", .string($0.got)),
                            ("origins", .array($0.origins.map { .string($0) })),
                            ("place", place($0.place)),
                        ])
                    })
            ),
            ("explain", .optional(one.firstLine)),
            ("command", .string(one.command)),
        ])
    }

    private static func place(_ place: TestReport.Place) -> JSONValue {
        .object([
            ("file", .string(place.file)), ("line", .integer(place.line)),
            ("column", .integer(place.column)),
        ])
    }
}
