import CLibC

/// Writes to open files, and lists open folders.
package enum OpenFiles {
    /// Writes all octets, and continues after an interruption. Returns false when the system takes
    /// no more.
    package static func write(_ octets: ArraySlice<UInt8>, to descriptor: Int32) -> Bool {
        var offset = 0
        while offset < octets.count {
            let count = unsafe octets.withUnsafeBytes { buffer in
                unsafe CLibC.write(
                    descriptor, buffer.baseAddress?.advanced(by: offset), buffer.count - offset)
            }
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { return false }
            offset += count
        }
        return true
    }

    /// The next name in a folder, `.` and `..` included. Nil at the end, with `errno` 0, and nil
    /// after a failure, with another `errno`.
    static func nextName(in folder: UnsafeMutableRawPointer) -> String? {
        unsafe hwlibc_folder_next(folder).map { unsafe String(cString: $0) }
    }
}
