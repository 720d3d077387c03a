#if Serve
import Hawser
import VerdictService

/// The counts of a server's connections and answers, for its bounds and for `/metrics`.
final class ServerCounts: Sendable {
    /// The holder of connections: a user of this machine, or everybody over TCP.
    enum Caller: Hashable, Sendable {
        case user(UInt32)
        case loopback
    }

    private struct Answered: Hashable, Sendable {
        let path: String
        let status: UInt16
    }

    private struct Counts: Sendable {
        var answered: [Answered: UInt64] = [:]
        var refused: [ServiceProblem.Code: UInt64] = [:]
        var open = 0
        var callers: [Caller: Int] = [:]
    }

    private let counts = Monitor(Counts())

    /// Counts a connection that was opened. The problem says why it is refused; nil admits it.
    func open(_ caller: Caller, _ limits: ServerLimits) -> ServiceProblem? {
        counts.withLock { counts in
            counts.open += 1
            counts.callers[caller, default: 0] += 1
            if counts.open > limits.connections {
                counts.refused[.connections, default: 0] += 1
                return ServiceProblem(
                    .connections, "\(limits.connections) connections are open already")
            }
            if counts.callers[caller, default: 0] > limits.connectionsPerCaller {
                counts.refused[.callerConnections, default: 0] += 1
                return ServiceProblem(
                    .callerConnections,
                    "\(limits.connectionsPerCaller) connections of this caller are open already"
                )
            }
            return nil
        }
    }

    /// Counts a connection that was closed.
    func close(_ caller: Caller) {
        counts.withLock { counts in
            counts.open -= 1
            let left = counts.callers[caller, default: 1] - 1
            counts.callers[caller] = left > 0 ? left : nil
        }
    }

    /// Whether so many connections are open that a further one is closed without a word.
    func isFull(_ limits: ServerLimits) -> Bool {
        counts.withLock { $0.open } >= limits.connections + ServerCounts.toldOfTheBound
    }

    /// The most connections beyond the bound that are told of it.
    private static let toldOfTheBound = 64

    /// Counts a caller who may not ask.
    func refuse(_ code: ServiceProblem.Code) {
        counts.withLock { $0.refused[code, default: 0] += 1 }
    }

    /// Counts an answer; nil for a request that names no endpoint.
    func answered(_ endpoint: Endpoint?, _ status: UInt16) {
        let key = Answered(path: endpoint?.rawValue ?? "none", status: status)
        counts.withLock { $0.answered[key, default: 0] += 1 }
    }

    /// The numbers for `/metrics`.
    func metrics(isStopping: Bool) -> MetricsText {
        let counts = counts.withLock { $0 }
        var text = MetricsText()
        for (key, count) in counts.answered {
            text.add(
                counter: "hawser_serve_requests",
                [("path", key.path), ("status", String(key.status))], Double(count))
        }
        for (code, count) in counts.refused {
            text.add(
                counter: "hawser_serve_refused_connections", [("reason", code.rawValue)],
                Double(count))
        }
        text.add(gauge: "hawser_serve_connections", [], Double(counts.open))
        text.add(gauge: "hawser_serve_draining", [], isStopping ? 1 : 0)
        return text
    }
}
#endif
