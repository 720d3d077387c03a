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

    /// A link is followed to what stands beneath the folder, wherever on the way it stands.
    @Test func followsLinksBeneathItself() throws {
        let folder = try TemporaryFolder()
        try folder.write("inside/real", "x")
        try folder.link("inside/file", to: "real")
        try folder.link("inside/round", to: "../inside/./file")
        try folder.link("door", to: "inside/")
        try folder.link("inside/deeper", to: "../door/round")
        try folder.link("inside/self", to: "..")
        let root = try RootFolder(path: folder.path)
        for path in [
            "inside/file", "inside/round", "door/real", "door/file", "inside/deeper",
            "inside/self/door/self/inside/real",
        ] {
            #expect(try root.read(path, limit: 100) == Array("x".utf8), "\(path)")
        }
        #expect(
            try root.entries(of: "door").map(\.name) == ["deeper", "file", "real", "round", "self"])
        #expect(try root.entries(of: "inside/self").map(\.name) == ["door", "inside"])
        let kinds = Dictionary(
            uniqueKeysWithValues: try root.entries(of: "inside").map { ($0.name, $0.kind) })
        #expect(kinds["real"] == .regular)
        #expect(kinds["file"] == .linkToFile && kinds["deeper"] == .linkToFile)
        #expect(kinds["self"] == .linkToFolder(""))
        #expect(try root.entries(of: "").first?.kind == .linkToFolder("inside"))
    }

    /// No name of a link's target leads above the folder, not even on its way back into it.
    @Test(arguments: [
        "/etc/hostname", "../outside", "../unit/file", "sub/../../outside", "out/outside", "again",
    ])
    func followsNoLinkOut(_ target: String) throws {
        let folder = try TemporaryFolder()
        try folder.write("unit/file", "x")
        try folder.write("unit/sub/file", "x")
        try folder.write("outside", "secret")
        try folder.link("unit/out", to: "..")
        try folder.link("unit/again", to: "../outside")
        try folder.link("unit/link", to: target)
        let root = try RootFolder(path: folder.at("unit"))
        #expect(code { try root.read("link", limit: 100) } == .leavesRoot)
        #expect(root.work.octets == 0)
        #expect(
            try root.entries(of: "").first { $0.name == "link" }?.kind == .linkOut(isFolder: false))
        #expect(
            try root.entries(of: "").first { $0.name == "out" }?.kind == .linkOut(isFolder: true))
        #expect(code { try root.entries(of: "out") } == .leavesRoot)
    }

    @Test func linksThatLeadNowhereOrInACircle() throws {
        let folder = try TemporaryFolder()
        try folder.link("gone", to: "nothing/here")
        try folder.link("a", to: "b")
        try folder.link("b", to: "a")
        try folder.fifo("pipe")
        try folder.link("to-pipe", to: "pipe")
        let root = try RootFolder(path: folder.path)
        #expect(code { try root.read("gone", limit: 100) } == .notFound)
        #expect(code { try root.read("a", limit: 100) } == .notRegular)
        #expect(code { try root.read("to-pipe", limit: 100) } == .notRegular)
        #expect(
            try root.entries(of: "").map(\.kind) == [
                .other("a symbolic link that cannot be followed"),
                .other("a symbolic link that cannot be followed"),
                .other("a symbolic link that cannot be followed"), .other("a FIFO"),
                .other("a symbolic link to a FIFO"),
            ])
    }

    /// What Kubernetes mounts is exchanged as a whole by one link. Files of two versions never come
    /// together.
    @Test func refusesALinkThatChanged() throws {
        let folder = try TemporaryFolder()
        for version in ["..v1", "..v2"] {
            try folder.write("\(version)/a", "a of \(version)")
            try folder.write("\(version)/b", "b of \(version)")
        }
        try folder.link("..data", to: "..v1")
        try folder.link("a", to: "..data/a")
        try folder.link("b", to: "..data/b")
        let root = try RootFolder(path: folder.path)
        #expect(try root.read("a", limit: 100) == Array("a of ..v1".utf8))
        try FileManager.default.removeItem(atPath: folder.at("..data"))
        try folder.link("..data", to: "..v2")
        let error = #expect(throws: FileReadError.self) { try root.read("b", limit: 100) }
        #expect(
            error?.context
                == "the symbolic link `..data` changed while the unit was read; read it again")
        let later = try RootFolder(path: folder.path)
        #expect(try later.read("a", limit: 100) == Array("a of ..v2".utf8))
        #expect(try later.read("b", limit: 100) == Array("b of ..v2".utf8))
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
                .regular, .regular, .folder, .linkToFile, .other("a FIFO"),
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
        #expect(code { try RootFolder(path: folder.at("file")) } == .notRegular)
        #expect(code { try RootFolder(path: folder.at("none")) } == .notFound)
    }
}
