import Rendering
import TrustEngine

/// Writes a run of tests by `grammar/test-report.schema.json`, ended by a line feed.
extension TestJSON {
    static func render(_ report: TestReport) -> String {
        Document(
            totals: .init(
                cases: report.cases.count, failed: report.failed, files: report.files.count,
                filesNotRun: report.broken),
            files: report.files.map(file), units: report.measures.map(unit)
        ).document
    }

    private static func file(_ file: TestReport.File) -> File {
        File(
            file: file.path, cases: file.cases.map(one),
            problems: file.problems.map {
                .init(code: $0.code, message: $0.message, place: place($0.place))
            })
    }

    private static func one(_ one: TestReport.Case) -> Case {
        Case(
            name: one.name, passed: one.passes, place: place(one.place), host: one.host,
            port: one.port, at: one.time.description,
            verdict: one.accepts.map { $0 ? "accept" : "reject" },
            differences: one.differences.map {
                .init(
                    field: $0.field, expected: $0.expected, got: $0.got, origins: $0.origins,
                    place: place($0.place))
            }, explain: one.firstLine, command: one.command)
    }

    private static func place(_ place: FindingPlace) -> Place {
        Place(file: place.file, line: place.line, column: place.column)
    }

    // MARK: Coverage

    private static func unit(_ measure: TestReport.Measure) -> Unit {
        Unit(
            folder: measure.folder.isEmpty ? "." : measure.folder,
            coverage: coverage(measure.coverage, measure.path),
            mutation: measure.mutation.map { mutation($0, measure.path) })
    }

    private static func coverage(
        _ coverage: PolicyCoverage, _ path: (String) -> String
    ) -> Unit.Coverage {
        func covered(_ count: PolicyCoverage.Count) -> Covered {
            Covered(covered: count.covered, all: count.all)
        }
        return .init(
            tenthsOfPercent: coverage.tenths, total: covered(coverage.total),
            rules: covered(coverage[.rules]), hosts: covered(coverage[.hosts]),
            outcomes: covered(coverage[.outcomes]), since: coverage.since.description,
            tooManyClasses: coverage.tooManyClasses,
            gaps: coverage.gaps.map { gap in
                .init(
                    kind: gap.kind.rawValue, sentence: gap.sentence, rule: gap.rule,
                    location: .location(gap.location?.opened(by: path)),
                    host: gap.witness.host.text, port: gap.witness.port,
                    at: gap.time.description, count: gap.count)
            })
    }

    private static func mutation(
        _ report: MutationReport, _ path: (String) -> String
    ) -> Unit.Mutation {
        .init(
            mutants: report.entries.count, noticed: report.killed,
            notNoticed: report.survivors.count, equal: report.equal, omitted: report.omitted,
            list: report.entries.map { entry in
                let mutant = entry.mutant
                return .init(
                    change: mutant.change,
                    location: .location(mutant.location?.opened(by: path)),
                    host: mutant.witness.host.text, port: mutant.witness.port,
                    at: mutant.time.description, noticedBy: entry.noticedBy)
            })
    }
}

extension Provenance.Location {
    /// The place with the path that a reader can open.
    func opened(by path: (String) -> String) -> Provenance.Location {
        Provenance.Location(file: path(file), line: line, column: column)
    }
}
