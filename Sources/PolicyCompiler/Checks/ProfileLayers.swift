internal import TrustEngine

/// The chain of layers that a profile stands on.
struct ProfileLayers {
    /// Profiles that one chain of `extends` may have (LANGUAGE section 1.6).
    static let depth = 8

    /// What following `extends` comes to.
    enum Chain: Hashable, Sendable {
        /// It ends at `baseline`, or at a profile that does not exist, after so many profiles.
        case whole(depth: Int)
        /// It comes back to the profile itself; the members of the circle begin with the one that
        /// the others were reached from.
        case circle([String])
        /// It comes into a circle that the profile is no part of.
        case intoCircle
    }

    private let profiles: [String: BoundProfile]
    private var chains: [String: Chain] = [:]

    /// Follows every chain once: linear in the number of profiles.
    init(_ list: [BoundProfile]) {
        profiles = Dictionary(
            list.map { ($0.id.value, $0) }, uniquingKeysWith: { first, _ in first })
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
        }
    }

    func profile(_ id: String) -> BoundProfile? { profiles[id] }

    /// What following `extends` from a profile comes to; the built-in and the unknown have no chain.
    func chain(from id: String) -> Chain { chains[id] ?? .whole(depth: 0) }

    /// Whether a profile can be resolved.
    func isSound(_ id: String) -> Bool {
        if case .whole(let depth) = chain(from: id) { return depth <= ProfileLayers.depth }
        return false
    }

    /// The fields of a profile and of what it extends, nearest first. Ends after the depth that the
    /// language allows.
    func layers(from id: String?) -> [BoundFields] {
        var layers: [BoundFields] = []
        var next = id
        while let id = next, let profile = profiles[id], layers.count < ProfileLayers.depth {
            layers.append(profile.fields)
            next = profile.parent?.value
        }
        return layers
    }

    /// Whether every field of every layer could be read, so that what seems to be missing is.
    func isWhole(_ fields: BoundFields, over profile: String?) -> Bool {
        guard let profile else { return fields.isWhole }
        guard isSound(profile), fields.isWhole, layers(from: profile).allSatisfy(\.isWhole) else {
            return false
        }
        var last = profile
        while let next = profiles[last]?.parent?.value { last = next }
        return profiles[last] != nil || Namespace.profiles.builtIn.contains(last)
    }

    /// The entries of `report-only` that hold for a rule, each with the name of the rule or profile that
    /// writes it: of each check that of the nearest layer. `all` is nearest to every check, since only
    /// a rule can write it.
    func reportOnly(
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
    func requirements(_ fields: BoundFields, over profile: String?) -> Requirements {
        let layers = [fields] + self.layers(from: profile)
        var requirements = Requirements()
        for layer in layers.reversed() {
            for setting in layer.settings { setting.value.apply(to: &requirements) }
        }
        // `keys.leaf-types` is by default the same as `keys.types`.
        if !layers.contains(where: { $0.setting(.leafKeyTypes) != nil }) {
            requirements.leafKeyTypes = requirements.keyTypes
        }
        return requirements
    }
}
