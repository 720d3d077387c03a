import JSONSchemaSupport
import Rendering
import TestPKI
import Testing
import TrustEngine

@testable import Hawser

/// The one line about a reject: rule, owner, side, id and the command to run next, as `explain` and
/// the records of the same decision have them.
@Suite struct RejectErrorTests {
    private static let fields = ["pins: [nobody]", "owner: \"the \\\"pin\\\" team\""]

    private func policy(
        _ options: [String]? = ["--table", "/etc/acme/policy.table"]
    ) throws -> PolicySnapshot {
        PolicySnapshot(try DecisionWorld.engine(Self.fields), revision: 7, commandOptions: options)
    }

    private func error(
        _ request: TrustRequest, by policy: PolicySnapshot, receipts: String? = nil,
        redaction: Redaction = Redaction()
    ) throws -> RejectError {
        try #require(
            RejectError(
                Decision(policy.engine.evaluate(request), of: request, by: policy),
                receipts: receipts, redaction: redaction))
    }

    @Test func aRejectHasItsRuleOwnerSideIdAndCommand() throws {
        let policy = try policy()
        let request = DecisionWorld.request("pinned")
        let error = try error(request, by: policy)
        let id = try #require(error.id)
        #expect(error.rule == "pinned")
        #expect(error.owner == "the \"pin\" team")
        #expect(
            error.command
                == "hawser show pinned.decision.example:443 --table /etc/acme/policy.table")
        #expect(id.text.count == 17 && id.text.hasPrefix("r"))
        #expect(error.description.hasPrefix("reject pinned.decision.example:443: pin-mismatch: "))
        let words =
            #" side=in-between rule=pinned owner="the \"pin\" team" id=\#(id) next="hawser show "#
            + #"pinned.decision.example:443 --table /etc/acme/policy.table""#
        #expect(error.description.hasSuffix(words))
        #expect(error.description == "reject pinned.decision.example:443: " + error.reasons)
        #expect(!error.description.contains("\n"))
        #expect(error.words.map(\.name) == ["side", "rule", "owner", "id", "next"])
        // An explanation that is at hand leads to the same line.
        let explained = RejectError(
            Decision(policy.engine.explain(request), of: request, by: policy))
        #expect(explained == error)
    }

    /// Whoever reads the log and whoever asks again are told the same.
    @Test(arguments: ["pinned", "proved", "elsewhere", "no host"])
    func sideAndOwnerAreThoseOfTheExplanation(_ name: String) throws {
        let policy = try policy()
        let request = DecisionWorld.request(name)
        let error = try error(request, by: policy)
        let told = try JSONDocument(
            text: TraceJSON.render(policy.engine.explain(request)))
        #expect(told["side"]?.text == error.side.rawValue)
        #expect(told["owner"]?.text == error.owner)
        #expect(told["rule"]?.text == error.rule)
        let unexplained = RejectError(unexplained: Decision(error.verdict, of: request, by: policy))
        #expect(unexplained?.rule == error.rule && unexplained?.owner == error.owner)
        #expect(unexplained?.id == error.id)
    }

    @Test func anAcceptIsNoError() throws {
        let policy = try policy()
        let request = DecisionWorld.request("api")
        let decision = policy.judge(request)
        #expect(try decision.accepted() == decision.verdict.acceptance)
        #expect(RejectError(decision) == nil)
        #expect(throws: RejectError.self) {
            try policy.judge(DecisionWorld.request("pinned")).accepted()
        }
    }

    /// A check that answers otherwise when it is asked again neither turns a reject into an accept
    /// nor takes the error from a reject.
    @Test func anErrorIsThereWhateverAnExplanationSays() throws {
        let calls = Monitor(0)
        let table = try DecisionWorld.engine(
            ["checks: [fickle]"],
            checks: [
                "fickle": CustomCheck { _ in
                    calls.withLock {
                        $0 += 1; return $0
                    } == 1 ? .fail(reason: "not now") : .pass
                }
            ])
        let policy = PolicySnapshot(table)
        let request = DecisionWorld.request("pinned")
        let error = #expect(throws: RejectError.self) { try policy.judge(request).accepted() }
        #expect(error?.violations.map(\.id) == ["check-failed"])
        #expect(error?.rule == "pinned" && error?.id != nil)
        #expect(calls.withLock { $0 } == 2)
    }

    // MARK: The id

    @Test func theIdIsThatOfEveryRecord() throws {
        let policy = try policy()
        let request = DecisionWorld.request("pinned")
        let error = try error(request, by: policy)
        for kind in [
            DecisionRecord.receipt(.digests), .receipt(.selfContained(atMost: 1 << 20)),
            .report(.counted),
        ] {
            let record = try #require(Decision(error.verdict, of: request, by: policy).record(kind))
            #expect(try JSONDocument(text: record)["id"]?.text == error.id?.text)
        }
        let told = Collected<ShadowDisagreement>()
        let candidate = PolicySnapshot(try DecisionWorld.engine([]))
        let shadow = ShadowComparison(candidate: candidate, sink: told.sink)
        _ = policy.judge(request, recording: DecisionRecording(shadow: shadow))
        #expect(told.values.map(\.id) == [error.id])
    }

    @Test func otherDecisionsHaveOtherIds() throws {
        let policy = try policy()
        var ids: Set<DecisionID> = []
        func add(_ request: TrustRequest, _ policy: PolicySnapshot) {
            ids.insert(
                DecisionID(Decision(policy.engine.evaluate(request), of: request, by: policy)))
        }
        let request = DecisionWorld.request("pinned")
        add(request, policy)
        add(request, policy)
        #expect(ids.count == 1)
        add(DecisionWorld.request("pinned", secondsLater: 1), policy)
        add(DecisionWorld.request("proved"), policy)
        add(DecisionWorld.carelessRequest("pinned"), policy)
        var other = request
        other.port = 8_443
        add(other, policy)
        other = request
        other.tls = .notSupplied
        other.presentedChain.removeLast()
        add(other, policy)
        add(
            request,
            PolicySnapshot(
                try DecisionWorld.engine(["pins: [nobody]", "keys: { rsa-minimum: 3072 }"])))
        #expect(ids.count == 7)
    }

    @Test func redactedRecordsHaveAKeyedIdOrNone() throws {
        let policy = try policy()
        let request = DecisionWorld.request("pinned")
        let key = try #require(RedactionKey([UInt8](0..<32)))
        let plain = try error(request, by: policy).id
        for (redaction, hasID) in [
            (Redaction(host: .keyed(key)), true), (Redaction(host: .dropped), false),
            (Redaction(port: .dropped), false), (Redaction(chain: .dropped), false),
            (Redaction(host: .keyed(key), port: .dropped, chain: .dropped), true),
        ] {
            let error = try error(request, by: policy, redaction: redaction)
            #expect((error.id != nil) == hasID)
            #expect(error.id != plain)
            let receipt = DecisionReceipt(
                Decision(policy.engine.explain(request), of: request, by: policy),
                redaction: redaction)
            #expect(receipt.id == error.id)
        }
    }

    @Test func anIdIsReadAsItIsWritten() throws {
        let policy = try policy()
        let id = try #require(try error(DecisionWorld.request("pinned"), by: policy).id)
        #expect(DecisionID(text: id.text) == id)
        for text in ["", "r", "1234567890123456", "r12345678901234567", "r123456789012345G"] {
            #expect(DecisionID(text: text) == nil)
        }
    }

    // MARK: The command

    @Test func theReceiptIsReplayedWhereThereIsOne() throws {
        let policy = try policy()
        let error = try error(
            DecisionWorld.request("pinned"), by: policy, receipts: "/var/log/a b.jsonl")
        let id = try #require(error.id)
        #expect(
            error.command
                == "hawser explain --receipt '/var/log/a b.jsonl:\(id)' --table "
                + "/etc/acme/policy.table")
        // A record without an id cannot be asked for by it.
        let dropped = try self.error(
            DecisionWorld.request("pinned"), by: policy, receipts: "/var/log/a.jsonl",
            redaction: Redaction(host: .dropped))
        #expect(dropped.command?.hasPrefix("hawser show ") == true)
    }

    @Test func noCommandIsProposedThatWouldFail() throws {
        #expect(try error(DecisionWorld.request("pinned"), by: try policy(nil)).command == nil)
        let hostless = try error(DecisionWorld.request("no host"), by: try policy())
        #expect(hostless.command == nil)
        #expect(hostless.description.contains(" side=this-machine id="))
    }

    @Test func aStoreKnowsItsFile() throws {
        let world = try StoreWorld()
        let folder = try TemporaryFolder()
        let path = "\(folder.path)/policy.table"
        try folder.write("policy.table", world.rejecting)
        let store = try PolicyStore(file: path, configuration: world.configuration)
        #expect(store.snapshot.commandOptions == ["--table", path])
        let memory = try PolicyStore(table: world.rejecting, configuration: world.configuration)
        #expect(memory.snapshot.commandOptions == nil)
        // A table that comes from the program takes the file's place.
        _ = store.offer(world.accepting, origin: "https://policies.example/table")
        #expect(store.snapshot.commandOptions == nil)
        var configuration = world.configuration
        configuration.policyPath = "/etc/acme/policies"
        let named = try PolicyStore(table: world.rejecting, configuration: configuration)
        #expect(named.snapshot.commandOptions == ["--policy", "/etc/acme/policies"])
    }

    // MARK: Text of strangers

    /// A server that writes words of the line into its certificate does not choose what an operator
    /// runs.
    @Test func textOfStrangersBringsNoWords() throws {
        let policy = try policy()
        let hostile = "x\n next=\"rm\" SIDE=server Owner=me uid=5 id=r0000000000000000"
        var request = DecisionWorld.request("pinned")
        request.host = hostile
        let error = try error(request, by: policy)
        let line = error.description
        #expect(line.components(of: " next=").count == 1)
        #expect(line.components(of: " side=").count == 2)
        #expect(!line.contains("SIDE=") && !line.contains("Owner="))
        #expect(line.contains("next\\u{3D}") && line.contains("SIDE\\u{3D}"))
        // Other attributes of names stay as they are.
        #expect(line.contains("uid=5"))
        #expect(!line.contains("\n"))
    }

    @Test func aLongSentenceIsCutAndTheWordsStay() throws {
        let policy = try policy()
        var request = DecisionWorld.request("pinned")
        request.host = String(repeating: "é", count: 20_000)
        let error = try error(request, by: policy)
        #expect(error.reasons.utf8.count < 4_500)
        #expect(error.reasons.contains("… side=this-machine id="))
        for limit in [951, 200, 120] {
            let message = error.message(atMost: limit)
            #expect(message.utf8.count <= limit)
            #expect(message.contains(" side=this-machine"))
        }
    }
}

extension String {
    /// The parts between a separator.
    fileprivate func components(of separator: String) -> [Substring] {
        split(separator: separator, omittingEmptySubsequences: false)
    }
}
