/// The checks of meaning that follow binding, in the order of the language. Each answers one
/// question and adds its diagnostics. No check depends on another check.
enum PolicyChecks {
    /// Runs every check over a bound policy.
    static func run(
        _ policy: BoundPolicy, anchorSets: ResolvedAnchorSets, layers: ProfileLayers,
        unit: PolicyUnit
    ) -> [Diagnostic] {
        var diagnostics: [Diagnostic] = []
        DefaultCheck.run(policy, unit: unit, into: &diagnostics)
        ReferenceCheck.run(policy, into: &diagnostics)
        HostTieCheck.run(policy, into: &diagnostics)
        AnchorKindCheck.run(policy, into: &diagnostics)
        AnchorSetCheck.run(policy, sets: anchorSets, into: &diagnostics)
        AnchorSetDeadEndCheck.run(policy, sets: anchorSets, layers: layers, into: &diagnostics)
        RuleAnchorsCheck.run(policy, sets: anchorSets, layers: layers, into: &diagnostics)
        PinSetCheck.run(policy, into: &diagnostics)
        ProfileCheck.run(policy, layers: layers, into: &diagnostics)
        FieldConflictCheck.run(policy, layers: layers, into: &diagnostics)
        VersionSuiteCheck.run(policy, layers: layers, into: &diagnostics)
        ForbiddenKeyCheck.run(policy, layers: layers, into: &diagnostics)
        TransparencyCheck.run(policy, sets: anchorSets, layers: layers, into: &diagnostics)
        IdentityCheck.run(policy, into: &diagnostics)
        WaiverCheck.run(policy, layers: layers, into: &diagnostics)
        ReportOnlyCheck.run(policy, layers: layers, into: &diagnostics)
        return diagnostics
    }
}

extension BoundPolicy {
    /// Every body, of `default` and of every rule.
    package var bodies: some Sequence<BoundBody> {
        let ofDefaults = defaults.compactMap { item in
            if case .body(let body) = item.action { return body }
            return nil as BoundBody?
        }
        return (0..<ofDefaults.count + rules.count).lazy.map { index in
            index < ofDefaults.count ? ofDefaults[index] : rules[index - ofDefaults.count].body
        }
    }

    /// The bodies for which `isWanted` is true. The other bodies, usually most of them, are tested
    /// without being copied.
    package func bodies(where isWanted: (BoundBody) -> Bool) -> [BoundBody] {
        let ofDefaults = defaults.compactMap { item in
            if case .body(let body) = item.action, isWanted(body) { return body }
            return nil as BoundBody?
        }
        return ofDefaults + rules.filter { isWanted($0.body) }.map(\.body)
    }
}
