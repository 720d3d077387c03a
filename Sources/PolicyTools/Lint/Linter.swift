package import PolicyCompiler
package import TrustEngine

/// A finding that is not reported, and why.
package struct SuppressedFinding: Hashable, Sendable {
    /// What hides it.
    package enum Cause: Hashable, Sendable {
        /// An ignore comment, with its reason.
        case comment(reason: String)
        /// An entry of the baseline.
        case baseline
    }

    package let diagnostic: Diagnostic
    package let cause: Cause

    package init(_ diagnostic: Diagnostic, _ cause: Cause) {
        self.diagnostic = diagnostic
        self.cause = cause
    }
}

/// The findings of the linter in a unit.
package struct LintResult: Sendable {
    /// The unit as it was compiled.
    package let compilation: Compilation
    /// The reported findings in source order, with the diagnostics of the check.
    package let findings: [Diagnostic]
    /// The findings that ignore comments hide, in source order.
    package let suppressed: [SuppressedFinding]
    /// The test files with their faults, where the unit has some.
    package let testFiles: [LintedTestFile]
    /// Whether the rules on hosts examined every pattern, and the rules on anchors every name. They
    /// stop early on a unit that is made to take too long.
    package let isWhole: Bool
    /// The files of assertions, whose findings are among `findings`.
    package internal(set) var assertionFiles: [SourceFile] = []

    /// The files that the spans of the findings index.
    package var files: [SourceFile] { compilation.files + assertionFiles }
}

/// `lint`: the diagnostics of `check` and the findings of the selected rules of `LintRules`,
/// without those that ignore comments hide.
package enum Linter {
    /// Lints a unit. The work is linear in the size of the unit, except for nested host patterns.
    /// Certificates are those that the check has read.
    package static func lint(
        _ unit: PolicyUnit, _ options: LintOptions, crypto: any CryptoBackend
    ) -> LintResult {
        lint(CompilerPipeline.read(unit, crypto: crypto), options, crypto: crypto)
    }

    /// Lints a unit that was read already (`CompilerPipeline.read`).
    package static func lint(
        _ read: (compilation: Compilation, parts: PolicyParts), _ options: LintOptions,
        crypto: any CryptoBackend
    ) -> LintResult {
        let (compilation, parts) = read
        let context = LintContext(compilation, parts, options, crypto: crypto)
        var found = compilation.diagnostics.filter { options.looksFor($0.code) }
            .map { CheckFixes.adding(to: $0, context) }
        for rule in LintRules.all where options.wants(rule) {
            found += rule.find(context).map { finding in
                var finding = finding
                if rule.isErrorWhenStrict, options.level >= .strict { finding.severity = .error }
                return finding
            }
        }
        found = context.withoutRepeatedSets(found)
        var (told, suppressed) = Suppressions.apply(
            to: DiagnosticCollector.sorted(found), in: compilation, options,
            isWhole: context.sawEveryPattern)
        // A part that could not be read may use, or forbid, the thing that the fix changes.
        if compilation.policy == nil {
            for index in told.indices where told[index].fix.map({ $0.basis != .text }) ?? false {
                told[index].fix = nil
            }
        }
        if let assertions = options.assertions {
            told += assertions.findings(of: compilation, options, crypto: crypto)
        }
        return LintResult(
            compilation: compilation, findings: DiagnosticCollector.sorted(told),
            suppressed: suppressed, testFiles: context.testFiles, isWhole: context.sawEveryPattern,
            assertionFiles: options.assertions?.allFiles ?? [])
    }
}
