// The last table that was in force, kept for the next start: one file, replaced whole or not at all.
//
//     open a new name · write · set its time · fsync · rename over the old name · fsync the folder
//
// A process that is killed leaves either the old file or the new one under the name, and perhaps a leftover
// under another, which the next start removes. A machine that loses power does too: the file's octets are on
// the disk before the name is, and a file whose octets are not all there fails by its seal. The file's time
// is when a source last confirmed it, so a restart does not make a table any fresher.
//
// Who may write here decides what a start without a source enforces. So the folder must be the process's own
// and closed to everybody else, and it is opened once: what a path leads to later has no part in it.

import Glibc
import Synchronization
import TrustEngine

/// Why a folder cannot keep a store's state, or did not this time.
public struct StateDirectoryError: Error, Hashable, Sendable {
    /// The reason's stable name.
    public enum Code: String, Hashable, Sendable {
        /// It belongs to another user.
        case foreign = "state-directory-foreign"
        /// Its group, or everybody, may do something with it.
        case open = "state-directory-open"
        /// It cannot be opened or read.
        case unreadable = "state-directory-unreadable"
        /// It cannot be written: the disk is full, or mounted read-only.
        case unwritable = "state-directory-unwritable"
    }

    /// The reason.
    public let code: Code
    /// What was found, lower case, no full stop; names the path.
    public let context: String
}

