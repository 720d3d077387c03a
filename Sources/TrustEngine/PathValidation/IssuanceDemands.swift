/// A set of demands that are addressed to those who issue certificates (LANGUAGE section 12.10).
package struct IssuanceDemands: Hashable, Sendable, BitwiseCopyable {
    /// One bit for each demand, by its `issuanceNumber`. The form of the set in a table.
    package let rawValue: UInt64

    /// Makes a set of the demands of issuance among these demands.
    package init(_ demands: some Sequence<StandardDemand>) {
        rawValue = demands.reduce(0) { bits, demand in
            bits | (demand.issuanceNumber.map { 1 << UInt64($0) } ?? 0)
        }
    }

    /// The set with these bits; nil for an empty set, and where a bit does not stand for a demand.
    package init?(rawValue: UInt64) {
        guard rawValue != 0, rawValue & ~IssuanceDemands.all.rawValue == 0 else { return nil }
        self.rawValue = rawValue
    }

    /// Every demand of issuance.
    package static let all = IssuanceDemands(StandardDemand.allCases)

    package func contains(_ demand: StandardDemand) -> Bool {
        demand.issuanceNumber.map { rawValue & (1 << UInt64($0)) != 0 } ?? false
    }

    package func isSubset(of other: IssuanceDemands) -> Bool {
        rawValue & ~other.rawValue == 0
    }

    /// The ids of the demands, in the order of `StandardDemand`.
    package var ids: [String] {
        StandardDemand.allCases.filter(contains).map(\.rawValue)
    }
}

extension StandardDemand {
    /// Whether the demand is addressed to those who issue certificates. A breach of any other
    /// demand rejects.
    package var isIssuance: Bool { issuanceNumber != nil }
}
