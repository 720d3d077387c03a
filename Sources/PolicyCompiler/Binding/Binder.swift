internal import TrustEngine

/// Reads the syntax of a unit's files into a `BoundPolicy`. The key decides the type of every
/// value, and the schema decides which keys exist (LANGUAGE section 1). One mistake gets one
/// diagnostic: text that the parser reported is not reported again, and a part that could not be
/// read is marked, so that no check reports it as missing.
final class Binder {
    let unit: PolicyUnit
    let crypto: any CryptoBackend
    let files: UnitFiles
    var policy = BoundPolicy()
    var diagnostics: [Diagnostic] = []
    /// What to write in place of an empty value, by the span that the parser reports: the span of
    /// the value, or of its key where nothing stands behind the key. The parser does not know the
    /// language.
    private(set) var emptyHelp: [SourceSpan: String] = [:]
    /// SHA-256 of each log list that was read, by its path.
    var logListDigests: [String: Digest] = [:]
    /// The span at which each name of the unit is defined first.
    private var definitions: [Namespace: [String: SourceSpan]] = [:]
    /// Path of the file that is being read, relative to the unit's root.
    var currentPath = ""
    /// The file that is being read, and its index.
    var current: (file: SourceFile, index: Int)?
    /// Whether the file is a policy. The same functions read tests and assertions.
    private(set) var readsPolicy = false
    /// Anchor sets that the unit was seen to define, for examples in helps.
    private var shownAnchorSets: [String] = []

    init(_ unit: PolicyUnit, crypto: any CryptoBackend) {
        self.unit = unit
        self.crypto = crypto
        self.files = UnitFiles(unit.resources)
    }

    /// Begins a file: paths that are read from now on count from its folder.
    func enter(_ tree: SyntaxTree) {
        currentPath = tree.file.path
        current = (tree.file, tree.fileIndex)
    }

    /// Reads one file.
    func bind(_ tree: SyntaxTree) {
        enter(tree)
        readsPolicy = true
        if tree.fileIndex == 0 || tree.file.path == PolicyUnit.home {
            policy.homeKey = tree.root?.entries.first?.key.span
        }
        guard let root = tree.root else {
            noteUnreadable(tree)
            return
        }
        guard root.kind == .map else {
            noteUnreadable(tree)
            if root.kind != .error {
                report(
                    .wrongType, "a policy file is a map; found \(found(root))", at: root.span,
                    help: ["a policy file begins with `hawser: 1`"])
            }
            return
        }
        bindVersion(root)
        // A second document, and a second value of one key, are not read.
        for problem in tree.diagnostics {
            if problem.code == .manyDocuments { noteUnread() }
            if problem.code == .duplicateKey {
                policy.incompleteReferences.formUnion(Namespace.allCases)
            }
        }
        let map = contents(of: root, shape: PolicyFields.policy)
        noteAnchorSets(map["anchors"])
        if map.mayHold("default") { policy.mayHaveDefault = true }
        for namespace in Namespace.allCases where map.mayHold(namespace.rawValue) {
            policy.incompleteNamespaces.insert(namespace)
        }
        if let entry = map["default"] { bindDefault(entry) }
        bindNamed(.anchors, map, bindAnchorSet)
        bindNamed(.pins, map, bindPinSet)
        bindNamed(.profiles, map, bindProfile)
        bindNamed(.rules, map, bindRule)
    }

    /// Notes the first anchor sets that a file defines, for examples in helps.
    private func noteAnchorSets(_ entry: MapEntry?) {
        guard shownAnchorSets.count < Self.mostShownSets, let section = entry?.value,
            section.kind == .map
        else {
            return
        }
        for number in 0..<min(section.partCount, Self.mostShownSets) {
            guard let text = section.part(number).key?.text, !text.isEmpty,
                text.utf8.allSatisfy({
                    $0 == 0x2D || (0x30...0x39).contains($0) || (0x61...0x7A).contains($0)
                }),
                !Namespace.anchors.builtIn.contains(text)
            else { continue }
            shownAnchorSets.append(text)
        }
    }

    /// The most anchor sets of a file that are noted for examples.
    private static let mostShownSets = 16

    /// An example for a help. An example that names an anchor set names one that the unit defines,
    /// or one to be defined. The machine's store, which the schema's examples name, trusts every
    /// public CA: no help proposes it to an author who did not write it.
    func shown(_ example: String) -> String {
        guard example.contains("[system]") else { return example }
        return example.replacing("[system]", with: "[\(shownAnchorSets.first ?? "corp")]")
    }

