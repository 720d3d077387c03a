import ArgumentParser
import Hawser
import PolicyCompiler
import PolicyTools
import Rendering
import TLSProbe
import TrustEngine

/// `hawser forecast`: when a policy, or the verdict on a chain, next changes.
struct ForecastCommand: FormattedCommand {
    typealias Answer = ForecastReport

    static let configuration = CommandConfiguration(
        commandName: "forecast",
        abstract: "Say when a policy, or the verdict on a chain, next changes, and why.",
        discussion: """
            Lists every instant up to `--horizon` at which the policy decides otherwise: ends of \
            waivers, of `report-only`, of pins and of anchors, steps of lifetimes, windows of \
            constraints, the age of a log list, the terms of a table. With `--chain`, `--chains`, \
            `--receipts` or `--connect` the engine judges these chains at later instants too, so that \
            the dates of their certificates and evidence count. Each instant is the first second of \
            something that was otherwise one second before.

            Exit status: 0; 1 where something starts to reject within `--fail-within`; 2 where the \
            question could not be asked; 3 for a fault of hawser. `hawser help forecast.md` lists \
            every kind of date.
            """)

    @Argument(
        help: "HOST or HOST:PORT, by default port 443; without one, every host of the policy.",
        completion: .custom(PolicyWords.hosts))
    var hosts: [String] = []

    @OptionGroup var policy: PolicyOptions

    @OptionGroup var store: SystemStoreOption

    @Option(
        help: "The first instant, as 2026-11-21 or 2026-11-21T12:00:00Z; by default now.")
    var at: String?

    @Option(help: "How far to look ahead, as 90d; by default 90d, or as far as `--fail-within`.")
    var horizon: String?

    @Option(
        name: .customLong("fail-within"),
        help: "End with 1 where something starts to reject within this time, as 30d.")
    var failWithin: String?

    @Option(
        help: "A file with the chain of the one HOST, the server's own certificate first.",
        completion: .file())
    var chain: String?

    @Option(help: "ADDRESS or ADDRESS:PORT to connect to; the one HOST is asked for by name.")
    var connect: String?

    @OptionGroup var plaintext: StartTLSOption

    @Option(
        help: "A folder of chains, HOST.pem or HOST_PORT.pem; may be repeated.",
        completion: .directory)
    var chains: [String] = []

    @Option(help: "A file of receipts; may be repeated.", completion: .file())
    var receipts: [String] = []

    @Option(
        help: """
            A folder of evidence for `--chain` and `--connect`, as `hawser fetch` fills it; may be \
            repeated.
            """, completion: .directory)
    var evidence: [String] = []

    @OptionGroup var output: AnswerOptions<ForecastReport>

    func answer() throws(CommandFailure) -> ExitStatus {
        let output = try AnswerOutput(output)
        let forecast: Forecast
        let files: [PolicySourceFile]
        do throws(CommandFailure) {
            (forecast, files) = try foreseen()
        } catch {
            let failure = ForecastReport(
                .notAsked(error.answerFailure),
                command: command(at: at), version: HawserVersion.number)
            throw output.failed(error, failure)
        }
        let report = ForecastReport(
            .foreseen(forecast), command: command(at: forecast.since.description),
            files: files, folder: folder(of: files), version: HawserVersion.number)
        try output.write(report)
        return forecast.failures.isEmpty ? .clean : .findings
    }

    /// The folder of the policy as findings name it; empty for a table, which has no files.
    private func folder(of files: [PolicySourceFile]) -> String {
        guard !files.isEmpty else { return "" }
        return OpenPolicy.path(policy).flatMap(DiffSides.shownFolder) ?? ""
    }

    /// The command line that asks the same again, as of the same instant.
    private func command(at instant: String?) -> String {
        var words = ["hawser", "forecast"] + hosts + policy.words
        for (option, value) in [
            ("--at", instant), ("--horizon", horizon), ("--fail-within", failWithin),
            ("--chain", chain), ("--connect", connect),
            ("--system-store", store.systemStore),
        ] {
            if let value { words += [option, value] }
        }
        words += plaintext.words
        for (option, values) in [
            ("--chains", chains), ("--receipts", receipts), ("--evidence", evidence),
        ] {
            words += values.flatMap { [option, $0] }
        }
        return ShellWords.line(words)
    }

    // MARK: The question

