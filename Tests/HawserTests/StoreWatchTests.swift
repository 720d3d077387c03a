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
        let watch = try #require(DirectoryWatch())
        let place = DirectoryWatch.Place(path: folder.at("hawser.table"))
        #expect(watch.watch([place]))
        // The first watch of a descriptor is 1.
        func judged(_ octets: [UInt8]) -> DirectoryWatch.Notice { watch.judge(octets[...]) }
        #expect(judged(notice(1, Self.movedTo, "hawser.table")) == .file)
        #expect(judged(notice(1, Self.movedTo, "..data")) == .near)
        #expect(judged(notice(1, Self.movedTo)) == .near)
        #expect(judged(notice(7, Self.movedTo, "hawser.table")) == .nothing)
        #expect(
            judged(
                notice(1, Self.movedTo, "other") + notice(1, Self.movedTo, "hawser.table")
                    + notice(1, Self.movedTo, "other")) == .file)
        #expect(judged([]) == .nothing)
    }

    /// When more happens than the queue holds, nobody knows what: the file is read.
    @Test func lostNoticesCountAsOneOfTheFile() throws {
        let watch = try #require(DirectoryWatch())
        #expect(watch.judge(notice(-1, Self.overflow)[...]) == .file)
    }

    /// The system never writes half a notice; should it, nothing is read past its end.
    @Test func aNoticeThatIsCutOffEndsTheReading() throws {
        let watch = try #require(DirectoryWatch())
        let whole = notice(1, Self.movedTo, "hawser.table")
        for count in whole.indices {
            let judged = watch.judge(whole[..<count])
            #expect(judged == (count < 16 ? .nothing : .file))
        }
    }

    @Test func aPathIsAFolderAndAName() {
        func place(_ path: String) -> [String] {
            let place = DirectoryWatch.Place(path: path)
            return [place.folder, place.name]
        }
        #expect(place("/etc/hawser/hawser.table") == ["/etc/hawser", "hawser.table"])
        #expect(place("/hawser.table") == ["/", "hawser.table"])
        #expect(place("hawser.table") == [".", "hawser.table"])
        #expect(place("../hawser.table") == ["..", "hawser.table"])
    }
}
