import CLibC

/// A file or a stream that is read piece by piece, however long it is. One thread reads it.
package final class OctetSource: Sendable {
    /// The source in words, for messages.
    private let name: String
    private let descriptor: Int32
    private let isOwned: Bool
    /// Whether every piece is full but the last: the source is a regular file.
    package let isRegular: Bool
    /// Octets of the file when it was opened; nil for a stream.
    package let size: Int?

    /// Opens a regular file, or a FIFO, for example of a process substitution.
    package init(path: String) throws(FileReadError) {
        // A FIFO blocks here until somebody writes to it, as for every other program.
        descriptor = unsafe open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY)
        guard descriptor >= 0 else { throw FileReader.failure(of: path) }
        isOwned = true
        name = "`\(path)`"
        var status = stat()
        guard unsafe fstat(descriptor, &status) == 0 else {
            let failure = FileReader.failure(of: path)
            close(descriptor)
            throw failure
        }
        isRegular = status.st_mode & S_IFMT == S_IFREG
        size = isRegular ? Int(status.st_size) : nil
        guard isRegular || status.st_mode & S_IFMT == S_IFIFO else {
            close(descriptor)
            throw FileReadError(
                code: .notRegular,
                context: "`\(path)` is \(FileReader.kind(status.st_mode)), and rows are read from "
                    + "files and FIFOs")
        }
    }

    /// A stream that is open already, and stays open.
    package init(descriptor: Int32, name: String) {
        self.descriptor = descriptor
        self.name = name
        isOwned = false
        isRegular = false
        size = nil
    }

    deinit { if isOwned { close(descriptor) } }

    /// Appends at most `most` octets to `buffer`, and returns their number: 0 at the end. For a
    /// regular file it is `most`, except at the end. For a stream it is the number of octets that
    /// are there; when none are there, the call waits.
    package func read(_ most: Int, into buffer: inout [UInt8]) throws(FileReadError) -> Int {
        let before = buffer.count
        buffer.reserveCapacity(before + most)
        var piece = [UInt8](repeating: 0, count: most)
        var filled = 0
        while filled < most {
            let count = unsafe piece.withUnsafeMutableBytes { part in
                unsafe CLibC.read(
                    descriptor, part.baseAddress?.advanced(by: filled), part.count - filled)
            }
            if count < 0, errno == EINTR { continue }
            if count < 0, errno == EAGAIN {
                var wanted = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
                _ = unsafe poll(&wanted, 1, -1)
                continue
            }
            guard count >= 0 else {
                throw FileReadError(
                    code: .unreadable,
                    context: "\(name): \(unsafe String(cString: strerror(errno)))")
            }
            filled += count
            if count == 0 || !isRegular { break }
        }
        buffer += piece[..<filled]
        return filled
    }

    /// The first line feed of a text from an index on; nil where there is none.
    package static func lineFeed(in text: [UInt8], from start: Int) -> Int? {
        guard start < text.count else { return nil }
        return unsafe text.withUnsafeBytes { octets in
            guard let base = octets.baseAddress,
                let found = unsafe memchr(base + start, 0x0A, octets.count - start)
            else { return nil }
            return unsafe base.distance(to: UnsafeRawPointer(found))
        }
    }
}
