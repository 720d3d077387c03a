#if Serve
import Hawser
import NIOCore
import NIOPosix
import Synchronization
import TrustEngine
import VerdictService

/// What all connections of a server share.
final class ServerCore: Sendable {
    let service: VerdictResponder
    let limits: ServerLimits
    let workers: NIOThreadPool
    let counts = ServerCounts()
    let connections = OpenConnections()
    private let stopping: Atomic<Bool>
    private let long = Atomic<Int>(0)

    init(
        service: VerdictResponder, limits: ServerLimits, workers: NIOThreadPool
    ) {
        self.service = service
        self.limits = limits
        self.workers = workers
        stopping = Atomic(false)
    }

    /// The store's clock.
    var clock: @Sendable () -> UTCInstant { service.store.configuration.clock }

    /// Whether the server takes no new connection and ends those that it has.
    var isStopping: Bool { stopping.load(ordering: .acquiring) }

    /// Whether this call is the first.
    func beginStopping() -> Bool { !stopping.exchange(true, ordering: .acquiringAndReleasing) }

    /// Counts a request that takes long; false where too many are under way.
    func beginLong() -> Bool {
        let (_, now) = long.add(1, ordering: .relaxed)
        guard now <= limits.longRequests else {
            long.subtract(1, ordering: .relaxed)
            return false
        }
        return true
    }

    func endLong() { long.subtract(1, ordering: .relaxed) }

    func answer(_ endpoint: Endpoint, _ body: [UInt8]) -> ServiceAnswer {
        let isStopping = isStopping
        switch endpoint {
        case .metrics:
            return service.answer(
                endpoint, body: body, isStopping: isStopping,
                metrics: counts.metrics(isStopping: isStopping))
        case .evaluate, .explain, .show, .health, .ready:
            return service.answer(endpoint, body: body, isStopping: isStopping)
        }
    }
}

/// The connections of a server that are open.
final class OpenConnections: Sendable {
    private struct Open: Sendable {
        let channel: any Channel
        let connection: NIOLoopBound<ServedConnection>
    }

    private let open = Monitor<[Swift.ObjectIdentifier: Open]>([:])

    /// Called on the channel's event loop.
    func insert(_ channel: any Channel, _ connection: ServedConnection) {
        let entry = Open(
            channel: channel,
            connection: NIOLoopBound(connection, eventLoop: channel.eventLoop))
        open.withLock { $0[Swift.ObjectIdentifier(channel)] = entry }
    }

    func remove(_ channel: any Channel) {
        open.withLock { $0[Swift.ObjectIdentifier(channel)] = nil }
    }

    /// Asks every connection to end: at once where no request has begun.
    func stop() {
        for entry in Array(open.withLock { $0 }.values) {
            entry.channel.eventLoop.execute {
                guard
                    let context = try? entry.channel.pipeline.syncOperations.context(
                        handlerType: ServedConnection.self)
                else { return }
                entry.connection.value.stop(context)
            }
        }
    }

    /// Waits until no connection is open, for so many seconds at most.
    func waitUntilEmpty(within time: Duration) -> Bool {
        open.wait(until: Deadline(in: time)) { $0.isEmpty ? true : nil } ?? false
    }

    /// Closes every connection, whatever it does.
    func closeAll() {
        for entry in Array(open.withLock { $0 }.values) { entry.channel.close(promise: nil) }
    }
}
#endif
