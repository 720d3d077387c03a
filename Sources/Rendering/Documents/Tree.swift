/// A tree of two levels: labels with texts, their citations, and what belongs to them.
package struct Tree: Sendable {
    package struct Node: Sendable {
        package var label: Word
        package var text: String
        package var citation: String?
        package var rank: Rank
        package var isCommand = false
        /// The text for a page on which the whole one has no room. Where it is empty, the node has
        /// no room there.
        package var brief: String?
        package var children: [Node] = []
        package var details: [String] = []
        /// Lines to write into a policy. In a text they stand below the tree, so that they can be
        /// pasted as they are.
        package var snippet: Snippet?

        init(
            label: Word, text: String, citation: String?, rank: Rank, isCommand: Bool = false,
            brief: String? = nil
        ) {
            self.label = label
            self.text = text
            self.citation = citation
            self.rank = rank
            self.isCommand = isCommand
            self.brief = brief
        }
    }

    package var nodes: [Node] = []

    package init() {}

    /// Adds a node.
    package mutating func node(
        _ label: Word, _ text: String, _ citation: String? = nil, _ rank: Rank = .needed
    ) {
        nodes.append(Node(label: label, text: text, citation: citation, rank: rank))
    }

    /// Adds a node with a label that has no tone.
    package mutating func node(
        _ label: String, _ text: String, _ citation: String? = nil, _ rank: Rank = .needed
    ) {
        node(Word(label), text, citation, rank)
    }

    /// Adds a line below the last node.
    package mutating func child(
        _ label: Word, _ text: String, _ citation: String? = nil, _ rank: Rank = .needed,
        brief: String? = nil
    ) {
        guard !nodes.isEmpty else { return node(label, text, citation, rank) }
        nodes[nodes.count - 1].children.append(
            Node(label: label, text: text, citation: citation, rank: rank, brief: brief))
    }

    /// Adds a line with a label that has no tone below the last node.
    package mutating func child(
        _ label: String, _ text: String, _ citation: String? = nil, _ rank: Rank = .needed,
        brief: String? = nil
    ) {
        child(Word(label), text, citation, rank, brief: brief)
    }

    /// Adds a command below the last node, ready to paste.
    package mutating func command(_ text: String, _ rank: Rank) {
        guard !nodes.isEmpty else { return }
        nodes[nodes.count - 1].children.append(
            Node(label: Word("$"), text: text, citation: nil, rank: rank, isCommand: true))
    }

    /// Adds a line below the last child.
    package mutating func detail(_ text: String) {
        guard let last = nodes.last, !last.children.isEmpty else { return }
        nodes[nodes.count - 1].children[last.children.count - 1].details.append(text)
    }

    /// Gives lines to write into a policy to the last child. They go with it, and before it by
    /// `rank`: `pointer` is then added to the text of the child.
    package mutating func snippet(
        _ title: String, _ lines: [String], _ rank: Rank = .usual, pointer: String = ""
    ) {
        guard let last = nodes.last, !last.children.isEmpty, !lines.isEmpty else { return }
        nodes[nodes.count - 1].children[last.children.count - 1].snippet = Snippet(
            title: title, lines: lines, rank: rank, pointer: pointer)
    }
}
