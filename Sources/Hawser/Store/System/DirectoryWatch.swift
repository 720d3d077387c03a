// The folder is watched, and not the file: a file that is replaced by a rename is another file, and
// a notice about the old one never comes. inotify reports names in a folder. What a name leads to
// is looked up each time.
//
// One descriptor serves all files of the process. The system has one watch for each folder, however
// many files are followed in it. A watch is given back when no file needs it any more. Routes are
// walked without a lock, because a file system may hang. So another file may just have asked for a
// watch that is to be given back. It is given back when no route is being walked.

import CLibC

/// Wakes a thread that waits in `DirectoryWatch.wait` or in `WakeUp.wait`.
final class WakeUp: Sendable {
    fileprivate let reading: Int32
    private let writing: Int32

    /// Nil when the system has no descriptors left.
    init?() {
        var ends: [Int32] = [-1, -1]
        let status = unsafe ends.withUnsafeMutableBufferPointer { buffer -> Int32 in
            guard let base = buffer.baseAddress else { return -1 }
            // Not a pipe: on Linux both ends have the close-on-exec flag from the beginning.
            return unsafe hwlibc_socket_pair(base, true)
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
final class DirectoryWatch: Sendable {
    /// How much of a route is watched.
    enum Coverage: Hashable {
        /// Every folder is watched.
        case complete
        /// A folder of the route does not exist, so the file does not exist either.
        case missing
        /// The system gives no notices about this folder, for this reason.
        case refused(folder: String, reason: String)
    }

    /// The meaning of a wait's notices for a file, from the least to the most.
    enum Notice: Int, Comparable, Sendable {
        case nothing
        /// A name on the way to the file has changed. The file may be another one.
        case near
        /// A name that stands for the file itself has changed, or notices were lost. The file must
        /// be read.
        case file

        static func < (left: Notice, right: Notice) -> Bool { left.rawValue < right.rawValue }
    }

    /// A file whose route is watched. The number is the caller's.
    typealias Follower = UInt64

    private struct Table: Sendable {
        /// The meaning of a notice about a name, by the watch of the folder, the name and the file.
        var names: [Int32: [String: [Follower: Notice]]] = [:]
        /// The names above, by the file.
        var routes: [Follower: [Int32: Set<String>]] = [:]
        /// The number of routes that are being walked.
        var walks = 0
        /// Watches that no file needs, which are given back when no route is being walked.
        var unneeded: Set<Int32> = []

        mutating func forget(_ follower: Follower) {
            for (watch, found) in routes.removeValue(forKey: follower) ?? [:] {
                for name in found {
                    names[watch]?[name]?[follower] = nil
                    if names[watch]?[name]?.isEmpty == true { names[watch]?[name] = nil }
                }
                if names[watch]?.isEmpty == true {
                    names[watch] = nil
                    unneeded.insert(watch)
                }
            }
        }

        mutating func giveBack(from descriptor: Int32) {
            guard walks == 0 else { return }
            for watch in unneeded where names[watch] == nil {
                hwlibc_notices_remove(descriptor, watch)
            }
            unneeded = []
        }
    }

    private let descriptor: Int32
    private let table = Monitor(Table())

    /// Makes a watch; throws when the system gives no notices.
    ///
    /// - Parameter open: opens the descriptor of the notices, or returns -1 and sets `errno`.
    init(open: () -> Int32 = { hwlibc_notices_open() }) throws(SourceFailure) {
        descriptor = open()
        guard descriptor >= 0 else {
            throw SourceFailure(code: "no-notices", context: DirectoryWatch.absence(errno))
        }
    }

    /// The reason for missing notices, from the number of the error.
    private static func absence(_ number: Int32) -> String {
        switch number {
        case ENOSYS: return "this system has no notices about files"
        case EMFILE:
            return "the system gives no notices (\(text(number))): this user's limit is "
                + "`sysctl fs.inotify.max_user_instances`"
        default: return "the system gives no notices (\(text(number)))"
        }
    }

    deinit { close(descriptor) }

    /// Watches the folders of a file's route as they are now, and gives back what was watched for
    /// this file before. A folder that has replaced another one is watched in its place.
    func watch(_ route: FileRoute, for follower: Follower) -> Coverage {
        table.withLock { $0.walks += 1 }
        var found: [Int32: [String: Notice]] = [:]
        var coverage = Coverage.complete
        for step in route.steps {
            let watch = unsafe hwlibc_notices_add(descriptor, step.folder)
            if watch >= 0 {
                let notice = max(found[watch]?[step.name] ?? .nothing, step.isFile ? .file : .near)
                found[watch, default: [:]][step.name] = notice
            } else if errno == ENOENT || errno == ENOTDIR {
                if coverage == .complete { coverage = .missing }
            } else {
                coverage = .refused(folder: step.folder, reason: DirectoryWatch.text(errno))
            }
        }
        table.withLock { table in
            table.forget(follower)
            for (watch, names) in found {
                for (name, notice) in names {
                    table.names[watch, default: [:]][name, default: [:]][follower] = notice
                }
                table.routes[follower, default: [:]][watch] = Set(names.keys)
            }
            table.walks -= 1
            table.giveBack(from: descriptor)
        }
        return coverage
    }

    /// Watches nothing for a file any more.
    func forget(_ follower: Follower) {
        table.withLock { table in
            table.forget(follower)
            table.giveBack(from: descriptor)
        }
    }

    /// The number of folders that are watched.
    var folderCount: Int { table.withLock { $0.names.count } }

    private static func text(_ number: Int32) -> String { unsafe String(cString: strerror(number)) }

    /// Waits for a notice, until it is woken, or for this number of milliseconds. Notices about one
    /// file that came together count as one.
    func wait(milliseconds: Int, _ wakeUp: WakeUp) -> [Follower: Notice] {
        guard wakeUp.wait(milliseconds: milliseconds, beside: descriptor) else { return [:] }
        var notices: [Follower: Notice] = [:]
        var buffer = [UInt8](repeating: 0, count: 64 << 10)
        while true {
            let count = unsafe buffer.withUnsafeMutableBytes {
                unsafe read(descriptor, $0.baseAddress, $0.count)
            }
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { return notices }
            notices.merge(judge(buffer[..<min(count, buffer.count)]), uniquingKeysWith: max)
        }
    }

    /// Reads a run of notices. A notice has a watch, a mask, a cookie and a length of four octets
    /// each, and then a name that is filled up with zeros. The result has no file that no notice is
    /// about.
    func judge(_ octets: ArraySlice<UInt8>) -> [Follower: Notice] {
        func number(_ offset: Int) -> UInt32 {
            var value: UInt32 = 0
            for index in 0..<4 { value |= UInt32(octets[offset + index]) << UInt32(8 * index) }
            return UInt32(littleEndian: value)
        }
        return table.withLock { table in
            var notices: [Follower: Notice] = [:]
            var offset = octets.startIndex
            while octets.endIndex - offset >= DirectoryWatch.headSize {
                let watch = Int32(bitPattern: number(offset))
                let mask = number(offset + 4)
                let end = offset + DirectoryWatch.headSize + Int(number(offset + 12))
                // When notices were lost, nobody knows which.
                guard end <= octets.endIndex, mask & hwlibc_notices_lost == 0 else {
                    return table.routes.mapValues { _ in .file }
                }
                let name = octets[(offset + DirectoryWatch.headSize)..<end].prefix { $0 != 0 }
                offset = end
                // A notice about a folder that is not watched any more says nothing new.
                guard let names = table.names[watch] else { continue }
                if name.isEmpty {
                    // It is about the folder itself.
                    for follower in names.values.flatMap(\.keys) {
                        notices[follower] = max(notices[follower] ?? .nothing, .near)
                    }
                } else if let told = names[String(decoding: name, as: UTF8.self)] {
                    notices.merge(told, uniquingKeysWith: max)
                }
            }
            return notices
        }
    }

    private static let headSize = 16
}
