import Testing
import TrustEngine

@Suite("certificate policies (RFC 5280 section 6.1, RFC 9618)")
struct CertificatePolicyGraphTests {
    private static let any: [UInt8] = [0x55, 0x1D, 0x20, 0x00]
    private static func policy(_ number: UInt8) -> [UInt8] { [0x2A, 0x03, number] }

    /// One certificate of a path in a few words.
    private struct Step {
        var policies: [[UInt8]]? = nil
        var mappings: [([UInt8], [UInt8])] = []
        var requireExplicit: UInt8? = nil
        var inhibitMapping: UInt8? = nil
        var inhibitAny: UInt8? = nil
        var isSelfIssued = false

        func certificate() throws -> Certificate {
            var sketch = CertificateSketch()
            if isSelfIssued { sketch.subject = sketch.issuer }
            if let policies {
                let list = policies.map { DER.sequence(DER.element(0x06, $0)) }
                sketch.extensions.append(
                    CertificateSketch.fieldExtension(0x20, DER.element(0x30, list.flatMap { $0 })))
            }
            if !mappings.isEmpty {
                let list = mappings.map {
                    DER.sequence(DER.element(0x06, $0.0), DER.element(0x06, $0.1))
                }
                sketch.extensions.append(
                    CertificateSketch.fieldExtension(0x21, DER.element(0x30, list.flatMap { $0 })))
            }
            if requireExplicit != nil || inhibitMapping != nil {
                sketch.extensions.append(
                    CertificateSketch.fieldExtension(
                        0x24,
                        DER.sequence(
                            requireExplicit.map { DER.element(0x80, [$0]) } ?? [],
                            inhibitMapping.map { DER.element(0x81, [$0]) } ?? [])))
            }
            if let inhibitAny {
                sketch.extensions.append(
                    CertificateSketch.fieldExtension(0x36, DER.integer(inhibitAny)))
            }
            return try sketch.certificate()
        }
    }

    private struct Row: CustomTestStringConvertible {
        let name: String
        let path: [Step]
        var demand = CertificatePolicyGraph.Inputs(requiresExplicitPolicy: true)
        let expected: CertificatePolicyGraph.Outcome
        var testDescription: String { name }
    }

    private static let p1 = policy(1)
    private static let p2 = policy(2)
    private static let p3 = policy(3)

    private static func wanting(
        _ policies: [UInt8]..., mappingInhibit: Bool = false, anyInhibit: Bool = false
    ) -> CertificatePolicyGraph.Inputs {
        CertificatePolicyGraph.Inputs(
            initialPolicies: policies, requiresExplicitPolicy: true,
            inhibitsMapping: mappingInhibit, inhibitsAnyPolicy: anyInhibit)
    }

