package import TrustEngine

/// The parts of a unit's policy that could be read, with errors or without. `lint` works on these,
/// so that one run reports everything. Before concluding that something is missing, a rule must ask
/// whether it may have been written and not read (`isComplete`, `isKnown`, `incompleteNamespaces`).
package struct PolicyParts: Sendable {
    /// The policy as it was written.
    package let bound: BoundPolicy
    /// The profiles, each with the profiles it extends.
    package let layers: ProfileLayers
    /// The anchor sets, each with the sets it includes.
    package let anchorSets: ResolvedAnchorSets
}

/// A unit's policy that was bound and checked without an error. Lowering and `show` work on it. It
/// has no open initialiser: a value exists only if no later step can fail.
package struct CheckedPolicy: Sendable {
    /// The files of the unit. Every span is an index into these.
    package let files: [SourceFile]
    /// The one `default` of the unit.
    let defaultAction: CheckedDefault
    private let parts: PolicyParts

    /// The policy as it was written.
    var bound: BoundPolicy { parts.bound }
    /// The profiles, each with the profiles it extends. No chain is circular or too deep.
    var layers: ProfileLayers { parts.layers }
    /// The anchor sets, each with the sets it includes.
    var anchorSets: ResolvedAnchorSets { parts.anchorSets }

    private init(files: [SourceFile], parts: PolicyParts, defaultAction: CheckedDefault) {
        self.files = files
        self.parts = parts
        self.defaultAction = defaultAction
    }

    /// Binds and checks the syntax trees of a unit. Returns the diagnostics of both steps,
    /// unsorted. The policy is nil if one of these diagnostics, or one of the unit or the trees, is
    /// an error.
    package static func make(
        _ unit: PolicyUnit, trees: [SyntaxTree], crypto: any CryptoBackend
    ) -> (policy: CheckedPolicy?, diagnostics: [Diagnostic]) {
        let read = ReadUnit(unit, trees: trees, crypto: crypto)
        return (CheckedPolicy(read, of: unit), read.found)
    }

    /// The checked policy of a unit that has no error; nil if it has one.
    init?(_ read: ReadUnit, of unit: PolicyUnit) {
        guard !read.diagnostics.contains(where: { $0.severity == .error }),
            let action = read.parts.bound.defaults.first.flatMap({ CheckedDefault($0) })
        else { return nil }
        self.init(files: unit.files, parts: read.parts, defaultAction: action)
    }
}

/// A unit whose syntax trees were bound and checked, with errors or without.
struct ReadUnit {
    let parts: PolicyParts
    /// The diagnostics of binding and checking, unsorted.
    let found: [Diagnostic]
    /// Every diagnostic, unsorted. Diagnostics of the unit and of the trees are included.
    let diagnostics: [Diagnostic]

    /// Binds the trees one after the other and checks the policy. Nothing is kept of a tree but its
    /// diagnostics.
    init(_ unit: PolicyUnit, trees: some Sequence<SyntaxTree>, crypto: any CryptoBackend) {
        let binder = Binder(unit, crypto: crypto)
        var syntax: [Diagnostic] = []
        for tree in trees {
            binder.bind(tree)
            syntax += tree.diagnostics
        }
        let bound = binder.policy
        parts = PolicyParts(
            bound: bound, layers: ProfileLayers(bound.profiles),
            anchorSets: ResolvedAnchorSets(bound.anchorSets, crypto: crypto))
        found =
            binder.diagnostics
            + PolicyChecks.run(
                bound, anchorSets: parts.anchorSets, layers: parts.layers, unit: unit)
        diagnostics = unit.diagnostics + Binder.helped(syntax, by: binder.emptyHelp) + found
    }
}

/// The value of `default`, which is known to be readable.
struct CheckedDefault: Sendable {
    /// The span of the key.
    let key: SourceSpan
    /// Nil for `deny`.
    let body: BoundBody?

    init?(_ bound: BoundDefault) {
        switch bound.action {
        case .deny: body = nil
        case .body(let written): body = written
        case .unreadable: return nil
        }
        key = bound.key
    }
}
