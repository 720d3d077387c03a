import CLibC

/// Reads and writes files of the repository. Paths are relative to the repository's root.
enum TextFile {
    /// The bytes of a file; empty when the file does not exist.
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

    /// Replaces the content of a file, or makes the file.
    static func write(_ bytes: [UInt8], to path: String) throws(ContractProblem) {
        guard let file = unsafe fopen(path, "wb") else { throw problem(path) }
        let count = unsafe fwrite(bytes, 1, bytes.count, file)
        guard unsafe fclose(file) == 0, count == bytes.count else { throw problem(path) }
    }

    private static func problem(_ path: String) -> ContractProblem {
        ContractProblem(message: "\(path): \(unsafe String(cString: strerror(errno)))")
    }
}
