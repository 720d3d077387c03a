import ArgumentParser
import Hawser
import PolicyCompiler
import PolicyTools
import Rendering
import TLSProbe
import TrustEngine

/// The options of every command that evaluates a chain.
struct RequestOptions: ParsableArguments {
    @Argument(
        help: "HOST or HOST:PORT; by default the port of `--connect`, or port 443.",
        completion: .custom(PolicyWords.hosts))
    var host: String?

    @OptionGroup var policy: PolicyOptions

    @OptionGroup var store: SystemStoreOption

    @Option(
        help: """
            A file with the presented chain; `-` is standard input, as for every option below that \
            names a file of certificates or evidence.
            """, completion: .file())
    var chain: String?

    @Option(help: "ADDRESS or ADDRESS:PORT to connect to; the host is asked for by name.")
    var connect: String?

    @OptionGroup var plaintext: StartTLSOption

    @Option(help: "The instant to judge at, as 2026-11-21 or 2026-11-21T12:00:00Z; by default now.")
    var at: String?

    @OptionGroup(title: "TLS parameters to assume for a chain from a file") var tls: TLSOptions

    @Flag(help: "The request has no TLS at all; it takes no chain.")
    var cleartext = false

    @Option(
        help: "NAME=pass or NAME=fail for a check that programs register; may be repeated.")
    var assume: [String] = []

    @Option(help: "A file with CRLs, PEM or DER; may be repeated.", completion: .file())
    var crl: [String] = []

    @Option(help: "A file with an OCSP response in DER; may be repeated.", completion: .file())
    var ocsp: [String] = []

    @Option(
        help:
            "A file with the OCSP response that came with the handshake, for a chain from a file.",
        completion: .file())
    var staple: String?

    @Option(
        name: .customLong("sct-list"),
        help: """
            A file with the signed certificate timestamps of the TLS extension, as they came or as \
            `openssl s_client -serverinfo 18` prints them, for a chain from a file.
            """, completion: .file())
    var sctList: String?

    @Option(
        name: .customLong("log-list"),
        help: "A log_list.json, version 3, of a later day than the policy's own.",
        completion: .file(extensions: ["json"]))
    var logList: String?

    @Option(
        help: """
            A folder of evidence, as `hawser fetch` fills it, or of CRLite filters, as `upki fetch` \
            fills it; may be repeated.
            """, completion: .directory)
    var evidence: [String] = []

    /// The most octets of a log list; the public list has about 100 kB.
    private static let largestLogList = 16 << 20

    /// The options as they were given, to repeat them in a proposed command. Evidence is left out.
    var words: [String] {
        var words = (host.map { [$0] } ?? []) + policy.words + store.words
        for (option, value) in [
            ("--chain", chain), ("--connect", connect),
            ("--at", at), ("--log-list", logList),
        ] + tls.given {
            if let value { words += [option, value] }
        }
        words += plaintext.words
        return words + assume.flatMap { ["--assume", $0] }
    }

    /// The argument HOST, which every call needs that replays no receipt.
    func named() throws(CommandFailure) -> String {
        guard let host else {
            throw .couldNotAsk("give the host that is asked about: HOST or HOST:PORT")
        }
        return host
    }

    /// The host with the port that the options give it.
    func target() throws(CommandFailure) -> RequestHost {
        try RequestHost(
            named(),
            connect: connect.map { text throws(CommandFailure) in
                try HostAndPort(text, isServer: true)
            },
            startTLS: plaintext.starttls)
    }

    /// The request that the options describe, and the engine that judges it.
    func asked() throws(CommandFailure) -> AskedRequest {
        let target = try target()
        try refuseSecondInput()
        var assumptions = target.assumptions
        let time = try instant(&assumptions)
        try checkChainOptions()
        let judge = try judge(
            host: target.host, port: target.port, &assumptions)
        let presented = try present(target, alpn: judge.rule?.tls.alpn ?? [], &assumptions)
        var request = TrustRequest(
            host: target.host, port: target.port, presentedChain: presented.chain, time: time,
            tls: presented.tls, evidence: presented.evidence)
        try addEvidence(to: &request, signers: EvidenceSigners(request, judge.engine))
        assumptions += RecordedReplies.settle(&request.evidence)
        return AskedRequest(
            request: request, engine: judge.engine, rule: judge.rule, assumptions: assumptions,
            rewriting: judge.rewriting)
    }

