package import TrustEngine

/// The compiler from end to end, readable in one screen: parse, bind, check, lower.
package enum CompilerPipeline {
    /// Compiles a unit. All diagnostics of one run, in source order (by file, then offset); `policy`
    /// and `table` exist exactly when none of them is an error.
    package static func compile(_ unit: PolicyUnit, crypto: any CryptoBackend) -> Compilation {
        var compilation = check(unit, crypto: crypto)
        compilation.table = compilation.policy.map { encode($0, crypto) }
        return compilation
    }

    /// Compiles a unit as far as its diagnostics: lowering finds nothing wrong any more, so the table,
    /// most of the work, is left out.
    package static func check(_ unit: PolicyUnit, crypto: any CryptoBackend) -> Compilation {
        read(unit, crypto: crypto).compilation
    }

    /// The same with the parts that were read, which exist even where there was an error.
    package static func read(
        _ unit: PolicyUnit, crypto: any CryptoBackend
    ) -> (compilation: Compilation, parts: PolicyParts) {
        let trees = SyntaxParser.parse(unit: unit.files)
        let (parts, found) = CheckedPolicy.read(unit, trees: trees, crypto: crypto)
        let diagnostics = unit.diagnostics + trees.flatMap(\.diagnostics) + found
        let compilation = Compilation(
            files: unit.files + unit.mentioned, trees: trees,
            diagnostics: DiagnosticCollector.sorted(diagnostics),
            policy: CheckedPolicy.make(of: parts, in: unit, trees: trees, found: found),
            table: nil)
        return (compilation, parts)
    }

    /// The table of a policy that was checked.
    package static func table(
        of policy: CheckedPolicy, crypto: any CryptoBackend
    ) -> PolicyTable {
        encode(policy, crypto)
    }

    private static func encode(
        _ policy: CheckedPolicy, _ crypto: some CryptoBackend
    ) -> PolicyTable {
        PolicyTable.encode(
            Lowering.contents(of: policy), provenance: ProvenanceLowering.provenance(of: policy),
            crypto: crypto)
    }
}

/// The outcome of compiling a unit.
package struct Compilation: Sendable {
    /// The unit's files, then those that its diagnostics only mention; spans index into them.
    package let files: [SourceFile]
    /// Syntax of the unit's files, same order.
    package let trees: [SyntaxTree]
    /// Every diagnostic, in source order.
    package let diagnostics: [Diagnostic]
    /// The policy as it was checked; nil when there was an error.
    package let policy: CheckedPolicy?
    /// The table, provenance included; nil when there was an error, or when only a check was asked for.
    package fileprivate(set) var table: PolicyTable?

    package init(
        files: [SourceFile], trees: [SyntaxTree], diagnostics: [Diagnostic],
        policy: CheckedPolicy? = nil, table: PolicyTable?
    ) {
        self.files = files
        self.trees = trees
        self.diagnostics = diagnostics
        self.policy = policy
        self.table = table
    }

    /// Whether any diagnostic is an error.
    package var hasErrors: Bool { diagnostics.contains { $0.severity == .error } }
}