    private static let rows: [Row] = [
        Row(
            name: "6.1.3 (e) no policies, none asked for", path: [Step(), Step()],
            demand: CertificatePolicyGraph.Inputs(), expected: .satisfied),
        Row(
            name: "6.1.3 (f) no policies, one asked for", path: [Step(), Step()],
            expected: .unsatisfied(0)),
        Row(
            name: "6.1.3 (d) the same policy throughout",
            path: [Step(policies: [p1]), Step(policies: [p1])],
            expected: .satisfied),
        Row(
            name: "6.1.3 (d) different policies",
            path: [Step(policies: [p1]), Step(policies: [p2])],
            expected: .unsatisfied(1)),
        Row(
            name: "6.1.3 (e) the end entity has none", path: [Step(policies: [p1]), Step()],
            expected: .unsatisfied(1)),
        Row(
            name: "6.1.5 (g) another policy wanted",
            path: [Step(policies: [p1]), Step(policies: [p1])],
            demand: wanting(p2), expected: .unsatisfied(1)),
        Row(
            name: "6.1.5 (g) one of two wanted",
            path: [Step(policies: [p1, p2]), Step(policies: [p2])],
            demand: wanting(p2, p3), expected: .satisfied),
        Row(
            name: "6.1.5 (g) the one that does not reach the end",
            path: [Step(policies: [p1, p2]), Step(policies: [p2])],
            demand: wanting(p1), expected: .unsatisfied(1)),
        Row(
            name: "6.1.3 (d)(2) anyPolicy above",
            path: [Step(policies: [any]), Step(policies: [p1])],
            demand: wanting(p1), expected: .satisfied),
        Row(
            name: "6.1.3 (d)(2) anyPolicy below",
            path: [Step(policies: [p1]), Step(policies: [any])],
            demand: wanting(p1), expected: .satisfied),
        Row(
            name: "6.1.3 (d)(2) anyPolicy throughout",
            path: [Step(policies: [any]), Step(policies: [any])],
            demand: wanting(p3), expected: .satisfied),
        Row(
            name: "6.1.3 (d)(2) anyPolicy inhibited at first",
            path: [Step(policies: [any]), Step(policies: [p1])],
            demand: wanting(p1, anyInhibit: true), expected: .unsatisfied(0)),
        Row(
            name: "6.1.4 (j) anyPolicy inhibited below",
            path: [Step(policies: [p1], inhibitAny: 0), Step(policies: [any])],
            expected: .unsatisfied(1)),
        Row(
            name: "6.1.4 (j) anyPolicy inhibited one further down",
            path: [
                Step(policies: [p1], inhibitAny: 1), Step(policies: [any]), Step(policies: [any]),
            ],
            expected: .unsatisfied(2)),
        Row(
            name: "6.1.3 (d)(2) a self-issued CA may use anyPolicy all the same",
            path: [
                Step(policies: [p1], inhibitAny: 0), Step(policies: [any], isSelfIssued: true),
                Step(policies: [p1]),
            ],
            expected: .satisfied),
        Row(
            name: "6.1.4 (b) mapped",
            path: [Step(policies: [p1], mappings: [(p1, p2)]), Step(policies: [p2])],
            demand: wanting(p1), expected: .satisfied),
        Row(
            name: "6.1.4 (b) the subject policy is not the authority's",
            path: [Step(policies: [p1], mappings: [(p1, p2)]), Step(policies: [p2])],
            demand: wanting(p2), expected: .unsatisfied(1)),
        Row(
            name: "6.1.4 (b) a mapped policy expects itself no more",
            path: [Step(policies: [p1], mappings: [(p1, p2)]), Step(policies: [p1])],
            expected: .unsatisfied(1)),
        Row(
            name: "6.1.4 (b)(1) mapped out of anyPolicy",
            path: [Step(policies: [any], mappings: [(p1, p2)]), Step(policies: [p2])],
            demand: wanting(p1), expected: .satisfied),
        Row(
            name: "6.1.4 (b)(2) mapping inhibited at first",
            path: [Step(policies: [p1], mappings: [(p1, p2)]), Step(policies: [p2])],
            demand: wanting(p1, mappingInhibit: true), expected: .unsatisfied(1)),
        Row(
            name: "6.1.4 (b)(2) only the mapped policy goes",
            path: [Step(policies: [p1, p3], mappings: [(p1, p2)]), Step(policies: [p3])],
            demand: wanting(p3, mappingInhibit: true), expected: .satisfied),
        Row(
            name: "6.1.4 (i) mapping inhibited below",
            path: [
                Step(policies: [p1], inhibitMapping: 0), Step(policies: [p1], mappings: [(p1, p2)]),
                Step(policies: [p2]),
            ],
            expected: .unsatisfied(2)),
        Row(
            name: "6.1.4 (i) mapping allowed once more",
            path: [
                Step(policies: [p1], inhibitMapping: 1), Step(policies: [p1], mappings: [(p1, p2)]),
                Step(policies: [p2]),
            ],
            expected: .satisfied),
        Row(
            name: "6.1.4 (a) anyPolicy as issuer policy",
            path: [Step(policies: [any], mappings: [(any, p2)]), Step(policies: [p2])],
            demand: CertificatePolicyGraph.Inputs(), expected: .unsatisfied(0)),
        Row(
            name: "6.1.4 (a) anyPolicy as subject policy",
            path: [Step(policies: [p1], mappings: [(p1, any)]), Step(policies: [p2])],
            demand: CertificatePolicyGraph.Inputs(), expected: .unsatisfied(0)),
        Row(
            name: "6.1.4 (i) a CA asks for a policy at once",
            path: [Step(policies: [p1], requireExplicit: 0), Step()],
            demand: CertificatePolicyGraph.Inputs(), expected: .unsatisfied(1)),
        Row(
            name: "6.1.4 (i) a CA asks for a policy beyond the path",
            path: [Step(requireExplicit: 3), Step(), Step()],
            demand: CertificatePolicyGraph.Inputs(), expected: .satisfied),
        Row(
            name: "6.1.4 (h) self-issued certificates do not count down",
            path: [
                Step(requireExplicit: 2), Step(isSelfIssued: true), Step(isSelfIssued: true),
                Step(),
            ],
            demand: CertificatePolicyGraph.Inputs(), expected: .satisfied),
        Row(
            name: "6.1.5 (b) the end entity asks for a policy",
            path: [Step(), Step(requireExplicit: 0)],
            demand: CertificatePolicyGraph.Inputs(), expected: .unsatisfied(1)),
        Row(
            name: "6.1.3 (d)(2) a self-issued end entity may not use an inhibited anyPolicy",
            path: [Step(policies: [p1], inhibitAny: 0), Step(policies: [any], isSelfIssued: true)],
            expected: .unsatisfied(1)),
        Row(
            name: "6.1.5 (a) the end entity counts down, too",
            path: [Step(requireExplicit: 1), Step()], demand: CertificatePolicyGraph.Inputs(),
            expected: .unsatisfied(1)),
        Row(
            name: "6.1.4 (i) what a CA asks for no CA below puts off",
            path: [Step(requireExplicit: 1), Step(requireExplicit: 9), Step()],
            demand: CertificatePolicyGraph.Inputs(), expected: .unsatisfied(2)),
        Row(
            name: "6.1.4 (i) a mapping that a CA inhibits no CA below allows",
            path: [
                Step(policies: [p1], inhibitMapping: 0), Step(policies: [p1], inhibitMapping: 9),
                Step(policies: [p1], mappings: [(p1, p2)]), Step(policies: [p2]),
            ],
            expected: .unsatisfied(3)),
        Row(
            name: "6.1.4 (j) anyPolicy that a CA inhibits no CA below allows",
            path: [
                Step(policies: [p1], inhibitAny: 0), Step(policies: [p1], inhibitAny: 9),
                Step(policies: [any]),
            ],
            expected: .unsatisfied(2)),
        Row(
            name: "an end entity alone", path: [Step(policies: [p1])], demand: wanting(p1),
            expected: .satisfied),
    ]

