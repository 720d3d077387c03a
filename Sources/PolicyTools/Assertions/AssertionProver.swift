package import PolicyCompiler
import Rendering
package import TrustEngine

/// Opens the units that assertions compare with.
package struct NeighbourUnits: Sendable {
    /// Compiles the unit in `folder`, a path relative to the root of the asserted unit, and returns
    /// its table.
    package let open: @Sendable (_ folder: String) throws(ResourceError) -> PolicyTable

    package init(
        _ open: @escaping @Sendable (_ folder: String) throws(ResourceError) -> PolicyTable
    ) {
        self.open = open
    }

    /// For callers that have no files.
    package static let none = NeighbourUnits { (folder) throws(ResourceError) in
        throw ResourceError(code: .notFound, context: "there is no unit `\(folder)`")
    }
}

/// Proves or refutes the assertions of one unit: for every class of hosts that the assertion's
/// patterns and the policy's patterns part, at every instant at which the class's behaviour can
/// change. `BehaviourOrder` decides; nothing is sampled.
package struct AssertionProver {
    private let table: PolicyTable
    private let time: UTCInstant
    private let neighbours: NeighbourUnits
    private let crypto: any CryptoBackend
    private let places: FieldPlaces

    /// Prepares a table. `time` is the instant at which assertions without a first instant begin.
    package init(
        _ table: PolicyTable, at time: UTCInstant, neighbours: NeighbourUnits,
        crypto: any CryptoBackend
    ) {
        self.table = table
        self.time = time
        self.neighbours = neighbours
        self.crypto = crypto
        places = FieldPlaces(table, table.contents())
    }

    /// Why the answer is missing.
    package enum Failure: Error, Sendable {
        /// The assertion names something that cannot be read.
        case unreadable(Diagnostic)
        /// The classes cannot be made, or a refutation does not reproduce.
        case unanswered(AnswerFailure)
    }

    /// Answers one assertion of a file.
    ///
    /// Cost: linear in the patterns of the policy and of the assertion.
    package func prove(
        _ assertion: Assertion, in file: SourceFile
    ) throws(Failure) -> AssertionResult {
        let start = assertion.during.from ?? time
        let end = assertion.during.until
        func result(
            _ verdict: AssertionResult.Verdict, of run: AssertionRun? = nil
        ) -> AssertionResult {
            AssertionResult(
                assertion: assertion, file: file, from: start, until: end,
                classes: run?.classes ?? 0, intervals: run?.intervals ?? 0,
                refuted: run?.refuted ?? 0, verdict: verdict)
        }
        if let end, end < time || end < start {
            return result(
                .stale(
                    "its time ended on \(DiffSentences.last(end))",
                    at: assertion.untilPlace ?? assertion.id.span))
        }
        var run = try AssertionRun(
            assertion, file, table: table, since: start, until: end, neighbours: neighbours,
            crypto: crypto)
        do throws(AnswerFailure) {
            try run.classify()
            // Hosts that must be denied are best decided by no rule.
            if case .inside = assertion.hosts, !run.isDecided, !assertion.demandsDenial {
                return result(
                    .stale("no rule decides a host of its patterns", at: assertion.hostsPlace))
            }
            let refutations = try run.refutations(places)
            return result(refutations.isEmpty ? .proved : .refuted(refutations), of: run)
        } catch {
            throw .unanswered(error)
        }
    }
}
