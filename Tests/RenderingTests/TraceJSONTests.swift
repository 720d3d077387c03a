import Foundation
import JSONSchemaSupport
import Testing
import TrustEngine

@testable import Rendering

@Suite("explain as JSON")
struct TraceJSONTests {
    private static let path = URL(filePath: #filePath).deletingLastPathComponent()
        .deletingLastPathComponent().deletingLastPathComponent()
        .appending(path: "grammar/trace.schema.json")

    private func schema() throws -> JSONSchema {
        try JSONSchema(text: String(contentsOf: Self.path, encoding: .utf8))
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
        let check = violation.check
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
            explanation, provenance: nil, options: .init(detail: .everything, columns: 10_000))
        for words in [
            "down to 1024 bits", "down to sha1", "down to tls1.0", "within 1min",
            "reported only until 2026-03-01T12:00:00Z", "TLS not used", "protocol `h2`",
            "forward secrecy `TLS_ECDHE_X`", "none of `leaked` is on the path",
        ] {
            #expect(text.contains(words), "\(words)")
        }
    }

    @Test("steps that serve advice are listed nowhere")
    func advice() {
        let plain = TraceSamples.accepted
        let steps: [TraceStep] = [
            .presentedKey(PresentedKeyStep(index: 0, key: TraceSamples.digest(7))),
            .issuerAddresses(IssuerAddressesStep(index: 0, addresses: ["http://a.example/ca"])),
            .misplacedEndEntity(MisplacedEndEntityStep(index: 1)),
        ]
        let advised = Explanation(
            verdict: plain.verdict, trace: Trace(steps: plain.trace.steps + steps))
        #expect(
            TraceJSON.render(advised, provenance: nil) == TraceJSON.render(plain, provenance: nil))
        #expect(TraceJSON.canonical(advised) == TraceJSON.canonical(plain))
        let options = TraceText.Options(detail: .everything)
        #expect(
            TraceText.render(advised, provenance: nil, options: options)
                == TraceText.render(plain, provenance: nil, options: options))
    }

    @Test("the schema knows exactly the violations that exist")
    func everyID() throws {
        let text = try JSONDocument(text: String(contentsOf: Self.path, encoding: .utf8))
        let shapes = try #require(text["definitions"]?["violation"]?["oneOf"]?.items)
        let known = shapes.flatMap { shape -> [JSONDocument] in
            let id = shape["properties"]?["id"]
            return id?["enum"]?.items ?? [id?["const"]].compactMap(\.self)
        }
        let existing = ViolationKind.allCases.flatMap(\.ids)
        #expect(Set(known) == Set(existing.map { .string($0) }))
        #expect(Set(existing).count == existing.count)
        // So that each is held to its shape, above.
        #expect(Set(TraceSamples.violations.map(\.reason.kind)) == Set(ViolationKind.allCases))
    }

    @Test("the names of fields are those of JSON, and the kind of value of each is found")
    func fields() throws {
        let expired = Violation.expired(
            TraceSamples.leaf, notAfter: TraceSamples.noon, time: TraceSamples.noon, tolerance: 60)
        #expect(
            expired.fields.map(\.name) == ["certificate", "notAfter", "time", "toleranceSeconds"])
        #expect(expired.certificate == TraceSamples.leaf)
        #expect(expired["notAfter"]?.instant == TraceSamples.noon)
        #expect(expired["toleranceSeconds"]?.integer == 60)
        #expect(expired["toleranceSeconds"]?.text == nil)
        #expect(expired["missing"] == nil)
        for violation in TraceSamples.violations {
            for field in violation.fields {
                let values: [Any?] = [
                    field.text, field.list, field.integer, field.instant, field.certificate,
                    field.answers, field.criteria, field.timestamps, field.wantedPins,
                    field.foundKeys,
                ]
                let isOpenEnd = [
                    .instant(nil), .optionalText(nil), .optionalCertificate(nil),
                ].contains(field.value)
                #expect(
                    values.count { $0 != nil } == (isOpenEnd ? 0 : 1),
                    "\(violation.id) \(field.name)")
            }
        }
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
