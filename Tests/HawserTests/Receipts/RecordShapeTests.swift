import Foundation
import JSONSchemaSupport
import TestPKI
import Testing
import TrustEngine

@testable import Hawser

/// Receipts, reports and disagreements have one shape, so that one index holds all of them: the
/// same members at the same places, of the same types, in a fixed order.
@Suite struct RecordShapeTests {
    /// The members that every record begins with, in their order.
    private static let head = [
        "schema", "id", "time", "service", "store", "epoch", "host", "hostDigest", "port",
        "verdict", "rule", "table", "violations", "reported",
    ]

    /// A store of a service, with a candidate that disagrees on `api.decision.example`, and one
    /// record of each kind of a reject.
    private func records() throws -> (receipt: String, report: String, disagreement: String) {
        var configuration = PolicyStore.Configuration()
        configuration.name = "payments"
        configuration.service = "checkout"
        configuration.clock = { Scenario.judgedAt }
        let bytes = try DecisionWorld.engine(["pins: [nobody]"]).table.bytes
        let store = try PolicyStore(table: bytes, configuration: configuration)
        let candidate = PolicySnapshot(try DecisionWorld.engine([]))
        let told = Collected<String>()
        let request = DecisionWorld.request("pinned")
        let shadow = ShadowComparison(candidate: candidate) { told.sink($0.json) }
        let decision = store.judge(request, recording: DecisionRecording(shadow: shadow))
        return (
            try #require(decision.record(.receipt(.digests))),
            try #require(decision.record(.report(.counted))),
            try #require(told.values.first)
        )
    }

    /// The names of the members of an object, in their order.
    private static func names(_ text: some StringProtocol) throws -> [String] {
        try members(text).map(\.name)
    }

