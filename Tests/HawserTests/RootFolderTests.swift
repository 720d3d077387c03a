import Foundation
import Hawser
import Testing

/// Files beneath a root: no link is followed on the way, no path leaves.
@Suite struct RootFolderTests {
    @Test func readsBeneathItself() throws {
        let folder = try TemporaryFolder()
        try folder.write("a/b/c.pem", "deep")
        let root = try RootFolder(path: folder.path)
        #expect(try root.read("a/b/c.pem", limit: 10) == Array("deep".utf8))
    }

    @Test(arguments: [
        "..", "../x", "a/../../x", "a/..", "/etc/hostname", "", "a//b", "./a", "a/.", "a/",
        "a\u{0}b",
    ])
    func refusesAPathThatIsNotBeneath(_ path: String) throws {
        let folder = try TemporaryFolder()
        try folder.write("a/b", "x")
        let root = try RootFolder(path: folder.path)
        #expect(code { try root.read(path, limit: 10) } == .leavesRoot)
    }

    @Test func followsNoLink() throws {
        let folder = try TemporaryFolder()
        try folder.write("inside/real", "x")
        try folder.link("inside/file", to: "real")
        try folder.link("inside/away", to: "/etc/hostname")
        try folder.link("door", to: "inside")
        let root = try RootFolder(path: folder.path)
        for path in ["inside/file", "inside/away", "door/real"] {
            #expect(code { try root.read(path, limit: 100) } == .notRegular, "\(path)")
        }
        #expect(code { try root.entries(of: "door") } == .notRegular)
    }

    @Test func readsOnlyRegularFiles() throws {
        let folder = try TemporaryFolder()
        try folder.fifo("pipe")
        try folder.folder("folder")
        let root = try RootFolder(path: folder.path)
        #expect(code { try root.read("pipe", limit: 100) } == .notRegular)
        #expect(code { try root.read("folder", limit: 100) } == .notRegular)
        #expect(code { try root.read("none", limit: 100) } == .notFound)
        #expect(code { try root.read("none/file", limit: 100) } == .notFound)
    }

    /// The folder opened is the folder read, whatever its name leads to afterwards.
    @Test func staysWithTheFolderItOpened() throws {
        let folder = try TemporaryFolder()
        try folder.write("unit/data", "first")
        let root = try RootFolder(path: folder.at("unit"))
        try FileManager.default.moveItem(atPath: folder.at("unit"), toPath: folder.at("old"))
        try folder.write("unit/data", "second")
        #expect(try root.read("data", limit: 10) == Array("first".utf8))
    }

    @Test func listsByNameAndSaysWhatEachIs() throws {
        let folder = try TemporaryFolder()
        try folder.write("b.pem", "")
        try folder.write("a.pem", "")
        try folder.folder("c")
        try folder.link("d", to: "a.pem")
        try folder.fifo("e")
        let entries = try RootFolder(path: folder.path).entries(of: "")
        #expect(entries.map(\.name) == ["a.pem", "b.pem", "c", "d", "e"])
        #expect(
            entries.map(\.kind) == [
                .regular, .regular, .folder, .other("a symbolic link"), .other("a FIFO"),
            ])
    }

    @Test func listsAFolderBelowTwiceTheSame() throws {
        let folder = try TemporaryFolder()
        try folder.write("below/x", "")
        let root = try RootFolder(path: folder.path)
        #expect(try root.entries(of: "below").map(\.name) == ["x"])
        #expect(try root.entries(of: "below").map(\.name) == ["x"])
        #expect(try root.entries(of: "").map(\.name) == ["below"])
        #expect(try root.entries(of: "").map(\.name) == ["below"])
    }

    @Test func isAFolderOrNothing() throws {
        let folder = try TemporaryFolder()
        try folder.write("file", "")
        #expect(code { try RootFolder(path: folder.at("file")) } == .notFound)
        #expect(code { try RootFolder(path: folder.at("none")) } == .notFound)
    }
}
