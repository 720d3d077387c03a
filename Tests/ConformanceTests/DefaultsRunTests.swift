import ConformanceCases
import Foundation
import TestPKI
import Testing
import TrustEngine

/// The run under the language's defaults: what may differ from `enforce`, and the list that holds
/// every such difference. And how the runner trusts the anchors of a case.
@Suite struct DefaultsRunTests {
    /// Runs a command line over five vectors: one that is accepted, one that is rejected, and three
    /// that breach demands of issuance. Of the three, the suite calls two a failure.
    private func run(_ words: [String], notices: String = "{}") throws -> RunOutcome {
        let folder = try Folder()
        defer { folder.remove() }
        let good = VectorPKI()
        let zero = VectorPKI(leaf: { $0.serial = [0] })
        let both = VectorPKI(leaf: {
            $0.serial = [0]
            $0.remove(OID.authorityKeyIdentifier)
        })
        let lines = [
            good.vector.with { $0.id = "minted::accept" },
            good.vector.with {
                $0.id = "minted::reject"
                $0.kind = "CLIENT"
                $0.expected = "FAILURE"
            },
            zero.vector.with {
                $0.id = "minted::zero"
                $0.expected = "FAILURE"
            },
            both.vector.with {
                $0.id = "minted::both"
                $0.expected = "FAILURE"
            },
            zero.vector.with { $0.id = "minted::good-zero" },
        ]
        try folder.write("cases/all.ndjson", lines.map { $0.line + "\n" }.joined())
        try folder.write("expectations.json", "{}")
        try folder.write("notices.json", notices)
        return RunOutcome(words, in: folder)
    }

    private static let notices = """
        {"serial-not-positive":["minted::both","minted::zero"],
         "authority-key-identifier-missing":["minted::both"]}
        """

    @Test("a run judges under enforce, and lists no notice")
    func enforce() throws {
        let outcome = try run(["FOLDER/cases", "--id", "minted::zero", "--id", "minted::both"])
        #expect(outcome.status == .asExpected, "\(outcome.output)")
        #expect(outcome.output.contains("every case agrees"))
        #expect(!outcome.output.contains("notice"))
        let good = try run(["FOLDER/cases", "--id", "minted::good-zero"])
        #expect(good.status == .notAsExpected)
        #expect(good.output.contains("minted::good-zero: false-reject, and no entry expects it"))
    }

