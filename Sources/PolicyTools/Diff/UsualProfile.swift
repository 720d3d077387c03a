import Rendering
import TrustEngine

/// The profile by which newly trusted hosts are measured: the one that most rules of the old policy
/// name, with the values that it has there. The new policy has no say in it: its author would move
/// the measure.
struct UsualProfile {
    /// The profile in words: "profile `internal`".
    let name: String
    let requirements: Requirements

    /// The rules that are asked for the origin of a field, at most.
    private static let mostAsked = 256

    /// The profile of most rules; `ats` if the policy has no rules, or two profiles have as many.
    init(_ old: PolicyContents, _ places: FieldPlaces) {
        var counts: [String: Int] = [:]
        for rule in old.rules { counts[rule.body.profile, default: 0] += 1 }
        let most = counts.values.max() ?? 0
        let winners = counts.filter { $0.value == most }
        let id = winners.count == 1 ? winners.first?.key ?? "" : BuiltInProfile.ats.rawValue
        name = "profile `\(id)`"
        requirements =
            BuiltInProfile(rawValue: id)?.requirements
            ?? UsualProfile.values(of: id, old, places)
    }

    /// The values of a profile as its rules have them: those that no rule itself writes.
    private static func values(
        of id: String, _ old: PolicyContents, _ places: FieldPlaces
    ) -> Requirements {
        let rules = old.rules.indices.filter { old.rules[$0].body.profile == id }
        guard let first = rules.first else { return Requirements() }
        var values = old.rules[first].body.requirements
        var differing: Set<ProfileField> = []
        var seen: Set<Swift.ObjectIdentifier> = []
        for rule in rules {
            let shared = old.rules[rule].body.sharedRequirements
            guard seen.insert(Swift.ObjectIdentifier(shared)).inserted else { continue }
            for field in ProfileField.allCases where !differing.contains(field) {
                if shared.value.value(of: field) != values.value(of: field) {
                    differing.insert(field)
                }
            }
        }
        // A preset also writes the fields that it stands for, so that all are written again.
        for field in ProfileField.allCases where !differing.isEmpty {
            guard differing.contains(field) else {
                values.write(field, old.rules[first].body.requirements.value(of: field))
                continue
            }
            let inheriting = rules.prefix(mostAsked).first { rule in
                guard let origin = places.rule(rule).origin(of: field.rawValue) else {
                    return false
                }
                switch origin.layer {
                case .profile, .builtIn, .byDefault: return true
                case .rule, .named, .included, .unknown: return false
                }
            }
            let value =
                inheriting.map { old.rules[$0].body.requirements.value(of: field) }
                ?? commonest(rules.map { old.rules[$0].body.requirements.value(of: field) })
            if let value { values.write(field, value) }
        }
        return values
    }

    private static func commonest(_ values: [FieldValue]) -> FieldValue? {
        var counts: [FieldValue: Int] = [:]
        for value in values { counts[value, default: 0] += 1 }
        let most = counts.values.max()
        return values.first { counts[$0] == most }
    }
}
