import Rendering
import TrustEngine

extension DecisionReceipt {
    /// The receipt as `grammar/receipt.schema.json` describes it: one line of JSON, without a line
    /// end, with its members in the order of the schema. Text of strangers in it is escaped as JSON
    /// escapes it. The line is of the present version of the format, whatever version the receipt
    /// was read from.
    public var json: String {
        RecordHead(
            schema: DecisionReceipt.schema, id: id?.text, time: time, decisionMaker: decisionMaker,
            host: host,
            port: port, isAccept: isAccept, rule: rule, table: table,
            violations: violations.map(\.value),
            reported: reported.map {
                ReportedFailure.object($0.violation.value, $0.reason, $0.until)
            }
        ).line([("request", request), ("trace", trace.value), ("inputs", inputs?.value)])
    }

    private var request: JSONValue {
        .object([
            ("tls", TraceJSON.tls(tls)),
            ("chain", chain.map { .array($0.map { .string($0.text) }) } ?? .null),
            (
                "evidence",
                evidence.map { pieces in
                    .array(
                        pieces.map {
                            .object([
                                ("kind", .string($0.kind.rawValue)),
                                ("digest", .string($0.digest.text)),
                            ])
                        })
                } ?? .null
            ),
        ])
    }
}

extension DecisionReceipt.Trace {
    fileprivate var value: JSONValue {
        switch self {
        case .digest(let digest): return .string(digest.text)
        case .keyed(let digest): return KeyedText.value(digest)
        case .dropped: return .null
        }
    }
}

extension DecisionReceipt.Inputs {
    fileprivate var value: JSONValue {
        .object([
            ("chain", .array(chain.map { .string(Base64.encode($0)) })),
            (
                "evidence",
                .array(evidence.map { $0.map { .string(Base64.encode($0)) } ?? .null })
            ),
        ])
    }
}
