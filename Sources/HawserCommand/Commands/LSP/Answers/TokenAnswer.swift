import PolicyCompiler
import Rendering

/// The answers of `textDocument/semanticTokens/full` and `/range`: the keys of the language, ids,
/// words, numbers and hosts of a document. Comments and free text have no token: every editor
/// colours YAML itself.
enum TokenAnswer {
    /// The types that are used, in the order of the legend.
    private enum Kind: Int, CaseIterable {
        case key, id, word, number, host

        /// The name of the type in the protocol.
        var name: String {
            switch self {
            case .key: return "property"
            case .id: return "variable"
            case .word: return "enumMember"
            case .number: return "number"
            case .host: return "regexp"
            }
        }
    }

    /// The modifiers that are used, a bit each.
    private enum Modifier: Int, CaseIterable {
        case definition, builtIn

        /// The name of the modifier in the protocol.
        var name: String {
            switch self {
            case .definition: return "definition"
            case .builtIn: return "defaultLibrary"
            }
        }

        var bit: Int { 1 << rawValue }
    }

    /// What the server states in its capabilities.
    static let provider = JSONValue.object([
        "legend": JSONValue.object([
            "tokenTypes": Kind.allCases.map(\.name),
            "tokenModifiers": Modifier.allCases.map(\.name),
        ]), "range": true, "full": true,
    ])

    /// The most tokens of an answer. An editor asks for a longer file by ranges.
    private static let most = 100_000

    static func answer(_ ask: EditorAsk) throws(EditorError) -> JSONValue {
        let document = try ask.document()
        let (text, units) = (document.text, ask.workspace.units)
        var range = 0..<text.octets.count
        if let written = ask.params["range"] {
            guard let octets = EditorRange.octets(written, in: text, units) else {
                throw .invalid("`range` is not a range")
            }
            range = octets
        }
        guard let root = document.tree.root, let kind = document.kind,
            let contract = Contract.of(kind)
        else { return .object(["data": [JSONValue]()]) }
        var finder = Finder()
        finder.find(in: root, contract, range)
        return .object(["data": numbers(finder.tokens, text, units)])
    }

    /// Five numbers for each token: lines and characters from the token before it, its length, its
    /// type and its modifiers.
    private static func numbers(
        _ tokens: [Token], _ text: EditorText, _ units: PositionUnits
    ) -> [JSONValue] {
        var numbers: [JSONValue] = []
        var last = EditorPosition(line: 0, character: 0)
        for token in tokens.sorted(by: { $0.span.start < $1.span.start }) {
            let start = text.position(of: Int(token.span.start), units)
            let end = text.position(of: Int(token.span.end), units)
            // No editor need read a token of several lines.
            guard start.line == end.line, start < end else { continue }
            let isSameLine = start.line == last.line
            numbers += [
                start.line - last.line,
                isSameLine ? start.character - last.character : start.character,
                end.character - start.character, token.kind.rawValue, token.modifiers,
            ].map(JSONValue.whole)
            last = start
        }
        return numbers
    }

    private struct Token {
        let span: SourceSpan
        let kind: Kind
        var modifiers = 0
    }

    // MARK: Finding

    /// What a contract says of the values at one place. Ids are one place together.
    private final class Place {
        private let node: Contract.Node?
        private(set) lazy var keys = Set((node?.keys ?? []).map(\.name))
        private(set) lazy var words = Set(node?.words ?? [])
        private(set) lazy var takesNames = node?.takesNames ?? false
        private(set) lazy var isHost =
            node.map { $0.isOf("host-pattern") || $0.isOf("host") || $0.isOf("exact-name") }
            ?? false
        private(set) lazy var isNumber =
            node.map { $0.isOf("date") || $0.isOf("duration") || $0.isOf("oid") } ?? false
        private var inner: [String: Place] = [:]

        init(_ node: Contract.Node?) { self.node = node }

        /// The place of a key or, for `[]`, of an item.
        func place(of name: String) -> Place {
            let step = name == "[]" || keys.contains(name) ? name : "*"
            if let known = inner[step] { return known }
            let place = Place(name == "[]" ? node?.item : node?.child(name))
            inner[step] = place
            return place
        }
    }

    private struct Finder {
        private(set) var tokens: [Token] = []

        /// Finds the tokens of the parts that touch a range of octets. Cost: linear in these parts,
        /// and logarithmic in the others.
        mutating func find(in root: SyntaxNode, _ contract: Contract, _ range: Range<Int>) {
            var open: [(node: SyntaxNode, names: [String], place: Place)] = [
                (root, [], Place(contract.file))
            ]
            while let (node, names, place) = open.popLast() {
                for index in (node.lastPart(by: range.lowerBound) ?? 0)..<node.partCount {
                    let part = node.part(index)
                    guard part.start <= range.upperBound, tokens.count < most else { break }
                    let name = part.key?.text ?? "[]"
                    let inner = place.place(of: name)
                    if part.end >= range.lowerBound { add(part, names + [name], place, inner) }
                    if part.value.partCount > 0 {
                        open.append((part.value, names + [name], inner))
                    }
                }
            }
        }

        private mutating func add(
            _ part: SyntaxPart, _ names: [String], _ place: Place, _ inner: Place
        ) {
            let ids = IDPlaces.occurrences(names, part)
            if let key = part.key, key.kind == .scalar {
                add(key, names, ids.filter { key.span.contains($0.span) }, place)
            }
            let value = part.value
            guard value.kind == .scalar else { return }
            let text = value.text
            if let id = ids.first(where: { value.span.contains($0.span) }) {
                let isBuiltIn = id.namespace.builtIn.contains(id.id)
                add(id.span, .id, isBuiltIn ? [.builtIn] : [])
            } else if inner.words.contains(text) {
                add(value.content, .word)
            } else if inner.isHost {
                add(value.content, .host)
            } else if inner.isNumber || !text.isEmpty && text.utf8.allSatisfy(Self.isDigit) {
                add(value.content, .number)
            }
        }

        private mutating func add(
            _ key: SyntaxNode, _ names: [String], _ ids: [IDOccurrence], _ place: Place
        ) {
            let content = key.content
            if let id = ids.first {
                guard !id.isDefinition else { return add(id.span, .id, [.definition]) }
                // `pins.acme.keys`: an id between keys.
                let file = Int(content.file)
                add(
                    SourceSpan(file: file, start: Int(content.start), end: Int(id.span.start)),
                    .key)
                add(id.span, .id)
                add(SourceSpan(file: file, start: Int(id.span.end), end: Int(content.end)), .key)
            } else if place.keys.contains(key.text) || names.dropLast().last == "expect" {
                add(content, .key)
            } else if place.takesNames {
                add(content, .id, [.definition])
            }
        }

        private mutating func add(_ span: SourceSpan, _ kind: Kind, _ modifiers: [Modifier] = []) {
            guard span.start < span.end else { return }
            tokens.append(
                Token(span: span, kind: kind, modifiers: modifiers.reduce(0) { $0 | $1.bit }))
        }

        private static func isDigit(_ octet: UInt8) -> Bool { (0x30...0x39).contains(octet) }
    }
}

extension SourceSpan {
    fileprivate func contains(_ other: SourceSpan) -> Bool {
        file == other.file && start <= other.start && other.end <= end
    }
}