/// A folder in which a store keeps what it needs to start without its source.
package final class StateDirectory: Sendable {
    /// Places in the writing at which a test ends the process.
    package enum Step: String, CaseIterable, Sendable {
        case afterOpen = "after-open"
        case afterPartialWrite = "after-partial-write"
        case afterWrite = "after-write"
        case afterSync = "after-sync"
        case afterRename = "after-rename"
        case afterFolderSync = "after-folder-sync"
    }

    /// A table that was in force.
    struct Kept: Sendable {
        /// What its source had handed over.
        let bytes: [UInt8]
        /// When a source last said that it is the newest.
        let confirmed: UTCInstant
    }

    private let path: String
    private let descriptor: Int32
    private let serial = Atomic<Int>(0)
    private let atStep: @Sendable (Step) -> Void

    /// Opens a folder, which is made for this user alone if it is not there, and removes what writers that
    /// were killed have left.
    init(
        path: String, atStep: @escaping @Sendable (Step) -> Void = { _ in }
    ) throws(StateDirectoryError) {
        if unsafe mkdir(path, 0o700) != 0, errno != EEXIST {
            throw StateDirectory.error(.unreadable, path)
        }
        let descriptor = unsafe open(path, O_RDONLY | O_CLOEXEC | O_DIRECTORY)
        guard descriptor >= 0 else { throw StateDirectory.error(.unreadable, path) }
        self.path = path
        self.descriptor = descriptor
        self.atStep = atStep
        var status = stat()
        guard unsafe fstat(descriptor, &status) == 0 else {
            throw StateDirectory.error(.unreadable, path)
        }
        guard status.st_uid == geteuid() else {
            throw StateDirectoryError(
                code: .foreign,
                context: "`\(path)` belongs to user \(status.st_uid), and this process is user "
                    + "\(geteuid()): who owns it decides what a restart enforces")
        }
        guard status.st_mode & 0o077 == 0 else {
            throw StateDirectoryError(
                code: .open,
                context: "`\(path)` has mode \(String(status.st_mode & 0o7777, radix: 8)), where "
                    + "only its owner may have any right: `chmod 700 \(path)`")
        }
        removeLeftovers()
    }

    deinit { close(descriptor) }

    /// The table kept here; nil when there is none.
    func read() throws(StateDirectoryError) -> Kept? {
        let flags = O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK
        let file = unsafe openat(descriptor, StateDirectory.name, flags)
        guard file >= 0 else {
            if errno == ENOENT { return nil }
            throw StateDirectory.error(.unreadable, "\(path)/\(StateDirectory.name)")
        }
        defer { close(file) }
        var status = stat()
        guard unsafe fstat(file, &status) == 0 else {
            throw StateDirectory.error(.unreadable, "\(path)/\(StateDirectory.name)")
        }
        do throws(FileReadError) {
            return Kept(
                bytes: try FileReader.read(
                    descriptor: file, path: "\(path)/\(StateDirectory.name)",
                    limit: EngineLoader.largestTable),
                confirmed: UTCInstant(secondsSinceEpoch: Int64(status.st_mtim.tv_sec)))
        } catch {
            throw StateDirectoryError(code: .unreadable, context: error.context)
        }
    }

    /// Keeps a table in place of the one before. After a failure the one before is kept still.
    func keep(_ bytes: [UInt8], confirmed: UTCInstant) throws(StateDirectoryError) {
        let number = serial.wrappingAdd(1, ordering: .relaxed).newValue
        let temporary = "\(StateDirectory.leftoverPrefix)\(getpid())-\(number)"
        let flags = O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW
        let file = unsafe openat(descriptor, temporary, flags, 0o600)
        guard file >= 0 else { throw StateDirectory.error(.unwritable, path) }
        atStep(.afterOpen)
        var failure = fill(file, bytes, confirmed)
        if close(file) != 0 { failure = failure ?? StateDirectory.error(.unwritable, path) }
        if failure == nil,
            unsafe renameat(descriptor, temporary, descriptor, StateDirectory.name) != 0
        {
            failure = StateDirectory.error(.unwritable, path)
        }
        if let failure {
            unsafe unlinkat(descriptor, temporary, 0)
            throw failure
        }
        atStep(.afterRename)
        guard fsync(descriptor) == 0 else { throw StateDirectory.error(.unwritable, path) }
        atStep(.afterFolderSync)
    }

    /// Notes that a source has confirmed the table kept here.
    func confirm(at time: UTCInstant) throws(StateDirectoryError) {
        let flags = O_WRONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK
        let file = unsafe openat(descriptor, StateDirectory.name, flags)
        guard file >= 0 else { throw StateDirectory.error(.unwritable, path) }
        defer { close(file) }
        guard date(file, time) else { throw StateDirectory.error(.unwritable, path) }
    }

    // MARK: Parts

    /// Writes a new file to the disk; what went wrong.
    private func fill(
        _ file: Int32, _ bytes: [UInt8], _ confirmed: UTCInstant
    ) -> StateDirectoryError? {
        // In two parts, so that a test can end the process between them.
        let half = bytes.count / 2
        guard OpenFiles.write(bytes[..<half], to: file) else {
            return StateDirectory.error(.unwritable, path)
        }
        atStep(.afterPartialWrite)
        guard OpenFiles.write(bytes[half...], to: file), date(file, confirmed) else {
            return StateDirectory.error(.unwritable, path)
        }
        atStep(.afterWrite)
        guard fsync(file) == 0 else { return StateDirectory.error(.unwritable, path) }
        atStep(.afterSync)
        return nil
    }

    /// Sets the times of a file.
    private func date(_ file: Int32, _ time: UTCInstant) -> Bool {
        let second = timespec(tv_sec: Int(time.secondsSinceEpoch), tv_nsec: 0)
        return unsafe [second, second].withUnsafeBufferPointer {
            unsafe futimens(file, $0.baseAddress)
        } == 0
    }

    /// Removes what writers that were killed have left. One that cannot be removed does no harm.
    private func removeLeftovers() {
        let file = unsafe openat(descriptor, ".", O_RDONLY | O_CLOEXEC | O_DIRECTORY)
        guard file >= 0 else { return }
        guard let stream = unsafe fdopendir(file) else {
            close(file)
            return
        }
        defer { unsafe closedir(stream) }
        while let name = unsafe OpenFiles.nextName(in: stream) {
            if name.hasPrefix(StateDirectory.leftoverPrefix) {
                unsafe unlinkat(descriptor, name, 0)
            }
        }
    }

    /// The error that `errno` stands for.
    private static func error(
        _ code: StateDirectoryError.Code, _ path: String
    ) -> StateDirectoryError {
        StateDirectoryError(code: code, context: FileReader.failure(of: path).context)
    }

    /// The file that the table in force is kept in.
    static let name = "last-known-good"
    private static let leftoverPrefix = "new-"
}
