import ArgumentParser
import Hawser
import PolicyTools
import Rendering
import TrustEngine

/// `hawser capture`: writes a request with its chain, its evidence and its verdict as a case.
struct CaptureCommand: Answering {
    static let configuration = CommandConfiguration(
        commandName: "capture",
        abstract: "Write a chain with its evidence and its verdict as a case for `hawser test`.",
        discussion: """
            The chain comes from a server, a file or a receipt, as for `hawser explain`. The folder gets \
            `request.yaml`, `chain.pem`, the evidence that was at hand, and, where the policy names \
            `system`, the authorities of the machine's store that could vouch for this chain. So the \
            case has the same verdict on another machine and in another year.

            What was written is read back and judged again before the folder gets its name. If another \
            verdict comes out, no folder is left and the status is 3.

            The status is 0 for an accept and for a reject: both are what was to be captured.
            """)

    @OptionGroup var question: RequestOptions

    @Option(
        name: [.short, .customLong("output")],
        help:
            "The folder to write, whose name is the case's; the test file names the folder above it.",
        completion: .directory)
    var output: String

    @Flag(help: "Write the folder again if it is a case already.")
    var replace = false

    @Flag(
        help: "Fetch the evidence that the verdict wants, whatever the rule says of `network`.")
    var fetch = false

    @OptionGroup(title: "With `--fetch`") var fetching: FetchOptions

    @OptionGroup(title: "Decisions that a program wrote down")
    var receipts: ReceiptOptions

    func answer() throws(CommandFailure) -> ExitStatus {
        try refuseOptions()
        let folder = try CaseFolder(output, replaces: replace)
        var asked = try request()
        let told = asked.explain()
        let store = try Store(asked.engine, question.store.systemStore)
        var captured = try captured(asked, told)
        var files: CaseFolder.Files = []
        for whole in [false, true] {
            files = try self.files(of: asked, in: folder, store, isWhole: whole, &captured)
            // A store of which a part is enough for most chains may be needed whole.
            let differences = try folder.differences(of: files, under: asked.engine.table)
            if differences.isEmpty || !(store.octets != nil && !whole) { break }
        }
        try folder.write(files) { written throws(CommandFailure) in
            let differences = try folder.differences(of: written, under: asked.engine.table)
            guard differences.isEmpty else {
                throw .ownFault(
                    "the case has another verdict than was captured, so it is not written: "
                        + differences.joined(separator: "; "))
            }
        }
        try Report.print(page(captured, told, files))
        return .clean
    }

    // MARK: The request

    private func refuseOptions() throws(CommandFailure) {
        if receipts.receipt == nil, receipts.key != nil {
            throw .couldNotAsk("`--receipt-key` is for `--receipt`")
        }
        guard fetch || !fetching.isGiven else {
            throw .couldNotAsk("`--allow-network` and `--allow-port` are for `--fetch`")
        }
        guard question.logList == nil else {
            throw .couldNotAsk(
                "`--log-list` has no place in a case, which is judged by the policy's own log list")
        }
        if let chain = question.chain { try CertificateFile.refuseKeys(chain) }
        guard question.chain == nil || receipts.receipt != nil || question.tls.version != nil else {
            throw .couldNotAsk(
                "a case says over which TLS the chain came; give it, as `--tls-version tls1.3`")
        }
    }

    private func request() throws(CommandFailure) -> AskedRequest {
        if let (receipt, line) = try receipts.read() {
            guard !fetch else {
                throw .couldNotAsk(
                    "`--fetch` has no place beside `--receipt`, which says by which evidence")
            }
            var (asked, replay) = try question.asked(replaying: receipt, line: line, receipts)
            let told = asked.explain()
            let answer = try replay.answer(of: asked.request, told)
            guard answer.differences.isEmpty else {
                throw .ownFault(
                    "the receipt is not replayed as it was written: "
                        + answer.lines.joined(separator: "; "))
            }
            return asked
        }
        var asked = try question.asked()
        guard fetch else { return asked }
        let fetched = PolicySnapshot(asked.engine)
            .judge(asked.request, fetching: try fetching.fetcher())
        asked.request = fetched.request
        for attempt in fetched.attempts { Report.progress(FetchSentences.line(attempt)) }
        return asked
    }

    /// The machine's store, where the policy names it.
    private struct Store {
        /// DER of each certificate; nil where the policy does not name the store.
        var octets: [[UInt8]]?

        /// Reads the store that an engine has, once more.
        init(_ engine: Engine, _ path: String?) throws(CommandFailure) {
            guard let digest = engine.systemStoreDigest else { return }
            octets = try asking { () throws(FileReadError) -> [[UInt8]]? in
                if let path {
                    try SystemStore.read(path: path)
                } else {
                    try SystemStore.read()
                }
            }
            let found = StoreCertificates(octets ?? [], crypto: EngineLoader.makeBackend()).digest
            guard found == digest else {
                throw .couldNotAsk("the machine's store changed while the chain was judged")
            }
        }
    }

    // MARK: The case

