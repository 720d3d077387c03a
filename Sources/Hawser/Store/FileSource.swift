// How a store follows the file of its table. `FileWatcher` has the threads, for all stores.
//
// - The watches come first, then the file. A watch is set before each look, so every later change
//   is noticed and every earlier change is seen.
// - A path leads through folders and links (`FileRoute`). The folder of each name on the way is
//   watched. This covers files that are replaced, links that are replaced, mounted configuration
//   whose whole folder is exchanged behind one link, and folders that are exchanged higher up. A
//   file system that is mounted over a folder gives no notice; the regular look finds it.
// - Where the system gives no notices, the file is looked at each second, and the store's state,
//   log and metrics say so. A look compares marks (device, inode, size, times) and reads a file
//   only when its mark differs. A mark that is too young to show every change makes the file be
//   read again. Then the same bytes are not offered again, because the program may have offered
//   another table since.
// - Bytes that were refused are not offered again until the file has other bytes, or a caller asks.
//   Bytes that were refused because of the machine are: when the revision cannot be recorded.
// - A file that cannot be read is looked at again soon, as the process may have no descriptor left
//   for the moment.
// - A file that is being written is read half, refused as truncated, and read again when its writer
//   closes it. Bytes are judged from owned memory only. When two halves of two tables are read as
//   one, the seal shows it.

import CLibC
import Synchronization
import TrustEngine

/// How a store learns that its file has changed.
public enum FileWatching: Hashable, Sendable {
    /// By the system's notices, which come at once, and by a look at the file at this interval. The
    /// look finds changes that no notice reports. A system without notices, such as macOS, makes
    /// the store look each second; its state and its log say so.
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
        /// Something may have changed near the file. The file is read if its mark differs.
        case near
        /// The file was changed. The file is read.
        case certain
        /// A caller asks for it. The file is read, and its bytes are offered even when they were
        /// refused before.
        case asked

