import Testing
import TrustEngine

@testable import Rendering

@Suite("explain as text")
struct ExplainDocumentTests {
    private func lines(
        _ explanation: Explanation,
        _ options: ExplainDocument.Options = ExplainDocument.Options(),
        colour: TextWriter.Colour = .plain
    ) -> [Substring] {
        ExplainDocument.text(
            explanation, provenance: TraceSamples.provenance, options, colour: colour,
            columns: 10_000
        ).split(separator: "\n", omittingEmptySubsequences: false)
    }

    @Test("an accept answers in its first line and stays within a screen")
    func accept() {
        let lines = lines(TraceSamples.accepted)
        #expect(
            lines.first
                == "accept api.acme.example:443 at 2026-03-01T12:00:00Z by rule `api`")
        #expect(lines.count <= 26)
        let text = lines.joined(separator: "\n")
        for part in [
            "selected by `**.acme.example`", "policy.yaml:21:13",
            "`**.example` of rule `wide`: the selected pattern has more labels",
            "wide.policy.yaml:4:13",
            "CN=api.acme.example → CN=Acme Issuing 2026 → anchor CN=Acme Root of `acme` (rfc5280)",
            "wanted `api.acme.example`, presented `*.acme.example`", "RFC 9525 §6",
            "`issuing-2026` of `acme-api` matches certificate 2 of the path", "policy.yaml:23:5",
            "policy.yaml:12:7 (profile `org`)", "reported only", "notice",
            "anchor-not-trusted", "checks passed; `--trace` shows everything",
            "set aside", "tbsCertificate.validity",
        ] {
            #expect(text.contains(part), "\(part)")
        }
    }

    @Test("a pin mismatch names every pin wanted and every key of the path")
    func pins() {
        let lines = lines(TraceSamples.rejected(.pins, [TraceSamples.pinMismatch]))
        let answer =
            "reject api.acme.example:443 at 2026-03-01T12:00:00Z by rule `api`: pin-mismatch"
        #expect(lines.first.map(String.init) == answer)
        let text = lines.joined(separator: "\n")
        for part in [
            "`issuing-2025` (at ca): sha256/AAAA  policy.yaml:7:7",
            "`offline` (backup, at any): sha256/BBBB  policy.yaml:9:7",
            "CN=api.acme.example: sha256/CCCC", "CN=Acme Issuing 2026: sha256/DDDD",
            "CN=Acme Root: sha256/EEEE",
            "the key `sha256/CCCC` of `CN=api.acme.example` does not meet pin set `acme-api`",
        ] {
            #expect(text.contains(part), "\(part)")
        }
        #expect(lines.count <= 40)
    }

    @Test("an expiry names both instants, and where a waiver would belong")
    func expired() {
        let violation = Violation.expired(
            TraceSamples.leaf, notAfter: TraceSamples.noon.advanced(bySeconds: -86_400),
            time: TraceSamples.noon, tolerance: 0)
        let text = lines(TraceSamples.rejected(.validity, [violation])).joined(separator: "\n")
        #expect(text.contains("ended on 2026-02-28T12:00:00Z, judged at 2026-03-01T12:00:00Z"))
        #expect(text.contains("renew `CN=api.acme.example`"))
        #expect(text.contains("in a rule of its own for `api.acme.example:443` alone"))
        #expect(!text.contains("waivers:"))
    }

    @Test("the five classic failures say five different things to an end user")
    func classicFailures() {
        let classic: Set<String> = [
            "issuer-not-found", "expired", "self-signed-leaf", "anchor-not-trusted",
            "name-mismatch",
        ]
        let found = TraceSamples.violations.filter { classic.contains($0.id) }
        let sentences = found.map { $0.forEndUser(Situation(host: "api.acme.example")) }
        #expect(found.count == 5)
        #expect(Set(sentences).count == 5)
    }

    @Test(
        "every violation is told, explained and repaired",
        arguments: TraceSamples.violations + TraceSamples.anchorConstraints.dropFirst())
    func everyViolation(_ violation: Violation) {
        let check = violation.check
        let lines = lines(TraceSamples.rejected(check, [violation]))
        #expect(lines.first?.hasPrefix("reject ") == true)
        #expect(lines.first?.hasSuffix(": \(violation.id)") == true)
        let text = lines.joined(separator: "\n")
        #expect(text.contains(violation.headline))
        #expect(text.contains("what would change it"))
    }

    @Test("hostile text cannot act in any output")
    func hostileText() {
        let subject = "CN=\u{1B}[2J\n::error file=x::\r\u{202E}boo"
        let hostile = TraceSamples.certificate(0, subject)
        let explanation = TraceSamples.rejected(
            .identity,
            [
                .nameMismatch(wanted: ["a\u{7F}.example"], presented: [subject]),
                .expired(
                    hostile, notAfter: TraceSamples.noon, time: TraceSamples.noon, tolerance: 0),
            ])
        let outputs = [
            ExplainDocument.text(explanation, provenance: nil),
            ExplainDocument.text(
                explanation, provenance: nil, ExplainDocument.Options(detail: .everything)),
            TraceJSON.render(explanation, provenance: nil),
        ]
        for output in outputs {
            let acting = output.unicodeScalars.filter {
                ($0.value < 0x20 && $0 != "\n") || $0.value == 0x7F || $0 == "\u{202E}"
            }
            #expect(acting.isEmpty)
            let commands = output.split(separator: "\n").filter {
                $0.drop { $0 == " " }.hasPrefix("::")
            }
            #expect(commands.isEmpty)
        }
    }

    @Test("everything lists every step once")
    func everyStep() {
        let explanation = TraceSamples.accepted
        let lines = lines(explanation, ExplainDocument.Options(detail: .everything))
        let start = lines.firstIndex(of: "every step:") ?? lines.endIndex
        #expect(lines.suffix(from: start).count == explanation.trace.steps.count + 2)
    }

    @Test("colour changes no word")
    func colour() {
        let plain = lines(TraceSamples.accepted).joined(separator: "\n")
        let painted = lines(
            TraceSamples.accepted, colour: .terminal
        ).joined(separator: "\n")
        var stripped = ""
        var isInside = false
        for scalar in painted.unicodeScalars {
            if scalar == "\u{1B}" { isInside = true }
            if !isInside { stripped.unicodeScalars.append(scalar) }
            if scalar == "m" { isInside = false }
        }
        #expect(painted != plain)
        #expect(stripped == plain)
    }
}
