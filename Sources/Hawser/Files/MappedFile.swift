// A file that is mapped and not copied: its octets are read from the disk when they are used, and
// all processes share the memory.
//
// A mapped file must not be cut or overwritten in place, but be replaced by renaming another file.
// A process that reads a page behind the new end of a file is ended by the system (SIGBUS). So
// `expectUnchanged` looks at the file before each use, and the caller should only map files that no
// other user may write (`stranger`). A file that is cut between the look and the use still ends the
// process; this takes a writer with the rights of root or of the process itself.

import CLibC

/// A regular file whose octets are in memory.
///
/// `@unchecked Sendable`: the pointer and the descriptor stay as they are from `init` to `deinit`,
/// and the memory is only read.
@safe package final class MappedFile: @unchecked Sendable {
    /// The path that the file was opened by, for messages.
    package let path: String
    /// The octets when it was opened.
    package let octetCount: Int
    private let descriptor: Int32
    private let memory: UnsafeMutableRawPointer?
    private let state: State

    /// What changes when a file is written.
    private struct State: Equatable {
        let size: Int
        let modified: Int

        init(_ status: stat) {
            size = Int(status.st_size)
            modified = State.nanoseconds(hwlibc_modified(status))
        }

        private static func nanoseconds(_ time: timespec) -> Int {
            time.tv_sec &* 1_000_000_000 &+ time.tv_nsec
        }
    }

    /// Maps a file that a person named. Links are followed.
    ///
    /// - Parameter limit: octets of the longest file that is mapped.
    package convenience init(path: String, limit: Int) throws(FileReadError) {
        let file = unsafe open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY)
        guard file >= 0 else { throw FileReader.failure(of: path) }
        try self.init(owning: file, path: path, limit: limit)
    }

    /// Maps an open file, and closes it at the end.
    fileprivate init(owning file: Int32, path: String, limit: Int) throws(FileReadError) {
        var status = stat()
        var failure: FileReadError?
        if unsafe fstat(file, &status) != 0 {
            failure = FileReader.failure(of: path)
        } else if status.st_mode & S_IFMT != S_IFREG {
            failure = .notRegular(path, FileReader.kind(status.st_mode))
        } else if status.st_size > limit {
            failure = .tooLong(path, octets: Int(status.st_size), limit: limit)
        }
        let size = Int(status.st_size)
        var memory: UnsafeMutableRawPointer?
        // A mapping of no octets is an error.
        if failure == nil, size > 0 {
            unsafe memory = hwlibc_map(file, size)
            if unsafe memory == nil { failure = FileReader.failure(of: path) }
        }
        if let failure {
            close(file)
            throw failure
        }
        self.path = path
        self.octetCount = size
        self.descriptor = file
        unsafe self.memory = memory
        self.state = State(status)
    }

    deinit {
        if let memory = unsafe memory { unsafe munmap(memory, octetCount) }
        close(descriptor)
    }

    /// Calls `body` with the octets.
    package func withOctets<Result, Failure: Error>(
        _ body: (Span<UInt8>) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        let octets = unsafe UnsafeRawBufferPointer(start: memory, count: octetCount)
        return try body(unsafe Span<UInt8>(_unsafeBytes: octets))
    }

    /// Throws `unreadable` if the file was written or cut since it was opened. A file that was
    /// replaced by renaming another is unchanged: this object still has the old one.
    package func expectUnchanged() throws(FileReadError) {
        var status = stat()
        guard unsafe fstat(descriptor, &status) == 0 else { throw FileReader.failure(of: path) }
        let now = State(status)
        guard now != state else { return }
        throw FileReadError(
            code: .unreadable,
            context: "`\(path)` was written while it was in use; replace a file by renaming "
                + "another to its name")
    }

    /// Who may write the file besides root and this process's user, in words; nil when nobody may.
    package var stranger: String? { FileWriters.stranger(descriptor) }
}

/// Who may write files and folders.
enum FileWriters {
    /// Who may write an open file or folder besides root and this process's user, in words; nil
    /// when nobody may.
    static func stranger(_ descriptor: Int32) -> String? {
        var status = stat()
        guard unsafe fstat(descriptor, &status) == 0 else { return "an unknown user" }
        guard status.st_uid == 0 || status.st_uid == geteuid() else {
            return "user \(status.st_uid), who owns it,"
        }
        if status.st_mode & 0o002 != 0 { return "every user" }
        return status.st_mode & 0o020 != 0 ? "group \(status.st_gid)" : nil
    }
}

extension RootFolder {
    /// Maps a file by its path from this folder, as `read` reads it. It does not count as octets
    /// that were read.
    package func map(_ path: String, limit: Int) throws(FileReadError) -> MappedFile {
        try MappedFile(
            owning: try open(path, flags: O_RDONLY | O_NONBLOCK | O_NOCTTY), path: path,
            limit: limit)
    }

    /// Who may write the folder besides root and this process's user, in words; nil when nobody
    /// may.
    package var stranger: String? { FileWriters.stranger(descriptor) }

    /// What tells a file from one that was put in its place: nil if it cannot be looked at.
    package func identity(of path: String) -> FileIdentity? {
        FileIdentity(of: path, from: descriptor)
    }
}

/// What tells a file from one that was put in its place.
package struct FileIdentity: Hashable, Sendable {
    fileprivate let device, number: UInt64
    fileprivate let size, seconds, nanoseconds: Int

    /// Looks at the file at a path; nil if it cannot be looked at. Links are followed.
    init?(at path: String) { self.init(of: path, from: AT_FDCWD) }

    fileprivate init?(of path: String, from folder: Int32) {
        var status = stat()
        guard unsafe fstatat(folder, path, &status, 0) == 0 else { return nil }
        let modified = hwlibc_modified(status)
        // A device's number is signed on some systems.
        device = UInt64(truncatingIfNeeded: status.st_dev)
        number = UInt64(status.st_ino)
        size = Int(status.st_size)
        seconds = modified.tv_sec
        nanoseconds = modified.tv_nsec
    }
}
