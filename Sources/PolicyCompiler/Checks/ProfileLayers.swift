package import TrustEngine

/// The chain of layers that a profile stands on, and what they come to.
package struct ProfileLayers: Sendable {
    /// Profiles that one chain of `extends` may have (LANGUAGE section 1.6).
    static let depth = 8

    /// What following `extends` comes to.
    package enum Chain: Hashable, Sendable {
        /// It ends at `baseline`, or at a profile that does not exist, after so many profiles.
        case whole(depth: Int)
        /// It comes back to the profile itself; the members of the circle begin with the one that
        /// the others were reached from.
        case circle([String])
        /// It comes into a circle that the profile is no part of.
        case intoCircle
    }

    /// What a layer and those below it come to.
    private struct Flattened {
        var requirements = Requirements()
        /// Whether one of them writes `keys.leaf-types`, which is by default the same as `keys.types`.
        var writesLeafTypes = false
    }

    private let profiles: [String: BoundProfile]
    private var chains: [String: Chain] = [:]
    /// Of every profile that can be resolved, and of the built-in ones.
    private var flattened: [String: Flattened] = [:]

    /// Follows every chain and flattens every profile once: linear in the number of profiles.
    init(_ list: [BoundProfile]) {
        profiles = Dictionary(
            list.map { ($0.id.value, $0) }, uniquingKeysWith: { first, _ in first })
        for profile in BuiltInProfile.allCases {
            flattened[profile.rawValue] = Flattened(requirements: profile.requirements)
        }
        for profile in list { follow(from: profile.id.value) }
    }

    private mutating func follow(from id: String) {
        var path: [String] = []
        var places: [String: Int] = [:]
        var next: String? = id
        while let id = next, let profile = profiles[id], chains[id] == nil, places[id] == nil {
            places[id] = path.count
            path.append(id)
            next = profile.parent?.value
        }
        if let next, let start = places[next] {
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

    /// What following `extends` from a profile comes to; the built-in and the unknown have no chain.
    package func chain(from id: String) -> Chain { chains[id] ?? .whole(depth: 0) }

    /// Whether a profile can be resolved; none is the baseline, which can.
    package func isSound(_ id: String?) -> Bool {
        guard let id else { return true }
        if case .whole(let depth) = chain(from: id) { return depth <= ProfileLayers.depth }
        return false
    }

    /// The fields of every profile, then of every body, that can be resolved, each with the profile that it
    /// stands on; only those that a check is concerned with.
    func soundLayers(
        of policy: BoundPolicy, where isConcerned: (BoundFields) -> Bool
    ) -> [(fields: BoundFields, parent: String?)] {
        policy.profiles.filter { isConcerned($0.fields) && isSound($0.id.value) }
            .map { ($0.fields, $0.parent?.value) }
            + policy.bodies { isConcerned($0.fields) }.filter { isSound($0.profile?.value) }
            .map { ($0.fields, $0.profile?.value) }
    }

    /// The fields of a profile and of what it extends, nearest first. Ends after the depth that the
    /// language allows.
    package func layers(from id: String?) -> [BoundFields] {
        var layers: [BoundFields] = []
        var next = id
        while let id = next, let profile = profiles[id], layers.count < ProfileLayers.depth {
            layers.append(profile.fields)
            next = profile.parent?.value
        }
        return layers
    }

    /// The entries of `report-only` that hold for a rule, each with the name of the rule or profile that
    /// writes it: of each check that of the nearest layer. `all` is nearest to every check, since only
    /// a rule can write it.
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

    /// The baseline with every layer written over it: `fields`, then the profile they stand on.
    package func requirements(_ fields: BoundFields, over profile: String?) -> Requirements {
        flatten(fields, over: profile).requirements
    }

    /// What a rule under a profile that writes nothing itself is judged by; without one, the baseline.
    package func requirements(of profile: String?) -> Requirements {
        profile.flatMap { flattened[$0] }?.requirements ?? Requirements()
    }

    private func flatten(_ fields: BoundFields, over profile: String?) -> Flattened {
        var result = profile.flatMap { flattened[$0] } ?? Flattened()
        guard !fields.isEmpty else { return result }
        fields.write(over: &result.requirements)
        if fields.setting(.leafKeyTypes) != nil { result.writesLeafTypes = true }
        if !result.writesLeafTypes {
            result.requirements.leafKeyTypes = result.requirements.keyTypes
        }
        return result
    }

    /// The nearest place where a field is written, from `fields` on.
    package func setting(
        _ field: ProfileField, in fields: BoundFields, over profile: String?
    ) -> BoundSetting? {
        fields.setting(field) ?? layers(from: profile).lazy.compactMap { $0.setting(field) }.first
    }

    /// Whether all that the layers say of some fields could be read, so that nothing is concluded from
    /// what only seems to be missing.
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
