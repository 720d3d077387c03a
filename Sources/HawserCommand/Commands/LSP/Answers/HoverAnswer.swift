import Hawser
import PolicyCompiler
import PolicyTools
import Rendering
import TrustEngine

/// The answer of `textDocument/hover`: the page of a key and the value that holds, an id's
/// definition, the certificates of a file or of a pin.
enum HoverAnswer {
    static func answer(_ ask: EditorAsk) throws(EditorError) -> JSONValue {
        let document = try ask.document()
        let offset = try ask.offset(in: document)
        guard let kind = document.kind, let path = document.tree.path(at: offset) else {
            return .null
        }
        let parts = texts(path, kind, document, at: offset)
        guard !parts.isEmpty else { return .null }
        return .object([
            "contents": JSONValue.object([
                "kind": ask.client.hoverFormat,
                "value": parts.joined(separator: "\n\n---\n\n"),
            ]), "range": document.range(path.node.span),
        ])
    }

    private static func texts(
        _ path: TreePath, _ kind: OwnFileKind, _ document: AskedDocument, at offset: Int
    ) -> [String] {
        if path.isKey {
            if let id = IDPlaces.occurrence(in: document.tree, at: offset),
                let reading = document.reading
            {
                return definition(id, reading).map { [$0] } ?? []
            }
            return [effective(path, kind, document.reading), page(path, kind)].compactMap(\.self)
        }
        if kind == .exports, let type = ExportAnswers.format(path) {
            return [ExportAnswers.text(type), page(path, kind)].compactMap(\.self)
        }
        guard let reading = document.reading else {
            return page(path, kind).map { [$0] } ?? []
        }
        if let target = FilePlaces.target(path, in: document.path) {
            return CertificateTexts.markdown(
                reading.certificates(of: target), of: "`\(target.path)`"
            ).map { [$0] } ?? []
        }
        if path.names.last == "pem", path.names.first == "anchors" {
            let octets = Array(path.part.value.text.utf8)
            let found = (try? CertificateFile.certificates(octets, path: "pem")) ?? []
            return CertificateTexts.markdown(found, of: "`pem`").map { [$0] } ?? []
        }
        if let digest = WrittenDigest.read(path.names.last, path.part.value.text) {
            let found = reading.certificates(named: digest)
            return [
                CertificateTexts.markdown(found, of: "the digest")
                    ?? FencedText.block(["no file of the unit has the certificate of this digest"])
            ]
        }
        if let id = IDPlaces.occurrence(in: document.tree, at: offset) {
            return definition(id, reading).map { [$0] } ?? []
        }
        if !path.isKey, let text = HostTexts.deciders(path.names, path.part.value, kind, reading) {
            return [FencedText.block([text])]
        }
        return page(path, kind).map { [$0] } ?? []
    }

    // MARK: Keys

    /// What the reference says of a key; of another kind of files what its schema says.
    private static func page(_ path: TreePath, _ kind: OwnFileKind) -> String? {
        let names = path.names.filter { $0 != "[]" }
        if kind == .policy {
            let keys = LanguageKey.named(names.joined(separator: "."))
            if let key = keys.first { return KeyPage.markdown([key]) }
        }
        guard let node = Contract.of(kind)?.node(at: path.names) else { return nil }
        let text =
            [node.meaning, node.notes].compactMap(\.self)
            + (node.unwritten.map { ["Not written: `\($0)`."] } ?? [])
        let name = names.last ?? ""
        return text.isEmpty ? nil : "`\(name)`\n\n" + text.joined(separator: "\n\n")
    }

    /// The value that holds for a key of a rule, of `default` or of a profile, as `show` has it.
    private static func effective(
        _ path: TreePath, _ kind: OwnFileKind, _ reading: UnitReading?
    ) -> String? {
        guard kind == .policy, let reading else { return nil }
        let names = path.names
        let field: String
        let rule: EffectiveRule?
        switch names.first {
        case "rules" where names.count > 2:
            field = names.dropFirst(2).joined(separator: ".")
            rule = reading.effective(rule: names[1])
        case "default" where names.count > 1:
            field = names.dropFirst().joined(separator: ".")
            rule = reading.effectiveDefault()
        case "profiles" where names.count > 2:
            field = names.dropFirst(2).joined(separator: ".")
            rule = reading.effective(profile: names[1])
        default: return nil
        }
        let fields = (rule?.fields ?? []).filter {
            $0.name == field || $0.name.hasPrefix(field + ".")
        }
        guard !fields.isEmpty else { return nil }
        let lines = fields.prefix(mostFields).map { field in
            "\(field.name): \(field.text(most: 9))  \(field.origin.text)"
        }
        return FencedText.block(
            lines + Cut.others(fields.count - lines.count, after: ", which `hawser show` prints"))
    }

    private static let mostFields = 24

    // MARK: Ids

    private static func definition(_ id: IDOccurrence, _ reading: UnitReading) -> String? {
        let bound = reading.parts.bound
        switch id.namespace {
        case .rules: return reading.effective(rule: id.id).map { RuleText.block($0) }
        case .profiles: return reading.effective(profile: id.id).map { RuleText.own($0, of: id.id) }
        case .anchors:
            guard let set = bound.anchorSets.first(where: { $0.id.value == id.id }) else {
                return nil
            }
            return CertificateTexts.markdown(
                set.members.map(\.certificate), of: "anchor set `\(id.id)`")
        case .pins:
            guard let set = bound.pinSets.first(where: { $0.id.value == id.id }) else {
                return nil
            }
            let lines =
                set.keys.map { "key     \($0.id.value)" }
                + set.backups.map { "backup  \($0.id.value)" }
                + (set.enforceUntil.map { ["enforced until \($0.value)"] } ?? [])
            return FencedText.block(["pin set `\(id.id)`"] + lines)
        }
    }
}

/// How a rule is told in an editor.
enum RuleText {
    /// The screen of `show`.
    static func text(_ rule: EffectiveRule, command: String = "hawser show") -> String {
        TextWriter.write(
            RuleDocument.document(
                rule, isWhole: false, command: command, version: HawserVersion.number),
            columns: 100, rows: 40)
    }

    static func block(_ rule: EffectiveRule) -> String {
        FencedText.block(text(rule).split(separator: "\n").map(String.init))
    }

    /// The fields that a profile writes itself.
    static func own(_ rule: EffectiveRule, of id: String) -> String {
        let own = rule.fields.filter { field in
            switch field.origin.layer {
            case .profile(let name, extendedBy: _): return name == id
            case .builtIn(let name): return name == id
            case .rule, .named, .included, .byDefault, .unknown: return false
            }
        }
        let parent = rule.layers.dropFirst().first.map { ", which extends `\($0)`" } ?? ""
        return FencedText.block(
            ["profile `\(id)`\(parent)"] + own.map { "\($0.name): \($0.text(most: 9))" })
    }
}
