import Glibc

/// Files of the repository, by their path from its root.
enum TextFile {
    /// The bytes of a file; none for one that is absent.
    static func read(_ path: String) throws(ContractProblem) -> [UInt8] {
        guard let file = unsafe fopen(path, "rb") else {
            guard errno == ENOENT else { throw problem(path) }
            return []
        }
        defer { unsafe fclose(file) }
        var bytes: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 1 << 16)
        while true {
            let count = unsafe fread(&buffer, 1, buffer.count, file)
            bytes += buffer[..<count]
            if count < buffer.count { break }
        }
        guard unsafe ferror(file) == 0 else { throw problem(path) }
        return bytes
    }

    /// Replaces a file.
    static func write(_ bytes: [UInt8], to path: String) throws(ContractProblem) {
        guard let file = unsafe fopen(path, "wb") else { throw problem(path) }
        let count = unsafe fwrite(bytes, 1, bytes.count, file)
        guard unsafe fclose(file) == 0, count == bytes.count else { throw problem(path) }
    }

    private static func problem(_ path: String) -> ContractProblem {
        ContractProblem(message: "\(path): \(unsafe String(cString: strerror(errno)))")
    }
}
