import Glibc

/// What is done alike with open files and folders, wherever one is written or listed.
package enum OpenFiles {
    /// Writes octets to their end, whatever interrupts; false where the system takes no more.
    package static func write(_ octets: ArraySlice<UInt8>, to descriptor: Int32) -> Bool {
        var offset = 0
        while offset < octets.count {
            let count = unsafe octets.withUnsafeBytes { buffer in
                unsafe Glibc.write(
                    descriptor, buffer.baseAddress?.advanced(by: offset), buffer.count - offset)
            }
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { return false }
            offset += count
        }
        return true
    }

    /// The next name in a folder, `.` and `..` among them; nil at the end, and where `errno` is not
    /// 0 after a failure.
    static func nextName(in stream: OpaquePointer) -> String? {
        // The end and a failure look alike but for the number.
        errno = 0
        guard let item = unsafe readdir(stream) else { return nil }
        return unsafe withUnsafePointer(to: &item.pointee.d_name) { field in
            unsafe field.withMemoryRebound(to: CChar.self, capacity: 256) {
                unsafe String(cString: $0)
            }
        }
    }
}