    @Test("paths", arguments: rows.indices)
    func paths(index: Int) throws {
        let row = CertificatePolicyGraphTests.rows[index]
        var budget = WorkBudget(limit: 1_000)
        let path = try row.path.map { try $0.certificate() }
        let outcome = CertificatePolicyGraph.judge(
            path: path, inputs: row.demand, budget: &budget
        ).outcome
        #expect(outcome == row.expected, "\(row.name)")
    }

    @Test("RFC 9618 section 2.2: mappings that would double a tree at each level stay small")
    func exponential() throws {
        let policies = (0..<16).map { CertificatePolicyGraphTests.policy($0) }
        let mappings = policies.flatMap { issuer in policies.map { (issuer, $0) } }
        var path: [Step] = []
        for _ in 0..<30 { path.append(Step(policies: policies, mappings: mappings)) }
        path.append(Step(policies: policies))
        let certificates = try path.map { try $0.certificate() }
        var budget = WorkBudget(limit: 20_000)
        let outcome = CertificatePolicyGraph.judge(
            path: certificates,
            inputs: CertificatePolicyGraphTests.wanting(CertificatePolicyGraphTests.policy(200)),
            budget: &budget
        ).outcome
        #expect(outcome == .unsatisfied(30))
        #expect(budget.spent < 5_000)
        var small = WorkBudget(limit: 100)
        let refused = CertificatePolicyGraph.judge(
            path: certificates, inputs: CertificatePolicyGraphTests.wanting([0x2A]), budget: &small
        ).outcome
        guard case .notEvaluated(let index, let problem) = refused else {
            Issue.record("\(refused)")
            return
        }
        #expect(problem == "the work budget is spent")
        #expect(index < 5)
    }

    /// A path, and who demands the certificate policy that it lacks.
    private struct DemanderRow {
        let name: String
        var anchor = Step()
        let path: [Step]
        var isExplicit = false
        let expected: CertificatePolicyGraph.Demander?
    }

    private static let demanderRows = [
        DemanderRow(
            name: "6.1.1(f) the caller", path: [Step()], isExplicit: true, expected: .caller),
        DemanderRow(
            name: "6.1.1(f) the caller, and an authority too",
            path: [Step(policies: [p1], requireExplicit: 0), Step()], isExplicit: true,
            expected: .caller),
        DemanderRow(
            name: "6.1.4(i) the first of two that demand it",
            path: [
                Step(policies: [p1], requireExplicit: 0), Step(policies: [p1], requireExplicit: 0),
                Step(),
            ], expected: .certificate(0)),
        DemanderRow(
            name: "6.1.4(i) the one that demands it sooner",
            path: [
                Step(policies: [p1], requireExplicit: 9), Step(policies: [p1], requireExplicit: 0),
                Step(),
            ], expected: .certificate(1)),
        DemanderRow(
            name: "6.1.4(h) one whose number was counted down",
            path: [Step(policies: [p1], requireExplicit: 1), Step(policies: [p1]), Step()],
            expected: .certificate(0)),
        DemanderRow(
            name: "6.1.5(b) the end entity itself", path: [Step(requireExplicit: 0)],
            expected: .certificate(0)),
        DemanderRow(
            name: "RFC 5937 3.2 the anchor", anchor: Step(requireExplicit: 0), path: [Step()],
            expected: .certificate(-1)),
        DemanderRow(
            name: "6.1.4(a) a malformed mapping, which nobody demanded",
            path: [Step(policies: [p1], mappings: [(any, p2)]), Step(policies: [p2])],
            expected: nil),
    ]

