#if Serve
import CLibC

/// Reports the server's state to systemd (sd_notify(3)). Without systemd nothing is sent.
struct SystemdNotices: Sendable {
    private let address: [UInt8]?

    /// Reads where to tell it, and takes that out of the environment.
    init() {
        guard let value = unsafe getenv("NOTIFY_SOCKET") else {
            address = nil
            return
        }
        let path = Array(unsafe String(cString: value).utf8)
        _ = unsafe unsetenv("NOTIFY_SOCKET")
        let isPath = path.first == UInt8(ascii: "/") || path.first == UInt8(ascii: "@")
        address = isPath && path.count < 108 ? path : nil
    }

    /// Sends one state, such as `READY=1`. A notice that systemd does not receive is lost.
    func tell(_ state: String) {
        guard var octets = address else { return }
        // An address outside the file system begins with a zero (unix(7)).
        if octets[0] == UInt8(ascii: "@") { octets[0] = 0 }
        var target = sockaddr_un()
        target.sun_family = sa_family_t(AF_UNIX)
        unsafe withUnsafeMutableBytes(of: &target.sun_path) { room in
            unsafe room.copyBytes(from: octets)
        }
        let descriptor = hwlibc_socket(AF_UNIX, SOCK_DGRAM, 0, false)
        guard descriptor >= 0 else { return }
        defer { close(descriptor) }
        let text = Array(state.utf8)
        let length = socklen_t(MemoryLayout<sa_family_t>.size + octets.count)
        _ = unsafe withUnsafePointer(to: &target) { pointer in
            unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { pointer in
                unsafe sendto(
                    descriptor, text, text.count, Int32(MSG_NOSIGNAL), pointer, length)
            }
        }
    }
}
#endif
