import CLibC
public import TrustEngine

// One file because every reader of files opens them by the same rules: only regular files, beneath
// their root, without links that lead out.

/// Why a file or folder cannot be used.
public struct FileReadError: CodedError {
    /// The reason's stable name.
    public enum Code: String, Hashable, Sendable {
        /// No file or folder has this name.
        case notFound = "not-found"
        /// The path leads to a folder, a FIFO, a device or a socket, or through too many links.
        case notRegular = "not-regular"
        /// The path is absolute or empty, has an empty name, `.` or `..` in it, or leads out of its
        /// root by a symbolic link.
        case leavesRoot = "leaves-root"
        /// The file or folder is larger than the limit.
        case tooLarge = "too-large"
        /// The system refuses to open or read it, or a stream does not end.
        case unreadable
    }

    /// The reason.
    public let code: Code
    /// What was found: lower case, no full stop. The text names the path.
    public let context: String

    /// Makes an error from its values.
    package init(code: Code, context: String) {
        self.code = code
        self.context = context
    }

    /// There is nothing of this path.
    package static func notThere(_ path: String) -> FileReadError {
        FileReadError(code: .notFound, context: "`\(path)` is not there")
    }

    /// The path leads to something else than a regular file: its kind in words.
    package static func notRegular(_ path: String, _ kind: String) -> FileReadError {
        FileReadError(
            code: .notRegular, context: "`\(path)` is \(kind), not a regular file")
    }

    /// One of the names of a path is a link or a special file: its kind in words.
    package static func onTheWay(
        _ name: String, to path: String, _ kind: String
    ) -> FileReadError {
        let place = name == path ? "" : " on the way to `\(path)`"
        return FileReadError(code: .notRegular, context: "`\(name)`\(place) is \(kind)")
    }

    /// A file is longer than what may be read of it.
    package static func tooLong(_ path: String, octets: Int, limit: Int) -> FileReadError {
        FileReadError(
            code: .tooLarge, context: "`\(path)` has \(octets) bytes; at most \(limit) are read")
    }
}

