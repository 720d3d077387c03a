/// What a file name means inside a unit.
package enum PolicyName {
    /// `policy.yaml`.
    case unit
    /// `NAME.policy.yaml`.
    case policy
    /// A policy's name with a mistake in its letter case or extension, and the correct name.
    case misspelt(String)
    case other

    init(_ name: String) {
        let folded = name.lowercased()
        if name == "policy.yaml" {
            self = .unit
        } else if name.hasSuffix(".policy.yaml"), name.utf8.count > ".policy.yaml".utf8.count {
            self = .policy
        } else if folded == "policy.yaml" || folded == "policy.yml" {
            self = .misspelt("policy.yaml")
        } else if folded.hasSuffix(".policy.yaml") || folded.hasSuffix(".policy.yml") {
            let base = name.dropLast(folded.hasSuffix(".yaml") ? 12 : 11)
            self = .misspelt("\(base.isEmpty ? "NAME" : base).policy.yaml")
        } else {
            self = .other
        }
    }

    /// Whether the name is a policy's, or would be if it were spelt correctly.
    static func isOne(_ name: String) -> Bool {
        switch PolicyName(name) {
        case .unit, .policy, .misspelt: return true
        case .other: return false
        }
    }

    /// Whether a file with this name is compiled.
    package static func isCompiled(_ name: String) -> Bool {
        switch PolicyName(name) {
        case .unit, .policy: return true
        case .misspelt, .other: return false
        }
    }

    static func isYAML(_ name: String) -> Bool {
        let folded = name.lowercased()
        return folded.hasSuffix(".yaml") || folded.hasSuffix(".yml")
    }
}
