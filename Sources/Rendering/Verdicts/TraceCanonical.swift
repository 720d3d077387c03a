import PolicyReading
package import TrustEngine

extension TraceJSON {
    /// The canonical JSON of an explanation's trace: its steps on one line by
    /// `grammar/trace.schema.json`, without sentences and places. The same trace gives the same
    /// octets, whether or not the table carries provenance, and whatever sentences a later version
    /// writes.
    package static func canonical(_ explanation: Explanation) -> String {
        let steps = TraceJSON(explanation, nil).steps
        return JSONValue.object([
            ("schema", .string("hawser/trace/1")),
            ("steps", .array(steps.map { $0.without(words) })),
        ]).render(.compact)
    }

    /// The members that hold words about a step, or its side, which follows from the id, or places
    /// that only the provenance of a table
    /// knows.
    private static let words: Set<String> = [
        "side", "summary", "forEndUser", "citation", "demand", "location", "layer",
    ]
}

extension JSONValue {
    /// The value without the members of these names, at every depth.
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
