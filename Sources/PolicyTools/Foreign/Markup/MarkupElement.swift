/// An element of an XML document, with the places of its parts.
package struct MarkupElement: Sendable {
    /// The name as it is written, with its prefix.
    package let name: String
    /// The octets of the name in the start tag.
    package let nameRange: Range<Int>
    package let attributes: [MarkupAttribute]
    /// The octets from the start tag to the end tag, both included.
    package var range: Range<Int>
    /// The octets between the two tags; empty for a tag that closes itself.
    package var content: Range<Int>
    package var children: [MarkupNode] = []

    /// The child elements in their order.
    package var elements: [MarkupElement] {
        children.compactMap { node in
            guard case .element(let element) = node else { return nil }
            return element
        }
    }

    /// The attribute with a name; nil if the element has none.
    package func attribute(_ name: String) -> MarkupAttribute? {
        attributes.first { $0.name == name }
    }
}

/// An attribute of an element.
package struct MarkupAttribute: Sendable {
    /// The name as it is written, with its prefix.
    package let name: String
    /// The value, references resolved.
    package let value: String
    /// The octets from the name to the closing quote.
    package let range: Range<Int>
    /// The octets of the value as it is written, without its quotes.
    package let valueRange: Range<Int>
}

/// A part of an element's content.
package enum MarkupNode: Sendable {
    case element(MarkupElement)
    /// Text with references and CDATA sections resolved. A comment ends a text.
    case text(String, Range<Int>)
    case comment(Range<Int>)
}
