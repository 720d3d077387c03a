internal import TrustEngine

/// The chain of layers that a profile stands on.
struct ProfileLayers {
    /// Profiles that one chain of `extends` may have (LANGUAGE section 1.6).
    static let depth = 8

    /// What following `extends` comes to.
    enum Chain {
        /// It ends at `baseline`, or at a profile that does not exist.
        case whole
        /// It comes back to these profiles, in the order in which they extend each other.
        case circle([String])
        case tooDeep
    }

    private let profiles: [String: BoundProfile]

    init(_ profiles: [BoundProfile]) {
        self.profiles = Dictionary(
            profiles.map { ($0.id.value, $0) }, uniquingKeysWith: { first, _ in first })
    }

    func profile(_ id: String) -> BoundProfile? { profiles[id] }

    /// Follows `extends` from a profile; at most as many steps as there are profiles.
    func chain(from id: String) -> Chain {
        var seen: [String] = []
        var next: String? = id
        while let id = next, let profile = profiles[id] {
            if let start = seen.firstIndex(of: id) { return .circle(Array(seen[start...])) }
            seen.append(id)
            next = profile.parent?.value
        }
        return seen.count > ProfileLayers.depth ? .tooDeep : .whole
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
