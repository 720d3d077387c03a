package import PolicyReading
import TrustEngine

// Where a field comes from, in words and as JSON.
extension FieldOrigin {
    /// The origin as text: `policy.yaml:12:5 (profile `org`, by `revocation.preset`)`.
    package var text: String {
        var notes: [String] = []
        var head = location?.description ?? ""
        switch layer {
        case .named, .unknown: break
        case .rule(let id): notes.append(id.isEmpty ? "`default`" : "rule `\(id)`")
        case .profile(let id, nil): notes.append("profile `\(id)`")
        case .profile(let id, let nearer?):
            notes.append("profile `\(id)`, which `\(nearer)` extends")
        case .builtIn(let id): head = "built-in profile `\(id)`"
        case .included(let id): notes.append("included `\(id)`")
        case .byDefault: notes.append("by default")
        }
        if let by { notes.append("by `\(by)`") }
        guard !notes.isEmpty else { return head }
        return (head.isEmpty ? "" : head + " ") + "(\(notes.joined(separator: ", ")))"
    }

    /// The origin as the members of a JSON object.
    package var json: JSONValue {
        let name: String
        var nearer: String?
        switch layer {
        case .rule: name = "rule"
        case .profile(let id, let extendedBy):
            name = "profile \(id)"
            nearer = extendedBy
        case .builtIn(let id): name = "built-in \(id)"
        case .named(let thing): name = thing
        case .included(let id): name = "anchors \(id)"
        case .byDefault: name = "default"
        case .unknown: name = "unknown"
        }
        return .object([
            "layer": name, "extendedBy": nearer, "by": by, "file": location?.file,
            "line": location?.line, "column": location?.column,
        ])
    }
}
