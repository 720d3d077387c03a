import CLibC
import TestPKI
import Testing
import TrustEngine

@testable import Hawser

/// A store on a system that has no notices about files, as Darwin and every other system but Linux.
/// It looks at its file each second and follows the same changes.
///
/// The stage `portable` of `.ci/full` runs this suite in a build without the system's notices
/// (HWLIBC_PORTABLE). In every other build the system refuses to open them, in the same words.
@Suite struct StoreWithoutNoticesTests {
    private static let reason = SourceFailure(
        code: "no-notices", context: "this system has no notices about files")

    /// A store of a file in a folder, without the system's notices.
    private struct Watched {
        let store: PolicyStore
        let recorder: StoreRecorder
        let lines = LogLines()

        /// Not a constant to the compiler, which would refuse the branch that it never takes.
        private static let hasNotices = [HWLIBC_HAS_NOTICES].contains(1)

        init(_ world: StoreWorld, _ path: String) throws {
            var configuration = world.configuration
            configuration.logger = lines.logger
            if Watched.hasNotices {
                configuration.makeWatch = { () throws(SourceFailure) in
                    try DirectoryWatch {
                        errno = ENOSYS
                        return -1
                    }
                }
            }
            store = try PolicyStore(file: path, configuration: configuration)
            recorder = StoreRecorder(store)
        }
    }

    private func replace(
        _ bytes: [UInt8], _ name: String, in folder: TemporaryFolder
    ) throws {
        try folder.write("incoming", bytes)
        #expect(rename(folder.at("incoming"), folder.at(name)) == 0)
    }

    @Test func aFileThatIsReplacedIsPutInForceAndTheStoreSaysHowItLooks() throws {
        let world = try StoreWorld()
        let folder = try TemporaryFolder()
        try folder.write("hawser.table", world.accepting)
        let watched = try Watched(world, folder.at("hawser.table"))
        #expect(watched.store.judge(world.request).isAccept)
        try replace(world.rejecting, "hawser.table", in: folder)
        watched.recorder.expect("installed 2")
        #expect(!watched.store.judge(world.request).isAccept)
        try replace(world.accepting, "hawser.table", in: folder)
        watched.recorder.expect("installed 2", "installed 3")
        #expect(watched.store.judge(world.request).isAccept)
        #expect(watched.store.state.watching == .polled(every: .seconds(1), reason: Self.reason))
        #expect(watched.lines.all("warning: the system gives no notices").count == 1)
    }

    /// As Kubernetes replaces a mounted configuration: the link to the folder is exchanged.
    @Test func aLinkThatIsExchangedLeadsToTheOtherTable() throws {
        let world = try StoreWorld()
        let folder = try TemporaryFolder()
        try folder.write("one/hawser.table", world.accepting)
        try folder.write("two/hawser.table", world.rejecting)
        try folder.link("data", to: "one")
        try folder.link("hawser.table", to: "data/hawser.table")
        let watched = try Watched(world, folder.at("hawser.table"))
        #expect(watched.store.judge(world.request).isAccept)
        try folder.link("next", to: "two")
        #expect(rename(folder.at("next"), folder.at("data")) == 0)
        watched.recorder.expect("installed 2")
        #expect(!watched.store.judge(world.request).isAccept)
    }

    @Test func aFileThatIsGoneKeepsTheTableAndIsFollowedAgain() throws {
        let world = try StoreWorld()
        let folder = try TemporaryFolder()
        try folder.write("hawser.table", world.accepting)
        let watched = try Watched(world, folder.at("hawser.table"))
        #expect(unlink(folder.at("hawser.table")) == 0)
        watched.recorder.expect("failed not-found")
        #expect(watched.store.judge(world.request).isAccept)
        try replace(world.rejecting, "hawser.table", in: folder)
        watched.recorder.expect("failed not-found", "installed 2")
        #expect(!watched.store.judge(world.request).isAccept)
    }

    @Test func aFileThatIsWrittenInPlaceIsReadWhenItIsWhole() throws {
        let world = try StoreWorld()
        let folder = try TemporaryFolder()
        try folder.write("hawser.table", world.accepting)
        let watched = try Watched(world, folder.at("hawser.table"))
        let file = open(folder.at("hawser.table"), O_WRONLY | O_TRUNC)
        defer { close(file) }
        let half = world.rejecting.count / 2
        #expect(OpenFiles.write(world.rejecting[..<half], to: file))
        watched.recorder.expect("refused truncated")
        #expect(watched.store.judge(world.request).isAccept)
        #expect(OpenFiles.write(world.rejecting[half...], to: file))
        watched.recorder.expect("refused truncated", "installed 2")
        #expect(!watched.store.judge(world.request).isAccept)
    }
}
