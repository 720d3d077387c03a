import Rendering
import TrustEngine

extension DecisionReceipt {
    /// The receipt as `grammar/receipt.schema.json` describes it: one line of JSON, without a line
    /// end. Text of strangers in it is escaped as JSON escapes it.
    public var json: String { value.render(.compact) }

    private var value: JSONValue {
        .object([
            ("schema", .string(DecisionReceipt.schema)),
            ("table", table.value),
            ("request", request),
            ("verdict", .string(isAccept ? "accept" : "reject")),
            ("violations", .array(violations.map { .string($0) })),
            (
                "reported",
                .array(
                    reported.map {
                        .object([
                            ("violation", .string($0.violation)),
                            ("reason", .string($0.reason.rawValue)),
                        ])
                    })
            ),
            ("trace", trace.value),
            ("inputs", inputs?.value),
        ])
    }

    private var request: JSONValue {
        .object([
            ("host", host.value), ("port", port.map { .integer($0) } ?? .null),
            ("time", .string(time.description)), ("tls", TraceJSON.tls(tls)),
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

/// The prefix of keyed digests, so that none is taken for a plain digest.
enum KeyedText {
    static let prefix = "hmac-sha256:"

    static func value(_ digest: Digest) -> JSONValue { .string(prefix + digest.hex) }
}

extension DecisionReceipt.Host {
    /// `{"text": …}`, `{"keyed": …}` or null.
    fileprivate var value: JSONValue {
        switch self {
        case .text(let host): return .object([("text", .string(host))])
        case .keyed(let digest): return .object([("keyed", KeyedText.value(digest))])
        case .dropped: return .null
        }
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

extension DecisionReceipt.Table {
    fileprivate var value: JSONValue {
        func text(_ digest: Digest?) -> JSONValue { digest.map { .string($0.text) } ?? .null }
        return .object([
            ("policyDigest", text(policyDigest)), ("fileDigest", text(fileDigest)),
            ("systemStoreDigest", text(systemStoreDigest)), ("logListDigest", text(logListDigest)),
            // As text, because JSON readers that read numbers as floating point lose the last
            // digits.
            ("revision", revision.map { .string(String($0)) } ?? .null),
            ("freshness", freshness.map(TraceJSON.freshness) ?? .null),
        ])
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
