import CLibC

/// A connected, non-blocking TCP socket, closed when it goes out of scope.
struct Socket: ~Copyable {
    /// The file descriptor.
    let descriptor: Int32
    /// The peer's numeric address.
    let address: String

    /// Connects to the first address of a host that answers before the deadline. A host may be a
    /// name.
    init(host: String, port: UInt16, deadline: Deadline) throws(ProbeError) {
        var hints = unsafe addrinfo()
        unsafe hints.ai_socktype = SOCK_STREAM
        unsafe hints.ai_flags = AI_NUMERICSERV
        var list: UnsafeMutablePointer<addrinfo>?
        let status = unsafe getaddrinfo(host, String(port), &hints, &list)
        guard status == 0, let first = unsafe list else {
            throw ProbeError(
                code: .addressUnknown,
                context: "`\(host)`: \(unsafe String(cString: gai_strerror(status)))")
        }
        defer { unsafe freeaddrinfo(first) }
        var last = ProbeError(code: .connectFailed, context: "`\(host)` has no address")
        var next: UnsafeMutablePointer<addrinfo>? = unsafe first
        while let candidate = unsafe next {
            do throws(ProbeError) {
                self.descriptor = try unsafe Socket.connect(candidate, deadline: deadline)
                self.address = unsafe Socket.numeric(candidate)
                return
            } catch {
                last = error
            }
            unsafe next = candidate.pointee.ai_next
        }
        throw last
    }

    deinit { close(descriptor) }

    private static func connect(
        _ candidate: UnsafeMutablePointer<addrinfo>, deadline: Deadline
    ) throws(ProbeError) -> Int32 {
        let descriptor = unsafe hwlibc_socket(
            candidate.pointee.ai_family, candidate.pointee.ai_socktype,
            candidate.pointee.ai_protocol, true)
        guard descriptor >= 0 else { throw systemError("socket") }
        var failure: ProbeError?
        if unsafe CLibC.connect(descriptor, candidate.pointee.ai_addr, candidate.pointee.ai_addrlen)
            != 0
        {
            if errno == EINPROGRESS {
                do throws(ProbeError) {
                    try wait(descriptor, for: Int16(POLLOUT), deadline: deadline)
                    var status: Int32 = 0
                    var size = socklen_t(MemoryLayout<Int32>.size)
                    _ = unsafe getsockopt(descriptor, SOL_SOCKET, SO_ERROR, &status, &size)
                    if status != 0 {
                        errno = status
                        failure = systemError("connect")
                    }
                } catch {
                    failure = error
                }
            } else {
                failure = systemError("connect")
            }
        }
        if let failure {
            close(descriptor)
            throw failure
        }
        return descriptor
    }

    /// Waits until a descriptor is ready. Throws when the deadline passes first.
    static func wait(
        _ descriptor: Int32, for events: Int16, deadline: Deadline
    ) throws(ProbeError) {
        while true {
            let left = deadline.millisecondsLeft
            guard left > 0 else {
                throw ProbeError(
                    code: .timedOut, context: "no answer within \(deadline.seconds) seconds")
            }
            var wanted = pollfd(fd: descriptor, events: events, revents: 0)
            let count = unsafe poll(&wanted, 1, Int32(clamping: left))
            if count > 0 { return }
            if count < 0, errno != EINTR { throw systemError("poll") }
        }
    }

    /// The octets that were received and not read yet, at most `most`; those that come until the
    /// deadline where there are none yet.
    borrowing func waiting(most: Int, deadline: Deadline) -> [UInt8] {
        try? Socket.wait(descriptor, for: Int16(POLLIN), deadline: deadline)
        var part = [UInt8](repeating: 0, count: most)
        let count = unsafe part.withUnsafeMutableBytes { buffer in
            unsafe recv(descriptor, buffer.baseAddress, buffer.count, Int32(MSG_DONTWAIT))
        }
        return Array(part.prefix(max(0, count)))
    }

    private static func numeric(_ candidate: UnsafeMutablePointer<addrinfo>) -> String {
        var text = [CChar](repeating: 0, count: Int(NI_MAXHOST))
        let status = unsafe getnameinfo(
            candidate.pointee.ai_addr, candidate.pointee.ai_addrlen, &text, socklen_t(text.count),
            nil, 0,
            NI_NUMERICHOST)
        guard status == 0 else { return "" }
        return String(
            decoding: text.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }

    private static func systemError(_ call: String) -> ProbeError {
        ProbeError(
            code: .connectFailed, context: "\(call): \(unsafe String(cString: strerror(errno)))")
    }
}

/// An instant of the monotonic clock, which bounds a whole probe.
struct Deadline {
    /// The allowed time in seconds, for messages.
    let seconds: Int
    private let end: ContinuousClock.Instant

    init(seconds: Int) {
        self.seconds = seconds
        self.end = ContinuousClock.now.advanced(by: .seconds(seconds))
    }

    /// Milliseconds until the deadline, at least 0.
    var millisecondsLeft: Int {
        let left = ContinuousClock.now.duration(to: end)
        let (seconds, attoseconds) = left.components
        return max(0, Int(seconds) * 1_000 + Int(attoseconds / 1_000_000_000_000_000))
    }
}
