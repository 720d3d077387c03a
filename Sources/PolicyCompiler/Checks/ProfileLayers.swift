package import TrustEngine

/// The chains of `extends` of a unit's profiles, and the requirements that each chain gives.
package struct ProfileLayers: Sendable {
    /// The most profiles in one chain of `extends` (LANGUAGE section 1.6).
    static let depth = 8

    /// Where the chain of `extends` of a profile leads.
    package enum Chain: Hashable, Sendable {
        /// To `baseline`, or to a profile that does not exist. `depth` is the number of profiles of
        /// the chain.
        case whole(depth: Int)
        /// Back to the profile itself. The members of the circle are in the order of `extends`,
        /// beginning with the member that was reached first.
        case circle([String])
        /// Into a circle that the profile is not a member of.
        case intoCircle
    }

    /// The requirements of a layer with all layers below it. A class, because most rules write no
    /// field of their own and share their profile's.
    package final class Flattened: Sendable {
        package let requirements: SharedRequirements
        /// Whether one of these layers writes `keys.leaf-types`. If none does, it has the value of
        /// `keys.types`.
        fileprivate let writesLeafTypes: Bool

        fileprivate init(_ requirements: consuming Requirements, writesLeafTypes: Bool = false) {
            self.requirements = SharedRequirements(requirements)
            self.writesLeafTypes = writesLeafTypes
        }
    }

    private let profiles: [String: BoundProfile]
    private var chains: [String: Chain] = [:]
    /// By id: every profile that can be resolved, and every built-in profile.
    private var flattened: [String: Flattened] = [:]
    private let baseline = Flattened(Requirements())

    /// Follows every chain and flattens every profile once: O(profiles).
    init(_ list: [BoundProfile]) {
        profiles = Dictionary(
            list.map { ($0.id.value, $0) }, uniquingKeysWith: { first, _ in first })
        for profile in BuiltInProfile.allCases {
            flattened[profile.rawValue] = Flattened(profile.requirements)
        }
        for profile in list { follow(from: profile.id.value) }
    }

    private mutating func follow(from id: String) {
        var path: [String] = []
        var pathIndices: [String: Int] = [:]
        var next: String? = id
        while let id = next, let profile = profiles[id], chains[id] == nil, pathIndices[id] == nil {
            pathIndices[id] = path.count
            path.append(id)
            next = profile.parent?.value
        }
        if let next, let start = pathIndices[next] {
            let members = Array(path[start...])
            for id in members { chains[id] = .circle(members) }
            for id in path[..<start] { chains[id] = .intoCircle }
            return
        }
        var depth = 0
        switch next.flatMap({ chains[$0] }) {
        case .whole(let farther): depth = farther
        case .circle, .intoCircle:
            for id in path { chains[id] = .intoCircle }
            return
        case nil: break
        }
        for id in path.reversed() {
            depth += 1
            chains[id] = .whole(depth: depth)
            guard depth <= ProfileLayers.depth, let profile = profiles[id] else { continue }
            flattened[id] = flatten(profile.fields, over: profile.parent?.value)
        }
    }

    package func profile(_ id: String) -> BoundProfile? { profiles[id] }

    /// Where the chain of `extends` of a profile leads. For a built-in or unknown profile it is
    /// `whole` with depth 0.
    package func chain(from id: String) -> Chain { chains[id] ?? .whole(depth: 0) }

    /// Whether a profile can be resolved. Nil stands for the baseline, which can.
    package func isSound(_ id: String?) -> Bool {
        guard let id else { return true }
        if case .whole(let depth) = chain(from: id) { return depth <= ProfileLayers.depth }
        return false
    }

    /// The fields of every profile and every body that can be resolved, profiles first, each with
    /// the profile that it extends or names. Layers for which `isConcerned` is false are left out,
    /// and bodies that write nothing.
    package func soundLayers(
        of policy: BoundPolicy, where isConcerned: (BoundFields) -> Bool
    ) -> [(fields: BoundFields, parent: String?)] {
        policy.profiles.filter { isConcerned($0.fields) && isSound($0.id.value) }
            .map { ($0.fields, $0.parent?.value) }
            + policy.bodies(.fields).filter {
                isConcerned($0.fields) && isSound($0.profile?.value)
            }
            .map { ($0.fields, $0.profile?.value) }
    }

    /// The fields of a profile and of the profiles that it extends, nearest first. Stops at the
    /// depth that the language allows.
    package func layers(from id: String?) -> [BoundFields] {
        var layers: [BoundFields] = []
        var next = id
        while let id = next, let profile = profiles[id], layers.count < ProfileLayers.depth {
            layers.append(profile.fields)
            next = profile.parent?.value
        }
        return layers
    }

    /// The entries of `report-only` that are in effect for a rule, each with the name of the rule
    /// or profile that writes it. For each check the entry of the nearest layer is in effect. `all`
    /// covers every check, and only a rule can write it.
    package func reportOnly(
        of fields: BoundFields, named rule: String, over profile: String?
    ) -> [(entry: BoundReportOnly, owner: String, isOfProfile: Bool)] {
        var entries = fields.reportOnly.map { (entry: $0, owner: rule, isOfProfile: false) }
        if entries.contains(where: { $0.entry.check == nil }) { return entries }
        var seen = Set(entries.map(\.entry.check))
        var next = profile
        var depth = 0
        while let id = next, let profile = profiles[id], depth < ProfileLayers.depth {
            for entry in profile.fields.reportOnly where seen.insert(entry.check).inserted {
                entries.append((entry: entry, owner: id, isOfProfile: true))
            }
            next = profile.parent?.value
            depth += 1
        }
        return entries
    }

    /// The baseline with every layer written over it: the farthest profile first, `fields` last.
    package func requirements(_ fields: BoundFields, over profile: String?) -> Requirements {
        flatten(fields, over: profile).requirements.value
    }

    /// The requirements of a rule that names this profile and writes no field itself. Nil stands
    /// for the baseline.
    package func requirements(of profile: String?) -> Requirements {
        flattened(of: profile).requirements.value
    }

    /// As `requirements(of:)`, without a copy.
    package func flattened(of profile: String?) -> Flattened {
        profile.flatMap { flattened[$0] } ?? baseline
    }

    /// As `requirements(_:over:)`, without a copy where `fields` is empty.
    package func flatten(_ fields: BoundFields, over profile: String?) -> Flattened {
        let farther = flattened(of: profile)
        guard !fields.isEmpty else { return farther }
        var requirements = farther.requirements.value
        fields.write(over: &requirements)
        let writesLeafTypes = farther.writesLeafTypes || fields.writes(.leafKeyTypes)
        if !writesLeafTypes { requirements.leafKeyTypes = requirements.keyTypes }
        return Flattened(consume requirements, writesLeafTypes: writesLeafTypes)
    }

    /// The setting of a field in the nearest layer that writes it; `fields` is the nearest layer of
    /// all.
    package func setting(
        _ field: ProfileField, in fields: BoundFields, over profile: String?
    ) -> BoundSetting? {
        fields.setting(field) ?? layers(from: profile).lazy.compactMap { $0.setting(field) }.first
    }

    /// Whether the named fields could be read in every layer. If not, a field that seems to be
    /// missing may have been written.
    package func isKnown(
        _ wanted: [ProfileField], in fields: BoundFields, over profile: String?
    ) -> Bool {
        guard fields.unread.isDisjoint(with: wanted) else { return false }
        var next = profile
        while let id = next, let profile = profiles[id] {
            guard isSound(id), profile.fields.unread.isDisjoint(with: wanted) else { return false }
            next = profile.parent?.value
        }
        return next.map { BuiltInProfile(rawValue: $0) != nil } ?? true
    }
}

extension ProfileLayers {
    /// The checks under `report-only`. `all` stands for the language's checks and the custom checks
    /// that the rule names.
    func reportedChecks(
        of fields: BoundFields, named name: String, over profile: String?, checks: [String]
    ) -> [ReportOnly] {
        reportOnly(of: fields, named: name, over: profile).flatMap { item -> [ReportOnly] in
            guard let until = item.entry.until else { return [] }
            let all = ReportOnly.Check.builtIn + checks.map { .custom($0) }
            return (item.entry.check.map { [$0] } ?? all).map {
                ReportOnly(check: $0, until: until, note: item.entry.note)
            }
        }.sorted { $0.check.precedes($1.check) }
    }
}
