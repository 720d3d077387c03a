import TrustEngine

/// A table that stands for hosts alone: its one rule decides the hosts of some patterns, so that
/// classes that are made with it lie inside the patterns or outside them. What its rule demands is
/// never read.
enum HostMask {
    /// The table of some patterns, at least one.
    static func table(_ patterns: [HostPattern], crypto: any CryptoBackend) -> PolicyTable {
        let body = RuleBody(
            anchors: [], pins: [], profile: BuiltInProfile.baseline.rawValue,
            requirements: BuiltInProfile.baseline.requirements,
            identity: IdentityRequirement(reference: .host), waivers: [], owner: nil, note: nil)
        var seen: Set<HostPattern> = []
        let hosts = patterns.filter { seen.insert($0).inserted }
        return PolicyTable.encode(
            PolicyContents(
                defaultRule: .deny, rules: [RuleContents(id: "asked", hosts: hosts, body: body)],
                anchorSets: [], pinSets: []),
            provenance: nil, crypto: crypto)
    }
}
