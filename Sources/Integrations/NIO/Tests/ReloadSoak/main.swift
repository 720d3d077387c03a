// A service under load while its policy is swapped 200 times. Two hosts on loopback; tables take
// turns: one pins A's issuer rightly, the other a key that nobody has. B is good under both. Every
// handshake says by which epoch it was judged, and must have ended as that epoch's table has it.
// Exits with 1 and says what went wrong otherwise, and when memory has grown by more than a
// twentieth between reload 20 and the last one.

import Foundation
import Hawser
import HawserNIO
import Logging
import NIOCore
import NIOPosix
import NIOWorld
import Synchronization
import TestPKI
import TrustEngine

let reloads = 200
let clients = 8
/// Handshakes that must have ended under each table before the next one comes.
let handshakesPerReload = 24

func fail(_ reason: String) -> Never {
    print("reload-soak: \(reason)")
    exit(1)
}

/// Pages of this process that are in memory, in octets.
func residentOctets() -> Int {
    guard let file = fopen("/proc/self/statm", "r") else { fail("no /proc/self/statm") }
    defer { fclose(file) }
    var line = [CChar](repeating: 0, count: 256)
    guard fgets(&line, 256, file) != nil else { fail("/proc/self/statm is empty") }
    let words = String(decoding: line.map { UInt8(bitPattern: $0) }, as: UTF8.self)
        .split(separator: " ")
    guard words.count > 1, let pages = Int(words[1]) else { fail("/proc/self/statm is strange") }
    return pages * sysconf(Int32(_SC_PAGESIZE))
}

/// How handshakes ended, by epoch and host.
final class Tally: Sendable {
    struct Counts {
        var accepted: [String: Int] = [:]
        var refused: [String: Int] = [:]
        var ofEpoch: [UInt64: Int] = [:]
        var waiting: (epoch: UInt64, count: Int, continuation: CheckedContinuation<Void, Never>)?
    }

    private let counts = Mutex(Counts())

    func count(_ host: String, epoch: UInt64, accepted: Bool) {
        let woken = counts.withLock { counts -> CheckedContinuation<Void, Never>? in
            if accepted {
                counts.accepted[host, default: 0] += 1
            } else {
                counts.refused[host, default: 0] += 1
            }
            counts.ofEpoch[epoch, default: 0] += 1
            guard let waiting = counts.waiting,
                counts.ofEpoch[waiting.epoch, default: 0] >= waiting.count
            else { return nil }
            counts.waiting = nil
            return waiting.continuation
        }
        woken?.resume()
    }

    /// Returns when so many handshakes were judged under an epoch.
    func wait(for count: Int, of epoch: UInt64) async {
        await withCheckedContinuation { continuation in
            let isThere = counts.withLock { counts in
                if counts.ofEpoch[epoch, default: 0] >= count { return true }
                counts.waiting = (epoch, count, continuation)
                return false
            }
            if isThere { continuation.resume() }
        }
    }

    var summary: (accepted: [String: Int], refused: [String: Int]) {
        counts.withLock { ($0.accepted, $0.refused) }
    }
}

let world = World()
let hostA = "a.soak.example"
let hostB = "b.soak.example"

/// Rules enough to make a table that would be missed if it were kept.
let ballast = (0..<2_000).map {
    World.rule("ballast-\($0)", host: "h\($0).ballast.example", pins: "right")
}
func table(pins: String) throws -> [UInt8] {
    try world.table(
        rules: ([
            World.rule("a", host: hostA, pins: pins), World.rule("b", host: hostB, pins: "right"),
        ] + ballast).joined(separator: "\n"))
}

let group = MultiThreadedEventLoopGroup(numberOfThreads: 2)
var configuration = PolicyStore.Configuration()
configuration.clock = { World.judgedAt }
configuration.logger = Logger(label: "soak") { _ in SwiftLogNoOpLogHandler() }
// Epochs count from 1, so odd ones have the right pin.
let tables = [try table(pins: "right"), try table(pins: "wrong")]
let store = try PolicyStore(table: tables[0], configuration: configuration)
let servers = [
    hostA: try await LoopbackServer(.server(world.chain(hostA)), group: group),
    hostB: try await LoopbackServer(.server(world.chain(hostB)), group: group),
]
let trust = try HawserClientTLS(
    store: store,
    settings: HandshakeSettings(
        clock: { World.judgedAt }, logger: Logger(label: "soak") { _ in SwiftLogNoOpLogHandler() }))
let tally = Tally()

/// Connects once, and talks where it may.
@Sendable func handshake(_ host: String, _ address: SocketAddress) async throws {
    let isRight: (UInt64) -> Bool = { host == hostB || $0 % 2 == 1 }
    do {
        let connection = try await trust.connect(
            ClientBootstrap(group: group), host: host, port: 443, address: address
        ).get()
        let epoch = connection.handshake.epoch
        guard isRight(epoch) else { fail("\(host) was accepted under epoch \(epoch)") }
        let reply = ReplyHandler(1, on: connection.channel.eventLoop)
        try await connection.channel.pipeline.addHandler(reply)
        try await connection.channel.writeAndFlush(ByteBuffer(string: "x"))
        _ = try await reply.answer.get()
        try await connection.channel.close()
        tally.count(host, epoch: epoch, accepted: true)
    } catch let error as HawserTLSError {
        guard !isRight(error.epoch), error.code == .rejected,
            error.violations.map(\.id) == ["pin-mismatch"]
        else { fail("\(host): \(error)") }
        tally.count(host, epoch: error.epoch, accepted: false)
    }
}

let addresses = servers.mapValues(\.address)
let load = Task {
    await withTaskGroup(of: Void.self) { tasks in
        for client in 0..<clients {
            tasks.addTask {
                let host = client % 2 == 0 ? hostA : hostB
                while !Task.isCancelled {
                    do {
                        try await handshake(host, addresses[host]!)
                    } catch {
                        fail("\(host): \(error)")
                    }
                }
            }
        }
    }
}

var early = 0
for reload in 1...reloads {
    let offer = store.offer(tables[reload % 2], origin: "soak")
    guard case .installed(let snapshot) = offer, snapshot.epoch == UInt64(reload) + 1 else {
        fail("reload \(reload): \(offer)")
    }
    await tally.wait(for: handshakesPerReload, of: snapshot.epoch)
    if reload == 20 { early = residentOctets() }
}
let late = residentOctets()
load.cancel()
await load.value

let (accepted, refused) = tally.summary
print(
    "reload-soak: \(reloads) reloads; A: \(accepted[hostA] ?? 0) accepted, "
        + "\(refused[hostA] ?? 0) refused; B: \(accepted[hostB] ?? 0) accepted; "
        + "resident after reload 20: \(early >> 10) KiB, after reload \(reloads): \(late >> 10) KiB"
)
guard (accepted[hostA] ?? 0) > reloads, (refused[hostA] ?? 0) > reloads,
    (accepted[hostB] ?? 0) > reloads, refused[hostB] == nil
else { fail("too few handshakes") }
guard late * 20 <= early * 21 else { fail("memory has grown by more than a twentieth") }
for server in servers.values { try await server.stop() }
try await group.shutdownGracefully()
