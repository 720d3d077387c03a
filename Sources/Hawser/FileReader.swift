import Glibc

/// Why a file or folder cannot be used.
public struct FileReadError: Error, Hashable, Sendable {
    /// The reason's stable name.
    public enum Code: String, Hashable, Sendable {
        /// Nothing has that name.
        case notFound = "not-found"
        /// It is a link, a folder, a FIFO, a device or a socket.
        case notRegular = "not-regular"
        /// The path is absolute, or leads out of its root.
        case leavesRoot = "leaves-root"
        /// It holds more than is read.
        case tooLarge = "too-large"
        /// The system refuses.
        case unreadable
    }

    /// The reason.
    public let code: Code
    /// What was found, lower case, no full stop; names the path.
    public let context: String

    /// An error.
    package init(code: Code, context: String) {
        self.code = code
        self.context = context
    }
}

/// Reads whole files: opened once, regular files only, within a limit. The bytes given back are the
/// only bytes read, so what is hashed is what is used.
package enum FileReader {
    /// Reads a file that a person named on a command line or in a program: links are followed, as
    /// the one who names it may lay them; what they lead to must be a regular file.
    ///
    /// - Parameters:
    ///   - path: the file, from the root or from the current folder.
    ///   - limit: most octets that are read.
    package static func read(path: String, limit: Int) throws(FileReadError) -> [UInt8] {
        // Non-blocking, so that a FIFO without a writer does not hang the open.
        let descriptor = unsafe open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY)
        guard descriptor >= 0 else { throw failure(of: path) }
        defer { close(descriptor) }
        return try read(descriptor: descriptor, path: path, limit: limit)
    }

    /// Reads an open descriptor to its end, if it is a regular file.
    static func read(
        descriptor: Int32, path: String, limit: Int
    ) throws(FileReadError) -> [UInt8] {
        var part = try FilePart(descriptor: descriptor, path: path, limit: limit)
        return try part.rest()
    }

    /// Reads a file as `read(path:limit:)` does, in two arrays: some of its first octets, and all
    /// that follows those of them that `head` claims, put where it will stay.
    ///
    /// - Parameter head: given the first `octets` of the file, or all if it has fewer, and the
    ///   length of the whole, says how many are the first array's.
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

    /// The error that `errno` stands for.
    static func failure(of path: String) -> FileReadError {
        let number = errno
        switch number {
        case ENOENT, ENOTDIR:
            return FileReadError(code: .notFound, context: "`\(path)` is not there")
        case ELOOP:
            return FileReadError(code: .notRegular, context: "`\(path)` is a symbolic link")
        default:
            return FileReadError(
                code: .unreadable,
                context: "`\(path)`: \(unsafe String(cString: strerror(number)))")
        }
    }

    /// What a file is, in words.
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

/// A regular file on its way into memory. It may grow or shrink meanwhile: what was read is what
/// counts, and one byte past the limit tells.
private struct FilePart {
    let descriptor: Int32
    let path: String
    let limit: Int
    /// Octets when it was looked at.
    let size: Int
    private var taken = 0

    init(descriptor: Int32, path: String, limit: Int) throws(FileReadError) {
        var status = stat()
        guard unsafe fstat(descriptor, &status) == 0 else { throw FileReader.failure(of: path) }
        guard status.st_mode & S_IFMT == S_IFREG else {
            throw FileReadError(
                code: .notRegular,
                context: "`\(path)` is \(FileReader.kind(status.st_mode)), not a regular file")
        }
        guard status.st_size <= limit else {
            throw FileReadError(
                code: .tooLarge,
                context: "`\(path)` has \(status.st_size) bytes; at most \(limit) are read")
        }
        self.descriptor = descriptor
        self.path = path
        self.limit = limit
        self.size = Int(status.st_size)
    }

    /// As many octets, or all that are left if they are fewer.
    mutating func next(_ count: Int) throws(FileReadError) -> [UInt8] {
        let bytes = try read(count, behind: [])
        taken += bytes.count
        return bytes
    }

    /// All octets that are left, behind some that were read before.
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

