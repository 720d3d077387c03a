import HostileCosts
import Testing

/// Chains that are made to cost: each ends with a named outcome within the budget. What they cost
/// in time is measured by `hostile-benchmark`.
@Suite struct HostileCostTests {
    @Test func everyHostileChainEndsWithinItsBudget() throws {
        let costs = try HostileCost.all { 0 }
        for cost in costs {
            #expect(cost.fault == nil, "\(cost.name)")
            #expect(cost.units <= cost.limit, "\(cost.name)")
            #expect(cost.outcome != "engine-error" && cost.outcome != "nothing", "\(cost.name)")
        }
        // A graph of policies grows with their number, not with that of the ways through it; and
        // evidence is read in time that grows with its length.
        #expect(
            costs.filter { $0.outcome == "accept" }.map(\.name) == [
                "seven authorities that map 22 policies to as many", "a CRL of 100000 entries",
                "a staple with 2000 answers about the certificate",
                "a staple with 60 delegates with RSA-16384", "300 responses with 8 delegates each",
                "a staple with 1500 answers of 16 extensions",
            ])
    }
}
