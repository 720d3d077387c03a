extension PolicySnapshot: PolicyInForce, VerdictSource {
    /// This snapshot itself.
    public var snapshot: PolicySnapshot { self }
}

extension PolicyStore: VerdictSource {}
