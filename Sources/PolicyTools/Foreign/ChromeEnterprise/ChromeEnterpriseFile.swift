import PolicyCompiler
import TrustEngine

/// The lists of certificates in Chrome's enterprise policies. The source of every rule is
/// Chromium's `profile_network_context_service.cc`, `GetCertificatePolicy`, read in November 2026.
package struct ChromeEnterpriseFile: Sendable {
    /// A certificate of a list.
    struct Entry: Sendable {
        let range: Range<Int>
        let der: [UInt8]
        /// `permitted_dns_names`; empty for no limit on names.
        var names: [Text] = []
        /// `permitted_cidrs`; empty for no limit on addresses.
        var networks: [Text] = []
    }

    /// A text with its place.
    struct Text: Sendable {
        let text: String
        let range: Range<Int>
    }

    /// `CACertificates`.
    var plain: [Entry] = []
    /// `CACertificatesWithConstraints`.
    var constrained: [Entry] = []
    /// `CADistrustedCertificates`, whose keys are distrusted.
    var distrusted: [Entry] = []
    /// The place of `CAHintCertificates`.
    var hints: Range<Int>?
    /// The keys of other policies.
    var otherKeys: [String] = []
    /// The entries that Chrome ignores.
    var findings: [Diagnostic] = []

    static let plainKey = "CACertificates"
    static let constrainedKey = "CACertificatesWithConstraints"
    static let distrustedKey = "CADistrustedCertificates"
    static let hintsKey = "CAHintCertificates"

    /// A name below a domain that does not exist (RFC 6761 section 6.4). In a list of its type it
    /// permits no server.
    static let noName = "nothing.invalid"
    /// An address for documentation (RFC 5737), which no server has, in a list of networks.
    static let noNetwork = "192.0.2.0/32"
}
