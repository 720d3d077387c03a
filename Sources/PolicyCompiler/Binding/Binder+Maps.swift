internal import TrustEngine

/// One entry of a map: its key in the schema, and both nodes.
struct MapEntry {
    let shape: FieldShape
    let key: SyntaxNode
    let value: SyntaxNode
}

/// The entries of a map whose keys the language has.
struct MapContents {
    let node: SyntaxNode
    /// Each key once, with its last value, as indices of the tree's nodes. A list, because maps of
    /// the language are short: searching the list takes less time than computing one hash.
    private var entries: [(shape: FieldShape, key: Int, value: Int)] = []
    /// Keys of the language that a misspelt key of this map may stand for.
    fileprivate(set) var excused: Set<String> = []
    /// Whether a key of the map could not be read.
    fileprivate(set) var hasUnreadableKey = false

    init(node: SyntaxNode) {
        self.node = node
        entries.reserveCapacity(node.partCount)
    }

    /// Whether a field, or a section of fields, is written or may have been written.
    var mayHoldFields: Bool {
        hasUnreadableKey || !excused.isEmpty || entries.contains { $0.shape.isOfFields }
    }

    subscript(name: String) -> MapEntry? {
        index(of: name).map { index in
            MapEntry(
                shape: entries[index].shape,
                key: SyntaxNode(tree: node.tree, index: entries[index].key),
                value: SyntaxNode(tree: node.tree, index: entries[index].value))
        }
    }

    /// Whether an entry has the key.
    func holds(_ name: String) -> Bool { index(of: name) != nil }

    /// Whether the key may have been written although no entry has it.
    func mayHold(_ name: String) -> Bool {
        (hasUnreadableKey || excused.contains(name)) && index(of: name) == nil
    }

    fileprivate mutating func set(_ shape: FieldShape, key: Int, value: Int) {
        let entry = (shape, key, value)
        if let index = index(of: shape.name) {
            entries[index] = entry
        } else {
            entries.append(entry)
        }
    }

    private func index(of name: String) -> Int? {
        entries.indices.first { entries[$0].shape.name == name }
    }
}

extension Binder {
    /// The entries of a map of the language. Reports unknown keys.
    func contents(of node: SyntaxNode, shape: MapShape) -> MapContents {
        var map = MapContents(node: node)
        // Nodes are made of their indices only where one is reported: making and giving up a node
        // counts a reference to the tree.
        let tree = node.tree
        for number in 0..<node.partCount {
            let (key, value) = tree.entry(number, of: node.index)
            guard tree.nodes[key].kind == .scalar else {
                map.hasUnreadableKey = true
                continue
            }
            guard let field = shape.key(key, of: tree) else {
                noteUnknownKey(SyntaxNode(tree: tree, index: key), in: shape, &map)
                continue
            }
            if tree.nodes[value].kind == .error {
                noteUnread(
                    SyntaxNode(tree: tree, index: value), key: SyntaxNode(tree: tree, index: key),
                    example: field.example, isRequired: field.isRequired)
            }
            map.set(field, key: key, value: value)
        }
        return map
    }

    /// The map of the language under a key; nil if the value is not a map.
    func section(_ entry: MapEntry?) -> MapContents? {
        guard let entry, let shape = entry.shape.map else { return nil }
        return section(
            entry.value, shape: shape, name: entry.shape.name, example: entry.shape.example)
    }

    /// A map of the language; nil if the node is not a map.
    func section(
        _ node: SyntaxNode, shape: MapShape, name: String, example: @autoclosure () -> String
    ) -> MapContents? {
        guard requireMap(node, for: name, example: example()) else { return nil }
        return contents(of: node, shape: shape)
    }

    /// Whether a node is a map. Reports a node that is a scalar or a list.
    @discardableResult
    func requireMap(
        _ node: SyntaxNode, for name: String, example: @autoclosure () -> String
    ) -> Bool {
        if node.kind == .map { return true }
        noteUnread(node, key: nil, example: example(), isRequired: false)
        if node.kind != .error {
            report(
                .wrongType, "`\(name)` takes a map; found \(found(node))", at: node.span,
                help: ["for example `\(shown(example()))`"])
        }
        return false
    }

    /// Reports each required key that a map lacks, at the name of the thing that the map describes.
    func requireKeys(
        _ names: [String], in map: MapContents, of owner: @autoclosure () -> String,
        at span: SourceSpan, shape: MapShape
    ) {
        for name in names where !map.holds(name) && !map.mayHold(name) {
            let named = name == Namespace.anchors.rawValue ? namedAnchorSets(in: map) : nil
            let example =
                named.map { "\(name): [\($0.joined(separator: ", "))]" }
                ?? shown(shape.key(name)?.example ?? "\(name): …")
            report(
                .missingKey, "\(owner()) has no `\(name)`", at: span,
                help: [named == nil ? "for example `\(example)`" : "write `\(example)`"])
        }
    }

