package import TrustEngine

/// Reads a file of assertions: strict YAML of its own shape (`grammar/assert.schema.json`), with
/// the diagnostics of policies.
package enum AssertionFile {
    /// What was read.
    package struct Contents: Sendable {
        /// In source order; nil if and only if a diagnostic is an error.
        package let assertions: [Assertion]?
        /// Every assertion that could be read, whatever else is wrong, for its name.
        package let names: [Located<String>]
        /// In source order.
        package let diagnostics: [Diagnostic]
        package let tree: SyntaxTree
    }

    /// Reads a file.
    ///
    /// - Parameters:
    ///   - index: the index of the file in spans.
    ///   - policy: the policy whose rules, profiles and anchor sets assertions name. Nil for a
    ///     policy with errors: then no name is looked up.
    ///   - resources: the files that assertions name, from the unit's root.
    package static func read(
        _ file: SourceFile, index: Int = 0, of policy: CheckedPolicy?,
        resources: any UnitResources, crypto: any CryptoBackend
    ) -> Contents {
        let tree = SyntaxParser.parse(file, fileIndex: index)
        let unit = PolicyUnit(files: [file], resources: resources, isDirectory: false)
        let binder = Binder(unit, crypto: crypto)
        let reader = AssertionReader(binder, policy)
        let assertions = reader.read(tree)
        let diagnostics = DiagnosticCollector.sorted(
            Binder.helped(tree.diagnostics, by: binder.emptyHelp) + binder.diagnostics)
        let isSound = diagnostics.allSatisfy { $0.severity < .error }
        return Contents(
            assertions: isSound ? assertions : nil, names: reader.names, diagnostics: diagnostics,
            tree: tree)
    }
}

/// Reads the assertions of one file.
final class AssertionReader {
    let binder: Binder
    let policy: CheckedPolicy?
    /// The ids of the assertions.
    private(set) var names: [Located<String>] = []

    init(_ binder: Binder, _ policy: CheckedPolicy?) {
        self.binder = binder
        self.policy = policy
    }

    /// The assertions of a file that could be read; an empty list if nothing could.
    func read(_ tree: SyntaxTree) -> [Assertion] {
        binder.enter(tree)
        guard let root = tree.root else {
            if tree.diagnostics.allSatisfy({ $0.severity < .error }) {
                binder.report(
                    .noVersion, "the file holds no assertions; it begins with `hawser-assert: 1`",
                    at: SourceSpan(file: tree.fileIndex, start: 0, end: 0))
            }
            return []
        }
        guard root.kind == .map else {
            if root.kind != .error {
                binder.report(
                    .wrongType, "a file of assertions is a map; found \(binder.found(root))",
                    at: root.span, help: ["it begins with `hawser-assert: 1`"])
            }
            return []
        }
        binder.bindVersion(root, key: "hawser-assert")
        let shape = AssertionFields.file
        let map = binder.contents(of: root, shape: shape)
        guard let section = map["assertions"] else {
            // For a file without its version, only the version is reported.
            if map["hawser-assert"] != nil, let first = root.entries.first {
                binder.requireKeys(
                    ["assertions"], in: map, of: "the file", at: first.key.span, shape: shape)
            }
            return []
        }
        guard
            binder.requireMap(section.value, for: "assertions", example: section.shape.example)
        else { return [] }
        return section.value.entries.compactMap { key, value in
            guard let id = binder.id(key) else { return nil }
            names.append(id)
            let example = binder.entryExample(id.value, in: section.shape.example)
            binder.noteUnread(value, key: key, example: example, isRequired: true)
            return assertion(id, value, example: example)
        }
    }

    /// One assertion; nil if a part of it is missing or could not be read.
    private func assertion(
        _ id: Located<String>, _ value: SyntaxNode, example: String
    ) -> Assertion? {
        let shape = AssertionFields.assertion
        guard let map = binder.section(value, shape: shape, name: id.value, example: example)
        else { return nil }
        binder.requireKeys(
            shape.keys.filter(\.isRequired).map(\.name), in: map,
            of: "assertion `\(id.value)`", at: id.span, shape: shape)
        requireDemand(map, of: id)
        let hosts = hosts(map["hosts"])
        let during = binder.window(map["during"], path: "during")
        var demands: [AssertedDemand] = []
        var isWhole = true
        for key in AssertedDemand.Key.allCases {
            guard let entry = map[key.rawValue] else { continue }
            if let statement = statement(key, entry) {
                demands.append(
                    AssertedDemand(key: key, statement: statement, place: entry.key.span))
            } else {
                isWhole = false
            }
        }
        let owner = binder.text(map["owner"], path: "owner")
        let note = binder.text(map["note"], path: "note")
        guard isWhole, let hosts, let hostsPlace = map["hosts"]?.value.span,
            (map["during"] == nil) == (during == nil)
        else { return nil }
        return Assertion(
            id: id, hosts: hosts, hostsPlace: hostsPlace, during: during?.value ?? DateWindow(),
            untilPlace: untilPlace(map["during"]), demands: demands, owner: owner?.value,
            note: note?.value)
    }

    /// The demand of a key; nil if a part of it could not be read.
    private func statement(
        _ key: AssertedDemand.Key, _ entry: MapEntry
    ) -> AssertedDemand.Statement? {
        switch key {
        case .atLeast: return atLeast(entry).map { .atLeast($0) }
        case .noWeakerThan: return noWeakerThan(entry).map { .noWeakerThan($0) }
        case .identity: return identity(entry).map { _ in .identityHost }
        case .exceptions: return exceptions(entry).map { .exceptions($0) }
        case .decision: return decision(entry).map { _ in .deny }
        case .ownedBy: return binder.text(entry, path: key.rawValue).map { .ownedBy($0.value) }
        case .neverTrusts: return keys(entry).map { .neverTrusts($0) }
        case .noAnchor: return keys(entry).map { .noAnchor($0) }
        }
    }

    /// An assertion that demands nothing would be proved of every policy.
    private func requireDemand(_ map: MapContents, of id: Located<String>) {
        let names = AssertedDemand.Key.allCases.map(\.rawValue)
        guard !names.contains(where: { map[$0] != nil || map.mayHold($0) }) else { return }
        binder.report(
            .missingKey, "assertion `\(id.value)` demands nothing", at: id.span,
            help: [
                "write at least one of \(binder.listed(names)), for example `"
                    + (AssertionFields.assertion.key(names[0])?.example ?? "") + "`"
            ])
    }

    /// `all`, or a list of patterns; nil if a part of it could not be read.
    private func hosts(_ entry: MapEntry?) -> Assertion.Hosts? {
        guard let entry else { return nil }
        if entry.value.kind == .scalar {
            if entry.value.text == "all" { return .all }
            binder.report(
                .wrongType,
                "`hosts` takes a list of host patterns, or `all` for every host there is; found "
                    + binder.found(entry.value),
                at: entry.value.span, help: ["for example `\(entry.shape.example)`"])
            return nil
        }
        let (bound, isWhole) = binder.list(entry, path: "hosts") {
            binder.host($0, path: "hosts", example: entry.shape.example)
        }
        guard isWhole, !bound.items.isEmpty else { return nil }
        return .inside(bound.items.map(\.value.pattern))
    }

    private func untilPlace(_ entry: MapEntry?) -> SourceSpan? {
        entry?.value.entries.first { $0.key.text == "until" }?.value.span
    }
}
