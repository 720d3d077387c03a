import Foundation
import Testing

@Suite("hawser fmt")
struct FmtTests {
    private static let crooked = """
        # Owned by security.

        hawser: 1
        rules:
          api: { hosts: [api.acme.example], anchors: [acme] }   # the one
        default: deny
        anchors: { acme: { files: [anchors/root.pem] } }

        """

    private static func workshop() throws -> Workshop {
        let workshop = try Workshop()
        try workshop.write("unit/policy.yaml", crooked)
        return workshop
    }

    private func text(_ workshop: Workshop, _ path: String = "unit/policy.yaml") throws -> String {
        try String(contentsOf: workshop.folder.appending(path: path), encoding: .utf8)
    }

    @Test("--check and --diff write nothing; formatting once is formatting for good")
    func story() throws {
        let workshop = try FmtTests.workshop()
        var page = ""
        for arguments in [["fmt", "--check", "unit"], ["fmt", "--diff", "unit"]] {
            let run = try workshop.run(arguments)
            #expect(run.status == 1)
            #expect(try text(workshop) == FmtTests.crooked)
            page += run.transcript
        }
        let before = try workshop.run("compile", "unit", "-o", "before.table")
        for arguments in [["fmt", "unit"], ["fmt", "unit"], ["fmt", "--check", "unit"]] {
            let run = try workshop.run(arguments)
            #expect(run.status == 0)
            page += run.transcript
        }
        try expectGolden("fmt", transcript: page)
        let after = try workshop.run("compile", "unit", "-o", "after.table")
        func digest(_ run: CommandRun) -> Substring? {
            run.output.split(separator: "\n").first { $0.hasPrefix("policy digest") }
        }
        #expect(digest(before) != nil && digest(before) == digest(after))
    }

    @Test("only the files named are touched, whatever unit they lie in")
    func named() throws {
        let workshop = try FmtTests.workshop()
        let team = "hawser: 1\nrules: { web: { hosts: [w.example], anchors: [acme] } }\n"
        try workshop.write("unit/web.policy.yaml", team)
        #expect(try workshop.run("fmt", "unit/web.policy.yaml").status == 0)
        #expect(try text(workshop) == FmtTests.crooked)
        #expect(try text(workshop, "unit/web.policy.yaml") != team)
        try FileManager.default.createSymbolicLink(
            at: workshop.folder.appending(path: "link.yaml"),
            withDestinationURL: workshop.folder.appending(path: "unit/policy.yaml"))
        #expect(try workshop.run("fmt", "link.yaml").status == 0)
        #expect(try text(workshop) != FmtTests.crooked)
        let link = try FileManager.default.destinationOfSymbolicLink(
            atPath: workshop.folder.appending(path: "link.yaml").path)
        #expect(link.hasSuffix("unit/policy.yaml"))
    }

    @Test("a file keeps who may read it")
    func permissions() throws {
        let workshop = try FmtTests.workshop()
        let path = workshop.folder.appending(path: "unit/policy.yaml").path
        try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: path)
        #expect(try workshop.run("fmt", "unit").status == 0)
        let attributes = try FileManager.default.attributesOfItem(atPath: path)
        #expect(attributes[.posixPermissions] as? Int == 0o600)
    }

    @Test("what cannot be read stays as it is, and ends with 2")
    func unreadable() throws {
        let workshop = try FmtTests.workshop()
        let broken = "hawser: 1\nrules: {\n"
        try workshop.write("unit/policy.yaml", broken)
        let run = try workshop.run("fmt", "unit")
        #expect(run.status == 2)
        #expect(run.error.contains("HW001") && run.error.contains("not formatted"))
        #expect(try text(workshop) == broken)
        #expect(try workshop.run("fmt", "nowhere").status == 2)
        #expect(try workshop.run("fmt", "unit/anchors").status == 2)
    }
}
