// The files of all stores of a process are followed by one thread, and looked at by a few others.
//
// - The thread waits for the system's notices, for the next look that is due, and for `WakeUp`. It
//   touches no file, because a file system may hang.
// - A look walks the route of one file, sets the watches and reads the file (`FileSource`). Looks
//   are made by lookers: threads that begin when a look is due and end when none was due for some
//   seconds. A file is looked at by one looker at a time.
// - A look may take long: a large table, a network file system, the lock of a state directory. So
//   there are several lookers. When all of them are busy and a look has waited for a second, there
//   is one more. So a file system that hangs holds up no other file for long.
// - What happens to a file while it is looked at makes it be looked at again.
// - A look that failed is made again after 1, 2, 4 seconds and so on, up to the file's interval. No
//   notice comes when the process has descriptors again, or the disk has room.
// - The thread ends with the last file. The next file begins another watcher. A child after `fork`
//   has no threads, so it begins a watcher of its own and does not touch its parent's.

import CLibC
import Synchronization

/// Follows files, and looks at each of them when that is due.
final class FileWatcher: Sendable {
    /// Why a file is looked at.
    struct Due: Sendable {
        /// The file has changed, or notices were lost. Otherwise something near it may have
        /// changed.
        var isCertain = false
        /// The file's interval is over, or this is its first look.
        var isRegular = false
    }

    /// The findings of a look that matter for the next one.
    struct Looked: Sendable {
        /// Whether a notice will come for every change.
        var isWatched: Bool
        /// Whether the look failed, and the same file may be fine soon.
        var isToRepeat: Bool
    }

    /// A file that is followed. The number is the file's in `DirectoryWatch`.
    private struct Followed: Sendable {
        let source: FileSource
        var next: Deadline
        /// A look that comes before `next`.
        var sooner: Deadline?
        var due: Due?
        var isQueued = false
        var isLooking = false
        /// Looks in a row that are to be repeated.
        var repeats = 0
    }

    private struct State: Sendable {
        var followed: [DirectoryWatch.Follower: Followed] = [:]
        var lastNumber: DirectoryWatch.Follower = 0
        /// The files whose look waits for a looker, the longest first.
        var queue: [DirectoryWatch.Follower] = []
        /// When a look has waited so long that another looker is started.
        var patience = Deadline(in: FileWatcher.patience)
        var lookers = 0
        var idle = 0
        /// Whether the thread has ended. The watcher then takes no more files.
        var isOver = false

        /// Queues the looks that are due. Returns the milliseconds until the next one may be.
        mutating func queueDue() -> Int {
            var left = FileWatcher.longestWait
            for (number, file) in followed where !file.isQueued && !file.isLooking {
                let regular = file.next.millisecondsLeft
                let sooner = file.sooner?.millisecondsLeft ?? regular
                guard file.due != nil || regular == 0 || sooner == 0 else {
                    left = min(left, regular, sooner)
                    continue
                }
                var file = file
                file.due = file.due ?? Due()
                if regular == 0 {
                    file.due?.isRegular = true
                    file.next = Deadline(in: file.source.interval)
                }
                file.sooner = nil
                if queue.isEmpty { patience = Deadline(in: FileWatcher.patience) }
                file.isQueued = true
                queue.append(number)
                followed[number] = file
            }
            return queue.isEmpty ? left : min(left, max(1, patience.millisecondsLeft))
        }

        /// How many lookers are to be started now.
        mutating func missingLookers() -> Int {
            guard queue.count > idle else { return 0 }
            if lookers < FileWatcher.mostLookers {
                return min(queue.count - idle, FileWatcher.mostLookers - lookers)
            }
            guard patience.millisecondsLeft == 0 else { return 0 }
            patience = Deadline(in: FileWatcher.patience)
            return 1
        }

