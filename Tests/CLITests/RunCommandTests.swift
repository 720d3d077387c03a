import Foundation
import Testing

/// `hawser run` up to the program's start. `Tests/Integration/run.sh` has what comes after it.
@Suite("hawser run")
struct RunCommandTests {
    /// A workshop with programs that a stranger left, and with libraries that the loader ignores.
    private static func workshop() throws -> Workshop {
        let workshop = try Workshop()
        func program(_ name: String, _ bytes: [UInt8]) throws {
            try ExecutableFile.write(bytes, to: workshop.folder.appending(path: name))
        }
        try program("static", MintedELF(interpreter: nil).bytes)
        try program("go", MintedELF(note: ("Go", 4)).bytes)
        try program("node", MintedELF(text: "\0ssl/statem/statem_clnt.c\0").bytes)
        try program("host", MintedELF(text: "\0libhostfxr.so\0").bytes)
        try program("old", MintedELF(needed: ["libssl.so.1.1"]).bytes)
        try program("cut", Array(MintedELF(needed: ["libssl.so.3"]).bytes.prefix(100)))
        try program("script", Array("#!./node --flag\n".utf8))
        try program("by-env", Array("#!/usr/bin/env ./node\n".utf8))
        try program("bin/git", MintedELF().bytes)
        try program(
            "lib/git-core/git-remote-https",
            MintedELF(needed: ["libcurl-gnutls.so.4", "libc.so.6"]).bytes)
        try workshop.write("plain", "no program\n")
        try FileManager.default.copyItem(
            atPath: Self.harmlessLibrary(), toPath: workshop.folder.path + "/libhawser_run.so")
        try program("libhawser_other.so", MintedELF(machine: 8, interpreter: nil).bytes)
        try workshop.write("libhawser_judge.so", "")
        return workshop
    }

