import CHawser
import CHawserABI
import Testing

/// The caller's structs, numbers and buffers after a call.
@Suite struct OutputTests {
    private let world: PolicyWorld

    init() throws { world = try PolicyWorld() }

    /// The octets of a struct that a call of an earlier time has filled, after `call`, which fails.
    private func left<Value: BitwiseCopyable>(
        in size: Int, _ zeros: Value, after call: (UnsafeMutablePointer<Value>) -> Int32
    ) -> [UInt8] {
        var value = zeros
        withUnsafeMutableBytes(of: &value) { octets in
            for place in octets.indices { octets[place] = 0x55 }
            octets.storeBytes(of: size, as: Int.self)
        }
        #expect(call(&value) < 0)
        return withUnsafeBytes(of: value) { Array($0.dropFirst(MemoryLayout<Int>.size)) }
    }

    @Test func aCallThatFailsLeavesNothingInAStruct() throws {
        let (store, verdict) = (hawser_store(number: 1), hawser_verdict(number: 1))
        let fetcher = hawser_fetcher(number: 1)
        let host = Array(world.host.utf8)
        try world.withRequest("good") { request in
            let found = [
                left(in: MemoryLayout<hawser_snapshot>.size, hawser_snapshot()) {
                    hawser_store_snapshot(store, $0, nil)
                },
                left(in: MemoryLayout<hawser_state>.size, hawser_state()) {
                    hawser_store_state(store, $0, nil)
                },
                left(in: MemoryLayout<hawser_shadow_counts>.size, hawser_shadow_counts()) {
                    hawser_store_shadow_counts(store, $0, nil)
                },
                left(in: MemoryLayout<hawser_demanded>.size, hawser_demanded()) {
                    hawser_store_demands(
                        store, host, host.count, 443, world.time, $0, nil, nil)
                },
            ]
            // Zero is undecided.
            let undecided = [hawser_evaluate, hawser_explain].map { judge in
                left(in: MemoryLayout<hawser_outcome>.size, hawser_outcome()) {
                    var verdict = hawser_verdict()
                    return judge(store, &request, $0, &verdict, nil)
                }
            }
            let fetching = [hawser_evaluate_fetching, hawser_explain_fetching].map { judge in
                left(in: MemoryLayout<hawser_outcome>.size, hawser_outcome()) {
                    var verdict = hawser_verdict()
                    return judge(store, fetcher, &request, $0, &verdict, nil)
                }
            }
            let read = left(in: MemoryLayout<hawser_outcome>.size, hawser_outcome()) {
                hawser_verdict_outcome(verdict, $0)
            }
            for (place, octets) in (found + undecided + fetching + [read]).enumerated() {
                #expect(octets.allSatisfy { $0 == 0 }, "\(place)")
            }
        }
    }

