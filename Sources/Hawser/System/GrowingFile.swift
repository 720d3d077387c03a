import CLibC

/// A file that one thread appends to. What was written before `sync` outlives a loss of power.
package final class GrowingFile: Sendable {
    private let path: String
    private let descriptor: Int32

    /// Why a file cannot be written. Lower case, no full stop.
    package struct Problem: Error, Hashable, Sendable {
        package let context: String
    }

    /// Makes a file anew; what has the name already is emptied, unless `isNew`: then it is refused.
    package init(making path: String, isNew: Bool = false) throws(Problem) {
        self.path = path
        let mode = isNew ? O_EXCL : O_TRUNC
        descriptor = unsafe open(path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOCTTY | mode, 0o644)
        guard descriptor >= 0 else { throw GrowingFile.problem(path) }
    }

    /// Opens a file that was written before, to append behind its first `octets`. What stands there
    /// already is looked at by `tail`, and cut off by `cut`.
    package init(continuing path: String) throws(Problem) {
        self.path = path
        descriptor = unsafe open(path, O_RDWR | O_CLOEXEC | O_NOCTTY | O_NOFOLLOW)
        guard descriptor >= 0 else { throw GrowingFile.problem(path) }
        guard (try? size()) != nil else {
            close(descriptor)
            throw Problem(context: "`\(path)` is no regular file")
        }
    }

    deinit { close(descriptor) }

    /// Appends octets.
    package func append(_ octets: [UInt8]) throws(Problem) {
        guard OpenFiles.write(octets[...], to: descriptor) else { throw GrowingFile.problem(path) }
    }

    /// The octets of the file.
    package func size() throws(Problem) -> Int {
        var status = stat()
        guard unsafe fstat(descriptor, &status) == 0 else { throw GrowingFile.problem(path) }
        guard status.st_mode & S_IFMT == S_IFREG else {
            throw Problem(context: "`\(path)` is no regular file")
        }
        return Int(status.st_size)
    }

    /// The last octets before an offset; fewer where the file has fewer.
    package func tail(_ count: Int, before offset: Int) throws(Problem) -> [UInt8] {
        var octets = [UInt8](repeating: 0, count: min(count, offset))
        var filled = 0
        while filled < octets.count {
            let got = unsafe octets.withUnsafeMutableBytes { part in
                unsafe pread(
                    descriptor, part.baseAddress?.advanced(by: filled), part.count - filled,
                    off_t(offset - part.count + filled))
            }
            if got < 0, errno == EINTR { continue }
            guard got > 0 else { throw GrowingFile.problem(path) }
            filled += got
        }
        return octets
    }

    /// Cuts off everything behind an offset, and appends there from now on.
    package func cut(to octets: Int) throws(Problem) {
        guard ftruncate(descriptor, off_t(octets)) == 0,
            lseek(descriptor, off_t(octets), SEEK_SET) == octets
        else { throw GrowingFile.problem(path) }
    }

    /// Writes to the disk what was appended.
    package func sync() throws(Problem) {
        guard hwlibc_fsync(descriptor) == 0 else { throw GrowingFile.problem(path) }
    }

    /// Writes to the disk which names the folder of a file has.
    package static func syncFolder(of path: String) throws(Problem) {
        let parts = path.split(separator: "/", omittingEmptySubsequences: false)
        let folder = parts.count > 1 ? parts.dropLast().joined(separator: "/") + "/" : "."
        let file = unsafe open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard file >= 0 else { throw problem(folder) }
        defer { close(file) }
        guard hwlibc_fsync(file) == 0 else { throw problem(folder) }
    }

    private static func problem(_ path: String) -> Problem {
        let reason = unsafe String(cString: strerror(errno))
        return Problem(context: "`\(path)` cannot be written: \(reason)")
    }
}