/// Reads whole files: opened once, within a limit, and regular files only but for
/// `readNamed(path:limit:seconds:)`. No other bytes are read, so the bytes that are hashed are the
/// bytes that are used.
package enum FileReader {
    /// Reads a file that a person named on a command line or in a program. Links are followed,
    /// because this person may choose them. The target must be a regular file.
    ///
    /// - Parameters:
    ///   - path: the file, from the root or from the current folder.
    ///   - limit: octets of the longest file that is read.
    package static func read(path: String, limit: Int) throws(FileReadError) -> [UInt8] {
        // Non-blocking, so that a FIFO without a writer does not hang the open.
        let descriptor = unsafe open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY)
        guard descriptor >= 0 else { throw failure(of: path) }
        defer { close(descriptor) }
        return try read(descriptor: descriptor, path: path, limit: limit)
    }

    /// Reads a file as `read(path:limit:)` does, or a FIFO until its writers have closed it: what a
    /// command line names, which may be a process substitution (`/dev/fd/63`).
    ///
    /// - Parameter seconds: the time in which the writers of a FIFO must have written and closed
    ///   it.
    package static func readNamed(
        path: String, limit: Int, seconds: Int
    ) throws(FileReadError) -> [UInt8] {
        let descriptor = unsafe open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY)
        guard descriptor >= 0 else { throw failure(of: path) }
        defer { close(descriptor) }
        var status = stat()
        guard unsafe fstat(descriptor, &status) == 0 else { throw failure(of: path) }
        guard status.st_mode & S_IFMT == S_IFIFO else {
            return try read(descriptor: descriptor, path: path, limit: limit)
        }
        return try readStream(
            descriptor: descriptor, name: "`\(path)`", limit: limit, seconds: seconds)
    }

    /// Reads a stream to its end: a pipe, a socket, or a file from its present place. The
    /// descriptor may block or not; its flags are left as they are.
    ///
    /// - Parameters:
    ///   - name: the stream in words, for messages.
    ///   - seconds: the time in which the stream must end.
    package static func readStream(
        descriptor: Int32, name: String, limit: Int, seconds: Int
    ) throws(FileReadError) -> [UInt8] {
        let end = ContinuousClock.now.advanced(by: .seconds(seconds))
        var bytes: [UInt8] = []
        var part = [UInt8](repeating: 0, count: 1 << 16)
        while true {
            let left = ContinuousClock.now.duration(to: end) / Duration.milliseconds(1)
            var wanted = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
            // An error of the descriptor is left to `read`, which names it.
            guard left > 0, unsafe poll(&wanted, 1, Int32(clamping: Int64(left) + 1)) != 0 else {
                throw FileReadError(
                    code: .unreadable, context: "\(name) did not end within \(seconds) seconds")
            }
            let count = unsafe part.withUnsafeMutableBytes { buffer in
                unsafe CLibC.read(descriptor, buffer.baseAddress, buffer.count)
            }
            if count < 0, errno == EINTR || errno == EAGAIN { continue }
            guard count >= 0 else {
                throw FileReadError(
                    code: .unreadable,
                    context: "\(name): \(unsafe String(cString: strerror(errno)))")
            }
            if count == 0 { return bytes }
            guard bytes.count + count <= limit else {
                throw FileReadError(
                    code: .tooLarge, context: "\(name) has more than \(limit) bytes")
            }
            bytes += part[..<count]
        }
    }

    /// The first octets of a regular file, at most `count`; nil for anything else.
    package static func beginning(of path: String, count: Int) -> [UInt8]? {
        let descriptor = unsafe open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY)
        guard descriptor >= 0 else { return nil }
        defer { close(descriptor) }
        do throws(FileReadError) {
            var part = try FilePart(descriptor: descriptor, path: path, limit: .max)
            return try part.next(count)
        } catch {
            return nil
        }
    }

    /// Reads an open descriptor to its end. It throws `notRegular` when the descriptor is not a
    /// regular file.
    static func read(
        descriptor: Int32, path: String, limit: Int
    ) throws(FileReadError) -> [UInt8] {
        var part = try FilePart(descriptor: descriptor, path: path, limit: limit)
        return try part.rest()
    }

    /// Reads a file as `read(path:limit:)` does, into two arrays. `head` says how many of the first
    /// octets belong to the first array. All other octets are read into the second array, to the
    /// place where they stay.
    ///
    /// - Parameter head: gets the first `octets` of the file, or all if the file has fewer, and the
    ///   length of the whole file. It returns the number of octets of the first array.
    static func read<Failure: Error>(
        path: String, limit: Int, octets: Int, head: ([UInt8], Int) throws(Failure) -> Int
    ) throws(FileReadError) -> Result<(head: [UInt8], rest: [UInt8]), Failure> {
        let descriptor = unsafe open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY)
        guard descriptor >= 0 else { throw failure(of: path) }
        defer { close(descriptor) }
        var part = try FilePart(descriptor: descriptor, path: path, limit: limit)
        let first = try part.next(octets)
        let count: Int
        do throws(Failure) {
            count = try head(first, part.size)
        } catch {
            return .failure(error)
        }
        return .success((Array(first[..<count]), try part.rest(after: first[count...])))
    }

    /// The error for a path, from `errno`.
    static func failure(of path: String) -> FileReadError {
        let number = errno
        switch number {
        case ENOENT, ENOTDIR:
            return .notThere(path)
        case ELOOP:
            return FileReadError(code: .notRegular, context: "`\(path)` is a symbolic link")
        default:
            return FileReadError(
                code: .unreadable,
                context: "`\(path)`: \(unsafe String(cString: strerror(number)))")
        }
    }

    /// The kind of a file in words.
    static func kind(_ mode: mode_t) -> String {
        switch mode & S_IFMT {
        case S_IFREG: return "a regular file"
        case S_IFDIR: return "a folder"
        case S_IFLNK: return "a symbolic link"
        case S_IFIFO: return "a FIFO"
        case S_IFSOCK: return "a socket"
        case S_IFCHR, S_IFBLK: return "a device"
        default: return "something else"
        }
    }
}

