import Glibc

/// A port of loopback that takes connections and then says nothing, or hangs up at once.
final class SilentListener: Sendable {
    let port: UInt16
    private let descriptor: Int32

    init() {
        let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = UInt32(0x7f00_0001).bigEndian
        var size = socklen_t(MemoryLayout<sockaddr_in>.size)
        let isBound = withUnsafeMutablePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
                bind(descriptor, address, size) == 0 && listen(descriptor, 4) == 0
                    && getsockname(descriptor, address, &size) == 0
            }
        }
        precondition(isBound, "no port on loopback")
        self.descriptor = descriptor
        self.port = UInt16(bigEndian: address.sin_port)
    }

    deinit { close(descriptor) }

    /// Takes one connection and closes it.
    func hangUpOnce() {
        let connection = accept(descriptor, nil, nil)
        if connection >= 0 { close(connection) }
    }
}
