import PolicyCompiler
import PolicyTools
import TestPKI
import Testing
import TrustEngine

/// HW515, HW520 and HW521 on log lists: too old, soon too old, and lists that no certificate can
/// meet the demand by.
@Suite("lint: log lists") struct LogListRuleTests {
    private static let logs = [TestLog("Alpha", of: "A"), TestLog("Beta", of: "B")]

    /// A rule with a log list. `time` is the time of the run; lists are of 2026-05-15.
    private static func expect(
        _ list: String, _ logs: [TestLog] = logs, preset: String = "chrome", more: String = "",
        rest: String = "", at time: UTCInstant = MarkedLint.time, says phrases: [String] = [],
        sourceLocation: SourceLocation = #_sourceLocation
    ) {
        MarkedLint(
            """
            hawser: 1
            default: deny
            rules:
              api:
                hosts: ["api.acme.example"]
                anchors: [system]
                owner: web
                transparency: { preset: \(preset), log-list: \(list)\(more) }
            \(rest)
            """
        ).expect(
            MarkedLint.options(at: time),
            files: ["ct.json": Array(TestLogList.json(logs).utf8)], says: phrases,
            without: [.exceptionInForce], sourceLocation: sourceLocation)
    }

    @Test("quiet while the list is young")
    func young() {
        Self.expect("ct.json")
        Self.expect("ct.json", preset: "apple")
        // The list is of a later day.
        Self.expect("ct.json", at: .at("2026-05-01"))
    }

    @Test("HW521 in the last third, HW520 from the first second after it")
    func ages() {
        let last = UTCInstant.at("2026-07-24")  // 70 days after 2026-05-15
        Self.expect("ct.json", at: .at("2026-06-30T15:59:59Z"))
        Self.expect(
            "«HW521:ct.json»", at: .at("2026-06-30T16:00:00Z"),
            says: ["may be used until 2026-07-24", "23 days from now"])
        Self.expect("«HW521:ct.json»", at: last)
        Self.expect(
            "«HW520:ct.json»", at: last.advanced(bySeconds: 1),
            says: [
                "the log list of 2026-05-15 could be used until 2026-07-24",
                "hand a newer one over",
            ])
        Self.expect("«HW520:ct.json»", at: .at("2028-01-01"))
        Self.expect(
            "ct.json", more: ", log-list-maximum-age: 1000d", at: .at("2026-12-01"))
    }

    @Test(
        "quiet where an old list does no harm",
        arguments: [
            ("when-stale: report", ""), ("when-stale: pass", ""),
            ("", "    report-only: { transparency: { until: 2028-12-31 } }\n"),
            (
                "",
                "    waivers: { transparency: { reason: \"the partner is late\", owner: web, until: "
                    + "2028-12-31 } }\n"
            ),
        ])
    func harmless(_ field: String, _ rest: String) {
        let policy = MarkedLint(
            """
            hawser: 1
            default: deny
            rules:
              api:
                hosts: ["api.acme.example"]
                anchors: [system]
                owner: web
                transparency: { preset: chrome, log-list: ct.json\(field.isEmpty ? "" : ", " + field) }
            \(rest)
            """)
        let found = policy.lint(
            MarkedLint.options(at: .at("2028-01-01")),
            files: ["ct.json": Array(TestLogList.json(Self.logs).utf8)]
        ).findings.map(\.code)
        #expect(!found.contains(.logListStale))
    }

    @Test(
        "HW515: lists by which no certificate can meet the demand",
        arguments: [
            (
                [TransparencyLogState.rejected, .rejected], ["A", "B"],
                "of the 2 logs of the list none is approved"
            ),
            ([.pending, .rejected], ["A", "B"], "of the 2 logs of the list none is approved"),
            ([.retired, .retired], ["A", "B"], "of the 2 logs of the list none is approved"),
            (
                [.usable, .rejected], ["A", "B"],
                "they are of 2 logs, and 1 of the list can sign them"
            ),
            (
                [.usable, .usable], ["A", "A"],
                "they are of 2 operators, and the list's logs have 1"
            ),
        ] as [([TransparencyLogState], [String], String)])
    func unmeetable(_ states: [TransparencyLogState], _ operators: [String], _ reason: String) {
        let logs = zip(states, operators).enumerated().map { index, part in
            TestLog("Log\(index)", of: part.1).with { $0.state = part.0 }
        }
        Self.expect("«HW515:ct.json»", logs, says: [reason])
        Self.expect("ct.json", logs + Self.logs)
    }

    @Test("HW515: counts that a layer writes, and a log of RFC 6962 for Apple")
    func counts() {
        Self.expect("ct.json", more: ", minimum-scts: 2, minimum-operators: 2")
        Self.expect(
            "«HW515:ct.json»", more: ", minimum-scts: 3",
            says: ["they are of 3 logs, and 2 of the list"])
        let tiled = Self.logs.map { log in log.with { $0.isTiled = true } }
        Self.expect("ct.json", tiled)
        Self.expect(
            "«HW515:ct.json»", tiled, preset: "apple", says: ["one is of a log of RFC 6962"])
        // One log signed before it retired; the other is in use.
        let retired = [Self.logs[0], Self.logs[1].with { $0.state = .retired }]
        Self.expect("ct.json", retired)
        // Two timestamps beside the certificate may be of one operator, for Apple.
        let one = Self.logs.map { log in log.with { $0.operatorName = "A" } }
        Self.expect("ct.json", one, preset: "apple")
    }
}
