import FuzzBodies
import Testing

/// Chains that are made to cost: each ends with a named outcome within the budget.
@Suite struct HostileCostTests {
    @Test func everyHostileChainEndsWithinItsBudget() throws {
        let costs = try HostileCost.all { 0 }
        #expect(costs.count == 26)
        for cost in costs {
            #expect(cost.units <= cost.limit, "\(cost.name)")
            #expect(cost.outcome != "engine-error" && cost.outcome != "nothing", "\(cost.name)")
        }
        // A graph of policies grows with their number, not with that of the ways through it; and
        // evidence is read in time that grows with its length.
        #expect(
            costs.filter { $0.outcome == "accept" }.map(\.name) == [
                "seven authorities that map 22 policies to as many", "a CRL of 100000 entries",
                "a staple with 2000 answers about the certificate",
                "a staple with 60 delegates with RSA-16384",
            ])
    }
}
