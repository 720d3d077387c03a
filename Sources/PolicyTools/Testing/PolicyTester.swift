package import PolicyCompiler
package import Rendering
package import TrustEngine

/// Runs the tests of one unit: its policy compiled once, every file read once, one engine for each
/// machine's store and set of assumptions.
package struct PolicyTester: Sendable {
    /// A test file with the cases that can be asked.
    package struct File: Sendable {
        package let suite: TestSuite
        /// Every diagnostic of the file, in source order.
        package let diagnostics: [Diagnostic]
        /// The cases; none if a diagnostic is an error.
        package let cases: [PreparedCase]

        /// Whether no case of the file is run.
        package var isBroken: Bool { diagnostics.contains { $0.severity == .error } }
    }

    package let table: PolicyTable
    /// The test files, in the order in which they were given.
    package private(set) var files: [File]
    /// What the engines get besides the table, by `PreparedCase.Judged.inputs`.
    package let inputs: [EngineInputs]
    private let judge: CaseJudge
    private let crypto: any CryptoBackend

    /// Prepares the test files of a unit.
    ///
    /// - Parameters:
    ///   - folder: the path of the unit's folder from the folder in which places are read; empty
    ///     if they are the same.
    ///   - time: the clock of cases without one.
    ///   - receipts: reads the receipts that cases name; nil where they cannot be read.
    package init(
        _ table: PolicyTable, suites: [TestSuite], resources: any UnitResources,
        below folder: String, at time: UTCInstant? = nil, receipts: ReceiptReading? = nil,
        crypto: any CryptoBackend
    ) {
        self.table = table
        self.crypto = crypto
        let rules = DatedRules(table, below: folder, crypto: crypto)
        let read = TestFiles(resources)
        let engines = TestPreparation.Engines()
        let words = TestWords(rules)
        files = suites.map { suite in
            let preparation = TestPreparation(
                rules, read, engines, words, at: time, receipts: receipts, crypto: crypto)
            let cases = preparation.prepare(suite)
            let diagnostics = DiagnosticCollector.sorted(
                suite.diagnostics + preparation.diagnostics)
            let isSound = diagnostics.allSatisfy { $0.severity < .error }
            return File(suite: suite, diagnostics: diagnostics, cases: isSound ? cases : [])
        }
        inputs = engines.inputs
        judge = CaseJudge(rules: rules, engines: engines.engines)
    }

    /// Keeps the cases whose names a glob matches.
    package mutating func select(_ glob: TestGlob) {
        files = files.map { file in
            File(
                suite: file.suite, diagnostics: file.diagnostics,
                cases: file.cases.filter { glob.matches($0.test.name) })
        }
    }

    /// The cases of all files, in their order.
    package var cases: [PreparedCase] { files.flatMap(\.cases) }

    /// The rules of the table, by files as the reader names them.
    package var rules: DatedRules { judge.rules }

    /// Asks every case. The outcomes stand in the order of `cases`, however many are asked at once.
    package func run(on workers: some TestWorkers) -> [TestOutcome] {
        let (cases, judge) = (cases, judge)
        let count = (cases.count + PolicyTester.portion - 1) / PolicyTester.portion
        return workers.map(count) { number in
            let first = number * PolicyTester.portion
            return cases[first..<min(first + PolicyTester.portion, cases.count)]
                .map(judge.outcome)
        }.flatMap { $0 }
    }

    /// Cases that one worker takes at a time.
    private static let portion = 16

    /// The names of the cases whose result under another table differs from that under this one:
    /// what they do not hold to, or that they do not hold to anything there. Nothing is read.
    ///
    /// - Parameter outcomes: the outcomes of `run`.
    package func noticing(_ other: PolicyTable, outcomes: [TestOutcome]) -> [String] {
        let judge = CaseJudge(
            rules: DatedRules(other, below: "", crypto: crypto),
            engines: inputs.map { TestPreparation.engine(other, $0, crypto) })
        return zip(cases, outcomes).compactMap { one, outcome in
            let found = judge.mismatches(one).map { Noticed($0) }
            return found == outcome.mismatches.map { Noticed($0) } ? nil : one.test.name
        }
    }

    /// The mistakes in the policy that a reviewer could overlook, and which cases notice each.
    ///
    /// - Throws: `AnswerFailure` as `Mutants`.
    package func mutation(
        outcomes: [TestOutcome], on workers: some TestWorkers
    ) throws(AnswerFailure) -> MutationReport {
        try mutation(outcomes, on: workers, by: crypto)
    }

    private func mutation(
        _ outcomes: [TestOutcome], on workers: some TestWorkers, by crypto: some CryptoBackend
    ) throws(AnswerFailure) -> MutationReport {
        let since = cases.map(\.time).min() ?? UTCInstant(secondsSinceEpoch: 0)
        let mutants = try Mutants(table, since: since, crypto: crypto)
        let noticed = workers.map(mutants.list.count) { number in
            noticing(mutants.list[number].table(crypto: crypto), outcomes: outcomes)
        }
        return MutationReport(mutants, noticedBy: noticed)
    }

    /// A mismatch without its places.
    private struct Noticed: Equatable {
        let field: String
        let got: String

        init(_ mismatch: TestMismatch) {
            field = mismatch.field
            got = mismatch.got
        }
    }
}

/// Does work on several threads at once, or on one.
package protocol TestWorkers: Sendable {
    /// The results of `work` for 0 to `count` - 1, in this order.
    func map<Value: Sendable>(
        _ count: Int, _ work: @escaping @Sendable (Int) -> Value
    ) -> [Value]
}

/// Does all work on the thread that asks for it.
package struct OneWorker: TestWorkers {
    package init() {}

    package func map<Value: Sendable>(
        _ count: Int, _ work: @escaping @Sendable (Int) -> Value
    ) -> [Value] {
        (0..<count).map(work)
    }
}
