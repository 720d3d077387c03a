import ArgumentParser
import Hawser
import Rendering
import TrustEngine

/// `hawser run`: becomes a program whose TLS connections a policy judges.
struct RunCommand: Answering {
    static let configuration = CommandConfiguration(
        commandName: "run",
        abstract: "Run a program, unchanged, with its TLS connections judged by a policy.",
        discussion: """
            The program must use the OpenSSL 3 of the system, as Debian's curl, psql, Ruby and PHP do. Its client \
            connections are judged, and the connections of the programs that it starts; its servers are not judged. The policy \
            decides in place of OpenSSL: `curl -k`, `--cacert` and `sslrootcert` count no more. A verification \
            callback of the program is asked after the policy and can only refuse.

            With `--report-only` the policy's answer is logged, and the program verifies as it does by itself. Nothing is \
            refused: a program that cannot be reached is named and started.

            A program that cannot be reached is named and not started: statically linked, setuid or with file \
            capabilities, with its own OpenSSL inside (Node.js), with libssl 1.1, with libssl through dlsym (Qt, .NET), with \
            GnuTLS (Debian's git and wget), NSS, Go's or Java's own TLS. A child of that kind is named and \
            started, and its connections are not judged; `--strict` refuses it. Likewise a library that the program \
            loads while it runs, such as a wheel with its own OpenSSL, and a connection whose ClientHello no judged \
            context made.

            The policy must be told the host: the server name or the host to be verified. Where a program sets \
            neither, as for an address in a URL, the connection is refused. The port is the port of the socket's peer, or the \
            one that the program asked a proxy for (CONNECT, SOCKS). Where it cannot be known and another port of the \
            host may have another rule, the connection is refused (`port-unknown`).

            libpq goes on in clear text where TLS fails and `sslmode` is `prefer`, its default: `PGSSLMODE` is set to \
            `require`, unless it is higher. An `sslmode` in a connection string comes before it and cannot be \
            changed here.

            This is a guard against mistakes, not a sandbox: a program that wants to connect without being judged \
            can.

            A policy is compiled when the program starts and does not change. A table file that is replaced counts \
            from the next handshake, and so does a new index of CRLite filters.

            The exit status is the program's. 125: hawser failed. 126: the program cannot be judged or executed. 127: \
            the program was not found.
            """)

    @OptionGroup var source: PolicyOptions

    @Flag(
        name: .customLong("report-only"),
        help: "Log what the policy would refuse, and leave verification to the program.")
    var onlyReports = false

    @Flag(
        help: """
            Refuse what cannot be judged: children, libraries that are loaded, and connections whose ClientHello no judged \
            context made.
            """)
    var strict = false

    @Flag(help: "Log the connections that are accepted too.")
    var verbose = false

    @Flag(
        name: .customLong("names-from-lookups"),
        help: """
            For a program that sends no server name: take the name that it has looked up for the server's address, if it \
            has looked up only one. The log says so.
            """)
    var takesLookups = false

    @Option(
        name: .customLong("crlite-directory"),
        help: "A folder of CRLite filters, as `upki fetch` fills it, for rules that ask `crlite`.",
        completion: .directory)
    var crliteDirectory: String?

    @Option(help: "A file to append the log to, in place of standard error.", completion: .file())
    var log: String?

    @Option(
        help: """
            The library that is loaded into the program, libhawser_run.so; by default from the command's folder, \
            or ../lib/hawser.
            """, completion: .file())
    var library: String?

    @Argument(
        parsing: .postTerminator, help: "The program and its arguments, behind `--`.",
        completion: .file())
    var program: [String] = []

    func answer() throws(CommandFailure) -> ExitStatus {
        do throws(CommandFailure) {
            return try start()
        } catch {
            // 2 and 3 are statuses that the program may have.
            switch error.status {
            case .notStarted, .notFound: throw error
            case .clean, .findings, .couldNotAsk, .ownFault, .stricter, .weaker, .incomparable,
                .runFailed:
                throw CommandFailure(status: .runFailed, message: error.message)
            }
        }
    }

    private func start() throws(CommandFailure) -> ExitStatus {
        guard let name = program.first else { throw .couldNotAsk(RunCommand.usage) }
        let environment = ChildProcess.environment
        let file = try find(name, environment["PATH"])
        let obstacle = ProgramReach.obstacle(of: file, path: environment["PATH"])
        let about = obstacle.map { $0.file == file ? "" : " (`\($0.file)`)" } ?? ""
        if let obstacle, !onlyReports {
            throw CommandFailure(
                status: .notStarted,
                message: "`\(name)`\(about) is not started, as its connections cannot be judged: "
                    + obstacle.reason)
        }
        let settings = try settings()
        let library = try RunLibrary.find(self.library)
        guard let descriptor = ProgramFile.seal(settings.sealed) else {
            throw .ownFault("the system makes no sealed file in memory")
        }
        if let obstacle {
            let line =
                "hawser run: \(name)[\(ProgramFile.process)]: its connections are not judged\(about): "
                + obstacle.reason
            if !ProgramFile.append(TerminalEscape.escape(line) + "\n", to: settings.log) {
                Report.progress(line)
            }
        }
        let refusal = ProgramFile.become(
            file, program,
            environment: settings.environment(
                environment, library: library, descriptor: descriptor,
                process: ProgramFile.process))
        throw CommandFailure(
            status: .notStarted, message: "`\(name)` is not executed: \(refusal.words)")
    }

    private func find(_ name: String, _ path: String?) throws(CommandFailure) -> String {
        switch ProgramFile.find(name, path: path) {
        case .file(let file): return file
        case .notExecutable(let file):
            throw CommandFailure(
                status: .notStarted, message: "`\(file)` is not a file that may be executed")
        case .nothing:
            throw CommandFailure(
                status: .notFound, message: "the program `\(name)` was not found")
        }
    }

    /// The settings, with a policy that loads: one that does not would refuse every connection.
    private func settings() throws(CommandFailure) -> RunSettings {
        let found = try PolicySource.source(source)
        _ = try PolicySource.engine(found.table, checks: [:])
        var settings = RunSettings(policy: .table(found.table.bytes))
        if let table = source.table { settings.policy = .file(try absolute(table)) }
        settings.policyPath = try OpenPolicy.path(source).map { path throws(CommandFailure) in
            try absolute(path)
        }
        if let trusted = try source.trusted.keys() {
            settings.trustedKeys = trusted.keys.map(\.raw)
            settings.threshold = trusted.threshold
        }
        settings.onlyReports = onlyReports
        settings.isStrict = strict
        settings.isVerbose = verbose
        settings.takesLookups = takesLookups
        if let log { settings.log = try absolute(log) }
        settings.filterFolder = try crliteDirectory.map { path throws(CommandFailure) in
            try absolute(path)
        }
        return settings
    }

    private func absolute(_ path: String) throws(CommandFailure) -> String {
        guard let absolute = ProgramFile.absolute(path) else {
            throw .couldNotAsk("the current folder has no path")
        }
        guard !absolute.utf8.contains(where: { $0 == 10 || $0 == 0 }) else {
            throw .couldNotAsk("a path with a line end cannot be handed to the program")
        }
        return absolute
    }

    /// The message when no program is named.
    static let usage =
        "the program stands behind `--`: `hawser run --policy POLICY -- PROGRAM ARGUMENT...`"
}
