// The folder is watched, and not the file: a file that is replaced by a rename is another file, and
// a notice about the old one never comes. inotify reports names in a folder. What a name leads to
// is looked up each time.

import Glibc

/// Wakes a thread that waits in `DirectoryWatch.wait` or in `WakeUp.wait`.
final class WakeUp: Sendable {
    fileprivate let reading: Int32
    private let writing: Int32

    /// Nil when the system has no descriptors left.
    init?() {
        var ends: [Int32] = [-1, -1]
        let status = unsafe ends.withUnsafeMutableBufferPointer { buffer -> Int32 in
            guard let base = buffer.baseAddress else { return -1 }
            // Both ends have the close-on-exec flag from the beginning. A pipe would get the flag
            // here only a moment later.
            let kind = SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue | SOCK_NONBLOCK.rawValue
            return unsafe socketpair(AF_UNIX, Int32(kind), 0, base)
        }
        guard status == 0 else { return nil }
        reading = ends[0]
        writing = ends[1]
    }

    deinit {
        close(reading)
        close(writing)
    }

    /// Wakes the thread that waits now or that waits next. A full buffer wakes it too.
    func wake() {
        let octet: [UInt8] = [0]
        _ = unsafe octet.withUnsafeBytes { unsafe write(writing, $0.baseAddress, 1) }
    }

    /// Waits until it is woken, or for this number of milliseconds.
    func wait(milliseconds: Int) { _ = wait(milliseconds: milliseconds, beside: -1) }

    /// Waits until it is woken, until a descriptor can be read, or for this number of milliseconds.
    /// Returns whether the descriptor can be read.
    fileprivate func wait(milliseconds: Int, beside other: Int32) -> Bool {
        var waited = [
            pollfd(fd: reading, events: Int16(POLLIN), revents: 0),
            pollfd(fd: other, events: Int16(POLLIN), revents: 0),
        ]
        _ = unsafe waited.withUnsafeMutableBufferPointer { buffer in
            unsafe poll(buffer.baseAddress, 2, Int32(clamping: milliseconds))
        }
        var octets = [UInt8](repeating: 0, count: 64)
        while unsafe octets.withUnsafeMutableBytes({
            unsafe read(reading, $0.baseAddress, $0.count)
        }) > 0 {}
        return waited[1].revents != 0
    }
}

/// The system's notices about files in folders.
final class DirectoryWatch {
    /// How much of a route is watched.
    enum Coverage: Hashable {
        /// Every folder is watched.
        case complete
        /// A folder of the route does not exist, so the file does not exist either.
        case missing
        /// The system gives no notices about this folder, for this reason.
        case refused(folder: String, reason: String)
    }

    /// What the notices of a wait say, from the least to the most.
    enum Notice: Int, Comparable {
        case nothing
        /// A name on the way to the file has changed. The file may be another one.
        case near
        /// A name that stands for the file itself has changed, or notices were lost. The file must
        /// be read.
        case file

        static func < (left: Notice, right: Notice) -> Bool { left.rawValue < right.rawValue }
    }

    private let descriptor: Int32
    /// What a change of a name says, by the watch of the name's folder.
    private var watched: [Int32: [String: Notice]] = [:]

    /// Makes a watch; throws when the system gives no notices.
    init() throws(SourceFailure) {
        descriptor = inotify_init1(Int32(IN_NONBLOCK) | Int32(IN_CLOEXEC))
        guard descriptor >= 0 else {
            let reason = DirectoryWatch.text(errno)
            let help =
                errno == EMFILE
                ? ": this user's limit is `sysctl fs.inotify.max_user_instances`" : ""
            throw SourceFailure(
                code: "no-notices", context: "the system gives no notices (\(reason))\(help)")
        }
    }

    deinit { close(descriptor) }

    /// Watches the folders of a route, as they are now, and no others. A folder that has replaced
    /// another one is watched in its place.
    func watch(_ route: FileRoute) -> Coverage {
        var found: [Int32: [String: Notice]] = [:]
        var coverage = Coverage.complete
        for step in route.steps {
            let watch = unsafe inotify_add_watch(descriptor, step.folder, DirectoryWatch.events)
            if watch >= 0 {
                let notice = max(found[watch]?[step.name] ?? .nothing, step.isFile ? .file : .near)
                found[watch, default: [:]][step.name] = notice
            } else if errno == ENOENT || errno == ENOTDIR {
                if coverage == .complete { coverage = .missing }
            } else {
                coverage = .refused(folder: step.folder, reason: DirectoryWatch.text(errno))
            }
        }
        for old in watched.keys where found[old] == nil { inotify_rm_watch(descriptor, old) }
        watched = found
        return coverage
    }

    private static func text(_ number: Int32) -> String { unsafe String(cString: strerror(number)) }

    /// Waits for a notice, until it is woken, or for this number of milliseconds. Notices that came
    /// together count as one.
    func wait(milliseconds: Int, _ wakeUp: WakeUp) -> Notice {
        guard wakeUp.wait(milliseconds: milliseconds, beside: descriptor) else { return .nothing }
        var notice = Notice.nothing
        var buffer = [UInt8](repeating: 0, count: 64 << 10)
        while true {
            let count = unsafe buffer.withUnsafeMutableBytes {
                unsafe read(descriptor, $0.baseAddress, $0.count)
            }
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { return notice }
            notice = max(notice, judge(buffer[..<min(count, buffer.count)]))
        }
    }

    /// Reads a run of notices. A notice has a watch, a mask, a cookie and a length of four octets
    /// each, and then a name that is filled up with zeros.
    func judge(_ octets: ArraySlice<UInt8>) -> Notice {
        func number(_ offset: Int) -> UInt32 {
            var value: UInt32 = 0
            for index in 0..<4 { value |= UInt32(octets[offset + index]) << UInt32(8 * index) }
            return UInt32(littleEndian: value)
        }
        var notice = Notice.nothing
        var offset = octets.startIndex
        while octets.endIndex - offset >= DirectoryWatch.headSize {
            let watch = Int32(bitPattern: number(offset))
            let mask = number(offset + 4)
            let end = offset + DirectoryWatch.headSize + Int(number(offset + 12))
            guard end <= octets.endIndex else { return .file }
            let name = octets[(offset + DirectoryWatch.headSize)..<end].prefix { $0 != 0 }
            offset = end
            guard mask & UInt32(IN_Q_OVERFLOW) == 0 else { return .file }
            // A notice about a folder that is not watched any more says nothing new.
            guard let names = watched[watch] else { continue }
            // A notice without a name is about the folder itself.
            let told = name.isEmpty ? .near : names[String(decoding: name, as: UTF8.self)]
            notice = max(notice, told ?? .nothing)
        }
        return notice
    }

    /// The events that are watched: a link is made, a file is renamed into place, a writer closes a
    /// file, an entry is removed, or the folder itself goes away.
    private static let events =
        UInt32(IN_MOVED_TO) | UInt32(IN_CLOSE_WRITE) | UInt32(IN_CREATE) | UInt32(IN_DELETE)
        | UInt32(IN_MOVED_FROM) | UInt32(IN_DELETE_SELF) | UInt32(IN_MOVE_SELF)
        | UInt32(IN_ONLYDIR)
    private static let headSize = 16
}
