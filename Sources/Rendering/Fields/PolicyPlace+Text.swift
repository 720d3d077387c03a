package import PolicyReading
package import TrustEngine

// A place of the policy in words.
extension PolicyPlace {
    /// The place as text: `policy.yaml:12:5`, or the name of the built-in profile.
    package var text: String? {
        switch self {
        case .written(let location, .rule): return location.description
        case .written(let location, .profile(let id)):
            return "\(location.description) (profile `\(id)`)"
        case .builtIn(let profile): return "built-in profile `\(profile)`"
        case .unknown: return nil
        }
    }
}

extension JSONValue {
    /// A place in a policy file; null without a place.
    package static func location(_ location: Provenance.Location?) -> JSONValue {
        guard let location else { return .null }
        return .object(["file": location.file, "line": location.line, "column": location.column])
    }
}
