import Foundation
import Hawser
import HawserYAML
import PolicyCompiler
import Synchronization
import Testing
import TrustEngine

/// Units laid out to harm: counts bound the reading, and the loader uses the files that it has
/// looked at, whoever changes them meanwhile.
@Suite struct HostileUnitTests {
    private static let outside = "outside the unit: hunter2"

    private func failure(
        _ folder: TemporaryFolder, _ limits: RootFolder.Limits = RootFolder.Limits()
    ) -> UnitLoadError? {
        do throws(UnitLoadError) {
            _ = try UnitLoader.load(paths: [folder.at("unit")], limits: limits)
            return nil
        } catch {
            return error
        }
    }

    // MARK: Size and number

    /// The size is known before a byte is read.
    @Test func aHugeFileIsNotRead() throws {
        let folder = try TemporaryFolder()
        try folder.write("unit/policy.yaml", "hawser: 1\ndefault: deny\n")
        try folder.write("unit/huge.policy.yaml", "")
        #expect(truncate(folder.at("unit/huge.policy.yaml"), 10 << 30) == 0)
        let root = try RootFolder(path: folder.at("unit"))
        #expect(code { try root.read("huge.policy.yaml", limit: 64 << 20) } == .tooLarge)
        #expect(root.work.octets == 0)
        let error = failure(folder)
        #expect(error?.code == .unreadable)
        #expect(
            error?.context
                == "`huge.policy.yaml` has 10737418240 bytes; at most 67108864 are read")
    }

    /// A file that says it is empty and is not: whatever grows between the look and the reading.
    @Test func aFileThatGrowsIsReadToItsLimitAndNoFurther() throws {
        let root = try RootFolder(path: "/proc/self")
        #expect(try !root.read("maps", limit: 1 << 20).isEmpty)
        let error = #expect(throws: FileReadError.self) { try root.read("maps", limit: 10) }
        #expect(error?.context == "`maps` grew past 10 bytes while it was read")
    }

    @Test func allFilesTogetherHaveALimit() throws {
        let folder = try TemporaryFolder()
        for name in ["a", "b", "c", "d"] {
            try folder.write("unit/\(name)", [UInt8](repeating: 0x23, count: 400))
        }
        let root = try RootFolder(path: folder.at("unit"), limits: RootFolder.Limits(octets: 1_000))
        _ = try root.read("a", limit: 400)
        _ = try root.read("b", limit: 400)
        let error = #expect(throws: FileReadError.self) { try root.read("c", limit: 400) }
        #expect(error?.code == .tooLarge)
        #expect(
            error?.context == "a unit has at most 1000 bytes in all its files; `c` goes past that")
        #expect(root.work.octets == 800)
        // A file's own limit is named where that is what stops it.
        let own = #expect(throws: FileReadError.self) { try root.read("d", limit: 100) }
        #expect(own?.context == "`d` has 400 bytes; at most 100 are read")
    }

    @Test func policiesAndWhatTheyNameShareTheLimit() throws {
        let folder = try TemporaryFolder()
        try folder.write("unit/policy.yaml", "hawser: 1\ndefault: deny\n")
        for number in 0..<50 {
            try folder.write("unit/\(number).policy.yaml", "hawser: 1\n")
        }
        try folder.write("unit/anchor.pem", [UInt8](repeating: 0x23, count: 600))
        let limits = RootFolder.Limits(octets: 1_000)
        #expect(failure(folder, RootFolder.Limits(octets: 500))?.code == .unreadable)
        let unit = try UnitLoader.load(paths: [folder.at("unit")], limits: limits)
        #expect(unit.files.count == 51)
        let error = #expect(throws: ResourceError.self) {
            try unit.resources.read("anchor.pem", limit: 1_000)
        }
        #expect(error?.code == .tooLarge)
    }

    /// A folder with more entries than a unit may have: the listing stops at the limit.
    @Test func entriesAreCountedOverAllFolders() throws {
        let folder = try TemporaryFolder()
        try folder.write("unit/policy.yaml", "hawser: 1\ndefault: deny\n")
        for name in ["a", "b"] {
            for number in 0..<40 { try folder.write("unit/\(name)/\(number).txt", "") }
        }
        // policy.yaml, the two folders and their files.
        #expect(failure(folder, RootFolder.Limits(entries: 83)) == nil)
        let error = failure(folder, RootFolder.Limits(entries: 82))
        #expect(error?.code == .unreadable)
        #expect(
            error?.context
                == "a unit has at most 82 files and folders; `a` goes past that: keep the policy in "
                + "a folder of its own")
        let root = try RootFolder(path: folder.at("unit"), limits: RootFolder.Limits(entries: 10))
        #expect(code { try root.entries(of: "a") } == .tooLarge)
        #expect(root.work.entries == 10)
        #expect(code { try root.entries(of: "b") } == .tooLarge)
        #expect(root.work.entries == 10)
    }

    @Test func foldersLieSoDeepAndNoDeeper() throws {
        let folder = try TemporaryFolder()
        try folder.write("unit/policy.yaml", "hawser: 1\ndefault: deny\n")
        try folder.write("unit/a/b/c/d.policy.yaml", "hawser: 1\n")
        #expect(failure(folder, RootFolder.Limits(depth: 4)) == nil)
        let error = failure(folder, RootFolder.Limits(depth: 3))
        #expect(
            error?.context
                == "folders of a unit are nested at most 3 deep; those in `a` go deeper")
        let path = String(repeating: "d/", count: 1_000)
        try folder.write("unit/" + path + "x.txt", "")
        let root = try RootFolder(path: folder.at("unit"))
        #expect(code { try root.read(path + "x.txt", limit: 1) } == .tooLarge)
        #expect(failure(folder)?.code == .unreadable)
    }

    // MARK: Kind

    @Test func neitherDevicesNorSocketsAreRead() throws {
        let devices = try RootFolder(path: "/dev")
        for name in ["zero", "null", "full"] {
            let error = #expect(throws: FileReadError.self) { try devices.read(name, limit: 100) }
            #expect(error?.context == "`\(name)` is a device, not a regular file")
        }
        #expect(
            try devices.entries(of: "").contains {
                $0.name == "zero" && $0.kind == .other("a device")
            })
        #expect(devices.work.octets == 0)
    }

    @Test(arguments: ["team", "team.d", "deep/er/team"])
    func aLinkToAFolderIsAFinding(_ name: String) throws {
        let folder = try TemporaryFolder()
        try folder.write("unit/policy.yaml", "hawser: 1\ndefault: deny\n")
        try folder.folder("unit/deep/er")
        try folder.write("elsewhere/x.policy.yaml", Self.outside)
        try folder.link("unit/\(name)", to: folder.at("elsewhere"))
        let unit = try UnitLoader.load(paths: [folder.at("unit")])
        #expect(unit.files.map(\.path) == ["policy.yaml"])
        #expect(unit.diagnostics.map(\.code) == [.policyFileMisnamed])
        #expect(
            unit.diagnostics.map(\.message) == [
                "`\(name)` is a symbolic link to a folder outside the unit, so policies in it would be "
                    + "skipped"
            ])
    }

    /// Hidden folders are left out, and so are links to folders that are hidden; a link that leads
    /// to a file or nowhere hides no policy.
    @Test func otherLinksAreNobodysPolicy() throws {
        let folder = try TemporaryFolder()
        try folder.write("unit/policy.yaml", "hawser: 1\ndefault: deny\n")
        try folder.write("elsewhere/x.txt", "")
        try folder.link("unit/.cache", to: folder.at("elsewhere"))
        try folder.link("unit/notes", to: folder.at("elsewhere/x.txt"))
        try folder.link("unit/gone", to: folder.at("none"))
        #expect(try UnitLoader.load(paths: [folder.at("unit")]).diagnostics == [])
    }

    // MARK: Swapped between the look and the reading

    /// Everything that can take a file's place once it was seen, with what reading it must give.
    @Test(arguments: ["link", "fifo", "folder", "gone", "another"])
    func aFileSwappedAfterItWasListed(_ swap: String) throws {
        let folder = try TemporaryFolder()
        try folder.write("unit/x.pem", "first")
        try folder.write("outside", Self.outside)
        let root = try RootFolder(path: folder.at("unit"))
        let seen = try root.entries(of: "")
        #expect(seen.map(\.kind) == [.regular])
        try FileManager.default.removeItem(atPath: folder.at("unit/x.pem"))
        switch swap {
        case "link": try folder.link("unit/x.pem", to: folder.at("outside"))
        case "fifo": try folder.fifo("unit/x.pem")
        case "folder": try folder.folder("unit/x.pem")
        case "another": try folder.write("unit/x.pem", "other")
        default: break
        }
        if swap == "another" {
            #expect(try root.read("x.pem", limit: 10) == Array("other".utf8))
        } else {
            let wanted: FileReadError.Code =
                swap == "gone" ? .notFound : swap == "link" ? .leavesRoot : .notRegular
            #expect(code { try root.read("x.pem", limit: 10) } == wanted)
            #expect(root.work.octets == 0)
        }
    }

    @Test func aFolderSwappedForALinkAfterItWasListed() throws {
        let folder = try TemporaryFolder()
        try folder.write("unit/team/x.pem", "first")
        try folder.write("outside/x.pem", Self.outside)
        let root = try RootFolder(path: folder.at("unit"))
        #expect(try root.entries(of: "team").map(\.name) == ["x.pem"])
        try FileManager.default.removeItem(atPath: folder.at("unit/team"))
        try folder.link("unit/team", to: folder.at("outside"))
        #expect(code { try root.read("team/x.pem", limit: 100) } == .leavesRoot)
        #expect(code { try root.entries(of: "team") } == .leavesRoot)
    }

    /// Somebody swaps a policy file for another one, a link and a FIFO, and its folder for a link,
    /// all the while units are loaded: each load gives one of the two policies whole, and the table
    /// fits the bytes that were given, or the load fails with a reason.
    @Test func whatIsHashedIsWhatWasRead() throws {
        let folder = try TemporaryFolder()
        try folder.write("unit/policy.yaml", "hawser: 1\ndefault: deny\n")
        let texts = ["a", "bb"].map {
            "hawser: 1\nrules: { x: { hosts: [\"\($0).example\"], anchors: [system] } }\n"
        }
        try folder.write("unit/team/x.policy.yaml", texts[0])
        try folder.write("outside/x.policy.yaml", Self.outside)
        let swapper = Swapper(folder: folder.path, texts: texts)
        let thread = Thread { swapper.run() }
        thread.start()
        defer { swapper.stop() }
        var loads = 0
        var refusals = 0
        var digests: [[UInt8]: Set<[UInt8]>] = [:]
        // As many swaps as loads at least, however the two are scheduled.
        while loads + refusals < 500 || swapper.swaps < 2_000 {
            let unit: PolicyUnit
            do throws(UnitLoadError) {
                unit = try UnitLoader.load(paths: [folder.at("unit")])
            } catch {
                refusals += 1
                continue
            }
            loads += 1
            let bytes = unit.files.filter { $0.path == "team/x.policy.yaml" }.map(\.bytes)
            guard let bytes = bytes.first, unit.diagnostics.isEmpty else { continue }
            #expect(texts.contains { Array($0.utf8) == bytes })
            let table = CompilerPipeline.compile(unit, crypto: crypto).table
            digests[bytes, default: []].insert(try #require(table).fileDigest.bytes)
        }
        for (bytes, found) in digests {
            let quiet = CompilerPipeline.compile(
                PolicyUnit(
                    files: [
                        SourceFile(
                            path: "policy.yaml", bytes: Array("hawser: 1\ndefault: deny\n".utf8)),
                        SourceFile(path: "team/x.policy.yaml", bytes: bytes),
                    ], resources: NoResources(), isDirectory: true), crypto: crypto)
            #expect(found == [try #require(quiet.table).fileDigest.bytes])
        }
    }
}

