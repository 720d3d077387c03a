import ArgumentParser
import PolicyCompiler
import PolicyTools
import TLSProbe
import TrustEngine

/// `hawser explain`: the verdict on a chain, and what it rests on.
struct ExplainCommand: Answering {
    static let configuration = CommandConfiguration(
        commandName: "explain",
        abstract:
            "Say whether a host's certificate chain is trusted, why, and what would change it.",
        discussion: """
            The chain comes from a file (PEM or DER, the server's own certificate first) or from a \
            server. A server is only looked at: no application data is sent.

            `--why-not RULE` asks another question, of the policy alone: why that rule does not decide \
            the host. It looks at no chain, and its answer ends with 0 whatever it is.
            """)

    @Argument(help: "HOST or HOST:PORT; the port is 443 unless said.")
    var host: String

    @OptionGroup var policy: PolicyOptions

    @Option(help: "A file with the presented chain.")
    var chain: String?

    @Option(help: "ADDRESS or ADDRESS:PORT to connect to; the host is asked for by name.")
    var connect: String?

    @Option(help: "The instant to judge at, as 2026-11-21 or 2026-11-21T12:00:00Z; by default now.")
    var at: String?

    @OptionGroup(title: "TLS parameters to assume for a chain from a file") var tls: TLSOptions

    @Option(help: "A file with CRLs, PEM or DER; may be repeated.")
    var crl: [String] = []

    @Option(help: "A file with an OCSP response in DER; may be repeated.")
    var ocsp: [String] = []

    @Option(
        name: .customLong("why-not"),
        help: "Say why this rule, or `default`, does not decide the host.")
    var whyNot: String?

    @Flag(help: "Show every step.")
    var trace = false

    @OptionGroup var output: OutputOptions

    func answer() throws(CommandFailure) -> ExitStatus {
        let target = try RequestHost(host)
        if let whyNot {
            let table = try PolicySource.table(policy: policy.policy, tableFile: policy.table)
            try Report.print(answer(whyNot, target, table))
            return .clean
        }
        var assumptions = target.assumptions
        let time = try instant(&assumptions)
        guard (chain == nil) != (connect == nil) else {
            throw .couldNotAsk(
                chain == nil
                    ? "give the chain: `--chain FILE` or `--connect ADDRESS`; "
                        + "`hawser show` shows the rule alone"
                    : "`--chain` and `--connect` name two chains; give one")
        }
        let engine = try PolicySource.engine(
            PolicySource.table(policy: policy.policy, tableFile: policy.table))
        let presented = try present(target, engine.table, &assumptions)
        var evidence = presented.evidence
        for path in crl {
            evidence.crls += try CertificateFile.evidence(path, label: "X509 CRL")
        }
        for path in ocsp {
            evidence.ocspResponses += try CertificateFile.evidence(path, label: "OCSP RESPONSE")
        }
        let explanation = engine.explain(
            TrustRequest(
                host: target.host, port: target.port, presentedChain: presented.chain, time: time,
                tls: presented.tls, evidence: evidence))
        try Report.print(text(explanation, engine.table.provenance(), assumptions))
        return explanation.verdict.isAccept ? .clean : .findings
    }

    // MARK: Why another rule decides

    private func answer(
        _ rule: String, _ target: RequestHost, _ table: PolicyTable
    ) throws(CommandFailure) -> String {
        let host = try target.canonical()
        let ids = (0..<table.ruleCount).map { table.text(table.rule(at: $0).id) }
        // A rule may be called `default`; the word means the key of that name otherwise.
        let id = rule == "default" && !ids.contains(rule) ? "" : rule
        guard let answer = WhyNot(rule: id, table: table, host: host, port: target.port) else {
            let meant = DidYouMean.suggestion(for: rule, among: ids).map {
                "; did you mean `\($0)`?"
            }
            throw .couldNotAsk("the policy has no rule `\(rule)`" + (meant ?? ""))
        }
        if chain != nil || connect != nil {
            Report.progress("the chain is not looked at: `--why-not` asks the policy alone")
        }
        guard output.format == .text else {
            return WhyNotText.renderJSON(answer, assumptions: target.assumptions)
        }
        return WhyNotText.render(
            answer, assumptions: target.assumptions,
            commands: [ShellWords.line(["hawser", "show", self.host] + policy.words)],
            colour: Report.colour(output.colour))
    }

