import PolicyCompiler
package import Rendering
import TrustEngine

/// Makes the document of a run of tests: the failed cases and the files that were not run, every
/// case, the coverage of each policy, and the counts.
package struct TestDocument {
    private let report: TestReport
    /// Most gaps of coverage that a text lists; the others are counted.
    private static let most = 40

    package init(_ report: TestReport) { self.report = report }

    package func document() -> Document {
        var document = Document(kind: "test", name: "hawser", version: report.version)
        document.title = "test: \(report.totals)"
        document.headline = Headline("Tests of the policy: \(report.totals)", words: [outcome])
        document.command = report.command
        document.sources = report.sources
        document.blocks = [
            .section("failed", title, [.list(failures, noun: .failure, spacing: .after)]),
            .section("cases", "Cases", [cases], isFolded: true, room: .page),
            .section("coverage", "Coverage", measures),
            .line(.plain(report.totals), room: .screen),
        ]
        document.suites = Suites(report.files.map(suite))
        document.findings = findings
        return document
    }

    private var outcome: Word {
        guard !report.cases.isEmpty else { return .warn("nothing was run") }
        return report.failed == 0 && report.broken == 0
            ? .good("every case passed") : .bad("not every case passed")
    }

    private var title: String {
        switch (report.failed > 0, report.broken > 0) {
        case (_, false): return "Failed"
        case (false, true): return "Not run"
        case (true, true): return "Failed and not run"
        }
    }

    // MARK: Cases

    /// The cases that failed and the files with mistakes, in the order of the files.
    private var failures: [Entry] {
        report.files.flatMap { file -> [Entry] in
            let failed = file.cases.filter { !$0.passes }.map(failure)
            guard !file.problems.isEmpty else { return failed }
            let problems = file.problems.map {
                Entry(
                    word: .bad("error \($0.code)"), DocumentText($0.message),
                    citation: $0.place.citation)
            }
            return failed + [
                Entry(
                    word: Word("not run"), .plain("  \(file.path): it has mistakes"),
                    [.list(problems, noun: Noun("mistake", "mistakes"), room: .page)])
            ]
        }
    }

    private func failure(_ one: TestReport.Case) -> Entry {
        let differences = one.differences.map { difference -> Entry in
            let origins = difference.origins.dropFirst().map { Field("", "", citation: $0) }
            let rows = [
                Field("expected", .code(difference.expected), citation: difference.place.citation),
                Field("got", .code(difference.got), citation: difference.origins.first),
            ]
            return Entry(
                .code(difference.field),
                [.fields(rows + origins, values: .alike(most: 60), indent: 2)])
        }
        var blocks: [Block] = [
            .line(.plain(asked(one)), room: .page),
            .list(differences, noun: Noun("difference", "differences"), indent: 2),
        ]
        if let first = one.firstLine { blocks.append(.line(DocumentText(first), indent: 2)) }
        return Entry(
            word: .bad("failed"), DocumentText(spans: [.plain("  "), .code(one.name)]),
            citation: one.place.citation, blocks + [.command(one.command, indent: 2)])
    }

    private func asked(_ one: TestReport.Case) -> String {
        "\(HostWithPort.text(one.host, one.port)) at \(one.time.description)"
    }

    private var cases: Block {
        .table(
            "cases", ["outcome", "case", "host", "verdict", "place"],
            report.cases.map { one in
                Row([
                    [.word(one.passes ? .good("passed") : .bad("failed"))], [.code(one.name)],
                    [.plain(asked(one))],
                    [.plain(one.accepts.map { $0 ? "accept" : "reject" } ?? "not judged")],
                    [.place(one.place.citation)],
                ])
            }, noun: Noun("case", "cases"), head: 1, rank: .last)
    }

    /// A suite for each test file. A file with mistakes has an error for each mistake.
    private func suite(_ file: TestReport.File) -> Suites.Suite {
        let problems = file.problems.map { problem in
            Suites.Case(
                "\(problem.code) at line \(problem.place.line)",
                .error(
                    kind: problem.code, message: problem.message,
                    lines: ["\(problem.place.citation): error[\(problem.code)]: \(problem.message)"]
                ))
        }
        return Suites.Suite(file.path, problems + file.cases.map(suiteCase))
    }

    private func suiteCase(_ one: TestReport.Case) -> Suites.Case {
        let place = (file: one.place.file, line: one.place.line)
        guard !one.passes else { return Suites.Case(one.name, place: place, .passed) }
        let message = one.differences.map {
            "\($0.field): expected \($0.expected), got \($0.got)"
        }.joined(separator: "; ")
        let lines = one.differences.flatMap { difference in
            [
                "\(difference.field): expected \(difference.expected) at \(difference.place.citation)",
                "got \(difference.got)"
                    + difference.origins.map { " by \($0)" }.joined(separator: ","),
            ]
        }
        let text = (lines + [one.firstLine, one.command].compactMap(\.self))
            .joined(separator: "\n")
        return Suites.Case(
            one.name, place: place, .failed(kind: "expectation", message: message, lines: [text]))
    }

    // MARK: Coverage

    private var measures: [Block] {
        report.measures.enumerated().flatMap { index, measure -> [Block] in
            let blocks =
                TestDocument.coverage(
                    measure.coverage, listsGaps: report.listsGaps, path: measure.path)
                + (measure.mutation.map { TestDocument.mutation($0, path: measure.path) } ?? [])
            guard report.measures.count > 1 else { return blocks }
            let folder = measure.folder.isEmpty ? "." : measure.folder
            let unit = Block.line(.plain("unit \(measure.folder)"), room: .screen)
            return (measure.folder.isEmpty ? [] : [unit])
                + [.section("unit-\(index + 1)", "unit `\(folder)`", blocks)]
        }
    }

    /// What cases ask of a policy, and what they do not ask.
    ///
    /// - Parameters:
    ///   - listsGaps: whether a text lists what no case asks. Pages always do.
    ///   - path: makes the path that a reader can open of a file of the unit.
    package static func coverage(
        _ coverage: PolicyCoverage, listsGaps: Bool, path: (String) -> String
    ) -> [Block] {
        let room = listsGaps ? Room.everywhere : .page
        let gaps = coverage.listed.map { gap, sentence in
            entry(sentence, gap.location, CoverageWords.example(gap), path)
        }
        var blocks: [Block] = [
            .line(DocumentText(CoverageWords.headline(coverage))),
            .fields(
                PolicyCoverage.Kind.allCases.map { kind in
                    let count = coverage[kind]
                    return Field(
                        CoverageWords.name(kind), .plain("\(count.covered) of \(count.all)"))
                }, room: room, indent: 2),
        ]
        if let caution = CoverageWords.caution(coverage) {
            blocks.append(.line("note: \(caution)", room: room, indent: 2))
        }
        let noun = Noun("gap", "gaps")
        let lists =
            listsGaps
            ? Block.list(
                gaps, onScreen: most, andMore: ", which `--format json` lists", noun: noun,
                indent: 2)
            : [.list(gaps, noun: noun, room: .page)]
        return blocks + [.section("gaps", "Not covered", lists, isFolded: true)]
    }

    /// The mistakes that were made in a policy, and the mistakes that no case notices.
    ///
    /// - Parameter path: makes the path that a reader can open of a file of the unit.
    package static func mutation(
        _ report: MutationReport, path: (String) -> String
    ) -> [Block] {
        let survivors = report.survivors.map { mutant in
            entry(
                MutationReport.sentence(mutant), mutant.location,
                "\(mutant.witness.text) at \(mutant.time.description)", path)
        }
        let noun = Noun("mistake", "mistakes")
        return [
            .line(DocumentText(report.headline)),
            .section(
                "survivors", "Not noticed", [.list(survivors, noun: noun, indent: 2)],
                isFolded: true),
        ]
    }

    private static func entry(
        _ sentence: String, _ location: Provenance.Location?, _ example: String,
        _ path: (String) -> String
    ) -> Entry {
        let place = location.map { $0.opened(by: path).description + ", " } ?? ""
        return Entry(
            DocumentText(sentence), [.line(.place("\(place)such as \(example)"), indent: 4)])
    }

    // MARK: Findings

    private var findings: Findings {
        var findings = Findings()
        if report.broken == 0 {
            findings.run = .succeeded(["cases": report.cases.count, "failed": report.failed])
        }
        let mistakes = report.files.flatMap(\.problems)
        let codes = Set(mistakes.map(\.code)).sorted()
        findings.rules =
            [TestDocument.failedCase] + codes.compactMap { DiagnosticCode(rawValue: $0) }.map(rule)
        let files = Set(report.sources.map(\.path))
        var seen: [UInt64: Int] = [:]
        findings.results =
            report.cases.flatMap { one in
                one.differences.map { finding(one, $0, in: files, &seen) }
            }
            + mistakes.map { finding($0, &seen) }
        findings.tally = .all(lines: [report.totals], noun: "findings")
        return findings
    }

    private static let failedCase = FindingRule(
        id: "test-failed", title: "a case of a policy's tests fails",
        explanation:
            "A test file states what the policy must say of a host or a chain. The policy says "
            + "something else.",
        help:
            "If the test is right, change the policy. If the change of the policy is meant, change "
            + "the test: `hawser test --update` writes each value that is not weaker.",
        level: .error, isSecurity: true)

    private func rule(_ code: DiagnosticCode) -> FindingRule {
        FindingRule(
            id: code.rawValue, name: code.slug, title: code.title,
            explanation: code.page.explanation, help: code.page.fix, level: .error,
            isSecurity: false)
    }

    /// A field that came out otherwise: at its place in the test file, related to the places of the
    /// policy that made it.
    private func finding(
        _ one: TestReport.Case, _ difference: TestReport.Difference, in files: Set<String>,
        _ seen: inout [UInt64: Int]
    ) -> Finding {
        var lines = [
            "case `\(one.name)`, field `\(difference.field)`: expected \(difference.expected), got "
                + difference.got
        ]
        lines += difference.origins.map { "from \($0)" }
        lines += [one.firstLine, "the command that shows it: \(one.command)"].compactMap(\.self)
        let origins = difference.origins.compactMap { origin -> FindingPlace? in
            let place = PolicySourceView.leadingPlace(of: origin) { files.contains($0) }
            return place.map { place in
                FindingPlace(
                    file: place.location.file, line: place.location.line,
                    column: place.location.column)
            }
        }
        var finding = Finding(
            rule: TestDocument.failedCase.id, level: .error, title: "hawser test: \(one.name)",
            lines: lines, places: [difference.place] + origins)
        finding.group = Finding.Group(order: 0, words: "wrong fields")
        finding.fingerprint = TestDocument.fingerprint(
            [one.place.file, one.name, difference.field, difference.expected], &seen)
        return finding
    }

    /// A mistake in a test file.
    private func finding(
        _ problem: TestReport.Problem, _ seen: inout [UInt64: Int]
    ) -> Finding {
        var finding = Finding(
            rule: problem.code, level: .error, title: "hawser test: \(problem.code)",
            lines: [problem.message], places: [problem.place])
        finding.group = Finding.Group(order: 1, words: "mistakes in test files")
        finding.fingerprint = TestDocument.fingerprint(
            [problem.place.file, problem.code, problem.message], &seen)
        return finding
    }

    /// A fingerprint without lines. Findings that are alike are numbered.
    private static func fingerprint(
        _ parts: [String], _ seen: inout [UInt64: Int]
    ) -> (key: String, value: String) {
        var hash = StableHash()
        for part in parts { hash.combine(part.utf8) }
        let number = seen[hash.value, default: 0]
        seen[hash.value] = number + 1
        if number > 0 { hash.combine("\(number)".utf8) }
        return ("hawserTest/1", hash.digits)
    }
}

extension Noun {
    fileprivate static let failure = Noun("failure", "failures")
}
