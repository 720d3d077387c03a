import CLibC
import Hawser
import Logging
import Synchronization

/// A program that shares a state directory with a test and is killed, or held, while it writes
/// there.
///
/// - `store-victim turns STATE-DIRECTORY TABLE-A TABLE-B STEP COUNT` puts two tables in force by
///   turns and ends itself with SIGKILL when it comes to the step for the COUNTth time. The parent
///   looks at the files that it left behind.
/// - `store-victim keeps STATE-DIRECTORY NAME KEY STEP TABLE...` is a store of that name that
///   trusts the key. It offers itself the tables one by one, and writes the outcome of each. At the
///   step it writes `held` and waits until it is killed or its parent has ended; `none` stands for
///   no step. Its first line has the revision it began with, and whether rollback protection is on,
///   or why not.
/// - `store-victim follows FOLDER COUNT` follows so many files, `0.table` and so on. It writes
///   `began` before the first, `opened` when notices come for all of them, `installed` when each
///   had a second table, `closed` when all stores but the last are closed, `last` when this one had
///   a third table, and `ended` when it is closed too; after each word the threads and the
///   descriptors of the process.
/// - `store-victim starves FILE NEXT` follows a file, uses up the process's descriptors, puts NEXT
///   in the file's place and gives the descriptors back when the file could not be read. It writes
///   the failure, and how many milliseconds later the table was in force.
/// - `store-victim defaults FILE` opens a store on a file with nothing else, and writes its
///   condition, and again for each line that it reads.
@main struct StoreVictim {
    static func main() throws {
        let arguments = Array(CommandLine.arguments.dropFirst())
        switch arguments.first {
        case "turns" where arguments.count == 6: try turns(arguments)
        case "keeps" where arguments.count > 5: try keeps(arguments)
        case "follows" where arguments.count == 3: try follows(arguments)
        case "starves" where arguments.count == 3: try starves(arguments)
        case "defaults" where arguments.count == 2: try tellDefaults(arguments)
        default: exit(2)
        }
    }

    private static func turns(_ arguments: [String]) throws {
        guard let count = Int(arguments[5]), StateDirectory.Step(rawValue: arguments[4]) != nil
        else { exit(2) }
        let first = try read(arguments[2])
        let second = try read(arguments[3])
        let left = Atomic<Int>(count)
        var configuration = configuration(arguments[1])
        configuration.atStateStep = { step in
            guard step.rawValue == arguments[4],
                left.subtract(1, ordering: .sequentiallyConsistent).newValue == 0
            else { return }
            kill(getpid(), SIGKILL)
        }
        let store = try PolicyStore(table: first, configuration: configuration)
        for _ in 0..<count {
            store.offer(second, origin: "victim")
            store.offer(first, origin: "victim")
        }
        exit(3)
    }

    private static func keeps(_ arguments: [String]) throws {
        var configuration = configuration(arguments[1])
        configuration.name = arguments[2]
        configuration.trustedKeys = try TrustedKeys([TablePublicKey(base64: arguments[3])])
        let parent = getppid()
        configuration.atStateStep = { step in
            guard step.rawValue == arguments[4] else { return }
            tell("held")
            // Nobody else ends this process where the test was killed.
            while getppid() == parent { sleep(1) }
            exit(1)
        }
        let first = try read(arguments[5])
        let store: PolicyStore
        do throws(PolicyStoreError) {
            store = try PolicyStore(table: first, configuration: configuration)
        } catch {
            tell("not opened: \(error.context)")
            exit(0)
        }
        let protection = store.state.rollbackProtection
        let word = protection.reason?.code.rawValue ?? protection.code
        tell("opened \(revision(store.snapshot)) \(word)")
        for path in arguments.dropFirst(6) {
            switch store.offer(try read(path), origin: path) {
            case .installed(let snapshot): tell("installed \(revision(snapshot))")
            case .unchanged: tell("unchanged")
            case .refused(let refusal): tell("refused \(refusal.code)")
            }
        }
    }

    // MARK: Files that are followed

