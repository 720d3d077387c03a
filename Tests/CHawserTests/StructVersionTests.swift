import CHawserABI
import Testing

@testable import CHawser

/// Structs of programs that are compiled against another version of hawser.h than the library.
@Suite struct StructVersionTests {
    /// What stands behind a struct of the caller's, and is not the library's.
    private static let canary: UInt8 = 0xA5

    /// A struct as a later version has it: with a field more.
    private struct Later<Today: SizedStruct & BitwiseCopyable>: SizedStruct, BitwiseCopyable {
        var today = Today()
        var added: UInt64 = 0

        static var sizes: [Int] { Today.sizes + [MemoryLayout<Self>.size] }
    }

    /// Hands `body` a struct of the given size with `octets` in front; canaries stand behind it,
    /// and behind its known fields. Returns whether the canaries are still there.
    private func withStruct<Value>(
        of type: Value.Type, size: Int, beginning octets: [UInt8] = [], fill: UInt8 = canary,
        _ body: (UnsafeMutablePointer<Value>) throws -> Void
    ) rethrows -> Bool {
        let behind = 64
        let raw = UnsafeMutableRawBufferPointer.allocate(byteCount: size + behind, alignment: 16)
        defer { raw.deallocate() }
        raw.initializeMemory(as: UInt8.self, repeating: Self.canary)
        let whole = UnsafeMutableRawBufferPointer(rebasing: raw[..<size])
        whole.initializeMemory(as: UInt8.self, repeating: fill)
        whole.copyBytes(from: octets.prefix(size))
        raw.storeBytes(of: size, as: Int.self)
        try body(raw.baseAddress!.assumingMemoryBound(to: type))
        return raw[size...].allSatisfy { $0 == Self.canary }
    }

    // MARK: A library that has a field more than its caller

    private func readsOlder<Today: SizedStruct & BitwiseCopyable>(_ type: Today.Type) throws {
        let size = Today.sizes[0]
        let octets = (0..<size).map { UInt8(truncatingIfNeeded: $0 &* 7 &+ 1) }
        let isWhole = try withStruct(of: Later<Today>.self, size: size, beginning: octets) {
            given in
            let read = try CheckedStruct(UnsafePointer(given), "given").value
            #expect(read.added == 0)
            withUnsafeBytes(of: read.today) { fields in
                #expect(fields[8..<size].elementsEqual(octets[8...]))
            }
        }
        #expect(isWhole)
    }

    private func writesOlder<Today: SizedStruct & BitwiseCopyable>(_ type: Today.Type) throws {
        let size = Today.sizes[0]
        let isWhole = try withStruct(of: Later<Today>.self, size: size) { given in
            let sink = try #require(try CheckedStruct(optional: given, "given"))
            var written = Later<Today>()
            withUnsafeMutableBytes(of: &written) { octets in
                _ = octets.initializeMemory(as: UInt8.self, repeating: 0x11)
            }
            sink.write(written)
            let octets = UnsafeRawBufferPointer(start: given, count: size)
            #expect(octets.load(as: Int.self) == size)
            #expect(octets.dropFirst(8).allSatisfy { $0 == 0x11 })
        }
        #expect(isWhole)
    }

    @Test func whatAnOlderStructDoesNotHaveIsReadAsZero() throws {
        try readsOlder(hawser_store_options.self)
        try readsOlder(hawser_request.self)
        try readsOlder(hawser_shadow_options.self)
        try readsOlder(hawser_fetcher_options.self)
    }

    @Test func whatAnOlderStructDoesNotHaveIsNotWritten() throws {
        try writesOlder(hawser_error.self)
        try writesOlder(hawser_snapshot.self)
        try writesOlder(hawser_outcome.self)
        try writesOlder(hawser_state.self)
        try writesOlder(hawser_shadow_counts.self)
        try writesOlder(hawser_demanded.self)
    }

    @Test func aSizeThatNoVersionHasIsRefused() {
        let first = hawser_request.sizes[0]
        for size in [8, first - 8, first - 1, first + 1, first + 7] {
            let isWhole = withStruct(of: Later<hawser_request>.self, size: size) { given in
                do throws(CallFailure) {
                    _ = try CheckedStruct(UnsafePointer(given), "given")
                    Issue.record("\(size) is taken")
                } catch {
                    #expect(error.reason == "struct-size")
                    #expect(error.message.contains("`given.size` is \(size)"))
                    #expect(error.message.contains("the smallest has \(first)"))
                }
            }
            #expect(isWhole)
        }
    }

