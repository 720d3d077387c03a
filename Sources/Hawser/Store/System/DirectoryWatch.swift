// Folders are watched, and not the file: a file that is replaced by a rename is another file, and a
// notice on the old one never comes. inotify tells of names in a folder; what they lead to is
// looked up afresh.

import Glibc

/// Wakes a thread that waits in `DirectoryWatch.wait`, or in `wait` of its own.
final class WakeUp: Sendable {
    fileprivate let reading: Int32
    private let writing: Int32

    /// Nil when the system has no descriptors left.
    init?() {
        var ends: [Int32] = [-1, -1]
        let status = unsafe ends.withUnsafeMutableBufferPointer { buffer -> Int32 in
            guard let base = buffer.baseAddress else { return -1 }
            // Both ends close in a child at once, which no pipe does here without a moment in
            // between.
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

    /// Wakes whoever waits, or will. One that is full wakes as well.
    func wake() {
        let octet: [UInt8] = [0]
        _ = unsafe octet.withUnsafeBytes { unsafe write(writing, $0.baseAddress, 1) }
    }

    /// Waits to be woken, or for so many milliseconds.
    func wait(milliseconds: Int) { _ = wait(milliseconds: milliseconds, beside: -1) }

    /// The same, or until a descriptor can be read; whether it can.
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
    /// A file by its folder and its name in it.
    struct Place: Hashable {
        let folder: String
        let name: String

        /// The place of a path: what stands before its last `/`, and behind.
        init(path: String) {
            guard let slash = path.utf8.lastIndex(of: UInt8(ascii: "/")) else {
                folder = "."
                name = path
                return
            }
            folder = slash == path.startIndex ? "/" : String(path[..<slash])
            name = String(path[path.index(after: slash)...])
        }
    }

    /// What came while one waited, from the least to the most.
    enum Notice: Int, Comparable {
        case nothing
        /// Something happened in a folder: the file may be another one.
        case near
        /// Something happened to the file's own name, or notices were lost: it must be read.
        case file

        static func < (left: Notice, right: Notice) -> Bool { left.rawValue < right.rawValue }
    }

    private let descriptor: Int32
    /// The names that matter, by the folder's watch.
    private var watched: [Int32: Set<String>] = [:]

    /// Nil when the system gives out no notices.
    init?() {
        descriptor = inotify_init1(Int32(IN_NONBLOCK) | Int32(IN_CLOEXEC))
        guard descriptor >= 0 else { return nil }
    }

    deinit { close(descriptor) }

    /// Watches the folders of these places, as they are now, and no others; whether every one is
    /// there. A folder that stands where another one stood is watched in its place.
    func watch(_ places: Set<Place>) -> Bool {
        var found: [Int32: Set<String>] = [:]
        var isComplete = true
        for place in places {
            let watch = unsafe inotify_add_watch(descriptor, place.folder, DirectoryWatch.events)
            if watch >= 0 {
                found[watch, default: []].insert(place.name)
            } else {
                isComplete = false
            }
        }
        for old in watched.keys where found[old] == nil { inotify_rm_watch(descriptor, old) }
        watched = found
        return isComplete
    }

    /// Waits for a notice, to be woken, or for so many milliseconds. Notices that came together are
    /// one.
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

    /// What a run of notices says: each has a watch, a mask, a cookie and a length of four octets
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
            // What was watched and is not any more: the notices of its end say nothing new.
            guard mask & UInt32(IN_Q_OVERFLOW) == 0 else { return .file }
            guard let names = watched[watch] else { continue }
            let isOurs = names.contains(String(decoding: name, as: UTF8.self))
            notice = max(notice, isOurs ? .file : .near)
        }
        return notice
    }

    /// A link that is laid, a file that is renamed into place or whose writer has closed it; and
    /// the folder itself going away.
    private static let events =
        UInt32(IN_MOVED_TO) | UInt32(IN_CLOSE_WRITE) | UInt32(IN_CREATE) | UInt32(IN_DELETE)
        | UInt32(IN_MOVED_FROM) | UInt32(IN_DELETE_SELF) | UInt32(IN_MOVE_SELF)
        | UInt32(IN_ONLYDIR)
    private static let headSize = 16
}
