// The folder that keeps the table that was last in force, for the next start.
//
//     .store            the lock of the folder, and its mark: the name of its store
//     record            whose folder it is and which table stands in it (`StateRecord`)
//     last-known-good   the table, octet for octet as its source handed it over
//     *.aside-1 to -4   files that were found damaged, or would have been lost; the newest is 1
//     new-*             a file that is being written
//     .spare            two blocks of the disk, which are given up for a record on a full disk
//
// A file is replaced whole or not at all:
//
//     open a new name · write · set its time · fsync · rename over the old name · fsync the folder
//
// The record is replaced before the table. A process that is killed leaves each file either old or
// new, and perhaps a leftover under another name, which the next writer removes. This also holds
// when the machine loses power, because a file's octets are on the disk before its name is. The
// table's time is when a source last confirmed it, so a restart does not make a table fresher.
//
// On a full disk a record takes the place of the spare, so that the newest revision in force is
// known to the next start even when its table does not fit. The spare is made again as
// soon as there is room.
//
// Code that reads in order to write holds the lock from the reading to the writing. The kernel
// releases the lock when the process ends, however it ends. The lock is on the file `.store`,
// because network file systems lock only files, not folders. When this file is removed, a second
// lock could exist beside the first. So the store looks up the file by its name again after it has
// locked it.
//
// Whoever may write here decides what a start without a source enforces. So the folder must belong
// to the process's user and be closed to all others. The folder is opened once. When the path leads
// to another folder later, because the folder was removed or a volume was mounted, the other folder
// is opened under the same rules (`StateKeeper`). A user who may write to a folder above cannot
// write here, and can take the folder away: `FolderPlace`.

import Glibc
import TrustEngine

