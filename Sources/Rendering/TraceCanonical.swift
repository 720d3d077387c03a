package import TrustEngine

extension TraceJSON {
    /// The canonical JSON of an explanation's trace: its steps in one line, as
    /// `grammar/trace.schema.json` has them, without what is only said of them. The same trace
    /// gives the same octets, whether the table says where it was written or not, and whatever
    /// sentences a later version finds for it.
    package static func canonical(_ explanation: Explanation) -> String {
        let writer = TraceJSON(explanation, nil)
        return JSONValue.object([
            ("schema", .string("hawser/trace/1")),
            ("steps", .array(explanation.trace.steps.map { writer.step($0).without(words) })),
        ]).render(.compact)
    }

    /// Members that are words about a step, and places that only a table's provenance knows.
    private static let words: Set<String> = [
        "summary", "forEndUser", "citation", "demand", "location", "layer",
    ]
}

extension JSONValue {
    /// The value without these members of its objects, at every depth.
    fileprivate func without(_ names: Set<String>) -> JSONValue {
        switch self {
        case .object(let members):
            return .object(
                members.filter { !names.contains($0.key) }.map {
                    Member($0.key, $0.value.without(names))
                })
        case .array(let items): return .array(items.map { $0.without(names) })
        default: return self
        }
    }
}
