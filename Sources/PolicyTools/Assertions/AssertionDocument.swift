import PolicyCompiler
package import Rendering
import TrustEngine

/// Makes the document of the answers to assertions: each assertion that is not proved with the
/// rules that do not meet it, then the proved assertions and the counts.
package struct AssertionDocument {
    private let report: AssertionReport
    /// The most refutations of one assertion in a text.
    private static let most = 20

    package init(_ report: AssertionReport) { self.report = report }

    package func document() -> Document {
        var document = Document(kind: "assert", version: report.version)
        document.headline = Headline("Assertions of the policy", words: [outcome])
        document.command = report.command
        document.marker = ("hawser-assert", nil)
        document.findings = findings
        switch report.outcome {
        case .notAsked(let failure):
            document.headline.lead = "Nothing is known of the assertions: \(failure.context)."
            document.blocks = [
                .line(DocumentText(AssertionSentences.notAsked(failure)), room: .screen)
            ]
        case .answered(let units, _):
            let totals = AssertionSentences.totals(report)
            document.headline.lead = totals
            document.title = "assert: \(totals)"
            document.sources = units.flatMap(\.sources)
            document.suites = Suites(units.flatMap(suites))
            let proved = report.results.filter(\.result.isProved)
                .map { Entry(DocumentText(AssertionSentences.headline($0.result))) }
            document.blocks =
                report.results.enumerated().flatMap { number, one in
                    blocks(one.result, number: number + 1, in: one.unit.folder)
                } + [
                    .section(
                        "proved", "\(proved.count) proved",
                        [.list(proved, noun: Noun("assertion", "assertions"), rank: .last)],
                        isFolded: true, room: .page),
                    .gap(), .line(.plain(totals), room: .screen),
                ]
        }
        return document
    }

    private var outcome: Word {
        guard case .answered = report.outcome else { return .warn("not asked") }
        return report.isProved
            ? .good("every assertion is proved") : .bad("an assertion does not hold")
    }

    // MARK: Blocks

    /// A line of a text, and a section for an assertion that is not proved.
    private func blocks(
        _ result: AssertionResult, number: Int, in unit: UnitFolder
    ) -> [Block] {
        let verdict = AssertionSentences.word(result.verdict)
        let headline = AssertionSentences.headline(result)
        let line = Block.line(
            DocumentText(headline), word: Word(TextWrap.padded(verdict, 9)), room: .screen)
        guard !result.isProved else { return [line] }
        let facts = [
            Field("assertion", .place(AssertionFinding.place(of: result, in: unit).citation)),
            result.assertion.owner.map { Field("owner", DocumentText($0)) },
            result.assertion.note.map { Field("note", DocumentText($0)) },
        ].compactMap(\.self)
        var blocks = [Block.fields(facts, labels: .fixed(12), indent: 2)]
        if case .refuted(let list) = result.verdict {
            let classes = list.dropFirst(AssertionDocument.most)
                .reduce(0) { $0 + $1.further + 1 }
            blocks += Block.list(
                list.map { entry($0, in: unit) }, onScreen: AssertionDocument.most,
                andMore: " ways, for \(Words.count(classes, "class", "classes")) of hosts, which "
                    + "`--format json` lists", noun: Noun("refutation", "refutations"),
                bullet: "- ", indent: 2)
        }
        return [line, .section("assertion-\(number)", "\(verdict) \(headline)", blocks)]
    }

    private func entry(_ refutation: AssertionRefutation, in unit: UnitFolder) -> Entry {
        let facts = [
            Field("hosts", .plain(AssertionSentences.hosts(refutation))),
            Field("witness", .plain(AssertionSentences.witness(refutation))),
        ]
        let gaps = refutation.gaps.map { gap in
            let origin = AssertionSentences.origin(gap, in: unit).map {
                Block.line(.place($0), indent: 4)
            }
            return Entry(
                DocumentText(spans: [
                    .code(gap.path), .sentence("  is \(gap.found), wanted \(gap.wanted)"),
                ]),
                gap.remarks.map { .line(DocumentText($0), indent: 4) }
                    + [origin].compactMap(\.self))
        }
        return Entry(
            DocumentText(spans: [
                .code(refutation.demand.key.rawValue),
                .sentence("  " + AssertionSentences.rule(refutation, in: nil)),
            ]), citation: refutation.rule.location.map { unit.path($0.description) },
            [
                .fields(facts, labels: .fixed(12), indent: 2),
                .list(gaps, noun: Noun("value", "values"), indent: 2),
            ])
    }

    // MARK: Suites

    /// A suite for each file, a case for each assertion. A stale assertion fails as a refuted one.
    private func suites(_ unit: AssertionReport.Unit) -> [Suites.Suite] {
        unit.results.map(\.file.path).unrepeated.map { file in
            Suites.Suite(
                unit.folder.path(file),
                unit.results.filter { $0.file.path == file }.map { result in
                    Suites.Case(result.assertion.id.value, outcome(result, in: unit.folder))
                })
        }
    }

    private func outcome(_ result: AssertionResult, in unit: UnitFolder) -> Suites.Outcome {
        guard !result.isProved else { return .passed }
        var lines = AssertionSentences.background(result)
        if case .refuted(let list) = result.verdict {
            lines += list.flatMap { AssertionSentences.lines($0, in: unit) }
        }
        return .failed(
            kind: AssertionSentences.word(result.verdict),
            message: AssertionSentences.headline(result), lines: lines)
    }

    // MARK: Findings

    private var findings: Findings {
        var findings = Findings()
        findings.rules = AssertionFinding.Kind.allCases.map(\.rule)
        if case .notAsked(let failure) = report.outcome {
            findings.run = .failed(AssertionSentences.notAsked(failure))
            return findings
        }
        findings.run = .succeeded()
        let all = AssertionFinding.all(report)
        var seen: Set<String> = []
        findings.results =
            all.filter { seen.insert($0.fingerprint).inserted }.map(\.finding)
        findings.annotations = all.map(\.finding)
        findings.tally = .all(lines: [AssertionSentences.totals(report)], noun: "refutations")
        return findings
    }
}

extension AssertionFinding {
    /// At the line of the policy; the place of the assertion is related.
    fileprivate var finding: Finding {
        let word = AssertionSentences.word(result.verdict)
        var finding = Finding(
            rule: kind.rawValue, level: .error,
            title: "hawser assert: \(word) \(result.assertion.id.value)", lines: lines,
            places: policyPlaces + [assertionPlace])
        finding.annotation = lines + ["asserted at \(assertionPlace.citation)"]
        finding.fingerprint = ("hawserAssert/1", fingerprint)
        return finding
    }
}

extension AssertionFinding.Kind {
    fileprivate var rule: FindingRule {
        let code = self.code
        return FindingRule(
            id: rawValue, title: code.title, explanation: code.page.explanation,
            help: "`hawser help assert.md` prints what each demand asks.", level: .error,
            isSecurity: true)
    }

    /// The code by which `lint` reports it.
    private var code: DiagnosticCode {
        switch self {
        case .refuted: return .refutedAssertion
        case .stale: return .staleAssertion
        }
    }
}
