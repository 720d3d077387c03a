internal import TrustEngine

/// Profiles extend one another without a circle and not too deep, and no layer allows in the leaf a
/// key type that the path as a whole does not (LANGUAGE sections 1.6 and 8).
enum ProfileCheck {
    static func run(_ policy: BoundPolicy, into diagnostics: inout [Diagnostic]) {
        let layers = ProfileLayers(policy.profiles)
        for profile in policy.profiles {
            switch layers.chain(from: profile.id.value) {
            case .circle(let members) where members.first == profile.id.value:
                // One circle is one mistake: it is told at its first member.
                reportCircle(profile, members, layers, into: &diagnostics)
            case .whole(depth: ProfileLayers.depth + 1):
                // Told where the limit is first passed; what extends that profile goes deeper still.
                reportDepth(profile, into: &diagnostics)
            case .circle, .intoCircle, .whole:
                break
            }
        }
        for profile in policy.profiles where layers.isSound(profile.id.value) {
            checkLeafTypes(
                profile.fields, over: profile.parent?.value, layers, into: &diagnostics)
        }
        for body in policy.bodies where body.profile.map({ layers.isSound($0.value) }) ?? true {
            checkLeafTypes(body.fields, over: body.profile?.value, layers, into: &diagnostics)
        }
    }

    private static func reportDepth(_ profile: BoundProfile, into diagnostics: inout [Diagnostic]) {
        guard let parent = profile.parent else { return }
        diagnostics.append(
            Diagnostic(
                .extendsCycle,
                "`\(profile.id.value)` extends through more than \(ProfileLayers.depth) profiles",
                at: Diagnostic.Label(parent.span), help: ["fold some of them into one"]))
    }

    private static func reportCircle(
        _ profile: BoundProfile, _ members: [String], _ layers: ProfileLayers,
        into diagnostics: inout [Diagnostic]
    ) {
        guard let parent = profile.parent else { return }
        let labels = members.filter { $0 != profile.id.value }.prefix(3).compactMap { id in
            layers.profile(id)?.parent.map { Diagnostic.Label($0.span, "and so does `\(id)`") }
        }
        var shown = Array(members.prefix(8))
        shown.append(members.count > 8 ? "…" : profile.id.value)
        let circle = shown.map { "`\($0)`" }.joined(separator: ", ")
        diagnostics.append(
            Diagnostic(
                .extendsCycle,
                members.count == 1
                    ? "`\(profile.id.value)` extends itself"
                    : "profiles extend each other in a circle: \(circle)",
                at: Diagnostic.Label(parent.span), labels: Array(labels),
                help: ["one of them must extend `baseline`, or nothing"]))
    }

    /// `keys.leaf-types` is a part of `keys.types`. Only a layer that writes one of the two can break
    /// that, so it is told once, there.
    private static func checkLeafTypes(
        _ fields: BoundFields, over parent: String?, _ layers: ProfileLayers,
        into diagnostics: inout [Diagnostic]
    ) {
        guard fields.setting(.keyTypes) != nil || fields.setting(.leafKeyTypes) != nil else {
            return
        }
        let farther = layers.layers(from: parent)
        let all = [fields] + farther
        guard let leaf = all.lazy.compactMap({ $0.setting(.leafKeyTypes) }).first,
            case .leafKeyTypes(let allowed) = leaf.value
        else { return }
        let types = all.lazy.compactMap { $0.setting(.keyTypes) }.first
        var whole = KeyTypeSet.all
        if let types, case .keyTypes(let set) = types.value { whole = set }
        let extra = allowed.subtracting(whole).names
        guard !extra.isEmpty else { return }
        let own = fields.setting(.leafKeyTypes) ?? fields.setting(.keyTypes) ?? leaf
        let other = own.span == leaf.span ? types : leaf
        let names = extra.map { "`\($0)`" }.joined(separator: ", ")
        diagnostics.append(
            Diagnostic(
                .unknownValue,
                "`keys.leaf-types` has \(names), which `keys.types` does not allow on any path",
                at: Diagnostic.Label(own.span),
                labels: other.map { [Diagnostic.Label($0.span, "the other side")] } ?? [],
                help: ["allowed in the leaf: " + whole.names.joined(separator: " ")]))
    }
}
