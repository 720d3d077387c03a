import CSchemas
import PolicyCompiler
import PolicyTools
import Rendering

/// The JSON Schema of a kind of files: its keys, words and what they mean.
final class Contract: Sendable {
    private let root: JSONView
    private let definitions: [String: JSONView]

    private init?(_ number: Int) {
        guard let view = try? JSONView(EmbeddedFile.octets(UInt32(number))) else { return nil }
        root = view
        definitions = view["definitions"]?.object ?? [:]
    }

    /// The contract of a kind; nil for files that have none.
    static func of(_ kind: OwnFileKind) -> Contract? {
        switch kind {
        case .policy: return policy
        case .tests: return tests
        case .assertions: return assertions
        case .allowances: return allowances
        case .exports: return exports
        }
    }

    private static let policy = Contract(HAWSER_SCHEMA_POLICY)
    private static let tests = Contract(HAWSER_SCHEMA_TEST)
    private static let assertions = Contract(HAWSER_SCHEMA_ASSERT)
    private static let allowances = Contract(HAWSER_SCHEMA_ALLOW)
    private static let exports = Contract(HAWSER_SCHEMA_EXPORTS)

    /// The value of a whole file.
    var file: Node { node(root) }

    /// The value at the end of some names, as `TreePath` has them; nil where the contract has no
    /// such value.
    func node(at names: some Collection<String>) -> Node? {
        var node: Node? = file
        for name in names { node = name == "[]" ? node?.item : node?.child(name) }
        return node
    }

    /// A value and what a contract says of it: in its own place, then in the definitions that it
    /// refers to.
    struct Node {
        fileprivate let contract: Contract
        fileprivate let views: [[String: JSONView]]
        /// The names of the definitions, the nearest first.
        let names: [String]

        private func text(_ key: String) -> String? {
            views.lazy.compactMap { $0[key]?.text }.first
        }

        var meaning: String? { text("description") }
        var notes: String? { text("x-hawser-notes") }

        /// The value that holds if the key is not written.
        var unwritten: String? {
            views.lazy.compactMap { view -> String? in
                guard let value = view["default"] else { return nil }
                return value.text ?? value.value.render()
            }.first
        }

        /// Whether the value is a map.
        var isMap: Bool {
            views.contains { $0["properties"] != nil || $0["type"]?.text == "object" }
        }
        /// Whether the value is a map whose keys an author names.
        var takesNames: Bool {
            views.contains { view in
                view["additionalProperties"]?.isObject ?? false || view["patternProperties"] != nil
            } || alternatives.contains(where: \.takesNames)
        }
        /// Whether the value is a list.
        var isList: Bool { views.contains { $0["type"]?.text == "array" } }

        /// The values of which this is one.
        var alternatives: [Node] {
            views.flatMap { view in
                ["oneOf", "anyOf", "allOf"].flatMap { view[$0]?.elements ?? [] }
            }.map { contract.node($0) }
        }

        /// The keys of a map with their values, in the order of the language.
        var keys: [(name: String, node: Node)] {
            let own = views.flatMap { $0["properties"]?.members ?? [] }
                .map { (name: $0.name, node: contract.node($0.value)) }
            return own + alternatives.flatMap(\.keys)
        }

        /// The value of a key, or of any id.
        func child(_ name: String) -> Node? {
            for view in views {
                if let found = view["properties"]?[name] { return contract.node(found) }
            }
            for view in views {
                if let other = view["additionalProperties"], other.isObject {
                    return contract.node(other)
                }
                if let other = view["patternProperties"]?.members.first {
                    return contract.node(other.value)
                }
            }
            return alternatives.lazy.compactMap { $0.child(name) }.first
        }

        /// The value of an item of a list.
        var item: Node? {
            views.lazy.compactMap { $0["items"] }.first.map { contract.node($0) }
                ?? alternatives.lazy.compactMap(\.item).first
        }

        /// The words that the value may be.
        var words: [String] {
            views.flatMap { view in
                (view["enum"]?.texts ?? []) + (view["const"]?.text.map { [$0] } ?? [])
            } + alternatives.flatMap(\.words)
        }

        /// Whether the value, or an alternative, is of a definition.
        func isOf(_ definition: String) -> Bool {
            names.contains(definition) || alternatives.contains { $0.isOf(definition) }
        }
    }

    private func node(_ view: JSONView) -> Node {
        var views: [[String: JSONView]] = []
        var names: [String] = []
        var next: JSONView? = view
        // Definitions refer to definitions, at most a few deep and never to themselves.
        while let current = next, views.count < 8 {
            let object = current.object
            views.append(object)
            let name = object["$ref"]?.text?.split(separator: "/").last.map(String.init)
            if let name { names.append(name) }
            next = name.flatMap { definitions[$0] }
        }
        return Node(contract: self, views: views, names: names)
    }
}
