import PolicyCompiler
import Rendering
import TrustEngine

/// Reads everything that the cases of one test file name, and compares the cases with the policy. A
/// fault that keeps a case from testing its claim is a diagnostic at its place.
final class TestPreparation {
    /// The inputs of one engine.
    struct InputsKey: Hashable {
        let system: String?
        let assumed: [TestCase.AssumedCheck]
    }

    /// The inputs and engines of all test files of a unit.
    final class Engines {
        fileprivate(set) var inputs: [EngineInputs] = []
        fileprivate(set) var engines: [Result<Engine, TestFiles.Problem>] = []
        fileprivate var numbers: [InputsKey: Int] = [:]

        init() {}
    }

    private let rules: DatedRules
    private let files: TestFiles
    private let engines: Engines
    private let words: TestWords
    private let receipts: ReceiptReading?
    private let crypto: any CryptoBackend
    private let time: UTCInstant?
    private(set) var diagnostics: [Diagnostic] = []

    /// - Parameter time: the clock of cases without one.
    init(
        _ rules: DatedRules, _ files: TestFiles, _ engines: Engines, _ words: TestWords,
        at time: UTCInstant?, receipts: ReceiptReading?, crypto: any CryptoBackend
    ) {
        self.rules = rules
        self.files = files
        self.engines = engines
        self.words = words
        self.receipts = receipts
        self.crypto = crypto
        self.time = time
    }

    /// The cases of a test file that can be asked.
    func prepare(_ suite: TestSuite) -> [PreparedCase] {
        suite.cases.compactMap { prepare($0, of: suite) }
    }

    func report(_ message: String, at span: SourceSpan, help: [String] = []) {
        diagnostics.append(
            Diagnostic(.emptyTest, message, at: Diagnostic.Label(span), help: help))
    }

    // MARK: One case

    private func prepare(_ one: TestCase, of suite: TestSuite) -> PreparedCase? {
        let before = diagnostics.count
        let prepared = read(one, of: suite)
        if let prepared {
            diagnostics += words.problems(of: prepared, rules)
        }
        return diagnostics.count == before ? prepared : nil
    }

    private func read(_ one: TestCase, of suite: TestSuite) -> PreparedCase? {
        let system = one.system ?? suite.system
        if case .receipt(let receipt) = one.subject {
            return replay(one, receipt, system)
        }
        guard let host = one.host else { return nil }
        guard let time = one.at?.value ?? suite.at?.value ?? time else {
            report(
                "case `\(one.name)` has no clock, so its result would change by itself",
                at: one.place, help: ["write `at: 2027-01-15` in it, or once for the whole file"])
            return nil
        }
        var judged: PreparedCase.Judged?
        if one.subject.isJudged {
            judged = request(one, host.value, time, system)
            if judged == nil { return nil }
        }
        return PreparedCase(
            test: one, host: host.value, port: one.port, time: time, judged: judged,
            system: system?.value)
    }

    private func request(
        _ one: TestCase, _ host: CanonicalHost, _ time: UTCInstant, _ system: Located<String>?
    ) -> PreparedCase.Judged? {
        var request = TrustRequest(
            host: host.text, port: one.port, presentedChain: [], time: time, tls: .cleartext)
        if case .chain(let chain) = one.subject {
            request.tls = .assumed(one.tls)
            guard let read = use(chain, { path throws(TestFiles.Problem) in try files.chain(path) })
            else { return nil }
            request.presentedChain = read
        }
        guard let inputs = inputs(one, host, system) else { return nil }
        guard addEvidence(one, to: &request, engines.engines[inputs]) else { return nil }
        return PreparedCase.Judged(request: request, inputs: inputs, freshness: nil)
    }

    /// Adds the evidence of a case. False if a piece cannot be read.
    private func addEvidence(
        _ one: TestCase, to request: inout TrustRequest, _ engine: Result<Engine, TestFiles.Problem>
    ) -> Bool {
        var isWhole = true
        func piece<Value>(
            _ path: Located<String>?, _ read: (String) throws(TestFiles.Problem) -> Value
        ) -> Value? {
            guard let path else { return nil }
            let value = use(path, read)
            if value == nil { isWhole = false }
            return value
        }
        request.evidence.stapledOCSP = piece(one.staple) { path throws(TestFiles.Problem) in
            try files.piece(path, label: "OCSP RESPONSE")
        }
        for path in one.ocsp {
            request.evidence.ocspResponses +=
                piece(path) { path throws(TestFiles.Problem) in
                    try files.evidence(path, label: "OCSP RESPONSE")
                } ?? []
        }
        for path in one.crls {
            request.evidence.crls +=
                piece(path) { path throws(TestFiles.Problem) in
                    try files.evidence(path, label: "X509 CRL")
                } ?? []
        }
        request.evidence.sctList = piece(one.timestamps) { path throws(TestFiles.Problem) in
            try files.timestamps(path)
        }
        if let path = one.evidence,
            let folder = piece(path, { path throws(TestFiles.Problem) in try files.folder(path) }),
            case .success(let engine) = engine
        {
            do throws(EvidenceFolderProblem) {
                try folder.add(
                    to: &request.evidence, signers: EvidenceSigners(request, engine),
                    crypto: crypto)
            } catch {
                report(error.context, at: path.span)
                isWhole = false
            }
        }
        if let reply = one.filterReply {
            guard request.evidence.filterReplies.isEmpty else {
                report(
                    "the folder of `evidence` has a recorded reply of CRLite filters, so `crlite` "
                        + "says it twice", at: reply.span, help: ["remove one of the two"])
                return false
            }
            request.evidence.filters = SuppliedFilters(
                StatedFilters(
                    reply.value, newest: one.filtersNewest?.value ?? request.time))
        }
        return isWhole
    }

