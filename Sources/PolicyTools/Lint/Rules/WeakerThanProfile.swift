import PolicyCompiler
import Rendering
import TrustEngine

extension LintRule {
    /// HW510: a rule names a profile and writes a field of its own that demands less, or a list of
    /// its own that lets through what the profile refuses. Each setting is reported once, with all
    /// fields that it weakens.
    static let weakerThanProfile = LintRule(.weakerThanProfile, isErrorWhenStrict: true) {
        context in
        context.bound.bodies(.fields).flatMap { body -> [Diagnostic] in
            guard let profile = body.profile, !body.fields.settings.isEmpty,
                let weaker = context.weakerThanProfile(body), !weaker.isEmpty
            else { return [] }
            let layers = context.parts.layers
            var undone: [(setting: BoundSetting, fields: [WeakerField])] = []
            for field in weaker {
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
                // A built-in profile stands in no file, so it gets no label.
                let other = layers.layers(from: profile.value).lazy
                    .compactMap { layer in
                        layer.setting(setting.field)
                            ?? ProfileField(rawValue: fields[0].name).flatMap { layer.setting($0) }
                    }.first
                let claim: String
                switch fields[0].manner {
                case .less: claim = "demands less than its profile `\(profile.value)`"
                case .other: claim = "accepts what its profile `\(profile.value)` refuses"
                }
                return Diagnostic(
                    .weakerThanProfile, "`\(body.name)` \(claim): \(fields[0].comparison)",
                    at: Diagnostic.Label(setting.key),
                    labels: other.map { [Diagnostic.Label($0.key, "the profile demands it here")] }
                        ?? [],
                    help: [
                        "leave it to the profile, or say why not: `# hawser:ignore HW510 -- REASON`"
                    ] + context.versionAdvice(fields, in: body.name),
                    notes: fields.dropFirst().map { "likewise " + $0.comparison })
            }
        }
    }
}

/// Finds where a layer writes a field.
private enum WrittenFields {
    /// The setting of the field itself, or the setting that stands for it: a preset for the fields
    /// that it sets, `keys.types` for `keys.leaf-types`, `validity.maximum-lifetime` for the steps
    /// that it removes.
    static func setting(of field: WeakerField, in fields: BoundFields) -> BoundSetting? {
        if let own = ProfileField(rawValue: field.name).flatMap({ fields.setting($0) }) {
            return own
        }
        // A nearer `maximum-lifetime` removes the steps of farther layers.
        if field.name == ProfileField.lifetimeSteps.rawValue {
            return fields.setting(.maximumLifetime)
        }
        if field.name.hasPrefix("revocation.") { return fields.setting(.revocationPreset) }
        if field.name.hasPrefix("transparency.") { return fields.setting(.transparencyPreset) }
        return field.name == ProfileField.leafKeyTypes.rawValue ? fields.setting(.keyTypes) : nil
    }
}
