import JSONSchemaSupport

/// The shapes of the steps of a trace as JSON. A shape is the path to an object, the object's kind
/// and the names of its keys. A check together with its outcome is a shape too. Violations are left
/// out: the tests of `Rendering` hold their fields.
enum StepShapes {
    /// The shapes in a document of `explain --format json`.
    static func of(_ document: JSONDocument) -> Set<String> {
        var shapes: Set<String> = []
        for step in document["steps"]?.items ?? [] {
            guard case .object(var members) = step, let name = step["step"]?.text else { continue }
            members["step"] = nil
            collect(.object(members), at: name, into: &shapes)
            if let check = step["check"]?.text, let outcome = step["outcome"]?["kind"]?.text {
                shapes.insert("\(name) \(check) \(outcome)")
            }
        }
        return shapes
    }

    private static let violationLists: Set<String> = ["violations", "reported"]

    private static func collect(
        _ value: JSONDocument, at path: String, into shapes: inout Set<String>
    ) {
        switch value {
        case .object(let members):
            let here = members["kind"]?.text.map { "\(path)<\($0)>" } ?? path
            shapes.insert("\(here) {\(members.keys.sorted().joined(separator: ", "))}")
            for (key, member) in members where !violationLists.contains(key) {
                collect(member, at: "\(here).\(key)", into: &shapes)
            }
        case .array(let items):
            for item in items { collect(item, at: path + "[]", into: &shapes) }
        case .string, .integer, .number, .bool, .null: break
        }
    }
}
