// A file is watched by its own thread. The thread waits for the system's notices about the folder
// of the file.
//
// - The folders come first, then the file. A watch is set before each look, so every later change
//   is noticed and every earlier change is seen.
// - A path may lead through links. The folder of the path and the folder of its target are both
//   watched. This covers files that are replaced, links that are replaced, and mounted
//   configuration whose whole folder is exchanged behind one link. The regular look finds changes
//   higher up.
// - Where the system gives no notices, only the regular look remains. It compares marks (device,
//   inode, size, times) and reads a file only when its mark differs. A mark that is too young to
//   show every change makes the file be read again.
// - A file that is being written is read half, refused as truncated, and read again when its writer
//   closes it. Bytes are judged from owned memory only. When two halves of two tables are read as
//   one, the seal shows it.

import Glibc
import Synchronization
import TrustEngine

/// How a store learns that its file has changed.
public enum FileWatching: Hashable, Sendable {
    /// By the system's notices, which come at once, and by a look at the file at this interval. The
    /// look finds changes that no notice reports.
    case notified(lookingEvery: Duration = .seconds(60))
    /// By looks at this interval. This is for file systems that give no notices, such as network
    /// file systems.
    case polled(every: Duration)
    /// Only when the program calls `reload`.
    case onRequest
}

/// The file that a store takes its table from.
final class FileSource: Sendable {
    /// Why the source looks at the file.
    private enum Occasion {
        /// Something changed near the file. The file is read if its mark differs.
        case near
        /// The interval is over. The file is read if its mark differs. An unchanged file that holds
        /// the table in force confirms the table.
        case regular
        /// The file was changed, or a caller asks for it. The file is read.
        case certain
    }

    /// The outcome of the last look.
    private struct Found: Sendable {
        var mark: FileMark?
        /// Whether any later change would change the mark.
        var isSettled = false
        /// Whether the file holds the table in force.
        var isInForce = false
        var failure: SourceFailure?
    }

    let path: String
    private let watching: FileWatching
    private weak let store: PolicyStore?
    private let found: Monitor<Found>
    private let isStopped = Atomic<Bool>(false)
    /// Wakes the thread; nil when no thread runs.
    private let wakeUp: WakeUp?
    /// The thread that looks now, or 0. An observer may ask for a look while it is told of another
    /// look on the same thread.
    private let looking = Atomic<UInt>(0)

    /// Makes a source that continues from the first reading.
    init(path: String, watching: FileWatching, store: PolicyStore, first: FirstRead) {
        self.path = path
        self.watching = watching
        self.store = store
        self.wakeUp = watching == .onRequest ? nil : WakeUp()
        var found = Found()
        found.mark = first.mark
        found.isSettled = first.isSettled
        found.isInForce = store.state.origin == path
        found.failure = first.failure
        self.found = Monitor(found)
    }

    /// The outcome of reading the file when the store was made.
    struct FirstRead {
        var bytes: [UInt8]?
        var mark: FileMark?
        var isSettled = false
        var failure: SourceFailure?

        /// The bytes, or the reason why there are none.
        var result: Result<[UInt8], SourceFailure> {
            if let bytes { return .success(bytes) }
            return .failure(failure ?? SourceFailure(code: "unread", context: "it was not read"))
        }

        init(_ path: String) {
            do throws(FileReadError) {
                let read = try FileLook.read(path, limit: EngineLoader.largestTable)
                bytes = read.bytes
                mark = read.mark
                isSettled = read.isSettled
            } catch {
                failure = SourceFailure(error)
            }
        }
    }

    /// Starts to watch the file. Returns false when the system has no thread or descriptor left.
    func start() -> Bool {
        guard watching != .onRequest else { return true }
        guard wakeUp != nil else { return false }
        return BackgroundThread.start { [self] in run() }
    }

    /// Asks the thread to end. A look that has begun is not interrupted.
    func stop() {
        isStopped.store(true, ordering: .sequentiallyConsistent)
        wakeUp?.wake()
    }

    // MARK: The thread

    private func run() {
        guard let wakeUp else { return }
        var watch: DirectoryWatch?
        let interval: Duration
        switch watching {
        case .notified(let every):
            watch = DirectoryWatch()
            interval = every
        case .polled(let every): interval = every
        case .onRequest: return
        }
        var next = Deadline(in: interval)
        var occasion = Occasion.near
        while !isStopped.load(ordering: .sequentiallyConsistent) {
            let isWatched = watch.map { $0.watch(places()) } ?? true
            look(occasion)
            // A folder that does not exist cannot be watched. The next look comes sooner.
            let wait = isWatched ? next : next.within(FileSource.retry)
            let notice: DirectoryWatch.Notice
            if let watch {
                notice = watch.wait(milliseconds: wait.millisecondsLeft, wakeUp)
            } else {
                wakeUp.wait(milliseconds: wait.millisecondsLeft)
                notice = .nothing
            }
            occasion = notice == .file ? .certain : .near
            if next.millisecondsLeft == 0 {
                if occasion == .near { occasion = .regular }
                next = Deadline(in: interval)
            }
        }
    }

    /// The places of the file: the place of its path, and the place that the path leads to now.
    private func places() -> Set<DirectoryWatch.Place> {
        var places: Set = [DirectoryWatch.Place(path: path)]
        if let target = FileLook.target(path) { places.insert(DirectoryWatch.Place(path: target)) }
        return places
    }

    // MARK: Looking

    /// Reads the file now and offers its table. Returns nil when the store is gone, and when this
    /// thread is telling an observer of another look.
    func lookNow() -> PolicyStore.Reload? { look(.certain) }

    @discardableResult
    private func look(_ occasion: Occasion) -> PolicyStore.Reload? {
        let thread = UInt(pthread_self())
        guard looking.load(ordering: .sequentiallyConsistent) != thread else { return nil }
        return found.withLock { found in
            looking.store(thread, ordering: .sequentiallyConsistent)
            defer { looking.store(0, ordering: .sequentiallyConsistent) }
            guard let store, !isStopped.load(ordering: .sequentiallyConsistent) else { return nil }
            defer { store.tellIfStale() }
            do throws(FileReadError) {
                if occasion != .certain, found.isSettled, try FileLook.mark(path) == found.mark {
                    if occasion == .regular, found.isInForce { store.confirm() }
                    return nil
                }
                let read = try FileLook.read(path, limit: EngineLoader.largestTable)
                let offer = store.offer(read.bytes, origin: path)
                found = Found(mark: read.mark, isSettled: read.isSettled)
                if case .refused = offer {} else { found.isInForce = true }
                return .offered(offer)
            } catch {
                return .sourceFailed(note(SourceFailure(error), occasion, store, &found))
            }
        }
    }

    /// Tells the store of a failure, unless it is the same failure as at the look before. A look
    /// that was asked for always tells.
    private func note(
        _ failure: SourceFailure, _ occasion: Occasion, _ store: PolicyStore, _ found: inout Found
    ) -> SourceFailure {
        let isNew = found.failure != failure
        found = Found(failure: failure)
        if isNew || occasion == .certain { store.sourceFailed(failure, origin: path) }
        return failure
    }

    /// How long the source waits before it looks again for a folder that does not exist.
    private static let retry = Duration.seconds(1)
}
