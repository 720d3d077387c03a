package import TrustEngine

// Parts of a policy as a table would hold them.
extension PolicyParts {
    /// The body of a rule or of `default` as a table would hold it.
    package func lowered(_ body: BoundBody) -> RuleBody { Lowering.body(body, layers) }

    /// The anchor sets and pin sets that rules name, as a table would hold them, as far as they
    /// could be read.
    package var loweredSets: (anchors: [AnchorSetContents], pins: [PinSetContents]) {
        (
            bound.anchorSets.map { Lowering.anchorSet($0, anchorSets) },
            bound.pinSets.map { Lowering.pinSet($0, isAnchor: false) }
        )
    }
}
