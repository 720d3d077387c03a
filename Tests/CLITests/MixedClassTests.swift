import Foundation
import TestPKI
import Testing

/// A class with a weaker field is weaker, whatever else got stricter: nobody can take the word off
/// a change by adding a tightening.
@Suite("hawser diff: weaker, and stricter besides") struct MixedClassTests {
    /// A loosening and a tightening beside it, as lines of a rule.
    struct Mix: CustomTestStringConvertible, Sendable {
        let testDescription: String
        let old: String
        /// The rule with only the loosening, and with the tightening too.
        let loosened: String
        let mixed: String
        /// The field that is weaker, and the one that is stricter.
        let weaker: String
        let stricter: String
    }

    private static func rule(_ lines: String..., anchors: String = "[a]") -> String {
        let head = """
            hawser: 1
            default: deny
            anchors:
              a: { files: [anchors/root.pem] }
              b: { files: [anchors/other.pem] }

            """
        return head + "rules:\n  r:\n    hosts: [\"x.example\"]\n    anchors: \(anchors)\n"
            + lines.map { "    \($0)\n" }.joined()
    }

    private static let waiver =
        "waivers: { expired: { tolerance: 3d, reason: lab, owner: qa, until: 2027-02-01 } }"
    private static func causes(_ unknown: String, _ bits: Int) -> [String] {
        [
            "revocation: { causes: { unknown: \(unknown), stale: report } }",
            "keys: { rsa-minimum: \(bits) }",
        ]
    }
    private static func names(_ dns: String, _ uri: String) -> String {
        "identity: { reference: listed, dns: \(dns), uri: \(uri) }"
    }

    private static let mixes: [Mix] = [
        Mix(
            testDescription: "another anchor, and a waiver gone",
            old: rule(waiver), loosened: rule(waiver, anchors: "[a, b]"),
            mixed: rule(anchors: "[a, b]"), weaker: "anchors", stricter: "waivers.expired"),
        Mix(
            testDescription: "smaller keys, and a cause that rejects",
            old: rule(causes("report", 3072)[0], causes("report", 3072)[1]),
            loosened: rule(causes("report", 2048)[0], causes("report", 2048)[1]),
            mixed: rule(causes("fail", 2048)[0], causes("fail", 2048)[1]),
            weaker: "keys.rsa-minimum", stricter: "revocation.causes.unknown"),
        Mix(
            testDescription: "one listed name more, and one fewer",
            old: rule(
                names("[one.example]", "[\"spiffe://m.example/a\", \"spiffe://m.example/b\"]")),
            loosened: rule(
                names(
                    "[one.example, two.example]",
                    "[\"spiffe://m.example/a\", \"spiffe://m.example/b\"]")),
            mixed: rule(names("[one.example, two.example]", "[\"spiffe://m.example/a\"]")),
            weaker: "identity.dns", stricter: "identity.uri"),
        Mix(
            testDescription: "a weaker preset, and a cause that rejects",
            old: rule("revocation: { preset: require, causes: { stale: pass } }"),
            loosened: rule("revocation: { preset: best-effort, causes: { stale: pass } }"),
            mixed: rule("revocation: { preset: best-effort, causes: { stale: fail } }"),
            weaker: "revocation.preset", stricter: "revocation.causes.stale"),
        Mix(
            testDescription: "one source more, and a cause that rejects",
            old: rule("revocation: { sources: [crl], causes: { unknown: report, stale: pass } }"),
            loosened: rule(
                "revocation: { sources: [crl, ocsp], causes: { unknown: report, stale: pass } }"),
            mixed: rule(
                "revocation: { sources: [crl, ocsp], causes: { unknown: fail, stale: pass } }"),
            weaker: "revocation.sources", stricter: "revocation.causes.unknown"),
    ]

    private static func run(
        _ old: String, _ new: String, _ arguments: String...
    ) throws -> CommandRun {
        try Workshop(old: old, new: new).run(
            ["diff", "old", "new", "--at", "2026-11-23"] + arguments)
    }

    @Test("the word stays, the field keeps its sign, and every format marks it", arguments: mixes)
    func mixed(_ mix: Mix) throws {
        for (new, isMixed) in [(mix.loosened, false), (mix.mixed, true)] {
            let text = try Self.run(mix.old, new, "--detailed-exitcode")
            #expect(text.status == 11, "\(text.transcript)")
            #expect(text.output.hasPrefix("weaker: `x.example` accepts"), "\(text.transcript)")
            #expect(text.output.contains("- \(mix.weaker)  "), "\(text.transcript)")
            #expect(text.output.contains("; 1 weaker, 0 incomparable, 0 stricter, "))
            #expect(text.output.contains("+ \(mix.stricter)  ") == isMixed, "\(text.transcript)")
            for format in ["text", "json", "markdown", "sarif", "github", "html"] {
                let run = try Self.run(mix.old, new, "--format", format)
                let isMarked = run.output.contains("and stricter in")
                #expect(isMarked == isMixed, "\(format) \(run.transcript)")
            }
        }
        // The opposite is mixed, too: what was loosened is tightened, and the reverse.
        let back = try Self.run(mix.mixed, mix.old, "--detailed-exitcode")
        #expect(back.status == 11, "\(back.transcript)")
        #expect(back.output.contains("+ \(mix.weaker)  "), "\(back.transcript)")
        #expect(back.output.contains("- \(mix.stricter)  "), "\(back.transcript)")
    }

    @Test("a stricter field that changes which answers count is no proof of a stricter class")
    func evidence() throws {
        func rule(_ bits: Int) -> String {
            Self.rule(
                "revocation: { causes: { unknown: report, stale: fail } }",
                "keys: { rsa-minimum: \(bits) }")
        }
        let run = try Self.run(rule(2048), rule(3072), "--detailed-exitcode")
        #expect(run.status == 12, "\(run.transcript)")
        #expect(run.output.contains("+ keys.rsa-minimum  2048 -> 3072"), "\(run.transcript)")
        #expect(
            run.output.contains("~ revocation  some answers count -> other answers count"),
            "\(run.transcript)")
    }

    @Test("intermediates that repeat an anchor of the same set are no weakening")
    func repeated() throws {
        func policy(_ offered: String) -> String {
            """
            hawser: 1
            default: deny
            anchors:
              a: { files: [anchors/root.pem]\(offered) }
            rules:
              r:
                hosts: ["x.example"]
                anchors: [a]

            """
        }
        func status(_ old: String, _ new: String) throws -> Int32 {
            try Self.run(policy(old), policy(new), "--detailed-exitcode").status
        }
        #expect(try status("", ", intermediates: [anchors/root.pem]") == 0)
        #expect(try status("", ", intermediates: [anchors/other.pem]") == 11)
    }
}
