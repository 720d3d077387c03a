import ConformanceCases
import Foundation
import PrivatePKIShapes
import Testing

@Suite("shapes of private PKIs")
struct PrivateShapeTests {
    /// As many as `.ci/full` mints.
    private static let count = 5_000

    @Test("the same number under the same seed is the same shape, octet for octet")
    func determinism() throws {
        let single = ShapePlan.single.count
        for number in [0, single / 2, single - 1] + (single..<single + 20) {
            let line = try PrivateShape(number: number, seed: 15).line()
            #expect(try PrivateShape(number: number, seed: 15).line() == line)
        }
        let plans = (single..<single + 50).map { ShapePlan(number: $0, seed: 15) }
        #expect(plans != (single..<single + 50).map { ShapePlan(number: $0, seed: 16) })
    }

    @Test("every oddity stands alone in each of its roles, and by chance beside others")
    func everyOddity() {
        struct Place: Hashable {
            let oddity: Oddity
            let role: Oddity.Role
        }
        let all = Set(
            Oddity.all.flatMap { oddity in oddity.roles.map { Place(oddity: oddity, role: $0) } })
        #expect(all.count == Oddity.all.reduce(0) { $0 + $1.roles.count })
        func places(_ plans: [ShapePlan]) -> Set<Place> {
            Set(plans.flatMap(\.choices).map { Place(oddity: $0.oddity, role: $0.role) })
        }
        let single = ShapePlan.single
        #expect(places(single) == all)
        #expect(single.allSatisfy { $0.choices.count == 1 })
        let random = (single.count..<PrivateShapeTests.count).map {
            ShapePlan(number: $0, seed: 15)
        }
        #expect(Set(random.flatMap(\.choices).map(\.oddity)) == Set(Oddity.all))
        #expect(Set(random.map(\.form)) == Set(ShapePlan.Form.allCases))
        #expect(Set(random.flatMap(\.keys)) == Set(ShapePlan.KeyKind.allCases))
        let few = random.count { (1...3).contains($0.choices.count) }
        #expect(few * 2 > random.count)
        let harmless = random.count { $0.choices.allSatisfy { $0.oddity.refusal == nil } }
        #expect((random.count / 4...random.count / 2).contains(harmless))
    }

    @Test("a shape is a vector of the conformance format")
    func format() throws {
        for number in stride(from: 0, to: 600, by: 29) {
            let shape = PrivateShape(number: number, seed: 15)
            let vector = try ConformanceCase(json: shape.line())
            #expect(vector.id == shape.id)
            #expect(vector.trusted == shape.trusted)
            #expect(vector.bag == shape.bag)
            #expect(vector.peer == shape.peer)
            #expect(vector.expected == (shape.refusals.isEmpty ? .success : .failure))
        }
    }
}