        /// Whether a file with the mark of the last look is not read again.
        var comparesMarks: Bool {
            switch self {
            case .near: return true
            case .certain, .asked: return false
            }
        }
    }

    /// The outcome of the last look.
    private struct Found: Sendable {
        var mark: FileMark?
        /// Whether any later change would change the mark.
        var isSettled = false
        /// SHA-256 of the bytes that the store took last, while the mark does not show every
        /// change.
        var taken: Digest?
        /// SHA-256 of the bytes that were refused last; nil when the last bytes were not refused.
        var refused: Digest?
        /// The last refusal that was not about the table, and SHA-256 of its bytes. These bytes are
        /// offered again.
        var postponed: (refusal: TableRefusal, bytes: Digest)?
        var failure: SourceFailure?
    }

    let path: String
    private let watching: FileWatching
    private weak let store: PolicyStore?
    private let found: Monitor<Found>
    private let isStopped = Atomic<Bool>(false)
    /// Nil when nothing follows the file.
    private let following = Monitor<FileWatcher.Following?>(nil)
    /// The thread that looks now, or 0. An observer may ask for a look while it is told of another
    /// look on the same thread.
    private let looking = Atomic<UInt>(0)

    /// Makes a source that continues from the first reading.
    init(path: String, watching: FileWatching, store: PolicyStore, first: FirstRead) {
        self.path = path
        self.watching = watching
        self.store = store
        var found = Found()
        found.mark = first.mark
        found.isSettled = first.isSettled
        if store.state.origin != path {
            found.refused = first.bytes.map(StateRecord.digest)
        } else if !first.isSettled {
            found.taken = first.bytes.map(StateRecord.digest)
        }
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

        /// No reading: the first look reads the file, whatever its mark.
        init() {}

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

    /// How often the file is looked at whatever happens.
    var interval: Duration {
        switch watching {
        case .notified(let every), .polled(let every): return every
        case .onRequest: return .seconds(86_400)
        }
    }

    /// Starts to watch the file. Returns false when the system has no thread or descriptor left.
    func start() -> Bool {
        guard watching != .onRequest else { return true }
        guard let started = FileWatcher.follow(self, makeWatch: store?.configuration.makeWatch)
        else { return false }
        following.withLock { $0 = started }
        return true
    }

    /// Ends the watching. A look that has begun is not interrupted.
    func stop() {
        isStopped.store(true, ordering: .sequentiallyConsistent)
        let ended = following.withLock { following in
            defer { following = nil }
            return following
        }
        ended?.end()
    }

    // MARK: A look by the watcher

    /// Sets the watches and looks at the file. The watcher calls this function on one thread at a
    /// time.
    func look(
        _ due: FileWatcher.Due, _ number: DirectoryWatch.Follower, _ watcher: FileWatcher
    ) -> FileWatcher.Looked {
        let isWatched: Bool
        if case .polled(let every) = watching {
            isWatched = true
            store?.note(.polled(every: every, reason: nil))
        } else {
            isWatched = renew(due, number, watcher)
        }
        look(due.isCertain ? .certain : .near)
        let isKept = store?.keepAgain() ?? true
        let isToRepeat = found.withLock { $0.failure != nil || $0.postponed != nil }
        return FileWatcher.Looked(isWatched: isWatched, isToRepeat: isToRepeat || !isKept)
    }

    /// Watches the file's route as it is now. Returns whether every change will be noticed, and
    /// tells the store. A watch that could not be made is tried again when it is due.
    private func renew(
        _ due: FileWatcher.Due, _ number: DirectoryWatch.Follower, _ watcher: FileWatcher
    ) -> Bool {
        let made: DirectoryWatch
        do throws(SourceFailure) {
            guard let notices = try watcher.notices(isDue: due.isRegular) else { return false }
            made = notices
        } catch {
            store?.note(.polled(every: FileSource.retry, reason: error))
            return false
        }
        var coverage = DirectoryWatch.Coverage.complete
        var route = FileRoute(of: path)
        // Folders that are exchanged between the walk and the watch make the route another one.
        for _ in 0..<FileSource.mostWalks {
            coverage = made.watch(route, for: number)
            let now = FileRoute(of: path)
            if now == route { break }
            route = now
        }
        switch coverage {
        case .complete:
            store?.note(.notified)
            return true
        case .missing:
            store?.note(.notified)
            return false
        case .refused(let folder, let reason):
            store?.note(
                .polled(
                    every: FileSource.retry,
                    reason: SourceFailure(
                        code: "no-notices",
                        context: "the system gives no notices about `\(folder)` (\(reason))")))
            return false
        }
    }

    // MARK: Looking

    /// Reads the file now and offers its table. Returns nil when the store is gone, and when this
    /// thread is telling an observer of another look.
    func lookNow() -> PolicyStore.ReloadOutcome? { look(.asked) }

    @discardableResult
    private func look(_ occasion: Occasion) -> PolicyStore.ReloadOutcome? {
        let thread = hwlibc_thread()
        guard looking.load(ordering: .sequentiallyConsistent) != thread else { return nil }
        return found.withLock { found in
            looking.store(thread, ordering: .sequentiallyConsistent)
            defer { looking.store(0, ordering: .sequentiallyConsistent) }
            guard let store, !isStopped.load(ordering: .sequentiallyConsistent) else { return nil }
            defer {
                store.prepareFilters()
                store.tellIfStale()
            }
            do throws(FileReadError) {
                if occasion.comparesMarks, found.isSettled, try FileLook.mark(path) == found.mark {
                    return nil
                }
                let read = try FileLook.read(path, limit: EngineLoader.largestTable)
                let digest = StateRecord.digest(read.bytes)
                // A file with the mark and the bytes of the last look has not changed. A table that
                // the program offered since stays in force.
                let isUnchanged =
                    occasion.comparesMarks && read.mark == found.mark && found.taken == digest
                if isUnchanged || (occasion != .asked && found.refused == digest) {
                    found.mark = read.mark
                    found.isSettled = read.isSettled
                    return nil
                }
                var known: TableRefusal?
                if occasion != .asked, let postponed = found.postponed, postponed.bytes == digest {
                    known = postponed.refusal
                }
                let offer = store.offer(read.bytes, origin: path, as: .file, known: known)
                found = Found(mark: read.mark, isSettled: read.isSettled)
                if case .refused(let refusal) = offer {
                    if refusal.isOfTable {
                        found.refused = digest
                    } else {
                        found.isSettled = false
                        found.postponed = (refusal, digest)
                    }
                } else if !read.isSettled {
                    found.taken = digest
                }
                return .offered(offer)
            } catch {
                return .sourceFailed(note(SourceFailure(error), occasion, store, &found))
            }
        }
    }

    /// Reports a failure to the store, unless the look before found the same failure. A look that
    /// was asked for always reports.
    private func note(
        _ failure: SourceFailure, _ occasion: Occasion, _ store: PolicyStore, _ found: inout Found
    ) -> SourceFailure {
        let isNew = found.failure != failure
        found = Found(failure: failure)
        if isNew || occasion == .asked { store.sourceFailed(failure, origin: path) }
        return failure
    }

    /// How long the source waits before it looks again for a folder that does not exist or that the
    /// system gives no notices about.
    static let retry = Duration.seconds(1)
    /// How often the route is walked before the next look. Folders that change all the time are
    /// found by the look.
    private static let mostWalks = 4
}
