import EvidenceServer
import Glibc

/// A port of loopback that takes connections and then says nothing, or hangs up at once.
final class SilentListener: Sendable {
    let port: UInt16
    private let descriptor: Int32

    init() {
        (descriptor, port) = Loopback.listen(backlog: 4)
    }

    deinit { close(descriptor) }

    /// Takes one connection and closes it.
    func hangUpOnce() {
        let connection = accept(descriptor, nil, nil)
        if connection >= 0 { close(connection) }
    }
}
