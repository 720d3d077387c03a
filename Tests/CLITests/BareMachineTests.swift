import Foundation
import Testing

/// Machines that lack what others have: a trust store, `/proc`. Each run has namespaces of its own,
/// in which empty folders hide them.
@Suite("a machine without a trust store or /proc", .enabled(if: BareMachine.isPossible))
struct BareMachineTests {
    private static let policy = """
        hawser: 1
        default: deny
        rules:
          api:
            hosts: ["api.acme.example"]
            anchors: [system]
            owner: web

        """

    private static func workshop() throws -> Workshop {
        let workshop = try Workshop()
        try workshop.write("unit/policy.yaml", policy)
        return workshop
    }

    @Test(
        "without a store it is said where it was looked for, which package brings it, and why nothing is judged",
        arguments: [
            ["explain", "api.acme.example", "--chain", "../chain.pem"],
            ["forecast", "api.acme.example", "--chain", "../chain.pem"],
            [
                "capture", "api.acme.example", "--chain", "../chain.pem", "--tls-version", "tls1.3",
                "-o", "case",
            ],
        ])
    func store(_ arguments: [String]) throws {
        let workshop = try Self.workshop()
        let run = try BareMachine.run(arguments, in: workshop, hiding: BareMachine.stores)
        #expect(run.status == 2, "\(run.text)")
        for words in [
            "no trust store, so nothing is judged", "`/etc/ssl/certs/ca-certificates.crt`",
            "`/etc/pki/tls/certs/ca-bundle.crt`", "the package `ca-certificates` installs it",
            "SSL_CERT_FILE and SSL_CERT_DIR are not read", "`--system-store FILE`",
        ] {
            #expect(run.text.contains(words), "\(words) in \(run.text)")
        }
        let given = try BareMachine.run(
            arguments + ["--system-store", "anchors/root.pem"], in: workshop,
            hiding: BareMachine.stores)
        #expect(given.status != 2, "\(given.text)")
    }

    @Test("a variable that names a store for other programs is not read, and proposed as an option")
    func variable() throws {
        let workshop = try Self.workshop()
        let file = workshop.folder.appending(path: "unit/anchors/root.pem").path
        let run = try BareMachine.run(
            ["explain", "api.acme.example", "--chain", "../chain.pem"], in: workshop,
            hiding: BareMachine.stores, environment: ["SSL_CERT_FILE": file])
        #expect(run.status == 2)
        #expect(
            run.text.contains(
                "`--system-store \(file)`, which SSL_CERT_FILE names for other programs"),
            "\(run.text)")
    }

    @Test("a store without a certificate is none")
    func emptyStore() throws {
        let workshop = try Self.workshop()
        let run = try BareMachine.run(
            ["explain", "api.acme.example", "--chain", "../chain.pem"], in: workshop,
            hiding: BareMachine.stores,
            before: "mkdir /etc/ssl/certs; : >/etc/ssl/certs/ca-certificates.crt")
        #expect(run.status == 2, "\(run.text)")
        #expect(run.text.contains("trust store holds no certificate, so nothing is judged"))
    }

    /// Swift reads the words of the command line from `/proc`. Without them a gate printed the help
    /// and ended with 0.
    @Test(
        "without /proc every command has its words",
        .disabled(if: BareMachine.needsProc, "the address sanitizer reads /proc"),
        arguments: [
            (["lint", "--at", "2026-06-01"], 0, "nothing found"), (["check"], 0, "nothing found"),
            (["show", "api.acme.example"], 0, "rule `api` decides"),
            (["show"], 2, "give a host or a pattern"),
            (["lint", "--fxi"], 2, "unknown option `--fxi`"),
            (["fmt", "--check"], 1, "policy.yaml"),
            (["diff", "none", ".", "--require", "no-weaker"], 1, "weaker"),
            (["test"], 2, "there is no test file"),
            (["compile", "-o", "x.table"], 0, "policy digest"),
            (
                [
                    "explain", "api.acme.example", "--chain", "../chain.pem", "--system-store",
                    "anchors/root.pem", "--at", "2026-06-01",
                ], 0, "accept"
            ),
        ])
    func words(_ arguments: [String], _ status: Int32, _ says: String) throws {
        let workshop = try Self.workshop()
        let run = try BareMachine.run(arguments, in: workshop, hiding: ["/proc"])
        #expect(run.status == status, "\(run.text)")
        #expect(run.text.contains(says), "\(run.text)")
    }

    /// The library is loaded into every program: one that lies in the current folder is anybody's.
    @Test(
        "without /proc `run` takes no library from the current folder",
        .disabled(if: BareMachine.needsProc, "the address sanitizer reads /proc"))
    func library() throws {
        let workshop = try Self.workshop()
        try workshop.write("unit/libhawser_run.so", "")
        let run = try BareMachine.run(["run", "--", "true"], in: workshop, hiding: ["/proc"])
        #expect(run.status == 125)
        #expect(run.text.contains("not known where /proc is not mounted"), "\(run.text)")
    }
}

/// Runs the command where folders of the machine are hidden.
enum BareMachine {
    static let stores = ["/etc/ssl", "/etc/pki"]

    /// Whether the programs under test are built with the address sanitizer, whose runtime ends a
    /// program that has no `/proc`. The stage `address-sanitizer` of `.ci/full` sets this.
    static let needsProc =
        ProcessInfo.processInfo.environment["HAWSER_SANITIZER"] == "address"

    /// Whether this machine lets a process hide folders from itself.
    static let isPossible =
        (try? shell("mkdir -p /tmp/hawser-bare && mount --bind /tmp/hawser-bare /etc/ssl"))?.status
        == 0

    static func run(
        _ arguments: [String], in workshop: Workshop, hiding folders: [String],
        before command: String = ":", environment: [String: String] = [:]
    ) throws -> (text: String, status: Int32) {
        let root = workshop.folder.path
        let hide = folders.filter { FileManager.default.fileExists(atPath: $0) }
            .map { "mkdir -p \(root)/hidden\($0) && mount --bind \(root)/hidden\($0) \($0)" }
        let words = [try CommandRun.executable().path] + arguments
        return try shell(
            (["cd \(root)/unit"] + hide).joined(separator: " && ") + " && { \(command); } && exec "
                + words.map { "'\($0)'" }.joined(separator: " ") + " 2>&1",
            environment: environment)
    }

    private static func shell(
        _ line: String, environment: [String: String] = [:]
    ) throws -> (text: String, status: Int32) {
        let process = Process()
        process.executableURL = URL(filePath: "/usr/bin/env")
        process.arguments = ["unshare", "--mount", "--propagation", "private", "sh", "-c", line]
        process.environment = ["PATH": "/usr/bin:/bin:/usr/sbin:/sbin", "COLUMNS": "9999"]
            .merging(environment) { $1 }
        process.standardInput = FileHandle.nullDevice
        process.standardError = FileHandle.nullDevice
        let output = Pipe()
        process.standardOutput = output
        try process.run()
        let text = String(
            decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        process.waitUntilExit()
        return (text, process.terminationStatus)
    }
}
