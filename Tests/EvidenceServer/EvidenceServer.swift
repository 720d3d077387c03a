import CLibC
import Synchronization

/// A responder and CRL server on loopback that answers as a test says, faults included. Plain
/// sockets: nothing here corrects what a test gets wrong on purpose.
public final class EvidenceServer: Sendable {
    /// A request as it came.
    public struct Request: Hashable, Sendable {
        /// `GET` or `POST`.
        public let method: String
        /// Path and query.
        public let path: String
        /// Header lines, without the first.
        public let fields: [String]
        /// The body; empty for a GET.
        public let body: [UInt8]
    }

    /// What becomes of a request.
    public enum Reply: Hashable, Sendable {
        /// Status 200 with a length and a body of a media type.
        case answer([UInt8], type: String)
        /// Another status, with more header lines.
        case status(Int, fields: [String] = [])
        /// These octets and no more.
        case raw([UInt8])
        /// As `answer`, but the connection ends after so many octets of the body.
        case cut([UInt8], after: Int)
        /// The body in chunks, as HTTP/1.1 has them.
        case chunked([UInt8])
        /// A body that never ends.
        case endless
        /// Header lines that never end, one octet at a time.
        case drip
        /// Nothing, until the peer closes.
        case hang
        /// The connection is closed at once.
        case close
    }

    /// The port on 127.0.0.1.
    public let port: UInt16
    private let listener: Int32
    private let script: @Sendable (Request) -> Reply
    private let state = Mutex(State())

    private struct State {
        var requests: [Request] = []
        var open = 0
        var accepted = 0
    }

    /// Starts a server.
    public init(_ script: @escaping @Sendable (Request) -> Reply) {
        let (listener, port) = Loopback.listen(backlog: 64)
        self.listener = listener
        self.port = port
        self.script = script
        Thread.start { [weak self, listener] in
            while true {
                let connection = accept(listener, nil, nil)
                guard connection >= 0, let self else {
                    if connection >= 0 { CLibC.close(connection) }
                    return
                }
                self.take(connection)
            }
        }
    }

    /// A server that answers every request alike.
    public convenience init(always reply: Reply) {
        self.init { _ in reply }
    }

    deinit {
        shutdown(listener, Int32(SHUT_RDWR))
        CLibC.close(listener)
    }

    /// `http://127.0.0.1:PORT` and a path.
    public func url(_ path: String) -> String { "http://127.0.0.1:\(port)\(path)" }

    /// Every request so far.
    public var requests: [Request] { state.withLock { $0.requests } }
    /// Connections so far.
    public var accepted: Int { state.withLock { $0.accepted } }

    /// Waits until the server has accepted a number of connections. False if it has accepted more,
    /// or fewer after ten seconds. A server can accept a connection that its client has given up.
    public func hasAccepted(_ count: Int) -> Bool {
        for _ in 0..<10_000 where accepted < count { poll(nil, 0, 1) }
        return accepted == count
    }

    /// Connections that have not ended.
    public var open: Int { state.withLock { $0.open } }

    /// Waits until every connection has ended; false when that takes longer than any machine
    /// should.
    public func isQuiet() -> Bool {
        for _ in 0..<10_000 {
            if state.withLock({ $0.open }) == 0 { return true }
            // Waits for threads of this process that are ending.
            poll(nil, 0, 1)
        }
        return false
    }

    private func take(_ connection: Int32) {
        state.withLock {
            $0.open += 1
            $0.accepted += 1
        }
        Thread.start { [self] in
            serve(connection)
            CLibC.close(connection)
            state.withLock { $0.open -= 1 }
        }
    }

