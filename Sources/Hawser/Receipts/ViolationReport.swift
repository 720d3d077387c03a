import Rendering
public import TrustEngine

/// A report for the owners of a policy: a connection failed the policy, or failed a demand that is
/// only reported. The idea is from the reports of RFC 7469 section 3. A report also has the rule,
/// the reasons, and the lines of the policy that they come from. `grammar/report.schema.json`
/// describes its JSON.
public struct ViolationReport: Hashable, Sendable {
    /// The name and version of the format.
    public static let schema = "hawser/report/1"

    /// The treatment of an accept that does not know the revocation status of a certificate, under
    /// a rule with the preset `best-effort`. An unknown status never rejects under that preset, and
    /// where a service gets no evidence nearly every accept has one. The violations of a reject are
    /// never left out.
    public enum BestEffort: Hashable, Sendable {
        /// It is left out, and counted (`ViolationReporter.Counters.undetermined`). An accept with
        /// nothing else to report is not reported.
        case counted
        /// It is reported like any other failure.
        case reported
    }

    /// The number of reports and failures that were not told since the report before.
    public struct HeldBack: Hashable, Sendable {
        /// Reports that were held back: the same again, or too many in a minute.
        public var suppressed: UInt64
        /// Accepts of which a report, made or not, leaves out what `BestEffort.counted` leaves out.
        public var undetermined: UInt64

        /// Makes a value from its numbers.
        public init(suppressed: UInt64 = 0, undetermined: UInt64 = 0) {
            self.suppressed = suppressed
            self.undetermined = undetermined
        }
    }

    /// The id of the decision, as its receipt has it; nil where the redaction leaves it out.
    public let id: DecisionID?
    /// The validation time.
    public let time: UTCInstant
    /// Who made the decision.
    public let decisionMaker: DecisionMaker
    /// The host as the request names it; nil when it is redacted.
    public let host: String?
    /// The port; nil when it is redacted.
    public let port: UInt16?
    /// Whether the verdict is an accept.
    public let isAccept: Bool
    /// The rule that decided; empty for `default`, nil when no rule decided.
    public let rule: String?
    /// Digest of the meaning of the policy.
    public let policyDigest: Digest
    /// Ids of the violations of a reject.
    public let violations: [String]
    /// Ids of the violations that an accept reports, as far as the report has them.
    public let reported: [String]
    /// Ids of the demands on issuers that certificates of an accepted path do not meet, each once.
    /// Nothing fails for them.
    public let issuance: [String]
    /// The report as `grammar/report.schema.json` describes it: one line of JSON, without a line
    /// end, with its members in the order of the schema.
    public let json: String

    /// Octets of the longest chain that a report holds. A report holds only the digests of a longer
    /// chain.
    public static let maximumChainOctets = 64 << 10

    /// Makes the report of a decision. The call costs an evaluation with its trace, unless the
    /// decision is explained already. No limit is asked.
    ///
    /// - Parameters:
    ///   - decision: the decision.
    ///   - redaction: the parts of the request that the report leaves out.
    ///   - bestEffort: whether the report has what nearly every accept says.
    ///   - heldBack: what was not told since the report before.
    public init(
        _ decision: Decision, redaction: Redaction = Redaction(),
        bestEffort: BestEffort = .counted, heldBack: HeldBack = HeldBack()
    ) {
        let explanation = decision.explain()
        let request = decision.request
        let verdict = decision.verdict
        let outline = TraceOutline(explanation.trace)
        id = DecisionID(decision, redaction: redaction)
        time = request.time
        decisionMaker = decision.policy.decisionMaker
        if case .kept = redaction.host { host = request.host } else { host = nil }
        port = redaction.port == .kept ? request.port : nil
        isAccept = verdict.isAccept
        rule = outline.decidingRule
        policyDigest = verdict.policyDigest
        violations = verdict.violations.map(\.id)
        let failures = AcceptedFailures(verdict, of: request, by: decision.engine)
            .told(bestEffort)
        let breaches = verdict.issuanceBreaches
        issuance = verdict.issuanceDemands
        var path = outline.decisive(for: verdict)?.path.certificates ?? []
        if case .accept(let acceptance) = verdict.outcome { path = acceptance.path }
        reported = failures.map(\.violation.id)

        let engine = decision.engine
        let trace = TraceJSON(explanation)
        func told(_ violation: Violation) -> JSONValue {
            ViolationReport.told(trace.violation(violation), withNames: redaction.keepsNames)
        }
        let keepsChain = redaction.chain == .kept
        json = RecordHead(
            schema: ViolationReport.schema, id: id?.text, time: time, decisionMaker: decisionMaker,
            host: DecisionReceipt.Host(request.host, redaction), port: port, isAccept: isAccept,
            rule: rule, table: DecisionReceipt.Table(decision),
            violations: verdict.violations.map(told),
            reported: failures.map { $0.recorded(told($0.violation)) }
        ).line([
            (
                "issuance",
                .array(
                    breaches.map { breach in
                        .object([
                            ("demand", .string(breach.demand)),
                            (
                                "certificate",
                                redaction.keepsNames ? trace.certificate(breach.certificate) : nil
                            ),
                        ])
                    })
            ),
            (
                "servedChain",
                keepsChain ? ViolationReport.served(request.presentedChain, engine.crypto) : .null
            ),
            ("validatedPath", keepsChain ? .array(path.map(trace.certificate)) : .null),
            ("undetermined", .integer(heldBack.undetermined)),
            ("suppressed", .integer(heldBack.suppressed)),
        ])
    }

    /// The members of a violation that are reported: first the members of a receipt, then the
    /// sentences, and last its typed fields. Sentences and fields quote hosts and certificates.
    /// Without names they are left out, except the cause of an unknown revocation status.
    private static func told(_ violation: JSONValue, withNames: Bool) -> JSONValue {
        guard case .object(let members) = violation else { return violation }
        let head = ["id", "check", "side", "place", "citation"]
        let sentences = ["summary", "forEndUser"]
        func named(_ names: [String]) -> [JSONValue.Member] {
            names.flatMap { name in members.filter { $0.key == name } }
        }
        let fields = members.filter { member in
            !head.contains(member.key) && !sentences.contains(member.key)
                && (withNames || member.key == "cause")
        }
        return .object(
            named(head) + (withNames ? named(sentences) : [])
                + [JSONValue.Member("fields", .object(fields))])
    }

    private static func served(_ chain: [[UInt8]], _ crypto: any CryptoBackend) -> JSONValue {
        let isShort = chain.map(\.count).reduce(0, +) <= maximumChainOctets
        return .array(
            chain.map { der in
                .object([
                    ("fingerprint", .string(crypto.digest(.sha256, of: der.span).text)),
                    ("der", isShort ? .string(Base64.encode(der)) : nil),
                ])
            })
    }
}
