import PolicyCompiler
import Rendering
import TrustEngine

/// Asks one case and compares the outcome with the expectations. It changes nothing, so cases may
/// be asked at once.
struct CaseJudge: Sendable {
    let rules: DatedRules
    /// The engines, by the number of their inputs; a failure says why there is none.
    let engines: [Result<Engine, TestFiles.Problem>]

    func outcome(_ one: PreparedCase) -> TestOutcome {
        let explanation = explanation(one)
        let mismatches = mismatches(one, explanation)
        var outcome = TestOutcome(
            mismatches,
            CaseObservation(
                host: one.host, port: one.port, time: one.time, explanation: explanation))
        if let judged = one.judged, let explanation {
            outcome.agrees = agrees(judged, explanation)
            if !mismatches.isEmpty {
                outcome.firstLine = ExplainDocument.firstLine(of: explanation)
            }
        }
        return outcome
    }

    /// What comes out otherwise than expected. The engine is asked once.
    func mismatches(_ one: PreparedCase) -> [TestMismatch] { mismatches(one, explanation(one)) }

    private func mismatches(
        _ one: PreparedCase, _ explanation: Explanation?
    ) -> [TestMismatch] {
        let found = statements(one)
        guard one.judged != nil else { return found }
        guard let explanation else {
            // Only under another table than the one that the case was prepared for.
            return found + [
                TestMismatch(
                    field: "verdict", expected: "an engine", got: "none", origins: [],
                    place: one.test.place, update: nil)
            ]
        }
        return found + judgements(one, explanation)
    }

    /// The engine's explanation; nil for a case that is only about the policy.
    private func explanation(_ one: PreparedCase) -> Explanation? {
        guard let judged = one.judged, let engine = engine(of: judged) else { return nil }
        return engine.explain(judged.request)
    }

    private func engine(of judged: PreparedCase.Judged) -> Engine? {
        guard case .success(var engine) = engines[judged.inputs] else { return nil }
        engine.freshness = judged.freshness
        return engine
    }

    /// Whether the other ways to a verdict reach the same one.
    private func agrees(_ judged: PreparedCase.Judged, _ explanation: Explanation) -> Bool {
        engine(of: judged)?.evaluate(judged.request) == explanation.verdict
            && explanation.trace.replayedVerdict() == explanation.verdict
    }

    // MARK: The policy

    private func statements(_ one: PreparedCase) -> [TestMismatch] {
        let expected = one.test.expected
        let decision = rules.decision(one.host, port: one.port)
        var found: [TestMismatch] = []
        if let rule = expected.rule {
            let name = rules.name(of: decision)
            if name != rule.value {
                let by = decision.pattern.map { ", by `\($0.canonicalText)`" } ?? ""
                found.append(
                    mismatch(
                        "rule", rule.value, name + by, rules.originOfPattern(decision), rule.span,
                        .string(name)))
            }
        }
        if let pattern = expected.pattern, pattern.value != decision.pattern {
            let text = decision.pattern?.canonicalText
            found.append(
                mismatch(
                    "pattern", pattern.value.canonicalText,
                    text ?? "none, as no pattern matches", rules.originOfPattern(decision),
                    pattern.span, text.map { .string($0) }))
        }
        found += sets(one, decision)
        for field in expected.fields {
            if let mismatch = compare(field, one, decision) { found.append(mismatch) }
        }
        return found
    }

    /// `anchors` and `pins`.
    private func sets(_ one: PreparedCase, _ decision: DatedRules.Decision) -> [TestMismatch] {
        let expected = one.test.expected
        var found: [TestMismatch] = []
        for (name, list) in [("anchors", expected.anchors), ("pins", expected.pins)] {
            guard let list else { continue }
            let field = rules.fields(named: name, of: decision, at: one.time).first
            let got: [String]
            switch field?.value {
            case .array(let items): got = items.map { FlowText.render($0) }
            case nil, .null, .string, .integer, .bool, .object: got = []
            }
            let wanted = list.items.map(\.value)
            guard wanted.sorted() != got.sorted() else { continue }
            let origin =
                field.flatMap { $0.origin.location == nil ? nil : $0.origin }
                ?? rules.origin(of: decision)
            found.append(
                mismatch(
                    name, FlowText.render(CaseJudge.list(wanted)),
                    field == nil
                        ? "none, as `default` is `deny`" : FlowText.render(CaseJudge.list(got)),
                    origin, list.span, field == nil ? nil : CaseJudge.list(got)))
        }
        return found
    }

    /// A list as a test writes it: the empty one is `none`.
    private static func list(_ items: [String]) -> JSONValue {
        items.isEmpty ? .string("none") : .array(items.map { .string($0) })
    }

