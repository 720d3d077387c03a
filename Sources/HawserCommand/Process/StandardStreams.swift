import CLibC
import CProgramStart
import Hawser
import TLSProbe
import TrustEngine

/// The operating system, as far as the command uses it beyond reading files and connecting:
/// standard streams, the environment, the clock, and writing files. The only file of the command
/// that may use `unsafe`.
enum StandardStreams {
    /// A stream that the command writes to.
    enum Stream: Int32 {
        case output = 1
        case error = 2
    }

    /// Writes the whole text; false if the system refuses.
    @discardableResult
    static func write(_ text: String, to stream: Stream) -> Bool {
        write(bytes: Array(text.utf8), to: stream)
    }

    /// Writes all bytes; false if the system refuses.
    static func write(bytes: [UInt8], to stream: Stream) -> Bool {
        if stream == .output, !bytes.isEmpty { unsafe isOutputWritten = true }
        return OpenFiles.write(bytes[...], to: stream.rawValue)
    }

    /// Whether anything was written to standard output. The command has one thread.
    static var hasWrittenOutput: Bool { unsafe isOutputWritten }

    nonisolated(unsafe) private static var isOutputWritten = false

    /// All of standard input; nil if it cannot be read or has more than `limit` octets.
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

    /// What `exchange` has moved.
    struct Exchange {
        var input: [UInt8] = []
        var isInputAtEnd = false
        /// Octets of the output; nil if nobody reads it any more.
        var written: Int? = 0
    }

    /// The octets that standard output takes without blocking, if it is a pipe that can be written
    /// (POSIX: `PIPE_BUF`, at least 512).
    private static let pipeRoom = max(512, fpathconf(1, Int32(_PC_PIPE_BUF)))

    /// Reads what stands in standard input and writes what standard output takes, both without
    /// blocking.
    ///
    /// - Parameters:
    ///   - waits: whether to wait until one of them is possible.
    ///   - reads: whether to read.
    static func exchange(
        _ output: ArraySlice<UInt8>, waits: Bool, reads: Bool = true
    ) -> Exchange {
        var polled = [
            pollfd(fd: reads ? 0 : -1, events: Int16(POLLIN), revents: 0),
            pollfd(fd: output.isEmpty ? -1 : 1, events: Int16(POLLOUT), revents: 0),
        ]
        var moved = Exchange()
        guard unsafe poll(&polled, 2, waits ? -1 : 0) > 0 else { return moved }
        if polled[0].revents != 0 {
            var buffer = [UInt8](repeating: 0, count: 65_536)
            let count = unsafe buffer.withUnsafeMutableBytes { part in
                unsafe read(0, part.baseAddress, part.count)
            }
            if count > 0 {
                moved.input = Array(buffer[..<count])
            } else if count == 0 || errno != EINTR && errno != EAGAIN {
                moved.isInputAtEnd = true
            }
        }
        if polled[1].revents != 0 {
            let part = output.prefix(pipeRoom)
            // The reader may have ended. The caller decides what follows.
            let isWritten = BrokenPipe.withoutSignal { OpenFiles.write(part, to: 1) }
            moved.written = isWritten ? part.count : nil
        }
        return moved
    }

    /// Opens what stands for nothing in place of a standard stream that is closed. Otherwise the
    /// next file that is opened would have its number, and be read or written in its place.
    static func openMissing() {
        for descriptor in Int32(0)...2 where fcntl(descriptor, F_GETFD) == -1 {
            _ = unsafe open("/dev/null", O_RDWR)
        }
    }

    /// Whether a stream is a terminal.
    static func isTerminal(_ stream: Stream) -> Bool { isatty(stream.rawValue) == 1 }

    /// Whether standard output and standard error lead to the same place, as in the log of a hook.
    static var haveOneReader: Bool {
        var (output, error) = (stat(), stat())
        guard unsafe fstat(Stream.output.rawValue, &output) == 0,
            unsafe fstat(Stream.error.rawValue, &error) == 0
        else { return false }
        return output.st_dev == error.st_dev && output.st_ino == error.st_ino
    }

    /// Whether standard input is a terminal.
    static var isInputTerminal: Bool { isatty(0) == 1 }

    /// The size of the terminal behind a stream, as the terminal says; nil where it is none, or
    /// does not know.
    static func windowSize(_ stream: Stream) -> (columns: Int, rows: Int)? {
        var size = winsize()
        guard unsafe hwlibc_window_size(stream.rawValue, &size) == 0, size.ws_col > 0,
            size.ws_row > 0
        else { return nil }
        return (Int(size.ws_col), Int(size.ws_row))
    }

    /// The words of the command line, the program's own name first. They do not come from `/proc`,
    /// which may not be mounted. Empty only where the system started the program without any word.
    static var arguments: [String] {
        (0..<hawser_start_argument_count()).compactMap { index in
            unsafe hawser_start_argument(index).map { unsafe String(cString: $0) }
        }
    }

    /// A variable of the environment; nil when it is not set.
    static func environment(_ name: String) -> String? {
        guard let value = unsafe getenv(name) else { return nil }
        return unsafe String(cString: value)
    }

