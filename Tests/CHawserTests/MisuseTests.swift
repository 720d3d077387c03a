import CHawser
import CHawserABI
import Testing

/// What a program in C may do wrong: each is told, and nothing is touched.
@Suite struct MisuseTests {
    private let world: PolicyWorld

    init() throws { world = try PolicyWorld() }

    private func opened() -> hawser_store {
        var store = hawser_store()
        _ = hawser_store_open(world.table, world.table.count, nil, &store, nil)
        return store
    }

    @Test func numbersThatAreNoObjects() throws {
        let store = opened()
        var verdict = hawser_verdict()
        try world.withRequest("good") { request in
            _ = hawser_evaluate(store, &request, nil, &verdict, nil)
            let misuse = Int32(HAWSER_E_MISUSE)
            // The same place at another time or for another kind, and a place that nobody has: what
            // stands beside may be the store of a test that runs meanwhile.
            let generation: UInt64 = 1 << 20
            let (taken, judged) = (store.number, verdict.number)
            for number: UInt64 in [
                0, 1, .max, judged, taken + generation, taken | (generation - 1),
                taken ^ (1 << 30), taken ^ (1 << 60), 0x7FFF_0000_1000, 0xA000_0000_0000_0000,
            ] {
                let none = hawser_store(number: number)
                var outcome = hawser_outcome()
                outcome.size = MemoryLayout<hawser_outcome>.size
                #expect(hawser_evaluate(none, &request, &outcome, nil, nil) == misuse)
                #expect(outcome.decision == UInt32(HAWSER_DECISION_UNDECIDED))
                #expect(hawser_store_reload(none, world.table, 10, nil) == misuse)
                if number != 0 { #expect(hawser_store_close(none) == misuse) }
            }
            for number: UInt64 in [1, .max, taken, judged + generation] {
                let none = hawser_verdict(number: number)
                #expect(hawser_verdict_text(none, 16, 0, nil, 0, nil) == misuse)
                #expect(hawser_verdict_free(none) == misuse)
                #expect(hawser_evidence_free(hawser_evidence(number: number)) == misuse)
            }
            #expect(hawser_verdict_free(verdict) == Int32(HAWSER_OK))
            #expect(hawser_verdict_free(verdict) == misuse)
            #expect(hawser_store_close(store) == Int32(HAWSER_OK))
            #expect(hawser_store_close(store) == misuse)
            #expect(hawser_evaluate(store, &request, nil, nil, nil) == misuse)
            // Another object at the same place has another number.
            let next = opened()
            #expect(next.number != store.number)
            #expect(hawser_evaluate(store, &request, nil, nil, nil) == misuse)
            #expect(hawser_evaluate(next, &request, nil, nil, nil) == Int32(HAWSER_OK))
            _ = hawser_store_close(next)
        }
    }

    @Test func argumentsThatCannotBe() throws {
        let store = opened()
        defer { _ = hawser_store_close(store) }
        let changes: [(String, (inout hawser_request) -> Void)] = [
            ("struct-size", { $0.size = 0 }),
            ("struct-size", { $0.size = 8 }),
            ("struct-size", { $0.size = .max }),
            ("struct-size", { $0.size = -1 }),
            ("null-pointer", { $0.host.data = nil }),
            ("null-pointer", { $0.host = hawser_bytes() }),
            ("too-large", { $0.host.length = -1 }),
            ("too-large", { $0.host.length = .max }),
            ("null-pointer", { $0.chain = nil }),
            ("too-large", { $0.chain_count = -1 }),
            ("too-large", { $0.chain_count = 1_000_000 }),
            (
                "misaligned",
                {
                    $0.chain = UnsafeRawPointer(bitPattern: 0x1001)?.assumingMemoryBound(
                        to: hawser_bytes.self)
                }
            ),
            ("value-not-allowed", { $0.port = 65_536 }),
            ("value-not-allowed", { $0.tls = 77 }),
            ("value-not-allowed", { $0.tls_version = 0x0305 }),
            ("value-not-allowed", { $0.tls_version = .max }),
            ("value-not-allowed", { $0.reserved = 1 }),
            ("value-not-allowed", { $0.time = .max }),
            ("value-not-allowed", { $0.time = .min + 1 }),
            ("too-large", { $0.staple.length = -5 }),
            ("null-pointer", { $0.staple.length = 5 }),
            ("null-pointer", { $0.crl_count = 1 }),
            ("null-pointer", { $0.prepared_count = 1 }),
            ("null-pointer", { $0.assumption_count = 1 }),
            ("null-pointer", { $0.tls = UInt32(HAWSER_TLS_ENFORCED) }),
        ]
        for (place, (word, change)) in changes.enumerated() {
            // A host without a rule is denied before anything is copied, and not before everything
            // is checked.
            for host in [world.host, "nobody.example"] {
                try world.withRequest("good", host: host) { request in
                    change(&request)
                    var error = hawser_error.ready
                    var verdict = hawser_verdict(number: 5)
                    var outcome = hawser_outcome()
                    outcome.size = MemoryLayout<hawser_outcome>.size
                    let result = hawser_evaluate(store, &request, &outcome, &verdict, &error)
                    let kind = word == "too-large" ? HAWSER_E_LIMIT : HAWSER_E_ARGUMENT
                    #expect(result == Int32(kind), "\(place)")
                    #expect(error.word == word, "\(place)")
                    #expect(error.result == result)
                    #expect(outcome.decision == UInt32(HAWSER_DECISION_UNDECIDED))
                    #expect(verdict.number == 0)
                    let message = error.text
                    error = .ready
                    outcome.decision = UInt32(HAWSER_DECISION_ACCEPT)
                    #expect(hawser_evaluate(store, &request, &outcome, nil, &error) == result)
                    #expect(error.word == word, "\(place)")
                    #expect(error.text == message)
                    #expect(outcome.decision == UInt32(HAWSER_DECISION_UNDECIDED))
                }
            }
        }
        #expect(hawser_evaluate(store, nil, nil, nil, nil) == Int32(HAWSER_E_ARGUMENT))
    }

    @Test func structsOfALaterVersionAreTakenWhereTheyAskForNothingNew() throws {
        let store = opened()
        defer { _ = hawser_store_close(store) }
        try world.withRequest("good") { request in
            let known = MemoryLayout<hawser_request>.size
            let later = UnsafeMutableRawPointer.allocate(byteCount: known + 64, alignment: 16)
            defer { later.deallocate() }
            later.initializeMemory(as: UInt8.self, repeating: 0, count: known + 64)
            later.copyMemory(from: &request, byteCount: known)
            later.storeBytes(of: known + 64, as: Int.self)
            let asked = later.assumingMemoryBound(to: hawser_request.self)
            #expect(hawser_evaluate(store, asked, nil, nil, nil) == Int32(HAWSER_OK))
            later.storeBytes(of: 1, toByteOffset: known + 60, as: UInt8.self)
            var error = hawser_error.ready
            #expect(
                hawser_evaluate(store, asked, nil, nil, &error) == Int32(HAWSER_E_ARGUMENT))
            #expect(error.word == "struct-newer")
        }
    }