/// Nothing to name.
private struct NoResources: UnitResources {
    func read(_ path: String, limit: Int) throws(ResourceError) -> [UInt8] {
        throw ResourceError(code: .notFound, context: path)
    }
    func list(_ folder: String) throws(ResourceError) -> [String] { [] }
}

/// Swaps a unit's file and its folder until it is told to stop.
private final class Swapper: Sendable {
    private let folder: String
    private let texts: [String]
    private let isStopped = Atomic(false)
    private let count = Atomic(0)

    init(folder: String, texts: [String]) {
        self.folder = folder
        self.texts = texts
    }

    var swaps: Int { count.load(ordering: .relaxed) }

    func stop() { isStopped.store(true, ordering: .relaxed) }

    func run() {
        let file = "\(folder)/unit/team/x.policy.yaml"
        let next = "\(folder)/next"
        symlink("\(folder)/outside", "\(folder)/link")
        while !isStopped.load(ordering: .relaxed) {
            for text in texts {
                write(text, to: next)
                rename(next, file)
                symlink("\(folder)/outside/x.policy.yaml", next)
                rename(next, file)
                write(text, to: next)
                rename(next, file)
                mkfifo(next, 0o600)
                rename(next, file)
                write(text, to: next)
                rename(next, file)
                // The folder itself makes way for a link, and comes back.
                rename("\(folder)/unit/team", "\(folder)/parked")
                rename("\(folder)/link", "\(folder)/unit/team")
                rename("\(folder)/unit/team", "\(folder)/link")
                rename("\(folder)/parked", "\(folder)/unit/team")
                count.wrappingAdd(7, ordering: .relaxed)
            }
        }
    }

    private func write(_ text: String, to path: String) {
        guard let file = fopen(path, "w") else { return }
        fputs(text, file)
        fclose(file)
    }
}