    private func serve(_ connection: Int32) {
        guard let request = EvidenceServer.read(connection) else { return }
        state.withLock { $0.requests.append(request) }
        switch script(request) {
        case .answer(let body, let type):
            send(
                connection,
                Array(
                    "HTTP/1.1 200 OK\r\nContent-Type: \(type)\r\nContent-Length: \(body.count)\r\n\r\n"
                        .utf8) + body)
        case .status(let status, let fields):
            let lines = fields.map { $0 + "\r\n" }.joined()
            send(connection, Array("HTTP/1.1 \(status) Reason\r\n\(lines)\r\n".utf8))
        case .raw(let octets): send(connection, octets)
        case .cut(let body, let count):
            send(
                connection,
                Array("HTTP/1.1 200 OK\r\nContent-Length: \(body.count)\r\n\r\n".utf8)
                    + body.prefix(count))
        case .chunked(let body):
            let size = String(body.count, radix: 16)
            send(
                connection,
                Array("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n\(size)\r\n".utf8)
                    + body + Array("\r\n0\r\n\r\n".utf8))
        case .endless:
            // A DER element that is larger than anybody reads.
            var part: [UInt8] = Array("HTTP/1.1 200 OK\r\n\r\n".utf8) + [0x30, 0x84, 0x7F, 0, 0, 0]
            while send(connection, part) { part = [UInt8](repeating: 0, count: 1 << 16) }
        case .drip:
            send(connection, Array("HTTP/1.1 200 OK\r\nX-Slow: ".utf8))
            while send(connection, [0x61]), !EvidenceServer.isClosed(connection, within: 1) {}
        case .hang: while !EvidenceServer.isClosed(connection, within: 60_000) {}
        case .close: break
        }
    }

    @discardableResult
    private func send(_ connection: Int32, _ octets: [UInt8]) -> Bool {
        var sent = 0
        while sent < octets.count {
            let count = octets.withUnsafeBytes {
                CLibC.send(
                    connection, $0.baseAddress?.advanced(by: sent), octets.count - sent,
                    Int32(MSG_NOSIGNAL))
            }
            guard count > 0 else { return false }
            sent += count
        }
        return true
    }

    /// Whether the peer closes within some milliseconds.
    private static func isClosed(_ connection: Int32, within milliseconds: Int32) -> Bool {
        var entry = pollfd(fd: connection, events: Int16(POLLIN), revents: 0)
        guard poll(&entry, 1, milliseconds) > 0 else { return false }
        var octet: UInt8 = 0
        return recv(connection, &octet, 1, 0) <= 0
    }

    private static func read(_ connection: Int32) -> Request? {
        var octets: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 4_096)
        let mark = Array("\r\n\r\n".utf8)
        func more() -> Bool {
            let count = recv(connection, &buffer, buffer.count, 0)
            guard count > 0 else { return false }
            octets += buffer[..<count]
            return true
        }
        var end: Int?
        while end == nil {
            guard octets.count < 1 << 20, more() else { return nil }
            end = octets.indices.first { octets[$0...].starts(with: mark) }
        }
        guard let end else { return nil }
        let lines = String(decoding: octets[..<end], as: UTF8.self)
            .split(separator: "\r\n").map(String.init)
        let words = (lines.first ?? "").split(separator: " ").map(String.init)
        guard words.count == 3 else { return nil }
        let length = lines.first { $0.lowercased().hasPrefix("content-length:") }
            .flatMap { Int($0.split(separator: " ").last ?? "") }
        while octets.count < end + 4 + (length ?? 0) { guard more() else { return nil } }
        return Request(
            method: words[0], path: words[1], fields: Array(lines.dropFirst()),
            body: Array(octets[(end + 4)...]))
    }
}

/// A thread of its own for each connection, so that one that hangs holds up no other.
private enum Thread {
    private final class Work: Sendable {
        let body: @Sendable () -> Void
        init(_ body: @escaping @Sendable () -> Void) { self.body = body }
    }

    static func start(_ body: @escaping @Sendable () -> Void) {
        var thread = pthread_t()
        let status = pthread_create(
            &thread, nil,
            { argument in
                guard let argument else { return nil }
                Unmanaged<Work>.fromOpaque(argument).takeRetainedValue().body()
                return nil
            }, Unmanaged.passRetained(Work(body)).toOpaque())
        precondition(status == 0, "no thread")
        pthread_detach(thread)
    }
}
