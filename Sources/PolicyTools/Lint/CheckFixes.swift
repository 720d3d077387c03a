import PolicyCompiler

/// Fixes for what a check finds that need the syntax around it: the check itself sees meaning, and a load
/// has no use for them.
enum CheckFixes {
    /// The finding with its fix, where there is one to add.
    static func adding(to finding: Diagnostic, _ context: LintContext) -> Diagnostic {
        guard finding.fix == nil else { return finding }
        var finding = finding
        switch finding.code {
        case .patternRepeated:
            finding.fix = context.removal(
                of: finding.primary.span, "remove the second one", .safe, .text)
        case .unusedDefinition:
            finding.fix = context.removal(
                of: finding.primary.span, "remove what nothing uses", .needsReview, .unit)
        case .noVersion: finding.fix = version(finding, context)
        default: break
        }
        return finding
    }

    /// `hawser: 1` before the first key, where no key says a version.
    private static func version(_ finding: Diagnostic, _ context: LintContext) -> FixIt? {
        let place = finding.primary.span
        guard let tree = context.trees.first(where: { $0.fileIndex == Int(place.file) }),
            let entries = tree.root?.entries, tree.root?.style == .block,
            !entries.contains(where: { $0.key.text == "hawser" }),
            let first = entries.first?.key.span
        else { return nil }
        let start = SourceSpan(
            file: tree.fileIndex, start: Int(first.start), end: Int(first.start))
        return FixIt(
            title: "say the language version", safety: .needsReview,
            edits: [FixIt.Edit(start, "hawser: 1\n")])
    }
}