    /// Reads until `count` octets or the end, into memory that nobody has written before: clearing
    /// it would take a quarter as long as reading.
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
                let got = unsafe Glibc.read(descriptor, base + filled, end - filled)
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

/// Questions about paths that a person named, before anything is opened.
package enum NamedPath {
    /// The absolute path without links: where a unit lies does not depend on how one came there.
    package static func resolve(_ path: String) throws(FileReadError) -> String {
        guard let resolved = unsafe realpath(path, nil) else { throw FileReader.failure(of: path) }
        defer { unsafe free(resolved) }
        return unsafe String(cString: resolved)
    }

    /// Whether a folder stands there.
    package static func isFolder(_ path: String) -> Bool {
        var status = stat()
        return unsafe stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFDIR
    }

    /// Whether every user of the machine may read what stands there, as far as its own mode says.
    package static func isReadableByEveryone(_ path: String) -> Bool {
        var status = stat()
        return unsafe stat(path, &status) == 0 && status.st_mode & S_IROTH != 0
    }

    /// Whether anything stands there, a link that leads nowhere included.
    package static func exists(_ path: String) -> Bool {
        var status = stat()
        return unsafe lstat(path, &status) == 0
    }
}

/// A folder that files are read beneath: it is opened once, every path is walked from it name by
/// name, and no link is followed on the way. What is read beneath it, all readings together, has
/// limits, so that no tree of files takes more time or memory than they allow.
package final class RootFolder: Sendable {
    /// What stands in a folder.
    package struct Entry: Hashable, Sendable {
        /// What an entry is.
        package enum Kind: Hashable, Sendable {
            case regular
            case folder
            /// A symbolic link that leads to a folder.
            case linkToFolder
            /// Another link or a special file, in words.
            case other(String)
        }

        /// Its name, no path.
        package let name: String
        /// What it is; a link stands for itself.
        package let kind: Kind
    }

    /// Most that is read beneath a root.
    package struct Limits: Hashable, Sendable {
        /// Octets of all files together. The default, 256 MiB, is what 10 million keys and values
        /// take (LANGUAGE section 1.6) at some 25 octets each.
        package var octets: Int
        /// Entries of all folders together, each folder as often as it is listed. The default is
        /// some thirty times what a unit of two thousand files has.
        package var entries: Int
        /// Names in a path; the default is beyond what people nest.
        package var depth: Int

        /// Limits; what is left out is the default.
        package init(octets: Int = 256 << 20, entries: Int = 65_536, depth: Int = 32) {
            self.octets = octets
            self.entries = entries
            self.depth = depth
        }
    }

    /// What was read so far.
    package struct Work: Hashable, Sendable {
        /// Octets of files.
        package internal(set) var octets = 0
        /// Entries of folders.
        package internal(set) var entries = 0
    }

    /// The path it was opened by, for messages.
    package let path: String
    /// Most that is read.
    package let limits: Limits
    private let descriptor: Int32
    private let spent = Monitor(Work())

    /// Opens a folder. Links in `path` itself are followed.
    package init(path: String, limits: Limits = Limits()) throws(FileReadError) {
        let descriptor = unsafe Glibc.open(path, O_RDONLY | O_CLOEXEC | O_DIRECTORY)
        guard descriptor >= 0 else { throw FileReader.failure(of: path) }
        self.path = path
        self.limits = limits
        self.descriptor = descriptor
    }

    deinit { close(descriptor) }

    /// What was read so far, at most `limits`; files that are read at the same time may pass it by
    /// one file each.
    package var work: Work { spent.withLock { $0 } }

    /// Reads a file by its path from this folder: names between `/`, none of them `..`.
    package func read(_ path: String, limit: Int) throws(FileReadError) -> [UInt8] {
        let file = try open(path, flags: O_RDONLY | O_NONBLOCK | O_NOCTTY)
        defer { close(file) }
        let left = limits.octets - work.octets
        let bytes: [UInt8]
        do throws(FileReadError) {
            bytes = try FileReader.read(descriptor: file, path: path, limit: min(limit, left))
        } catch {
            guard error.code == .tooLarge, left < limit else { throw error }
            throw FileReadError(
                code: .tooLarge,
                context:
                    "a unit has at most \(limits.octets) bytes in all its files; `\(path)` goes "
                    + "past that")
        }
        spent.withLock { $0.octets += bytes.count }
        return bytes
    }

    /// What stands directly in a folder beneath this one (`""` for itself), sorted by name.
    package func entries(of folder: String) throws(FileReadError) -> [Entry] {
        let file =
            folder.isEmpty
            ? unsafe openat(descriptor, ".", O_RDONLY | O_CLOEXEC | O_DIRECTORY)
            : try open(folder, flags: O_RDONLY | O_DIRECTORY)
        guard file >= 0 else { throw FileReader.failure(of: folder) }
        guard let stream = unsafe fdopendir(file) else {
            let error = FileReader.failure(of: folder)
            close(file)
            throw error
        }
        defer { unsafe closedir(stream) }
        var entries: [Entry] = []
        while true {
            guard let name = unsafe OpenFiles.nextName(in: stream) else {
                guard errno == 0 else { throw FileReader.failure(of: folder) }
                break
            }
            if name == "." || name == ".." { continue }
            let isWithin = spent.withLock { work in
                guard work.entries < limits.entries else { return false }
                work.entries += 1
                return true
            }
            guard isWithin else {
                throw FileReadError(
                    code: .tooLarge,
                    context: "a unit has at most \(limits.entries) files and folders; "
                        + "`\(folder.isEmpty ? "." : folder)` goes past that: keep the policy in a "
                        + "folder of its own")
            }
            guard let kind = try kind(of: name, in: file, folder: folder) else { continue }
            entries.append(Entry(name: name, kind: kind))
        }
        return entries.sorted { $0.name < $1.name }
    }

    /// What an entry is, or nil when it is gone again.
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
        case S_IFLNK:
            var target = stat()
            let leadsToFolder =
                unsafe fstatat(descriptor, name, &target, 0) == 0
                && target.st_mode & S_IFMT == S_IFDIR
            return leadsToFolder ? .linkToFolder : .other(FileReader.kind(status.st_mode))
        default: return .other(FileReader.kind(status.st_mode))
        }
    }

    /// Walks to a path name by name, so that a link on the way, or at its end, is met and not
    /// followed.
    private func open(_ path: String, flags: Int32) throws(FileReadError) -> Int32 {
        let names = path.split(separator: "/", omittingEmptySubsequences: false).map(String.init)
        guard !names.contains(where: { $0.isEmpty || $0 == "." || $0 == ".." }),
            !path.utf8.contains(0)
        else {
            throw FileReadError(
                code: .leavesRoot, context: "`\(path)` is not a path beneath its unit")
        }
        guard names.count <= limits.depth else {
            throw FileReadError(
                code: .tooLarge,
                context: "folders of a unit are nested at most \(limits.depth) deep; those in "
                    + "`\(names[0])` go deeper")
        }
        var current = descriptor
        defer { if current != descriptor { close(current) } }
        for (index, name) in names.enumerated() {
            let isLast = index == names.count - 1
            let mode = (isLast ? flags : O_RDONLY | O_DIRECTORY) | O_NOFOLLOW | O_CLOEXEC
            let next = unsafe openat(current, name, mode)
            guard next >= 0 else { throw failure(at: name, in: current, path: path) }
            if isLast { return next }
            if current != descriptor { close(current) }
            current = next
        }
        throw FileReadError(code: .leavesRoot, context: "an empty path")
    }

    /// O_NOFOLLOW with O_DIRECTORY answers ENOTDIR for a link; say what it is.
    private func failure(at name: String, in folder: Int32, path: String) -> FileReadError {
        let error = FileReader.failure(of: path)
        var status = stat()
        guard unsafe fstatat(folder, name, &status, AT_SYMLINK_NOFOLLOW) == 0,
            status.st_mode & S_IFMT != S_IFREG, status.st_mode & S_IFMT != S_IFDIR
        else { return error }
        let place = name == path ? "" : " on the way to `\(path)`"
        return FileReadError(
            code: .notRegular, context: "`\(name)`\(place) is \(FileReader.kind(status.st_mode))")
    }
}
