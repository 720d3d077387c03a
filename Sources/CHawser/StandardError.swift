import CLibC

/// The standard error of the host program, for lines of stores without a log.
enum StandardError {
    /// Writes a line, cut to the length that one write takes. The line is dropped where writing
    /// would block the thread, which may be judging a handshake, and where the reader is gone,
    /// which would raise SIGPIPE.
    static func write(_ line: String) {
        var entry = pollfd(fd: STDERR_FILENO, events: Int16(POLLOUT), revents: 0)
        guard unsafe poll(&entry, 1, 0) == 1, entry.revents == Int16(POLLOUT) else { return }
        // A pipe that can be written to takes as many octets as this at once (POSIX: `PIPE_BUF`).
        let most = max(512, fpathconf(STDERR_FILENO, Int32(_PC_PIPE_BUF)))
        let octets = Array(line.utf8.prefix(most - 1)) + [UInt8(ascii: "\n")]
        unsafe octets.withUnsafeBytes { octets in
            _ = unsafe CLibC.write(STDERR_FILENO, octets.baseAddress, octets.count)
        }
    }
}
