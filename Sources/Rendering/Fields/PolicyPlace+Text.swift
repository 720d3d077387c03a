package import PolicyReading
import TrustEngine

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
