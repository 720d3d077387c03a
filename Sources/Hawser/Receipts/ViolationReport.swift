import Rendering
public import TrustEngine

/// A report for the owners of a policy: a connection failed the policy, or failed a demand that is
/// only reported. The idea is from the reports of RFC 7469 section 3. A report also has the rule,
/// the reasons, and the lines of the policy that they come from. `grammar/report.schema.json`
/// describes its JSON.
public struct ViolationReport: Hashable, Sendable {
    /// The name and version of the format.
    public static let schema = "hawser/report/1"

    /// The validation time.
    public let time: UTCInstant
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
    /// Ids of the violations that an accept reports.
    public let reported: [String]
    /// Ids of the demands on issuers that certificates of an accepted path do not meet, each once.
    /// Nothing fails for them.
    public let issuance: [String]
    /// The report as `grammar/report.schema.json` describes it: one line of JSON, without a line
    /// end.
    public let json: String

    /// Octets of the longest chain that a report holds. A report holds only the digests of a longer
    /// chain.
    public static let longestChain = 64 << 10

    /// Makes the report of a decision from its explanation. Nothing is evaluated.
    ///
    /// - Parameters:
    ///   - explanation: the explanation of the decision.
    ///   - request: the request that was decided.
    ///   - policy: the policy that decided.
    ///   - redaction: the parts of the request that the report leaves out.
    ///   - suppressed: the number of reports that were held back since the report before.
    public init(
        _ explanation: Explanation, of request: TrustRequest, by policy: some PolicyInForce,
        redaction: Redaction = Redaction(), suppressed: UInt64 = 0
    ) {
        let verdict = explanation.verdict
        let outline = TraceOutline(explanation.trace)
        time = request.time
        if case .kept = redaction.host { host = request.host } else { host = nil }
        port = redaction.port == .kept ? request.port : nil
        isAccept = verdict.isAccept
        rule = outline.rule.flatMap { $0.selection == .defaultDeny ? nil : $0.rule }
        policyDigest = verdict.policyDigest
        violations = verdict.violations.map(\.id)
        var failures: [Reported] = []
        let breaches = verdict.issuanceBreaches
        issuance = verdict.issuanceDemands
        var path = outline.decisive(for: verdict)?.path.certificates ?? []
        if case .accept(let acceptance) = verdict.outcome {
            failures = acceptance.reported
            path = acceptance.path
        }
        reported = failures.map(\.violation.id)

        let engine = policy.engine
        let trace = TraceJSON(explanation)
        func told(_ violation: Violation) -> JSONValue {
            ViolationReport.told(trace.violation(violation), withNames: redaction.keepsNames)
        }
        let text = { (digest: Digest?) -> JSONValue in digest.map { .string($0.text) } ?? .null }
        var hostValue = host.map { JSONValue.object([("text", .string($0))]) } ?? .null
        if let key = redaction.key {
            hostValue = .object([("keyed", KeyedText.value(key.digest(.host, request.host)))])
        }
        let keepsChain = redaction.chain == .kept
        json = JSONValue.object([
            ("schema", .string(ViolationReport.schema)), ("time", .string(time.description)),
            ("host", hostValue), ("port", port.map { .integer($0) } ?? .null),
            ("verdict", .string(isAccept ? "accept" : "reject")),
            ("rule", rule.map { .string($0) } ?? .null),
            ("policyDigest", text(policyDigest)), ("fileDigest", text(engine.table.fileDigest)),
            ("revision", policy.revision.map { .string(String($0)) } ?? .null),
            ("violations", .array(verdict.violations.map(told))),
            (
                "reported",
                .array(
                    failures.map { reported in
                        .object([
                            ("violation", told(reported.violation)),
                            ("reason", .string(reported.word)),
                            ("until", .optional(reported.until?.description)),
                        ])
                    })
            ),
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
            ("suppressed", .integer(Int64(clamping: suppressed))),
        ]).render(.compact)
    }

    /// The members of a violation that are reported: its id and the place of its demand, the
    /// sentences, and its typed fields. Sentences and fields quote hosts and certificates. Without
    /// names they are left out, except the cause of an unknown revocation status.
    private static func told(_ violation: JSONValue, withNames: Bool) -> JSONValue {
        guard case .object(let members) = violation else { return violation }
        let head: Set<String> = ["id", "check", "side", "citation", "place"]
        let sentences: Set<String> = ["summary", "forEndUser"]
        let fields = members.filter { member in
            !head.contains(member.key) && !sentences.contains(member.key)
                && (withNames || member.key == "cause")
        }
        return .object(
            members.filter { head.contains($0.key) || (withNames && sentences.contains($0.key)) }
                + [JSONValue.Member("fields", .object(fields))])
    }

    private static func served(_ chain: [[UInt8]], _ crypto: any CryptoBackend) -> JSONValue {
        let isShort = chain.map(\.count).reduce(0, +) <= longestChain
        return .array(
            chain.map { der in
                .object([
                    ("fingerprint", .string(crypto.digest(.sha256, of: der.span).text)),
                    ("der", isShort ? .string(Base64.encode(der)) : nil),
                ])
            })
    }
}

extension Reported {
    /// Why the failure did not reject, in the word of traces.
    fileprivate var word: String {
        switch reason {
        case .waived: return DecisionReceipt.ReportedFailure.Reason.waived.rawValue
        case .reportOnly: return DecisionReceipt.ReportedFailure.Reason.reportOnly.rawValue
        }
    }

    /// The last second at which the failure does not reject; nil when it never rejects.
    fileprivate var until: UTCInstant? {
        switch reason {
        case .waived(let until): return until
        case .reportOnly(let until): return until
        }
    }
}
