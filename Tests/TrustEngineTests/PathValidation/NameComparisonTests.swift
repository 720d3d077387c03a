import LibCrypto
import TestPKI
import Testing
import TrustEngine

/// Names that others chose are compared and paid for.
@Suite("comparing names within a budget") struct NameComparisonTests {
    private let world = Scenario()

    /// A name of one set of attributes.
    private static func set(_ values: [String]) -> [UInt8] {
        TestName(relativeNames: [values.map { .commonName($0) }]).der
    }

    @Test(
        "RFC 5280 section 7.1: the attributes of a relative name are a set",
        arguments: [
            (left: ["a", "b", "c"], right: ["C", "a", "B"], isEqual: true),
            (left: ["a", "a", "b"], right: ["b", "a", "a"], isEqual: true),
            (left: ["a", "a", "b"], right: ["a", "b", "b"], isEqual: false),
            (left: ["a", "b"], right: ["a", "b", "b"], isEqual: false),
            (left: ["a"], right: ["a", "b"], isEqual: false),
            (left: ["ab", "a"], right: ["a", "AB"], isEqual: true),
        ])
    func setsAreCompared(left: [String], right: [String], isEqual: Bool) {
        let (left, right) = (Self.set(left), Self.set(right))
        let found = DistinguishedName.isEqual(left.span, right.span)
        let turned = DistinguishedName.isEqual(right.span, left.span)
        #expect(found == isEqual)
        #expect(turned == isEqual)
    }

    @Test func aSetOfManyAttributesIsComparedWithFewReadings() {
        let values = (0..<32).map { String(repeating: "n", count: 500) + "\($0)" }
        let left = Self.set(values)
        let right = Self.set(values.reversed())
        var work = ReadingWork()
        let isEqual = DistinguishedName.isEqual(left.span, right.span, work: &work)
        #expect(isEqual)
        // Each attribute with each would be sixteen times as many.
        #expect(work.octets < 7 * (left.count + right.count))
    }

    @Test func longNamesOfOtherOctetsCostUnits() throws {
        let text = String(repeating: "n", count: 30_000)
        let (left, right) = (TestName(text + "a").der, TestName(text + "A").der)
        var budget = WorkBudget(limit: 10_000)
        let isEqual = try DistinguishedName.isEqual(left.span, right.span, budget: &budget)
        #expect(isEqual)
        #expect(budget.spent >= (left.count + right.count) / 128)
        var small = WorkBudget(limit: 100)
        #expect(throws: WorkExhausted.self) {
            try DistinguishedName.isEqual(left.span, right.span, budget: &small)
        }
        let short = TestName("Acme Issuing").der
        let other = TestName("ACME issuing").der
        var free = WorkBudget(limit: 10)
        let isShortEqual = try DistinguishedName.isEqual(short.span, other.span, budget: &free)
        #expect(isShortEqual)
        #expect(free.spent == 0, "names in use cost nothing beside the unit of their candidate")
    }

    @Test func anIssuerThatTheBudgetDoesNotAllowToCompareIsNone() throws {
        let text = String(repeating: "n", count: 20_000)
        let issuer = world.root(TestName(text + "a"), key: .p256("long issuer"))
        let leaf = try issuer.issueLeaf(dns: ["a.example"]) { $0.issuer = TestName(text + "A") }
            .parsed()
        let root = try issuer.certificate.parsed()
        var budget = WorkBudget(limit: 10_000)
        #expect(leaf.isIssued(byNameOf: root, budget: &budget))
        var small = WorkBudget(limit: 20)
        #expect(leaf.isIssued(byNameOf: root, budget: &small) == false)
        #expect(small.isExhausted)
    }

    @Test func aCertificateKnowsWhetherItIsSelfIssued() throws {
        let root = world.root("Self", key: .p256("self"))
        #expect(try root.certificate.parsed().isSelfIssued)
        let folded = world.root("Self", key: .p256("self")) { $0.issuer = "SELF" }
        #expect(try folded.certificate.parsed().isSelfIssued)
        let issued = root.issueCA("Other", key: .p256("other"))
        #expect(try issued.certificate.parsed().isSelfIssued == false)
    }

    /// Something in a certificate that takes longer to read than its octets show.
    enum Costly: CaseIterable {
        case nameOutsideASCII, manyPolicies, manyUnknownExtensions

        /// The least units that it is charged.
        var least: Int {
            switch self {
            case .nameOutsideASCII: return 200
            case .manyPolicies: return 150
            case .manyUnknownExtensions: return 30
            }
        }

        func add(to recipe: inout CertificateRecipe) {
            switch self {
            case .nameOutsideASCII:
                recipe.subject = TestName(String(repeating: "ü", count: 15_000))
            case .manyPolicies:
                recipe.extensions.append(
                    .certificatePolicies((0..<256).map { "1.3.6.1.4.1.32473.9.\($0)" }))
            case .manyUnknownExtensions:
                recipe.extensions += (0..<58).map { .raw("1.3.6.1.4.1.32473.8.\($0)", []) }
            }
        }
    }

    @Test("reading that takes longer than its octets is charged", arguments: Costly.allCases)
    func readingIsCharged(_ costly: Costly) throws {
        let root = world.root("Root", key: .p256("reading"))
        let usual = try root.issueCA("Issuing", key: .p256("issuing")).certificate.parsed()
        #expect(usual.layout.readingUnits == 0)
        let made = try root.issueCA("Issuing", key: .p256("issuing"), costly.add)
            .certificate.parsed()
        #expect(Int(made.layout.readingUnits) >= costly.least)
        #expect(SignatureCost.readingUnits(of: made) >= costly.least)
    }
}
