import CLibC

/// A mark that shows whether a file has changed, without reading the file.
struct FileMark: Hashable, Sendable {
    private let device: UInt64
    private let inode: UInt64
    private let size: Int64
    private let modified: Instant
    private let changed: Instant

    private struct Instant: Hashable, Sendable {
        let seconds: Int
        let nanoseconds: Int

        init(_ time: timespec) {
            seconds = time.tv_sec
            nanoseconds = time.tv_nsec
        }
    }

    init(_ status: stat) {
        device = UInt64(truncatingIfNeeded: status.st_dev)
        inode = UInt64(status.st_ino)
        size = Int64(status.st_size)
        modified = Instant(hwlibc_modified(status))
        changed = Instant(hwlibc_changed(status))
    }

    /// Whether every later write gives the file another mark. File systems count time in steps:
    /// some milliseconds here, and two seconds on FAT. A file that changed within the last step may
    /// change again and keep its mark.
    func isSettled() -> Bool { changed.seconds + FileMark.coarsestStep < time(nil) }

    private static let coarsestStep = 2
}

/// Looks at a file that may be replaced, or written in place, at any moment.
enum FileLook {
    /// The mark of the file that a path leads to now.
    static func mark(_ path: String) throws(FileReadError) -> FileMark {
        var status = stat()
        guard unsafe stat(path, &status) == 0 else { throw FileReader.failure(of: path) }
        return FileMark(status)
    }

    /// Opens the file once and reads the whole file. The mark is taken before the reading. A writer
    /// that writes meanwhile leaves another mark, so the file is read again.
    static func read(
        _ path: String, limit: Int
    ) throws(FileReadError) -> (bytes: [UInt8], mark: FileMark, isSettled: Bool) {
        let descriptor = unsafe open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY)
        guard descriptor >= 0 else { throw FileReader.failure(of: path) }
        defer { close(descriptor) }
        var status = stat()
        guard unsafe fstat(descriptor, &status) == 0 else { throw FileReader.failure(of: path) }
        let mark = FileMark(status)
        let isSettled = mark.isSettled()
        let bytes = try FileReader.read(descriptor: descriptor, path: path, limit: limit)
        return (bytes, mark, isSettled)
    }

    /// The path that a path leads to, with links resolved; nil when it leads nowhere.
    static func target(_ path: String) -> String? {
        guard let resolved = unsafe realpath(path, nil) else { return nil }
        defer { unsafe free(resolved) }
        return unsafe String(cString: resolved)
    }
}