/// A regular file that is being read. It may grow or shrink meanwhile. The octets that were read
/// count, and one octet past the limit shows that the file is too large.
private struct FilePart {
    let descriptor: Int32
    let path: String
    let limit: Int
    /// Octets of the file when it was opened.
    let size: Int
    private var taken = 0

    init(descriptor: Int32, path: String, limit: Int) throws(FileReadError) {
        var status = stat()
        guard unsafe fstat(descriptor, &status) == 0 else { throw FileReader.failure(of: path) }
        guard status.st_mode & S_IFMT == S_IFREG else {
            throw .notRegular(path, FileReader.kind(status.st_mode))
        }
        guard status.st_size <= limit else {
            throw .tooLong(path, octets: Int(status.st_size), limit: limit)
        }
        self.descriptor = descriptor
        self.path = path
        self.limit = limit
        self.size = Int(status.st_size)
    }

    /// Reads `count` octets, or all that are left if there are fewer.
    mutating func next(_ count: Int) throws(FileReadError) -> [UInt8] {
        let bytes = try read(count, behind: [])
        taken += bytes.count
        return bytes
    }

    /// Reads all octets that are left and puts them behind octets that were read before.
    mutating func rest(after first: ArraySlice<UInt8> = []) throws(FileReadError) -> [UInt8] {
        var bytes = try read(max(0, size - taken) + 1, behind: first)
        var end = first.count + max(0, size - taken)
        while bytes.count > end {
            guard taken + bytes.count - first.count <= limit else {
                throw FileReadError(
                    code: .tooLarge, context: "`\(path)` grew past \(limit) bytes while it was read"
                )
            }
            end = bytes.count
            bytes += try read(min(max(bytes.count, 1 << 12), 1 << 20), behind: [])
        }
        return bytes
    }

    /// Reads `count` octets, or to the end, into memory that is not cleared first. Clearing would
    /// take a quarter as long as reading.
    private func read(
        _ count: Int, behind first: ArraySlice<UInt8>
    ) throws(FileReadError) -> [UInt8] {
        var failure: FileReadError?
        let bytes = unsafe [UInt8](unsafeUninitializedCapacity: first.count + count) {
            buffer, filled in
            for octet in first {
                unsafe buffer.initializeElement(at: filled, to: octet)
                filled += 1
            }
            guard let base = buffer.baseAddress else { return }
            let end = first.count + count
            while filled < end {
                let got = unsafe CLibC.read(descriptor, base + filled, end - filled)
                if got < 0, errno == EINTR { continue }
                if got < 0 { failure = FileReader.failure(of: path) }
                guard got > 0 else { return }
                filled += got
            }
        }
        if let failure { throw failure }
        return bytes
    }
}

/// Questions about paths that a person named, before a file is opened.
package enum NamedPath {
    /// The absolute path without links. So the place of a unit does not depend on the path that
    /// leads to it.
    package static func resolve(_ path: String) throws(FileReadError) -> String {
        guard let resolved = unsafe realpath(path, nil) else { throw FileReader.failure(of: path) }
        defer { unsafe free(resolved) }
        return unsafe String(cString: resolved)
    }

    /// Whether a path leads to a folder.
    package static func isFolder(_ path: String) -> Bool {
        var status = stat()
        return unsafe stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFDIR
    }

    /// Whether a path leads to a regular file.
    package static func isFile(_ path: String) -> Bool {
        var status = stat()
        return unsafe stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFREG
    }

    /// Whether a path leads to a FIFO, like the path of a process substitution.
    package static func isFIFO(_ path: String) -> Bool {
        var status = stat()
        return unsafe stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFIFO
    }

    /// Whether the file's own mode lets every user of the machine read it. The folders above are
    /// not checked.
    package static func isReadableByEveryone(_ path: String) -> Bool {
        var status = stat()
        return unsafe stat(path, &status) == 0 && status.st_mode & S_IROTH != 0
    }

    /// Whether a file, a folder or a link has this path. A link that leads nowhere counts.
    package static func exists(_ path: String) -> Bool {
        var status = stat()
        return unsafe lstat(path, &status) == 0
    }
}

