#if Serve
import CLibC

/// Why the server has no socket to listen on. Lower case, no full stop.
struct ListeningProblem: Error, Hashable, Sendable {
    /// What was found.
    let context: String

    init(_ context: String) { self.context = context }

    /// A call of the system that failed.
    init(_ what: String, code: Int32) {
        context = "\(what): \(unsafe String(cString: strerror(code)))"
    }
}

/// A socket that takes connections.
struct ListeningSocket {
    enum Kind: Hashable, Sendable {
        /// A Unix socket; the group of its file, where it has one.
        case unix(group: UInt32?)
        /// TCP on loopback, with its port.
        case loopback(port: Int)
    }

    let descriptor: Int32
    let kind: Kind
    /// The file that was made, and the lock beside it, which is held until the process ends.
    private let made: (path: String, device: UInt, inode: UInt)?
    private let lock: Int32?

    static let backlog: Int32 = 1_024

    // MARK: A Unix socket

    /// Makes a Unix socket at a path, with mode 0660. A socket that a server left behind is
    /// replaced in one step: at no moment is the path without a socket, and at no moment has the
    /// socket another mode or group.
    init(path: String, group: UInt32?) throws(ListeningProblem) {
        guard path.utf8.first == UInt8(ascii: "/") else {
            throw ListeningProblem("`\(path)` is to be an absolute path")
        }
        try ListeningSocket.checkFolder(of: path)
        lock = try ListeningSocket.lock("\(path).lock", for: path)
        try ListeningSocket.checkFile(path)
        let new = "\(path).new"
        guard new.utf8.count < ListeningSocket.longestPath else {
            throw ListeningProblem(
                "`\(path)` is too long: at most \(ListeningSocket.longestPath - 5) octets")
        }
        _ = unsafe unlink(new)
        let descriptor = hwlibc_socket(AF_UNIX, SOCK_STREAM, 0, false)
        guard descriptor >= 0 else { throw ListeningProblem("a Unix socket", code: errno) }
        let before = umask(0o177)
        let bound = ListeningSocket.bind(descriptor, new)
        umask(before)
        guard bound else { throw ListeningProblem("binding `\(path)`", code: errno) }
        if let group, unsafe chown(new, uid_t.max, group) != 0 {
            throw ListeningProblem("giving `\(path)` to group \(group)", code: errno)
        }
        guard unsafe chmod(new, 0o660) == 0 else {
            throw ListeningProblem("the mode of `\(path)`", code: errno)
        }
        guard listen(descriptor, ListeningSocket.backlog) == 0 else {
            throw ListeningProblem("listening on `\(path)`", code: errno)
        }
        guard unsafe rename(new, path) == 0, let file = ListeningSocket.look(path) else {
            throw ListeningProblem("putting a socket at `\(path)`", code: errno)
        }
        made = (path, UInt(file.st_dev), UInt(file.st_ino))
        self.descriptor = descriptor
        kind = .unix(group: file.st_gid)
    }

    /// The room for a path, its final zero included.
    private static let longestPath = 108

    /// Refuses a folder in which others could put their own socket in place of ours: whoever
    /// listens there decides what callers take for verdicts.
    private static func checkFolder(of path: String) throws(ListeningProblem) {
        let end = path.lastIndex(of: "/") ?? path.startIndex
        let folder = end == path.startIndex ? "/" : String(path[..<end])
        var file = stat()
        guard unsafe stat(folder, &file) == 0 else {
            throw ListeningProblem("`\(folder)`, where the socket is to be", code: errno)
        }
        let isSticky = file.st_mode & S_ISVTX != 0
        guard isSticky || file.st_mode & 0o002 == 0 else {
            throw ListeningProblem(
                "every user may write to `\(folder)`, so anybody could put another socket in "
                    + "place of this one")
        }
        guard file.st_uid == 0 || file.st_uid == Accounts.own else {
            throw ListeningProblem(
                "`\(folder)` belongs to user \(file.st_uid), who could put another socket in "
                    + "place of this one")
        }
    }