    @Test("a listed accept with a notice is as expected, and shown by demand")
    func listed() throws {
        let outcome = try run(["FOLDER/cases", "--defaults"], notices: DefaultsRunTests.notices)
        #expect(outcome.status == .asExpected, "\(outcome.output)")
        #expect(
            outcome.output.contains(
                """
                accepted under the defaults with a notice: 2
                  authority-key-identifier-missing: 1
                    minted::both
                  serial-not-positive: 2
                    minted::both
                    minted::zero

                accepted with a notice, where the suite expects success:
                  serial-not-positive: 1

                every other case agrees
                """), "\(outcome.output)")
        #expect(outcome.output.contains("run  agree  noticed  false accepts"))
    }

    @Test("an accept with a notice that no demand lists, or that other demands list, fails")
    func unlisted() throws {
        let none = try run(["FOLDER/cases", "--defaults", "--id", "minted::zero"])
        #expect(none.status == .notAsExpected)
        #expect(
            none.output.contains("a notice of serial-not-positive, where no demand is expected"))
        let one = try run(
            ["FOLDER/cases", "--defaults"],
            notices: "{\"serial-not-positive\":[\"minted::both\",\"minted::zero\"]}")
        #expect(one.status == .notAsExpected)
        #expect(
            one.output.contains(
                "a notice of authority-key-identifier-missing, serial-not-positive, where "
                    + "serial-not-positive is expected"))
    }

    @Test("an entry without its accept fails")
    func stale() throws {
        for id in ["minted::accept", "minted::reject", "minted::good-zero"] {
            let outcome = try run(
                ["FOLDER/cases", "--defaults", "--id", id],
                notices: "{\"serial-too-long\":[\"\(id)\"]}")
            #expect(outcome.status == .notAsExpected)
            #expect(
                outcome.output.contains("a notice of no demand, where serial-too-long is expected"))
        }
    }

    @Test("no entry covers a demand of validation")
    func validation() throws {
        for demand in ["end-entity-is-ca", "expired", "nothing"] {
            let outcome = try run(
                ["FOLDER/cases", "--defaults"], notices: "{\"\(demand)\":[\"minted::zero\"]}")
            #expect(outcome.status == .couldNotAsk)
            #expect(outcome.errors.contains("`\(demand)` is not the id of a demand of issuance"))
        }
    }

    @Test("the list is written as it is read")
    func written() throws {
        let notices = try ExpectedNotices(json: Data(DefaultsRunTests.notices.utf8))
        let again = try ExpectedNotices(json: notices.json())
        #expect(again.vectors == notices.vectors)
        #expect(again.demands(of: "minted::zero") == ["serial-not-positive"])
    }

    // MARK: The rule

    private struct Side: Sendable {
        var verdict = CaseResult.Verdict.reject
        var violations: [String] = []
        var breaches: [String] = []

        static func reject(_ violations: String...) -> Side { Side(violations: violations) }
        static func accept(_ breaches: String...) -> Side {
            Side(verdict: .accept, breaches: breaches)
        }

        func result(of vector: ConformanceCase) -> CaseResult {
            CaseResult(
                vector: vector, verdict: verdict, reason: nil, violations: violations,
                breaches: breaches)
        }
    }

    @Test(
        "only issuance may make a difference, and all of it is in the notice",
        arguments: [
            ([.accept(), .accept()], .same),
            ([.reject("expired"), .reject("expired")], .same),
            ([.reject("expired", "serial-too-long"), .reject("expired")], .same),
            ([.reject("serial-too-long"), .accept("serial-too-long"), .accept()], .noticed),
            // The violations of another path.
            ([.reject("issuer-not-found"), .accept("serial-too-long"), .accept()], .noticed),
            (
                [
                    .reject("expired", "serial-too-long"), .accept("serial-too-long"),
                    .reject("expired"),
                ],
                .unexplained
            ),
            ([.reject("serial-too-long"), .accept(), .reject("serial-too-long")], .unexplained),
            ([.reject("serial-too-long"), .accept("expired"), .accept()], .unexplained),
            ([.reject("serial-too-long"), .accept("serial-too-long")], .unexplained),
            ([.reject("serial-too-long"), .reject("serial-too-long")], .unexplained),
            ([.accept(), .reject("expired")], .unexplained),
            ([.accept(), Side(verdict: .declined)], .unexplained),
            ([Side(verdict: .declined), Side(verdict: .declined)], .same),
        ] as [([Side], ComparedResult.Relation)])
    private func relation(_ sides: [Side], _ expected: ComparedResult.Relation) throws {
        let vector = try VectorPKI().vector.with { $0.expected = "FAILURE" }.read()
        var results = sides.map { $0.result(of: vector) }
        let waived = results.count > 2 ? results.removeLast() : nil
        let compared = ComparedResult(
            enforced: results[0], reported: results[1], waived: waived)
        #expect(compared.relation == expected)
        guard expected == .unexplained else { return }
        // No list makes it expected.
        let lists = ExpectedNotices([
            "serial-too-long": [vector.id], "version-not-3": [vector.id],
        ])
        let known = Expectations(entries: [
            vector.id: Expectations.Entry(divergence: .falseAccept, reason: "r")
        ])
        guard case .unexplained? = lists.surprise(of: compared, known: known) else {
            Issue.record("it is expected")
            return
        }
    }

    @Test("the waiver that is asked is one of the notice's demands and of no other")
    func waived() throws {
        let both = try VectorPKI(leaf: {
            $0.serial = [0]
            $0.remove(OID.authorityKeyIdentifier)
        }).vector.read()
        func outcome(_ demands: Set<String>) -> String {
            CaseResult.of(
                both, CaseTerms(issuance: .enforceUnlessWaived(demands)), clock: { 0 }
            ).outcome
        }
        let zero = "serial-not-positive"
        let missing = "authority-key-identifier-missing"
        #expect(outcome([zero, missing]) == "accept")
        #expect(outcome([zero]) == "reject for \(missing)")
        #expect(outcome([missing, "expired"]) == "reject for \(zero)")
        #expect(outcome([]).hasPrefix("reject for"))
        #expect(ComparedResult.of(both, clock: { 0 }).relation == .noticed)
    }

    // MARK: Anchors

    @Test("the standard of the anchors, and whether they are the machine's store")
    func anchors() throws {
        // A demand that only `web-pki` has, and one that a member of the machine's store is spared.
        let nameless = VectorPKI(leaf: { $0.remove(OID.subjectAltName) })
        let root = VectorPKI(root: { $0.remove(OID.subjectKeyIdentifier) })
        func outcome(_ pki: VectorPKI, _ anchors: CaseTerms.Anchors) throws -> String {
            let result = CaseResult.of(
                try pki.vector.read(), CaseTerms(anchors: anchors), clock: { 0 })
            return result.outcome
        }
        #expect(try outcome(nameless, .asInCase) == "accept")
        #expect(try outcome(nameless, .files) == "accept")
        #expect(try outcome(nameless, .webPKI).contains("subject-alt-name-missing"))
        #expect(try outcome(nameless, .system).contains("subject-alt-name-missing"))
        #expect(try outcome(root, .files) == "reject for subject-key-identifier-missing")
        #expect(try outcome(root, .system) == "accept")
        let reported = CaseResult.of(
            try root.vector.read(), CaseTerms(issuance: .report, anchors: .files), clock: { 0 })
        #expect(reported.outcome == "accept with a notice of subject-key-identifier-missing")
    }

    @Test("what no policy says of the machine's store is declined")
    func store() throws {
        for feature in ["trust-leaf", "trust-anchor-or-leaf", "anchor-ignore-expiry"] {
            let vector = try VectorPKI().vector.with { $0.features = [feature] }.read()
            let result = CaseResult.of(vector, CaseTerms(anchors: .system), clock: { 0 })
            #expect(result.verdict == .declined)
        }
    }
}
