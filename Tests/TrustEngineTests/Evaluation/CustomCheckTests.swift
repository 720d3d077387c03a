import LibCrypto
import TestPKI
import Testing
import TrustEngine

/// Checks that the program registers by name (LANGUAGE section 8).
@Suite("registered checks") struct CustomCheckTests {
    private static let acme = Acme()

    private static func world(_ checks: [String: CustomCheck]) -> World {
        acme.world.with {
            $0.requirements.checks = checks.keys.sorted()
            $0.checks = checks
        }
    }

    @Test("one that refuses rejects, with its name and its reason") func refuses() throws {
        let judged = try CustomCheckTests.world([
            "fine": CustomCheck { _ in .pass },
            "moon": CustomCheck { _ in .fail(reason: "it is waning") },
        ]).judge()
        #expect(judged.verdict.violations == [.checkFailed(name: "moon", reason: "it is waning")])
    }

    @Test("report-only of one check says nothing of another") func reportedAlone() throws {
        let world = CustomCheckTests.world([
            "moon": CustomCheck { _ in .fail(reason: "it is waning") },
            "tide": CustomCheck { _ in .fail(reason: "it is low") },
        ]).with { $0.report(.custom("moon")) }
        let violations = try world.judge().verdict.violations
        #expect(violations == [.checkFailed(name: "tide", reason: "it is low")])
    }

    @Test("those that pass are named") func passes() throws {
        let judged = try CustomCheckTests.world([
            "b": CustomCheck { _ in .pass }, "a": CustomCheck { _ in .pass },
        ]).judge()
        #expect(judged.outcome == ["accept"])
        let named = judged.trace.steps.contains { step in
            guard case .check(let check) = step else { return false }
            return check.outcome == .passed(.checks(["a", "b"]))
        }
        #expect(named)
    }

    @Test("it sees the path, the host, the port and the time") func subject() throws {
        let acme = CustomCheckTests.acme
        let expected = CustomCheck.Subject(
            path: [acme.good.der, acme.issuing.der, acme.root.der], host: World.host, port: 443,
            time: Scenario.judgedAt)
        let world = CustomCheckTests.world([
            "seen": CustomCheck { subject in
                subject == expected ? .pass : .fail(reason: "\(subject)")
            }
        ]).with { $0.host = "API.acme.example." }
        #expect(try world.judge().outcome == ["accept"])
    }

    @Test("12.1 it steers the search like any other demand") func steers() throws {
        let acme = CustomCheckTests.acme
        let other = Scenario().root("Root B", key: .p256("evaluation root b"))
        let unwanted = acme.root.der
        var world = World(
            [acme.good.der, acme.issuing.der, other.crossSign(acme.issuing).der],
            roots: [acme.root.der])
        world.trust("partner", [other.der])
        world.requirements.checks = ["not-a"]
        world.checks = [
            "not-a": CustomCheck { subject in
                subject.path.last == unwanted ? .fail(reason: "it ends at A") : .pass
            }
        ]
        #expect(try world.judge().path.last == "Root B")
        world.sets.removeLast()
        #expect(try world.judge().outcome == ["check-failed"])
        world.report(.custom("not-a"))
        #expect(try world.judge().reported == ["check-failed"])
    }

    @Test("it saves no path that fails otherwise") func savesNothing() throws {
        let world = CustomCheckTests.world(["fine": CustomCheck { _ in .pass }])
        #expect(try world.at(.at("2030-01-01")).judge().verdict.isAccept == false)
    }

    @Test("a table that names a check which nobody registers does not load") func unregistered() {
        let world = CustomCheckTests.acme.world.with {
            $0.requirements.checks = ["moon", "tide", "wind"]
            $0.checks = ["tide": CustomCheck { _ in .pass }]
        }
        #expect {
            try world.engine()
        } throws: { error in
            guard let error = error as? EngineError else { return false }
            return error.code == .checkNotRegistered && error.context.contains("`moon`, `wind`")
        }
    }

    @Test("asking costs work, so that a maze of paths cannot ask for ever") func budget() throws {
        let world = CustomCheckTests.world(["fine": CustomCheck { _ in .pass }])
        let spent = try world.judge().work?.spent ?? 0
        let without = try CustomCheckTests.acme.world.judge().work?.spent ?? 0
        #expect(spent == without + 200)
        let broke = world.with { $0.workLimit = 300 }
        #expect(try broke.judge().outcome.contains("budget-exhausted"))
    }
}
