import Foundation
import JSONSchemaSupport
import TestPKI
import Testing
import TrustEngine

@testable import Hawser

/// Receipts: written, read, and held against the same question asked again.
@Suite struct ReceiptTests {
    private func receipt(
        _ name: String, _ world: DecisionWorld, evidence: Evidence = Evidence(),
        tls: TLSState? = nil, inputs: DecisionReceipt.InputDetail = .digests,
        redaction: Redaction = Redaction()
    ) -> (receipt: DecisionReceipt, request: TrustRequest, explanation: Explanation) {
        var request = DecisionWorld.request(name)
        request.evidence = evidence
        if let tls { request.tls = tls }
        let explanation = world.policy.engine.explain(request)
        let receipt = DecisionReceipt(
            Decision(explanation, of: request, by: world.policy), inputs: inputs,
            redaction: redaction)
        return (receipt, request, explanation)
    }

    private static let key = RedactionKey([UInt8](0..<32))!

    private static func states(_ digest: Digest) -> [TLSState] {
        let parameters = TLSParameters(
            version: .tls12, cipherSuite: "a\"\\\u{1B}b", group: "x25519",
            signatureScheme: "é\u{2028}", alpn: nil)
        return [
            .observed(parameters), .assumed(parameters), .assumed(TLSParameters()), .notSupplied,
            .cleartext, .enforced(parameters, ruleID: "api", policyDigest: digest),
        ]
    }

    // MARK: Form

    @Test func everyReceiptIsReadAsWhatItWasAndFitsItsSchema() throws {
        let world = try DecisionWorld()
        let schema = try DecisionWorld.schema("receipt")
        let evidence = try DecisionWorld.evidence()
        var receipts: [DecisionReceipt] = []
        for name in ["api", "pinned", "watched", "proved", "elsewhere", "hostile\n\u{202E}\"\\"] {
            receipts.append(receipt(name, world).receipt)
            receipts.append(receipt(name, world, evidence: evidence).receipt)
            receipts.append(
                receipt(name, world, evidence: evidence, inputs: .selfContained(atMost: 1 << 20))
                    .receipt)
        }
        for state in Self.states(world.policy.engine.table.policyDigest) {
            receipts.append(receipt("api", world, tls: state).receipt)
        }
        for redaction in [
            Redaction(host: .keyed(Self.key)), Redaction(host: .dropped),
            Redaction(port: .dropped), Redaction(chain: .dropped),
            Redaction(host: .keyed(Self.key), port: .dropped, chain: .dropped),
        ] {
            receipts.append(
                receipt("api", world, evidence: evidence, redaction: redaction).receipt)
        }
        for receipt in receipts {
            let line = receipt.json
            #expect(!line.contains("\n"))
            #expect(try DecisionReceipt(json: Array(line.utf8)) == receipt)
            #expect(schema.violations(of: try JSONDocument(text: line)) == [])
        }
        #expect(receipts.contains { $0.inputs != nil } && receipts.contains { !$0.isAccept })
    }

    @Test func aTablesRevisionAndFreshnessAreThere() throws {
        let world = try DecisionWorld()
        let (plain, request, _) = receipt("api", world)
        #expect(plain.table.revision == 7 && plain.table.freshness == nil)
        #expect(plain.table.fileDigest == world.policy.engine.table.fileDigest)
        let schema = try DecisionWorld.schema("receipt")
        for whenStale in [TableFreshness.WhenStale.reject, .notice] {
            for seconds in [-1, 0, 86_400] as [Int64] {
                var engine = world.policy.engine
                engine.freshness = TableFreshness(
                    confirmed: Scenario.judgedAt, freshFor: .seconds(seconds), whenStale: whenStale)
                let explanation = engine.explain(request)
                let stale = DecisionReceipt(
                    Decision(explanation, of: request, by: PolicySnapshot(engine, revision: .max)))
                #expect(stale.table.freshness == engine.freshness)
                #expect(stale.isAccept == (seconds >= 0 || whenStale == .notice))
                #expect(stale.json.contains("\"revision\":\"18446744073709551615\""))
                #expect(try DecisionReceipt(json: Array(stale.json.utf8)) == stale)
                #expect(schema.violations(of: try JSONDocument(text: stale.json)) == [])
            }
        }
    }

    /// A table that states its own dates stays one, so that the advice stays right.
    @Test func whatTheAgeCountsFromIsThere() throws {
        let world = try DecisionWorld()
        let schema = try DecisionWorld.schema("receipt")
        for basis in TableFreshness.Basis.allCases {
            var engine = world.policy.engine
            engine.freshness = TableFreshness(
                confirmed: Scenario.judgedAt, until: Scenario.judgedAt.advanced(bySeconds: 60),
                whenStale: .notice, basis: basis, expires: nil)
            let request = DecisionWorld.request("api")
            let receipt = DecisionReceipt(
                Decision(engine.explain(request), of: request, by: PolicySnapshot(engine)))
            #expect(try DecisionReceipt(json: Array(receipt.json.utf8)) == receipt)
            #expect(receipt.json.contains("\"basis\":\"issued\"") == (basis == .issued))
            #expect(schema.violations(of: try JSONDocument(text: receipt.json)) == [])
        }
    }

