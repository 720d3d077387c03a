import PolicyCompiler
import PolicyTools
import Rendering
import TrustEngine

/// The answer of `textDocument/codeLens`: above each rule how many classes of hosts it decides,
/// and in which fields it is weaker than in the last commit.
enum LensAnswer {
    static func answer(_ ask: EditorAsk) throws(EditorError) -> JSONValue {
        let document = try ask.document()
        guard document.kind == .policy, let reading = document.reading, reading.hostClasses != nil
        else { return .array([]) }
        let rules = self.rules(document.tree)
        let weaker = ask.head.diff(reading).map(LensAnswer.weaker) ?? [:]
        return .array(
            rules.flatMap { rule -> [JSONValue] in
                var titles = [(decides(rule.id, reading), EditorCommand.show, [rule.id])]
                if let fields = weaker[rule.id] {
                    titles.append((fields, .diff, []))
                }
                return titles.map { title, command, words in
                    .object([
                        "range": document.range(rule.key.span),
                        "command": JSONValue.object([
                            "title": title, "command": command.rawValue,
                            "arguments": [document.document.address] + words,
                        ]),
                    ])
                }
            })
    }

    /// The keys of rules, and of `default` with an empty id.
    private static func rules(_ tree: SyntaxTree) -> [(id: String, key: SyntaxNode)] {
        (tree.root?.entries ?? []).flatMap { key, value -> [(id: String, key: SyntaxNode)] in
            switch key.text {
            case "default": return [(id: "", key: key)]
            case "rules": return value.entries.map { (id: $0.key.text, key: $0.key) }
            default: return []
            }
        }
    }

    private static func decides(_ id: String, _ reading: UnitReading) -> String {
        if id.isEmpty { return "decides every host that no pattern matches" }
        let count = reading.classes(decidedBy: id).count
        return count == 0
            ? "decides no host"
            : "decides \(Words.count(count, "class of hosts", "classes of hosts"))"
    }

    /// The words for each rule that is weaker than it was, by its id.
    private static func weaker(_ diff: PolicyDiff) -> [String: String] {
        var fields: [String: [String]] = [:]
        var isWeaker: Set<String> = []
        for change in diff.changes where !change.relation.isNoWeaker {
            let own = change.fields.filter { !$0.relation.isNoWeaker }.map(\.path)
            for pair in change.rules {
                if change.relation == .weaker { isWeaker.insert(pair.new.id) }
                for path in own where !(fields[pair.new.id] ?? []).contains(path) {
                    fields[pair.new.id, default: []].append(path)
                }
            }
        }
        return Dictionary(
            uniqueKeysWithValues: fields.map { id, paths in
                let shown = paths.prefix(mostFields).joined(separator: ", ")
                let more = Cut.rest(paths.count - mostFields, before: ", and ")
                let word = isWeaker.contains(id) ? "weaker than HEAD" : "incomparable with HEAD"
                return (id, TerminalEscape.escape("\(word): \(shown)\(more)"))
            })
    }

    private static let mostFields = 3
}

/// The answer of `textDocument/inlayHint`: the subject and the end of the certificates behind a
/// file or a digest, and the rule that decides the host of a test.
enum HintAnswer {
    static func answer(_ ask: EditorAsk) throws(EditorError) -> JSONValue {
        let document = try ask.document()
        guard let reading = document.reading, document.kind != nil,
            let range = EditorRange.octets(
                ask.params["range"], in: document.text, ask.workspace.units)
        else { return .array([]) }
        var places: [(names: [String], part: SyntaxPart)] = []
        document.tree.forEachPart { names, part in
            guard part.value.kind == .scalar, part.end >= range.lowerBound,
                part.start <= range.upperBound
            else { return }
            places.append((names, part))
        }
        var hints: [JSONValue] = []
        for (names, part) in places where hints.count < most {
            guard let text = text(names, part, document, reading) else { continue }
            let end = document.text.position(of: part.end, ask.workspace.units)
            hints.append(
                .object(["position": end.json, "label": text, "paddingLeft": true]))
        }
        return .array(hints)
    }

    /// More than a window shows.
    private static let most = 500

    private static func text(
        _ names: [String], _ part: SyntaxPart, _ document: AskedDocument, _ reading: UnitReading
    ) -> String? {
        let value = part.value
        if FilePlaces.isOne(names),
            let target = FilePlaces.target(names, value, in: document.path)
        {
            return CertificateTexts.hint(reading.certificates(of: target))
        }
        if let digest = WrittenDigest.read(names.last, value.text) {
            return CertificateTexts.hint(reading.certificates(named: digest))
        }
        return document.kind.flatMap { HostTexts.deciders(names, value, $0, reading) }
    }
}
