import CLibC
// The members of `sockaddr_in`: other files of this module import Foundation, and release builds
// then find these members in the C library that Foundation exports.
import Foundation

/// Sockets that nobody outside this machine can reach.
public enum Loopback {
    /// A socket that listens on a free port of 127.0.0.1; the caller closes it.
    public static func listen(backlog: Int32) -> (descriptor: Int32, port: UInt16) {
        let descriptor = socket(AF_INET, SOCK_STREAM, 0)
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = UInt32(0x7f00_0001).bigEndian
        var size = socklen_t(MemoryLayout<sockaddr_in>.size)
        let isBound = withUnsafeMutablePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
                bind(descriptor, address, size) == 0 && CLibC.listen(descriptor, backlog) == 0
                    && getsockname(descriptor, address, &size) == 0
            }
        }
        precondition(isBound, "no port on loopback")
        return (descriptor, UInt16(bigEndian: address.sin_port))
    }
}