    private static func follows(_ arguments: [String]) throws {
        guard let count = Int(arguments[2]) else { exit(2) }
        // The thread sanitizer begins a thread of its own with the first thread of the process.
        var first = pthread_t()
        guard unsafe pthread_create(&first, nil, { _ in nil }, nil) == 0 else { exit(1) }
        pthread_join(first, nil)
        let threads = entries("/proc/self/task")
        tellThreads("began")
        let newest = Monitor([UInt64](repeating: 1, count: count))
        var stores: [PolicyStore] = []
        for place in 0..<count {
            let store = try followed("\(arguments[1])/\(place).table")
            store.onChange { snapshot in newest.withLock { $0[place] = snapshot.epoch } }
            stores.append(store)
        }
        waitUntil { stores.allSatisfy { $0.state.watching == .notified } }
        tellThreads("opened")
        _ = newest.wait { $0.allSatisfy { $0 == 2 } ? true : nil }
        tellThreads("installed")
        for store in stores.dropLast() { store.close() }
        tellThreads("closed")
        _ = newest.wait { $0.last == 3 ? true : nil }
        tellThreads("last")
        stores.last?.close()
        waitUntil { entries("/proc/self/task") == threads }
        tellThreads("ended")
    }

    private static func followed(_ path: String) throws -> PolicyStore {
        var configuration = PolicyStore.Configuration()
        configuration.logger.logLevel = .critical
        // The regular look comes too seldom to help.
        return try PolicyStore(
            file: path, configuration: configuration,
            watching: .notified(lookingEvery: .seconds(60)))
    }

    private static func starves(_ arguments: [String]) throws {
        let told = Monitor<String?>(nil)
        let store = try followed(arguments[1])
        store.onEvent { event in
            guard case .sourceFailed(let failure) = event else { return }
            told.withLock { $0 = failure.context }
        }
        waitUntil { store.state.watching == .notified }
        var limit = rlimit(rlim_cur: 64, rlim_max: 64)
        unsafe setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
        var taken: [Int32] = []
        while case let next = dup(0), next >= 0 { taken.append(next) }
        let start = ContinuousClock.now
        guard unsafe rename(arguments[2], arguments[1]) == 0 else { exit(4) }
        let failure = told.wait { $0 }
        for descriptor in taken { close(descriptor) }
        waitUntil { store.snapshot.epoch == 2 }
        let (seconds, attoseconds) = start.duration(to: .now).components
        tell("\(failure)")
        tell("\(seconds * 1_000 + attoseconds / 1_000_000_000_000_000)")
    }

    // MARK: Defaults

    private static func tellDefaults(_ arguments: [String]) throws {
        let store = try PolicyStore(file: arguments[1])
        repeat {
            let state = store.state
            let watching: String
            switch state.watching {
            case .notified: watching = "notified"
            case .polled: watching = "polled"
            case .unwatched: watching = "nothing"
            }
            tell(
                "watching=\(watching) stale=\(state.staleAfter == nil ? "never" : "dated") "
                    + "directory=\(state.stateDirectory == nil ? "none" : "some") "
                    + "rollback=\(state.rollbackProtection.code) "
                    + "crlite=\(store.configuration.crlite == nil ? "none" : "some") "
                    + "epoch=\(state.epoch) "
                    + "refused=\(state.counts.refused)")
        } while readLine() != nil
        store.close()
    }

    /// Waits a minute and a half at most.
    private static func waitUntil(_ condition: () -> Bool) {
        for _ in 0..<9_000 where !condition() { usleep(10_000) }
    }

    private static func tellThreads(_ word: String) {
        tell("\(word) \(entries("/proc/self/task")) \(entries("/proc/self/fd"))")
    }

    private static func entries(_ folder: String) -> Int {
        guard let stream = unsafe opendir(folder) else { return 0 }
        defer { unsafe closedir(stream) }
        var count = 0
        while let entry = unsafe readdir(stream) {
            if unsafe entry.pointee.d_name.0 != CChar(bitPattern: UInt8(ascii: ".")) { count += 1 }
        }
        return count
    }

    private static func configuration(_ state: String) -> PolicyStore.Configuration {
        var configuration = PolicyStore.Configuration()
        configuration.stateDirectory = state
        configuration.logger.logLevel = .critical
        return configuration
    }

    private static func revision(_ snapshot: PolicySnapshot) -> String {
        snapshot.revision.map { "\($0)" } ?? "none"
    }

    private static func read(_ path: String) throws -> [UInt8] {
        try FileReader.read(path: path, limit: EngineLoader.largestTable)
    }

    /// Writes a line at once, whatever the output is.
    private static func tell(_ line: String) {
        let octets = Array("\(line)\n".utf8)
        _ = OpenFiles.write(octets[...], to: STDOUT_FILENO)
    }
}
