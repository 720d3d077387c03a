import CHawser
import CHawserABI
import CLibCrypto
import Testing

/// OpenSSL's queue of errors, which belongs to whoever calls: `SSL_get_error` looks at it. What the
/// functions of the interface leave there by themselves, `Tests/Integration/c-abi/error-queue.c`
/// looks at.
@Suite struct ErrorQueueTests {
    private let world: PolicyWorld

    init() throws { world = try PolicyWorld() }

    /// Asks libcrypto for a digest that it does not have, which leaves an error in the queue.
    private static func leaveAnError() { _ = EVP_MD_fetch(nil, "no-such-digest", nil) }

    /// What lies on the queue, from the oldest on; it is empty afterwards.
    private static func taken() -> [UInt] {
        var errors: [UInt] = []
        while true {
            let error = ERR_get_error()
            guard error != 0 else { return errors }
            errors.append(error)
        }
    }

    /// Calls `body` with so many entries on the queue, and expects those and no other ones behind
    /// it.
    private func expectKept(_ name: String, _ body: () throws -> Void) rethrows {
        for count in 0..<3 {
            _ = Self.taken()
            for _ in 0..<count { Self.leaveAnError() }
            try body()
            #expect(Self.taken().count == count, "\(name), \(count)")
        }
    }

    @Test func whatACheckLeavesIsTakenOff() throws {
        let store = try world.opened(withCheck: { _, _, _, _ in
            ErrorQueueTests.leaveAnError()
            return 1
        })
        defer { _ = hawser_store_close(store) }
        try world.withRequest("good") { request in
            expectKept("evaluate") {
                #expect(hawser_evaluate(store, &request, nil, nil, nil) == Int32(HAWSER_OK))
            }
            expectKept("explain") {
                var verdict = hawser_verdict()
                #expect(
                    hawser_explain(store, &request, nil, &verdict, nil) == Int32(HAWSER_OK))
                #expect(hawser_verdict_free(verdict) == Int32(HAWSER_OK))
            }
        }
    }

    @Test func aHostWithoutARuleLeavesTheQueueAlone() throws {
        var store = hawser_store()
        _ = hawser_store_open(world.table, world.table.count, nil, &store, nil)
        defer { _ = hawser_store_close(store) }
        try world.withRequest("good", host: "nobody.example") { request in
            expectKept("evaluate") {
                #expect(hawser_evaluate(store, &request, nil, nil, nil) == Int32(HAWSER_REJECT))
            }
            expectKept("a misuse") {
                #expect(
                    hawser_evaluate(hawser_store(number: 1), &request, nil, nil, nil)
                        == Int32(HAWSER_E_MISUSE))
            }
        }
    }

    @Test func whatALogLeavesIsTakenOff() throws {
        var options = hawser_store_options()
        options.size = MemoryLayout<hawser_store_options>.size
        options.log = { _, _, _ in ErrorQueueTests.leaveAnError() }
        var store = hawser_store()
        expectKept("open") {
            _ = hawser_store_close(store)
            #expect(
                hawser_store_open(world.table, world.table.count, &options, &store, nil)
                    == Int32(HAWSER_OK))
        }
        expectKept("reload") {
            #expect(hawser_store_reload(store, [1, 2, 3], 3, nil) == Int32(HAWSER_E_TABLE))
        }
        expectKept("confirm") {
            #expect(hawser_store_confirm(store, nil) == Int32(HAWSER_OK))
        }
        _ = hawser_store_close(store)
    }

    @Test func aRefusedSignatureLeavesNothing() throws {
        var store = hawser_store()
        _ = hawser_store_open(world.table, world.table.count, nil, &store, nil)
        defer { _ = hawser_store_close(store) }
        try world.withRequest("good") { request in
            // A chain like the good one, but for the last octet of its end entity's signature.
            var items = (0..<request.chain_count).map { request.chain[$0] }
            var octets = Array(
                UnsafeRawBufferPointer(start: items[0].data, count: items[0].length))
            octets[octets.count - 1] ^= 1
            octets.withUnsafeBytes { changed in
                items[0] = hawser_bytes(data: changed.baseAddress, length: changed.count)
                items.withUnsafeBufferPointer { items in
                    request.chain = items.baseAddress
                    expectKept("evaluate") {
                        #expect(
                            hawser_evaluate(store, &request, nil, nil, nil)
                                == Int32(HAWSER_REJECT))
                    }
                }
            }
        }
    }
}