    private static func members(
        _ text: some StringProtocol
    ) throws -> [(name: String, value: String)] {
        let bytes = Array(text.utf8)
        var reader = JSONReader(bytes)
        return try #require(try reader.members()).map { member in
            (
                String(decoding: bytes[member.name], as: UTF8.self),
                String(decoding: bytes[member.value], as: UTF8.self)
            )
        }
    }

    @Test func everyRecordBeginsWithTheSameMembers() throws {
        let (receipt, report, disagreement) = try records()
        for record in [receipt, report, disagreement] {
            #expect(Array(try Self.names(record).prefix(Self.head.count)) == Self.head)
            let document = try JSONDocument(text: record)
            #expect(document["service"]?.text == "checkout")
            #expect(document["store"]?.text == "payments")
            #expect(document["epoch"] == .integer(1))
            #expect(document["host"]?.text == "pinned.decision.example")
            #expect(document["hostDigest"] == .null && document["port"] == .integer(443))
            #expect(document["time"]?.text == "2026-06-01T00:00:00Z")
            #expect(document["verdict"]?.text == "reject" && document["rule"]?.text == "pinned")
            let violation = try #require(document["violations"]?.items.first)
            #expect(violation["id"]?.text == "pin-mismatch")
            #expect(violation["check"]?.text == "pins" && violation["side"]?.text != nil)
            #expect(violation["place"]?["file"]?.text == "policy.yaml")
        }
        // Equal parts of a decision are equal in its records, octet for octet.
        let heads = try [receipt, report, disagreement].map { record in
            try Self.members(record).filter {
                Self.head.contains($0.name) && !["schema", "violations"].contains($0.name)
            }.map { "\($0.name) \($0.value)" }
        }
        #expect(heads[0] == heads[1] && heads[1] == heads[2])
    }

    /// An accept reports its failures in the same shape.
    @Test func reportedFailuresAreObjectsInBoth() throws {
        let world = try DecisionWorld()
        let request = DecisionWorld.request("watched")
        let verdict = world.policy.engine.evaluate(request)
        for kind in [DecisionRecord.receipt(.digests), .report(.counted)] {
            let record = try #require(Decision(verdict, of: request, by: world.policy).record(kind))
            let failure = try #require(try JSONDocument(text: record)["reported"]?.items.first)
            #expect(failure["violation"]?["id"]?.text == "pin-mismatch")
            #expect(failure["violation"]?["place"]?["line"] != nil)
            #expect(failure["reason"]?.text == "report-only")
            #expect(failure["until"]?.text == "2026-12-31T23:59:59Z")
        }
    }

    @Test func bothSchemasDescribeTheHeadAlike() throws {
        let receipt = try DecisionWorld.document("receipt")
        let report = try DecisionWorld.document("report")
        for name in Self.head where !["schema", "rule", "violations", "reported"].contains(name) {
            let described = try #require(receipt["properties"]?[name])
            #expect(described == report["properties"]?[name], "\(name)")
        }
        for name in ["id", "digest", "keyed", "instant", "revision", "check", "side", "place"] {
            let definition = try #require(receipt["definitions"]?[name])
            #expect(definition == report["definitions"]?[name], "\(name)")
        }
    }

    /// The order of the members is a part of the format, and the schema says it.
    @Test func membersAreInTheOrderOfTheSchema() throws {
        let (receipt, report, _) = try records()
        for (name, record) in [("receipt", receipt), ("report", report)] {
            let file = URL(filePath: #filePath).deletingLastPathComponent()
                .deletingLastPathComponent().deletingLastPathComponent()
                .deletingLastPathComponent().appending(path: "grammar/\(name).schema.json")
            let schema = try String(contentsOf: file, encoding: .utf8)
            /// The value at a path of names.
            func part(_ text: String, _ path: [String]) throws -> String {
                try path.reduce(text) { text, name in
                    try #require(try Self.members(text).first { $0.name == name }).value
                }
            }
            func expectOrder(_ written: String, _ path: [String]) throws {
                let order = try Self.names(try part(schema, path + ["properties"]))
                let names = try Self.names(written)
                #expect(names == order.filter(names.contains), "\(name): \(path)")
            }
            try expectOrder(record, [])
            try expectOrder(try part(record, ["table"]), ["properties", "table"])
            let violations = try part(record, ["violations"])
            let violation = String(violations.dropFirst().dropLast())
            try expectOrder(violation, ["definitions", "violation"])
            try expectOrder(try part(violation, ["place"]), ["definitions", "place"])
        }
    }

    @Test func theSameDecisionIsTheSameOctets() throws {
        let (first, second) = (try records(), try records())
        #expect(first.receipt == second.receipt && first.report == second.report)
        #expect(first.disagreement == second.disagreement)
    }

    @Test func aReceiptOfAStoreIsReadAsWhatItWas() throws {
        let receipt = try DecisionReceipt(json: Array(try records().receipt.utf8))
        #expect(
            receipt.decisionMaker == DecisionMaker(service: "checkout", store: "payments", epoch: 1)
        )
        #expect(receipt.rule == "pinned")
        #expect(receipt.violations.first?.place?.file == "policy.yaml")
        #expect(try DecisionReceipt(json: Array(receipt.json.utf8)) == receipt)
    }

    @Test func aRecordIsOfTheVerdictThatThePolicyGives() throws {
        let world = try DecisionWorld()
        let rejected = world.policy.engine.evaluate(DecisionWorld.request("pinned"))
        let request = DecisionWorld.request("api")
        let accepted = world.policy.engine.evaluate(request)
        for kind in [DecisionRecord.receipt(.digests), .report(.counted)] {
            #expect(Decision(rejected, of: request, by: world.policy).record(kind) == nil)
        }
        #expect(Decision(accepted, of: request, by: world.policy).record(.report(.reported)) == nil)
        #expect(Decision(accepted, of: request, by: world.policy).record(.receipt(.digests)) != nil)
        let hidden = Decision(accepted, of: request, by: world.policy).record(
            .receipt(.digests), redaction: Redaction(host: .dropped))
        #expect(hidden?.contains("\"host\":null") == true)
    }
}