    /// A library that a program can load and that does nothing to it: the C library's mathematics.
    private static func harmlessLibrary() throws -> String {
        let folders = [
            "/lib/x86_64-linux-gnu", "/lib/aarch64-linux-gnu", "/lib64", "/usr/lib64", "/usr/lib",
        ]
        let file = try #require(
            folders.map { URL(filePath: "\($0)/libm.so.6") }
                .first { FileManager.default.fileExists(atPath: $0.path) })
        return file.resolvingSymlinksInPath().path
    }

    private static let policy = ["run", "--policy", "unit"]

    @Test("what is not started, and why")
    func refused() throws {
        let workshop = try Self.workshop()
        var page = ""
        for (arguments, status) in [
            (["--", "./static"], 126), (["--", "./go"], 126), (["--", "./node", "app.js"], 126),
            (["--", "./host"], 126), (["--", "./old"], 126), (["--", "./cut"], 126),
            (["--", "./script"], 126), (["--", "./by-env"], 126), (["--", "bin/git", "push"], 126),
            (["--", "./plain"], 126), (["--", "unit"], 127), (["--", "./unit"], 126),
            (["--", "./absent"], 127), (["--", "absent"], 127), (["--", ""], 127),
        ] {
            let run = try workshop.run(Self.policy + arguments)
            #expect(run.status == Int32(status), "\(arguments)")
            page += run.transcript
        }
        try expectGolden("run-refused", transcript: page)
    }

    @Test("command lines and policies that start nothing have status 125")
    func unasked() throws {
        let workshop = try Self.workshop()
        _ = try workshop.run("compile", "unit", "-o", "policy.table")
        try workshop.write("cut.table", "HAWSER")
        try workshop.write("bad.yaml", "hawser: 1\ndefault: dney\n")
        var page = ""
        for arguments in [
            ["run"], ["run", "--policy", "unit"], ["run", "--policy", "unit", "--"],
            ["run", "--policy", "unit", "true"], ["run", "--polcy", "unit", "--", "true"],
            ["run", "--policy", "absent", "--", "true"],
            ["run", "--policy", "bad.yaml", "--", "true"],
            ["run", "--table", "cut.table", "--", "true"],
            ["run", "--policy", "unit", "--table", "policy.table", "--", "true"],
            ["run", "--policy", "unit", "--library", "absent.so", "--", "true"],
            ["run", "--policy", "unit", "--library", "unit", "--", "true"],
            ["run", "--policy", "unit", "--library", "unit/policy.yaml", "--", "true"],
            ["run", "--policy", "unit", "--library", "libhawser_other.so", "--", "true"],
            ["run", "--policy", "unit", "--library", "bin/git", "--", "true"],
        ] {
            let run = try workshop.run(arguments)
            #expect(run.status == 125, "\(arguments)")
            page += run.transcript.replacingOccurrences(
                of: workshop.folder.resolvingSymlinksInPath().path, with: "FOLDER")
        }
        try expectGolden("run-unasked", transcript: page)
    }

    @Test("where the library is not installed, the message says where it was looked for")
    func library() throws {
        let run = try Self.workshop().run(Self.policy + ["--", "true"])
        #expect(run.status == 125)
        #expect(run.error.contains("/libhawser_run.so`, `"))
        #expect(run.error.contains("/../lib/hawser/libhawser_run.so`"))
        #expect(run.error.contains("`--library FILE`"))
    }

    @Test("the program gets the settings, its arguments, and its status comes back")
    func started() throws {
        let workshop = try Self.workshop()
        func run(
            _ options: [String], _ program: [String], _ environment: [String: String] = [:]
        ) throws -> CommandRun {
            try CommandRun(
                Self.policy + ["--library", "libhawser_run.so"] + options + ["--"] + program,
                in: workshop.folder, environment: environment)
        }
        let printed = try run([], ["/usr/bin/env"], ["LD_PRELOAD": "", "A": "b c=d"])
        #expect(printed.status == 0)
        let lines = printed.output.split(separator: "\n")
        let folder = workshop.folder.resolvingSymlinksInPath().path
        #expect(lines.contains("LD_PRELOAD=\(folder)/libhawser_run.so"))
        #expect(lines.contains("PGSSLMODE=require"))
        #expect(lines.contains("A=b c=d"))
        #expect(lines.contains { $0.contains(/^HAWSER_RUN=\d+ \d+$/) })

        let status = try run([], ["/bin/sh", "-c", "echo \"$0\" \"$1\"; exit 42", "zero", "a  b"])
        #expect(status.status == 42 && status.output == "zero a  b\n")
        for (mode, options, wanted) in [
            ("verify-full", [], "verify-full"), ("prefer", [], "require"),
            ("prefer", ["--report-only"], "prefer"),
        ] {
            let printed = try run(options, ["/usr/bin/env"], ["PGSSLMODE": mode])
            #expect(printed.output.contains("PGSSLMODE=\(wanted)\n"), "\(mode) \(options)")
            let isReported = printed.output.contains(/HAWSER_RUN=\d+ \d+ report-only\n/)
            #expect(isReported == !options.isEmpty)
        }
    }

    /// The first day's mode breaks nothing: what cannot be judged is named and started.
    @Test("under --report-only a program that cannot be reached is started, and a line names it")
    func reported() throws {
        let workshop = try Self.workshop()
        // A shell with a text at the end of its file, where nothing is loaded from.
        let program = workshop.folder.appending(path: "program")
        var bytes = try Data(contentsOf: URL(filePath: "/bin/sh").resolvingSymlinksInPath())
        bytes.append(Data("\0libhostfxr.so\0".utf8))
        try ExecutableFile.write(bytes, to: program)
        let options = Self.policy + ["--library", "libhawser_run.so"]
        let command = ["--", "./program", "-c", "echo it ran; exit 7"]
        let refused = try workshop.run(options + command)
        #expect(refused.status == 126 && refused.output.isEmpty)
        let started = try workshop.run(options + ["--report-only"] + command)
        #expect(started.status == 7 && started.output == "it ran\n")
        let line =
            /hawser run: \.\/program\[\d+\]: its connections are not judged: libssl through dlsym \(\.NET\)\n/
        #expect(started.error.wholeMatch(of: line) != nil)
        let logged = try workshop.run(options + ["--report-only", "--log", "log"] + command)
        #expect(logged.status == 7 && logged.error.isEmpty)
        let log = try String(contentsOf: workshop.folder.appending(path: "log"), encoding: .utf8)
        #expect(log.wholeMatch(of: line) != nil)
    }

    /// The table that the program gets is the one that `compile` writes.
    @Test("the sealed file has the settings and the table")
    func sealed() throws {
        let workshop = try Self.workshop()
        _ = try workshop.run("compile", "unit", "-o", "policy.table")
        func file(_ arguments: [String]) throws -> Data {
            let run = try workshop.run(
                ["run"] + arguments + [
                    "--library", "libhawser_run.so", "--", "/bin/sh", "-c",
                    "file=/proc/self/fd/${HAWSER_RUN%% *}; cat $file > sealed; "
                        + "echo x 2>/dev/null >> $file || echo kept",
                ])
            #expect(run.output.hasSuffix("kept\n"))
            return try Data(contentsOf: workshop.folder.appending(path: "sealed"))
        }
        let table = try Data(contentsOf: workshop.folder.appending(path: "policy.table"))
        #expect(
            try file([
                "--policy", "unit", "--strict", "--verbose", "--names-from-lookups", "--log", "log",
            ])
                == Data(
                    """
                    hawser-run 1
                    mode=enforce
                    strict=yes
                    verbose=yes
                    lookups=yes
                    log=\(workshop.folder.path)/log
                    policy=\(workshop.folder.path)/unit


                    """.utf8) + table)
        #expect(
            try file(["--table", "policy.table", "--report-only"])
                == Data(
                    """
                    hawser-run 1
                    mode=report-only
                    table=\(workshop.folder.path)/policy.table


                    """.utf8))
    }
}
