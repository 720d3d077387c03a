// A file is watched by a thread of its own that waits for the system's notices about the folder it
// lies in.
//
// - Folders first, then the file: watches are laid before each look, so whatever happens after the
//   look is noticed, and whatever happened before it is seen.
// - A path may lead through links. The folder of the path and the folder of what it leads to are
//   both watched, which covers files that are replaced, links that are laid anew, and mounted
//   configuration whose whole folder is exchanged behind one link. What is exchanged further up is
//   seen by the regular look.
// - The regular look is also what there is where the system gives no notices. It compares marks
//   (device, inode, size, times) and reads only what looks different; a mark too young to tell is
//   read again.
// - A file that is being written is read half, refused as truncated, and read again when its writer
//   closes it. Bytes are judged from owned memory only. Two halves of two tables read as one fail
//   by their seal.

import Glibc
import Synchronization
import TrustEngine

/// How a store learns that its file is another one.
public enum FileWatching: Hashable, Sendable {
    /// By the system's notices, which come at once; and by a look at the file at this interval, for
    /// what notices do not cover.
    case notified(lookingEvery: Duration = .seconds(60))
    /// By looks at this interval: for file systems that give no notices, as those of a network.
    case polled(every: Duration)
    /// Only when the program calls `reload`.
    case onRequest
}

/// A file that a store takes its table from.
final class FileSource: Sendable {
    /// Why the file is looked at.
    private enum Occasion {
        /// Something happened near it: it is read if it looks different.
        case near
        /// It is time: the same, and what is unchanged is confirmed.
        case regular
        /// Somebody says that it changed, or asks: it is read.
        case certain
    }

    /// What the last look found.
    private struct Found: Sendable {
        var mark: FileMark?
        /// Whether a change from now on would show.
        var isSettled = false
        /// Whether the bytes are those in force.
        var isInForce = false
        var failure: SourceFailure?
    }

    let path: String
    private let watching: FileWatching
    private weak let store: PolicyStore?
    private let found: Monitor<Found>
    private let isStopped = Atomic<Bool>(false)
    /// Nil where no thread runs.
    private let wakeUp: WakeUp?
    /// The thread that has `found`, or 0: an observer may ask for a look while one tells it of
    /// another.
    private let looking = Atomic<UInt>(0)

    /// A source that begins with what was read when the store was made.
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

    /// What was read when the store was made.
    struct FirstRead {
        var bytes: [UInt8]?
        var mark: FileMark?
        var isSettled = false
        var failure: SourceFailure?

        /// The bytes, or why there are none.
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

    /// Begins to watch; false when the system has no thread or descriptor to give.
    func start() -> Bool {
        guard watching != .onRequest else { return true }
        guard wakeUp != nil else { return false }
        return BackgroundThread.start { [self] in run() }
    }

    /// Ends the thread, soon. A look that is under way comes to its end.
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
            // A folder that is not there cannot be watched: it is looked for more often.
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

    /// Where the file lies: by its path, and by what the path leads to now.
    private func places() -> Set<DirectoryWatch.Place> {
        var places: Set = [DirectoryWatch.Place(path: path)]
        if let target = FileLook.target(path) { places.insert(DirectoryWatch.Place(path: target)) }
        return places
    }

    // MARK: Looking

    /// Reads the file now and offers what it holds; nil where the store is gone, or this very
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

    /// Tells the store of a failure, once for each that is not the one before.
    private func note(
        _ failure: SourceFailure, _ occasion: Occasion, _ store: PolicyStore, _ found: inout Found
    ) -> SourceFailure {
        let isNew = found.failure != failure
        found = Found(failure: failure)
        if isNew || occasion == .certain { store.sourceFailed(failure, origin: path) }
        return failure
    }

    /// How often a folder is looked for that is not there.
    private static let retry = Duration.seconds(1)
}
