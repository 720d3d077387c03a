import CLibC

/// Why a program gave no answer.
enum ChildProblem: Error, Hashable, Sendable {
    /// The system does not start it; the reason in the system's words.
    case notStarted(String)
    /// It did not answer in time, and was ended.
    case timeLimit
    /// It wrote more than the caller takes, and was ended.
    case tooMuch
    /// It ended before its answer was whole.
    case ended
}

/// A program that runs beside the command, without a shell. The command writes to its standard
/// input and reads its answers. Neither waits for the other, because the system calls do not block.
/// The program has no terminal and is the first of a group, so that its children end with it.
///
/// Whoever starts a child ends it: `end()`, `finish(_:)`.
struct ChildProcess: Sendable {
    private let pid: pid_t
    /// Whether the system still keeps the child for us.
    private var isKept = true
    /// A socket, whose writes raise no signal when the child is gone. -1 once it is closed.
    private var input: Int32
    private var output: Int32
    private var error: Int32
    /// What was read of standard output and not taken yet.
    private var pending: [UInt8] = []
    /// The beginning of what the child wrote to standard error.
    private(set) var complaint: [UInt8] = []

    /// Octets of standard error that are kept. All others are read and dropped.
    private static let largestComplaint = 8_192
    private static let part = 1 << 16

    // MARK: Starting

    /// The file of a program, by the folders of a `PATH`. A folder that is not absolute is left
    /// out: the program would be taken from the tree that is looked at.
    static func executable(_ name: String, path: String) -> String? {
        for folder in path.split(separator: ":") where folder.hasPrefix("/") {
            let file = "\(folder)/\(name)"
            var status = stat()
            if unsafe stat(file, &status) == 0, status.st_mode & S_IFMT == S_IFREG,
                unsafe access(file, X_OK) == 0
            {
                return file
            }
        }
        return nil
    }

    /// All variables of this process.
    static var environment: [String: String] {
        var variables: [String: String] = [:]
        var next = unsafe hwlibc_environment()
        while let variable = unsafe next.pointee {
            let text = unsafe String(cString: variable)
            if let equals = text.firstIndex(of: "=") {
                variables[String(text[..<equals])] = String(text[text.index(after: equals)...])
            }
            unsafe next += 1
        }
        return variables
    }

    /// Starts a program.
    ///
    /// - Parameters:
    ///   - executable: its file.
    ///   - arguments: without its own name.
    ///   - environment: all its variables.
    static func start(
        _ executable: String, _ arguments: [String], environment: [String: String]
    ) throws(ChildProblem) -> ChildProcess {
        // If it is ignored, the system forgets how a child ended.
        _ = signal(SIGCHLD, SIG_DFL)
        var ours: [Int32] = []
        var theirs: [Int32] = []
        defer { for end in theirs { CLibC.close(end) } }
        do throws(ChildProblem) {
            for _ in 0..<3 {
                // Not pipes: sockets are closed in other children from the start.
                var pair: [Int32] = [-1, -1]
                guard unsafe hwlibc_socket_pair(&pair, false) == 0 else {
                    throw .notStarted(unsafe String(cString: strerror(errno)))
                }
                ours.append(pair[0])
                theirs.append(pair[1])
                guard fcntl(pair[0], F_SETFL, fcntl(pair[0], F_GETFL) | O_NONBLOCK) == 0 else {
                    throw .notStarted(unsafe String(cString: strerror(errno)))
                }
            }
            let pid = try spawn(
                executable, [executable] + arguments,
                environment.map { "\($0.key)=\($0.value)" }.sorted(), streams: theirs)
            return ChildProcess(pid: pid, input: ours[0], output: ours[1], error: ours[2])
        } catch {
            for end in ours { CLibC.close(end) }
            throw error
        }
    }

    private init(pid: pid_t, input: Int32, output: Int32, error: Int32) {
        self.pid = pid
        self.input = input
        self.output = output
        self.error = error
    }

    private static func spawn(
        _ executable: String, _ arguments: [String], _ environment: [String], streams: [Int32]
    ) throws(ChildProblem) -> pid_t {
        var words = unsafe arguments.map { unsafe strdup($0) } + [nil]
        var variables = unsafe environment.map { unsafe strdup($0) } + [nil]
        defer {
            unsafe words.forEach { unsafe free($0) }
            unsafe variables.forEach { unsafe free($0) }
        }
        var pid: pid_t = 0
        let result = unsafe hwlibc_spawn(&pid, executable, streams, &words, &variables)
        guard result == 0 else { throw .notStarted(unsafe String(cString: strerror(result))) }
        return pid
    }

    // MARK: Asking