    /// The structs that the headers of unreleased builds had.
    @Test func aSizeOfAnUnreleasedHeaderIsRefused() throws {
        let world = try PolicyWorld()
        var store = hawser_store()
        for size in [112, 120] {
            let isWhole = withStruct(of: hawser_store_options.self, size: size, fill: 0) {
                options in
                var error = hawser_error.ready
                let opened = hawser_store_open(
                    world.table, world.table.count, options, &store, &error)
                #expect(opened == Int32(HAWSER_E_ARGUMENT))
                #expect(error.word == "struct-size")
            }
            #expect(isWhole)
        }
        store = CalledAsC.open(world.table)
        defer { _ = hawser_store_close(store) }
        let host = Array(world.host.utf8)
        let isWhole = withStruct(of: hawser_demanded.self, size: 104, fill: 0) { numbers in
            var error = hawser_error.ready
            let asked = hawser_store_demands(
                store, host, host.count, 443, 1_780_315_200, numbers, nil, &error)
            #expect(asked == Int32(HAWSER_E_ARGUMENT))
            #expect(error.word == "struct-size")
        }
        #expect(isWhole)
    }

    /// A program of version 1 under the library as it is, whatever fields it has by now.
    @Test func aProgramOfTheFirstVersionIsServed() throws {
        let world = try PolicyWorld()
        var store = hawser_store()
        var isWhole = withStruct(
            of: hawser_store_options.self, size: HAWSER_STORE_OPTIONS_SIZE_1, fill: 0
        ) { options in
            let opened = hawser_store_open(world.table, world.table.count, options, &store, nil)
            #expect(opened == Int32(HAWSER_OK))
        }
        defer { _ = hawser_store_close(store) }
        try world.withRequest("good") { request in
            let octets = withUnsafeBytes(of: request) { Array($0) }
            let request = withStruct(
                of: hawser_request.self, size: HAWSER_REQUEST_SIZE_1, beginning: octets
            ) { request in
                let outcome = withStruct(of: hawser_outcome.self, size: HAWSER_OUTCOME_SIZE_1) {
                    outcome in
                    let error = withStruct(of: hawser_error.self, size: HAWSER_ERROR_SIZE_1) {
                        error in
                        let judged = hawser_evaluate(store, request, outcome, nil, error)
                        #expect(judged == Int32(HAWSER_OK), "\(error.pointee.word)")
                        #expect(outcome.pointee.decision == UInt32(HAWSER_DECISION_ACCEPT))
                        #expect(error.pointee.size == HAWSER_ERROR_SIZE_1)
                        #expect(error.pointee.word == "")
                        #expect(hawser_evaluate(hawser_store(), request, nil, nil, error) < 0)
                        #expect(error.pointee.word == "no-object")
                    }
                    #expect(error)
                    #expect(outcome.pointee.size == HAWSER_OUTCOME_SIZE_1)
                }
                #expect(outcome)
            }
            #expect(request)
        }
        isWhole =
            withStruct(of: hawser_snapshot.self, size: HAWSER_SNAPSHOT_SIZE_1) { snapshot in
                #expect(hawser_store_snapshot(store, snapshot, nil) == Int32(HAWSER_OK))
                #expect(snapshot.pointee.epoch == 1)
            } && isWhole
        #expect(isWhole)
    }

    // MARK: A library that has fewer fields than its caller

    @Test func whatALaterStructHasMoreIsWrittenAsZero() throws {
        let known = MemoryLayout<hawser_error>.size
        let isWhole = withStruct(of: hawser_error.self, size: known + 40) { error in
            let raw = UnsafeRawPointer(error)
            #expect(hawser_store_reload(hawser_store(), nil, 0, error) < 0)
            #expect(error.pointee.word == "no-object")
            #expect(raw.load(as: Int.self) == known + 40)
            let more = UnsafeRawBufferPointer(start: raw + known, count: 40)
            #expect(more.allSatisfy { $0 == 0 })
        }
        #expect(isWhole)
    }

    @Test func whatALaterStructAsksForMoreIsRefused() {
        let known = MemoryLayout<hawser_store_options>.size
        var store = hawser_store()
        for (place, isTaken) in [(known - 1, true), (known, false), (known + 39, false)] {
            var octets = [UInt8](repeating: 0, count: known + 40)
            if place >= known { octets[place] = 1 }
            let isWhole = withStruct(
                of: hawser_store_options.self, size: known + 40, beginning: octets
            ) { options in
                var error = hawser_error.ready
                _ = hawser_store_open([UInt8](), 0, options, &store, &error)
                // An empty table is refused after the options were read.
                #expect((error.word == "struct-newer") != isTaken, "\(place): \(error.word)")
            }
            #expect(isWhole)
        }
    }
}
