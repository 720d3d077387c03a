package import TrustEngine

/// A unit's policy as far as it could be read, with errors or without: what `lint` looks at, so that one
/// run tells everything. Whoever concludes from something missing asks first whether it may have been
/// there (`isComplete`, `isKnown`, `incompleteNamespaces`).
package struct PolicyParts: Sendable {
    /// The parts as they were written.
    package let bound: BoundPolicy
    /// The profiles with what they extend.
    package let layers: ProfileLayers
    /// The anchor sets with what they include.
    package let anchorSets: ResolvedAnchorSets

    /// What a rule or `default` comes to, as it would stand in a table.
    package func lowered(_ body: BoundBody) -> RuleBody { Lowering.body(body, layers) }

    /// What the sets that rules name come to, as far as they could be read.
    package var loweredSets: (anchors: [AnchorSetContents], pins: [PinSetContents]) {
        (
            bound.anchorSets.map { Lowering.anchorSet($0, anchorSets) },
            bound.pinSets.map { Lowering.pinSet($0, isAnchor: false) }
        )
    }
}

/// A unit's policy that was bound and checked without an error: what lowering and `show` build on. No
/// initialiser is open; a value exists only where nothing can fail any more.
package struct CheckedPolicy: Sendable {
    /// The files of the unit, which every span points into.
    package let files: [SourceFile]
    /// What `default` says: the one that the unit has.
    let defaultAction: CheckedDefault
    private let parts: PolicyParts

    /// The parts as they were written.
    var bound: BoundPolicy { parts.bound }
    /// The profiles with what they extend: no circle, no chain too deep.
    var layers: ProfileLayers { parts.layers }
    /// The anchor sets with what they include.
    var anchorSets: ResolvedAnchorSets { parts.anchorSets }

    private init(files: [SourceFile], parts: PolicyParts, defaultAction: CheckedDefault) {
        self.files = files
        self.parts = parts
        self.defaultAction = defaultAction
    }

    /// Binds and checks the trees of a unit. All diagnostics of both, unsorted; the policy exists
    /// exactly when neither they nor those of the unit and the trees hold an error.
    package static func make(
        _ unit: PolicyUnit, trees: [SyntaxTree], crypto: any CryptoBackend
    ) -> (policy: CheckedPolicy?, diagnostics: [Diagnostic]) {
        let (parts, diagnostics) = read(unit, trees: trees, crypto: crypto)
        return (make(of: parts, in: unit, trees: trees, found: diagnostics), diagnostics)
    }

    /// Binds and checks the trees of a unit, whatever comes of it.
    static func read(
        _ unit: PolicyUnit, trees: [SyntaxTree], crypto: any CryptoBackend
    ) -> (parts: PolicyParts, diagnostics: [Diagnostic]) {
        let binder = Binder(unit, crypto: crypto)
        for tree in trees { binder.bind(tree) }
        let bound = binder.policy
        let parts = PolicyParts(
            bound: bound, layers: ProfileLayers(bound.profiles),
            anchorSets: ResolvedAnchorSets(bound.anchorSets, crypto: crypto))
        let found = PolicyChecks.run(
            bound, anchorSets: parts.anchorSets, layers: parts.layers, unit: unit, trees: trees)
        return (parts, binder.diagnostics + found)
    }

    /// The policy of parts in which nothing was found that is an error.
    static func make(
        of parts: PolicyParts, in unit: PolicyUnit, trees: [SyntaxTree], found: [Diagnostic]
    ) -> CheckedPolicy? {
        let earlier = unit.diagnostics + trees.flatMap(\.diagnostics)
        guard !(earlier + found).contains(where: { $0.severity == .error }),
            let action = parts.bound.defaults.first.flatMap({ CheckedDefault($0) })
        else { return nil }
        return CheckedPolicy(files: unit.files, parts: parts, defaultAction: action)
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
