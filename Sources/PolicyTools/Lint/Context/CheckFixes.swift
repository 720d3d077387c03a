import PolicyCompiler

/// Adds to the diagnostics of `check` what the check does not have: fixes that need the syntax
/// around the diagnostic, and days to propose. The check itself works on the meaning, and loading a
/// policy needs neither.
enum CheckFixes {
    /// The diagnostic with its fix, if there is one to add.
    static func adding(to finding: Diagnostic, _ context: LintContext) -> Diagnostic {
        var finding = finding
        // The compiler reads no clock, so it cannot propose a day.
        if finding.code == .unknownValue {
            finding.help = finding.help.map {
                $0.replacing(
                    "until: YYYY-MM-DD }", with: "until: \(context.lastDayOfException) }")
            }
        }
        guard finding.fix == nil else { return finding }
        switch finding.code {
        case .patternRepeated:
            finding.fix = context.removal(
                of: finding.primary.span, "remove the second one", .safe, .text)
        case .unusedDefinition:
            finding.fix = context.removal(
                of: finding.primary.span, "remove what nothing uses", .needsReview, .unit)
        case .noVersion: finding.fix = version(finding, context)
        case .versionWithoutSuite: finding.fix = context.suiteFix(finding)
        default: break
        }
        return finding
    }

    /// Adds `hawser: 1` before the first key, if no key states a version.
    private static func version(_ finding: Diagnostic, _ context: LintContext) -> FixIt? {
        let span = finding.primary.span
        guard let tree = context.trees.first(where: { $0.fileIndex == Int(span.file) }),
            let entries = tree.root?.entries, tree.root?.style == .block,
            !entries.contains(where: { $0.key.text == "hawser" }),
            let first = entries.first?.key.span
        else { return nil }
        let start = SourceSpan(
            file: tree.fileIndex, start: Int(first.start), end: Int(first.start))
        let file = tree.file
        let before = file.bytes[
            file.lines.starts[file.lines.line(of: Int(first.start))]..<Int(first.start)]
        guard before.allSatisfy({ $0 == 0x20 }) else { return nil }
        let indent = String(repeating: " ", count: before.count)
        return FixIt(
            title: "say the language version", safety: .needsReview,
            edits: [FixIt.Edit(start, "hawser: 1\n\(indent)")])
    }
}
