package import TrustEngine

/// Where the policy writes a thing that a trace names.
package enum PolicyPlace: Hashable, Sendable {
    /// In a file of the policy.
    case written(Provenance.Location, layer: Layer)
    /// In a profile that is part of the language.
    case builtIn(profile: String)
    /// Not known: the table carries no provenance.
    case unknown

    /// The layer that wrote a field (LANGUAGE section 8).
    package enum Layer: Hashable, Sendable {
        case rule
        case profile(String)
    }
}

/// Finds the place of a demand. It searches the layers of LANGUAGE section 8 in turn: the rule, its
/// profile, that profile's parents, and last the built-in profiles.
package struct PlaceFinder: Sendable {
    /// The table in which places are looked up one by one; then `given` has only the parents.
    private let table: PolicyTable?
    private let given: Provenance?
    private let profile: String

    /// A finder for the rule that names `profile`.
    package init(provenance: Provenance?, profile: String) {
        table = nil
        given = provenance
        self.profile = profile
    }

    /// A finder that reads the places of a table on demand.
    ///
    /// - Parameter parents: `PolicyTable.profileParents()`.
    init(_ table: PolicyTable, parents: [String: String]?, profile: String) {
        self.table = table
        given = parents.map { Provenance(parents: $0) }
        self.profile = profile
    }

    /// Every place.
    private var provenance: Provenance? { table.map { $0.provenance() } ?? given }

    /// Whether the table carries provenance, so that places are known.
    package var hasProvenance: Bool { given != nil }

    /// The place of exactly this pointer; no layers are searched.
    package func exact(_ pointer: String) -> Provenance.Location? {
        if let table { return table.location(of: pointer) }
        return given?.locations[pointer]
    }

    /// The place of a named thing in a section of the policy: an anchor set, a pin set.
    package func named(_ section: String, _ id: String) -> Provenance.Location? {
        exact("/\(section)/\(id)")
    }

    /// The place of a rule, or of `default` when the id is empty.
    package func rule(_ id: String) -> Provenance.Location? {
        id.isEmpty ? exact("/default") : named("rules", id)
    }

    /// The place of a pattern of a rule, by its canonical text.
    package func pattern(_ pattern: String, rule: String) -> Provenance.Location? {
        exact("/rules/\(rule)/hosts/\(pattern)")
            ?? exact("/rules/\(rule)/hosts/\(PlaceFinder.escaped(pattern))")
    }

    /// The pointer of the constraint that failed. It is found where exactly one set writes a
    /// constraint of this kind, among the anchor set and the sets that it includes, directly or
    /// through others. Otherwise the result is the pointer of the anchor set itself.
    package func pointer(of failure: AnchorConstraintFailure) -> String {
        var writers: [String] = []
        var seen: Set<String> = [failure.set]
        var open = [failure.set]
        while let set = open.popLast() {
            let pointer = "/anchors/\(set)/constraints/\(failure.side.key)"
            if exact(pointer) != nil { writers.append(pointer) }
            let prefix = "/anchors/\(set)/include/"
            for key in provenance?.locations.keys ?? [:].keys where key.hasPrefix(prefix) {
                let included = String(key.dropFirst(prefix.count))
                if seen.insert(included).inserted { open.append(included) }
            }
        }
        return writers.count == 1 ? writers[0] : "/anchors/\(failure.set)"
    }

    /// The place of a demand; the layers are searched in order.
    package func place(of pointer: String) -> PolicyPlace {
        guard let provenance else { return .unknown }
        guard let field = PlaceFinder.field(of: pointer) else {
            return provenance.locations[pointer].map { .written($0, layer: .rule) } ?? .unknown
        }
        let owner = String(pointer.dropLast(field.count + 1))
        if let location = nearest(owner, field) { return .written(location, layer: .rule) }
        for layer in layers {
            if let location = nearest("/profiles/\(layer)", field) {
                return .written(location, layer: .profile(layer))
            }
            if PlaceFinder.isWritten(field, byBuiltIn: layer) { return .builtIn(profile: layer) }
        }
        if PlaceFinder.ruleOnly.contains(PlaceFinder.firstPart(of: field)) {
            return provenance.locations[owner].map { .written($0, layer: .rule) } ?? .unknown
        }
        return .builtIn(profile: "baseline")
    }

    /// The rule's profile and its parents, nearest first. LANGUAGE section 1.6 allows eight; the
    /// list ends there even where a forged table names more.
    package var layers: [String] {
        var layers: [String] = []
        var next: String? = profile
        while let layer = next, layers.count <= 8 {
            layers.append(layer)
            next = given?.parents[layer]
        }
        return layers
    }

    /// Whether a built-in profile writes a field over the baseline.
    static func isWritten(_ field: String, byBuiltIn profile: String) -> Bool {
        BuiltInProfile(rawValue: profile)?.writes(field) ?? false
    }

    /// The place of the field in a layer. Where the demand spans several fields, the place of the
    /// first of them that the layer writes.
    private func nearest(_ layer: String, _ field: String) -> Provenance.Location? {
        if let location = exact("\(layer)/\(field)") { return location }
        let prefix = "\(layer)/\(field)/"
        return provenance?.locations.filter { $0.key.hasPrefix(prefix) }
            .map(\.value).min { ($0.file, $0.line, $0.column) < ($1.file, $1.line, $1.column) }
    }

    /// The part of a pointer after `/rules/ID/` or `/default/`; nil for any other pointer.
    private static func field(of pointer: String) -> String? {
        let parts = pointer.split(separator: "/", omittingEmptySubsequences: true)
        switch parts.first {
        case "rules": return parts.count > 2 ? parts.dropFirst(2).joined(separator: "/") : nil
        case "default": return parts.count > 1 ? parts.dropFirst().joined(separator: "/") : nil
        default: return nil
        }
    }

    private static func firstPart(of field: String) -> String {
        String(field.prefix { $0 != "/" })
    }

    /// One part of a JSON pointer, escaped (RFC 6901 section 3).
    private static func escaped(_ part: String) -> String {
        var result = ""
        for character in part {
            switch character {
            case "~": result += "~0"
            case "/": result += "~1"
            default: result.append(character)
            }
        }
        return result
    }

    /// Fields that only a rule writes. Where the field is absent, the place is the rule's.
    private static let ruleOnly: Set<String> = ["anchors", "pins", "identity", "waivers", "hosts"]
}
