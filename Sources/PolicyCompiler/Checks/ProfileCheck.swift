/// Checks that profiles do not extend each other in a circle and that no chain is too deep
/// (LANGUAGE sections 1.6 and 8).
enum ProfileCheck {
    static func run(
        _ policy: BoundPolicy, layers: ProfileLayers, into diagnostics: inout [Diagnostic]
    ) {
        for profile in policy.profiles {
            switch layers.chain(from: profile.id.value) {
            case .circle(let members) where members.first == profile.id.value:
                // A circle is one mistake. It is reported at its first member.
                reportCircle(profile, members, layers, into: &diagnostics)
            case .whole(depth: ProfileLayers.depth + 1):
                // Reported at the profile where the depth first passes the limit. Profiles that
                // extend it are deeper still.
                reportDepth(profile, into: &diagnostics)
            case .circle, .intoCircle, .whole:
                break
            }
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
}