    @Test("who demands the certificate policy that is missing", arguments: demanderRows.indices)
    func demander(index: Int) throws {
        let row = CertificatePolicyGraphTests.demanderRows[index]
        var budget = WorkBudget(limit: 1_000)
        let judgement = CertificatePolicyGraph.judge(
            path: try row.path.map { try $0.certificate() }, anchor: try row.anchor.certificate(),
            inputs: CertificatePolicyGraph.Inputs(requiresExplicitPolicy: row.isExplicit),
            budget: &budget)
        guard case .unsatisfied = judgement.outcome else {
            Issue.record("\(row.name): \(judgement.outcome)")
            return
        }
        #expect(judgement.demander == row.expected, "\(row.name)")
    }

    /// An anchor, what stands below it, the acceptable policies, and the outcome.
    private struct AnchorRow {
        let name: String
        let anchor: Step
        let path: [Step]
        var initial: [[UInt8]]? = nil
        var isExplicit = true
        let expected: CertificatePolicyGraph.Outcome
    }

    private static let anchorRows = [
        AnchorRow(
            name: "6.1.1(d) nothing said of policies allows any", anchor: Step(),
            path: [Step(policies: [policy(1)])], expected: .satisfied),
        AnchorRow(
            name: "RFC 5937 3.2 policies: the same", anchor: Step(policies: [policy(1)]),
            path: [Step(policies: [policy(1)])], expected: .satisfied),
        AnchorRow(
            name: "RFC 5937 3.2 policies: another", anchor: Step(policies: [policy(2)]),
            path: [Step(policies: [policy(1)])], expected: .unsatisfied(0)),
        AnchorRow(
            name: "RFC 5937 3.2 policies: any", anchor: Step(policies: [any]),
            path: [Step(policies: [policy(1)])], initial: [policy(1)], expected: .satisfied),
        AnchorRow(
            name: "6.1.4(b) a mapping",
            anchor: Step(policies: [policy(1)], mappings: [(policy(1), policy(2))]),
            path: [Step(policies: [policy(2)])], initial: [policy(1)], expected: .satisfied),
        AnchorRow(
            name: "6.1.4(b) what is mapped no longer counts",
            anchor: Step(policies: [policy(1)], mappings: [(policy(1), policy(2))]),
            path: [Step(policies: [policy(1)])], initial: [policy(1)], expected: .unsatisfied(0)),
        AnchorRow(
            name: "6.1.4(a) a mapping of any policy",
            anchor: Step(mappings: [(any, policy(2))]), path: [Step(policies: [policy(2)])],
            isExplicit: false, expected: .unsatisfied(-1)),
        AnchorRow(
            name: "6.1.4(i) requireExplicitPolicy 0", anchor: Step(requireExplicit: 0),
            path: [Step()], isExplicit: false, expected: .unsatisfied(0)),
        AnchorRow(
            name: "6.1.4(i) requireExplicitPolicy 2, one certificate below",
            anchor: Step(requireExplicit: 2), path: [Step()], isExplicit: false,
            expected: .satisfied),
        AnchorRow(
            name: "6.1.4(h) the anchor itself counts for nothing", anchor: Step(inhibitAny: 9),
            path: [Step()], isExplicit: false, expected: .satisfied),
        AnchorRow(
            name: "6.1.4(i) inhibitPolicyMapping 0", anchor: Step(inhibitMapping: 0),
            path: [
                Step(policies: [policy(1)], mappings: [(policy(1), policy(2))]),
                Step(policies: [policy(2)]),
            ], expected: .unsatisfied(1)),
        AnchorRow(
            name: "6.1.4(j) inhibitAnyPolicy 0", anchor: Step(inhibitAny: 0),
            path: [Step(policies: [any])], expected: .unsatisfied(0)),
    ]

    @Test("an anchor's own certificate", arguments: anchorRows.indices)
    func anchors(index: Int) throws {
        let row = CertificatePolicyGraphTests.anchorRows[index]
        var budget = WorkBudget(limit: 1_000)
        let outcome = CertificatePolicyGraph.judge(
            path: try row.path.map { try $0.certificate() }, anchor: try row.anchor.certificate(),
            inputs: CertificatePolicyGraph.Inputs(
                initialPolicies: row.initial, requiresExplicitPolicy: row.isExplicit),
            budget: &budget
        ).outcome
        #expect(outcome == row.expected, "\(row.name)")
    }
}