    private func foreseen() throws(CommandFailure) -> (Forecast, [PolicySourceFile]) {
        let since = try AskedInstant.read(at)
        let (until, failUntil) = try ends(since)
        try checkOptions()
        let targets = try named()
        let (table, unit, statement) = try PolicySource.source(policy)
        var asked: [(host: CanonicalHost, port: UInt16)] = []
        for target in targets { asked.append((try target.canonical(), target.port)) }
        var changes = try asking { () throws(AnswerFailure) in
            try PolicyForecaster(
                table, terms: statement?.terms, since: since, until: until,
                crypto: EngineLoader.makeBackend()
            ).changes(of: asked)
        }
        var recorded = try requests(targets, at: since)
        recorded.keep(asked)
        var requests: [Forecast.Request] = []
        if !recorded.isEmpty {
            let engine = try RecordedRequests.engine(table, store.systemStore)
            let forecaster = VerdictForecaster(
                engine, DatedRules(table, below: "", crypto: EngineLoader.makeBackend()),
                changes: changes, since: since, until: until)
            for (source, request) in try recorded.prepared(for: engine) {
                let found = forecaster.forecast(
                    request, source: source, freshness: statement?.terms?.freshness)
                requests.append(found.request)
                changes += found.changes
            }
        }
        let forecast = Forecast(
            name: policy.table ?? policy.policy ?? ".", policyDigest: table.policyDigest,
            since: since, until: until, failUntil: failUntil, changes: changes,
            requests: requests, unjudged: recorded.unjudged)
        return (forecast, (unit?.files ?? []).map(PolicySourceFile.init))
    }

    /// The last instant that is looked at, and the last at which a reject fails the run.
    private func ends(
        _ since: UTCInstant
    ) throws(CommandFailure) -> (until: UTCInstant, failUntil: UTCInstant?) {
        let within = try seconds(failWithin, of: "--fail-within")
        let ahead =
            try seconds(horizon, of: "--horizon")
            ?? max(AskedHorizon.usual, within ?? 0)
        if let within, within > ahead {
            throw .couldNotAsk(
                "`--fail-within \(failWithin ?? "")` lies beyond `--horizon \(horizon ?? "")`, up "
                    + "to which nothing is looked at")
        }
        return (
            since.advanced(bySeconds: ahead), within.map { since.advanced(bySeconds: $0) }
        )
    }

    private func seconds(
        _ text: String?, of option: String
    ) throws(CommandFailure) -> Int64? {
        guard let text else { return nil }
        return try AskedHorizon.seconds(text, of: option)
    }

    private func checkOptions() throws(CommandFailure) {
        if let chain, NamedPath.isFolder(chain) {
            throw .couldNotAsk(
                "`\(chain)` is a folder; `--chain` takes a file, and `--chains` a folder of HOST.pem"
            )
        }
        if chain != nil, connect != nil {
            throw .couldNotAsk("`--chain` and `--connect` name two chains; give one")
        }
        if let option = chain.map({ _ in "--chain" }) ?? connect.map({ _ in "--connect" }) {
            guard hosts.count == 1 else {
                throw .couldNotAsk(
                    "`\(option)` is the chain of one host: give HOST once, and several chains by "
                        + "`--chains`")
            }
        } else {
            if !evidence.isEmpty {
                throw .couldNotAsk(
                    "`--evidence` is for `--chain` and `--connect`; the evidence of `--chains` lies in "
                        + "its folder")
            }
        }
        try plaintext.check(connect: connect)
    }

    private func named() throws(CommandFailure) -> [RequestHost] {
        var found: [RequestHost] = []
        for host in hosts {
            let connect = try connect.map { text throws(CommandFailure) in
                try HostAndPort(text, isServer: true)
            }
            found.append(
                try RequestHost(host, connect: connect, startTLS: plaintext.starttls))
        }
        return found
    }

    /// The chains that the options name.
    private func requests(
        _ targets: [RequestHost], at since: UTCInstant
    ) throws(CommandFailure) -> RecordedRequests {
        var recorded = RecordedRequests()
        if let chain, let target = targets.first {
            try recorded.add(chain: chain, of: target, at: since, evidence: evidence)
        }
        if let connect, let target = targets.first {
            let starttls = plaintext.starttls
            let connection = try Probe.connect(
                to: connect, for: target, plaintext,
                alpn: starttls == nil ? TLSConnection.webProtocols : [])
            recorded.add(connection, of: target, at: since, evidence: evidence)
        }
        for folder in chains {
            try recorded.add(chains: folder, at: since, fileAdvice: ", and `--chain` a file")
        }
        for file in receipts { try recorded.add(receipts: file) }
        return recorded
    }
}

extension ForecastReport: OfferedAnswer {
    static var example: String { "ics=forecast.ics" }
}
