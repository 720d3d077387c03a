internal import TrustEngine

/// Checks that no sets include each other in a circle, and that the keys about members stand in
/// sets that have members (LANGUAGE section 5).
enum AnchorSetCheck {
    static func run(
        _ policy: BoundPolicy, sets: ResolvedAnchorSets, into diagnostics: inout [Diagnostic]
    ) {
        for circle in sets.circles { reportCircle(circle, sets, into: &diagnostics) }
        if let set = sets.tooLarge {
            diagnostics.append(
                Diagnostic(
                    .limits,
                    "with `\(set.value)` the unit's anchor sets hold more than "
                        + "\(ResolvedAnchorSets.largest) members, counted wherever they are "
                        + "included",
                    at: Diagnostic.Label(set.span),
                    help: ["include fewer sets, or name several sets in the rule instead"]))
        }
        for set in policy.anchorSets {
            checkPinnedKeys(set, into: &diagnostics)
            checkOwnTerms(set, into: &diagnostics)
            guard let resolution = sets[set.id.value] else { continue }
            // Reported at the set where the depth first passes the limit. Sets that include it are
            // deeper still.
            if resolution.depth == ResolvedAnchorSets.deepest + 1, let include = set.include {
                diagnostics.append(
                    Diagnostic(
                        .extendsCycle,
                        "`\(set.id.value)` includes through more than "
                            + "\(ResolvedAnchorSets.deepest) sets",
                        at: Diagnostic.Label(include.span), help: ["fold some of them into one"]))
            }
            checkFilters(set, resolution, into: &diagnostics)
        }
    }

    private static func reportCircle(
        _ circle: (members: [String], closing: Located<String>), _ sets: ResolvedAnchorSets,
        into diagnostics: inout [Diagnostic]
    ) {
        let (members, closing) = circle
        var labels: [Diagnostic.Label] = []
        for (id, next) in zip(members, members.dropFirst()).prefix(3) {
            let item = sets.set(id)?.include?.items.first { $0.value == next }
            if let item { labels.append(Diagnostic.Label(item.span, "`\(id)` includes it here")) }
        }
        var shown = Array(members.prefix(8))
        shown.append(members.count > 8 ? "…" : members[0])
        diagnostics.append(
            Diagnostic(
                .extendsCycle,
                members.count == 1
                    ? "`\(members[0])` includes itself"
                    : "anchor sets include each other in a circle: "
                        + shown.map { "`\($0)`" }.joined(separator: ", "),
                at: Diagnostic.Label(closing.span), labels: labels,
                help: ["put what they share into a set that includes none of them"]))
    }

    private static func checkPinnedKeys(
        _ set: BoundAnchorSet, into diagnostics: inout [Diagnostic]
    ) {
        for item in set.include?.items ?? [] where item.value == "pinned-keys" {
            diagnostics.append(
                Diagnostic(
                    .flagConflict,
                    "`\(set.id.value)` includes `pinned-keys`, which is whatever a rule pins and has "
                        + "no members of its own",
                    at: Diagnostic.Label(item.span),
                    help: ["write `anchors: [pinned-keys]` in the rule that has the `pins`"]))
        }
    }

    /// `kind`, `standard` and `ignore-limits` apply to the set's own certificates. Included members
    /// keep the terms of the set that they come from.
    private static func checkOwnTerms(
        _ set: BoundAnchorSet, into diagnostics: inout [Diagnostic]
    ) {
        guard set.isComplete, set.include != nil, set.files == nil, set.pem == nil else { return }
        let written: [(name: String, span: SourceSpan?)] = [
            ("kind", set.kind?.span), ("standard", set.standard?.span),
            ("ignore-limits", set.ignoredLimits?.span),
        ]
        for (name, span) in written {
            guard let span else { continue }
            diagnostics.append(
                Diagnostic(
                    .flagConflict,
                    "`\(name)` is for the `files` and `pem` of `\(set.id.value)`, which has neither: "
                        + "included members keep the terms of their own set",
                    at: Diagnostic.Label(span),
                    labels: set.include.map { [Diagnostic.Label($0.span, "included here")] } ?? [],
                    help: ["write it in the set that holds the certificates"]))
        }
    }

    private static func checkFilters(
        _ set: BoundAnchorSet, _ resolution: ResolvedAnchorSets.Resolution,
        into diagnostics: inout [Diagnostic]
    ) {
        for (key, entry) in resolution.idle {
            diagnostics.append(
                Diagnostic(
                    .unmatchedEntry,
                    "`\(key)` of `\(set.id.value)` names `\(entry.id.value)`, which matches none of "
                        + "its members",
                    at: Diagnostic.Label(entry.key.span),
                    help: ["`hawser pin FILE` prints the digests of a certificate", "or remove it"])
            )
        }
        guard resolution.isEmptied, resolution.isComplete,
            let last = set.exclude?.key ?? set.only?.key
        else { return }
        diagnostics.append(
            Diagnostic(
                .flagConflict,
                "`only` and `exclude` leave no member of `\(set.id.value)`, so nothing could be "
                    + "trusted through it",
                at: Diagnostic.Label(last),
                labels: set.only.flatMap {
                    $0.key == last ? nil : [Diagnostic.Label($0.key, "and this")]
                }
                    ?? [],
                help: ["keep at least one member"]))
    }
}
