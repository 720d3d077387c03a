import PolicyCompiler

/// A value of a property list in XML, read from its element when it is asked for.
package struct PropertyListNode: Sendable {
    private let element: MarkupElement

    /// The octets of the value.
    package var range: Range<Int> { element.range }
    /// The octets between the tags of the value.
    package var content: Range<Int> { element.content }

    /// One entry of a dictionary.
    package struct Entry: Sendable {
        package let key: String
        /// The octets of the key's element.
        package let keyRange: Range<Int>
        package let value: PropertyListNode
    }

    private init(_ element: MarkupElement) { self.element = element }

    /// The value of a document: the one element of `plist`.
    ///
    /// - Throws: HX101 for a file that is not XML or not a property list.
    package static func root(of bytes: [UInt8]) throws(ForeignError) -> PropertyListNode {
        let root = try MarkupReader.root(of: bytes)
        guard root.name == "plist" else {
            throw ForeignError(
                .foreignSyntax,
                "the root is `<\(root.name)>`; a property list has the root `<plist>`",
                at: root.nameRange)
        }
        let values = root.elements
        guard values.count == 1 else {
            throw ForeignError(
                .foreignSyntax, "`<plist>` holds \(values.count) values; it holds one",
                at: root.nameRange)
        }
        return PropertyListNode(values[0])
    }

    /// The type in words, as messages name it.
    package var kind: String { "`<\(element.name)>`" }

    /// The value of a boolean; nil for other types.
    package var boolean: Bool? {
        element.name == "true" ? true : element.name == "false" ? false : nil
    }

    /// The text of a string; nil for other types.
    package var string: String? { element.name == "string" ? text : nil }

    /// The elements of an array; nil for other types.
    package var items: [PropertyListNode]? {
        element.name == "array" ? element.elements.map(PropertyListNode.init) : nil
    }

    private var text: String {
        element.children.map { node in
            guard case .text(let text, _) = node else { return "" }
            return text
        }.joined()
    }

    /// The entries of a dictionary; nil for other types.
    ///
    /// - Throws: HX101 where a value has no key, or a key stands twice.
    package func entries() throws(ForeignError) -> [Entry]? {
        guard element.name == "dict" else { return nil }
        var entries: [Entry] = []
        var names: Set<String> = []
        var pending: MarkupElement?
        for child in element.elements {
            guard child.name == "key" else {
                guard let key = pending else {
                    throw ForeignError(
                        .foreignSyntax, "a value without its `<key>`", at: child.nameRange)
                }
                let name = PropertyListNode(key).text
                guard names.insert(name).inserted else {
                    throw ForeignError(
                        .foreignSyntax,
                        "the key `\(name)` stands twice; readers differ in which "
                            + "of the two they take", at: key.range)
                }
                entries.append(
                    Entry(key: name, keyRange: key.range, value: PropertyListNode(child)))
                pending = nil
                continue
            }
            if let key = pending {
                throw ForeignError(
                    .foreignSyntax, "the key `\(PropertyListNode(key).text)` has no value",
                    at: key.range)
            }
            pending = child
        }
        if let key = pending {
            throw ForeignError(
                .foreignSyntax, "the key `\(PropertyListNode(key).text)` has no value",
                at: key.range)
        }
        return entries
    }
}
