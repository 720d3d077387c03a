import Foundation

/// A client that writes octets as a test gives them, and reads one answer at a time. It blocks, and
/// every test that waits for an answer waits for the server's own word.
final class Client {
    struct Answer: Equatable {
        let status: Int
        let fields: [String: String]
        let body: String
    }

    private let descriptor: Int32
    private var buffer: [UInt8] = []

    /// Connects to a Unix socket.
    init(socket path: String) throws {
        descriptor = Foundation.socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: Array(path.utf8)) }
        let status = withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
            }
        }
        guard status == 0 else { throw Failed(what: "connecting to \(path)", code: errno) }
        bound()
    }

    /// Connects to a port of 127.0.0.1.
    init(port: Int) throws {
        descriptor = Foundation.socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = in_port_t(UInt16(port)).bigEndian
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        let status = withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        }
        guard status == 0 else { throw Failed(what: "connecting to \(port)", code: errno) }
        bound()
    }

    /// A server that never answers fails the test and does not hang it.
    private func bound() {
        var time = timeval(tv_sec: 30, tv_usec: 0)
        setsockopt(
            descriptor, SOL_SOCKET, SO_RCVTIMEO, &time, socklen_t(MemoryLayout<timeval>.size))
    }

    deinit { Foundation.close(descriptor) }

    struct Failed: Error {
        let what: String
        let code: Int32
    }

    func send(_ text: String) throws {
        var rest = Array(text.utf8)[...]
        while !rest.isEmpty {
            let octets = Array(rest)
            let count = Foundation.send(descriptor, octets, octets.count, Int32(MSG_NOSIGNAL))
            guard count > 0 else { throw Failed(what: "sending", code: errno) }
            rest = rest.dropFirst(count)
        }
    }

    /// Says that nothing more comes.
    func finish() { shutdown(descriptor, Int32(SHUT_WR)) }

    /// Reads one answer; nil where the server closes before it.
    func receive(hasBody: Bool = true) throws -> Answer? {
        let end = Array("\r\n\r\n".utf8)
        var place: Int?
        while place == nil {
            place = (0..<max(0, buffer.count - 3)).first { Array(buffer[$0..<$0 + 4]) == end }
            guard place == nil else { break }
            guard try fill() else { return nil }
        }
        let head = String(decoding: buffer[..<place!], as: UTF8.self)
        buffer.removeFirst(place! + 4)
        var lines = head.components(separatedBy: "\r\n")
        let status = Int(lines.removeFirst().split(separator: " ")[1]) ?? 0
        var fields: [String: String] = [:]
        for line in lines {
            let parts = line.split(separator: ":", maxSplits: 1)
            fields[parts[0].lowercased()] = parts[1].trimmingCharacters(in: .whitespaces)
        }
        let length = hasBody ? Int(fields["content-length"] ?? "0") ?? 0 : 0
        while buffer.count < length {
            guard try fill() else { throw Failed(what: "a body that is cut off", code: 0) }
        }
        let body = String(decoding: buffer[..<length], as: UTF8.self)
        buffer.removeFirst(length)
        return Answer(status: status, fields: fields, body: body)
    }

    /// Whether the server has closed, once everything was read.
    func isClosed() throws -> Bool { try !fill() }

    private func fill() throws -> Bool {
        var octets = [UInt8](repeating: 0, count: 65_536)
        let count = recv(descriptor, &octets, octets.count, 0)
        guard count >= 0 else {
            guard errno == ECONNRESET else { throw Failed(what: "receiving", code: errno) }
            return false
        }
        buffer += octets[..<count]
        return count > 0
    }

    /// Sends a request and reads its answer.
    func ask(
        _ method: String, _ path: String, _ fields: [String] = [], body: String? = nil
    ) throws -> Answer? {
        try send(Client.request(method, path, fields, body: body))
        return try receive(hasBody: method != "HEAD")
    }

    static func request(
        _ method: String, _ path: String, _ fields: [String] = [], body: String? = nil
    ) -> String {
        var lines = ["\(method) \(path) HTTP/1.1"]
        if !fields.contains(where: { $0.lowercased().hasPrefix("host:") }) {
            lines.append("Host: localhost")
        }
        if let body {
            lines.append("Content-Length: \(body.utf8.count)")
            if !fields.contains(where: { $0.lowercased().hasPrefix("content-type:") }) {
                lines.append("Content-Type: application/json")
            }
        }
        return (lines + fields).joined(separator: "\r\n") + "\r\n\r\n" + (body ?? "")
    }
}
