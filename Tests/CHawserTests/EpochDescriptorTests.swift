import CHawser
import CHawserABI
import Foundation
import Hawser
import Testing

/// Descriptors that become readable when another epoch has come into force.
@Suite struct EpochDescriptorTests {
    private let world: PolicyWorld
    private let denying: [UInt8]

    init() throws {
        world = try PolicyWorld()
        denying = try PolicyWorld.compile("hawser: 1\ndefault: deny\n")
    }

    private func descriptor(_ store: hawser_store) -> Int32 {
        var descriptor: Int32 = -7
        #expect(hawser_store_epoch_descriptor(store, &descriptor, nil) == Int32(HAWSER_OK))
        #expect(descriptor >= 0)
        return descriptor
    }

    private func isReadable(_ descriptor: Int32, within milliseconds: Int32 = 0) -> Bool {
        var entry = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
        return poll(&entry, 1, milliseconds) == 1
    }

    /// Octets that are there; 0 at the end, -1 where reading would wait.
    private func drain(_ descriptor: Int32) -> Int {
        var buffer = [UInt8](repeating: 0, count: 64)
        return read(descriptor, &buffer, buffer.count)
    }

    private func put(_ table: [UInt8], in store: hawser_store) {
        #expect(hawser_store_reload(store, table, table.count, nil) == Int32(HAWSER_OK))
    }

    @Test func anotherEpochIsToldToEveryDescriptor() {
        let store = CalledAsC.open(world.table)
        let descriptors = [descriptor(store), descriptor(store)]
        for descriptor in descriptors {
            #expect(fcntl(descriptor, F_GETFD) & FD_CLOEXEC != 0)
            #expect(fcntl(descriptor, F_GETFL) & O_NONBLOCK != 0)
            #expect(!isReadable(descriptor) && drain(descriptor) == -1 && errno == EAGAIN)
        }
        // Neither the same table nor octets that are not a table begin a new epoch.
        put(world.table, in: store)
        _ = hawser_store_reload(store, [1, 2, 3], 3, nil)
        #expect(descriptors.allSatisfy { !isReadable($0) })
        put(denying, in: store)
        for descriptor in descriptors {
            #expect(isReadable(descriptor) && drain(descriptor) == 1)
            #expect(!isReadable(descriptor))
        }
        // One that the program has closed harms nobody.
        close(descriptors[0])
        put(world.table, in: store)
        put(denying, in: store)
        #expect(drain(descriptors[1]) == 2)
        _ = hawser_store_close(store)
        #expect(isReadable(descriptors[1]) && drain(descriptors[1]) == 0)
        close(descriptors[1])
    }

    @Test func nobodyReadsAndTheStoreGoesOn() {
        let store = CalledAsC.open(world.table)
        defer { _ = hawser_store_close(store) }
        let full = descriptor(store)
        defer { close(full) }
        for turn in 0..<600 { put(turn % 2 == 0 ? denying : world.table, in: store) }
        #expect(isReadable(full))
    }

    @Test func closingWakesWhoeverWaits() {
        let store = CalledAsC.open(world.table)
        let waited = descriptor(store)
        defer { close(waited) }
        let answers = Monitor<[Bool]>([])
        #expect(
            BackgroundThread.start {
                let isWoken = isReadable(waited, within: 60_000) && drain(waited) == 0
                answers.withLock { $0.append(isWoken) }
            })
        #expect(hawser_store_close(store) == Int32(HAWSER_OK))
        let answer = answers.wait(until: Deadline(in: .seconds(60))) { $0.first }
        #expect(answer == true)
    }

    @Test func descriptorsAreLimitedAndThoseThatWereClosedDoNotCount() {
        let store = CalledAsC.open(world.table)
        defer { _ = hawser_store_close(store) }
        var open = (0..<Int(HAWSER_LIMIT_DESCRIPTORS)).map { _ in descriptor(store) }
        var error = hawser_error.ready
        var next: Int32 = 5
        #expect(
            hawser_store_epoch_descriptor(store, &next, &error) == Int32(HAWSER_E_LIMIT))
        #expect(error.word == "too-many-descriptors" && next == -1)
        close(open.removeLast())
        open.append(descriptor(store))
        for descriptor in open { close(descriptor) }
        #expect(hawser_store_epoch_descriptor(store, nil, &error) == Int32(HAWSER_E_ARGUMENT))
        #expect(
            hawser_store_epoch_descriptor(hawser_store(number: 7), &next, &error)
                == Int32(HAWSER_E_MISUSE))
        #expect(next == -1)
    }
}
