import CHawser
import CHawserABI
import Foundation
import TestPKI
import Testing

/// The functions of hawser.h, called as C calls them.
@Suite struct ABITests {
    private let world: PolicyWorld

    init() throws { world = try PolicyWorld() }

    private func opened() -> hawser_store {
        var store = hawser_store()
        let result = hawser_store_open(world.table, world.table.count, nil, &store, nil)
        #expect(result == Int32(HAWSER_OK))
        #expect(store.number != 0)
        return store
    }

    private func text(_ verdict: hawser_verdict, _ which: Int, _ index: Int = 0) -> String? {
        var length = 0
        let asked = hawser_verdict_text(verdict, UInt32(which), index, nil, 0, &length)
        guard asked == Int32(HAWSER_E_SMALL) else { return nil }
        var buffer = [CChar](repeating: 1, count: length + 1)
        let result = hawser_verdict_text(
            verdict, UInt32(which), index, &buffer, buffer.count, nil)
        #expect(result == Int32(HAWSER_OK))
        #expect(buffer.last == 0)
        return String(decoding: buffer.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }

    @Test func theVersionIsTheHeaders() {
        #expect(hawser_abi_version() == UInt32(HAWSER_ABI_VERSION))
    }

    @Test func verdictsAreTheEngines() throws {
        let store = opened()
        defer { _ = hawser_store_close(store) }
        try world.withRequest("good") { request in
            var outcome = hawser_outcome()
            outcome.size = MemoryLayout<hawser_outcome>.size
            #expect(hawser_evaluate(store, &request, &outcome, nil, nil) == Int32(HAWSER_OK))
            #expect(outcome.decision == UInt32(HAWSER_DECISION_ACCEPT))
            #expect(outcome.epoch == 1)
            #expect(outcome.path_count == 3)
            #expect(outcome.time == world.time)
        }
        for (name, id) in [
            ("expired", "expired"), ("wrong-name", "name-mismatch"),
            ("unknown-root", "anchor-not-trusted"), ("self-signed", "self-signed-leaf"),
            ("issuer-not-found", "issuer-not-found"),
        ] {
            try world.withRequest(name) { request in
                if name == "expired" { request.time += 2 * 365 * 86_400 }
                var verdict = hawser_verdict()
                let result = hawser_evaluate(store, &request, nil, &verdict, nil)
                #expect(result == Int32(HAWSER_REJECT), "\(name)")
                #expect(text(verdict, HAWSER_TEXT_VIOLATION_ID) == id)
                #expect(text(verdict, HAWSER_TEXT_VIOLATION)?.isEmpty == false)
                #expect(text(verdict, HAWSER_TEXT_VIOLATION, 99) == nil)
                #expect(text(verdict, HAWSER_TEXT_EXPLANATION) == nil)
                #expect(hawser_verdict_free(verdict) == Int32(HAWSER_OK))
            }
        }
    }

    /// By each function that judges, kept or not: the first violation stands in the error too.
    @Test func aRejectFillsTheErrorWithItsFirstViolation() throws {
        let store = opened()
        defer { _ = hawser_store_close(store) }
        for (name, host, id) in [
            ("wrong-name", nil, "name-mismatch"), ("unknown-root", nil, "anchor-not-trusted"),
            ("good", "nobody.example", "no-applicable-rule"), ("good", "no host", "bad-host"),
            ("good", nil, ""),
        ] as [(String, String?, String)] {
            try world.withRequest(name, host: host) { request in
                var verdict = hawser_verdict()
                var kept = hawser_error.ready
                let result = hawser_evaluate(store, &request, nil, &verdict, &kept)
                #expect(result == Int32(id.isEmpty ? HAWSER_OK : HAWSER_REJECT))
                #expect(kept.result == result)
                #expect(kept.word == id)
                #expect(kept.word == text(verdict, HAWSER_TEXT_VIOLATION_ID) ?? "")
                let sentence = text(verdict, HAWSER_TEXT_VIOLATION) ?? ""
                #expect(kept.text.hasPrefix(sentence))
                #expect(kept.text.contains(" side=") == !id.isEmpty)
                var quick = hawser_error.ready
                // What stood there before is gone.
                withUnsafeMutableBytes(of: &quick.message) { $0[0] = UInt8(ascii: "x") }
                #expect(hawser_evaluate(store, &request, nil, nil, &quick) == result)
                #expect(quick.word == id)
                #expect(quick.text == kept.text)
                var explained = hawser_error.ready
                var other = hawser_verdict()
                #expect(hawser_explain(store, &request, nil, &other, &explained) == result)
                #expect(explained.text == kept.text)
                for verdict in [verdict, other] { _ = hawser_verdict_free(verdict) }
                // The demands of a host that every verdict rejects.
                guard host != nil else { return }
                var denied = hawser_error.ready
                let asked = hawser_store_demands(
                    store, request.host.data, request.host.length, 443, world.time, nil, nil,
                    &denied)
                #expect(asked == Int32(HAWSER_REJECT))
                #expect(denied.text.hasPrefix(sentence + " side="))
                // No decision was made that a record could have.
                #expect(!denied.text.contains(" id="))
                #expect(denied.word == id)
            }
        }
        var held = hawser_error.ready
        let host = Array(world.host.utf8)
        #expect(
            hawser_store_holds(store, 7, host, host.count, 443, world.time, &held)
                == Int32(HAWSER_REJECT))
        #expect(held.word == "not-held")
        #expect(held.text.hasPrefix("the connection was accepted under epoch 7, and "))
        #expect(
            hawser_store_holds(store, 1, host, host.count, 443, world.time, &held)
                == Int32(HAWSER_OK))
        #expect(held.word == "")
        #expect(held.text == "")
    }

    /// The line of a reject with its rule, owner, side, id and command, by each function that
    /// judges; none of an accept.
    @Test func aRejectHasTheWordsOfItsLine() throws {
        let file = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
        try Data(world.table).write(to: file)
        defer { try? FileManager.default.removeItem(at: file) }
        var store = hawser_store()
        #expect(hawser_store_open_file(file.path, nil, &store, nil) == Int32(HAWSER_OK))
        defer { _ = hawser_store_close(store) }
        let command = "hawser show \(world.host):443 --table \(file.path)"
        for judge in [hawser_evaluate, hawser_explain] {
            try world.withRequest("wrong-name") { request in
                var verdict = hawser_verdict()
                var error = hawser_error.ready
                #expect(judge(store, &request, nil, &verdict, &error) == Int32(HAWSER_REJECT))
                defer { _ = hawser_verdict_free(verdict) }
                #expect(text(verdict, HAWSER_TEXT_REJECT_RULE) == "www")
                #expect(text(verdict, HAWSER_TEXT_REJECT_OWNER) == "web")
                #expect(text(verdict, HAWSER_TEXT_REJECT_SIDE) == "in-between")
                #expect(text(verdict, HAWSER_TEXT_REJECT_COMMAND) == command)
                let id = try #require(text(verdict, HAWSER_TEXT_DECISION_ID))
                let sentence = try #require(text(verdict, HAWSER_TEXT_VIOLATION))
                let words = "side=in-between rule=www owner=web id=\(id) next=\"\(command)\""
                let reasons = "name-mismatch: \(sentence) \(words)"
                #expect(text(verdict, HAWSER_TEXT_REJECT_REASONS) == reasons)
                #expect(
                    text(verdict, HAWSER_TEXT_REJECT_LINE) == "reject \(world.host):443: \(reasons)"
                )
                #expect(text(verdict, HAWSER_TEXT_REJECT_LINE, 1) == nil)
                #expect(error.text == "\(sentence) \(words)")
                if let receipt = text(verdict, HAWSER_TEXT_RECEIPT) {
                    #expect(receipt.contains("\"id\":\"\(id)\""))
                }
            }
            try world.withRequest("good") { request in
                var verdict = hawser_verdict()
                var error = hawser_error.ready
                #expect(judge(store, &request, nil, &verdict, &error) == Int32(HAWSER_OK))
                defer { _ = hawser_verdict_free(verdict) }
                #expect(error.text == "")
                for which in HAWSER_TEXT_REJECT_LINE...HAWSER_TEXT_REJECT_COMMAND {
                    #expect(text(verdict, which) == nil)
                }
                let isExplained = text(verdict, HAWSER_TEXT_RECEIPT) != nil
                #expect((text(verdict, HAWSER_TEXT_DECISION_ID) != nil) == isExplained)
            }
        }
    }

    /// The functions of the program may be gone when somebody asks for the words, so they are not
    /// asked again.
    @Test func theWordsOfARejectAskNoCheck() throws {
        let count = Counted()
        let context = Unmanaged.passUnretained(count).toOpaque()
        let store = try world.opened(
            withCheck: { context, _, _, _ in
                guard let context else { return 0 }
                Unmanaged<Counted>.fromOpaque(context).takeUnretainedValue().calls += 1
                return 0
            }, context: context)
        try world.withRequest("good") { request in
            var verdict = hawser_verdict()
            #expect(
                hawser_evaluate(store, &request, nil, &verdict, nil) == Int32(HAWSER_REJECT))
            let calls = count.calls
            #expect(calls > 0)
            #expect(hawser_store_close(store) == Int32(HAWSER_OK))
            let line = try #require(text(verdict, HAWSER_TEXT_REJECT_LINE))
            #expect(line.contains("check-failed: ") && line.contains(" rule=www owner=web id=r"))
            #expect(count.calls == calls)
            _ = hawser_verdict_free(verdict)
        }
    }

    @Test func rejectsAreCountedByRuleAndViolation() throws {
        let store = opened()
        defer { _ = hawser_store_close(store) }
        for (name, host) in [
            ("wrong-name", nil), ("wrong-name", nil), ("good", nil), ("good", "nobody.example"),
        ] as [(String, String?)] {
            try world.withRequest(name, host: host) { request in
                _ = hawser_evaluate(store, &request, nil, nil, nil)
            }
        }
        var stores = [store]
        var octets = [CChar](repeating: 0, count: 1 << 16)
        var length = 0
        #expect(
            hawser_metrics(&stores, 1, &octets, octets.count, &length, nil) == Int32(HAWSER_OK))
        let text = String(decoding: octets[..<length].map { UInt8(bitPattern: $0) }, as: UTF8.self)
        let lines = text.split(separator: "\n").filter {
            $0.hasPrefix("hawser_store_rejects_total")
        }
        #expect(
            lines == [
                #"hawser_store_rejects_total{store="default",rule="none",violation="no-applicable-rule"} 1"#,
                #"hawser_store_rejects_total{store="default",rule="www",violation="name-mismatch"} 2"#,
            ])
    }

    @Test("the numbers are the same whether a verdict is kept or not, and where it is explained")
    func numbersOfAVerdictThatNobodyKeeps() throws {
        let store = opened()
        defer { _ = hawser_store_close(store) }
        let changes: [(String, (inout hawser_request) -> Void)] = [
            ("nothing", { _ in }), ("no chain", { $0.chain_count = 0 }),
            ("no TLS parameters", { $0.tls = UInt32(HAWSER_TLS_NOT_SUPPLIED) }),
            ("clear text", { $0.tls = UInt32(HAWSER_TLS_CLEARTEXT) }),
            ("assumed TLS", { $0.tls = UInt32(HAWSER_TLS_ASSUMED) }),
            ("old TLS", { $0.tls_version = 0x0301 }),
            ("later", { $0.time += 20 * 365 * 86_400 }),
            // Octets that are not a staple, timestamps or a CRL.
            ("a staple", { $0.staple = $0.host }), ("timestamps", { $0.sct_list = $0.host }),
            (
                "a CRL",
                {
                    $0.crls = $0.chain
                    $0.crl_count = 1
                }
            ),
        ]
        var results: Set<Int32> = []
        for name in ["good", "wrong-name", "unknown-root", "self-signed", "issuer-not-found"] {
            for host in [world.host, "nobody.example", "no host", ""] {
                for (what, change) in changes {
                    try world.withRequest(name, host: host) { request in
                        change(&request)
                        var kept = hawser_outcome()
                        kept.size = MemoryLayout<hawser_outcome>.size
                        var (numbers, explained) = (kept, kept)
                        var verdict = hawser_verdict()
                        let result = hawser_evaluate(store, &request, &kept, &verdict, nil)
                        _ = hawser_verdict_free(verdict)
                        #expect(hawser_evaluate(store, &request, &numbers, nil, nil) == result)
                        #expect(hawser_evaluate(store, &request, nil, nil, nil) == result)
                        let other = hawser_explain(store, &request, &explained, &verdict, nil)
                        _ = hawser_verdict_free(verdict)
                        #expect(other == result, "\(name), \(host), \(what)")
                        for numbers in [numbers, explained] {
                            #expect(
                                octets(of: numbers) == octets(of: kept),
                                "\(name), \(host), \(what)")
                        }
                        let decision =
                            result == Int32(HAWSER_OK)
                            ? HAWSER_DECISION_ACCEPT : HAWSER_DECISION_REJECT
                        #expect(kept.decision == UInt32(decision))
                        results.insert(result)
                    }
                }
            }
        }
        #expect(results == [Int32(HAWSER_OK), Int32(HAWSER_REJECT)])
    }

    /// The octets of an outcome.
    private func octets(of outcome: hawser_outcome) -> [UInt8] {
        withUnsafeBytes(of: outcome) { Array($0) }
    }

    @Test("names that a caller hands over are read as they are, whatever they say of TLS")
    func namesOfTLSParameters() throws {
        let store = opened()
        defer { _ = hawser_store_close(store) }
        for host in [world.host, "nobody.example"] {
            try world.withRequest("good", host: host) { request in
                let result = hawser_evaluate(store, &request, nil, nil, nil)
                #expect(result == Int32(host == world.host ? HAWSER_OK : HAWSER_REJECT))
                for name in ["", "X25519", "TLS_AES_128_GCM_SHA256_of_some_kind", "schlüssel"] {
                    name.withCString { text in
                        request.cipher_suite = text
                        request.group = text
                        request.signature_scheme = text
                        request.alpn = text
                        let other = hawser_evaluate(store, &request, nil, nil, nil)
                        #expect(other == result, "\(name)")
                        var verdict = hawser_verdict()
                        #expect(hawser_explain(store, &request, nil, &verdict, nil) == result)
                        let json = self.text(verdict, HAWSER_TEXT_EXPLANATION)
                        #expect(json?.contains("\"group\": \"\(name)\"") == true)
                        _ = hawser_verdict_free(verdict)
                    }
                }
                // Their texts are gone.
                request.cipher_suite = nil
                request.group = nil
                request.signature_scheme = nil
                // The first octet of two, without the second.
                let cut: [CChar] = [0x41, -61, 0]
                cut.withUnsafeBufferPointer { cut in
                    request.alpn = cut.baseAddress
                    var error = hawser_error.ready
                    #expect(
                        hawser_evaluate(store, &request, nil, nil, &error)
                            == Int32(HAWSER_E_ARGUMENT))
                    #expect(error.word == "not-utf8")
                    #expect(error.text == "`request.alpn` is not UTF-8")
                }
            }
        }
    }

    @Test func aNoticeOfIssuanceIsThere() throws {
        let pki = Scenario()
        let root = pki.root("C Root", key: .p256("c abi root"))
        let leaf = root.issueLeaf(dns: [world.host]) { $0.serial = [0] }
        let pem = root.pem.split(separator: "\n").map { "      \($0)\n" }.joined()
        let table = try PolicyWorld.compile(
            "hawser: 1\ndefault: deny\nanchors:\n  root:\n    pem: |\n\(pem)rules:\n  site:\n"
                + "    hosts: [\(world.host)]\n    anchors: [root]\n")
        var store = hawser_store()
        #expect(hawser_store_open(table, table.count, nil, &store, nil) == Int32(HAWSER_OK))
        defer { _ = hawser_store_close(store) }
        try world.withRequest("good") { request in
            leaf.der.withUnsafeBytes { octets in
                var certificate = hawser_bytes(data: octets.baseAddress, length: octets.count)
                withUnsafePointer(to: &certificate) { chain in
                    request.chain = chain
                    request.chain_count = 1
                    var outcome = hawser_outcome()
                    outcome.size = MemoryLayout<hawser_outcome>.size
                    var verdict = hawser_verdict()
                    let result = hawser_evaluate(store, &request, &outcome, &verdict, nil)
                    #expect(result == Int32(HAWSER_OK))
                    #expect(outcome.notice_count == 1)
                    #expect(text(verdict, HAWSER_TEXT_NOTICE_ID) == "issuance")
                    #expect(
                        text(verdict, HAWSER_TEXT_NOTICE)?.contains("serial-not-positive") == true)
                    #expect(text(verdict, HAWSER_TEXT_NOTICE_ID, 1) == nil)
                    _ = hawser_verdict_free(verdict)
                }
            }
        }
    }

    @Test func anExplanationIsJSONAndCarriesAssumptions() throws {
        let store = opened()
        defer { _ = hawser_store_close(store) }
        try world.withRequest("good") { request in
            var verdict = hawser_verdict()
            "nobody looked".withCString { assumption in
                var assumptions: [UnsafePointer<CChar>?] = [assumption]
                request.assumptions = assumptions.withUnsafeMutableBufferPointer {
                    UnsafePointer($0.baseAddress)
                }
                withExtendedLifetime(assumptions) {
                    request.assumption_count = 1
                    let result = hawser_explain(store, &request, nil, &verdict, nil)
                    #expect(result == Int32(HAWSER_OK))
                }
            }
            let json = text(verdict, HAWSER_TEXT_EXPLANATION)
            #expect(json?.contains("\"assumptions\": [\n    \"nobody looked\"") == true)
            #expect(json?.hasSuffix("}\n") == true)
            _ = hawser_verdict_free(verdict)
            var error = hawser_error.ready
            let result = hawser_explain(store, &request, nil, nil, &error)
            #expect(result == Int32(HAWSER_E_ARGUMENT))
            #expect(error.word == "null-pointer")
        }
    }

    @Test func textIsCutBetweenCharactersAndEndsInNUL() throws {
        let store = opened()
        defer { _ = hawser_store_close(store) }
        // Two octets in UTF-8: no name, and shown in the sentence.
        try world.withRequest("good", host: "ü.example") { request in
            var verdict = hawser_verdict()
            let result = hawser_evaluate(store, &request, nil, &verdict, nil)
            #expect(result == Int32(HAWSER_REJECT))
            let whole = Array((text(verdict, HAWSER_TEXT_VIOLATION) ?? "").utf8)
            #expect(whole.count > 8)
            for capacity in 1..<whole.count {
                var buffer = [CChar](repeating: 7, count: capacity + 1)
                var length = 0
                let result = hawser_verdict_text(
                    verdict, UInt32(HAWSER_TEXT_VIOLATION), 0, &buffer, capacity, &length)
                #expect(result == Int32(HAWSER_E_SMALL))
                #expect(length == whole.count)
                #expect(buffer[capacity] == 7)
                let cut = buffer.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }
                #expect(cut.count < capacity)
                #expect(whole.starts(with: cut))
                #expect(String(validating: cut, as: UTF8.self) != nil)
            }
            _ = hawser_verdict_free(verdict)
        }
    }

    @Test func reloadingChangesTheEpochAndRefusesWhatIsNoTable() throws {
        let store = opened()
        defer { _ = hawser_store_close(store) }
        var snapshot = hawser_snapshot()
        snapshot.size = MemoryLayout<hawser_snapshot>.size
        var error = hawser_error.ready
        #expect(
            hawser_store_reload(store, world.table, world.table.count, &error)
                == Int32(HAWSER_OK))
        #expect(hawser_store_snapshot(store, &snapshot, &error) == Int32(HAWSER_OK))
        #expect(snapshot.epoch == 1)
        let half = world.table.count / 2
        #expect(
            hawser_store_reload(store, world.table, half, &error) == Int32(HAWSER_E_TABLE))
        #expect(error.word == "truncated")
        #expect(hawser_store_snapshot(store, &snapshot, nil) == Int32(HAWSER_OK))
        #expect(snapshot.epoch == 1)
        #expect(snapshot.refusals == 1)
        var buffer = [CChar](repeating: 0, count: 64)
        #expect(
            hawser_store_text(
                store, UInt32(HAWSER_TEXT_REFUSAL_REASON), 0, &buffer, buffer.count, nil)
                == Int32(HAWSER_OK))
        let word = buffer.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }
        #expect(String(decoding: word, as: UTF8.self) == "truncated")
        #expect(hawser_store_reload_file(store, &error) == Int32(HAWSER_E_ARGUMENT))
    }

    @Test func theLogIsTheProgramsOrNowhere() throws {
        final class Lines { var lines: [(Int32, String)] = [] }
        let lines = Lines()
        var options = hawser_store_options()
        options.size = MemoryLayout<hawser_store_options>.size
        options.log = { context, level, message in
            guard let context, let message else { return }
            Unmanaged<Lines>.fromOpaque(context).takeUnretainedValue()
                .lines.append((level, String(cString: message)))
        }
        options.log_context = Unmanaged.passUnretained(lines).toOpaque()
        var store = hawser_store()
        #expect(
            hawser_store_open(world.table, world.table.count, &options, &store, nil)
                == Int32(HAWSER_OK))
        _ = hawser_store_reload(store, [1, 2, 3], 3, nil)
        #expect(lines.lines.contains { $0.0 == 5 && $0.1.contains("refused") })
        _ = hawser_store_close(store)
    }

    @Test func aTableThatNobodyConfirmsRejects() throws {
        var options = hawser_store_options()
        options.size = MemoryLayout<hawser_store_options>.size
        options.staleness = UInt32(HAWSER_STALE_REJECT)
        options.stale_after = 60
        var store = hawser_store()
        #expect(
            hawser_store_open(world.table, world.table.count, &options, &store, nil)
                == Int32(HAWSER_OK))
        defer { _ = hawser_store_close(store) }
        var snapshot = hawser_snapshot()
        snapshot.size = MemoryLayout<hawser_snapshot>.size
        #expect(hawser_store_snapshot(store, &snapshot, nil) == Int32(HAWSER_OK))
        try world.withRequest("good") { request in
            for (later, isStale) in [(60, false), (61, true)] {
                request.time = snapshot.confirmed_at + Int64(later)
                var verdict = hawser_verdict()
                let result = hawser_evaluate(store, &request, nil, &verdict, nil)
                let ids = (0..<4).compactMap { text(verdict, HAWSER_TEXT_VIOLATION_ID, $0) }
                #expect(ids.contains("table-stale") == isStale, "\(ids)")
                if isStale { #expect(result == Int32(HAWSER_REJECT)) }
                _ = hawser_verdict_free(verdict)
            }
        }
    }

    @Test func aStricterTableNamesItsHosts() throws {
        let store = opened()
        defer { _ = hawser_store_close(store) }
        let denying = try PolicyWorld.compile("hawser: 1\ndefault: deny\n")
        #expect(
            hawser_store_reload(store, denying, denying.count, nil) == Int32(HAWSER_OK))
        var snapshot = hawser_snapshot()
        snapshot.size = MemoryLayout<hawser_snapshot>.size
        #expect(hawser_store_snapshot(store, &snapshot, nil) == Int32(HAWSER_OK))
        #expect(snapshot.epoch == 2)
        #expect(snapshot.stricter_count > 0)
        var buffer = [CChar](repeating: 0, count: 256)
        for index in 0..<Int(snapshot.stricter_count) {
            let result = hawser_store_text(
                store, UInt32(HAWSER_TEXT_STRICTER_HOST), index, &buffer, buffer.count, nil)
            #expect(result == Int32(HAWSER_OK))
        }
        #expect(
            hawser_store_text(
                store, UInt32(HAWSER_TEXT_STRICTER_HOST), Int(snapshot.stricter_count), &buffer,
                buffer.count, nil) == Int32(HAWSER_E_RANGE))
    }
}

/// What a check of a test counts. Every call comes on the test's thread.
private final class Counted {
    var calls = 0
}