    /// The engine for a host, and the requirements of the rule that decides the host.
    func judge(
        host: String, port: UInt16, _ assumptions: inout [String]
    ) throws(CommandFailure) -> (engine: Engine, rule: Requirements?, rewriting: Rewriting?) {
        let assumed = try AssumedChecks(assume)
        let (table, unit, statement) = try PolicySource.source(policy)
        let rule = decidingRequirements(host, port, table)
        // A text that is no host is left to the engine, which says what is wrong.
        if let host = try? CanonicalHost(text: host) {
            assumptions += NearPatterns(table: table, host: host, port: port).sentences
        }
        let logs = try logList.map { path throws(CommandFailure) in
            try InputFile.readStream(path, limit: RequestOptions.largestLogList)
        }
        let checks = try assumed.registered(for: table, rule: rule)
        let systemStore = store.systemStore
        var engine = try PolicySource.engine(
            table, checks: checks, logList: logs, systemStore: systemStore)
        engine.statement = statement
        engine.freshness = statement?.terms?.freshness
        assumptions += assumed.sentences(for: rule)
        if let logs, let sentence = logListSentence(logs, rule, engine) {
            assumptions.append(sentence)
        }
        let rewriting = unit.map { unit in
            Rewriting(unit: unit) { table in
                try? PolicySource.engine(
                    table, checks: checks, logList: logs, systemStore: systemStore)
            }
        }
        return (engine, rule, rewriting)
    }

    /// A sentence for a log list that was given but is not used.
    private func logListSentence(
        _ octets: [UInt8], _ rule: Requirements?, _ engine: Engine
    ) -> String? {
        guard let wanted = rule?.transparency.logList else {
            return "`--log-list` changes nothing: the rule has no log list"
        }
        let digest = EngineLoader.digests.digest(.sha256, of: octets.span)
        guard engine.logLists[wanted]?.digest != digest else { return nil }
        return "`--log-list` is not newer than the policy's own log list, which is used"
    }

    private func instant(_ assumptions: inout [String]) throws(CommandFailure) -> UTCInstant {
        guard let at else {
            assumptions.append("judged at the present time, as no `--at` was given")
            return StandardStreams.now()
        }
        return try AskedInstant.read(at)
    }

