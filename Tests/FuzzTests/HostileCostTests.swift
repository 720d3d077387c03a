import HostileCosts
import TestPKI
import Testing

/// Chains that are made to cost: each ends with a named outcome within the budget. They take a
/// minute in a debug build, so that a usual run asks a sample. `hostile-benchmark` judges all of
/// them and measures what they cost in time.
@Suite struct HostileCostTests {
    /// The chains that are accepted: a graph of policies grows with their number, not with the
    /// number of ways through it, and evidence is read in time that grows with its length.
    private static let accepted: Set<String> = [
        "seven authorities that map 22 policies to as many", "a CRL of 100000 entries",
        "a staple with 2000 answers about the certificate",
        "a staple with 60 delegates with RSA-16384", "300 responses with 8 delegates each",
        "a staple with 1500 answers of 16 extensions",
    ]

    @Test(
        "every hostile chain ends within its budget",
        arguments: Sample.of(HostileChain.recipes.indices, atMost: 8, "hostile chains"))
    func budget(_ number: Int) throws {
        let cost = try HostileCost.of(HostileChain.recipes[number]()) { 0 }
        #expect(cost.fault == nil, "\(cost.name)")
        #expect(cost.units <= cost.limit, "\(cost.name)")
        #expect(cost.outcome != "engine-error" && cost.outcome != "nothing", "\(cost.name)")
        #expect((cost.outcome == "accept") == Self.accepted.contains(cost.name), "\(cost.name)")
    }

    @Test(
        "every chain that is accepted is there", .enabled(if: Sample.isWhole, "mints every chain"))
    func names() {
        let names = HostileChain.recipes.map { $0().name }
        #expect(Self.accepted.isSubset(of: names))
        #expect(Set(names).count == names.count)
    }
}
