import Foundation
import Hawser
import Testing

/// Files that a person named: links are followed, nothing but regular files is read, limits hold.
@Suite struct FileReaderTests {
    @Test func givesBackTheBytes() throws {
        let folder = try TemporaryFolder()
        let bytes = (0..<70_000).map { UInt8(truncatingIfNeeded: $0 &* 31) }
        try folder.write("data", bytes)
        try folder.write("empty", [])
        #expect(try FileReader.read(path: folder.at("data"), limit: 70_000) == bytes)
        #expect(try FileReader.read(path: folder.at("empty"), limit: 0) == [])
    }

    @Test func followsALinkThatAPersonLaid() throws {
        let folder = try TemporaryFolder()
        try folder.write("data", "x")
        try folder.link("link", to: "data")
        #expect(try FileReader.read(path: folder.at("link"), limit: 1) == [0x78])
    }

    @Test func refusesOneByteMoreThanTheLimit() throws {
        let folder = try TemporaryFolder()
        try folder.write("data", "four")
        #expect(try FileReader.read(path: folder.at("data"), limit: 4).count == 4)
        #expect(code { try FileReader.read(path: folder.at("data"), limit: 3) } == .tooLarge)
    }

    /// A FIFO without a writer would hold a blocking open for ever; a device never ends.
    @Test func refusesWhatIsNoRegularFile() throws {
        let folder = try TemporaryFolder()
        try folder.fifo("fifo")
        try folder.folder("folder")
        try folder.link("link", to: "fifo")
        for path in [folder.at("fifo"), folder.at("folder"), folder.at("link"), "/dev/zero"] {
            #expect(code { try FileReader.read(path: path, limit: 100) } == .notRegular, "\(path)")
        }
    }

    @Test func saysThatNothingIsThere() throws {
        let folder = try TemporaryFolder()
        #expect(code { try FileReader.read(path: folder.at("none"), limit: 1) } == .notFound)
        try folder.link("dangling", to: "none")
        #expect(code { try FileReader.read(path: folder.at("dangling"), limit: 1) } == .notFound)
    }

    @Test func namesThePathAndBothSizes() throws {
        let folder = try TemporaryFolder()
        try folder.write("data", "four")
        let error = #expect(throws: FileReadError.self) {
            try FileReader.read(path: folder.at("data"), limit: 3)
        }
        #expect(error?.context == "`\(folder.at("data"))` has 4 bytes; at most 3 are read")
    }
}

/// The code of the error that a reading throws; nil when it throws none.
func code(_ body: () throws -> some Any) -> FileReadError.Code? {
    do {
        _ = try body()
        return nil
    } catch let error as FileReadError {
        return error.code
    } catch {
        return nil
    }
}