    private func captured(
        _ asked: AskedRequest, _ told: Explanation
    ) throws(CommandFailure) -> CapturedCase {
        let request = asked.request
        let host: CanonicalHost
        do throws(HostProblem) {
            host = try CanonicalHost(text: request.host)
        } catch {
            throw .couldNotAsk(
                "`\(request.host)` is neither a host name nor an address: \(error.reason)")
        }
        let tls: TLSParameters?
        switch request.tls {
        case .observed(let parameters), .assumed(let parameters), .enforced(let parameters, _, _):
            guard parameters.version != nil else {
                throw .couldNotAsk(
                    "the version of TLS is not known, and a case says over which TLS the chain came"
                )
            }
            tls = parameters
        case .notSupplied:
            throw .couldNotAsk(
                "no TLS parameters were recorded, and a case says over which TLS the chain came")
        case .cleartext: tls = nil
        }
        let rules = DatedRules(asked.engine.table, below: "", crypto: EngineLoader.makeBackend())
        let decision = rules.decision(host, port: request.port)
        var captured = CapturedCase(
            host: host, port: request.port, time: request.time, tls: tls, verdict: told.verdict,
            rule: rules.name(of: decision), pattern: decision.pattern?.canonicalText,
            assumed: try AssumedChecks(question.assume).answers)
        captured.hasStaple = request.evidence.stapledOCSP != nil
        captured.hasTimestamps = request.evidence.sctList != nil
        captured.remarks = remarks(asked, told)
        return captured
    }

    /// What a reader should know of the case, for its comments.
    private func remarks(_ asked: AskedRequest, _ told: Explanation) -> [String] {
        let origin: String
        if let receipt = receipts.receipt {
            origin = " from a receipt, `\(receipt)`"
        } else if let connect = question.connect {
            origin = " from the server `\(connect)`"
        } else if question.cleartext {
            origin = ": a connection without TLS"
        } else {
            origin = " from the file `\(question.chain ?? "")`"
        }
        let chain = asked.request.presentedChain
        let subjects = chain.prefix(4).map { der in
            (try? Certificate(der: der)).map {
                "`\(Words.shortened($0.subjectText, to: 80))`"
            } ?? "a certificate that cannot be read"
        }
        let rest = Cut.rest(chain.count - subjects.count)
        return ["Captured by `hawser capture`\(origin)."]
            + ["The policy was \(told.verdict.policyDigest.text)."]
            + (chain.isEmpty
                ? []
                : [
                    "The chain: \((subjects + (rest.isEmpty ? [] : [rest])).joined(separator: ", "))."
                ])
            + (asked.request.evidence.filterReplies.isEmpty
                ? []
                : [
                    "The replies of CRLite filters are in `\(CapturedCase.evidenceName)` as they were "
                        + "given; no filter is asked again."
                ])
            + ["The clock of the case is `at`, on every machine and in every year."]
    }

    private func files(
        of asked: AskedRequest, in folder: CaseFolder, _ store: Store, isWhole: Bool,
        _ captured: inout CapturedCase
    ) throws(CommandFailure) -> CaseFolder.Files {
        var files: CaseFolder.Files = []
        let request = asked.request
        if !request.presentedChain.isEmpty {
            files.append((CapturedCase.chainName, PEMText.certificates(request.presentedChain)))
        }
        if let staple = request.evidence.stapledOCSP {
            files.append((CapturedCase.stapleName, staple))
        }
        if let timestamps = request.evidence.sctList {
            files.append((CapturedCase.timestampsName, timestamps))
        }
        var rest = request
        rest.presentedChain = []
        rest.evidence.stapledOCSP = nil
        rest.evidence.sctList = nil
        let evidence = EvidenceFiles.files(of: rest)
        files += evidence.map { ("\(CapturedCase.evidenceName)/\($0.name)", $0.octets) }
        captured.hasEvidence = !evidence.isEmpty
        if let all = store.octets {
            let kept =
                isWhole
                ? all
                : StoreExcerpt.certificates(
                    of: all, for: request.presentedChain,
                    offered: CaptureCommand.certificates(of: asked.engine.table))
            files.append((CapturedCase.storeName, PEMText.certificates(kept)))
            captured.storePath = "\(folder.relative)/\(CapturedCase.storeName)"
            captured.storeRemark =
                "The path counts from the folder of the test file. The file has \(kept.count) of "
                + "the store's \(all.count) certificates, those that could be on a path of this "
                + "chain."
        }
        files.append((CapturedCase.requestName, Array(captured.text().utf8)))
        return files.sorted { $0.name < $1.name }
    }

    /// DER of every certificate that a policy has in its anchor sets.
    private static func certificates(of table: PolicyTable) -> [[UInt8]] {
        table.contents(listsHosts: false).anchorSets.flatMap { set in
            set.intermediates
                + set.groups.flatMap { group -> [[UInt8]] in
                    guard case .members(let members) = group.source else { return [] }
                    return members
                }
        }
    }

    // MARK: The answer

    private func page(
        _ captured: CapturedCase, _ told: Explanation, _ files: CaseFolder.Files
    ) -> String {
        let verdict = told.verdict
        let ids = ExplainDocument.ids(verdict.violations)
        let host = HostWithPort.text(captured.host.text, captured.port)
        let lines =
            [
                "\(verdict.isAccept ? "accept" : "reject")  \(host)  at \(captured.time.description)"
                    + (ids.isEmpty ? "" : ": \(ids.joined(separator: ", "))"),
                "wrote \(output): \(files.map(\.name).joined(separator: ", "))",
                "judged again from these files: the same verdict",
            ]
        return lines.map { TerminalEscape.escape($0) + "\n" }.joined()
    }
}
