import Rendering
import TrustEngine

/// The members with which every record of a decision begins: a receipt, a report, a disagreement.
/// They have the same names, types and order in all three, so that one table holds the records of
/// all kinds. The order of the members is a part of the formats: the same record is the same
/// octets.
struct RecordHead {
    let schema: String
    /// The id of the decision; nil where the redaction leaves it out.
    let id: String?
    let time: UTCInstant
    let decisionMaker: DecisionMaker
    let host: DecisionReceipt.Host
    let port: UInt16?
    let isAccept: Bool
    /// The rule that decided; empty for `default`, nil when no rule decided.
    let rule: String?
    let table: DecisionReceipt.Table
    /// The violations of a reject, one object each.
    let violations: [JSONValue]
    /// The failures that an accept reports, one object each.
    let reported: [JSONValue]

    /// The record as one line of JSON: the head, and then the members that only this kind of record
    /// has.
    func line(_ own: [(String, JSONValue?)]) -> String {
        var text: String?
        var digest: JSONValue = .null
        switch host {
        case .text(let host): text = host
        case .keyed(let keyed): digest = KeyedText.value(keyed)
        case .dropped: break
        }
        return JSONValue.object(
            [
                ("schema", .string(schema)), ("id", .optional(id) ?? .null),
                ("time", .string(time.description)),
                ("service", .optional(decisionMaker.service) ?? .null),
                ("store", .optional(decisionMaker.store) ?? .null),
                ("epoch", decisionMaker.epoch.map { .integer($0) } ?? .null),
                ("host", .optional(text) ?? .null), ("hostDigest", digest),
                ("port", port.map { .integer($0) } ?? .null),
                ("verdict", .string(isAccept ? "accept" : "reject")),
                ("rule", .optional(rule) ?? .null), ("table", table.value),
                ("violations", .array(violations)), ("reported", .array(reported)),
            ] + own
        ).render(.compact)
    }
}

/// The prefix of keyed digests, so that none is taken for a plain digest.
enum KeyedText {
    static let prefix = "hmac-sha256:"

    static func value(_ digest: Digest) -> JSONValue { .string(prefix + digest.hex) }
}

extension DecisionReceipt.Host {
    /// The host of a request, as far as the redaction keeps it.
    init(_ host: String, _ redaction: Redaction) {
        switch redaction.host {
        case .kept: self = .text(host)
        case .keyed(let key): self = .keyed(key.digest(.host, host))
        case .dropped: self = .dropped
        }
    }
}

extension DecisionReceipt.Table {
    /// The table that a decision was made by.
    init(_ decision: Decision) {
        let engine = decision.engine
        let verdict = decision.verdict
        self.init(
            policyDigest: verdict.policyDigest, fileDigest: engine.table.fileDigest,
            systemStoreDigest: verdict.systemStoreDigest, logListDigest: verdict.logListDigest,
            revision: decision.policy.revision, freshness: engine.freshness)
    }

    var value: JSONValue {
        func text(_ digest: Digest?) -> JSONValue { .optional(digest?.text) ?? .null }
        return .object([
            ("policyDigest", text(policyDigest)), ("fileDigest", text(fileDigest)),
            ("systemStoreDigest", text(systemStoreDigest)), ("logListDigest", text(logListDigest)),
            // As text, because JSON readers that read numbers as floating point lose the last
            // digits.
            ("revision", .optional(revision.map { String($0) }) ?? .null),
            ("freshness", freshness.map(TraceJSON.freshness) ?? .null),
        ])
    }
}

extension TraceOutline {
    /// The rule that decided; empty for `default`, nil when no rule decided.
    var decidingRule: String? { rule.flatMap { $0.selection == .defaultDeny ? nil : $0.rule } }
}

extension Reported {
    /// The object of a record, around the object of the violation.
    func recorded(_ violation: JSONValue) -> JSONValue {
        DecisionReceipt.ReportedFailure.object(violation, recordedReason, until)
    }

    /// Why the failure did not reject, in the words of records.
    var recordedReason: DecisionReceipt.ReportedFailure.Reason {
        switch reason {
        case .waived: return .waived
        case .reportOnly: return .reportOnly
        }
    }

    /// The last second at which the failure does not reject; nil when it never rejects.
    var until: UTCInstant? {
        switch reason {
        case .waived(let until): return until
        case .reportOnly(let until): return until
        }
    }
}

extension DecisionReceipt.ReportedFailure {
    /// The object of a record.
    static func object(
        _ violation: JSONValue, _ reason: Reason, _ until: UTCInstant?
    ) -> JSONValue {
        .object([
            ("violation", violation), ("reason", .string(reason.rawValue)),
            ("until", .optional(until?.description)),
        ])
    }
}
