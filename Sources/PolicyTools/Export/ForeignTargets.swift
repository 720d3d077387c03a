/// Every format that policies are exported to.
package enum ForeignTargets {
    /// The formats in the order in which they are listed. A new one is added here.
    package static let all: [any ForeignTarget.Type] = [
        NSCTarget.self, ATSTarget.self, PinsJSONTarget.self, CurlTarget.self, EnvoyTarget.self,
        GatewayTarget.self, TrustManagerTarget.self, ClusterTrustBundleTarget.self,
        ChromeEnterpriseTarget.self,
    ]

    /// The names of all formats.
    package static var names: [String] { all.map { $0.name } }

    /// The format with a name; nil if there is none.
    package static func named(_ name: String) -> (any ForeignTarget.Type)? {
        all.first { $0.name == name }
    }

    /// The options of any format, in the order in which they are listed.
    package static var options: [ForeignOption] {
        ForeignOption.allCases.filter { option in all.contains { $0.options.contains(option) } }
    }
}
