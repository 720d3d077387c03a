/// Calls of `git` for a stranger's repository: no program of the repository is run, nothing is
/// written into it, nothing is fetched, and every call has a time limit.
struct GitCommand: Sendable {
    /// The file of `git`.
    let executable: String
    /// All variables of the environment.
    let environment: [String: String]
    /// The time that one call has.
    let seconds: Int

    /// The seconds that one call has. Listing a tree of a million files takes two.
    static let seconds = 30
    /// Octets of the longest answer: some million paths.
    static let largestAnswer = 256 << 20

    /// Finds `git` on the machine. It throws `noGit`.
    ///
    /// - Parameter caller: the variables of the caller. Variables of git (`GIT_*`) are dropped,
    ///   except the ones that say where a repository is looked for and which configuration is the
    ///   user's own.
    static func find(
        caller: [String: String], seconds: Int = GitCommand.seconds
    ) throws(NotCompared) -> GitCommand {
        let path = caller["PATH"] ?? "/usr/local/bin:/usr/bin:/bin"
        guard let executable = ChildProcess.executable("git", path: path) else {
            throw NotCompared(
                .noGit,
                "a revision needs `git`, which is in no folder of PATH; install it, or give a "
                    + "folder or a table in place of the revision")
        }
        return GitCommand(
            executable: executable, environment: environment(caller), seconds: seconds)
    }

    private static func environment(_ caller: [String: String]) -> [String: String] {
        caller.filter { !$0.key.hasPrefix("GIT_") || kept.contains($0.key) }
            .merging(settings) { $1 }
    }

    /// What the caller's `git` may be told: how far a repository is looked for, and which files
    /// have the user's own configuration (`safe.directory` stands there).
    private static let kept: Set<String> = [
        "GIT_CEILING_DIRECTORIES", "GIT_DISCOVERY_ACROSS_FILESYSTEM", "GIT_CONFIG_GLOBAL",
        "GIT_CONFIG_SYSTEM", "GIT_CONFIG_NOSYSTEM",
    ]

    private static let settings: [String: String] = [
        // Ignore replace refs and grafts.
        "GIT_NO_REPLACE_OBJECTS": "1", "GIT_GRAFT_FILE": "/dev/null",
        // No fetching: the second holds for a `git` that does not know the first.
        "GIT_NO_LAZY_FETCH": "1", "GIT_ALLOW_PROTOCOL": "none",
        "GIT_OPTIONAL_LOCKS": "0", "GIT_TERMINAL_PROMPT": "0", "GIT_LITERAL_PATHSPECS": "1",
        "GIT_PAGER": "cat", "GIT_ATTR_NOSYSTEM": "1",
        // The words of errors are read here.
        "LC_ALL": "C", "LANGUAGE": "C",
    ]

    /// Settings of a repository that name programs, or that change what a name stands for.
    private static let overrides = [
        "core.fsmonitor=false", "core.hooksPath=/dev/null", "core.pager=cat",
        "core.sshCommand=false", "core.gitProxy=", "core.alternateRefsCommand=", "core.askPass=",
        "credential.helper=", "protocol.allow=never", "core.warnAmbiguousRefs=true",
        "advice.graftFileDeprecated=false", "gc.auto=0", "maintenance.auto=false",
    ]

    /// The same command with more variables.
    func adding(_ variables: [String: String]) -> GitCommand {
        GitCommand(
            executable: executable, environment: environment.merging(variables) { $1 },
            seconds: seconds)
    }

    // MARK: Calls

    /// What a call answered.
    struct Answer {
        let output: [UInt8]
        /// Its standard error: all of it, or the beginning.
        let complaint: String
        let status: Int32

        /// Standard output as one text without the line feed at its end; nil after a failure.
        var text: String? {
            guard status == 0 else { return nil }
            let octets = output.last == 0x0A ? output.dropLast() : output[...]
            return String(decoding: octets, as: UTF8.self)
        }
    }

    /// Runs `git` in a folder to its end.
    func run(
        _ arguments: [String], in folder: String, input: [UInt8] = [],
        limit: Int = GitCommand.largestAnswer
    ) throws(NotCompared) -> Answer {
        do throws(ChildProblem) {
            var child = try start(arguments, in: folder)
            let (output, status) = try child.finish(input, limit: limit, until: end)
            return Answer(
                output: output, complaint: String(decoding: child.complaint, as: UTF8.self),
                status: status)
        } catch {
            throw problem(error, of: arguments)
        }
    }

    /// Starts a call that is asked several times. Its caller ends it.
    func start(_ arguments: [String], in folder: String) throws(ChildProblem) -> ChildProcess {
        let settings = GitCommand.overrides.flatMap { ["-c", $0] }
        return try .start(
            executable, ["-C", folder, "--no-pager"] + settings + arguments,
            environment: environment)
    }

    /// When a call that begins now must have ended.
    var end: ContinuousClock.Instant { .now.advanced(by: .seconds(seconds)) }

    /// Why a call gave no answer.
    func problem(_ problem: ChildProblem, of arguments: [String]) -> NotCompared {
        let call = "`git \(arguments.first ?? "")`"
        switch problem {
        case .notStarted(let reason):
            return NotCompared(.noGit, "`\(executable)` does not start: \(reason)")
        case .timeLimit:
            return NotCompared(.timeLimit, "\(call) did not answer within \(seconds) seconds")
        case .tooMuch:
            return NotCompared(
                .tooLarge,
                "\(call) answers more than is read: keep the policy in a folder of its own")
        case .ended:
            return NotCompared(.failed, "\(call) ended before its answer was whole")
        }
    }

    /// A failure that has no reason of its own here, in git's words.
    static func failure(_ arguments: [String], _ answer: Answer) -> NotCompared {
        let line = answer.complaint.split(whereSeparator: \.isNewline).first.map(String.init)
        let words = line ?? "it ended with \(answer.status) and said nothing"
        return NotCompared(.failed, "`git \(arguments.first ?? "")` failed: \(words)")
    }
}
