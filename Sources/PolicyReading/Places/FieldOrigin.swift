package import TrustEngine

/// Where a field of a flattened rule comes from: the layer that wrote it, the place in the file,
/// and, where another key stands for the field, that key.
package struct FieldOrigin: Hashable, Sendable {
    /// The layer that wrote a field.
    package enum Layer: Hashable, Sendable {
        /// The rule with this id, or `default` when it is empty.
        case rule(String)
        /// A profile of the policy. `extendedBy` is the profile through which the rule reaches it;
        /// nil for the profile that the rule names.
        case profile(String, extendedBy: String?)
        /// A profile that is part of the language.
        case builtIn(String)
        /// A named thing of the policy, such as `anchors corp`.
        case named(String)
        /// An anchor set that the shown anchor set includes.
        case included(String)
        /// No layer: the language states the value for a field that nobody writes.
        case byDefault
        /// Not known: the table carries no provenance.
        case unknown
    }

    package let layer: Layer
    /// The place of the field, or of the thing that does not write it; nil where no file has it.
    package let location: Provenance.Location?
    /// The key that stands for the field, with dots: `revocation.preset`, `report-only.all`.
    package let by: String?

    package init(_ layer: Layer, _ location: Provenance.Location?, by: String? = nil) {
        self.layer = layer
        self.location = location
        self.by = by
    }

    static let unknown = FieldOrigin(.unknown, nil)
}

extension PlaceFinder {
    /// The nearest layer that writes a field of LANGUAGE section 8. A key that stands for the field
    /// counts too: a preset stands for all its causes, `report-only.all` for each check.
    ///
    /// - Parameters:
    ///   - field: the name with `/`: `keys/rsa-minimum`.
    ///   - base: pointer of the rule or profile that is flattened.
    ///   - own: the same rule or profile as a layer.
    func origin(
        of field: String, orBy standIns: [String] = [], at base: String, own: FieldOrigin.Layer
    ) -> FieldOrigin {
        guard hasProvenance else { return .unknown }
        let wanted = [field] + standIns
        func written(at pointer: String, _ layer: FieldOrigin.Layer) -> FieldOrigin? {
            for key in wanted {
                guard let location = exact("\(pointer)/\(key)") else { continue }
                return FieldOrigin(
                    layer, location, by: key == field ? nil : PlaceFinder.dotted(key))
            }
            return nil
        }
        if let origin = written(at: base, own) { return origin }
        var nearer: String?
        if case .profile(let id, _) = own { nearer = id }
        for id in layers {
            let layer = FieldOrigin.Layer.profile(id, extendedBy: nearer)
            if let origin = written(at: "/profiles/\(id)", layer) { return origin }
            if let key = wanted.first(where: { PlaceFinder.isWritten($0, byBuiltIn: id) }) {
                return FieldOrigin(
                    .builtIn(id), nil, by: key == field ? nil : PlaceFinder.dotted(key))
            }
            nearer = id
        }
        return FieldOrigin(.builtIn("baseline"), nil)
    }

    /// The origin of a key that only the thing at `base` can write.
    func origin(ofOwn key: String, at base: String, own: FieldOrigin.Layer) -> FieldOrigin {
        guard hasProvenance else { return .unknown }
        if let location = exact("\(base)/\(key)") { return FieldOrigin(own, location) }
        return FieldOrigin(.byDefault, exact(base))
    }

    /// A field's name with dots, as people write it: `keys.rsa-minimum`.
    static func dotted(_ field: String) -> String {
        String(field.map { $0 == "/" ? "." : $0 })
    }
}