    @Test func aReportedFailureIsThereWithItsReason() throws {
        let (receipt, _, _) = receipt("watched", try DecisionWorld())
        #expect(receipt.isAccept)
        let failure = try #require(receipt.reported.first)
        #expect(receipt.reported.count == 1)
        #expect(failure.violation.id == "pin-mismatch" && failure.reason == .reportOnly)
        #expect(failure.until?.description == "2026-12-31T23:59:59Z")
    }

    @Test func inputsThatAreTooManyOctetsStayAway() throws {
        let world = try DecisionWorld()
        let octets = DecisionWorld.request("api").presentedChain.map(\.count).reduce(0, +)
        let fits = receipt("api", world, inputs: .selfContained(atMost: octets)).receipt
        #expect(fits.inputs?.chain == DecisionWorld.request("api").presentedChain)
        let tooMany = receipt("api", world, inputs: .selfContained(atMost: octets - 1)).receipt
        #expect(tooMany.inputs == nil)
        #expect(tooMany.chain == fits.chain)
    }

    // MARK: Hostile text

    @Test func whatIsNoReceiptIsRefusedWithItsReason() throws {
        let world = try DecisionWorld()
        let good = receipt(
            "watched", world, evidence: try DecisionWorld.evidence(),
            inputs: .selfContained(atMost: 1 << 20)
        ).receipt.json
        func code(_ text: String) -> ReceiptError? {
            do throws(ReceiptError) {
                _ = try DecisionReceipt(json: Array(text.utf8))
                return nil
            } catch { return error }
        }
        func changed(_ old: String, _ new: String) -> ReceiptError? {
            #expect(good.contains(old), "\(old)")
            return code(good.replacingOccurrences(of: old, with: new))
        }
        #expect(code(good) == nil)
        #expect(code("")?.code == .notJSON)
        #expect(code(good + good)?.code == .notJSON)
        #expect(code("[]")?.code == .malformed)
        #expect(changed("hawser/receipt/1", "hawser/receipt/2")?.code == .otherFormat)
        let rows: [(String, String, String)] = [
            ("\"verdict\":\"accept\"", "\"verdict\":\"maybe\"", "none of `accept`, `reject`"),
            ("\"verdict\":\"accept\"", "\"verdict\":\"reject\"", "a reject has some"),
            ("\"port\":443", "\"port\":65536", "`port` is no whole number up to 65535"),
            ("\"port\":443", "\"port\":-1", "`port`"),
            ("\"port\":443", "\"port\":4.43e2", "`port`"),
            ("\"port\":443", "\"port\":443,\"prot\":443", "`prot` is no member"),
            ("\"port\":443", "\"port\":443,\"port\":443", "`port` stands there twice"),
            ("\"port\":443,", "", "the receipt has no `port`"),
            ("2026-06-01T00:00:00Z", "2026-06-01", "is not an instant"),
            ("\"revision\":\"7\"", "\"revision\":\"07\"", "is no revision"),
            ("\"version\":\"tls1.3\"", "\"version\":\"tls1.4\"", "no version of TLS"),
            ("\"state\":\"observed\"", "\"state\":\"seen\"", "`request.tls.state` is `seen`"),
            ("\"epoch\":null", "\"epoch\":9223372036854775808", "`epoch` is no epoch"),
            ("\"epoch\":null", "\"epoch\":\"1\"", "`epoch`"),
            ("\"line\":", "\"row\":", "`reported[0].violation.place.row` is no member"),
            ("\"until\":\"2026", "\"until\":\"26", "`reported[0].until`"),
            (
                "\"hostDigest\":null",
                "\"hostDigest\":\"hmac-sha256:\(String(repeating: "0", count: 64))\"",
                "`hostDigest` stands beside the host"
            ),
            ("\"kind\":\"staple\"", "\"kind\":\"staples\"", "`request.evidence[0].kind`"),
            ("\"reason\":\"report-only\"", "\"reason\":\"other\"", "`reported[0].reason`"),
            ("\"fileDigest\":\"sha256:", "\"fileDigest\":\"sha512:", "is no digest"),
            ("\"inputs\":{\"chain\":[\"", "\"inputs\":{\"chain\":[\"!", "is no base64"),
            ("\"inputs\":{\"chain\":[\"", "\"inputs\":{\"chain\":[\"\",\"", "another number"),
        ]
        for (old, new, part) in rows {
            let error = changed(old, new)
            #expect(error?.code == .malformed, "\(new)")
            #expect(error?.context.contains(part) == true, "\(error?.context ?? "")")
        }
        let upper = good.replacingOccurrences(
            of: world.policy.engine.table.fileDigest.hex,
            with: world.policy.engine.table.fileDigest.hex.uppercased())
        #expect(code(upper)?.code == .malformed)
        let long = [UInt8](repeating: 0x20, count: DecisionReceipt.maximumLineOctets + 1)
        #expect(throws: ReceiptError.self) { try DecisionReceipt(json: long) }
    }

