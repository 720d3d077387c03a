import PolicyCompiler
import Rendering
import TrustEngine

extension LintRule {
    /// HW510: a rule names a profile and writes a field of its own that demands less. Told once for
    /// what one setting undoes.
    static let weakerThanProfile = LintRule(.weakerThanProfile, isErrorWhenStrict: true) {
        context in
        context.bound.bodies.flatMap { body -> [Diagnostic] in
            guard let profile = body.profile, !body.fields.settings.isEmpty,
                let own = context.requirements(of: body)
            else { return [] }
            let layers = context.parts.layers
            var undone: [(setting: BoundSetting, fields: [WeakerField])] = []
            for field in Weakening.demands(
                of: own, against: layers.requirements(of: profile.value))
            {
                guard let setting = WrittenFields.setting(of: field, in: body.fields) else {
                    continue
                }
                if let place = undone.firstIndex(where: { $0.setting.field == setting.field }) {
                    undone[place].fields.append(field)
                } else {
                    undone.append((setting, [field]))
                }
            }
            return undone.map { setting, fields in
                // A built-in profile has no place.
                let other = layers.layers(from: profile.value).lazy
                    .compactMap { layer in
                        layer.setting(setting.field)
                            ?? ProfileField(rawValue: fields[0].name).flatMap { layer.setting($0) }
                    }.first
                return Diagnostic(
                    .weakerThanProfile,
                    "`\(body.name)` demands less than its profile `\(profile.value)`: "
                        + fields[0].comparison,
                    at: Diagnostic.Label(setting.key),
                    labels: other.map { [Diagnostic.Label($0.key, "the profile demands it here")] }
                        ?? [],
                    help: [
                        "leave it to the profile, or say why not: `# hawser:ignore HW510 -- REASON`"
                    ], notes: fields.dropFirst().map { "likewise " + $0.comparison })
            }
        }
    }
}

/// Where a layer writes what a field comes to.
private enum WrittenFields {
    /// The setting itself, or the one that stands for it: a preset for what it sets, `keys.types`
    /// for `keys.leaf-types`, `validity.maximum-lifetime` for the steps that it undoes.
    static func setting(of field: WeakerField, in fields: BoundFields) -> BoundSetting? {
        if let own = ProfileField(rawValue: field.name).flatMap({ fields.setting($0) }) {
            return own
        }
        // A nearer `maximum-lifetime` undoes the steps of farther layers.
        if field.name == ProfileField.lifetimeSteps.rawValue {
            return fields.setting(.maximumLifetime)
        }
        if field.name.hasPrefix("revocation.") { return fields.setting(.revocationPreset) }
        if field.name.hasPrefix("transparency.") { return fields.setting(.transparencyPreset) }
        return field.name == ProfileField.leafKeyTypes.rawValue ? fields.setting(.keyTypes) : nil
    }
}
