import PolicyCompiler

extension LintRule {
    /// HW008, here as a warning: one file has two kinds of line end, and editors change them
    /// differently.
    static let mixedLineEnds = LintRule(.encoding) { context in
        context.trees.compactMap { tree in
            let bytes = tree.file.bytes
            var withReturn: [Int] = []
            var without: Int?
            for start in tree.file.lines.starts.dropFirst() {
                let offset = start - 1
                if offset > 0, bytes[offset - 1] == 0x0D {
                    withReturn.append(offset - 1)
                } else if without == nil {
                    without = offset
                }
            }
            guard let first = withReturn.first, let without else { return nil }
            func span(_ start: Int, _ end: Int) -> SourceSpan {
                SourceSpan(file: tree.fileIndex, start: start, end: end)
            }
            var finding = Diagnostic(
                .encoding,
                "some lines end with a line feed and others with carriage return and line feed",
                at: Diagnostic.Label(span(first, first + 1), "ends with both"),
                labels: [Diagnostic.Label(span(without, without), "ends with a line feed alone")],
                help: ["save the file with line feeds"],
                fix: FixIt(
                    title: "end every line with a line feed", safety: .safe,
                    edits: withReturn.map { FixIt.Edit(span($0, $0 + 1), "") }))
            finding.severity = .warning
            return finding
        }
    }
}
