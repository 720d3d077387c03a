import PolicyCompiler
import Rendering
import TrustEngine

/// Writes keys for one host into the text of a policy. Nothing is judged here.
///
/// If the deciding rule is only for that host, the keys are inserted into the rule. Otherwise a
/// narrower rule is written after the deciding rule: a copy for the one host and port, without the
/// note, with the keys. A file in canonical layout stays in canonical layout.
struct RuleRewrite {
    let unit: PolicyUnit
    let policy: BoundPolicy
    let host: CanonicalHost
    let port: UInt16
    /// The time of the request. Exceptions that have ended by then are not copied.
    let time: UTCInstant
    /// The last day of keys that end.
    let until: String

    /// Stands where the rule has no owner. The language does not accept this text as an owner.
    static let ownerPlaceholder = FreeTextScanner.ownerPlaceholder

    /// The text of one file after the change.
    struct Result {
        /// The index of the file in the unit.
        let file: Int
        var bytes: [UInt8]
        /// Whether the deciding rule was only for the host, so that no rule was added.
        let isInPlace: Bool
        /// Whether the text has the placeholder of an owner.
        let hasPlaceholder: Bool
        /// The id of the rule with the keys.
        let rule: String
    }

    /// The file with the keys of a change. Nil where they cannot be written: a key is there
    /// already, or the text is laid out in a way that this type does not edit.
    ///
    /// - Parameter rule: the id of the deciding rule; empty for `default`.
    func apply(_ change: PolicyChange, toRule rule: String) -> Result? {
        guard !rule.isEmpty else { return applyToDefault(change) }
        guard let index = policy.rules.firstIndex(where: { $0.id.value == rule }) else {
            return nil
        }
        let deciding = policy.rules[index]
        let file = Int(deciding.id.span.file)
        guard unit.files.indices.contains(file) else { return nil }
        var text = PolicyText(unit.files[file])
        let isInPlace =
            Set(deciding.hosts.map(\.pattern)).count == 1 && isAsked(deciding.hosts[0].pattern)
        if isInPlace {
            guard add(change, to: &text, rule: rule, owner: deciding.body.owner) else {
                return nil
            }
        } else {
            // Two rules with the same pattern decide nothing. The pattern moves to the new rule.
            if let own = deciding.hosts.first(where: { $0.pattern == asked }) {
                // A comment above the pattern is about it, and would stand above another one.
                guard !text.isComment(before: Int(own.span.start)),
                    let removal = SyntaxRemoval.edit(at: own.span, in: [text.tree(file)])
                else { return nil }
                text.apply(removal)
            }
            guard
                let entry = text.entry(["rules", rule]), let lines = text.lines(of: entry),
                let added = narrowed(lines, change, deciding.body.owner)
            else { return nil }
            let column = text.column(of: entry.start)
            let isSetOff = text.isBlank(before: entry.start)
            text.insert(added, indentedBy: column, after: entry, isSetOff: isSetOff)
        }
        return Result(
            file: file, bytes: text.formatted, isInPlace: isInPlace,
            hasPlaceholder: needsOwner(change, deciding.body.owner, isInPlace: isInPlace),
            rule: isInPlace ? rule : ruleName)
    }

    /// Whether the placeholder of an owner is written: without an owner, a new rule needs one, and
    /// so does a waiver.
    private func needsOwner(
        _ change: PolicyChange, _ owner: Located<String>?, isInPlace: Bool
    ) -> Bool {
        owner == nil
            && (!isInPlace
                || change.parts.contains { part in
                    if case .waiver = part { return true }
                    return false
                })
    }

    /// Writes a rule with the body of `default`, for the one host and port.
    private func applyToDefault(_ change: PolicyChange) -> Result? {
        guard let only = policy.defaults.first, case .body(let body) = only.action else {
            return nil
        }
        let file = Int(only.key.file)
        guard unit.files.indices.contains(file) else { return nil }
        var text = PolicyText(unit.files[file])
        guard let entry = text.entry(["default"]),
            let lines = text.lines(of: entry, asRule: ruleName),
            let added = narrowed(lines, change, body.owner)
        else { return nil }
        if let rules = text.entry(["rules"]) {
            guard rules.value.style == .block, rules.value.partCount > 0 else { return nil }
            let last = rules.value.part(rules.value.partCount - 1)
            text.insert(
                added, indentedBy: text.column(of: last.start), after: last,
                isSetOff: rules.value.partCount > 1 && text.isBlank(before: last.start))
        } else {
            text.append(["rules:"] + added.map { $0.isEmpty ? $0 : "  " + $0 })
        }
        return Result(
            file: file, bytes: text.formatted, isInPlace: false,
            hasPlaceholder: body.owner == nil, rule: ruleName)
    }

    // MARK: Keys

    /// Inserts each part of a change into a rule.
    private func add(
        _ change: PolicyChange, to text: inout PolicyText, rule: String, owner: Located<String>?
    ) -> Bool {
        for part in change.parts {
            let (path, value) = key(part, owner: RuleRewrite.ownerText(owner))
            if case .revocationSources = part, text.entry(["rules", rule] + path) != nil {
                guard text.replace(value, at: ["rules", rule] + path) else { return false }
                continue
            }
            guard text.insert(value, at: ["rules", rule], path) else { return false }
        }
        return true
    }

    /// A part of a change as keys below the rule, and the value of the last key.
    private func key(
        _ part: PolicyChange.Part, owner: String
    ) -> (path: [String], value: String) {
        switch part {
        case .waiver(let tolerance, let reason):
            let limit = tolerance.limitText.map { "\($0), " } ?? ""
            return (
                ["waivers", tolerance.name],
                "{ \(limit)reason: \"\(reason)\", owner: \(owner), until: \(until) }"
            )
        case .reportOnly(let check): return (["report-only", check.name], "{ until: \(until) }")
        case .revocationSources(let sources):
            return (
                ["revocation", "sources"],
                "[" + sources.map(\.name).joined(separator: ", ") + "]"
            )
        case .listedName(let name): return (["identity"], name.identityValue)
        }
    }