    /// The anchor sets that a map names under a key that it does not have, such as `trust: [mesh]`;
    /// nil where it names none. An author who wrote them meant these and no others.
    func namedAnchorSets(in map: MapContents) -> [String]? {
        for (key, value) in map.node.entries where !map.holds(key.text) {
            let nodes = value.kind == .list ? value.items : [value]
            let names = nodes.map(\.text)
            guard !names.isEmpty, nodes.count <= Self.mostShownSets else { continue }
            if names.allSatisfy({ $0 == "system" || shownAnchorSets.contains($0) }) { return names }
        }
        return nil
    }

    /// The help for a list that is not one: the value that stands there as its one item, where the
    /// field would take it in that form; an example elsewhere.
    func listHelp(_ entry: MapEntry) -> String {
        let value = entry.value
        guard value.kind == .scalar, !value.text.isEmpty, value.text.utf8.count <= 80,
            value.text.utf8.allSatisfy({ (0x20...0x7E).contains($0) && $0 != 0x22 && $0 != 0x5C })
        else { return "for example `\(shown(entry.shape.example))`" }
        let isPlain =
            value.style == .plain && entry.shape.name != "hosts"
            && value.text.utf8.allSatisfy { !",[]{}#&*!|>'%@`: ".utf8.contains($0) }
        let item = isPlain ? value.text : "\"\(value.text)\""
        return "write it as a list: `\(entry.shape.name): [\(item)]`"
    }

    /// Notes that a part of a file was not read, which may hold any definition or reference.
    private func noteUnread() {
        policy.mayHaveDefault = true
        policy.incompleteNamespaces.formUnion(Namespace.allCases)
        policy.incompleteReferences.formUnion(Namespace.allCases)
    }

    /// Notes a file whose root is not a readable map.
    private func noteUnreadable(_ tree: SyntaxTree) {
        noteUnread()
        guard tree.root == nil, !tree.diagnostics.contains(where: { $0.severity == .error }) else {
            return
        }
        report(
            .noVersion, "the file holds no policy; it begins with `hawser: 1`",
            at: SourceSpan(file: tree.fileIndex, start: 0, end: 0),
            help: ["write `hawser: 1` as the first key"])
    }

    /// Reads `hawser: 1`, the first key of every file; `hawser-allow: 1` in a file of allowances.
    func bindVersion(_ root: SyntaxNode, key: String = "hawser") {
        let entries = root.entries
        guard let first = entries.first, first.key.kind != .error else { return }
        let version = key == "hawser" ? "language version" : "version"
        guard let entry = entries.first(where: { $0.key.text == key }) else {
            guard !entries.contains(where: { $0.key.kind == .error }) else { return }
            let isMisspelt = entries.contains {
                !DidYouMean.near($0.key.text, among: [key]).isEmpty
            }
            if !isMisspelt {
                report(
                    .noVersion, "the file does not say its \(version)",
                    at: first.key.span, help: ["write `\(key): 1` as the first key"])
            }
            return
        }
        if entry.key.index != first.key.index {
            report(
                .noVersion, "`\(key)` is not the first key of the file", at: entry.key.span,
                labels: [Diagnostic.Label(first.key.span, "this is")],
                help: ["move `\(key): 1` to the top, so that every reader knows the language"])
        }
        guard entry.value.kind != .error, entry.value.text != "1" else { return }
        report(
            .noVersion,
            "\(found(entry.value)) is not a \(version) that this compiler knows; it knows 1",
            at: entry.value.span, help: ["write `\(key): 1`"])
    }