    @Test func storesThatCannotBeOpened() throws {
        var store = hawser_store(number: 5)
        var error = hawser_error.ready
        func open(_ table: [UInt8]?, _ change: (inout hawser_store_options) -> Void) -> Int32 {
            var options = hawser_store_options()
            options.size = MemoryLayout<hawser_store_options>.size
            change(&options)
            return hawser_store_open(table, table?.count ?? 0, &options, &store, &error)
        }
        #expect(open(nil) { _ in } == Int32(HAWSER_E_ARGUMENT))
        #expect(store.number == 0)
        #expect(open([]) { _ in } == Int32(HAWSER_E_TABLE))
        #expect(open(world.table) { $0.flags = 0x80 } == Int32(HAWSER_E_ARGUMENT))
        #expect(open(world.table) { $0.follow = 3 } == Int32(HAWSER_E_ARGUMENT))
        #expect(open(world.table) { $0.threshold = 1 } == Int32(HAWSER_E_ARGUMENT))
        #expect(open(world.table) { $0.staleness = 9 } == Int32(HAWSER_E_ARGUMENT))
        #expect(open(world.table) { $0.check_count = 2 } == Int32(HAWSER_E_ARGUMENT))
        // An all-zero key is a point of small order.
        let key = [UInt8](repeating: 0, count: 32)
        let result = key.withUnsafeBytes { octets in
            withUnsafePointer(to: hawser_bytes(data: octets.baseAddress, length: 32)) { keys in
                open(world.table) {
                    $0.trusted_keys = keys
                    $0.trusted_key_count = 1
                }
            }
        }
        #expect(result == Int32(HAWSER_E_ARGUMENT))
        #expect(error.word == "binds-nobody")
        #expect(
            hawser_store_open_file("/nowhere/at/all", nil, &store, &error)
                == Int32(HAWSER_E_FILE))
        #expect(error.word == "not-found")
        #expect(hawser_store_open_file(nil, nil, &store, &error) == Int32(HAWSER_E_ARGUMENT))
        #expect(hawser_store_open(world.table, world.table.count, nil, nil, &error) < 0)
    }

    /// Threads judge, reload, free and close what the others use.
    @Test func misuseFromManyThreads() async throws {
        let world = world
        let store = opened()
        let answers = await withTaskGroup(of: Set<Int32>.self) { group in
            for thread in 0..<8 {
                group.addTask {
                    var seen: Set<Int32> = []
                    for round in 0..<60 {
                        try? world.withRequest("good") { request in
                            var verdict = hawser_verdict()
                            seen.insert(hawser_evaluate(store, &request, nil, &verdict, nil))
                            var buffer = [CChar](repeating: 0, count: 100)
                            _ = hawser_verdict_text(verdict, 16, 0, &buffer, 100, nil)
                            seen.insert(hawser_verdict_free(verdict))
                        }
                        if thread == 1 {
                            seen.insert(
                                hawser_store_reload(store, world.table, world.table.count, nil))
                        }
                        if thread == 2, round == 40 { _ = hawser_store_close(store) }
                    }
                    return seen
                }
            }
            return await group.reduce(into: Set<Int32>()) { $0.formUnion($1) }
        }
        #expect(answers.isSubset(of: [Int32(HAWSER_OK), Int32(HAWSER_E_MISUSE)]))
        #expect(answers.contains(Int32(HAWSER_OK)))
    }
}
