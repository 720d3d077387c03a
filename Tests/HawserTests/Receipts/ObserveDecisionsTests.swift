import Hawser
import JSONSchemaSupport
import TestPKI
import Testing
import TrustEngine

@testable import Tutorial

/// What the page on decisions tells its reader to write works, and everything that it writes speaks
/// of the policy that decided.
@Suite struct ObserveDecisionsTests {
    @Test func everyLineIsOfTheSamePolicy() throws {
        let world = try StoreWorld()
        let store = try PolicyStore(table: world.rejecting, configuration: world.configuration)
        let candidate = try PolicyStore(
            table: world.accepting, configuration: world.configuration)
        let lines = Collected<String>()
        let recording = records(comparing: candidate, write: lines.sink)
        #expect(!judge(world.request, by: store, recording: recording).isAccept)
        let written = try lines.values.map { try JSONDocument(text: $0) }
        #expect(
            written.map { $0["schema"]?.text ?? "" } == [
                "hawser/receipt/1", "hawser/report/1", "hawser/disagreement/1",
            ])
        let digest = store.snapshot.engine.table.policyDigest.text
        for record in written {
            #expect(record["table"]?["policyDigest"]?.text == digest)
            #expect(record["store"]?.text == "default" && record["epoch"] == .integer(1))
        }
        #expect(written[2]["active"]?["policyDigest"]?.text == digest)
        #expect(written[2]["kind"]?.text == "weaker")
        #expect(written[0]["inputs"]?["chain"]?.items.count == 1)
    }
}