    /// Takes the lock beside the socket. It says whether a server listens: a socket's file is
    /// left behind by a server that was killed.
    private static func lock(
        _ name: String, for path: String
    ) throws(ListeningProblem) -> Int32 {
        let flags = O_CREAT | O_RDWR | O_CLOEXEC | O_NOFOLLOW
        let descriptor = unsafe open(name, flags, 0o600)
        guard descriptor >= 0 else { throw ListeningProblem("`\(name)`", code: errno) }
        guard flock(descriptor, LOCK_EX | LOCK_NB) == 0 else {
            let code = errno
            close(descriptor)
            guard code == EWOULDBLOCK else { throw ListeningProblem("`\(name)`", code: code) }
            throw ListeningProblem("another server has the socket `\(path)`")
        }
        return descriptor
    }

    /// Refuses a path at which something else stands, or at which somebody listens without our
    /// lock.
    private static func checkFile(_ path: String) throws(ListeningProblem) {
        guard let file = look(path) else {
            guard errno == ENOENT else { throw ListeningProblem("`\(path)`", code: errno) }
            return
        }
        guard file.st_mode & S_IFMT == S_IFSOCK else {
            throw ListeningProblem("`\(path)` is there and is no socket")
        }
        let probe = hwlibc_socket(AF_UNIX, SOCK_STREAM, 0, false)
        guard probe >= 0 else { throw ListeningProblem("a Unix socket", code: errno) }
        defer { close(probe) }
        let isAnswered = unsafe withAddress(path) { address, length in
            unsafe CLibC.connect(probe, address, length) == 0
        }
        guard !isAnswered else {
            throw ListeningProblem("another program listens at `\(path)`")
        }
    }

    private static func look(_ path: String) -> stat? {
        var file = stat()
        return unsafe lstat(path, &file) == 0 ? file : nil
    }

    private static func bind(_ descriptor: Int32, _ path: String) -> Bool {
        unsafe withAddress(path) { address, length in
            unsafe CLibC.bind(descriptor, address, length) == 0
        }
    }

    /// The path is shorter than `longestPath`, or the call fails.
    private static func withAddress(
        _ path: String, _ body: (UnsafePointer<sockaddr>, socklen_t) -> Bool
    ) -> Bool {
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        let octets = Array(path.utf8)
        guard octets.count < longestPath else {
            errno = ENAMETOOLONG
            return false
        }
        unsafe withUnsafeMutableBytes(of: &address.sun_path) { room in
            unsafe room.copyBytes(from: octets)
        }
        return unsafe withUnsafePointer(to: &address) { pointer in
            unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { pointer in
                unsafe body(pointer, socklen_t(MemoryLayout<sockaddr_un>.size))
            }
        }
    }

    /// Takes the socket's file away, where it is still the one that was made.
    func remove() {
        guard let made, let file = ListeningSocket.look(made.path),
            UInt(file.st_dev) == made.device, UInt(file.st_ino) == made.inode
        else { return }
        _ = unsafe unlink(made.path)
    }

    // MARK: TCP