    /// Refuses more than one source of the chain, and assumed TLS parameters for a connection that
    /// shows its own.
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
        try plaintext.check(connect: connect)
        guard
            let option = tls.firstGiven ?? staple.map({ _ in "--staple" })
                ?? sctList.map({ _ in "--sct-list" })
        else { return }
        if cleartext {
            throw .couldNotAsk(
                "`--cleartext` is a request without TLS, so `\(option)` has no place")
        }
        if connect != nil {
            throw .couldNotAsk("`\(option)` is for a chain from a file; a server shows its own")
        }
    }

    /// Refuses two inputs that are standard input.
    func refuseSecondInput(besides others: [(String, [String])] = []) throws(CommandFailure) {
        let single = [
            ("--chain", chain), ("--staple", staple), ("--sct-list", sctList),
            ("--log-list", logList),
        ]
        try InputFile.refuseSecondInput(
            single.map { ($0, $1.map { [$0] } ?? []) }
                + [("--crl", crl), ("--ocsp", ocsp)] + others)
    }

    /// The requirements of the rule that decides the host; nil if none does.
    private func decidingRequirements(
        _ host: String, _ port: UInt16, _ table: PolicyTable
    ) -> Requirements? {
        // A text that is no host is left to the engine, which says what is wrong.
        guard let host = try? CanonicalHost(text: host) else { return nil }
        let match = table.lookUp(host, port: port)
        guard match != nil || !table.deniesByDefault else { return nil }
        let rule = table.rule(at: match.map { Int($0.rule) } ?? table.ruleCount)
        return table.requirements(at: Int(rule.requirements))
    }

    private struct Presented {
        var chain: [[UInt8]] = []
        let tls: TLSState
        var evidence = Evidence()
    }

    /// The chain and TLS parameters of the server. `alpn` is what the rule allows, which a service
    /// under the rule would offer; without it, what a web client offers.
    private func present(
        _ target: RequestHost, alpn: [String], _ assumptions: inout [String]
    ) throws(CommandFailure) -> Presented {
        if cleartext { return Presented(tls: .cleartext) }
        let assumed = try tls.parameters()
        guard let connect else {
            return Presented(
                chain: try CertificateFile.chain(chain ?? ""), tls: .assumed(assumed))
        }
        let starttls = plaintext.starttls
        let connection = try Probe.connect(
            to: connect, for: target, plaintext,
            alpn: alpn.isEmpty && starttls == nil ? TLSConnection.webProtocols : alpn)
        assumptions.append(
            "connected to \(connection.address)"
                + (starttls.map { ", and TLS began after the clear text of \($0.rawValue)" } ?? ""))
        if plaintext.sendsNoName {
            assumptions.append(
                "no server name was sent, as `--no-sni` asks: a server of several certificates shows "
                    + "its default one")
        } else if case .address? = try? CanonicalHost(text: target.host) {
            assumptions.append(
                "no server name was sent, because `\(target.host)` is an address, and a server that "
                    + "has several certificates may show another one; to ask by name, give the name "
                    + "as HOST beside `--connect \(connect)`")
        }
        return Presented(
            chain: connection.presentedChain, tls: .observed(connection.parameters),
            evidence: connection.evidence)
    }

    /// Reports whether a certificate of another name is the server's default certificate, which
    /// takes a second handshake; nil where the verdict is not about a name.
    func defaultCertificate(
        after verdict: Verdict, on request: TrustRequest
    ) throws(CommandFailure) -> String? {
        guard let connect, !plaintext.sendsNoName, let leaf = request.presentedChain.first,
            verdict.violations.contains(where: { $0.kind == .nameMismatch }),
            case .name? = try? CanonicalHost(text: request.host)
        else { return nil }
        return Probe.defaultCertificate(
            of: connect, for: try target(), plaintext, showing: leaf)
    }

    /// Reports that a variable which names a trust store for other programs was not read; nil where
    /// no authority is missing.
    func unreadStore(after verdict: Verdict, _ engine: Engine) -> String? {
        let kinds: [ViolationKind] = [.anchorNotTrusted, .issuerNotFound, .selfSignedLeaf]
        let set = ["SSL_CERT_FILE", "SSL_CERT_DIR"].first {
            StandardStreams.environment($0).map { !$0.isEmpty } ?? false
        }
        guard let set, store.systemStore == nil, engine.systemStoreDigest != nil,
            verdict.violations.contains(where: { kinds.contains($0.kind) })
        else { return nil }
        return
            "\(set) is set and was not read: `--system-store FILE` judges by another trust store "
            + "than this machine's"
    }

    /// Adds the evidence from files and folders. CRLs are prepared, as a service keeps them:
    /// reading a large CRL from a request would use up the work of an evaluation.
    func addEvidence(
        to request: inout TrustRequest, signers: EvidenceSigners
    ) throws(CommandFailure) {
        for path in crl {
            for der in try CertificateFile.evidence(path, label: "X509 CRL") {
                request.evidence.add(crl: der, signers: signers)
            }
        }
        for path in ocsp {
            request.evidence.ocspResponses += try CertificateFile.evidence(
                path, label: "OCSP RESPONSE")
        }
        for path in evidence {
            try EvidenceFiles.read(path, into: &request.evidence, signers: signers)
        }
        if let sctList {
            guard request.evidence.sctList == nil else {
                throw .couldNotAsk(
                    "a handshake has one list of timestamps; `--sct-list \(sctList)` is not the only "
                        + "one")
            }
            request.evidence.sctList = try CertificateFile.timestamps(sctList)
        }
        guard let staple else { return }
        let responses = try CertificateFile.evidence(staple, label: "OCSP RESPONSE")
        guard responses.count == 1, request.evidence.stapledOCSP == nil else {
            throw .couldNotAsk(
                "a handshake has one staple; `--staple \(staple)` is not the only one")
        }
        request.evidence.stapledOCSP = responses[0]
    }
}

extension Evidence {
    /// Adds a CRL, prepared. A CRL that cannot be parsed is added as it is, and the answer says why
    /// it is not used.
    mutating func add(crl der: [UInt8], signers: EvidenceSigners) {
        add(crl: der, signers: signers, crypto: EngineLoader.makeBackend())
    }
}
