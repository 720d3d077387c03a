package import PolicyCompiler
package import TrustEngine

/// A finding that is not told, and why.
package struct SuppressedFinding: Hashable, Sendable {
    /// What keeps it quiet.
    package enum Cause: Hashable, Sendable {
        /// An ignore comment with its reason.
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

/// What the linter found in a unit.
package struct LintResult: Sendable {
    /// The unit as it was compiled.
    package let compilation: Compilation
    /// In source order, those of the check among them.
    package let findings: [Diagnostic]
    /// Those that ignore comments hide, in source order.
    package let suppressed: [SuppressedFinding]
    /// Whether the rules on hosts looked at every pattern, and those on anchors at every name; they give up
    /// on a unit that is made to take for ever.
    package let isWhole: Bool
}

/// `lint`: what a check finds, and what every rule of `LintRules` finds that is asked for, less what ignore
/// comments in force hide.
package enum Linter {
    /// Looks at a unit. The work is linear in the unit but for the nesting of host patterns; certificates
    /// are those that the check has read.
    package static func lint(
        _ unit: PolicyUnit, _ options: LintOptions, crypto: any CryptoBackend
    ) -> LintResult {
        let (compilation, parts) = CompilerPipeline.read(unit, crypto: crypto)
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
        var (told, suppressed) = Suppressions.apply(
            to: DiagnosticCollector.sorted(found), in: compilation, options,
            isWhole: context.sawEveryPattern)
        // What could not be read may be what uses, or forbids, the thing that such a fix changes.
        if compilation.policy == nil {
            for index in told.indices where told[index].fix.map({ $0.basis != .text }) ?? false {
                told[index].fix = nil
            }
        }
        return LintResult(
            compilation: compilation, findings: DiagnosticCollector.sorted(told),
            suppressed: suppressed, isWhole: context.sawEveryPattern)
    }
}
