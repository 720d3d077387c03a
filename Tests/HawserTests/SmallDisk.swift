import Foundation

/// A file system of its own in memory, which a test fills up; unmounted when the test is over.
final class SmallDisk {
    /// Where it is mounted: a folder that only its owner may use.
    let path: String
    private let folder: TemporaryFolder

    /// Whether this process may mount. In a container it often may not, even as root.
    static let isPossible: Bool = (try? SmallDisk(kilobytes: 64)) != nil

    /// Mounts it. `kilobytes` is a multiple of 4.
    init(kilobytes: Int) throws {
        folder = try TemporaryFolder()
        path = folder.at("disk")
        try folder.folder("disk")
        guard mount("hawser-test", path, "tmpfs", 0, "size=\(kilobytes)k,mode=700") == 0 else {
            throw POSIXError(POSIXErrorCode(rawValue: errno) ?? .EPERM)
        }
    }

    deinit { umount2(path, 2) }

    func at(_ name: String) -> String { "\(path)/\(name)" }

    /// Writes a file until nothing more fits.
    func fill() {
        let file = open(at("fill"), O_WRONLY | O_CREAT | O_APPEND, 0o600)
        let octets = [UInt8](repeating: 1, count: 1_024)
        while write(file, octets, octets.count) > 0 {}
        close(file)
    }

    /// Gives the room back.
    func empty() { unlink(at("fill")) }
}
