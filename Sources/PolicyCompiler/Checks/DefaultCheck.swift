/// Checks that exactly one file of a unit has `default`, and that it is `policy.yaml` if the unit
/// is a directory (LANGUAGE section 2.2).
enum DefaultCheck {
    static func run(
        _ policy: BoundPolicy, unit: PolicyUnit, into diagnostics: inout [Diagnostic]
    ) {
        func isAtHome(_ item: BoundDefault) -> Bool {
            !unit.isDirectory || unit.files[Int(item.key.file)].path == PolicyUnit.home
        }
        guard let first = policy.defaults.first(where: isAtHome) ?? policy.defaults.first else {
            if !policy.mayHaveDefault { reportMissing(policy, into: &diagnostics) }
            return
        }
        let place = location(first.key, unit)
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
                        "give your hosts a rule; the default is changed in \(unit.files[Int(first.key.file)].path)"
                    ]))
        }
        guard !isAtHome(first) else { return }
        diagnostics.append(
            Diagnostic(
                .missingKey,
                "`default` belongs in `\(PolicyUnit.home)`, the file at the unit's root, which has none",
                at: Diagnostic.Label(first.key), help: ["move it to `\(PolicyUnit.home)`"]))
    }

    private static func reportMissing(_ policy: BoundPolicy, into diagnostics: inout [Diagnostic]) {
        guard let key = policy.homeKey else { return }
        diagnostics.append(
            Diagnostic(
                .missingKey,
                "the unit has no `default`: it must say what hosts get that no rule matches",
                at: Diagnostic.Label(key),
                help: [help(policy)]))
    }

    /// What to write. The example of a body names an anchor set of the unit, or the machine's store
    /// where every rule names the store and nothing else: no help proposes a wider set than the
    /// policy has.
    private static func help(_ policy: BoundPolicy) -> String {
        let deny = "write `default: deny`"
        let own = policy.anchorSets.first?.id.value
        let lists = policy.outlines.anchors.filter { !$0.isEmpty }
        let isStoreAlone =
            !lists.isEmpty && lists.allSatisfy { $0 == ["system"] }
            && !policy.incompleteReferences.contains(.anchors)
        guard let known = own ?? (isStoreAlone ? "system" : nil) else { return deny }
        return deny + ", or a body such as `default: { anchors: [\(known)] }`"
    }

    private static func location(_ span: SourceSpan, _ unit: PolicyUnit) -> String {
        let file = unit.files[Int(span.file)]
        let place = file.position(of: Int(span.start))
        return "\(file.path):\(place.line):\(place.column)"
    }
}
