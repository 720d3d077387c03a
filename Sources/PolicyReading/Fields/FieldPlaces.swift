package import TrustEngine

/// Where the rules of a table write their fields, for readers who compare two policies.
package final class FieldPlaces {
    private let table: PolicyTable
    private let contents: PolicyContents
    private let parents: [String: String]?
    private lazy var ruleLocations = RuleLocations(table)
    /// The origins of fields that a rule does not write itself, by the rule's profile and the path.
    private var inherited: [Inherited: FieldOrigin] = [:]

    private struct Inherited: Hashable {
        let profile: String
        let path: String
    }

    /// Prepares a table. Its places are read when they are asked for.
    package init(_ table: PolicyTable, _ contents: PolicyContents) {
        self.table = table
        self.contents = contents
        parents = table.profileParents()
    }

    /// One rule, or `default`, with the origin of each of its fields.
    package struct Rule {
        package let reference: RuleReference
        fileprivate let index: Int
        fileprivate let all: FieldPlaces
    }

    /// The rule with an index; `default` at `HostClass.byDefault`.
    package func rule(_ index: Int) -> Rule {
        Rule(
            reference: RuleReference(
                id: id(index), owner: owner(index), location: location(of: index)),
            index: index, all: self)
    }

    /// Where a rule is written, by its index; `default` at `HostClass.byDefault`.
    package func location(of index: Int) -> Provenance.Location? {
        index == HostClass.byDefault
            ? finder().rule("") : ruleLocations?.location(ofRule: index)
    }

    private func id(_ index: Int) -> String {
        index == HostClass.byDefault ? "" : contents.rules[index].id
    }

    private func owner(_ index: Int) -> String? {
        guard index == HostClass.byDefault else {
            return contents.rules[index].body.owner
        }
        return body(index)?.owner
    }

    /// The origin of a field that a rule does not write, and that its profile decides: what
    /// `compute` gives, which is asked once for a profile.
    fileprivate func inherited(
        _ field: ProfileField, _ index: Int, _ compute: () -> FieldOrigin?
    ) -> FieldOrigin? {
        guard index != HostClass.byDefault, let places = ruleLocations,
            let keys = EffectiveFields.keys(deciding: field)
        else { return compute() }
        let base = "/rules/\(id(index))"
        guard
            keys.allSatisfy({
                places.location(of: "\(base)/\($0)", belowRule: index) == nil
            })
        else { return compute() }
        let key = Inherited(profile: contents.rules[index].body.profile, path: field.rawValue)
        if let known = inherited[key] { return known }
        let found = compute()
        inherited[key] = found
        return found
    }

    /// The body of a rule; nil where `default` is `deny`.
    fileprivate func body(_ index: Int) -> RuleBody? {
        guard index == HostClass.byDefault else { return contents.rules[index].body }
        guard case .body(let fallback) = contents.defaultRule else { return nil }
        return fallback
    }

    fileprivate func finder(profile: String = "baseline") -> PlaceFinder {
        PlaceFinder(table, parents: parents, profile: profile)
    }

    /// The demands of a rule in short: the sets and the profile that it names, its report modes and
    /// waivers, and each field that it writes itself. Empty where `default` is `deny`.
    package func demands(_ index: Int) -> [EffectiveRule.Field] {
        guard let body = body(index) else { return [] }
        let id = id(index)
        let own = EffectiveFields(
            base: id.isEmpty ? "/default" : "/rules/\(id)", own: .rule(id),
            places: finder(profile: body.profile))
        let named = own.ruleFields(of: body, hosts: [], sets: nil).filter { field in
            switch field.name {
            case "owner", "note": return false
            case "pins": return field.value != .null
            case "identity.reference": return body.identity.reference != .host
            default: return true
            }
        }
        let written = own.profileFields(of: body.requirements, waivers: body.waivers).filter {
            $0.origin.layer == .rule(id) && $0.origin.by == nil
        }
        return named + written
    }

    /// Where a rule is written, by its id.
    package func rule(_ id: String) -> Provenance.Location? { finder().rule(id) }

    /// Where a pattern of a rule is written.
    package func pattern(_ pattern: HostPattern, rule id: String) -> Provenance.Location? {
        finder().pattern(pattern.canonicalText, rule: id)
    }

    /// Where an anchor set or a pin set is written, and who answers for it.
    ///
    /// - Parameter section: `anchors` or `pins`.
    package func set(
        _ section: String, _ id: String
    ) -> (location: Provenance.Location?, owner: String?) {
        let places = finder()
        let owner =
            section == "anchors"
            ? contents.anchorSets.first { $0.id == id }?.owner
            : contents.pinSets.first { $0.id == id }?.owner
        return (places.named(section, id), owner)
    }
}

extension FieldPlaces.Rule {
    /// The id; empty for `default`.
    package var id: String { reference.id }
    /// Where the rule is written.
    package var location: Provenance.Location? { reference.location }
    /// The owner; nil where the rule names none.
    package var owner: String? { reference.owner }

    /// Where one of the rule's patterns is written; the rule's own place if it is not known.
    package func place(of pattern: HostPattern) -> Provenance.Location? {
        all.pattern(pattern, rule: id) ?? location
    }

    /// Where a field of the rule comes from, by its path with dots. A field that the rule does not
    /// write has the rule's own place.
    package func origin(of path: String) -> FieldOrigin? {
        // The date of a log list comes from the list that the field names.
        if path == RequirementOrder.logListDate {
            return origin(of: ProfileField.transparencyLogList.rawValue)
        }
        if let origin = written(path) { return origin }
        let parts = path.split(separator: ".", maxSplits: 2).map(String.init)
        if parts.count == 3, parts[0] == "anchors" {
            return all.finder().origin(
                ofOwn: EffectiveFields.slashed(parts[2]), at: "/anchors/\(parts[1])",
                own: .named("anchors \(parts[1])"))
        }
        return location.map { FieldOrigin(.rule(id), $0) }
    }

    /// The origin of a field that `show` lists.
    private func written(_ path: String) -> FieldOrigin? {
        guard let field = ProfileField(rawValue: path) else { return flattened(path) }
        return all.inherited(field, index) { flattened(path) }
    }

    /// The same, without a look at what other rules inherit.
    private func flattened(_ path: String) -> FieldOrigin? {
        guard let body = all.body(index) else { return nil }
        let own = EffectiveFields(
            base: id.isEmpty ? "/default" : "/rules/\(id)", own: .rule(id),
            places: all.finder(profile: body.profile), onlyOrigin: path)
        let forbidden = ProfileField.forbiddenKeys
        let fields: [EffectiveRule.Field]
        if let field = ProfileField(rawValue: path), field != forbidden {
            fields = own.fields(field, of: body.requirements, waivers: body.waivers)
        } else if path.hasPrefix(forbidden.rawValue) {
            fields = own.fields(forbidden, of: body.requirements, waivers: body.waivers)
        } else {
            fields = own.ruleFields(of: body, hosts: [], sets: nil)
        }
        return fields.first { $0.name == path }?.origin
    }
}
