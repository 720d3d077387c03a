import CLibC
import CProgramStart

/// A file that is to be executed, or loaded into what is: opened once, so that everything is said
/// of one file.
final class ProgramFile: PlacedBytes {
    private let descriptor: Int32
    private let status: stat

    /// Nil for a path that is not a regular file or cannot be read.
    init?(_ path: String) {
        let flags = O_RDONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK
        descriptor = unsafe open(path, flags)
        var status = stat()
        guard descriptor >= 0, unsafe fstat(descriptor, &status) == 0,
            status.st_mode & S_IFMT == S_IFREG
        else {
            if descriptor >= 0 { close(descriptor) }
            return nil
        }
        self.status = status
    }

    deinit { close(descriptor) }

    func bytes(at offset: UInt64, count: Int) -> [UInt8]? {
        guard count >= 0, offset <= UInt64(status.st_size),
            UInt64(status.st_size) - offset >= UInt64(count)
        else { return nil }
        var bytes = [UInt8](repeating: 0, count: count)
        var done = 0
        while done < count {
            let read = unsafe bytes.withUnsafeMutableBytes { part in
                unsafe pread(
                    descriptor, part.baseAddress.map { unsafe $0 + done }, count - done,
                    Int(offset) + done)
            }
            if read < 0, errno == EINTR { continue }
            guard read > 0 else { return nil }
            done += read
        }
        return bytes
    }

    /// The first line of a script behind `#!`; nil where the file is none. The kernel reads 256
    /// octets.
    var interpreterLine: String? {
        let head = bytes(at: 0, count: Int(min(256, status.st_size))) ?? []
        guard head.starts(with: "#!".utf8) else { return nil }
        return String(decoding: head.dropFirst(2).prefix { $0 != 10 && $0 != 0 }, as: UTF8.self)
    }

    /// Whether it runs as another user or with more rights than ours. The loader then loads no
    /// library for us.
    var elevation: String? {
        if status.st_mode & S_ISUID != 0, status.st_uid != getuid() { return "setuid" }
        let group: mode_t = S_ISGID | S_IXGRP
        if status.st_mode & group == group, status.st_gid != getgid() { return "setgid" }
        if getuid() != 0, hawser_start_has_capabilities(descriptor) == 1 {
            return "file capabilities"
        }
        return nil
    }

    /// The TLS library that the program has inside, by the texts in its file.
    var inside: String? {
        unsafe hawser_start_inside(descriptor, ProgramFile.mostSearched)
            .map { unsafe String(cString: $0) }
    }

    /// Octets that are searched for texts.
    private static let mostSearched = 1 << 30

    // MARK: Finding

    /// Whether a program was found, and whether it may be executed.
    enum Found: Hashable {
        case file(String)
        /// The file exists, and may not be executed.
        case notExecutable(String)
        case nothing
    }

    /// The file of a program as `execvp` finds it: by its path where the name has a slash, else in
    /// the folders of `PATH`.
    static func find(_ name: String, path: String?) -> Found {
        guard !name.utf8.contains(UInt8(ascii: "/")) else { return look(name) }
        guard !name.isEmpty else { return .nothing }
        var refused: String?
        // The default of execvp.
        let folders = (path ?? "/bin:/usr/bin")
            .split(separator: ":", omittingEmptySubsequences: false)
        for folder in folders {
            let file = folder.isEmpty ? "./\(name)" : "\(folder)/\(name)"
            switch look(file) {
            case .file: return .file(file)
            case .notExecutable: refused = refused ?? file
            case .nothing: continue
            }
        }
        return refused.map { .notExecutable($0) } ?? .nothing
    }

    private static func look(_ file: String) -> Found {
        var status = stat()
        guard unsafe stat(file, &status) == 0 else { return .nothing }
        guard status.st_mode & S_IFMT == S_IFREG, unsafe access(file, X_OK) == 0 else {
            return .notExecutable(file)
        }
        return .file(file)
    }

    /// The folder of this command's own file.
    static var ownFolder: String? {
        var buffer = [CChar](repeating: 0, count: Int(PATH_MAX) + 1)
        let length = unsafe readlink("/proc/self/exe", &buffer, Int(PATH_MAX))
        guard length > 0 else { return nil }
        let path = String(decoding: buffer[..<length].map { UInt8(bitPattern: $0) }, as: UTF8.self)
        return path.lastIndex(of: "/").map { String(path[..<$0]) }
    }

    /// A path from the root, which leads through the same links.
    static func absolute(_ path: String) -> String? {
        guard !path.hasPrefix("/") else { return path }
        guard let folder = unsafe getcwd(nil, 0) else { return nil }
        defer { unsafe free(folder) }
        return unsafe String(cString: folder) + "/" + path
    }

    // MARK: Starting

    /// Seals octets for this process and those that it becomes; nil with the system's reason.
    static func seal(_ bytes: [UInt8]) -> Int32? {
        let descriptor = unsafe bytes.withUnsafeBytes {
            unsafe hawser_start_seal($0.baseAddress, $0.count)
        }
        return descriptor < 0 ? nil : descriptor
    }

    /// Appends a line to the log, as the preloaded library does; false where there is none, or it
    /// cannot be written to.
    static func append(_ line: String, to log: String?) -> Bool {
        guard let log else { return false }
        let flags = O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC | O_NOCTTY
        let file = unsafe open(log, flags, 0o600)
        guard file >= 0 else { return false }
        defer { close(file) }
        let bytes = Array(line.utf8)
        return unsafe write(file, bytes, bytes.count) == bytes.count
    }

    /// The number of this process, which the program keeps.
    static var process: Int32 { getpid() }

    /// The machine that a program must be made for.
    static var machine: UInt16 { UInt16(truncatingIfNeeded: hawser_start_machine()) }

    /// Why a program that asks for a library cannot be reached.
    static func unreached(library: String) -> String? {
        unsafe hawser_start_unreached(library).map { unsafe String(cString: $0) }
    }

    /// Becomes a program. Returns only where the system refuses: its number and its words.
    static func become(
        _ file: String, _ arguments: [String], environment: [String: String]
    ) -> (number: Int32, words: String) {
        var words = unsafe arguments.map { unsafe strdup($0) } + [nil]
        var variables =
            unsafe environment.map { unsafe strdup("\($0.key)=\($0.value)") } + [nil]
        unsafe execve(file, &words, &variables)
        let number = errno
        unsafe words.forEach { unsafe free($0) }
        unsafe variables.forEach { unsafe free($0) }
        return (number, unsafe String(cString: strerror(number)))
    }
}
