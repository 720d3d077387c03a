package import TrustEngine

/// A unit's policy that was bound and checked without an error: what lowering, `lint` and `show` build
/// on. No initialiser is open; a value exists only where nothing can fail any more.
package struct CheckedPolicy: Sendable {
    /// The files of the unit, which every span points into.
    package let files: [SourceFile]
    /// The parts as they were written.
    let bound: BoundPolicy
    /// What `default` says: the one that the unit has.
    let defaultAction: CheckedDefault
    /// The profiles with what they extend: no circle, no chain too deep.
    let layers: ProfileLayers
    /// The anchor sets with what they include.
    let anchorSets: ResolvedAnchorSets

    private init(
        files: [SourceFile], bound: BoundPolicy, anchorSets: ResolvedAnchorSets,
        layers: ProfileLayers, defaultAction: CheckedDefault
    ) {
        self.files = files
        self.bound = bound
        self.anchorSets = anchorSets
        self.defaultAction = defaultAction
        self.layers = layers
    }

    /// Binds and checks the trees of a unit. All diagnostics of both, unsorted; the policy exists
    /// exactly when neither they nor those of the unit and the trees hold an error.
    package static func make(
        _ unit: PolicyUnit, trees: [SyntaxTree], crypto: any CryptoBackend
    ) -> (policy: CheckedPolicy?, diagnostics: [Diagnostic]) {
        let binder = Binder(unit, crypto: crypto)
        for tree in trees { binder.bind(tree) }
        let bound = binder.policy
        var diagnostics = binder.diagnostics
        let anchorSets = ResolvedAnchorSets(bound.anchorSets, crypto: crypto)
        let layers = ProfileLayers(bound.profiles)
        diagnostics += PolicyChecks.run(
            bound, anchorSets: anchorSets, layers: layers, unit: unit, trees: trees)
        let earlier = unit.diagnostics + trees.flatMap(\.diagnostics)
        guard !(earlier + diagnostics).contains(where: { $0.severity == .error }),
            let action = bound.defaults.first.flatMap({ CheckedDefault($0) })
        else { return (nil, diagnostics) }
        let policy = CheckedPolicy(
            files: unit.files, bound: bound, anchorSets: anchorSets, layers: layers,
            defaultAction: action)
        return (policy, diagnostics)
    }
}

/// What `default` says, once it is known to be readable.
struct CheckedDefault: Sendable {
    /// The key.
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