/// A folder that files are read beneath. The folder is opened once. Every path is walked from it
/// name by name. A symbolic link is followed only to targets beneath the folder (LANGUAGE section
/// 2.5): each name of its target is looked up in the same way. A link that was followed once must
/// not change as long as the folder is used, so that all files are from one moment. Limits for all
/// readings together bound the time and memory that a tree of files takes.
package final class RootFolder: Sendable {
    /// An entry of a folder.
    package struct Entry: Hashable, Sendable {
        /// The kinds of entries.
        package enum Kind: Hashable, Sendable {
            case regular
            case folder
            /// A symbolic link that leads to a regular file beneath the root.
            case linkToFile
            /// A symbolic link that leads to a folder beneath the root: the folder's path from the
            /// root, in which no name is a link.
            case linkToFolder(String)
            /// A symbolic link that leads out of the root, to a folder or to anything else.
            case linkOut(isFolder: Bool)
            /// Another link or a special file; its kind in words.
            case other(String)

            /// Whether the entry is a regular file, or a link to one beneath the root.
            package var isFile: Bool { self == .regular || self == .linkToFile }

            /// Whether the entry is a symbolic link to a folder.
            package var isLinkToFolder: Bool {
                switch self {
                case .linkToFolder, .linkOut(isFolder: true): return true
                case .regular, .folder, .linkToFile, .linkOut(isFolder: false), .other:
                    return false
                }
            }
        }

        /// The name of the entry, without a path.
        package let name: String
        /// The kind of the entry.
        package let kind: Kind

        /// Makes an entry.
        package init(name: String, kind: Kind) {
            self.name = name
            self.kind = kind
        }
    }

    /// The limits of all readings beneath a root.
    package struct Limits: Hashable, Sendable {
        /// Octets of all files together. The default, 256 MiB, is the size of 10 million keys and
        /// values (LANGUAGE section 1.6) at some 25 octets each.
        package var octets: Int
        /// Entries of all folders together. A folder counts each time that it is listed. The
        /// default is some thirty times the number for a unit of two thousand files.
        package var entries: Int
        /// Names in a path. The default is more than people nest.
        package var depth: Int

        /// Makes limits. A limit that is left out has its default.
        package init(octets: Int = 256 << 20, entries: Int = 65_536, depth: Int = 32) {
            self.octets = octets
            self.entries = entries
            self.depth = depth
        }
    }

    /// The amount that was read so far.
    package struct Work: Hashable, Sendable {
        /// Octets of all files.
        package internal(set) var octets = 0
        /// Entries of all folders.
        package internal(set) var entries = 0
    }

    /// The path that the folder was opened by, for messages.
    package let path: String
    /// The limits of all readings.
    package let limits: Limits
    let descriptor: Int32
    private let allowance: ReadingAllowance
    /// The target of every link that was followed, by the link's path from this folder.
    private let targets = Monitor<[String: String]>([:])

    /// Opens a folder. Links in `path` itself are followed.
    package init(path: String, limits: Limits = Limits()) throws(FileReadError) {
        let descriptor = unsafe CLibC.open(path, O_RDONLY | O_CLOEXEC | O_DIRECTORY)
        guard descriptor >= 0 else { throw RootFolder.failure(of: path) }
        self.path = path
        self.limits = limits
        self.allowance = ReadingAllowance(limits)
        self.descriptor = descriptor
    }

    deinit { close(descriptor) }

    /// The error for a path that cannot be opened as a folder, from `errno`. ENOTDIR is also of a
    /// path that leads through a file.
    private static func failure(of path: String) -> FileReadError {
        let error = FileReader.failure(of: path)
        var status = stat()
        guard error.code == .notFound, unsafe stat(path, &status) == 0 else { return error }
        let kind = status.st_mode & S_IFMT == S_IFREG ? "a file" : FileReader.kind(status.st_mode)
        return FileReadError(code: .notRegular, context: "`\(path)` is \(kind), not a folder")
    }

    /// The amount that was read so far, at most `limits`. Files that are read at the same time may
    /// exceed the limit by one file each.
    package var work: Work { allowance.work }

    /// Reads a file by its path from this folder: names between `/`, none of them `..`. It throws
    /// `leavesRoot` for another path, and `tooLarge` when the file is longer than `limit` or
    /// exceeds the folder's limits.
    package func read(_ path: String, limit: Int) throws(FileReadError) -> [UInt8] {
        let file = try open(path, flags: O_RDONLY | O_NONBLOCK | O_NOCTTY)
        defer { close(file) }
        return try allowance.reading(path, limit: limit) { limit throws(FileReadError) in
            try FileReader.read(descriptor: file, path: path, limit: limit)
        }
    }

    /// The entries directly in a folder beneath this one, sorted by name; `""` means this folder.
    package func entries(of folder: String) throws(FileReadError) -> [Entry] {
        let file =
            folder.isEmpty
            ? unsafe openat(descriptor, ".", O_RDONLY | O_CLOEXEC | O_DIRECTORY)
            : try open(folder, flags: O_RDONLY | O_DIRECTORY)
        guard file >= 0 else { throw FileReader.failure(of: folder) }
        guard let stream = unsafe hwlibc_folder_open(file) else {
            let error = FileReader.failure(of: folder)
            close(file)
            throw error
        }
        defer { unsafe hwlibc_folder_close(stream) }
        var entries: [Entry] = []
        while true {
            guard let name = unsafe OpenFiles.nextName(in: stream) else {
                guard errno == 0 else { throw FileReader.failure(of: folder) }
                break
            }
            if name == "." || name == ".." { continue }
            try allowance.takeEntry(of: folder)
            guard let kind = try kind(of: name, in: file, folder: folder) else { continue }
            entries.append(Entry(name: name, kind: kind))
        }
        return entries.sorted { $0.name < $1.name }
    }

    /// The kind of an entry; nil when the entry is gone again.
    private func kind(
        of name: String, in descriptor: Int32, folder: String
    ) throws(FileReadError) -> Entry.Kind? {
        var status = stat()
        guard unsafe fstatat(descriptor, name, &status, AT_SYMLINK_NOFOLLOW) == 0 else {
            if errno == ENOENT { return nil }
            throw FileReader.failure(of: folder.isEmpty ? name : "\(folder)/\(name)")
        }
        switch status.st_mode & S_IFMT {
        case S_IFREG: return .regular
        case S_IFDIR: return .folder
        case S_IFLNK: return kind(ofLink: name, in: descriptor, folder: folder)
        default: return .other(FileReader.kind(status.st_mode))
        }
    }

    /// The kind of a symbolic link, by its target.
    private func kind(
        ofLink name: String, in descriptor: Int32, folder: String
    ) -> Entry.Kind {
        let path = folder.isEmpty ? name : "\(folder)/\(name)"
        var real = ""
        do throws(FileReadError) {
            let mode = try walk(path, atRoot: S_IFDIR) { parent, name, place in
                var status = stat()
                guard unsafe fstatat(parent, name, &status, AT_SYMLINK_NOFOLLOW) == 0 else {
                    return .failed
                }
                guard status.st_mode & S_IFMT != S_IFLNK else { return .link }
                real = place
                return .done(status.st_mode & S_IFMT)
            }
            switch mode {
            case S_IFREG: return .linkToFile
            case S_IFDIR: return .linkToFolder(real)
            default: return .other("a symbolic link to \(FileReader.kind(mode))")
            }
        } catch {
            guard error.code == .leavesRoot else {
                return .other("a symbolic link that cannot be followed")
            }
            var target = stat()
            let isFolder =
                unsafe fstatat(descriptor, name, &target, 0) == 0
                && target.st_mode & S_IFMT == S_IFDIR
            return .linkOut(isFolder: isFolder)
        }
    }

    /// Opens a path name by name.
    func open(_ path: String, flags: Int32) throws(FileReadError) -> Int32 {
        let isFolder = flags & O_DIRECTORY != 0
        let file = try walk(path, atRoot: Int32(-1)) { parent, name, _ in
            let file = unsafe openat(parent, name, flags | O_NOFOLLOW | O_CLOEXEC)
            guard file < 0 else { return .done(file) }
            return isLink(name, in: parent) ? .link : .failed
        }
        guard file < 0 else { return file }
        // The path leads back to the root itself.
        guard isFolder else { throw .notRegular(path, FileReader.kind(S_IFDIR)) }
        let root = unsafe openat(descriptor, ".", O_RDONLY | O_CLOEXEC | O_DIRECTORY)
        guard root >= 0 else { throw FileReader.failure(of: path) }
        return root
    }

    /// The kind of the last name of a path.
    private enum LastName<Value> {
        case done(Value)
        case link
        /// The reason is in `errno`.
        case failed
    }

    /// Looks a path up name by name. Every folder on the way is opened in the folder before it and
    /// without following a link, so that no name that changes meanwhile leads out of the root.
    ///
    /// - Parameters:
    ///   - atRoot: the value of a path that leads back to the root.
    ///   - last: looks at the last name, in the folder that it stands in. It gets the path of the
    ///     name from the root, too.
    private func walk<Value>(
        _ path: String, atRoot: Value, last: (Int32, String, String) -> LastName<Value>
    ) throws(FileReadError) -> Value {
        var walk = try LinkedPath(path, limits)
        var folders = [descriptor]
        defer { for folder in folders.dropFirst() { close(folder) } }
        while let name = try walk.next(leave: { close(folders.removeLast()) }) {
            guard let folder = folders.last else { break }
            // The text behind the last name of a link's target decides, too.
            let outcome: LastName<Value>
            if walk.isAtEnd {
                outcome = last(folder, name, walk.inside(name))
            } else {
                let next = unsafe openat(
                    folder, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)
                guard next < 0 else {
                    folders.append(next)
                    try walk.enter(name)
                    continue
                }
                outcome = isLink(name, in: folder) ? .link : .failed
            }
            switch outcome {
            case .done(let value): return value
            case .failed: throw failure(at: name, in: folder, walk)
            case .link: try walk.follow(try target(of: name, in: folder, walk))
            }
        }
        // The last name led up again to a folder that was opened before.
        guard let folder = folders.last, folder != descriptor else { return atRoot }
        switch last(folder, ".", walk.place.joined(separator: "/")) {
        case .done(let value): return value
        case .failed, .link: throw FileReader.failure(of: path)
        }
    }

    /// Whether a name is a symbolic link. `errno` stays as it is.
    private func isLink(_ name: String, in folder: Int32) -> Bool {
        let number = errno
        defer { errno = number }
        var status = stat()
        return unsafe fstatat(folder, name, &status, AT_SYMLINK_NOFOLLOW) == 0
            && status.st_mode & S_IFMT == S_IFLNK
    }

    /// The target of a link, which must be the one that it had before.
    private func target(
        of name: String, in folder: Int32, _ walk: LinkedPath
    ) throws(FileReadError) -> String {
        let link = walk.inside(name)
        var octets = [UInt8](repeating: 0, count: LinkedPath.longestTarget)
        let count = unsafe octets.withUnsafeMutableBytes { buffer -> Int in
            guard let base = buffer.baseAddress else { return -1 }
            return unsafe readlinkat(folder, name, base, buffer.count)
        }
        guard count > 0, count < octets.count,
            let target = String(validating: octets[..<count], as: UTF8.self)
        else { throw .linkChanged(link) }
        let isSame = targets.withLock { targets in
            if let known = targets[link] { return known == target }
            targets[link] = target
            return true
        }
        guard isSame else { throw .linkChanged(link) }
        return target
    }

    /// The error for a name that cannot be opened, from `errno`.
    private func failure(
        at name: String, in folder: Int32, _ walk: LinkedPath
    ) -> FileReadError {
        let error = FileReader.failure(of: walk.path)
        var status = stat()
        guard unsafe fstatat(folder, name, &status, AT_SYMLINK_NOFOLLOW) == 0 else {
            guard walk.hasLinks, error.code == .notFound else { return error }
            return .leadsNowhere(walk.path, walk.inside(name))
        }
        // O_DIRECTORY gives ENOTDIR for all of these.
        guard status.st_mode & S_IFMT != S_IFREG, status.st_mode & S_IFMT != S_IFDIR else {
            return error
        }
        return .onTheWay(name, to: walk.path, FileReader.kind(status.st_mode))
    }
}
