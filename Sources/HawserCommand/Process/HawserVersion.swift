import CVersion

/// The version of the command.
enum HawserVersion {
    static let text = "hawser \(number)"
    /// Only the version, by Semantic Versioning 2.0.0.
    static let number = HAWSER_VERSION
}