    /// The owner as a value that stands in brackets.
    private static func ownerText(_ owner: Located<String>?) -> String {
        guard let owner = owner?.value else { return ownerPlaceholder }
        let isPlain = owner.utf8.allSatisfy { octet in
            switch octet {
            case 0x61...0x7A, UInt8(ascii: "-"): return true
            default: return false
            }
        }
        let isWord = AmbiguousScalar.problem(of: owner) == nil && owner.utf8.first != 0x2D
        return isPlain && isWord ? owner : FormatText.quoted(owner)
    }

    // MARK: The narrower rule

    /// Whether a waiver, or an entry of `report-only`, has ended by the time of the request.
    private func hasEnded(_ entry: FormatItem) -> Bool {
        guard let until = entry.value.block?.items.first(where: { $0.name == "until" }),
            case .scalar(let text) = until.value, let date = try? DateScanner.scan(text)
        else { return false }
        return !DatedTerm.isInForce(until: date.lastSecond, at: time)
    }

    /// The pattern of the asked host on the asked port.
    private var asked: HostPattern {
        HostPattern(host: HostPattern.Host(exactly: host), port: port)
    }

    private func isAsked(_ pattern: HostPattern) -> Bool {
        pattern.host == asked.host && (pattern.port == nil || pattern.port == port)
    }

    /// An id for the new rule that no rule of the unit has.
    private var ruleName: String {
        var id = ""
        for octet in host.text.utf8 {
            switch octet {
            case 0x30...0x39, 0x61...0x7A: id.unicodeScalars.append(Unicode.Scalar(octet))
            default: if !id.isEmpty, id.last != "-" { id += "-" }
            }
        }
        while id.last == "-" { id.removeLast() }
        // An id begins with a letter and has at most 64 octets (LANGUAGE section 3).
        if id.utf8.first.map({ $0 < 0x61 }) ?? true { id = "host-" + id }
        id = String(id.prefix(56))
        while id.last == "-" { id.removeLast() }
        let taken = Set(policy.rules.map(\.id.value))
        var free = id
        var number = 2
        while taken.contains(free) {
            free = "\(id)-\(number)"
            number += 1
        }
        return free
    }

    /// The lines of a new rule, without indentation: a copy of a rule only for the asked host, with
    /// the keys of a change. `lines` is a document with one rule.
    private func narrowed(
        _ lines: String, _ change: PolicyChange, _ owner: Located<String>?
    ) -> [String]? {
        let tree = SyntaxParser.parse(
            SourceFile(path: "", bytes: Array(lines.utf8)), fileIndex: 0)
        guard tree.diagnostics.isEmpty, case .map(var root)? = FormatReader.read(tree),
            root.items.count == 1, case .map(var rules) = root.items[0].value,
            rules.items.count == 1, case .map(var body) = rules.items[0].value
        else { return nil }
        body.items.removeAll { $0.name == "note" || $0.name == "hosts" }
        for key in ["waivers", "report-only"] {
            guard let index = body.items.firstIndex(where: { $0.name == key }),
                case .map(var entries) = body.items[index].value
            else { continue }
            entries.items.removeAll(where: hasEnded)
            body.items[index].value = .map(entries)
            if entries.items.isEmpty { body.items.remove(at: index) }
        }
        var hosts = FormatItem()
        (hosts.key, hosts.name) = ("hosts", "hosts")
        var pattern = FormatItem()
        pattern.value = .scalar(FormatText.quoted(asked.canonicalText))
        hosts.value = .list(FormatBlock(items: [pattern], isFlow: false))
        body.items.insert(hosts, at: 0)
        if owner == nil {
            var item = FormatItem()
            (item.key, item.name) = ("owner", "owner")
            item.value = .scalar(RuleRewrite.ownerPlaceholder)
            body.items.append(item)
        }
        var value = FormatValue.map(body)
        value.keepOnlyIgnoreComments()
        rules.items[0].key = ruleName
        rules.items[0].name = ruleName
        rules.items[0].leading = []
        rules.items[0].trailing = nil
        rules.items[0].value = value
        root.items[0].value = .map(rules)
        var text = PolicyText(
            SourceFile(path: "", bytes: Array(FormatPrinter.print(.map(root)).utf8)))
        guard add(change, to: &text, rule: ruleName, owner: owner) else { return nil }
        // The first line is `rules:`; the rule stands two columns to the right of it.
        return text.formattedLines.dropFirst().map { String($0.dropFirst(2)) }
    }
}

extension FormatValue {
    /// Removes every comment except ignore comments. A copy of a part needs the ignore comments
    /// that the part needs; the other comments are about the original.
    fileprivate mutating func keepOnlyIgnoreComments() {
        func kept(_ comments: [String]) -> [String] {
            comments.filter { $0.contains("hawser:ignore") }
        }
        func reduced(_ block: FormatBlock) -> FormatBlock {
            var block = block
            block.tail = []
            for index in block.items.indices {
                block.items[index].leading = kept(block.items[index].leading)
                block.items[index].hasBlankBefore = false
                if let comment = block.items[index].trailing, kept([comment]).isEmpty {
                    block.items[index].trailing = nil
                }
                block.items[index].value.keepOnlyIgnoreComments()
            }
            return block
        }
        switch self {
        case .map(let block): self = .map(reduced(block))
        case .list(let block): self = .list(reduced(block))
        case .scalar, .literal: break
        }
    }
}
