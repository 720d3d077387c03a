/// An entry of `forbidden-keys` is a field by its id, and no layer takes a key off the list: one id in
/// two layers would (LANGUAGE section 8).
enum ForbiddenKeyCheck {
    static func run(
        _ policy: BoundPolicy, layers: ProfileLayers, into diagnostics: inout [Diagnostic]
    ) {
        for profile in policy.profiles where layers.isSound(profile.id.value) {
            check(profile.fields, over: profile.parent?.value, layers, into: &diagnostics)
        }
        for body in policy.bodies where body.profile.map({ layers.isSound($0.value) }) ?? true {
            check(body.fields, over: body.profile?.value, layers, into: &diagnostics)
        }
    }

    private static func check(
        _ fields: BoundFields, over parent: String?, _ layers: ProfileLayers,
        into diagnostics: inout [Diagnostic]
    ) {
        guard !fields.forbiddenKeys.isEmpty else { return }
        let farther = Dictionary(
            layers.layers(from: parent).flatMap(\.forbiddenKeys).map { ($0.id.value, $0.id.span) },
            uniquingKeysWith: { nearest, _ in nearest })
        for entry in fields.forbiddenKeys {
            guard let first = farther[entry.id.value] else { continue }
            diagnostics.append(
                Diagnostic(
                    .duplicateId,
                    "the forbidden key `\(entry.id.value)` stands in two layers; a nearer one adds "
                        + "keys and takes none off the list",
                    at: Diagnostic.Label(entry.id.span),
                    labels: [Diagnostic.Label(first, "forbidden here already")],
                    help: ["give this one another id, or remove it"]))
        }
    }
}
