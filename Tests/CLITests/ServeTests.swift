import Foundation
import Testing

/// What the command says itself; what the server does is tested beside it, in
/// `Sources/Integrations/Serve`.
@Suite("hawser serve")
struct ServeTests {
    @Test("its help needs no server")
    func help() throws {
        let run = try Workshop().run("serve", "--help")
        try expectGolden("serve-help", run)
        #expect(run.status == 0)
    }

    @Test("a mistake is told before the server starts")
    func mistakes() throws {
        for (name, arguments) in [
            ("serve-no-table", ["--socket", "/run/hawser/hawser.sock"]),
            ("serve-unknown-option", ["--table", "a.table", "--listen", "0.0.0.0:80"]),
            ("serve-bad-number", ["--table", "a.table", "--timeout", "soon"]),
        ] {
            let run = try Workshop().run(["serve"] + arguments)
            try expectGolden(name, run)
            #expect(run.status == 2)
        }
    }

    @Test("says where it looked for the server, and how one gets it")
    func notInstalled() throws {
        let run = try Workshop().run(
            "serve", "--table", "a.table", "--socket", "/run/hawser/hawser.sock")
        #expect(run.status == 2)
        #expect(run.output.isEmpty)
        #expect(run.error.hasPrefix("error: `hawser-serve` is not installed; looked for `/"))
        #expect(run.error.contains("/libexec/hawser/hawser-serve`"))
        #expect(run.error.contains("--package-path Sources/Integrations/Serve"))
    }

    @Test("becomes the server, with the words as they were given")
    func becomes() throws {
        let workshop = try Workshop()
        let folder = workshop.folder.appending(path: "bin")
        let server = folder.appending(path: "hawser-serve")
        try ExecutableFile.write(script: "echo \"$$ $#: $*\"\nexit 7", to: server)
        let run = try CommandRun(
            ["serve", "--table", "a b", "--name=x"], in: workshop.folder,
            environment: ["PATH": "\(folder.path):/usr/bin:/bin"])
        #expect(run.status == 7)
        #expect(run.output.hasSuffix(" 3: --table a b --name=x\n"))
        try workshop.write("bin/hawser-serve", "no program\n")
        try FileManager.default.setAttributes(
            [.posixPermissions: 0o644], ofItemAtPath: server.path)
        let refused = try CommandRun(
            ["serve", "--table", "a"], in: workshop.folder,
            environment: ["PATH": "\(folder.path):/usr/bin:/bin"])
        #expect(refused.status == 2)
        #expect(refused.error.contains("does not start: Permission denied"))
    }
}
