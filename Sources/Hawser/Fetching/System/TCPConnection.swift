import Glibc
import TrustEngine

/// A TCP connection to one address. Each step has a deadline. The connection is closed when it goes
/// out of scope.
struct TCPConnection: ~Copyable {
    private let descriptor: Int32

    /// Connects to this address and no other. No name is looked up again.
    init(to address: IPAddress, port: UInt16, by deadline: Deadline) throws(FetchFailure) {
        let descriptor = socket(
            address.isIPv4 ? AF_INET : AF_INET6,
            Int32(SOCK_STREAM.rawValue) | Int32(SOCK_NONBLOCK.rawValue)
                | Int32(SOCK_CLOEXEC.rawValue), 0)
        guard descriptor >= 0 else { throw TCPConnection.failure(errno) }
        do throws(FetchFailure) {
            try TCPConnection.connect(descriptor, to: address, port: port, by: deadline)
        } catch {
            close(descriptor)
            throw error
        }
        self.descriptor = descriptor
    }

    deinit { close(descriptor) }

    private static func connect(
        _ descriptor: Int32, to address: IPAddress, port: UInt16, by deadline: Deadline
    ) throws(FetchFailure) {
        let status = unsafe SocketAddress.with(address, port: port) { place, size in
            unsafe Glibc.connect(descriptor, place, size)
        }
        guard status != 0 else { return }
        guard errno == EINPROGRESS else { throw failure(errno) }
        try wait(descriptor, for: Int16(POLLOUT), by: deadline)
        var error: Int32 = 0
        var size = socklen_t(MemoryLayout<Int32>.size)
        unsafe getsockopt(descriptor, SOL_SOCKET, SO_ERROR, &error, &size)
        guard error == 0 else { throw failure(error) }
    }

    /// Sends all octets.
    func send(_ octets: [UInt8], by deadline: Deadline) throws(FetchFailure) {
        var sent = 0
        while sent < octets.count {
            // A peer that has closed is an error of this call and never a signal to the process.
            let count = unsafe octets.withUnsafeBytes { buffer in
                unsafe Glibc.send(
                    descriptor, buffer.baseAddress?.advanced(by: sent), octets.count - sent,
                    Int32(MSG_NOSIGNAL))
            }
            if count > 0 {
                sent += count
            } else if errno == EAGAIN || errno == EWOULDBLOCK {
                try TCPConnection.wait(descriptor, for: Int16(POLLOUT), by: deadline)
            } else if errno != EINTR {
                throw .cutShort
            }
        }
    }

    /// Receives the octets that are there, at least one. Returns 0 when the peer has closed.
    func receive(into buffer: inout [UInt8], by deadline: Deadline) throws(FetchFailure) -> Int {
        while true {
            // The deadline is checked even when octets are waiting, so that a peer that sends
            // slowly cannot exceed it.
            guard deadline.millisecondsLeft > 0 else { throw .timedOut }
            let count = unsafe buffer.withUnsafeMutableBytes { room in
                unsafe recv(descriptor, room.baseAddress, room.count, 0)
            }
            if count >= 0 { return count }
            if errno == EAGAIN || errno == EWOULDBLOCK {
                try TCPConnection.wait(descriptor, for: Int16(POLLIN), by: deadline)
            } else if errno != EINTR {
                throw .cutShort
            }
        }
    }

    private static func wait(
        _ descriptor: Int32, for events: Int16, by deadline: Deadline
    ) throws(FetchFailure) {
        while true {
            let left = deadline.millisecondsLeft
            guard left > 0 else { throw .timedOut }
            var entry = pollfd(fd: descriptor, events: events, revents: 0)
            let count = unsafe poll(&entry, 1, Int32(clamping: left))
            if count > 0 { return }
            if count < 0, errno != EINTR { throw failure(errno) }
        }
    }

    private static func failure(_ number: Int32) -> FetchFailure {
        .connectFailed(unsafe String(cString: strerror(number)))
    }
}
