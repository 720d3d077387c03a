internal import TrustEngine

/// Checks that every name that is used is defined or built in, and that every definition is used
/// (LANGUAGE section 3).
enum ReferenceCheck {
    /// One use of a name.
    private struct Use {
        var namespace: Namespace
        var id: Located<String>
        /// Whether this use gives the definition an effect. An exemption does not: the anchor set
        /// that it names must also be used by something else.
        var isUse = true
    }

    static func run(_ policy: BoundPolicy, into diagnostics: inout [Diagnostic]) {
        let uses = self.uses(in: policy)
        let definitions = self.definitions(in: policy)
        let names = definitions.mapValues { Set($0.map(\.value)) }
        // Finding similar names compares a name with every definition. In a policy full of mistakes
        // only the first names get a proposal.
        var guesses = mostComparisons
        var used: [Namespace: Set<String>] = [:]
        // A misspelt reference may mean the definition that seems to be unused.
        var unsure = policy.incompleteReferences
        for use in uses {
            if use.isUse { used[use.namespace, default: []].insert(use.id.value) }
            if names[use.namespace]?.contains(use.id.value) == true { continue }
            if use.namespace.builtIn.contains(use.id.value) { continue }
            unsure.insert(use.namespace)
            if policy.incompleteNamespaces.contains(use.namespace) { continue }
            let defined = names[use.namespace, default: []]
            guesses -= defined.count
            reportDangling(use, among: guesses >= 0 ? defined : [], into: &diagnostics)
        }
        for namespace in [Namespace.anchors, .pins, .profiles] where !unsure.contains(namespace) {
            for id in definitions[namespace, default: []]
            where used[namespace]?.contains(id.value) != true {
                diagnostics.append(
                    Diagnostic(
                        .unusedDefinition, "nothing uses the \(namespace.noun) `\(id.value)`",
                        at: Diagnostic.Label(id.span),
                        help: ["name it in a rule, or remove it"]))
            }
        }
    }

    /// The most pairs of names that one run compares to make proposals.
    private static let mostComparisons = 200_000

    private static func uses(in policy: BoundPolicy) -> [Use] {
        var uses: [Use] = []
        for body in policy.bodies {
            for id in body.anchors?.items ?? [] { uses.append(Use(namespace: .anchors, id: id)) }
            for id in body.pins?.items ?? [] { uses.append(Use(namespace: .pins, id: id)) }
            if let profile = body.profile { uses.append(Use(namespace: .profiles, id: profile)) }
            uses += exemptions(in: body.fields)
        }
        for set in policy.anchorSets {
            // A set that includes itself does not count as a use.
            uses += (set.include?.items ?? []).filter { $0.value != set.id.value }
                .map { Use(namespace: .anchors, id: $0) }
        }
        for profile in policy.profiles {
            uses += exemptions(in: profile.fields)
            // A profile that extends itself does not count as a use.
            guard let parent = profile.parent, parent.value != profile.id.value else { continue }
            uses.append(Use(namespace: .profiles, id: parent))
        }
        return uses
    }

    private static func exemptions(in fields: BoundFields) -> [Use] {
        (fields.ids[.transparencyExemptAnchors] ?? []).map {
            Use(namespace: .anchors, id: $0, isUse: false)
        }
    }

    /// The definitions that can be named; nothing names a rule.
    private static func definitions(in policy: BoundPolicy) -> [Namespace: [Located<String>]] {
        [
            .anchors: policy.anchorSets.map(\.id), .pins: policy.pinSets.map(\.id),
            .profiles: policy.profiles.map(\.id),
        ]
    }

    private static func reportDangling(
        _ use: Use, among defined: Set<String>, into diagnostics: inout [Diagnostic]
    ) {
        let names = defined + use.namespace.builtIn
        let question = DidYouMean.question(for: use.id.value, among: names)
        let section = "`\(use.namespace.rawValue)`"
        var help: [String] = []
        if question.isEmpty {
            help =
                names.isEmpty
                ? ["define it in \(section)"]
                : [
                    "defined are "
                        + names.sorted().prefix(20).map { "`\($0)`" }.joined(separator: ", ")
                ]
        }
        // There is no fix. The name may belong to something that is not defined yet, and the thing
        // with the similar name may trust other anchors or demand less.
        diagnostics.append(
            Diagnostic(
                .danglingReference,
                "no \(use.namespace.noun) is called `\(use.id.value)`\(question)",
                at: Diagnostic.Label(use.id.span), help: help))
    }
}