    /// The present time. The command reads the clock only here.
    static func now() -> UTCInstant { UTCInstant(secondsSinceEpoch: Int64(time(nil))) }

    /// The processors that are online; at least one.
    static var processors: Int { max(1, sysconf(Int32(_SC_NPROCESSORS_ONLN))) }

    /// Ends the process.
    static func finish(_ status: ExitStatus) -> Never { exit(status.rawValue) }
}

/// Writes files. A file that exists is replaced in one step: a reader gets the old bytes or the new
/// bytes, never a part of them.
enum OutputFile {
    /// Why a file was not written.
    struct Problem: Error {
        /// Lower case, no full stop.
        let context: String
    }

    /// `replace`, for a command: a file that cannot be written is the failure of its question.
    static func write(_ bytes: [UInt8], to path: String) throws(CommandFailure) {
        do throws(Problem) {
            try replace(path, with: bytes)
        } catch {
            throw .couldNotAsk(error.context)
        }
    }

    /// Writes to a new file beside `path`, flushes it to disk and renames it. A path that is not a
    /// regular file, such as a FIFO or `/dev/stdout`, is written into; a link is followed.
    ///
    /// - Parameter onlyFiles: whether everything else than a regular file is refused.
    static func replace(
        _ path: String, with bytes: [UInt8], onlyFiles: Bool = false
    ) throws(Problem) {
        var there = stat()
        if unsafe lstat(path, &there) == 0, there.st_mode & S_IFMT != S_IFREG {
            guard !onlyFiles else {
                throw Problem(context: "`\(path)` is not a regular file, and is not replaced")
            }
            guard there.st_mode & S_IFMT == S_IFLNK, unsafe stat(path, &there) == 0,
                there.st_mode & S_IFMT == S_IFREG, let target = try? NamedPath.resolve(path)
            else { return try writeInto(path, bytes) }
            return try replace(target, with: bytes)
        }
        let temporary = "\(path).\(getpid()).new"
        let descriptor = unsafe open(temporary, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o644)
        guard descriptor >= 0 else { throw problem(path) }
        // The new file gets the permissions of an old regular file.
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

    /// Writes into what exists under a name.
    private static func writeInto(_ path: String, _ bytes: [UInt8]) throws(Problem) {
        let descriptor = unsafe open(path, O_WRONLY | O_CLOEXEC)
        guard descriptor >= 0 else { throw problem(path) }
        let failure = OpenFiles.write(bytes[...], to: descriptor) ? nil : problem(path)
        guard close(descriptor) == 0, failure == nil else { throw failure ?? problem(path) }
    }

    /// Writes a new file, flushes it to disk and closes it. The file is removed if that fails.
    /// `path` is the name for the problem.
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

    /// Writes a file that does not exist yet. Anything that exists under the name stays as it is,
    /// even a broken link. If writing fails, no file is left.
    static func create(_ path: String, with bytes: [UInt8]) throws(Problem) {
        let descriptor = unsafe open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o644)
        guard descriptor >= 0 else { throw problem(path) }
        try fill(descriptor, of: path, with: bytes, for: path)
    }

    /// What stands under a name, without following a link.
    enum Kind: Hashable {
        case nothing, file, folder, link, other
    }

    /// The kind of what stands under a path whose last name may be a link.
    static func kind(_ path: String) -> Kind {
        var there = stat()
        guard unsafe lstat(path, &there) == 0 else { return .nothing }
        switch there.st_mode & S_IFMT {
        case S_IFREG: return .file
        case S_IFDIR: return .folder
        case S_IFLNK: return .link
        default: return .other
        }
    }

    /// Removes a file or an empty folder, if the system allows it.
    static func remove(_ path: String) { _ = unsafe CLibC.remove(path) }

    /// Makes a folder, unless it exists. Returns whether it was made.
    @discardableResult
    static func makeFolder(_ path: String) throws(Problem) -> Bool {
        guard unsafe mkdir(path, 0o755) != 0 else { return true }
        guard errno == EEXIST else { throw problem(path) }
        return false
    }

    /// Makes a new folder beside a path, to be filled before it gets that name.
    static func makeFolder(beside path: String) throws(Problem) -> String {
        let temporary = "\(path).\(getpid()).new"
        guard unsafe mkdir(temporary, 0o755) == 0 else { throw problem(temporary) }
        return temporary
    }

    /// Makes a new folder beside a path, which only this user can enter.
    static func makePrivateFolder(beside path: String) throws(Problem) -> String {
        for number in 0..<100 {
            let name = "\(path).\(getpid())" + (number == 0 ? "" : ".\(number)")
            if unsafe mkdir(name, 0o700) == 0 { return name }
            guard errno == EEXIST else { throw problem(name) }
        }
        throw problem(path)
    }

    /// Gives a folder another name, in one step. A folder that has the new name already and is not
    /// empty stays as it is.
    static func renameFolder(_ path: String, to name: String) throws(Problem) {
        guard unsafe rename(path, name) == 0 else { throw problem(name) }
    }

    private static func problem(_ path: String) -> Problem {
        let reason = unsafe String(cString: strerror(errno))
        return Problem(context: "`\(path)` cannot be written: \(reason)")
    }
}