    @Test func aReceiptThatIsCutOffIsNone() throws {
        let line = Array(receipt("api", try DecisionWorld()).receipt.json.utf8)
        for count in line.indices {
            #expect(throws: ReceiptError.self) { try DecisionReceipt(json: Array(line[..<count])) }
        }
    }

    // MARK: Replay

    @Test(
        "the same question replays without a difference",
        arguments: ["api", "pinned", "watched", "proved", "elsewhere"])
    func replays(_ name: String) throws {
        let world = try DecisionWorld()
        for evidence in [Evidence(), try DecisionWorld.evidence()] {
            let (receipt, request, _) = receipt(name, world, evidence: evidence)
            // Another engine of the same policy, whose table has another place for it.
            let again = try DecisionWorld().policy.engine.explain(request)
            #expect(receipt.mismatches(with: request, again.verdict, crypto: crypto) == [])
            #expect(receipt.differences(from: again, crypto: crypto) == [])
            #expect(receipt.uncompared() == [])
        }
    }

    /// A notice is in the trace, and a reader of receipts needs nothing else.
    @Test func anAcceptWithANoticeOfIssuanceReplays() throws {
        let world = try DecisionWorld()
        let request = DecisionWorld.carelessRequest("api")
        let explanation = world.policy.engine.explain(request)
        #expect(
            explanation.verdict.issuanceDemands == [
                "serial-not-positive", "authority-key-identifier-missing",
            ])
        let receipt = DecisionReceipt(
            Decision(explanation, of: request, by: world.policy),
            inputs: .selfContained(atMost: 1 << 20))
        #expect(receipt.isAccept && receipt.violations.isEmpty && receipt.reported.isEmpty)
        let read = try DecisionReceipt(json: Array(receipt.json.utf8))
        #expect(read == receipt)
        let again = try DecisionWorld().policy.engine.explain(request)
        #expect(read.mismatches(with: request, again.verdict, crypto: crypto) == [])
        #expect(read.differences(from: again, crypto: crypto) == [])
        // The certificate without the breaches has another trace.
        let other = world.policy.engine.explain(DecisionWorld.request("api"))
        #expect(!read.differences(from: other, crypto: crypto).isEmpty)
    }

    /// Every single input changed: it is named, and nothing else is.
    @Test func aChangedInputIsNamed() throws {
        let world = try DecisionWorld()
        let evidence = try DecisionWorld.evidence()
        let (receipt, request, explanation) = receipt("proved", world, evidence: evidence)
        let verdict = explanation.verdict
        let rows: [((inout TrustRequest) -> Void, [InputMismatch.Input])] = [
            ({ _ in }, []),
            ({ $0.host = "api.decision.example" }, [.host]),
            ({ $0.port = 8_443 }, [.port]),
            ({ $0.presentedChain[1][9] ^= 1 }, [.certificate(1)]),
            ({ $0.presentedChain.removeLast() }, [.certificate(1)]),
            ({ $0.presentedChain.append([1]) }, [.certificate(2)]),
            ({ $0.evidence.stapledOCSP?.append(0) }, [.evidence(0, .staple)]),
            ({ $0.evidence.crls[0].append(0) }, [.evidence(4, .list)]),
            ({ $0.evidence.sctList = nil }, [.evidence(5, .timestamps)]),
            (
                { $0.evidence.prepared.swapAt(0, 1) },
                [.evidence(1, .preparedList), .evidence(2, .preparedResponse)]
            ),
        ]
        for (change, inputs) in rows {
            var changed = request
            change(&changed)
            let found = receipt.mismatches(with: changed, verdict, crypto: crypto)
            #expect(found.map(\.input) == inputs)
        }
        let other = try DecisionWorld.engine(["pins: [nobody]", "note: other"])
        #expect(other.table.policyDigest == world.policy.engine.table.policyDigest)
        #expect(
            receipt.mismatches(with: request, other.evaluate(request), crypto: crypto) == [],
            "a note is no meaning")
        let stricter = try DecisionWorld.engine([
            "pins: [nobody]", "identity: { reference: host }",
            "validity: { maximum-lifetime: 1d }",
        ])
        let named = receipt.mismatches(with: request, stricter.evaluate(request), crypto: crypto)
        #expect(named.map(\.input) == [.policy])
        #expect(named.first?.recorded == receipt.table.policyDigest.text)
        #expect(named.first?.given == stricter.table.policyDigest.text)
    }

    @Test func anotherDecisionIsTold() throws {
        let world = try DecisionWorld()
        let (receipt, request, _) = receipt("pinned", world)
        let other = world.policy.engine.explain(DecisionWorld.request("api"))
        let kinds = receipt.differences(from: other, crypto: crypto).map { difference in
            switch difference {
            case .verdict: return "verdict"
            case .violations: return "violations"
            case .reported: return "reported"
            case .trace: return "trace"
            }
        }
        #expect(kinds == ["verdict", "violations", "trace"])
        // The trace alone: an intermediate fewer leads to the same violation.
        var alone = request
        alone.presentedChain.append(DecisionWorld.root.der)
        let longer = world.policy.engine.explain(alone)
        #expect(longer.verdict.violations.map(\.id) == receipt.violations.map(\.id))
        guard case .trace? = receipt.differences(from: longer, crypto: crypto).first else {
            Issue.record("a longer chain has the same trace")
            return
        }
    }

    // MARK: Redaction

    @Test func aRedactedReceiptHoldsNothingOfWhatIsRedacted() throws {
        let world = try DecisionWorld()
        let evidence = try DecisionWorld.evidence()
        let all = Redaction(host: .keyed(Self.key), port: .dropped, chain: .dropped)
        let (redacted, request, explanation) = receipt(
            "api", world, evidence: evidence, inputs: .selfContained(atMost: 1 << 20),
            redaction: all)
        let text = redacted.json
        #expect(!text.contains("decision.example") && !text.contains("443"))
        for der in request.presentedChain {
            #expect(!text.contains(crypto.digest(.sha256, of: der.span).hex))
        }
        #expect(redacted.rule == nil && !text.contains("/rules/"))
        #expect(redacted.chain == nil && redacted.evidence == nil && redacted.inputs == nil)
        // The plain digest of the trace would tell a guessed host.
        let plain = receipt("api", world, evidence: evidence).receipt
        guard case .digest(let digest) = plain.trace else {
            Issue.record("a receipt that keeps everything has a plain mark")
            return
        }
        #expect(!text.contains(digest.hex))
        #expect(redacted.uncompared() == [.host, .port, .chain, .trace])
        #expect(redacted.uncompared(key: Self.key) == [.port, .chain])
        #expect(redacted.differences(from: explanation, crypto: crypto, key: Self.key) == [])
        let verdict = explanation.verdict
        #expect(redacted.mismatches(with: request, verdict, crypto: crypto, key: Self.key) == [])
        var other = request
        other.host = "pinned.decision.example"
        #expect(
            redacted.mismatches(with: other, verdict, crypto: crypto, key: Self.key).map(\.input)
                == [.host])
        #expect(redacted.mismatches(with: other, verdict, crypto: crypto) == [])
    }

    @Test func withoutAKeyTheMarkOfARedactedTraceStaysAway() throws {
        let world = try DecisionWorld()
        for redaction in [
            Redaction(host: .dropped), Redaction(port: .dropped), Redaction(chain: .dropped),
        ] {
            #expect(receipt("api", world, redaction: redaction).receipt.trace == .dropped)
        }
    }

    /// RFC 4231, test cases 2 (with the key padded to 16 octets, which HMAC does by itself), 3 and
    /// 6.
    @Test func theKeyedDigestIsHMAC() throws {
        #expect(RedactionKey([UInt8](repeating: 1, count: 15)) == nil)
        let jefe = Array("Jefe".utf8) + [UInt8](repeating: 0, count: 12)
        let rows: [([UInt8], [UInt8], String)] = [
            (
                jefe, Array("what do ya want for nothing?".utf8),
                "5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843"
            ),
            (
                [UInt8](repeating: 0xAA, count: 20), [UInt8](repeating: 0xDD, count: 50),
                "773ea91e36800e46854db8ebd09181a72959098b3ef8c122d9635514ced565fe"
            ),
            (
                [UInt8](repeating: 0xAA, count: 131),
                Array("Test Using Larger Than Block-Size Key - Hash Key First".utf8),
                "60e431591ee0b67f0d8a26aacbf5b77f8e0bc6213728c5140546040f0ee37f54"
            ),
        ]
        for (key, message, code) in rows {
            #expect(try #require(RedactionKey(key)).code(message).hex == code)
        }
        var dumped = ""
        dump(Redaction(host: .keyed(Self.key)), to: &dumped)
        #expect(!dumped.contains("inner") && dumped.contains("a redaction key"))
        #expect(Self.key.digest(.host, "a") != Self.key.digest(.trace, "a"))
    }
}
