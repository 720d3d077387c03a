import LibCrypto
import TrustEngine

/// Tables of rules that differ only in their patterns.
enum SampleTable {
    /// A table whose rules have these patterns, each rule under its id.
    static func table(
        _ rules: [(String, [HostPattern])], denies: Bool = true, waivers: [Waiver] = [],
        owner: String? = nil, note: String? = nil
    ) -> PolicyTable {
        let body = RuleBody(
            anchors: ["system"], pins: [], profile: "baseline", requirements: Requirements(),
            identity: IdentityRequirement(), waivers: waivers, owner: owner, note: note)
        return PolicyTable.encode(
            PolicyContents(
                defaultRule: denies ? .deny : .body(body),
                rules: rules.map { RuleContents(id: $0.0, hosts: $0.1.sorted(), body: body) }
                    .sorted { $0.id < $1.id },
                anchorSets: [.system], pinSets: []),
            provenance: nil, crypto: LibCryptoBackend())
    }
}

extension HostPattern {
    static func name(_ name: String, _ port: UInt16? = nil) -> HostPattern {
        HostPattern(host: .name(name), port: port)
    }
    static func one(_ base: String, _ port: UInt16? = nil) -> HostPattern {
        HostPattern(host: .oneLabel(base: base), port: port)
    }
    static func any(_ base: String, _ port: UInt16? = nil) -> HostPattern {
        HostPattern(host: .anyLabels(base: base), port: port)
    }
    static func single(_ text: String, _ port: UInt16? = nil) -> HostPattern {
        HostPattern(host: .address(IPAddress(sample: text)), port: port)
    }
    static func network(_ text: String, _ prefix: Int) -> HostPattern {
        HostPattern(host: .network(IPAddress(sample: text), prefix: prefix), port: nil)
    }
}

extension IPAddress {
    /// An address that a test writes down.
    init(sample text: String) {
        guard let address = IPAddress(text: text) else {
            preconditionFailure("\(text) is no address")
        }
        self = address
    }
}