        /// The next look, which the caller makes.
        mutating func take() -> Look? {
            while let number = queue.first {
                queue.removeFirst()
                patience = Deadline(in: FileWatcher.patience)
                guard var file = followed[number] else { continue }
                let due = file.due ?? Due()
                file.due = nil
                file.isQueued = false
                file.isLooking = true
                followed[number] = file
                return Look(number: number, source: file.source, due: due)
            }
            return nil
        }
    }

    private struct Look: Sendable {
        let number: DirectoryWatch.Follower
        let source: FileSource
        let due: Due
    }

    /// A file that is followed, for the store that it belongs to.
    struct Following: Sendable {
        fileprivate let watcher: FileWatcher
        fileprivate let number: DirectoryWatch.Follower

        /// Ends the following. A look that has begun is not interrupted.
        func end() { watcher.forget(number) }
    }

    private let state = Monitor(State())
    private let watch = Monitor<DirectoryWatch?>(nil)
    private let makeWatch: @Sendable () throws(SourceFailure) -> DirectoryWatch
    private let wakeUp: WakeUp
    /// The forks that had led to the process that has the threads.
    private let forks = FileWatcher.forks.load(ordering: .relaxed)
    private var isOfThisProcess: Bool { forks == FileWatcher.forks.load(ordering: .relaxed) }

    /// Nil when the system has no descriptors left.
    private init?(_ makeWatch: @escaping @Sendable () throws(SourceFailure) -> DirectoryWatch) {
        guard let wakeUp = WakeUp() else { return nil }
        self.wakeUp = wakeUp
        self.makeWatch = makeWatch
    }

    // MARK: The watcher of the process

    /// INVARIANT: held only while a watcher is looked up or made, and during a fork.
    private static let ofProcess = Monitor<FileWatcher?>(nil)
    /// The forks that led to this process since the first file was followed.
    private static let forks = Atomic<UInt32>(0)
    /// Whether the system calls the functions below at each fork. A fork waits until no thread
    /// looks a watcher up, so the child finds the lock free.
    private static let mindsForks =
        pthread_atfork(
            { ofProcess.hold() }, { ofProcess.release() },
            {
                forks.wrappingAdd(1, ordering: .relaxed)
                ofProcess.release()
            }) == 0

    /// Follows a file by the watcher of the process, or with `makeWatch` by a watcher of its own.
    /// The first look comes at once. Returns nil when the system has no thread or descriptor left.
    static func follow(
        _ source: FileSource,
        makeWatch: (@Sendable () throws(SourceFailure) -> DirectoryWatch)? = nil
    ) -> Following? {
        if let makeWatch { return FileWatcher(makeWatch)?.begin(source) }
        guard mindsForks else { return nil }
        return ofProcess.withLock { current in
            if let current, current.isOfThisProcess, let following = current.add(source) {
                return following
            }
            let made = FileWatcher { () throws(SourceFailure) in try DirectoryWatch() }
            guard let made, let following = made.begin(source) else { return nil }
            current = made
            return following
        }
    }

    private func begin(_ source: FileSource) -> Following? {
        guard let following = add(source), BackgroundThread.start({ [self] in run() }) else {
            return nil
        }
        return following
    }

    private func add(_ source: FileSource) -> Following? {
        let number: DirectoryWatch.Follower? = state.withLock { state in
            guard !state.isOver else { return nil }
            state.lastNumber += 1
            state.followed[state.lastNumber] = Followed(
                source: source, next: Deadline(in: source.interval), due: Due(isRegular: true))
            return state.lastNumber
        }
        wakeUp.wake()
        return number.map { Following(watcher: self, number: $0) }
    }

    private func forget(_ number: DirectoryWatch.Follower) {
        // A child has a copy of its parent's watcher, whose locks may be held for ever.
        guard isOfThisProcess else { return }
        let isLooking = state.withLock { state in
            state.followed.removeValue(forKey: number)?.isLooking ?? false
        }
        // After a look that is under way the looker does it.
        if !isLooking { watch.withLock { $0 }?.forget(number) }
        wakeUp.wake()
    }

