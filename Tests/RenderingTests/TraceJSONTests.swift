import Foundation
import JSONSchemaSupport
import Rendering
import Testing
import TrustEngine

@Suite("explain as JSON")
struct TraceJSONTests {
    private func schema() throws -> JSONSchema {
        let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent()
        let path = root.appending(path: "grammar/trace.schema.json")
        return try JSONSchema(text: String(contentsOf: path, encoding: .utf8))
    }

    @Test("an accept is as the schema says")
    func accept() throws {
        let text = TraceJSON.render(TraceSamples.accepted, provenance: TraceSamples.provenance)
        let document = try JSONDocument(text: text)
        #expect(try schema().violations(of: document) == [])
        #expect(document["verdict"] == .string("accept"))
        #expect(document["path"]?.items.count == 3)
        #expect(document["steps"]?.items.count == TraceSamples.accepted.trace.steps.count)
    }

    @Test(
        "every violation is as the schema says",
        arguments: TraceSamples.violations + TraceSamples.anchorConstraints.dropFirst())
    func violations(_ violation: Violation) throws {
        let check = ViolationSentences.check(of: violation)
        let text = TraceJSON.render(
            TraceSamples.rejected(check, [violation]), provenance: nil, assumptions: ["port 443"])
        let document = try JSONDocument(text: text)
        #expect(try schema().violations(of: document) == [])
        #expect(document["violations"]?.items.first?["id"] == .string(violation.id))
    }

    @Test("every payload of a step is as the schema says")
    func payloads() throws {
        let explanation = Explanation(
            verdict: TraceSamples.accepted.verdict, trace: Trace(steps: TraceSamples.payloads))
        let document = try JSONDocument(text: TraceJSON.render(explanation, provenance: nil))
        #expect(try schema().violations(of: document) == [])
        let text = TraceText.render(
            explanation, provenance: nil, options: .init(detail: .everything))
        for words in [
            "down to 1024 bits", "down to sha1", "down to tls1.0", "within 1min",
            "reported only until 2026-03-01T12:00:00Z", "TLS not used", "protocol `h2`",
            "forward secrecy `TLS_ECDHE_X`", "none of `leaked` is on the path",
        ] {
            #expect(text.contains(words), "\(words)")
        }
    }

    @Test("the schema knows exactly the violations that exist")
    func everyID() throws {
        let ids = Set(TraceSamples.violations.map(\.id))
        #expect(ids.count == TraceSamples.violations.count)
        #expect(ids.count == 45)
    }

    @Test("a key that the schema does not have is refused")
    func unknownKey() throws {
        let text = TraceJSON.render(TraceSamples.accepted, provenance: nil)
        let changed = text.replacingOccurrences(of: "\"verdict\"", with: "\"verdikt\"")
        let document = try JSONDocument(text: changed)
        #expect(try schema().violations(of: document).count == 2)
    }

    @Test("hostile text comes back as it was")
    func roundTrip() throws {
        let subject = "CN=\u{1B}[2J\n\"\\\u{202E}\u{1F600}"
        let explanation = TraceSamples.rejected(
            .identity, [.nameMismatch(wanted: ["a"], presented: [subject])])
        let document = try JSONDocument(
            text: TraceJSON.render(explanation, provenance: nil))
        #expect(
            document["violations"]?.items.first?["presented"]?.items == [.string(subject)])
    }
}
