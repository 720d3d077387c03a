import CLibC
import EvidenceServer

/// A port of loopback that takes connections and then says nothing, or hangs up at once.
final class SilentListener: Sendable {
    let port: UInt16
    private let descriptor: Int32

    init() {
        (descriptor, port) = Loopback.listen(backlog: 4)
    }

    deinit { close(descriptor) }

    /// Takes one connection and sends octets that are not TLS.
    func greetOnce() {
        let connection = accept(descriptor, nil, nil)
        guard connection >= 0 else { return }
        let greeting = Array("220 mail.acme.example ESMTP ready\r\n".utf8)
        _ = write(connection, greeting, greeting.count)
        var buffer = [UInt8](repeating: 0, count: 1_024)
        _ = read(connection, &buffer, buffer.count)
        close(connection)
    }

    /// Takes one connection and closes it.
    func hangUpOnce() {
        let connection = accept(descriptor, nil, nil)
        if connection >= 0 { close(connection) }
    }
}
