import CLibC

/// The clear text on a connection before TLS begins. A server may send anything, so lines, messages
/// and the whole text are bounded.
struct ClearText: ~Copyable {
    private let descriptor: Int32
    private let deadline: Deadline
    /// Octets that were received and not yet taken.
    private var received: [UInt8] = []
    /// Octets that were received in all.
    private var total = 0

    /// The most octets that are read before TLS begins: some hundred times what servers send.
    static let limit = 1 << 16

    /// The most octets of one line. RFC 9051 section 7.1 sets no limit for IMAP; RFC 5321 section
    /// 4.5.3.1.5 has 512 for SMTP.
    static let longestLine = 8_192

    /// The most octets of a server's answer that an error quotes.
    private static let quoted = 200

    /// Begins on a connected socket, which must stay open as long as this value is used.
    init(descriptor: Int32, deadline: Deadline) {
        self.descriptor = descriptor
        self.deadline = deadline
    }

    /// Sends octets. All octets from the server must have been read before: octets that arrive
    /// before the question are not an answer to it.
    mutating func send(_ octets: [UInt8]) throws(ProbeError) {
        try refuseSurplus("before it was asked")
        var rest = octets[...]
        while !rest.isEmpty {
            let count = unsafe rest.withUnsafeBytes { buffer in
                unsafe hwlibc_send(descriptor, buffer.baseAddress, buffer.count)
            }
            if count > 0 {
                rest = rest.dropFirst(count)
            } else if errno == EAGAIN {
                try Socket.wait(descriptor, for: Int16(POLLOUT), deadline: deadline)
            } else if errno != EINTR {
                throw ClearText.closed()
            }
        }
    }

    /// Sends a line, which ends with CR LF.
    mutating func send(line: String) throws(ProbeError) { try send(Array((line + "\r\n").utf8)) }

    /// The next line without its CR LF.
    mutating func line() throws(ProbeError) -> [UInt8] {
        while true {
            if let end = received.firstIndex(of: 0x0A) {
                guard end > 0, received[end - 1] == 0x0D else {
                    throw ClearText.broken("a line that does not end with CR LF")
                }
                let line = Array(received[..<(end - 1)])
                received.removeFirst(end + 1)
                return line
            }
            guard received.count < ClearText.longestLine else {
                throw ClearText.broken("a line of more than \(ClearText.longestLine) octets")
            }
            try receive()
        }
    }

    /// Takes the lines that were received already, which a protocol must allow at any time.
    mutating func skipLines(where isAllowed: ([UInt8]) -> Bool) throws(ProbeError) {
        while !received.isEmpty {
            guard isAllowed(try line()) else { throw ClearText.broken("more before it was asked") }
        }
    }

    /// The next octets.
    mutating func octets(_ count: Int) throws(ProbeError) -> [UInt8] {
        while received.count < count { try receive() }
        let octets = Array(received[..<count])
        received.removeFirst(count)
        return octets
    }

    /// Ends the clear text; the next octets of both sides belong to TLS. The client sends first in
    /// TLS, so a server that agrees has nothing more to say. Further octets could be taken for text
    /// under TLS (CVE-2011-0411, CVE-2021-23222), so the connection is refused.
    mutating func end() throws(ProbeError) {
        var octet: UInt8 = 0
        let count = unsafe recv(
            descriptor, &octet, 1, Int32(MSG_PEEK) | Int32(MSG_DONTWAIT))
        if count > 0 { received.append(octet) }
        try refuseSurplus("in clear text after it agreed to begin TLS")
    }

    private func refuseSurplus(_ moment: String) throws(ProbeError) {
        guard received.isEmpty else { throw ClearText.broken("more \(moment)") }
    }

    private mutating func receive() throws(ProbeError) {
        guard total < ClearText.limit else {
            throw ClearText.broken("more than \(ClearText.limit) octets before TLS")
        }
        var part = [UInt8](repeating: 0, count: 1_024)
        while true {
            let count = unsafe part.withUnsafeMutableBytes { buffer in
                unsafe recv(descriptor, buffer.baseAddress, buffer.count, 0)
            }
            if count > 0 {
                total += count
                received += part[..<count]
                return
            }
            guard count < 0 else { throw ClearText.closed() }
            if errno == EAGAIN {
                try Socket.wait(descriptor, for: Int16(POLLIN), deadline: deadline)
            } else if errno != EINTR {
                throw ClearText.closed()
            }
        }
    }

    // MARK: Failures

    /// The server says that it does not begin TLS.
    static func refused(_ reason: String, _ answer: [UInt8] = []) -> ProbeError {
        ProbeError(
            code: .startTLSRefused, context: reason + (answer.isEmpty ? "" : ": \(quote(answer))"))
    }

    /// The server sent what the protocol does not allow there.
    static func broken(_ found: String) -> ProbeError {
        ProbeError(code: .startTLSBroken, context: "the server sent \(found)")
    }

    /// The answer in an error; not escaped.
    static func quote(_ answer: [UInt8]) -> String {
        // A backtick of the server's own would end the quotation.
        let text = String(decoding: answer.prefix(quoted), as: UTF8.self)
            .replacing("`", with: "\\u{60}")
        return "`\(text)`" + (answer.count > quoted ? " and more" : "")
    }

    private static func closed() -> ProbeError {
        ProbeError(
            code: .startTLSBroken, context: "the server closed the connection before TLS began")
    }
}
