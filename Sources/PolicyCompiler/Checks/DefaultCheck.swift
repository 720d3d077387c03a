/// Checks that exactly one file of a unit has `default`, and that it is `policy.yaml` if the unit
/// is a directory (LANGUAGE section 2.2).
enum DefaultCheck {
    private static let home = "policy.yaml"

    static func run(
        _ policy: BoundPolicy, unit: PolicyUnit, trees: [SyntaxTree],
        into diagnostics: inout [Diagnostic]
    ) {
        func isAtHome(_ item: BoundDefault) -> Bool {
            !unit.isDirectory || trees[Int(item.key.file)].file.path == home
        }
        guard let first = policy.defaults.first(where: isAtHome) ?? policy.defaults.first else {
            if !policy.mayHaveDefault { reportMissing(unit, trees, into: &diagnostics) }
            return
        }
        let place = location(first.key, trees)
        var action = ""
        if case .deny = first.action { action = ", `deny`" }
        for item in policy.defaults where item.key != first.key {
            diagnostics.append(
                Diagnostic(
                    .duplicateId,
                    "`default` is set twice; one file of the unit decides what unmatched hosts get",
                    at: Diagnostic.Label(item.key),
                    labels: [Diagnostic.Label(first.key, "set in \(place)\(action)")],
                    help: [
                        "give your hosts a rule; the default is changed in \(path(first.key, trees))"
                    ]))
        }
        guard !isAtHome(first) else { return }
        diagnostics.append(
            Diagnostic(
                .missingKey,
                "`default` belongs in `\(home)`, the file at the unit's root, which has none",
                at: Diagnostic.Label(first.key), help: ["move it to `\(home)`"]))
    }

    private static func reportMissing(
        _ unit: PolicyUnit, _ trees: [SyntaxTree], into diagnostics: inout [Diagnostic]
    ) {
        let root = trees.first { $0.file.path == home } ?? trees.first
        guard let root, let key = root.root?.entries.first?.key else { return }
        diagnostics.append(
            Diagnostic(
                .missingKey,
                "the unit has no `default`: it must say what hosts get that no rule matches",
                at: Diagnostic.Label(key.span),
                help: ["`default: deny`, or a body such as `default: { anchors: [system] }`"]))
    }

    private static func path(_ span: SourceSpan, _ trees: [SyntaxTree]) -> String {
        trees[Int(span.file)].file.path
    }

    private static func location(_ span: SourceSpan, _ trees: [SyntaxTree]) -> String {
        let file = trees[Int(span.file)].file
        let place = file.position(of: Int(span.start))
        return "\(file.path):\(place.line):\(place.column)"
    }
}
