import Foundation
import TestPKI
import Testing

/// Units that Kubernetes mounts: links into `..data`, a link to a folder that is exchanged as a
/// whole. Every command reads them, by folder and by file.
@Suite("units of links") struct MountedUnitTests {
    private static let policy = """
        hawser: 1
        default: deny
        anchors:
          acme:
            files:
              - ca.pem
        rules:
          api:
            hosts:
              - "api.acme.example"
            anchors: [acme]
            owner: web

        """

    private static func mounted() throws -> Workshop {
        let workshop = try Workshop()
        let files = FileManager.default
        let folder = workshop.folder
        try files.removeItem(at: folder.appending(path: "unit"))
        let version = folder.appending(path: "mnt/..2026_11_27.1")
        try files.createDirectory(at: version, withIntermediateDirectories: true)
        try workshop.write("mnt/..2026_11_27.1/ca.pem", Workshop.root.pem)
        try workshop.write("mnt/..2026_11_27.1/policy.yaml", policy)
        func link(_ name: String, to target: String) throws {
            try files.createSymbolicLink(
                atPath: folder.appending(path: "mnt/\(name)").path, withDestinationPath: target)
        }
        try link("..data", to: "..2026_11_27.1")
        try link("policy.yaml", to: "..data/policy.yaml")
        try link("ca.pem", to: "..data/ca.pem")
        return workshop
    }

    @Test(
        "read by every command, whether the folder or the file is named",
        arguments: [
            "mnt", "mnt/policy.yaml",
        ])
    func mounts(_ path: String) throws {
        let workshop = try Self.mounted()
        let at = ["--at", "2026-06-01"]
        let check = try workshop.run("check", path)
        #expect(check.status == 0, "\(check.transcript)")
        let lint = try workshop.run(["lint", path] + at)
        #expect(lint.status == 0, "\(lint.transcript)")
        let explained = try workshop.run(
            ["explain", "api.acme.example", "--policy", path, "--chain", "chain.pem"] + at)
        #expect(!explained.output.isEmpty && explained.status != 2, "\(explained.transcript)")
        #expect(try workshop.run("fmt", "--check", path).status == 0)
        #expect(try workshop.run("show", "api.acme.example", "--policy", path).status == 0)
    }

    @Test("a link that leads out of the unit is refused with a help")
    func leadsOut() throws {
        let workshop = try Self.mounted()
        let folder = workshop.folder.appending(path: "mnt")
        try workshop.write("secret.pem", Workshop.root.pem)
        try FileManager.default.removeItem(at: folder.appending(path: "ca.pem"))
        try FileManager.default.createSymbolicLink(
            atPath: folder.appending(path: "ca.pem").path, withDestinationPath: "../secret.pem")
        let check = try workshop.run("check", "mnt")
        #expect(check.status == 1)
        #expect(
            check.output.contains(
                "error[HW012]: `ca.pem` leaves the unit: `ca.pem` leads out of the unit by a symbolic "
                    + "link"), "\(check.output)")
        #expect(check.output.contains("help: put the file into the unit"))
        try workshop.write("more.policy.yaml", "hawser: 1\n")
        try FileManager.default.createSymbolicLink(
            atPath: folder.appending(path: "more.policy.yaml").path,
            withDestinationPath: "../more.policy.yaml")
        let misnamed = try workshop.run("check", "mnt").output
        #expect(
            misnamed.contains(
                "error[HW013]: `more.policy.yaml` has a policy's name but is a symbolic link that leads "
                    + "out of the unit"), "\(misnamed)")
        #expect(misnamed.contains("help: files of a unit stand in its folder"))
    }
}
