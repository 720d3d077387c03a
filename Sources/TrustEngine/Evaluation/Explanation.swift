/// A verdict together with its trace and the table that judged. The table lets the explanation be
/// rendered without the engine. It stays in memory as long as the explanation.
public struct Explanation: Hashable, Sendable {
    /// The verdict on the request.
    public let verdict: Verdict
    /// The steps that the verdict follows from.
    public let trace: Trace

    /// The table that judged; its provenance gives the lines of the policy. Nil in an explanation
    /// that no engine made.
    package let table: PolicyTable?

    /// Further facts about the request. They serve sentences and do not belong to the trace.
    package let facts: RequestFacts

    /// Makes an explanation without a table, as a test of a service needs it. It cites no lines of
    /// a policy.
    public init(verdict: Verdict, trace: Trace) {
        self.init(verdict: verdict, trace: trace, table: nil)
    }

    /// An explanation of a verdict that was reached by `table`.
    package init(
        verdict: Verdict, trace: Trace, table: PolicyTable?, facts: RequestFacts = RequestFacts()
    ) {
        self.verdict = verdict
        self.trace = trace
        self.table = table
        self.facts = facts
    }

    /// SHA-256 of the presented keys, by SHA-256 of the certificate, so that advice can name who
    /// answered by the key.
    package var presentedKeys: [Digest: Digest] {
        presented { if case .presentedKey(let step) = $0 { (step.index, step.key) } else { nil } }
    }

    /// Where the presented certificates say that their issuers' certificates are, by SHA-256 of the
    /// certificate. Whoever answers wrote these addresses.
    package var issuerAddresses: [Digest: [String]] {
        presented {
            if case .issuerAddresses(let step) = $0 { (step.index, step.addresses) } else { nil }
        }
    }

    /// The position of the server's own certificate among the presented certificates, where a
    /// rejected chain begins with a CA in its place.
    package var misplacedEndEntity: Int? {
        guard !verdict.isAccept else { return nil }
        for case .misplacedEndEntity(let step) in trace.steps { return step.index }
        return nil
    }

    /// What `fact` finds in a step about a presented certificate, given by the certificate's index.
    /// The step of the certificate stands before it.
    private func presented<Fact>(_ fact: (TraceStep) -> (Int, Fact)?) -> [Digest: Fact] {
        var fingerprints: [Int: Digest] = [:]
        var facts: [Digest: Fact] = [:]
        for step in trace.steps {
            if case .certificate(let step) = step, case .read(_, let fingerprint) = step.status {
                fingerprints[step.index] = fingerprint
            } else if let (index, found) = fact(step), let fingerprint = fingerprints[index] {
                facts[fingerprint] = found
            }
        }
        return facts
    }

    /// Whether both have the same verdict and trace, and the same table by its file digest.
    public static func == (left: Explanation, right: Explanation) -> Bool {
        left.verdict == right.verdict && left.trace == right.trace
            && left.table?.fileDigest == right.table?.fileDigest
    }

    /// Hashes the verdict and the trace.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(verdict)
        hasher.combine(trace)
    }
}
