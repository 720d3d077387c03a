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
