import PolicyCompiler
import Testing

/// Every scanner of digits in a policy, asked for characters that are not digits: those before `0`
/// and behind `9` in ASCII, signs, blanks, and digits of other scripts.
@Suite("scanners of digits read digits alone")
struct DigitTests {
    /// A production, and a value of it whose digits are replaced.
    struct Row: Sendable, CustomTestStringConvertible {
        let production: String
        let value: String
        /// What means something else in place of a digit.
        let others: String
        /// Where the digits of the number begin.
        let from: Int

        init(_ production: String, _ value: String, or others: String = "", from: Int = 0) {
            self.production = production
            self.value = value
            self.others = others
            self.from = from
        }

        var testDescription: String { "\(production): \(value)" }
    }

    static let base64 = "T3jT2d9tC4TUSQ5ne2MvIG12mZc3LAhs2z5Mh+NXLPk="
    static let rows: [Row] = [
        Row("integer", "20"), Row("duration", "90d"), Row("duration", "10min"),
        Row("date", "2026-06-21"), Row("date", "2026-06-21T01:02:03Z"),
        Row("oid", "1.3.6.1.5"), Row("port", "443"), Row("prefix", "24"),
        Row("address", "192.0.2.1"), Row("ipv4", "192.0.2.1"),
        Row("ipv6", "2001:db8:1:2:3:4:5:6", or: ":abcdef"),
        Row("host-pattern", "192.0.2.0/24", from: 10),
        Row("host-pattern", "a.example:8443", from: 10),
        Row("host-pattern", "[2001:db8::1]:8443", from: 14),
        Row("requested-host", "a.example:8443", from: 10),
        Row("receipt-line", "receipts.ndjson:33", or: ":/", from: 16),
        Row("cert-digest", "sha256:" + String(repeating: "12", count: 32), or: "abcdef", from: 7),
        Row("spki-digest", "sha256/" + base64, or: "+/abcdef", from: 7),
    ]

    @Test("no character but a digit is taken in place of one", arguments: rows)
    func replaced(_ row: Row) {
        #expect(GrammarScanner.problem(row.production, row.value) == nil)
        let characters = Array(row.value)
        for place in row.from..<characters.count where "0"..."9" ~= characters[place] {
            for other in "/:;+-. \t\u{660}\u{6F1}\u{966}\u{FF11}\u{1D7CE}\u{B2}\u{2460}abcdef"
            where !row.others.contains(other) {
                let changed = String(characters[..<place] + [other] + characters[(place + 1)...])
                #expect(
                    GrammarScanner.problem(row.production, changed) != nil, "`\(changed)` is taken")
            }
        }
    }

    @Test(
        "a number with a sign is no number, and no waiver is proposed for it",
        arguments: [
            "keys: { rsa-minimum: +1024 }",
            """
            waivers: { keys: { reason: r, owner: o, until: 2027-01-01, rsa-minimum: +2048 } }
            """,
        ])
    func signs(field: String) {
        let policy = "hawser: 1\ndefault:\n  anchors: [system]\n  \(field)\n"
        let found = MemoryUnit.check(MemoryUnit.unit(["policy.yaml": Array(policy.utf8)]))
        #expect(found.policy == nil)
        let errors = found.diagnostics.filter { $0.severity == .error }
        #expect(errors.count == 1)
        #expect(errors.allSatisfy { $0.message.contains("is not an integer") }, "\(errors)")
        #expect(errors.allSatisfy { !$0.help.contains { $0.contains("waiver") } }, "\(errors)")
    }

    @Test("a date that is proposed has digits alone")
    func proposedDate() {
        #expect(GrammarScanner.problem("date", "2026/6/1")?.replacement == "2026-06-01")
        #expect(GrammarScanner.problem("date", "+202/6/1")?.replacement == nil)
        #expect(GrammarScanner.problem("date", "2026/+6/1")?.replacement == nil)
    }
}
