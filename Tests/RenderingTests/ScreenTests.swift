import Testing
import TrustEngine

@testable import Rendering

@Suite("the first screen")
struct ScreenTests {
    private static let hosts = [
        "api.acme.example",
        [63, 63, 63, 61].map { String(repeating: "x", count: $0) }.joined(separator: "."),
    ]

    /// Every violation, and many at once.
    private static let rejects: [[Violation]] =
        TraceSamples.violations.map { [$0] } + [Array(TraceSamples.violations.prefix(12))]

    private func screen(
        _ violations: [Violation], _ host: String, columns: Int, rows: Int?
    ) -> [String] {
        let repairs = (1...9).map { number in
            Repair(
                "repair \(number) " + String(repeating: "with words ", count: 12),
                edit: PolicyEdit(
                    file: "policy.yaml", line: 12, replaced: 0,
                    lines: [
                        "    waivers:",
                        "      expired: { tolerance: 67d, reason: \"being renewed\" }",
                    ], placeholders: []))
        }
        let options = ExplainDocument.Options(
            assumptions: ["port 443 is assumed, as none was given"],
            commands: ["hawser show \(host) --policy unit"], repairs: repairs)
        return ExplainDocument.text(
            TraceSamples.rejected(violations[0].check, violations, host: host),
            provenance: TraceSamples.provenance, options, columns: columns, rows: rows
        ).split(separator: "\n", omittingEmptySubsequences: false).dropLast().map(String.init)
    }

    @Test("every reject fits 80 by 24, with verdict, side and the deciding lines", arguments: hosts)
    func fits(_ host: String) {
        for violations in Self.rejects {
            let lines = screen(violations, host, columns: 80, rows: 23)
            let text = lines.joined(separator: "\n")
            #expect(lines.count <= 23, "\(text)")
            #expect(lines.allSatisfy { TextWrap.columns($0) <= 80 }, "\(text)")
            #expect(lines.first?.hasPrefix("reject") == true)
            #expect(lines.contains { $0.hasPrefix("├ side") })
            #expect(lines.contains { $0.hasPrefix("├ FAILED") || $0.hasPrefix("└ FAILED") })
            #expect(text.contains("policy.yaml:21:13"), "\(text)")
            let unwrapped = text.split { " \n│├└".contains($0) }.joined(separator: " ")
            #expect(unwrapped.contains("`--trace` shows everything"), "\(text)")
        }
    }

    @Test("nothing is wider than the terminal", arguments: [20, 40, 80, 100, 200])
    func width(_ columns: Int) {
        for host in Self.hosts {
            for violations in Self.rejects {
                let lines = screen(violations, host, columns: columns, rows: nil)
                // A command is one word for a shell, and stays whole.
                let wide = lines.filter {
                    TextWrap.columns($0) > columns && !$0.contains(host) && columns >= 40
                }
                #expect(wide.isEmpty, "\(wide)")
            }
        }
    }

    @Test("forty columns and twenty-four rows still show verdict, side, rule and failure")
    func narrow() {
        for host in Self.hosts {
            for violations in Self.rejects {
                let lines = screen(violations, host, columns: 40, rows: 23)
                #expect(lines.count <= 23, "\(lines.joined(separator: "\n"))")
                for label in ["side", "rule", "FAILED"] {
                    #expect(lines.contains { $0.contains(" \(label) ") }, "\(lines)")
                }
            }
        }
    }

    @Test("what is left out is counted in the last line, the least needed first")
    func order() {
        let violation = TraceSamples.pinMismatch
        let whole = screen([violation], Self.hosts[0], columns: 100, rows: nil)
        #expect(whole.last?.contains("no room") == false)
        let cut = screen([violation], Self.hosts[0], columns: 100, rows: whole.count - 1)
        #expect(cut.last?.contains("no room for 1 command;") == true)
        let more = screen([violation], Self.hosts[0], columns: 100, rows: 14)
        #expect(more.joined(separator: " ").contains("repair"))
        #expect(more.count <= 14)
    }

    @Test("a caution never takes the room of an action", arguments: hosts)
    func cautionAndAction(_ host: String) {
        let long = String(repeating: "many words of advice ", count: 20)
        let repairs = [
            Repair(long, brief: "a short caution", kind: .caution),
            Repair(long, brief: "", kind: .question), Repair(long, kind: .change),
            Repair(long, brief: "a short action"), Repair(long, brief: "another action"),
            Repair(long, kind: .refusal),
        ]
        for violations in Self.rejects {
            let text = ExplainDocument.text(
                TraceSamples.rejected(violations[0].check, violations, host: host),
                provenance: TraceSamples.provenance, ExplainDocument.Options(repairs: repairs),
                columns: 80, rows: 23)
            #expect(text.contains("-  a short caution\n"), "\(text)")
            #expect(text.contains("-  a short action\n"), "\(text)")
            #expect(text.split(separator: "\n").count <= 23, "\(text)")
        }
    }

    /// A reject by a rule of a table, with this owner and note.
    private func owned(_ owner: String?, _ note: String?) -> Explanation {
        let host = "a.example"
        let table = SampleTable.table([("asked", [.name(host)])], owner: owner, note: note)
        let violation = Violation.selfSignedLeaf(TraceSamples.leaf, anchorOf: [])
        return Explanation(
            verdict: Verdict(
                outcome: .reject([violation]), policyDigest: table.policyDigest,
                systemStoreDigest: nil),
            trace: Trace(steps: [
                .engine(EngineStep(policyDigest: table.policyDigest, systemStoreDigest: nil)),
                .request(
                    RequestStep(
                        host: host, canonicalHost: host, port: 443, time: TraceSamples.noon,
                        presented: 1, tls: .notSupplied)),
                .rule(
                    RuleStep(
                        rule: "asked", selection: .pattern(host), profile: "baseline",
                        anchors: ["system"], pins: [], guarantee: nil)),
            ]), table: table)
    }

    @Test("hostile notes and owners are escaped, and a huge note is cut")
    func hostileAuthors() {
        let explanation = owned(
            "we\u{1B}[2Jb\n::error::x", String(repeating: "\u{202E}note ::x ", count: 400))
        for (columns, rows) in [(80, 23), (40, 23), (100, nil as Int?)] {
            let text = ExplainDocument.text(explanation, columns: columns, rows: rows)
            let acting = text.unicodeScalars.filter {
                ($0.value < 0x20 && $0 != "\n") || $0 == "\u{202E}"
            }
            #expect(acting.isEmpty)
            let lines = text.split(separator: "\n")
            #expect(lines.allSatisfy { !$0.drop { $0 == " " }.hasPrefix("::") })
            #expect(rows.map { lines.count <= $0 } ?? true, "\(text)")
            #expect(text.contains("├ owner"), "\(text)")
        }
    }

    @Test("the owner and the note of the rule are shown, and that there is none")
    func authors() {
        let text = ExplainDocument.text(owned("web team", "renewed by hand each spring"))
        #expect(text.contains("├ owner   `web team`\n"), "\(text)")
        #expect(text.contains("├ note    renewed by hand each spring\n"), "\(text)")
        let without = ExplainDocument.text(owned(nil, nil))
        #expect(without.contains("├ owner   no owner is written\n"), "\(without)")
        #expect(!without.contains("├ note"))
    }
}