    // MARK: The request

    private func instant(_ assumptions: inout [String]) throws(CommandFailure) -> UTCInstant {
        guard let at else {
            assumptions.append("judged at the present time, as no `--at` was given")
            return StandardStreams.now()
        }
        guard let time = UTCInstant(text: at) else {
            throw .couldNotAsk(
                "`--at \(at)` is no instant; write 2026-11-21 or 2026-11-21T12:00:00Z, in UTC")
        }
        return time
    }

    private struct Presented {
        let chain: [[UInt8]]
        let tls: TLSState
        var evidence = Evidence()
    }

    private func present(
        _ target: RequestHost, _ table: PolicyTable, _ assumptions: inout [String]
    ) throws(CommandFailure) -> Presented {
        let assumed = try tls.parameters()
        guard let connect else {
            return Presented(
                chain: try CertificateFile.chain(chain ?? ""), tls: .assumed(assumed))
        }
        if let option = tls.firstGiven {
            throw .couldNotAsk("`\(option)` is for a chain from a file; a server shows its own")
        }
        let connection = try Probe.connect(
            to: connect, for: target, alpn: offeredProtocols(target, table))
        assumptions.append("connected to \(connection.address)")
        return Presented(
            chain: connection.presentedChain, tls: .observed(connection.parameters),
            evidence: connection.evidence)
    }

    /// What the rule wants to speak, which a service under it would offer; otherwise what a web client
    /// offers.
    private func offeredProtocols(_ target: RequestHost, _ table: PolicyTable) -> [String] {
        guard let host = try? CanonicalHost(text: target.host) else {
            return TLSConnection.webProtocols
        }
        let match = table.lookUp(host, port: target.port)
        guard match != nil || !table.deniesByDefault else { return TLSConnection.webProtocols }
        let rule = table.rule(at: match.map { Int($0.rule) } ?? table.ruleCount)
        let wanted = table.requirements(at: Int(rule.requirements)).tls.alpn
        return wanted.isEmpty ? TLSConnection.webProtocols : wanted
    }

    // MARK: The answer

    private func text(
        _ explanation: Explanation, _ provenance: Provenance?, _ assumptions: [String]
    ) -> String {
        guard output.format == .text else {
            return TraceJSON.render(
                explanation, provenance: provenance, assumptions: assumptions)
        }
        return TraceText.render(
            explanation, provenance: provenance,
            options: TraceText.Options(
                detail: trace ? .everything : .screen, colour: Report.colour(output.colour),
                assumptions: assumptions, commands: commands(explanation)))
    }

    /// What to run next, with the arguments of this call.
    private func commands(_ explanation: Explanation) -> [String] {
        guard !explanation.verdict.isAccept else { return [] }
        let ids = Set(explanation.verdict.violations.map(\.id))
        // `show` can say nothing of what is no host.
        guard !ids.contains("bad-host") else { return [] }
        var commands = [ShellWords.line(["hawser", "show", host] + policy.words)]
        if !ids.isDisjoint(with: ["pin-mismatch", "self-signed-leaf"]) {
            if let chain { commands.append(ShellWords.line(["hawser", "pin", chain])) }
            if let connect {
                commands.append(
                    ShellWords.line(["hawser", "pin", "--connect", connect, "--name", host]))
            }
        }
        return commands
    }
}

/// Looking at a server.
enum Probe {
    /// How long a server may take in all.
    private static let timeoutSeconds = 15

    /// Connects to `ADDRESS[:PORT]`, by default at the port asked about, and asks for the host by name.
    static func connect(
        to address: String, for target: RequestHost, alpn: [String] = TLSConnection.webProtocols
    ) throws(CommandFailure) -> ProbedConnection {
        let place = try HostAndPort(address)
        do throws(ProbeError) {
            return try TLSConnection.probe(
                address: place.host, port: place.port ?? target.port, serverName: target.host,
                alpn: alpn, timeoutSeconds: timeoutSeconds)
        } catch {
            throw .couldNotAsk("\(address): \(error.code.rawValue): \(error.context)")
        }
    }
}