    @Test func aCallThatFailsLeavesNoOldNumber() {
        let store = hawser_store(number: 1)
        var (length, descriptor) = (7, Int32(7))
        #expect(hawser_store_table(store, nil, 0, &length, nil) == Int32(HAWSER_E_MISUSE))
        #expect(length == 0)
        #expect(
            hawser_store_epoch_descriptor(store, &descriptor, nil) == Int32(HAWSER_E_MISUSE))
        #expect(descriptor == -1)
        var (fetched, failed) = (UInt32(7), UInt32(7))
        let fetcher = hawser_fetcher(number: 1)
        #expect(
            hawser_fetcher_prefetch(fetcher, 1, &fetched, &failed, nil) == Int32(HAWSER_E_MISUSE))
        #expect(fetched == 0 && failed == 0)
    }

    private typealias Ask = (UnsafeMutablePointer<CChar>?, Int, UnsafeMutablePointer<Int>?) -> Int32

    @Test func aTextThatIsNotThereLeavesNoOldText() {
        let store = CalledAsC.open(world.table)
        defer { _ = hawser_store_close(store) }
        let none = [hawser_store(number: 1)]
        for (result, ask) in [
            (HAWSER_E_MISUSE, { hawser_store_text(none[0], 14, 0, $0, $1, $2) }),
            (HAWSER_E_RANGE, { hawser_store_text(store, 14, 1, $0, $1, $2) }),
            (HAWSER_E_ARGUMENT, { hawser_store_text(store, 99, 0, $0, $1, $2) }),
            (
                HAWSER_E_MISUSE,
                { hawser_verdict_text(hawser_verdict(number: 1), 16, 0, $0, $1, $2) }
            ),
            (
                HAWSER_E_MISUSE,
                { hawser_demands_text(hawser_demands(number: 1), 48, 0, $0, $1, $2) }
            ),
            (HAWSER_E_MISUSE, { hawser_metrics(none, 1, $0, $1, $2, nil) }),
        ] as [(Int, Ask)] {
            var buffer: [CChar] = [0x6F, 0x6C, 0x64, 0]
            var length = 7
            #expect(ask(&buffer, buffer.count, &length) == Int32(result))
            #expect(buffer[0] == 0 && length == 0)
        }
    }

    /// A `size_t` that no buffer has is beyond a limit, with a buffer and without.
    @Test func aCapacityThatNoBufferHasIsRefused() {
        let store = CalledAsC.open(world.table)
        defer { _ = hawser_store_close(store) }
        let limit = Int32(HAWSER_E_LIMIT)
        var octets = [UInt8](repeating: 7, count: 4)
        var text = [CChar](repeating: 7, count: 4)
        var length = 7
        for capacity in [-1, Int.min] {
            #expect(hawser_store_table(store, nil, capacity, &length, nil) == limit)
            #expect(hawser_store_table(store, &octets, capacity, &length, nil) == limit)
            #expect(length == 0)
            #expect(hawser_store_text(store, 14, 0, nil, capacity, nil) == limit)
            #expect(hawser_store_text(store, 14, 0, &text, capacity, nil) == limit)
        }
        #expect(octets.allSatisfy { $0 == 7 } && text.allSatisfy { $0 == 7 })
    }

    @Test func hostileCharactersAreShownInEachText() throws {
        let (hostile, shown) = ("a\u{1B}[2J\u{202E}b", "a\\u{1B}[2J\\u{202E}b")
        let store = hostile.withCString { name in
            CalledAsC.open(world.table) { $0.name = name }
        }
        defer { _ = hawser_store_close(store) }
        #expect(CalledAsC.text(ofStore: store, HAWSER_TEXT_NAME) == shown)
        try world.withRequest("good", host: hostile) { request in
            var verdict = hawser_verdict()
            var error = hawser_error.ready
            let result = hawser_evaluate(store, &request, nil, &verdict, &error)
            #expect(result == Int32(HAWSER_REJECT))
            defer { _ = hawser_verdict_free(verdict) }
            let sentence = try #require(CalledAsC.text(ofVerdict: verdict, HAWSER_TEXT_VIOLATION))
            #expect(sentence.contains(shown))
            #expect(error.text.hasPrefix(sentence))
        }
        // A call that fails because of the text.
        try hostile.withCString { text in
            try withUnsafePointer(to: Optional(text)) { networks in
                var options = hawser_fetcher_options()
                options.size = MemoryLayout<hawser_fetcher_options>.size
                options.networks = networks
                options.network_count = 1
                var (fetcher, error) = (hawser_fetcher(), hawser_error.ready)
                let result = hawser_fetcher_open(&options, &fetcher, &error)
                try #require(result == Int32(HAWSER_E_ARGUMENT))
                #expect(error.text.hasPrefix("`\(shown)` is no network: "))
            }
        }
    }

    @Test func anOutcomeCountsTheViolations() throws {
        let store = CalledAsC.open(world.table)
        defer { _ = hawser_store_close(store) }
        for name in ["good", "wrong-name", "unknown-root", "self-signed"] {
            try world.withRequest(name) { request in
                var verdict = hawser_verdict()
                var outcome = hawser_outcome()
                outcome.size = MemoryLayout<hawser_outcome>.size
                let result = hawser_evaluate(store, &request, &outcome, &verdict, nil)
                defer { _ = hawser_verdict_free(verdict) }
                var count = 0
                while CalledAsC.text(ofVerdict: verdict, HAWSER_TEXT_VIOLATION_ID, count) != nil {
                    count += 1
                }
                #expect(outcome.violation_count == UInt32(count), "\(name)")
                #expect((count > 0) == (result == Int32(HAWSER_REJECT)), "\(name)")
            }
        }
    }

    @Test func eachResultHasItsName() {
        for (result, name) in [
            (HAWSER_OK, "HAWSER_OK"), (HAWSER_REJECT, "HAWSER_REJECT"),
            (HAWSER_E_MISUSE, "HAWSER_E_MISUSE"), (HAWSER_E_ARGUMENT, "HAWSER_E_ARGUMENT"),
            (HAWSER_E_LIMIT, "HAWSER_E_LIMIT"), (HAWSER_E_TABLE, "HAWSER_E_TABLE"),
            (HAWSER_E_FILE, "HAWSER_E_FILE"), (HAWSER_E_EVIDENCE, "HAWSER_E_EVIDENCE"),
            (HAWSER_E_SMALL, "HAWSER_E_SMALL"), (HAWSER_E_RANGE, "HAWSER_E_RANGE"),
            (HAWSER_E_TLS, "HAWSER_E_TLS"), (HAWSER_E_INTERNAL, "HAWSER_E_INTERNAL"),
            (1, "HAWSER_E_?"), (-11, "HAWSER_E_?"),
        ] {
            #expect(String(cString: hawser_result_name(Int32(result))) == name)
        }
    }
}
