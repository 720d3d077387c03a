internal import TrustEngine

/// Checks that every name that is used is defined or built in, and that every definition is used
/// (LANGUAGE section 3).
enum ReferenceCheck {
    static func run(_ policy: BoundPolicy, into diagnostics: inout [Diagnostic]) {
        var anchors = Uses(of: policy.anchorSets.lazy.map(\.id), .anchors, policy)
        var pins = Uses(of: policy.pinSets.lazy.map(\.id), .pins, policy)
        var profiles = Uses(of: policy.profiles.lazy.map(\.id), .profiles, policy)
        var guesses = mostComparisons
        // Where everything that rules name is defined, only exemptions are left to look at.
        let areDefined =
            policy.outlines.profiles.allSatisfy { $0.map(profiles.isDefined) ?? true }
            && policy.outlines.anchors.allSatisfy { $0.allSatisfy(anchors.isDefined) }
            && policy.outlines.pins.allSatisfy { $0.allSatisfy(pins.isDefined) }
        if areDefined {
            for case let id? in policy.outlines.profiles { profiles.use(id) }
            for id in policy.outlines.anchors.joined() { anchors.use(id) }
            for id in policy.outlines.pins.joined() { pins.use(id) }
        }
        let bodies = policy.bodies(
            { !areDefined || $0.has(.fields) }, default: { _ in true })
        for body in bodies {
            for id in body.anchors?.items ?? [] { anchors.add(id, &guesses, &diagnostics) }
            for id in body.pins?.items ?? [] { pins.add(id, &guesses, &diagnostics) }
            if let profile = body.profile { profiles.add(profile, &guesses, &diagnostics) }
            anchors.addExemptions(in: body.fields, &guesses, &diagnostics)
        }
        for set in policy.anchorSets {
            // A set that includes itself does not count as a use.
            for id in set.include?.items ?? [] where id.value != set.id.value {
                anchors.add(id, &guesses, &diagnostics)
            }
        }
        for profile in policy.profiles {
            anchors.addExemptions(in: profile.fields, &guesses, &diagnostics)
            // A profile that extends itself does not count as a use.
            guard let parent = profile.parent, parent.value != profile.id.value else { continue }
            profiles.add(parent, &guesses, &diagnostics)
        }
        for uses in [anchors, pins, profiles] { uses.reportUnused(into: &diagnostics) }
    }

    /// The most pairs of names that one run compares to make proposals. Finding similar names
    /// compares a name with every definition; in a policy full of mistakes only the first names get
    /// a proposal.
    private static let mostComparisons = 200_000

    /// The definitions of a namespace, and which of them are used.
    private struct Uses {
        private let namespace: Namespace
        private let definitions: [Located<String>]
        /// Whether a definition is used, by its name.
        private var isUsed: [String: Bool]
        /// Whether a definition of the namespace could not be read.
        private let isIncomplete: Bool
        /// Whether a reference could not be read, or names nothing: it may mean the definition that
        /// seems to be unused.
        private var isUnsure: Bool

        init(
            of definitions: some Sequence<Located<String>>, _ namespace: Namespace,
            _ policy: BoundPolicy
        ) {
            self.namespace = namespace
            self.definitions = Array(definitions)
            isUsed = Dictionary(
                self.definitions.lazy.map { ($0.value, false) },
                uniquingKeysWith: { first, _ in first })
            isIncomplete = policy.incompleteNamespaces.contains(namespace)
            isUnsure = policy.incompleteReferences.contains(namespace)
        }

        /// Whether a name is defined, by the unit or by the language.
        func isDefined(_ id: String) -> Bool {
            isUsed[id] != nil || namespace.builtIn.contains(id)
        }

        /// Adds a use of a name that is defined.
        mutating func use(_ id: String) {
            if let place = isUsed.index(forKey: id) { isUsed.values[place] = true }
        }

        /// Adds a use of a name. `hasEffect` is false for a use that gives the definition none.
        mutating func add(
            _ id: Located<String>, hasEffect: Bool = true, _ guesses: inout Int,
            _ diagnostics: inout [Diagnostic]
        ) {
            if let place = isUsed.index(forKey: id.value) {
                if hasEffect { isUsed.values[place] = true }
                return
            }
            if namespace.builtIn.contains(id.value) { return }
            isUnsure = true
            if isIncomplete { return }
            guesses -= isUsed.count
            reportDangling(
                id, in: namespace, among: guesses >= 0 ? Array(isUsed.keys) : [],
                into: &diagnostics)
        }

        /// An exemption gives the anchor set that it names no effect: something else must also use
        /// the set.
        mutating func addExemptions(
            in fields: BoundFields, _ guesses: inout Int, _ diagnostics: inout [Diagnostic]
        ) {
            guard let exempt = fields.ids[.transparencyExemptAnchors] else { return }
            for id in exempt { add(id, hasEffect: false, &guesses, &diagnostics) }
        }

        func reportUnused(into diagnostics: inout [Diagnostic]) {
            guard !isUnsure else { return }
            for id in definitions where isUsed[id.value] == false {
                diagnostics.append(
                    Diagnostic(
                        .unusedDefinition, "nothing uses the \(namespace.noun) `\(id.value)`",
                        at: Diagnostic.Label(id.span),
                        help: ["name it in a rule, or remove it"]))
            }
        }
    }

    private static func reportDangling(
        _ id: Located<String>, in namespace: Namespace, among defined: [String],
        into diagnostics: inout [Diagnostic]
    ) {
        let names = defined + namespace.builtIn
        let question = DidYouMean.question(for: id.value, among: names)
        let section = "`\(namespace.rawValue)`"
        var help: [String] = []
        if let near = DidYouMean.near(id.value, among: names).first {
            help = ["write `\(near)` if you meant it; otherwise define `\(id.value)` in \(section)"]
        } else {
            // The built-in anchor sets are never proposed in place of a set that an author meant:
            // one of them is every public CA.
            help =
                defined.isEmpty && namespace == .anchors
                ? ["define it: `anchors: { \(id.value): { files: [anchors/\(id.value).pem] } }`"]
                : names.isEmpty
                    ? ["define it in \(section)"]
                    : [
                        "defined are "
                            + names.sorted().prefix(20).map { "`\($0)`" }.joined(separator: ", ")
                    ]
        }
        // No fix is offered. The name may belong to something that is not defined yet, and the
        // thing with the similar name may trust other anchors or demand less.
        diagnostics.append(
            Diagnostic(
                .danglingReference,
                "no \(namespace.noun) is called `\(id.value)`\(question)",
                at: Diagnostic.Label(id.span), help: help))
    }
}