    /// Writes to standard input while reading the answer, until the child has written everything
    /// and ended.
    ///
    /// - Parameter limit: the most octets of standard output.
    /// - Returns: standard output and the exit status; a signal is 128 and its number.
    mutating func finish(
        _ sent: [UInt8], limit: Int, until end: ContinuousClock.Instant
    ) throws(ChildProblem) -> (output: [UInt8], status: Int32) {
        var rest = sent[...]
        do throws(ChildProblem) {
            if rest.isEmpty { closeInput() }
            while output >= 0 || error >= 0 {
                try step(&rest, until: end)
                if rest.isEmpty { closeInput() }
                guard pending.count <= limit else { throw .tooMuch }
            }
            let status = try wait(until: end)
            isKept = false
            close()
            return (pending, status)
        } catch {
            self.end()
            throw error
        }
    }

    /// Writes a line and reads the line that answers it, without the line feed at its end.
    mutating func answer(
        to line: String, limit: Int, until end: ContinuousClock.Instant
    ) throws(ChildProblem) -> [UInt8] {
        var rest = Array(line.utf8)[...]
        while true {
            if rest.isEmpty, let feed = pending.firstIndex(of: 0x0A) {
                let answer = Array(pending[..<feed])
                pending.removeFirst(feed + 1)
                return answer
            }
            guard pending.count <= limit else { throw .tooMuch }
            guard output >= 0 else { throw .ended }
            try step(&rest, until: end)
        }
    }

    /// Reads so many octets.
    mutating func octets(
        _ count: Int, until end: ContinuousClock.Instant
    ) throws(ChildProblem) -> [UInt8] {
        var none: ArraySlice<UInt8> = []
        while pending.count < count {
            guard output >= 0 else { throw .ended }
            try step(&none, until: end)
        }
        let octets = Array(pending[..<count])
        pending.removeFirst(count)
        return octets
    }

    /// Ends the child and its own children. Does nothing the second time.
    mutating func end() {
        guard isKept else { return }
        isKept = false
        close()
        kill(-pid, SIGKILL)
        kill(pid, SIGKILL)
        var status: Int32 = 0
        while unsafe waitpid(pid, &status, 0) == -1, errno == EINTR {}
    }

    // MARK: Streams

    /// Waits until a stream is ready, then writes and reads what goes at once.
    private mutating func step(
        _ rest: inout ArraySlice<UInt8>, until end: ContinuousClock.Instant
    ) throws(ChildProblem) {
        let left = ContinuousClock.now.duration(to: end) / Duration.milliseconds(1)
        guard left > 0 else { throw .timeLimit }
        // A negative descriptor is not looked at.
        var wanted = [
            pollfd(fd: rest.isEmpty ? -1 : input, events: Int16(POLLOUT), revents: 0),
            pollfd(fd: output, events: Int16(POLLIN), revents: 0),
            pollfd(fd: error, events: Int16(POLLIN), revents: 0),
        ]
        let count = unsafe poll(&wanted, 3, Int32(clamping: Int64(left) + 1))
        guard count != 0 else { throw .timeLimit }
        guard count > 0 else { return }
        if wanted[0].revents != 0 { send(&rest) }
        if wanted[1].revents != 0, let octets = ChildProcess.read(&output) { pending += octets }
        if wanted[2].revents != 0, let octets = ChildProcess.read(&error) {
            complaint += octets.prefix(ChildProcess.largestComplaint - complaint.count)
        }
    }

    /// Writes what the socket takes. A child that reads no more is left to say why.
    private func send(_ rest: inout ArraySlice<UInt8>) {
        let count = unsafe rest.withUnsafeBytes { buffer in
            unsafe hwlibc_send(input, buffer.baseAddress, min(buffer.count, ChildProcess.part))
        }
        if count > 0 {
            rest = rest.dropFirst(count)
        } else if errno != EINTR, errno != EAGAIN {
            rest = []
        }
    }

    /// Reads what there is; nil for none yet. The stream is closed at its end.
    private static func read(_ stream: inout Int32) -> ArraySlice<UInt8>? {
        var buffer = [UInt8](repeating: 0, count: part)
        let count = unsafe buffer.withUnsafeMutableBytes { part in
            unsafe CLibC.read(stream, part.baseAddress, part.count)
        }
        if count < 0, errno == EINTR || errno == EAGAIN { return nil }
        guard count > 0 else {
            CLibC.close(stream)
            stream = -1
            return nil
        }
        return buffer[..<count]
    }

    private mutating func closeInput() {
        guard input >= 0 else { return }
        CLibC.close(input)
        input = -1
    }

    private mutating func close() {
        closeInput()
        if output >= 0 { CLibC.close(output) }
        if error >= 0 { CLibC.close(error) }
        (output, error) = (-1, -1)
    }

    /// Waits for a child that has closed its streams.
    private func wait(until end: ContinuousClock.Instant) throws(ChildProblem) -> Int32 {
        while true {
            var status: Int32 = 0
            let found = unsafe waitpid(pid, &status, WNOHANG)
            if found == pid {
                let signal = status & 0x7F
                return signal == 0 ? (status >> 8) & 0xFF : 128 + signal
            }
            if found == -1, errno != EINTR { throw .ended }
            guard ContinuousClock.now < end else { throw .timeLimit }
            _ = poll(nil, 0, 1)
        }
    }
}