    /// The items of a list, each read by `item`; an empty list if the value is not a list.
    /// `isWhole` is false if an item could not be read.
    func list<Value>(
        _ entry: MapEntry, path: String, item: (SyntaxNode) -> Located<Value>?
    ) -> (list: BoundList<Value>, isWhole: Bool) {
        let (items, isWhole) = items(entry, path: path, item: item)
        return (
            BoundList(key: entry.key.span, span: entry.value.span, items: items), isWhole
        )
    }

    /// As `list`, without the spans of the list.
    func items<Value>(
        _ entry: MapEntry, path: String, item: (SyntaxNode) -> Value?
    ) -> (items: [Value], isWhole: Bool) {
        guard entry.value.kind == .list else {
            if entry.value.kind != .error {
                report(
                    .wrongType, "`\(path)` takes a list; found \(found(entry.value))",
                    at: entry.value.span, help: [listHelp(entry)])
            }
            return ([], false)
        }
        var items: [Value] = []
        var isWhole = true
        let count = entry.value.partCount
        items.reserveCapacity(count)
        for number in 0..<count {
            if let value = item(entry.value.part(number).value) {
                items.append(value)
            } else {
                isWhole = false
            }
        }
        return (items, isWhole)
    }

    /// Reports a key that a map does not have. Its value may have been meant for any key with a
    /// similar name. If no key has a similar name, its value may hold any reference that the map
    /// can hold.
    private func noteUnknownKey(_ key: SyntaxNode, in shape: MapShape, _ map: inout MapContents) {
        let meant = reportUnknownKey(key, in: shape)
        map.excused.formUnion(meant)
        guard meant.isEmpty else { return }
        policy.incompleteReferences.formUnion(
            shape == PolicyFields.policy
                ? Namespace.allCases : shape.keys.compactMap { Binder.referenceKeys[$0.name] })
    }

    /// Reports a key that a map does not have. Returns the keys with a similar name.
    private func reportUnknownKey(_ key: SyntaxNode, in shape: MapShape) -> [String] {
        if shape == PolicyFields.profile, PolicyFields.rule.key(key.text) != nil {
            policy.incompleteReferences.formUnion(
                [key.text].compactMap { Binder.referenceKeys[$0] })
            report(
                .unknownKey,
                "`\(key.text)` stands in a rule and in no profile: a profile says how strictly, never "
                    + "who, and never less than the baseline",
                at: key.span, help: ["write it in the rules that want it"])
            return []
        }
        if shape == PolicyFields.revocationCauses, key.text == "revoked" {
            report(
                .unknownKey, "`revoked` is no cause that can be set: what is revoked is rejected",
                at: key.span, help: [waiverHelp("revocation: { reason, owner, until }")])
            return []
        }
        let names = shape.keys.map(\.name)
        // A waiver lets something through, and so can the action for a cause. No fix chooses which
        // one: `unreachable` may be the opposite of the written word.
        let isChoice = shape == PolicyFields.waivers || shape == PolicyFields.revocationCauses
        let meant =
            isChoice
            ? nil
            : DidYouMean.only(for: key.text, among: names).flatMap { name in
                isWritten(name, beside: key) ? nil : name
            }
        report(
            .unknownKey,
            "\(quoted(key.text)) is not a key of \(shape.noun)"
                + DidYouMean.question(for: key.text, among: names),
            at: key.span,
            help: (KeysElsewhere.help(for: key.text).map { [$0] } ?? [])
                + ["its keys are " + listed(names)],
            fix: meant.map { name in
                FixIt(
                    title: "write `\(name)`", safety: .needsReview,
                    edits: [FixIt.Edit(key.span, name)])
            })
        return DidYouMean.near(key.text, among: names)
    }

    /// Whether the map that a key stands in has another key with this name.
    private func isWritten(_ name: String, beside key: SyntaxNode) -> Bool {
        guard let map = key.tree.part(named: key.span)?.parent else { return false }
        return (0..<map.partCount).contains { map.part($0).key?.text == name }
    }

    /// The keys whose values are ids of things defined elsewhere, with the namespace of the ids.
    private static let referenceKeys: [String: Namespace] = [
        "anchors": .anchors, "include": .anchors, "pins": .pins, "profile": .profiles,
        "extends": .profiles,
    ]
}