    /// Reads a file that a case names; nil where that is reported.
    private func use<Value>(
        _ path: Located<String>, _ read: (String) throws(TestFiles.Problem) -> Value
    ) -> Value? {
        do throws(TestFiles.Problem) {
            return try read(path.value)
        } catch {
            report(error.context, at: path.span)
            return nil
        }
    }

    // MARK: Engines

    /// The number of the inputs of a case's engine; nil where the engine cannot be made.
    private func inputs(
        _ one: TestCase, _ host: CanonicalHost?, _ system: Located<String>?
    ) -> Int? {
        guard checkAssumed(one, host) else { return nil }
        let needsStore = rules.contents.anchorSets.contains { $0.namesSystemStore }
        if needsStore, system == nil {
            report(
                "the policy names `system`, but no file stands for the machine's store; a test "
                    + "never reads the store of its own machine", at: chainSpan(of: one),
                help: [
                    "write `system: FILE` in the case or once for the whole file, with the "
                        + "certificates of a store in PEM"
                ])
            return nil
        }
        let key = InputsKey(
            system: needsStore ? system?.value : nil,
            assumed: one.assumed.sorted { $0.name.value < $1.name.value })
        if let number = engines.numbers[key] { return told(number, one, system) }
        var store: [[UInt8]]?
        if needsStore, let system {
            store = use(system) { path throws(TestFiles.Problem) in try files.store(path) }
            if store == nil { return nil }
        }
        let inputs = EngineInputs(
            systemStore: store, checks: TestPreparation.checks(one.assumed, of: rules.table))
        engines.numbers[key] = engines.inputs.count
        engines.inputs.append(inputs)
        engines.engines.append(TestPreparation.engine(rules.table, inputs, crypto))
        return told(engines.inputs.count - 1, one, system)
    }

    private func told(_ number: Int, _ one: TestCase, _ system: Located<String>?) -> Int? {
        guard case .failure(let problem) = engines.engines[number] else { return number }
        report(
            "no engine can be made for the case: \(problem.context)",
            at: system?.span ?? chainSpan(of: one))
        return nil
    }

    private func chainSpan(of one: TestCase) -> SourceSpan {
        switch one.subject {
        case .statement: return one.place
        case .chain(let chain): return chain.span
        case .cleartext(let span): return span
        case .receipt(let receipt): return receipt.span
        }
    }

    static func engine(
        _ table: PolicyTable, _ inputs: EngineInputs, _ crypto: any CryptoBackend
    ) -> Result<Engine, TestFiles.Problem> {
        do throws(EngineError) {
            return .success(try Engine(table: table, inputs: inputs, crypto: crypto))
        } catch {
            return .failure(TestFiles.Problem(context: error.context))
        }
    }

    /// A check for every name in the table. The ones that no case assumes anything of are of other
    /// rules; they would fail.
    private static func checks(
        _ assumed: [TestCase.AssumedCheck], of table: PolicyTable
    ) -> [String: CustomCheck] {
        var checks: [String: CustomCheck] = [:]
        for name in table.checkNames {
            checks[name] = CustomCheck { _ in .fail(reason: "not assumed") }
        }
        for check in assumed {
            switch check.answer {
            case .pass: checks[check.name.value] = CustomCheck { _ in .pass }
            case .fail:
                checks[check.name.value] = CustomCheck { _ in .fail(reason: "assumed to fail") }
            }
        }
        return checks
    }

    private func checkAssumed(_ one: TestCase, _ host: CanonicalHost?) -> Bool {
        let names = rules.table.checkNames
        var isSound = true
        for check in one.assumed where !names.contains(check.name.value) {
            report(
                "the policy names no check `\(check.name.value)`"
                    + DidYouMean.question(for: check.name.value, among: names.sorted()),
                at: check.name.span)
            isSound = false
        }
        guard let host else { return isSound }
        let asked = rules.body(of: rules.decision(host, port: one.port))?.requirements.checks ?? []
        let missing = asked.filter { name in
            !one.assumed.contains { $0.name.value == name }
        }
        guard !missing.isEmpty else { return isSound }
        let which = missing.map { "`\($0)`" }.joined(separator: ", ")
        report(
            "the rule asks \(which), which only a program that registers it can run",
            at: one.place,
            help: [
                "say what to assume: `assume: { "
                    + missing.map { "\($0): pass" }.joined(separator: ", ") + " }`"
            ])
        return false
    }

    // MARK: Receipts

    private func replay(
        _ one: TestCase, _ receipt: Located<ScannedReceiptLine>, _ system: Located<String>?
    ) -> PreparedCase? {
        guard let receipts else {
            report("receipts cannot be read here", at: receipt.span)
            return nil
        }
        guard
            let octets = use(
                Located(value: receipt.value.path, span: receipt.span),
                { path throws(TestFiles.Problem) in try files.read(path) }),
            let inputs = inputs(one, nil, system),
            case .success(let engine) = engines.engines[inputs]
        else { return nil }
        let recorded: RecordedCase
        switch receipts(octets, receipt.value.line, engine) {
        case .success(let found): recorded = found
        case .failure(let problem):
            report(problem.context, at: receipt.span)
            return nil
        }
        let request = recorded.request
        guard let host = try? CanonicalHost(text: request.host) else {
            report("the receipt's host is neither a host name nor an address", at: receipt.span)
            return nil
        }
        guard checkAssumed(one, host) else { return nil }
        return PreparedCase(
            test: one, host: host, port: request.port, time: request.time,
            judged: PreparedCase.Judged(
                request: request, inputs: inputs, freshness: recorded.freshness),
            system: system?.value)
    }
}