/// A folder in which a store keeps the state that it needs to start without its source.
package final class StateDirectory: Sendable {
    /// Steps of the writing at which a test ends the process.
    package enum Step: String, CaseIterable, Sendable {
        case recordOpened = "record-opened"
        case recordHalfWritten = "record-half-written"
        case recordWritten = "record-written"
        case recordSynced = "record-synced"
        case recordRenamed = "record-renamed"
        case recordFolderSynced = "record-folder-synced"
        case tableOpened = "table-opened"
        case tableHalfWritten = "table-half-written"
        case tableWritten = "table-written"
        case tableSynced = "table-synced"
        case tableRenamed = "table-renamed"
        case tableFolderSynced = "table-folder-synced"
    }

    /// A table that was in force.
    struct Kept: Hashable, Sendable {
        /// The bytes that the source handed over.
        let bytes: [UInt8]
        /// When a source last said that the table is the newest.
        let confirmed: UTCInstant
        /// SHA-256 of `bytes`.
        let octets: Digest
    }

    /// The contents of a file of the folder.
    enum Reading<Value: Hashable & Sendable>: Hashable, Sendable {
        case absent
        case there(Value)
        case unreadable(StateDirectoryError)

        var isAbsent: Bool { self == .absent }
    }

    /// The files that were read in the folder.
    struct Found: Sendable {
        var record: Reading<StateRecord>
        var table: Reading<Kept>
        /// The store's name in the mark; nil when the mark is not there yet.
        var mark: String?

        /// The store that the folder belongs to; nil when the folder carries no name.
        var owner: String? {
            if case .there(let record) = record { return record.store }
            return mark
        }
    }

    /// The answer to a folder that does not exist.
    enum Absence: Hashable, Sendable {
        /// The folder is made, only for this user.
        case made
        /// The absence is an error.
        case refused
    }

    /// The path as the program named it.
    let path: String
    /// Why another user may take the folder away; nil when no other user may.
    let exchange: StateDirectoryError?
    private let descriptor: Int32
    private let atStep: @Sendable (Step) -> Void
    private let patience: Duration

    /// Opens a folder.
    ///
    /// - Parameters:
    ///   - patience: how long to wait for a lock that another process holds.
    init(
        path: String, absence: Absence, patience: Duration,
        atStep: @escaping @Sendable (Step) -> Void
    ) throws(StateDirectoryError) {
        if absence == .made, unsafe mkdir(path, 0o700) != 0, errno != EEXIST {
            throw FolderPlace.notMade(path)
        }
        let descriptor = unsafe open(path, O_RDONLY | O_CLOEXEC | O_DIRECTORY)
        guard descriptor >= 0 else { throw FolderPlace.notOpened(path) }
        self.path = path
        self.descriptor = descriptor
        self.atStep = atStep
        self.patience = patience
        exchange = FolderPlace.exchange(of: descriptor, path)
        try FolderPlace.expectOwn(descriptor, path)
    }

    deinit { close(descriptor) }

    /// Whether the path still leads to this folder.
    var isAtItsPath: Bool {
        var held = stat()
        var named = stat()
        guard unsafe fstat(descriptor, &held) == 0, unsafe stat(path, &named) == 0 else {
            return false
        }
        return held.st_ino == named.st_ino && held.st_dev == named.st_dev
    }

    // MARK: The lock

    /// Runs `body` under the folder's lock. Other processes, and other stores of this process, do
    /// not hold the lock at the same time.
    ///
    /// - Throws: the error of `body`; `locked` when another holder keeps the lock for longer than
    ///   `patience`, and when the file system has no locks; `unwritable` when the lock file cannot
    ///   be opened.
    func locked<Value>(
        _ body: () throws(StateDirectoryError) -> Value
    ) throws(StateDirectoryError) -> Value {
        let file = try lock()
        defer {
            // A child that was forked meanwhile has the file open too, so closing the file does not
            // release the lock.
            flock(file, LOCK_UN)
            close(file)
        }
        return try body()
    }

    private func lock() throws(StateDirectoryError) -> Int32 {
        let deadline = Deadline(in: patience)
        let flags = O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY
        while true {
            let file = unsafe openat(descriptor, StateDirectory.lockName, flags, 0o600)
            guard file >= 0 else {
                throw StateDirectory.error(.unwritable, place(StateDirectory.lockName))
            }
            try take(file, until: deadline)
            var held = stat()
            var named = stat()
            if unsafe fstat(file, &held) == 0,
                unsafe fstatat(descriptor, StateDirectory.lockName, &named, AT_SYMLINK_NOFOLLOW)
                    == 0, held.st_ino == named.st_ino, held.st_dev == named.st_dev
            {
                return file
            }
            close(file)
        }
    }

    /// Takes the lock of an open file. The file is closed when that fails.
    private func take(_ file: Int32, until deadline: Deadline) throws(StateDirectoryError) {
        while flock(file, LOCK_EX | LOCK_NB) != 0 {
            let number = errno
            if number == EINTR { continue }
            let failure = FileReader.failure(of: place(StateDirectory.lockName)).context
            guard number == EWOULDBLOCK else {
                close(file)
                throw StateDirectoryError(
                    code: .locked,
                    context: "\(failure): what is kept cannot be locked against other processes; "
                        + "name a folder on a file system that has locks")
            }
            guard deadline.millisecondsLeft > 0 else {
                close(file)
                throw StateDirectoryError(
                    code: .locked,
                    context: "another process has held the lock of `\(path)` for more than "
                        + "\(patience): `fuser \(place(StateDirectory.lockName))` says which")
            }
            usleep(StateDirectory.pollMicroseconds)
        }
    }

    // MARK: Reading

    /// Reads the files of the folder. The table is read first, so that a record that another
    /// process replaces between the two readings still names the table.
    func find() -> Found {
        let table = readTable()
        var found = findRecord()
        found.table = table
        return found
    }

    /// Reads the files of the folder without the table. The result says that the table is absent.
    func findRecord() -> Found {
        let record: Reading<StateRecord>
        switch read(StateDirectory.recordName, limit: StateRecord.mostOctets) {
        case .absent: record = .absent
        case .unreadable(let error): record = .unreadable(error)
        case .there(let octets):
            record =
                StateRecord(decoding: octets.bytes).map { .there($0) }
                ?? .unreadable(.damaged(place(StateDirectory.recordName), stillKnown: nil))
        }
        var mark: String?
        if case .there(let octets) = read(StateDirectory.lockName, limit: StateRecord.mostOctets),
            octets.bytes.last == 0x0A
        {
            mark = String(decoding: octets.bytes.dropLast(), as: UTF8.self)
        }
        return Found(record: record, table: .absent, mark: mark)
    }

    private func readTable() -> Reading<Kept> {
        switch read(StateDirectory.name, limit: EngineLoader.largestTable) {
        case .absent: return .absent
        case .unreadable(let error): return .unreadable(error)
        case .there(let octets):
            return .there(
                Kept(
                    bytes: octets.bytes, confirmed: octets.modified,
                    octets: StateRecord.digest(octets.bytes)))
        }
    }

    private struct Octets: Hashable, Sendable {
        let bytes: [UInt8]
        let modified: UTCInstant
    }

    private func read(_ name: String, limit: Int) -> Reading<Octets> {
        let flags = O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY
        let file = unsafe openat(descriptor, name, flags)
        guard file >= 0 else {
            return errno == ENOENT
                ? .absent : .unreadable(StateDirectory.error(.unreadable, place(name)))
        }
        defer { close(file) }
        var status = stat()
        guard unsafe fstat(file, &status) == 0 else {
            return .unreadable(StateDirectory.error(.unreadable, place(name)))
        }
        do throws(FileReadError) {
            return .there(
                Octets(
                    bytes: try FileReader.read(descriptor: file, path: place(name), limit: limit),
                    modified: UTCInstant(secondsSinceEpoch: Int64(status.st_mtim.tv_sec))))
        } catch {
            return .unreadable(StateDirectoryError(code: .unreadable, context: error.context))
        }
    }

    // MARK: Writing, under the lock

    /// Replaces the record. On a full disk the spare makes room.
    func write(_ record: StateRecord) throws(StateDirectoryError) {
        do throws(StateDirectoryError) {
            try replaceRecord(record)
        } catch {
            guard error.isOfFullDisk, freeSpare() else { throw error }
            try replaceRecord(record)
        }
    }

    private func replaceRecord(_ record: StateRecord) throws(StateDirectoryError) {
        try replace(
            StateDirectory.recordName, record.encoded, confirmed: nil,
            [
                .recordOpened, .recordHalfWritten, .recordWritten, .recordSynced, .recordRenamed,
                .recordFolderSynced,
            ])
    }

    /// Replaces the table. After a failure the table before it stays.
    func write(table bytes: [UInt8], confirmed: UTCInstant) throws(StateDirectoryError) {
        try replace(
            StateDirectory.name, bytes, confirmed: confirmed,
            [
                .tableOpened, .tableHalfWritten, .tableWritten, .tableSynced, .tableRenamed,
                .tableFolderSynced,
            ])
    }

    /// Removes the table. Returns false when there was none.
    func removeTable() -> Bool {
        guard unsafe unlinkat(descriptor, StateDirectory.name, 0) == 0 else { return false }
        // Some file systems give the blocks back only with this.
        fsync(descriptor)
        return true
    }

    /// Makes the spare, unless it is there. When the disk has no room, the next use tries again.
    func keepSpare() {
        var status = stat()
        let name = StateDirectory.spareName
        if unsafe fstatat(descriptor, name, &status, AT_SYMLINK_NOFOLLOW) == 0 {
            if status.st_mode & S_IFMT == S_IFREG, status.st_size == StateDirectory.spareSize {
                return
            }
            unsafe unlinkat(descriptor, name, 0)
        }
        let flags = O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW
        let file = unsafe openat(descriptor, name, flags, 0o600)
        guard file >= 0 else { return }
        // A file system that compresses would keep no blocks for octets that are alike.
        var octets: [UInt8] = []
        while octets.count < StateDirectory.spareSize {
            let random = UInt64.random(in: .min ... .max)
            octets += (0..<8).map { UInt8(truncatingIfNeeded: random >> (8 * $0)) }
        }
        let isWhole = OpenFiles.write(octets[...], to: file) && fsync(file) == 0
        close(file)
        if !isWhole { unsafe unlinkat(descriptor, name, 0) }
    }

    /// Gives up the spare. Returns false when there was none.
    private func freeSpare() -> Bool {
        guard unsafe unlinkat(descriptor, StateDirectory.spareName, 0) == 0 else { return false }
        fsync(descriptor)
        return true
    }

    /// Notes when a source confirmed the table.
    func date(_ time: UTCInstant) throws(StateDirectoryError) {
        let flags = O_WRONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK
        let file = unsafe openat(descriptor, StateDirectory.name, flags)
        guard file >= 0 else {
            throw StateDirectory.error(.unwritable, place(StateDirectory.name))
        }
        defer { close(file) }
        guard date(file, time) else {
            throw StateDirectory.error(.unwritable, place(StateDirectory.name))
        }
    }

    /// Writes the name of the owning store into the lock file.
    func mark(_ store: String) throws(StateDirectoryError) {
        let file = unsafe openat(
            descriptor, StateDirectory.lockName, O_WRONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK)
        guard file >= 0 else {
            throw StateDirectory.error(.unwritable, place(StateDirectory.lockName))
        }
        defer { close(file) }
        let octets = Array("\(store)\n".utf8)
        guard ftruncate(file, 0) == 0, OpenFiles.write(octets[...], to: file), fsync(file) == 0
        else { throw StateDirectory.error(.unwritable, place(StateDirectory.lockName)) }
    }

    /// Renames a file, so that the next write does not destroy it. The four newest copies of a file
    /// stay; the oldest is replaced.
    func setAside(_ name: String) throws(StateDirectoryError) {
        func aside(_ number: Int) -> String { "\(name).aside-\(number)" }
        for number in stride(from: StateDirectory.mostAside - 1, through: 1, by: -1) {
            // A copy that is not there is skipped. A copy that cannot be moved is replaced by the
            // next rename.
            unsafe renameat(descriptor, aside(number), descriptor, aside(number + 1))
        }
        guard unsafe renameat(descriptor, name, descriptor, aside(1)) == 0 || errno == ENOENT else {
            throw StateDirectory.error(.unwritable, place(name))
        }
    }

    /// Removes files that killed writers have left. Under the lock no other process writes. A
    /// leftover that cannot be removed does no harm.
    func removeLeftovers() {
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

    // MARK: Parts

    /// Replaces a file; `steps` are its six steps.
    private func replace(
        _ name: String, _ bytes: [UInt8], confirmed: UTCInstant?, _ steps: [Step]
    ) throws(StateDirectoryError) {
        let temporary = "\(StateDirectory.leftoverPrefix)\(name)"
        let flags = O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW
        let file = unsafe openat(descriptor, temporary, flags, 0o600)
        guard file >= 0 else { throw StateDirectory.error(.unwritable, place(name)) }
        atStep(steps[0])
        var failure = fill(file, bytes, confirmed, steps)
        if close(file) != 0 { failure = failure ?? StateDirectory.error(.unwritable, path) }
        if failure == nil, unsafe renameat(descriptor, temporary, descriptor, name) != 0 {
            failure = StateDirectory.error(.unwritable, place(name))
        }
        if let failure {
            unsafe unlinkat(descriptor, temporary, 0)
            throw failure
        }
        atStep(steps[4])
        guard fsync(descriptor) == 0 else { throw StateDirectory.error(.unwritable, path) }
        atStep(steps[5])
    }

    /// Writes a new file to the disk. Returns the reason when that fails.
    private func fill(
        _ file: Int32, _ bytes: [UInt8], _ confirmed: UTCInstant?, _ steps: [Step]
    ) -> StateDirectoryError? {
        // In two parts, so that a test can end the process between them.
        let half = bytes.count / 2
        guard OpenFiles.write(bytes[..<half], to: file) else {
            return StateDirectory.error(.unwritable, path)
        }
        atStep(steps[1])
        guard OpenFiles.write(bytes[half...], to: file), confirmed.map({ date(file, $0) }) ?? true
        else { return StateDirectory.error(.unwritable, path) }
        atStep(steps[2])
        guard fsync(file) == 0 else { return StateDirectory.error(.unwritable, path) }
        atStep(steps[3])
        return nil
    }

    /// Sets the times of a file.
    private func date(_ file: Int32, _ time: UTCInstant) -> Bool {
        let second = timespec(tv_sec: Int(time.secondsSinceEpoch), tv_nsec: 0)
        return unsafe [second, second].withUnsafeBufferPointer {
            unsafe futimens(file, $0.baseAddress)
        } == 0
    }

    private func place(_ name: String) -> String { "\(path)/\(name)" }

    /// The error that `errno` stands for.
    private static func error(
        _ code: StateDirectoryError.Code, _ path: String
    ) -> StateDirectoryError {
        let number = errno
        return StateDirectoryError(
            code: code, context: FileReader.failure(of: path).context,
            isOfFullDisk: number == ENOSPC || number == EDQUOT)
    }

    /// The file that the table in force is kept in.
    static let name = "last-known-good"
    /// The file with the record (`StateRecord`).
    static let recordName = "record"
    /// The lock file. Its name begins with a dot, so that `rm FOLDER/*` does not remove it.
    static let lockName = ".store"
    /// The file of the spare. Like the lock file it is not removed by `rm FOLDER/*`.
    static let spareName = ".spare"
    /// Octets of the spare: two blocks of most file systems. A record of two tables with one
    /// signature each takes 600 octets.
    private static let spareSize = 8 << 10
    private static let leftoverPrefix = "new-"
    private static let mostAside = 4
    /// A lock is held while a table is read and written: some milliseconds.
    private static let pollMicroseconds: UInt32 = 2_000
}
