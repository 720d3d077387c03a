import Rendering
import TrustEngine

/// Writes a coverage as text, as Markdown and on a page.
package struct CoverageText {
    private let coverage: PolicyCoverage
    private let path: (String) -> String
    /// Most gaps that text and Markdown tell; the others are counted. JSON has all.
    package static let most = 40

    /// - Parameter path: makes the path that a reader can open of a file of the unit.
    package init(_ coverage: PolicyCoverage, path: @escaping (String) -> String) {
        self.coverage = coverage
        self.path = path
    }

    /// The text; each line ends with a line feed.
    package func text() -> String {
        var lines = [CoverageWords.headline(coverage)]
        let width = PolicyCoverage.Kind.allCases.map { CoverageWords.name($0).count }.max() ?? 0
        for kind in PolicyCoverage.Kind.allCases {
            let name = CoverageWords.name(kind)
            let padding = String(repeating: " ", count: width - name.count + 2)
            lines.append("  \(name)\(padding)\(coverage[kind].covered) of \(coverage[kind].all)")
        }
        if let caution = CoverageWords.caution(coverage) { lines.append("  note: \(caution)") }
        for gap in shown {
            lines.append("  \(sentence(gap))")
            lines.append("      \(place(gap).map { $0 + ", " } ?? "")such as \(example(gap))")
        }
        if let rest { lines.append("  \(rest), which `--format json` lists") }
        return lines.map { TerminalEscape.escape($0) + "\n" }.joined()
    }

    /// A section of a Markdown page; each line ends with a line feed.
    package func markdown() -> String {
        var lines = [MarkdownText.prose(CoverageWords.headline(coverage)), ""]
        lines += ["| | covered | of |", "| --- | ---: | ---: |"]
        for kind in PolicyCoverage.Kind.allCases {
            let count = coverage[kind]
            lines.append("| \(CoverageWords.name(kind)) | \(count.covered) | \(count.all) |")
        }
        if let caution = CoverageWords.caution(coverage) {
            lines += ["", MarkdownText.prose(caution)]
        }
        if !coverage.gaps.isEmpty {
            lines += ["", "<details><summary>Not covered</summary>", ""]
            for gap in shown {
                let place = place(gap).map { " (" + MarkdownText.code($0) + ")" } ?? ""
                lines.append(
                    "- \(MarkdownText.prose(sentence(gap)))\(place), such as "
                        + MarkdownText.code(example(gap)))
            }
            if let rest { lines.append("- \(rest)") }
            lines += ["", "</details>"]
        }
        return lines.map { $0 + "\n" }.joined()
    }

    /// The parts of a page.
    func html(_ source: inout PolicySourceView) -> [HTML] {
        var parts = [HTML.paragraph(CoverageWords.headline(coverage))]
        parts += HTML.table(
            "what the cases ask", ["", "covered", "of"],
            PolicyCoverage.Kind.allCases.map { kind in
                [
                    [HTML(CoverageWords.name(kind))], [HTML(String(coverage[kind].covered))],
                    [HTML(String(coverage[kind].all))],
                ]
            })
        if let caution = CoverageWords.caution(coverage) { parts.append(.paragraph(caution)) }
        guard !told.isEmpty else { return parts }
        let items = told.map { gap in
            [
                HTML.paragraph(sentence(gap)),
                .element(
                    "p", ["class": "place"],
                    [
                        source.link(gap.location?.opened(by: path)),
                        HTML("\(gap.location == nil ? "" : ", ")such as \(example(gap))"),
                    ]),
            ]
        }
        parts.append(.folded([HTML("Not covered")], HTML.list(items)))
        return parts
    }

    // MARK: Parts

    /// The gaps without those that follow from a rule that no case asks.
    private var told: [PolicyCoverage.Gap] {
        let unasked = Set(coverage.gaps.filter { $0.kind == .rules }.map(\.rule))
        return coverage.gaps.filter { $0.kind == .rules || !unasked.contains($0.rule) }
    }

    private var shown: ArraySlice<PolicyCoverage.Gap> { told.prefix(CoverageText.most) }

    private var rest: String? {
        Cut.others(told.count - shown.count).first
    }

    /// The sentence of a gap, for a rule with all that is missing of it.
    private func sentence(_ gap: PolicyCoverage.Gap) -> String {
        guard gap.kind == .rules else { return gap.sentence }
        let all = coverage.gaps.filter { $0.rule == gap.rule }.reduce(0) { $0 + $1.count }
        return "\(gap.sentence) (\(all) missing in all)"
    }

    private func place(_ gap: PolicyCoverage.Gap) -> String? {
        gap.location?.opened(by: path).description
    }

    private func example(_ gap: PolicyCoverage.Gap) -> String { CoverageWords.example(gap) }
}
