import CLibC
import Testing

@testable import Hawser

/// Notices of the system, octet by octet: what they say of one file.
@Suite struct StoreWatchTests {
    /// One notice as inotify writes it on this machine.
    private func notice(_ watch: Int32, _ mask: UInt32, _ name: String = "") -> [UInt8] {
        func octets(_ value: UInt32) -> [UInt8] {
            (0..<4).map { UInt8(truncatingIfNeeded: value.littleEndian >> (8 * $0)) }
        }
        let padded = name.isEmpty ? [] : Array(name.utf8) + [0, 0, 0]
        return octets(UInt32(bitPattern: watch)) + octets(mask) + octets(0)
            + octets(UInt32(padded.count)) + padded
    }

    private static let overflow: UInt32 = 0x4000
    private static let movedTo: UInt32 = 0x80

    @Test func namesAreToldApart() throws {
        let folder = try TemporaryFolder()
        try folder.write("real.table", [])
        #expect(symlink("real.table", folder.at("hawser.table")) == 0)
        let watch = try DirectoryWatch()
        let route = FileRoute(of: folder.at("hawser.table"))
        #expect(watch.watch(route, for: 1) == .complete)
        // The watches of a descriptor are numbered from 1, in the order of the route. The link and
        // the file are in the last folder.
        let last = Int32(Set(route.steps.map(\.folder)).count)
        func judged(_ octets: [UInt8]) -> DirectoryWatch.Notice {
            watch.judge(octets[...])[1] ?? .nothing
        }
        #expect(judged(notice(last, Self.movedTo, "hawser.table")) == .file)
        #expect(judged(notice(last, Self.movedTo, "real.table")) == .file)
        #expect(judged(notice(last, Self.movedTo, "other")) == .nothing)
        #expect(judged(notice(last, Self.movedTo)) == .near)
        #expect(judged(notice(1, Self.movedTo, route.steps[0].name)) == .near)
        #expect(judged(notice(last + 1, Self.movedTo, "hawser.table")) == .nothing)
        #expect(
            judged(
                notice(last, Self.movedTo, "other")
                    + notice(last, Self.movedTo, "hawser.table")
                    + notice(last, Self.movedTo, "other")) == .file)
        #expect(judged([]) == .nothing)
    }

    /// When more happens than the queue holds, nobody knows what: the file is read.
    @Test func lostNoticesCountAsOneOfTheFile() throws {
        let folder = try TemporaryFolder()
        let watch = try DirectoryWatch()
        for follower in [1, 7] as [DirectoryWatch.Follower] {
            #expect(
                watch.watch(FileRoute(of: folder.at("\(follower)")), for: follower) == .complete)
        }
        #expect(watch.judge(notice(-1, Self.overflow)[...]) == [1: .file, 7: .file])
    }

    /// The system never writes half a notice; should it, nothing is read past its end.
    @Test func aNoticeThatIsCutOffEndsTheReading() throws {
        let folder = try TemporaryFolder()
        let watch = try DirectoryWatch()
        let route = FileRoute(of: folder.at("hawser.table"))
        #expect(watch.watch(route, for: 1) == .complete)
        let last = Int32(Set(route.steps.map(\.folder)).count)
        let whole = notice(last, Self.movedTo, "hawser.table")
        for count in whole.indices {
            let judged = watch.judge(whole[..<count])
            #expect(judged == (count < 16 ? [:] : [1: .file]))
        }
    }

    private func steps(_ path: String) -> [String] {
        FileRoute(of: path).steps.map { "\($0.folder) \($0.name)\($0.isFile ? " file" : "")" }
    }

    @Test func aRouteHasTheFolderOfEachName() {
        #expect(steps("/no-such/hawser.table") == ["/ no-such", "/no-such hawser.table file"])
        #expect(steps("//no-such/./hawser.table") == steps("/no-such/hawser.table"))
        #expect(steps("hawser.table") == [". hawser.table file"])
        #expect(steps("../hawser.table") == ["./.. hawser.table file"])
    }

    /// As Kubernetes mounts a configuration: the file is a link through a link to a folder.
    @Test func aRouteFollowsLinks() throws {
        let folder = try TemporaryFolder()
        #expect(mkdir(folder.at("..1"), 0o700) == 0)
        try folder.write("..1/table", [])
        #expect(symlink("..1", folder.at("..data")) == 0)
        #expect(symlink("..data/table", folder.at("table")) == 0)
        #expect(symlink(folder.at("table"), folder.at("far")) == 0)
        let root = folder.at("")
        let base = root.hasSuffix("/") ? String(root.dropLast()) : root
        let way =
            ["table file", "..data", "..1"].map { "\(base) \($0)" }
            + ["\(base)/..1 table file"]
        #expect(steps(folder.at("table")).suffix(4) == way)
        let above = steps(folder.at("table")).dropLast(4)
        #expect(steps(folder.at("far")) == above + ["\(base) far file"] + above + way)
    }

    /// Links that lead in a circle end the route.
    @Test func aCircleOfLinksEnds() throws {
        let folder = try TemporaryFolder()
        #expect(symlink("two", folder.at("one")) == 0)
        #expect(symlink("one", folder.at("two")) == 0)
        #expect(steps(folder.at("one")).count < 100)
    }
}
