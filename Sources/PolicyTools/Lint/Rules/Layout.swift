import PolicyCompiler
import TrustEngine

extension LintRule {
    /// HW901: `hawser fmt` would change the file. A file that cannot be read as a policy has other
    /// findings.
    static let notFormatted = LintRule(.notFormatted) { context in
        context.trees.compactMap { tree in
            guard let text = try? PolicyFormatter.format(tree), text != tree.file.bytes else {
                return nil
            }
            let whole = SourceSpan(
                file: tree.fileIndex, start: 0, end: tree.file.bytes.count)
            let same = zip(text, tree.file.bytes).prefix { $0 == $1 }.count
            let line = tree.file.line(tree.file.lines.line(of: same))
            let lineSpan = SourceSpan(
                file: tree.fileIndex, start: line.lowerBound, end: line.upperBound)
            return Diagnostic(
                .notFormatted,
                "the file is not in canonical layout; this is the first line that differs",
                at: Diagnostic.Label(lineSpan), help: ["run `hawser fmt`"],
                fix: FixIt(
                    title: "write it in canonical layout", safety: .safe,
                    edits: [FixIt.Edit(whole, String(decoding: text, as: UTF8.self))]))
        }
    }

    /// HW902: a rule stands below a wider rule of the same file. The order has no meaning, but
    /// readers assume one.
    static let unsortedRules = LintRule(.unsortedRules) { context in
        context.bound.rules.enumerated().compactMap { index, rule in
            for (number, host) in rule.hosts.enumerated() {
                let wider = (context.coverage.answers(to: number, of: index)?.withoutRule ?? [])
                    .compactMap(context.coverage.entry)
                    .first { outer in
                        let other = context.bound.rules[outer.rule].id.span
                        return other.file == rule.id.span.file && other.start < rule.id.span.start
                    }
                guard let wider else { continue }
                let other = context.bound.rules[wider.rule]
                return Diagnostic(
                    .unsortedRules,
                    "`\(rule.id.value)` stands below `\(other.id.value)` and decides before it: "
                        + "`\(host.text)` is narrower than `\(wider.host.text)`",
                    at: Diagnostic.Label(rule.id.span),
                    labels: [Diagnostic.Label(wider.host.span, "the wider pattern")],
                    help: ["move it above `\(other.id.value)`; order itself means nothing"])
            }
            return nil
        }
    }
}
