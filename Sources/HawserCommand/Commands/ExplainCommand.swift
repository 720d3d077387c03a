import ArgumentParser
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

    @Flag(help: "The request has no TLS at all; it takes no chain.")
    var cleartext = false

    @Option(
        help: "NAME=pass or NAME=fail for a check that programs register; may be repeated.")
    var assume: [String] = []

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
        if let whyNot {
            try Report.print(whyNotAnswer(whyNot))
            return .clean
        }
        let target = try RequestHost(host)
        var assumptions = target.assumptions
        let time = try instant(&assumptions)
        try checkChainOptions()
        let assumed = try AssumedChecks(assume)
        let table = try PolicySource.table(policy: policy.policy, tableFile: policy.table)
        let rule = decidingRequirements(target, table)
        let engine = try PolicySource.engine(
            table, checks: try assumed.registered(for: table, rule: rule))
        assumptions += assumed.sentences(for: rule)
        let presented = try present(target, alpn: rule?.tls.alpn ?? [], &assumptions)
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

    /// One chain, from one place, and nothing assumed of a connection that shows itself.
    private func checkChainOptions() throws(CommandFailure) {
        switch (chain, connect) {
        case (_?, _?): throw .couldNotAsk("`--chain` and `--connect` name two chains; give one")
        case (nil, nil) where !cleartext:
            throw .couldNotAsk(
                "give the chain: `--chain FILE` or `--connect ADDRESS`; "
                    + "`hawser show` shows the rule alone")
        case (_?, nil) where cleartext, (nil, _?) where cleartext:
            throw .couldNotAsk("`--cleartext` is a request without TLS, which shows no chain")
        default: break
        }
        guard let option = tls.firstGiven else { return }
        if cleartext {
            throw .couldNotAsk(
                "`--cleartext` is a request without TLS, so `\(option)` has no place")
        }
        if connect != nil {
            throw .couldNotAsk("`\(option)` is for a chain from a file; a server shows its own")
        }
    }

    /// What the rule demands that decides the host; nil where none does.
    private func decidingRequirements(
        _ target: RequestHost, _ table: PolicyTable
    ) -> Requirements? {
        // What is no host is left to the engine, which names what is wrong.
        guard let host = try? CanonicalHost(text: target.host) else { return nil }
        let match = table.lookUp(host, port: target.port)
        guard match != nil || !table.deniesByDefault else { return nil }
        let rule = table.rule(at: match.map { Int($0.rule) } ?? table.ruleCount)
        return table.requirements(at: Int(rule.requirements))
    }

    private struct Presented {
        var chain: [[UInt8]] = []
        let tls: TLSState
        var evidence = Evidence()
    }

    /// `alpn`: what the rule wants to speak, which a service under it would offer; without any, what a
    /// web client offers.
    private func present(
        _ target: RequestHost, alpn: [String], _ assumptions: inout [String]
    ) throws(CommandFailure) -> Presented {
        if cleartext { return Presented(tls: .cleartext) }
        let assumed = try tls.parameters()
        guard let connect else {
            return Presented(
                chain: try CertificateFile.chain(chain ?? ""), tls: .assumed(assumed))
        }
        let connection = try Probe.connect(
            to: connect, for: target, alpn: alpn.isEmpty ? TLSConnection.webProtocols : alpn)
        assumptions.append("connected to \(connection.address)")
        return Presented(
            chain: connection.presentedChain, tls: .observed(connection.parameters),
            evidence: connection.evidence)
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
