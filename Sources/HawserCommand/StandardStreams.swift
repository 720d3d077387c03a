import Glibc
import Hawser
import TrustEngine

/// Everything the command asks of the operating system besides reading files and connecting: the
/// standard streams, the environment, the clock, and writing one file. The only file of the command
/// that may say `unsafe`.
enum StandardStreams {
    /// A stream that is written to.
    enum Stream: Int32 {
        case output = 1
        case error = 2
    }

    /// Writes all of a text; false when the system refuses.
    @discardableResult
    static func write(_ text: String, to stream: Stream) -> Bool {
        OpenFiles.write(Array(text.utf8)[...], to: stream.rawValue)
    }

    /// Writes all of some bytes; false when the system refuses.
    static func write(bytes: [UInt8], to stream: Stream) -> Bool {
        OpenFiles.write(bytes[...], to: stream.rawValue)
    }

    /// Standard input to its end; nil when it cannot be read or holds more than `limit` octets.
    static func readInput(limit: Int) -> [UInt8]? {
        var bytes: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 65_536)
        while true {
            let count = unsafe buffer.withUnsafeMutableBytes { part in
                unsafe read(0, part.baseAddress, part.count)
            }
            if count < 0, errno == EINTR { continue }
            guard count >= 0, bytes.count + count <= limit else { return nil }
            if count == 0 { return bytes }
            bytes += buffer[..<count]
        }
    }

    /// Whether a stream is a terminal.
    static func isTerminal(_ stream: Stream) -> Bool { isatty(stream.rawValue) == 1 }

    /// A variable of the environment; nil when it is not set.
    static func environment(_ name: String) -> String? {
        guard let value = unsafe getenv(name) else { return nil }
        return unsafe String(cString: value)
    }

    /// The present time; the command's only look at a clock.
    static func now() -> UTCInstant { UTCInstant(secondsSinceEpoch: Int64(time(nil))) }

    /// Ends the process.
    static func finish(_ status: ExitStatus) -> Never { exit(status.rawValue) }
}

/// Files that the command writes. One that is replaced is so in one step: whoever reads it meets the old
/// bytes or the new ones, never a part.
enum OutputFile {
    /// Why a file was not written.
    struct Problem: Error {
        /// Lower case, no full stop.
        let context: String
    }

    /// Writes to a new file beside `path`, forces it to disk and renames it.
    static func replace(_ path: String, with bytes: [UInt8]) throws(Problem) {
        let temporary = "\(path).\(getpid()).new"
        let descriptor = unsafe open(temporary, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o644)
        guard descriptor >= 0 else { throw problem(path) }
        // Who may read the old file may read the new one, and nobody else.
        var old = stat()
        if unsafe lstat(path, &old) == 0, old.st_mode & S_IFMT == S_IFREG {
            fchmod(descriptor, old.st_mode & 0o777)
        }
        try fill(descriptor, of: temporary, with: bytes, for: path)
        guard unsafe rename(temporary, path) == 0 else {
            let problem = problem(path)
            unsafe unlink(temporary)
            throw problem
        }
    }

    /// Writes a new file to its end, forces it to disk and closes it; a file that cannot be is removed.
    /// `path` is what the problem names.
    private static func fill(
        _ descriptor: Int32, of file: String, with bytes: [UInt8], for path: String
    ) throws(Problem) {
        let isWritten = OpenFiles.write(bytes[...], to: descriptor) && fsync(descriptor) == 0
        let failure = isWritten ? nil : problem(path)
        guard close(descriptor) == 0, isWritten else {
            let problem = failure ?? problem(path)
            unsafe unlink(file)
            throw problem
        }
    }

    /// Writes a file that does not exist; what stands there already, a link that leads nowhere included,
    /// stays as it is. Nothing is left of a file that cannot be written to its end.
    static func create(_ path: String, with bytes: [UInt8]) throws(Problem) {
        let descriptor = unsafe open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o644)
        guard descriptor >= 0 else { throw problem(path) }
        try fill(descriptor, of: path, with: bytes, for: path)
    }

    /// Removes a file or an empty folder, as far as the system lets.
    static func remove(_ path: String) { _ = unsafe Glibc.remove(path) }

    /// Makes a folder, unless one stands there; whether it was made.
    @discardableResult
    static func makeFolder(_ path: String) throws(Problem) -> Bool {
        guard unsafe mkdir(path, 0o755) != 0 else { return true }
        guard errno == EEXIST else { throw problem(path) }
        return false
    }

    private static func problem(_ path: String) -> Problem {
        let reason = unsafe String(cString: strerror(errno))
        return Problem(context: "`\(path)` cannot be written: \(reason)")
    }
}
