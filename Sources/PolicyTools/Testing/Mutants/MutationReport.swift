import Rendering
package import TrustEngine

/// Which mistakes in a policy its tests notice.
package struct MutationReport: Sendable {
    /// A mutant, and the cases that fail because of it.
    package struct Entry: Sendable {
        package let mutant: Mutant
        /// The names of the cases, in the order in which they were given.
        package let noticedBy: [String]
    }

    package let entries: [Entry]
    /// Changes that do not count as mutants, because every host is decided as before.
    package let equal: Int
    /// Changes that were not looked at.
    package let omitted: Int

    /// Joins mutants with what noticed them.
    ///
    /// - Parameter noticedBy: for each mutant in its order, the cases that fail because of it.
    package init(_ mutants: Mutants, noticedBy: [[String]]) {
        entries = zip(mutants.list, noticedBy).map { Entry(mutant: $0, noticedBy: $1) }
        equal = mutants.equal
        omitted = mutants.omitted
    }

    /// Judges each mutant in turn.
    ///
    /// - Parameter notices: the names of the cases that fail under a policy.
    package init(
        _ mutants: Mutants, crypto: some CryptoBackend, notices: (PolicyTable) -> [String]
    ) {
        self.init(mutants, noticedBy: mutants.list.map { notices($0.table(crypto: crypto)) })
    }

    /// The mutants that no case notices, in the order of the policy's lines.
    package var survivors: [Mutant] { entries.filter(\.noticedBy.isEmpty).map(\.mutant) }

    /// The number of mutants that a case notices.
    package var killed: Int { entries.count - survivors.count }

    /// Why there are too many survivors, in one sentence; nil where there are not.
    package func excess(over most: Int) -> String? {
        let count = survivors.count
        guard count > most else { return nil }
        return "\(Words.count(count, "mistake is", "mistakes are")) noticed by no case, "
            + "\(count - most) more than `--most-survivors` lets pass"
    }

    // MARK: Formats

    /// The first line: what was made and what was noticed.
    package var headline: String {
        var text =
            "\(Words.count(entries.count, "mistake", "mistakes")) tried: \(killed) noticed, "
            + "\(survivors.count) not"
        if equal > 0 {
            text += "; \(Words.count(equal, "more decides", "more decide")) nothing"
        }
        if omitted > 0 {
            text += "; \(omitted) not tried, because a policy may have \(Mutants.most)"
        }
        return text
    }

    package static func sentence(_ mutant: Mutant) -> String {
        "nothing notices when \(mutant.change)"
    }

    /// The text; each line ends with a line feed.
    ///
    /// - Parameter path: makes the path that a reader can open of a file of the unit.
    package func text(path: (String) -> String) -> String {
        var lines = [headline]
        for mutant in survivors {
            lines.append("  \(MutationReport.sentence(mutant))")
            let place = MutationReport.place(mutant, path).map { $0 + ", " } ?? ""
            lines.append("      \(place)such as \(MutationReport.example(mutant))")
        }
        return lines.map { TerminalEscape.escape($0) + "\n" }.joined()
    }

    /// A section of a Markdown page; each line ends with a line feed.
    package func markdown(path: (String) -> String) -> String {
        var lines = [MarkdownText.prose(headline)]
        let survivors = survivors
        if !survivors.isEmpty {
            lines += ["", "<details><summary>Not noticed</summary>", ""]
            for mutant in survivors.prefix(CoverageText.most) {
                let place =
                    MutationReport.place(mutant, path).map { " (" + MarkdownText.code($0) + ")" }
                    ?? ""
                lines.append(
                    "- \(MarkdownText.prose(MutationReport.sentence(mutant)))\(place), such as "
                        + MarkdownText.code(MutationReport.example(mutant)))
            }
            lines += Cut.others(survivors.count - CoverageText.most).map { "- \($0)" }
            lines += ["", "</details>"]
        }
        return lines.map { $0 + "\n" }.joined()
    }

    /// The parts of a page.
    func html(path: (String) -> String, _ source: inout PolicySourceView) -> [HTML] {
        let parts = [HTML.paragraph(headline)]
        guard !survivors.isEmpty else { return parts }
        let items = survivors.map { mutant in
            [
                HTML.paragraph(MutationReport.sentence(mutant)),
                .element(
                    "p", ["class": "place"],
                    [
                        source.link(mutant.location?.opened(by: path)),
                        HTML(
                            "\(mutant.location == nil ? "" : ", ")such as "
                                + MutationReport.example(mutant)),
                    ]),
            ]
        }
        return parts + [.folded([HTML("Not noticed")], HTML.list(items))]
    }

    private static func place(_ mutant: Mutant, _ path: (String) -> String) -> String? {
        mutant.location?.opened(by: path).description
    }

    private static func example(_ mutant: Mutant) -> String {
        "\(mutant.witness.text) at \(mutant.time.description)"
    }
}
