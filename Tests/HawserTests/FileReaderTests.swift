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

/// FIFOs and other streams, which a command line may name.
@Suite("streams", .timeLimit(.minutes(1))) struct StreamTests {
    /// Writes to a FIFO from another thread, in parts, and closes it.
    private static func write(_ parts: [String], to path: String) {
        Thread {
            let descriptor = open(path, O_WRONLY)
            for part in parts {
                _ = Foundation.write(descriptor, part, part.utf8.count)
                usleep(20_000)
            }
            close(descriptor)
        }.start()
    }

    private static func read(
        _ path: String, limit: Int = 100, seconds: Int = 20
    ) -> Result<[UInt8], FileReadError> {
        do throws(FileReadError) {
            return .success(
                try FileReader.readNamed(path: path, limit: limit, seconds: seconds))
        } catch {
            return .failure(error)
        }
    }

    private static func context(_ result: Result<[UInt8], FileReadError>) -> String? {
        guard case .failure(let error) = result else { return nil }
        return error.context
    }

    @Test("a FIFO is read until its writer closes it")
    func fifo() throws {
        let folder = try TemporaryFolder()
        try folder.fifo("fifo")
        Self.write(["one ", "two ", "three"], to: folder.at("fifo"))
        #expect(try Self.read(folder.at("fifo")).get() == Array("one two three".utf8))
    }

    @Test("a regular file is read as ever, and a device or a folder is not")
    func others() throws {
        let folder = try TemporaryFolder()
        try folder.write("data", "x")
        #expect(try Self.read(folder.at("data")).get() == [0x78])
        for path in ["/dev/zero", folder.at("")] {
            guard case .failure(let error) = Self.read(path) else {
                Issue.record("\(path) was read")
                continue
            }
            #expect(error.code == .notRegular)
        }
    }

    @Test("a FIFO that nobody writes to, or that nobody closes, costs the time allowed")
    func endless() throws {
        let folder = try TemporaryFolder()
        try folder.fifo("fifo")
        let message = "`\(folder.at("fifo"))` did not end within 1 seconds"
        #expect(Self.context(Self.read(folder.at("fifo"), seconds: 1)) == message)
        let descriptor = open(folder.at("fifo"), O_RDWR)
        defer { close(descriptor) }
        _ = Foundation.write(descriptor, "x", 1)
        #expect(Self.context(Self.read(folder.at("fifo"), seconds: 1)) == message)
    }

    @Test("no more than the limit is kept")
    func large() throws {
        let folder = try TemporaryFolder()
        try folder.fifo("fifo")
        let descriptor = open(folder.at("fifo"), O_RDWR)
        defer { close(descriptor) }
        _ = Foundation.write(descriptor, "12345", 5)
        #expect(
            Self.context(Self.read(folder.at("fifo"), limit: 4))
                == "`\(folder.at("fifo"))` has more than 4 bytes")
    }

    @Test("a descriptor keeps its flags, blocking or not", arguments: [0, O_NONBLOCK])
    func descriptor(_ flag: Int32) throws {
        var ends: [Int32] = [0, 0]
        #expect(pipe(&ends) == 0)
        _ = fcntl(ends[0], F_SETFL, flag)
        _ = Foundation.write(ends[1], "abc", 3)
        let writer = ends[1]
        Thread {
            usleep(50_000)
            _ = Foundation.write(writer, "def", 3)
            close(writer)
        }.start()
        let bytes = try FileReader.readStream(
            descriptor: ends[0], name: "the pipe", limit: 6, seconds: 20)
        #expect(bytes == Array("abcdef".utf8))
        #expect(fcntl(ends[0], F_GETFL) & O_NONBLOCK == flag)
        close(ends[0])
        // The number of the closed descriptor may already belong to a file of another test.
        let error = #expect(throws: FileReadError.self) {
            try FileReader.readStream(
                descriptor: .max, name: "the pipe", limit: 6, seconds: 20)
        }
        #expect(error?.context.hasPrefix("the pipe: ") == true)
    }

    @Test("the beginning of a file, and of nothing else")
    func beginning() throws {
        let folder = try TemporaryFolder()
        try folder.write("data", "abc")
        try folder.fifo("fifo")
        #expect(FileReader.beginning(of: folder.at("data"), count: 2) == [0x61, 0x62])
        #expect(FileReader.beginning(of: folder.at("data"), count: 9) == [0x61, 0x62, 0x63])
        for path in ["fifo", "none", ""] {
            #expect(FileReader.beginning(of: folder.at(path), count: 2) == nil)
        }
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
