/// Checks that no id of `forbidden-keys` stands in two layers of one chain. The nearer entry would
/// replace the farther one, and layers may not remove a key from the list (LANGUAGE section 8).
enum ForbiddenKeyCheck {
    static func run(
        _ policy: BoundPolicy, layers: ProfileLayers, into diagnostics: inout [Diagnostic]
    ) {
        for layer in layers.soundLayers(of: policy, where: { !$0.forbiddenKeys.isEmpty }) {
            check(layer.fields, over: layer.parent, layers, into: &diagnostics)
        }
    }

    private static func check(
        _ fields: BoundFields, over parent: String?, _ layers: ProfileLayers,
        into diagnostics: inout [Diagnostic]
    ) {
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
