package import TrustEngine

extension HostClass {
    /// What a reader is told in place of a pattern. No pattern has a blank.
    package static let others = "every other host"

    /// The class for a reader: its pattern, with the port that it is about.
    package var text: String {
        guard let pattern else { return HostClass.others }
        guard let port, pattern.port == nil else { return pattern.canonicalText }
        return HostPattern(host: pattern.host, port: port).canonicalText
    }

    /// Whether a class is one name or one address.
    package var isOneHost: Bool {
        switch pattern?.host {
        case .name, .address: return true
        case .oneLabel, .anyLabels, .network, nil: return false
        }
    }
}
