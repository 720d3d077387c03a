import PolicyCompiler
import TrustEngine

extension AssertionInputs {
    /// What `lint` says of the assertions: every diagnostic of their files, and each assertion that
    /// is stale (HW804) or refuted (HW805). Of a policy with errors nothing is proved.
    func findings(
        of compilation: Compilation, _ options: LintOptions, crypto: any CryptoBackend
    ) -> [Diagnostic] {
        let (assertions, read, _) = read(
            of: compilation.policy, first: compilation.files.count, crypto: crypto)
        // Fixes are of the unit's own files.
        let diagnostics = read.map { diagnostic in
            var diagnostic = diagnostic
            diagnostic.fix = nil
            return diagnostic
        }
        guard let policy = compilation.policy, !assertions.isEmpty else { return diagnostics }
        let table = CompilerPipeline.table(of: policy, crypto: crypto)
        let prover = AssertionProver(
            table, at: options.time, neighbours: neighbours, crypto: crypto)
        return diagnostics
            + assertions.flatMap { file, assertion -> [Diagnostic] in
                do throws(AssertionProver.Failure) {
                    let result = try prover.prove(assertion, in: file)
                    return AssertionDiagnostics(result, compilation).all
                        .filter { options.looksFor($0.code) }
                } catch {
                    return [AssertionDiagnostics.finding(error, of: assertion)]
                }
            }
    }
}
