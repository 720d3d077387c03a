import EvidenceServer
import Foundation

/// A server that takes one connection and follows a script. It keeps its input.
final class ScriptedServer: @unchecked Sendable {
    enum Step {
        /// Sends octets.
        case say([UInt8])
        /// Waits for as many octets.
        case hear(Int)
        /// Passes octets on, in both directions, to a server on this port of loopback.
        case relay(UInt16)
        /// Sends nothing more and keeps the connection open.
        case hold

        static func say(_ text: String) -> Step { .say(Array(text.utf8)) }
        static func hear(_ text: String) -> Step { .hear(text.utf8.count) }
    }

    let port: UInt16
    private let steps: [Step]
    private let lock = NSLock()
    private var octets: [UInt8] = []
    /// The sockets while they are open, -1 afterwards: a number that was given back may belong to
    /// another test's socket.
    private var listener: Int32
    private var connection: Int32 = -1

    init(_ steps: [Step]) {
        (listener, port) = Loopback.listen(backlog: 1)
        self.steps = steps
        let thread = Thread { self.serve() }
        thread.start()
    }

    /// The octets that the steps heard.
    var heard: [UInt8] { lock.withLock { octets } }

    /// Ends the server, also one that holds its connection.
    func stop() {
        lock.withLock {
            for open in [listener, connection] where open >= 0 {
                _ = shutdown(open, Int32(SHUT_RDWR))
            }
        }
    }

    private func serve() {
        let peer = accept(lock.withLock { listener }, nil, nil)
        lock.withLock { connection = peer }
        for step in steps {
            switch step {
            case .say(let octets): Self.send(octets, to: peer)
            case .hear(let count):
                let more = Self.receive(count, from: peer)
                lock.withLock { octets += more }
            case .relay(let other): Self.relay(peer, other)
            case .hold: _ = Self.receive(.max, from: peer)
            }
        }
        lock.withLock {
            for open in [listener, connection] where open >= 0 { close(open) }
            listener = -1
            connection = -1
        }
    }

    private static func send(_ octets: [UInt8], to peer: Int32) {
        _ = Foundation.send(peer, octets, octets.count, Int32(MSG_NOSIGNAL))
    }

    /// Octets up to a count, fewer where the peer closes.
    private static func receive(_ count: Int, from peer: Int32) -> [UInt8] {
        var octets: [UInt8] = []
        var octet: UInt8 = 0
        while octets.count < count, recv(peer, &octet, 1, 0) == 1 { octets.append(octet) }
        return octets
    }

    private static func relay(_ peer: Int32, _ port: UInt16) {
        let other = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = port.bigEndian
        address.sin_addr.s_addr = UInt32(0x7f00_0001).bigEndian
        let status = withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                connect(other, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        }
        guard status == 0 else { return }
        var ends = [
            pollfd(fd: peer, events: Int16(POLLIN), revents: 0),
            pollfd(fd: other, events: Int16(POLLIN), revents: 0),
        ]
        var buffer = [UInt8](repeating: 0, count: 1 << 14)
        while poll(&ends, 2, -1) > 0 {
            for index in 0..<2 where ends[index].revents != 0 {
                let count = recv(ends[index].fd, &buffer, buffer.count, 0)
                guard count > 0 else {
                    close(other)
                    return
                }
                send(Array(buffer[..<count]), to: ends[1 - index].fd)
            }
        }
    }
}
