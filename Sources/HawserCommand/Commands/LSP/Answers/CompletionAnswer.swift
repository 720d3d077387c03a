import PolicyCompiler
import PolicyTools
import Rendering
import TrustEngine

/// The answer of `textDocument/completion`: keys and words with the text of the schema, and the
/// ids, files and hosts of the unit.
enum CompletionAnswer {
    /// The kinds of items of the protocol that are used here.
    private enum Kind: Int {
        case value = 12
        case property = 10
        case reference = 18
        case file = 17
        case word = 20
    }

    static func answer(_ ask: EditorAsk) throws(EditorError) -> JSONValue {
        let document = try ask.document()
        let offset = try ask.offset(in: document)
        guard let kind = document.kind, let contract = Contract.of(kind) else { return .array([]) }
        var items: [JSONValue] = []
        for place in CompletionPlace.all(
            in: document.text.saved, at: offset, path: document.path)
        {
            guard let node = contract.node(at: place.names) else { continue }
            let maker = Maker(
                document: document, place: place, units: ask.workspace.units,
                format: ask.client.documentationFormat)
            items += place.isKey ? maker.keys(node) : maker.values(node)
            if !items.isEmpty { break }
        }
        return .object(["isIncomplete": items.count >= most, "items": Array(items.prefix(most))])
    }

    /// More items than an editor shows.
    private static let most = 1_000

    /// Makes the items of one place.
    private struct Maker {
        let document: AskedDocument
        let place: CompletionPlace
        let units: PositionUnits
        /// The format of documentation.
        let format: String

        private func item(
            _ label: String, _ kind: Kind, insert: String? = nil, detail: String? = nil,
            documentation: String? = nil
        ) -> JSONValue {
            .object([
                "label": label, "kind": kind.rawValue, "detail": detail,
                "documentation": documentation.map {
                    JSONValue.object(["kind": format, "value": $0])
                }, "filterText": label,
                "textEdit": JSONValue.object([
                    "range": EditorRange.json(place.word, in: document.text, units),
                    "newText": insert ?? label,
                ]),
            ])
        }

        private func text(_ node: Contract.Node) -> String? {
            let parts =
                [node.meaning, node.notes].compactMap(\.self)
                + (node.unwritten.map { ["Not written: `\($0)`."] } ?? [])
            return parts.isEmpty ? nil : parts.joined(separator: "\n\n")
        }

        func keys(_ node: Contract.Node) -> [JSONValue] {
            var seen = place.present
            let offered = node.keys.filter { key in
                let isRefused =
                    document.kind == .exports
                    && ExportAnswers.isRefused(key.name, at: place.names, in: document.tree)
                return !isRefused && seen.insert(key.name).inserted
            }
            return offered.map { name, value in
                let isFollowed =
                    document.text.octets[place.word.upperBound...]
                    .first { $0 != UInt8(ascii: " ") } == UInt8(ascii: ":")
                return item(
                    name, .property,
                    insert: isFollowed ? name : name + (value.isMap ? ":" : ": "),
                    detail: value.isMap ? "map" : value.isList ? "list" : value.unwritten,
                    documentation: text(value))
            }
        }

        func values(_ node: Contract.Node) -> [JSONValue] {
            ids() + words(node) + fields() + files(node) + hosts(node)
        }

        private func words(_ node: Contract.Node) -> [JSONValue] {
            // The ids that the language defines are among the ids.
            var seen = Set(IDPlaces.namespace(at: place.names)?.builtIn ?? [])
            return node.words.filter { seen.insert($0).inserted }.map { word in
                let format = document.kind == .exports ? ForeignTargets.named(word) : nil
                return item(
                    word, .word,
                    detail: format?.title ?? (word == node.unwritten ? "not written" : nil),
                    documentation: format.map(ExportAnswers.text) ?? text(node))
            }
        }

        private func ids() -> [JSONValue] {
            guard let namespace = IDPlaces.namespace(at: place.names) else { return [] }
            let own =
                document.reading?.trees.flatMap { tree in
                    IDPlaces.all(in: tree).filter { $0.isDefinition && $0.namespace == namespace }
                        .map { ($0.id, "\(namespace.noun), \(tree.file.path)") }
                } ?? []
            let builtIn = namespace.builtIn.map { ($0, "\(namespace.noun), built in") }
            var seen = Set(place.present)
            return (own.sorted { $0.0 < $1.0 } + builtIn)
                .filter { seen.insert($0.0).inserted }
                .map { item($0.0, .reference, detail: $0.1) }
        }

        /// The fields that an allowance may name: they have their names in `diff`.
        private func fields() -> [JSONValue] {
            guard document.kind == .allowances, place.names.last == "field" else { return [] }
            let names = ["anchors", "pins"] + ProfileField.allCases.map(\.rawValue)
            return names.map { name in
                item(
                    name, .property,
                    documentation: LanguageKey.named(name).first.map { $0.meaning })
            }
        }

        // MARK: Files

        private func files(_ node: Contract.Node) -> [JSONValue] {
            guard FilePlaces.isOne(place.names) || node.isOf("path"),
                let resources = document.reading?.unit.resources
            else { return [] }
            let folder = document.path.split(separator: "/").dropLast().map(String.init)
            let isLogList = place.names.last == "log-list"
            var found: [String] = []
            var open = [""]
            while let next = open.popLast(), found.count < CompletionAnswer.most {
                guard let names = try? resources.list(next),
                    let folders = try? resources.folders(next)
                else { continue }
                func inside(_ name: String) -> String { next.isEmpty ? name : "\(next)/\(name)" }
                func isOffered(_ name: String) -> Bool {
                    if isLogList { return name.hasSuffix(".json") }
                    guard document.kind == .exports else { return Maker.isOffered(name) }
                    return OwnFileKind(named: name) == nil && !name.hasPrefix(".")
                }
                found += names.filter(isOffered).map(inside)
                // The folders below a policy outside any unit are not its own.
                guard document.key?.file == nil else { break }
                open += folders.filter { !$0.hasPrefix(".") }.map(inside)
            }
            return found.sorted().map { path in
                let parts = path.split(separator: "/").map(String.init)
                let shared = zip(parts, folder).prefix { $0 == $1 }.count
                let up = [String](repeating: "..", count: folder.count - shared)
                let text = (up + parts[shared...]).joined(separator: "/")
                return item(text, .file)
            }
        }

        /// Files of the language itself are named nowhere.
        private static func isOffered(_ name: String) -> Bool {
            !name.hasSuffix(".yaml") && !name.hasSuffix(".yml") && !name.hasPrefix(".")
        }

        // MARK: Hosts

        private func hosts(_ node: Contract.Node) -> [JSONValue] {
            guard node.isOf("host-pattern") || node.isOf("host"), let reading = document.reading
            else { return [] }
            let wantsOne = !node.isOf("host-pattern")
            var seen: Set<String> = []
            return reading.parts.bound.rules.flatMap { rule in
                rule.hosts.filter { host in
                    switch host.pattern.host {
                    case .name, .address: return true
                    case .oneLabel, .anyLabels, .network: return !wantsOne
                    }
                }.map { ($0.text, rule.id.value) }
            }.filter { seen.insert($0.0).inserted }.prefix(CompletionAnswer.most).map {
                text, rule in
                item(
                    text, .value, insert: place.isQuoted ? text : "\"\(text)\"",
                    detail: "rule \(rule)")
            }
        }
    }
}