    // MARK: The thread that waits

    private func run() {
        while true {
            let wait: (milliseconds: Int, lookers: Int)? = state.withLock { state in
                guard !state.followed.isEmpty else {
                    state.isOver = true
                    return nil
                }
                let milliseconds = state.queueDue()
                let lookers = state.missingLookers()
                state.lookers += lookers
                return (milliseconds, lookers)
            }
            guard let wait else { break }
            for _ in 0..<wait.lookers where !BackgroundThread.start({ [self] in serve() }) {
                let isAlone = state.withLock { state in
                    state.lookers -= 1
                    return state.lookers == 0
                }
                // The system has no thread left: this one looks.
                if isAlone, let look = state.withLock({ $0.take() }) { make(look) }
            }
            guard let watch = watch.withLock({ $0 }) else {
                wakeUp.wait(milliseconds: wait.milliseconds)
                continue
            }
            let notices = watch.wait(milliseconds: wait.milliseconds, wakeUp)
            guard !notices.isEmpty else { continue }
            state.withLock { state in
                for (number, notice) in notices {
                    guard var due = state.followed[number].map({ $0.due ?? Due() }) else {
                        continue
                    }
                    due.isCertain = due.isCertain || notice == .file
                    state.followed[number]?.due = due
                }
            }
        }
        FileWatcher.ofProcess.withLock { current in
            if current === self { current = nil }
        }
    }

    // MARK: The threads that look

    private func serve() {
        while let look = nextLook() { make(look) }
    }

    /// Waits for a look. Returns nil when none came for some seconds.
    private func nextLook() -> Look? {
        state.withLock { $0.idle += 1 }
        let look = state.wait(until: Deadline(in: FileWatcher.linger)) { state -> Look?? in
            if let look = state.take() {
                state.idle -= 1
                return .some(look)
            }
            return state.isOver ? .some(nil) : nil
        }
        if let look = look ?? nil { return look }
        return state.withLock { state in
            state.idle -= 1
            // One may have come since.
            if let look = state.take() { return look }
            state.lookers -= 1
            return nil
        }
    }

    private func make(_ look: Look) {
        let looked = look.source.look(look.due, look.number, self)
        let isFollowed = state.withLock { state in
            guard var file = state.followed[look.number] else { return false }
            file.isLooking = false
            file.repeats = looked.isToRepeat ? file.repeats + 1 : 0
            file.sooner = nil
            if looked.isToRepeat {
                let seconds = 1 << min(file.repeats - 1, FileWatcher.mostDoublings)
                file.sooner = Deadline(in: min(.seconds(seconds), file.source.interval))
            }
            // A folder that gives no notices is looked at sooner.
            if !looked.isWatched {
                file.sooner =
                    file.sooner?.within(FileSource.retry) ?? Deadline(in: FileSource.retry)
            }
            state.followed[look.number] = file
            return true
        }
        if !isFollowed { watch.withLock { $0 }?.forget(look.number) }
        wakeUp.wake()
    }

    /// The system's notices; nil when there were none at the last try and no further try is due.
    ///
    /// - Throws: why the system gives none.
    func notices(isDue: Bool) throws(SourceFailure) -> DirectoryWatch? {
        let result: Result<DirectoryWatch?, SourceFailure> = watch.withLock { watch in
            guard watch == nil, isDue else { return .success(watch) }
            do throws(SourceFailure) {
                watch = try makeWatch()
                return .success(watch)
            } catch {
                return .failure(error)
            }
        }
        return try result.get()
    }

    /// A look takes some milliseconds, so a few threads serve hundreds of files, and hold as many
    /// tables in memory at a time.
    private static let mostLookers = 4
    private static let patience = Duration.seconds(1)
    private static let linger = Duration.seconds(5)
    /// Looks are repeated after at most this many doublings of a second.
    private static let mostDoublings = 16
    private static let longestWait = 86_400_000
}
