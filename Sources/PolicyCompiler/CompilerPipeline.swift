package import TrustEngine

/// The compiler from end to end: parse, bind, check, lower.
package enum CompilerPipeline {
    /// Compiles a unit. Returns all diagnostics of the run in source order (by file, then by
    /// offset). `policy` and `table` exist if and only if no diagnostic is an error.
    package static func compile(_ unit: PolicyUnit, crypto: any CryptoBackend) -> Compilation {
        var compilation = check(unit, crypto: crypto)
        compilation.table = compilation.policy.map { encode($0, crypto) }
        return compilation
    }

    /// As `compile`, for callers that want only the table. Each tree is given up when it is bound,
    /// and the policy before the table is put together, so that they do not lie in memory together.
    /// `memoryFreed` is called after each step that freed much memory in small parts.
    package static func compileTable(
        of unit: PolicyUnit, crypto: any CryptoBackend, memoryFreed: () -> Void = {}
    ) -> (files: [SourceFile], diagnostics: [Diagnostic], table: PolicyTable?) {
        let read = ReadUnit(unit, trees: SyntaxParser.trees(of: unit.files), crypto: crypto)
        let diagnostics = DiagnosticCollector.sorted(read.diagnostics)
        var checked = CheckedPolicy(consume read, of: unit)
        let files = unit.files + unit.mentioned
        guard let policy = checked.take() else { return (files, diagnostics, nil) }
        return (files, diagnostics, encode(consume policy, crypto, memoryFreed))
    }

    /// Compiles a unit without lowering it. Lowering finds no more problems and is most of the
    /// work. So the diagnostics are complete; the table is absent.
    package static func check(_ unit: PolicyUnit, crypto: any CryptoBackend) -> Compilation {
        read(unit, crypto: crypto).compilation
    }

    /// As `check`, and also returns the parts that could be read, which exist even if there were
    /// errors.
    ///
    /// - Parameter old: trees of earlier texts of the files, by their paths, for less work. The
    ///   result does not depend on them.
    package static func read(
        _ unit: PolicyUnit, crypto: any CryptoBackend, reusing old: [String: SyntaxTree] = [:]
    ) -> (compilation: Compilation, parts: PolicyParts) {
        let trees = SyntaxParser.parse(unit: unit.files, reusing: old)
        let read = ReadUnit(unit, trees: trees, crypto: crypto)
        let compilation = Compilation(
            files: unit.files + unit.mentioned, trees: trees,
            diagnostics: DiagnosticCollector.sorted(read.diagnostics),
            policy: CheckedPolicy(read, of: unit), table: nil)
        return (compilation, read.parts)
    }

    /// The table of a checked policy.
    package static func table(
        of policy: CheckedPolicy, crypto: any CryptoBackend
    ) -> PolicyTable {
        encode(policy, crypto)
    }

    private static func encode(
        _ policy: consuming CheckedPolicy, _ crypto: some CryptoBackend,
        _ memoryFreed: () -> Void = {}
    ) -> PolicyTable {
        let sections = Lowering.sections(of: policy)
        memoryFreed()
        let locations = ProvenanceLowering.locations(of: policy)
        _ = consume policy
        memoryFreed()
        return sections.table(locations: locations, crypto: crypto)
    }
}

/// What compiling a unit gave.
package struct Compilation: Sendable {
    /// The unit's files, then files that only diagnostics name. Spans are indices into this list.
    package let files: [SourceFile]
    /// The syntax trees of the unit's files, in the order of `files`.
    package let trees: [SyntaxTree]
    /// Every diagnostic, in source order.
    package let diagnostics: [Diagnostic]
    /// The checked policy; nil if a diagnostic is an error.
    package let policy: CheckedPolicy?
    /// The table with its provenance; nil if a diagnostic is an error, or if only `check` was
    /// called.
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
