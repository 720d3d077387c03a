internal import TrustEngine

/// Finds fields that no path or connection can meet together (LANGUAGE sections 8 and 10). A
/// contradiction is reported once, at the layer that makes it: the layers below that layer have no
/// contradiction yet.
enum FieldConflictCheck {
    static func run(
        _ policy: BoundPolicy, layers: ProfileLayers, into diagnostics: inout [Diagnostic]
    ) {
        for layer in layers.soundLayers(of: policy, where: FieldConflict.isConcerned) {
            check(layer.fields, over: layer.parent, layers, into: &diagnostics)
        }
    }

    private static func check(
        _ fields: BoundFields, over parent: String?, _ layers: ProfileLayers,
        into diagnostics: inout [Diagnostic]
    ) {
        let own = layers.requirements(fields, over: parent)
        let farther = layers.requirements(of: parent)
        for conflict in FieldConflict.all
        where conflict.holds(own) && !conflict.holds(farther)
            && layers.isKnown(conflict.fields, in: fields, over: parent)
        {
            guard let written = conflict.fields.lazy.compactMap({ fields.setting($0) }).first else {
                continue
            }
            let others = conflict.fields.filter { $0 != written.field }
                .compactMap { layers.setting($0, in: fields, over: parent) }
            diagnostics.append(
                Diagnostic(
                    conflict.code, conflict.message(own), at: Diagnostic.Label(written.span),
                    labels: others.prefix(3).map {
                        Diagnostic.Label($0.span, "`\($0.field.rawValue)` is written here")
                    },
                    help: conflict.help(own)))
        }
    }
}

/// A way in which fields contradict each other.
private struct FieldConflict: Sendable {
    /// The fields of the conflict. The diagnostic is reported at the first of these that the layer
    /// writes.
    let fields: [ProfileField]
    var code = DiagnosticCode.flagConflict
    let holds: @Sendable (Requirements) -> Bool
    let message: @Sendable (Requirements) -> String
    let help: @Sendable (Requirements) -> [String]

    /// Whether a layer writes a field of any conflict. Another layer makes none.
    static func isConcerned(_ fields: BoundFields) -> Bool {
        fields.writes(oneOf: fieldsOfAll)
    }

    private static let fieldsOfAll = all.flatMap(\.fields)

    static let all = [
        leafTypes, versions, stapledAlone,
        minimum(.transparencyMinimumSCTs, "timestamps", \.minimumSCTs),
        minimum(.transparencyMinimumOperators, "log operators", \.minimumOperators),
    ]

    /// `keys.leaf-types` must be a subset of `keys.types`.
    private static let leafTypes = FieldConflict(
        fields: [.leafKeyTypes, .keyTypes], code: .unknownValue,
        holds: { !$0.leafKeyTypes.isSubset(of: $0.keyTypes) },
        message: { requirements in
            let extra = requirements.leafKeyTypes.subtracting(requirements.keyTypes).names
            let names = extra.map { "`\($0)`" }.joined(separator: ", ")
            return "`keys.leaf-types` has \(names), which `keys.types` does not allow on any path"
        },
        help: { ["allowed in the leaf: " + $0.keyTypes.names.joined(separator: " ")] })

    private static let versions = FieldConflict(
        fields: [.tlsMinimumVersion, .tlsMaximumVersion],
        holds: { $0.tls.minimumVersion > $0.tls.maximumVersion },
        message: {
            "`tls.minimum-version` is `\($0.tls.minimumVersion.name)` and `tls.maximum-version` is "
                + "`\($0.tls.maximumVersion.name)`, so no connection is accepted"
        },
        help: { ["write a maximum of `\($0.tls.minimumVersion.name)`, or leave it out"] })

    /// `sources: [stapled]` under `require` with a scope beyond the end entity: a server staples
    /// evidence for its own certificate only, so every other certificate in scope would fail. A
    /// layer that refines the causes can prevent this.
    private static let stapledAlone = FieldConflict(
        fields: [
            .revocationSources, .revocationScope, .revocationPreset, .revocationCausesNoEndpoint,
            .revocationCausesUnreachable,
        ],
        holds: {
            $0.revocation.preset == .require && $0.revocation.sources == [.stapled]
                && $0.revocation.scope != .leaf
                && ($0.revocation.causes[.noEndpoint] == .fail
                    || $0.revocation.causes[.unreachable] == .fail)
        },
        message: {
            "`require` with `stapled` alone rejects every path in the scope "
                + "`\($0.revocation.scope.name)`: servers staple evidence for the leaf only"
        },
        help: { _ in
            [
                "add `crl` or `ocsp` to `revocation.sources`; to demand nothing of the other "
                    + "certificates, write `revocation: { scope: leaf }`"
            ]
        })

    /// A minimum number of timestamps or operators although no timestamps are demanded. A preset
    /// undoes the numbers of farther layers, so the number was written in the layer of the preset
    /// `none` or in a nearer layer.
    private static func minimum(
        _ field: ProfileField, _ noun: String,
        _ number: @escaping @Sendable (TransparencyRequirement) -> Int?
    ) -> FieldConflict {
        FieldConflict(
            fields: [field, .transparencyPreset],
            holds: { !$0.transparency.isDemanded && number($0.transparency) != nil },
            message: {
                "`\(field.rawValue)` asks for \(number($0.transparency) ?? 0) \(noun), but "
                    + "`transparency.preset` is `none`, so none are demanded"
            },
            help: { _ in
                ["write `preset: chrome` or `preset: apple` beside it, or leave the number out"]
            })
    }
}