    private func compare(
        _ field: TestExpectation.Field, _ one: PreparedCase, _ decision: DatedRules.Decision
    ) -> TestMismatch? {
        let name = field.name.value
        let found = rules.fields(named: name, of: decision, at: one.time)
        let isDenied = rules.body(of: decision) == nil
        let isList: Bool
        if case .list = field.value.value { isList = true } else { isList = false }
        let got: JSONValue
        if found.count > 1 || (found.count == 1 && isList && CaseJudge.isMember(name)) {
            got = .array(found.map(\.value))
        } else {
            got = found.first?.value ?? .null
        }
        let absent = found.first?.absent ?? "none"
        if !isDenied,
            ExpectedText.holds(
                field.value.value, of: got, absent: absent, isOrdered: CaseJudge.isOrdered(name))
        {
            return nil
        }
        var text = found.count == 1 ? found[0].text() : FlowText.render(got)
        if isDenied { text = "none, as `default` is `deny`" }
        return mismatch(
            name, ExpectedText.text(field.value.value), text,
            found.first?.origin ?? rules.origin(of: decision), field.value.span,
            isDenied ? nil : CaseJudge.update(field.value.value, got, absent: absent))
    }

    /// Whether a name is shared by the members of a set.
    private static func isMember(_ name: String) -> Bool {
        name.hasSuffix(".members") || name.hasSuffix(".intermediates")
    }

    private static func isOrdered(_ name: String) -> Bool {
        switch ProfileField(rawValue: name)?.descriptor.kind {
        case .ranking, .preferences: return true
        case nil, .integer, .seconds, .word, .words, .purposes, .objectIdentifiers, .steps,
            .digest, .names, .forbiddenKeys:
            return false
        }
    }

    /// The value to write in place of an expected one: of a map the entries that were expected.
    private static func update(
        _ expected: ExpectedValue, _ got: JSONValue, absent: String
    ) -> JSONValue {
        guard got != .null else { return .string(absent) }
        guard case .map(let entries) = expected, case .object(let members) = got else {
            return got
        }
        return .object(
            entries.map { entry in
                members.first { $0.key == entry.key }
                    ?? JSONValue.Member(entry.key, .string("none"))
            })
    }

    private func mismatch(
        _ field: String, _ expected: String, _ got: String, _ origin: FieldOrigin?,
        _ place: SourceSpan, _ update: JSONValue?
    ) -> TestMismatch {
        let text = origin?.text ?? ""
        return TestMismatch(
            field: field, expected: expected, got: got, origins: text.isEmpty ? [] : [text],
            place: place, update: update)
    }

    // MARK: The engine

    private func judgements(
        _ one: PreparedCase, _ explanation: Explanation
    ) -> [TestMismatch] {
        let expected = one.test.expected
        let verdict = explanation.verdict
        let violations = verdict.violations
        func origins(_ list: [Violation]) -> [String] {
            var seen: Set<String> = []
            return list.compactMap { violation in
                rules.place(of: violation, in: explanation).flatMap { place in
                    let text = list.count > 1 ? "\(place), \(violation.id)" : place
                    return seen.insert(text).inserted ? text : nil
                }
            }
        }
        var found: [TestMismatch] = []
        func compare(
            _ name: String, _ list: BoundList<String>?, _ got: [String], _ all: [String]
        ) {
            guard let list else { return }
            let wanted = list.items.map(\.value)
            guard wanted.sorted() != got.sorted() else { return }
            found.append(
                TestMismatch(
                    field: name, expected: FlowText.render(CaseJudge.list(wanted)),
                    got: FlowText.render(CaseJudge.list(got)), origins: all, place: list.span,
                    update: CaseJudge.list(got)))
        }
        func other(_ name: String, _ list: BoundList<String>?, _ got: String, _ all: [String]) {
            guard let list, expected.verdict == nil else { return }
            found.append(
                TestMismatch(
                    field: name,
                    expected: FlowText.render(CaseJudge.list(list.items.map(\.value))), got: got,
                    origins: all, place: list.span, update: nil))
        }
        let isWritten =
            expected.violations != nil || expected.reported != nil || expected.notices != nil
        switch verdict.outcome {
        case .accept(let acceptance):
            if let wanted = expected.verdict, wanted.value == .reject {
                found.append(
                    TestMismatch(
                        field: "verdict", expected: "reject", got: "accept",
                        origins: [origin(of: one)].compactMap { $0 }, place: wanted.span,
                        update: isWritten ? nil : .string("accept")))
            }
            other("violations", expected.violations, "none, as the engine accepts", [])
            guard expected.verdict?.value != .reject else { break }
            compare(
                "reported", expected.reported, acceptance.reported.map(\.violation.id),
                origins(acceptance.reported.map(\.violation)))
            compare(
                "notices", expected.notices,
                acceptance.notices.map(\.kind).filter { $0 != .tlsAssumed }.map(\.rawValue), [])
        case .reject:
            let ids = FlowText.render(CaseJudge.list(violations.map(\.id)))
            if let wanted = expected.verdict, wanted.value == .accept {
                found.append(
                    TestMismatch(
                        field: "verdict", expected: "accept", got: "reject \(ids)",
                        origins: origins(violations), place: wanted.span,
                        update: isWritten ? nil : .string("reject")))
            }
            other(
                "reported", expected.reported, "none, as the engine rejects: \(ids)",
                origins(violations))
            other("notices", expected.notices, "none, as the engine rejects: \(ids)", [])
            guard expected.verdict?.value != .accept else { break }
            compare("violations", expected.violations, violations.map(\.id), origins(violations))
        }
        return found
    }

    private func origin(of one: PreparedCase) -> String? {
        rules.originOfPattern(rules.decision(one.host, port: one.port))?.text
    }
}
