import PolicyCompiler
import PolicyTools

extension LintRun: FindingCall {
    /// The options of `LintCommand`.
    static let options = HookOption<LintRun>.answer + own

    private static let own: [HookOption<LintRun>] = [
        .text("--at") { $0.at = $1 },
        .text("--horizon") { $0.horizon = $1 },
        .word("--level") { $0.level = $1 },
        .word("--fail-on") { $0.failOn = $1 },
        .text("--select") { $0.select.append($1) },
        .text("--ignore") { $0.ignore.append($1) },
        .flag("--fix") { $0.fix = $0.fix ?? .safe },
        .flag("--fix-unsafe") { $0.fix = .all },
        .flag("--diff") { $0.diff = true },
        .text("--base") { $0.base = $1 },
        .text("--baseline") { $0.baseline = $1 },
        .text("--write-baseline") { $0.writeBaseline = $1 },
        .flag("--exit-zero") { $0.exitZero = true },
        .text("--stdin-filename") { $0.inputName = $1 },
    ]
}