    /// Makes a TCP socket at 127.0.0.1 or ::1. Port 0 takes any that is free.
    init(loopbackPort: Int, isIPv6: Bool) throws(ListeningProblem) {
        let name = (isIPv6 ? "[::1]:" : "127.0.0.1:") + String(loopbackPort)
        let descriptor = hwlibc_socket(
            isIPv6 ? AF_INET6 : AF_INET, SOCK_STREAM, 0, false)
        guard descriptor >= 0 else { throw ListeningProblem("a TCP socket", code: errno) }
        var yes: Int32 = 1
        _ = unsafe setsockopt(descriptor, SOL_SOCKET, SO_REUSEADDR, &yes, 4)
        let port = in_port_t(UInt16(truncatingIfNeeded: loopbackPort)).bigEndian
        let status: Int32
        if isIPv6 {
            var address = sockaddr_in6()
            address.sin6_family = sa_family_t(AF_INET6)
            address.sin6_port = port
            unsafe withUnsafeMutableBytes(of: &address.sin6_addr) { unsafe $0[15] = 1 }
            let length = socklen_t(MemoryLayout<sockaddr_in6>.size)
            status = unsafe withUnsafePointer(to: &address) { pointer in
                unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { pointer in
                    unsafe CLibC.bind(descriptor, pointer, length)
                }
            }
        } else {
            var address = sockaddr_in()
            address.sin_family = sa_family_t(AF_INET)
            address.sin_port = port
            address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
            let length = socklen_t(MemoryLayout<sockaddr_in>.size)
            status = unsafe withUnsafePointer(to: &address) { pointer in
                unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { pointer in
                    unsafe CLibC.bind(descriptor, pointer, length)
                }
            }
        }
        guard status == 0, listen(descriptor, ListeningSocket.backlog) == 0 else {
            throw ListeningProblem("listening on \(name)", code: errno)
        }
        try self.init(handedOver: descriptor)
    }

    // MARK: Sockets that are handed over

    /// The descriptors that systemd hands over (sd_listen_fds(3)), and takes them out of the
    /// environment. Empty where none are for this process.
    static func handedOver() -> [Int32] {
        guard let pid = environment("LISTEN_PID"), Int32(pid) == getpid(),
            let text = environment("LISTEN_FDS"), let count = Int32(text),
            (1...64).contains(count)
        else { return [] }
        for name in ["LISTEN_PID", "LISTEN_FDS", "LISTEN_FDNAMES"] { _ = unsafe unsetenv(name) }
        return (3..<3 + count).map { descriptor in
            _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
            return descriptor
        }
    }

    /// Takes a socket that another program opened. A TCP socket must be on loopback.
    init(handedOver descriptor: Int32) throws(ListeningProblem) {
        made = nil
        lock = nil
        self.descriptor = descriptor
        var type: Int32 = 0
        var length = socklen_t(MemoryLayout<Int32>.size)
        guard unsafe getsockopt(descriptor, SOL_SOCKET, SO_TYPE, &type, &length) == 0,
            type == SOCK_STREAM
        else {
            throw ListeningProblem(
                "descriptor \(descriptor), which was handed over, is no stream socket")
        }
        var storage = sockaddr_storage()
        length = socklen_t(MemoryLayout<sockaddr_storage>.size)
        let status = unsafe withUnsafeMutablePointer(to: &storage) { pointer in
            unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { pointer in
                unsafe getsockname(descriptor, pointer, &length)
            }
        }
        guard status == 0 else {
            throw ListeningProblem("descriptor \(descriptor)", code: errno)
        }
        let octets = unsafe withUnsafeBytes(of: &storage) { unsafe Array($0) }
        switch Int32(storage.ss_family) {
        case AF_UNIX:
            let path = octets.dropFirst(2).prefix(Int(length) - 2).prefix { $0 != 0 }
            let file = ListeningSocket.look(String(decoding: path, as: UTF8.self))
            kind = .unix(group: file?.st_gid)
        case AF_INET where octets[4] == 127:
            kind = .loopback(port: Int(octets[2]) << 8 | Int(octets[3]))
        case AF_INET6 where octets[8..<23].allSatisfy({ $0 == 0 }) && octets[23] == 1:
            kind = .loopback(port: Int(octets[2]) << 8 | Int(octets[3]))
        default:
            throw ListeningProblem(
                "descriptor \(descriptor), which was handed over, is neither a Unix socket nor "
                    + "TCP on loopback")
        }
    }

    private static func environment(_ name: String) -> String? {
        guard let value = unsafe getenv(name) else { return nil }
        return unsafe String(cString: value)
    }
}
#endif
