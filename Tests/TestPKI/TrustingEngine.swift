public import TrustEngine

extension Engine {
    /// An engine that judges every host by these roots, DER, and asks for nothing else.
    public init(trusting roots: [[UInt8]], crypto: any CryptoBackend) throws(EngineError) {
        let body = RuleBody(
            anchors: ["corp"], pins: [], profile: "baseline", requirements: Requirements(),
            identity: IdentityRequirement(), waivers: [], owner: nil, note: nil)
        let contents = PolicyContents(
            defaultRule: .body(body), rules: [],
            anchorSets: [
                AnchorSetContents(id: "corp", groups: [AnchorGroup(source: .members(roots))])
            ], pinSets: [])
        try self.init(
            table: PolicyTable.encode(contents, provenance: nil, crypto: crypto), crypto: crypto)
    }
}