    /// Reads one of the four maps of named things. A second definition of a name is an error at
    /// that definition, and the thing is not a part of the policy. Its body is read all the same,
    /// so that its own mistakes are reported.
    private func bindNamed(
        _ namespace: Namespace, _ map: MapContents,
        _ bind: (Located<String>, MapEntry, _ isDefined: Bool) -> Void
    ) {
        guard let section = map[namespace.rawValue] else { return }
        guard section.value.kind == .map else {
            requireMap(section.value, for: namespace.rawValue, example: section.shape.example)
            policy.incompleteNamespaces.insert(namespace)
            policy.incompleteReferences.formUnion(Namespace.allCases)
            return
        }
        let count = section.value.partCount
        let builtIn = namespace.builtIn
        // Taken out of `definitions`, so that it is searched once for all names and not copied.
        var known = definitions.removeValue(forKey: namespace) ?? [:]
        defer { definitions[namespace] = known }
        known.reserveCapacity(known.count + count)
        for number in 0..<count {
            let part = section.value.part(number)
            guard let key = part.key, let id = id(key) else {
                policy.incompleteNamespaces.insert(namespace)
                policy.incompleteReferences.formUnion(Namespace.allCases)
                continue
            }
            var isDefined = false
            if builtIn.contains(id.value) {
                report(
                    .badId,
                    "`\(id.value)` is built in and cannot be defined anew; take another name",
                    at: id.span,
                    help: [
                        "name it `own-\(id.value)`, for example, here and in each place that means it"
                    ])
            } else if let first = known.updateValue(id.span, forKey: id.value) {
                known[id.value] = first
                report(
                    .duplicateId,
                    "the \(namespace.noun) `\(id.value)` is defined twice in this unit; a name "
                        + "stands for one thing",
                    at: id.span, labels: [Diagnostic.Label(first, "first defined here")],
                    help: ["rename one of the two, or remove it"])
            } else {
                isDefined = true
            }
            noteUnread(
                part.value, key: key, example: entryExample(id.value, in: section.shape.example),
                isRequired: true)
            bind(id, MapEntry(shape: section.shape, key: key, value: part.value), isDefined)
        }
    }

    /// Notes what to write in place of a value that could not be read, in case it is empty.
    ///
    /// - Parameters:
    ///   - example: an entry that the checker accepts: `anchors: [system]`.
    ///   - isRequired: whether the entry must not be left out.
    func noteUnread(
        _ value: SyntaxNode, key: SyntaxNode?, example: @autoclosure () -> String, isRequired: Bool
    ) {
        guard value.kind == .error else { return }
        let example = shown(example())
        let help =
            isRequired
            ? "it must not be left out; write for example `\(example)`"
            : "write for example `\(example)`, or leave the key out where nothing is to be said"
        for span in [value.span, key?.span ?? value.span] where emptyHelp[span] == nil {
            emptyHelp[span] = help
        }
    }

    /// The parser's diagnostics, with a replacement for each empty value.
    static func helped(
        _ diagnostics: [Diagnostic], by emptyHelp: [SourceSpan: String]
    ) -> [Diagnostic] {
        diagnostics.map { diagnostic in
            guard diagnostic.code == .emptyValue, let help = emptyHelp[diagnostic.primary.span]
            else { return diagnostic }
            var diagnostic = diagnostic
            diagnostic.help = [help]
            return diagnostic
        }
    }

    /// The entry of one named thing, from the example of the map that it stands in:
    /// `corp: { files: [anchors/corp.pem] }` from `anchors: { corp: { … } }`.
    func entryExample(_ id: String, in example: String) -> String {
        guard let open = example.firstIndex(of: "{"), example.hasSuffix(" }"),
            let colon = example[open...].firstIndex(of: ":")
        else { return example }
        return id + example[colon...].dropLast(2)
    }

    /// Reads `default`: `deny`, or a body.
    private func bindDefault(_ entry: MapEntry) {
        let action: BoundDefault.Action
        switch entry.value.kind {
        case .error:
            action = .unreadable
            policy.incompleteReferences.formUnion(Namespace.allCases)
        case .scalar:
            action = entry.value.text == "deny" ? .deny : .unreadable
            if entry.value.text != "deny" {
                let word = quoted(entry.value.text)
                let near = DidYouMean.only(for: entry.value.text, among: ["deny"])
                report(
                    .unknownValue,
                    "\(word) is not what `default` takes: `deny`, or a rule's body without `hosts`"
                        + DidYouMean.question(for: entry.value.text, among: ["deny"]),
                    at: entry.value.span,
                    help: [
                        "write `deny`, or the body of a rule for all hosts that no rule matches"
                    ],
                    // Nothing demands more than `deny`.
                    fix: near.map {
                        FixIt(
                            title: "write `\($0)`", safety: .needsReview,
                            edits: [FixIt.Edit(entry.value.span, $0)])
                    })
            }
        case .list:
            requireMap(entry.value, for: "default", example: entry.shape.example)
            action = .unreadable
        case .map:
            let map = contents(of: entry.value, shape: PolicyFields.defaultBody)
            action = .body(bindBody(map, name: "default", key: entry.key.span))
        }
        policy.defaults.append(
            BoundDefault(key: entry.key.span, span: entry.value.span, action: action))
    }
}
