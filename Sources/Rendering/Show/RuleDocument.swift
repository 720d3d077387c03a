package import PolicyReading
import TrustEngine

/// Makes the document of the rule for `show`. A terminal gets the rule, its owner, its exceptions,
/// anchors and pins, and the fields that differ from the defaults, by rank. A page gets every
/// field.
package struct RuleDocument {
    private let rule: EffectiveRule
    private let defaults: [String: JSONValue]

    /// The document of a flattened rule.
    ///
    /// - Parameters:
    ///   - isWhole: whether a text has every field.
    ///   - command: the command line whose text has every field.
    package static func document(
        _ rule: EffectiveRule, isWhole: Bool, command: String, version: String
    ) -> Document {
        let teller = RuleDocument(rule)
        var document = Document(kind: "show", version: version)
        document.headline = Headline(RuleFields.headline(rule), fields: teller.headFields())
        document.command = command
        if isWhole {
            document.blocks = RuleFields.blocks(rule)
        } else {
            document.wrapping = .clipped
            document.blocks = teller.head() + teller.body()
            document.closing = .fields(
                all: rule.fields.count, command: command, short: "add `--all`")
        }
        document.blocks += teller.page()
        if let digest = rule.policyDigest {
            document.footer = [Field("policy", .code(digest.text))]
        }
        return document
    }

    private init(_ rule: EffectiveRule) {
        self.rule = rule
        let baseline = EffectiveRule(
            profile: BuiltInProfile.baseline.rawValue, parent: nil,
            requirements: BuiltInProfile.baseline.requirements, reportOnly: [],
            provenance: Provenance())
        defaults = Dictionary(
            baseline.fields.map { ($0.name, $0.value) }, uniquingKeysWith: { first, _ in first })
    }

    // MARK: The rule

    private func head() -> [Block] {
        var blocks = [line(RuleFields.headline(rule), rule.location, rank: .head)]
        for (index, pattern) in rule.patterns.enumerated() {
            let text =
                pattern.outcome == .selected
                ? "  selected by `\(pattern.text)`"
                : "  not by `\(pattern.text)` of rule `\(pattern.rule)`, which is less specific"
            blocks.append(line(text, pattern.location, rank: index == 0 ? .head : .losing))
        }
        return blocks
            + (rule.near?.sentences ?? []).map {
                Block.line(DocumentText($0), hang: 4, rank: .head, room: .screen, indent: 2)
            }
    }

    private func line(
        _ text: String, _ location: Provenance.Location?, rank: Rank
    ) -> Block {
        .line(
            DocumentText(text), citation: location?.description, rank: rank, room: .screen)
    }

    // MARK: The fields

    /// A field, and the part of it that is shown.
    private struct Shown {
        let index: Int
        let rank: Rank
        let value: String
        /// What stands on a line of its own below.
        var more: String?
    }

    private func body() -> [Block] {
        guard !rule.isDenied else { return [] }
        var own: [Shown] = []
        var sets: [Shown] = []
        var differing: [Shown] = []
        var entries: [String: Int] = [:]
        for (index, field) in rule.fields.enumerated() {
            guard let rank = rank(of: field, at: index), !followsAnother(field) else { continue }
            let shown = shown(field, at: index, rank)
            if rank == .entry {
                let group = RuleDocument.group(of: field)
                entries[group, default: 0] += 1
                if (entries[group] ?? 0) > RuleDocument.mostEntries { continue }
            }
            if index >= rule.ruleFieldCount {
                differing.append(shown)
            } else if field.name == "owner" || rank == .exception {
                own.append(shown)
            } else {
                sets.append(shown)
            }
        }
        // The owner of the rule stands first, and is named where there is none.
        let owner = own.filter { rule.fields[$0.index].name == "owner" }
        let others = own.filter { rule.fields[$0.index].name != "owner" }
        let width =
            (own + sets + differing).map { TextWrap.columns(name(of: rule.fields[$0.index])) }
            .max() ?? 0
        func block(_ rows: [Field]) -> Block {
            .fields(rows, labels: .least(width), room: .screen, indent: 2)
        }
        var blocks: [Block] = [
            .gap(rank: .head),
            block(
                (owner.isEmpty ? [Field("owner", "none", rank: .owner)] : [])
                    + (owner + others + sets).flatMap(rows)),
        ]
        if !differing.isEmpty {
            blocks += [
                .gap(rank: .differingTitle),
                .line("other than by default:", rank: .differingTitle, room: .screen),
                block(differing.flatMap(rows)),
            ]
        }
        return blocks + usual()
    }

    /// The name of a field as its row has it: a term of an anchor set stands below the set, without
    /// the name of the set.
    private func name(of field: EffectiveRule.Field) -> String {
        guard field.name.hasPrefix("anchors."), !field.name.hasSuffix(".owner") else {
            return field.name
        }
        let set = rule.fields.first { head in
            head.name != "anchors" && head.name.utf8.count < field.name.utf8.count
                && field.name.hasPrefix(head.name + ".")
        }
        return set.map { "  " + field.name.dropFirst($0.name.count + 1) } ?? field.name
    }

    /// Whether a field has its value only because another field that is shown has its own, as
    /// `revocation.causes` by a preset.
    private func followsAnother(_ field: EffectiveRule.Field) -> Bool {
        guard let by = field.origin.by, field.remark == nil,
            let index = rule.fields.firstIndex(where: { $0.name == by })
        else { return false }
        return index >= rule.ruleFieldCount && rank(of: rule.fields[index], at: index) != nil
    }

    /// The most members of one set, and the most keys of one pin set, that are shown.
    private static let mostEntries = 3

    /// The members of an anchor set share a name; the keys of a pin set share the text before the
    /// last dot.
    private static func group(of field: EffectiveRule.Field) -> String {
        guard let dot = field.name.lastIndex(of: "."), field.name.hasPrefix("pins.") else {
            return field.name
        }
        return String(field.name[..<dot])
    }

    /// How important a field is; nil if it is not shown.
    private func rank(of field: EffectiveRule.Field, at index: Int) -> Rank? {
        let name = field.name
        guard index < rule.ruleFieldCount else {
            return defaults[name] == field.value && field.remark == nil ? nil : .differing
        }
        if name.hasPrefix("waivers.") || name.hasPrefix("report-only.") { return .exception }
        switch name {
        case "owner": return .owner
        case "anchors", "pins": return .set
        case "hosts", "note": return nil
        case "profile": return field.value == .string("baseline") ? nil : .set
        case "identity.reference": return field.value == .string("host") ? nil : .exception
        case "identity.dns", "identity.ip", "identity.email", "identity.uri": return .term
        default: return rankOfSet(field)
        }
    }

    /// The same of a field of an anchor set or a pin set. Terms that have their default are left
    /// out.
    private func rankOfSet(_ field: EffectiveRule.Field) -> Rank? {
        let parts = field.name.split(separator: ".")
        guard parts.count > 2, let key = parts.last else { return .set }
        switch key {
        case "owner": return .owner
        case "members": return .entry
        case "note", "intermediates": return nil
        case "kind": return field.value == .string("root") ? nil : .term
        case "standard":
            // The default of `system` differs from the default of a set of files.
            let head = parts.dropLast().joined(separator: ".")
            let isSystem = rule.fields.contains {
                $0.name == head && $0.value == .string(EffectiveSets.source(of: .system))
            }
            return field.value == .string(isSystem ? "web-pki" : "rfc5280") ? nil : .term
        case "ignore-limits", "warn-from": return field.value == .null ? nil : .term
        case "match": return field.value == .string("any") ? nil : .term
        case "on-expiry": return field.value == .string("fail") ? nil : .term
        case "enforce-until": return .term
        default: return field.name.hasPrefix("pins.") ? .entry : .term
        }
    }

    /// A field with its value in short.
    private func shown(_ field: EffectiveRule.Field, at index: Int, _ rank: Rank) -> Shown {
        func shown(_ value: String, _ more: String? = nil) -> Shown {
            Shown(index: index, rank: rank, value: value, more: more)
        }
        guard case .object(let members) = field.value else {
            if field.name == "profile", rule.layers.count > 1 {
                return shown(rule.layers.joined(separator: ", which extends "))
            }
            if field.value == .string(EffectiveSets.source(of: .system)) {
                return shown("the machine's trust store")
            }
            return shown(field.text(most: 6))
        }
        func text(_ key: String) -> String? {
            members.first { $0.key == key }.map { FlowText.render($0.value) }
        }
        if field.name.hasSuffix(".members"), let subject = text("subject"),
            let end = text("not-after")
        {
            return shown("\(subject), until \(RuleDocument.day(end))")
        }
        if rank == .exception {
            // The end of an exception and how far it goes are never cut off.
            let words = ["owner", "reason", "ticket", "note"]
            let limits = members.filter { $0.key != "until" && !words.contains($0.key) }
            let rest = words.compactMap { word in text(word).map { "\(word): \($0)" } }
            return shown(
                (["until \(RuleDocument.day(text("until") ?? ""))"]
                    + limits.map { "\($0.key): \(FlowText.render($0.value))" })
                    .joined(separator: ", "),
                rest.isEmpty ? nil : rest.joined(separator: ", "))
        }
        if field.name.hasPrefix("pins."), let key = text("spki") ?? text("certificate") {
            return shown(
                [key, text("at").map { "at \($0)" }].compactMap { $0 }.joined(separator: ", "))
        }
        return shown(field.text(most: 6))
    }

    /// The day of an instant that is the last second of a day; any other text unchanged.
    private static func day(_ text: String) -> String {
        let end = "T23:59:59Z"
        return text.hasSuffix(end) ? String(text.dropLast(end.count)) : text
    }

    /// The row of a field, and the row below it.
    private func rows(_ shown: Shown) -> [Field] {
        let field = rule.fields[shown.index]
        var row = Field(
            name(of: field), .plain(shown.value),
            citation: RuleDocument.place(field.origin, whole: true), rank: shown.rank, weight: 1)
        row.briefCitation = RuleDocument.place(field.origin, whole: false)
        return [row] + (shown.more.map { [Field("", .plain($0), rank: .term)] } ?? [])
    }

    private static func place(_ origin: FieldOrigin, whole: Bool) -> String {
        let location = origin.location?.description
        switch origin.layer {
        case .profile(let id, _):
            return (location ?? "") + (whole ? " (profile `\(id)`)" : "")
        case .builtIn(let id): return "profile `\(id)`"
        case .rule, .named, .included: return location ?? ""
        case .byDefault, .unknown: return ""
        }
    }

    // MARK: The defaults

    /// Demands that rejects are most often about, in the order in which they are named.
    private static let asked: [ProfileField] = [
        .revocationPreset, .tlsMinimumVersion, .rsaMinimum, .minimumHash, .keyPurposes,
        .maximumLifetime, .transparencyPreset,
    ]

    /// Names the demands of `asked` that have their default.
    private func usual() -> [Block] {
        let rest = RuleDocument.asked.compactMap { asked in
            rule.fields.indices.dropFirst(rule.ruleFieldCount).first { index in
                let field = rule.fields[index]
                return field.name == asked.rawValue && rank(of: field, at: index) == nil
            }
        }
        guard !rest.isEmpty else { return [] }
        let list = rest.map { "\(rule.fields[$0].name) \(rule.fields[$0].text(most: 4))" }
        return [
            .line(
                .plain("by default: " + list.joined(separator: "; ")), hang: 2, isApart: true,
                weight: rest.count, rank: .byDefault, room: .screen)
        ]
    }

    // MARK: The page

    private func headFields() -> [Field] {
        var fields: [Field] = []
        if let location = rule.location {
            fields.append(Field("written at", .place(location.description)))
        }
        if rule.layers.count > 1 {
            fields.append(
                Field(
                    "profile",
                    DocumentText(
                        rule.layers.map { "`\($0)`" }.joined(separator: ", which extends "))))
        }
        for pattern in rule.patterns where pattern.outcome == .selected {
            fields.append(
                Field("selected by", .code(pattern.text), citation: pattern.location?.description))
        }
        return fields
    }

    private func page() -> [Block] {
        let lost = rule.patterns.filter { $0.outcome != .selected }
        let own = rule.fields.prefix(rule.ruleFieldCount)
        return [
            .section(
                "near", "Patterns that come near", [.sentences(rule.near?.sentences ?? [])],
                room: .page),
            .section(
                "patterns", "Patterns that match and lose",
                [
                    .list(
                        lost.map {
                            Entry(
                                DocumentText(
                                    "`\($0.text)` of rule `\($0.rule)`: "
                                        + CheckSentences.reason($0.outcome)),
                                citation: $0.location?.description)
                        }, noun: Noun("pattern", "patterns"), rank: .losing)
                ], room: .page),
            .section("own", "The rule", [table(Array(own), "who is trusted")], room: .page),
            .section(
                "demands", "What it demands",
                [
                    table(
                        Array(rule.fields.dropFirst(rule.ruleFieldCount)),
                        "every field, from the nearest layer that writes it")
                ], room: .page),
        ]
    }

    private func table(_ fields: [EffectiveRule.Field], _ caption: String) -> Block {
        .table(
            caption, ["field", "value", "where"],
            fields.map {
                Row([[.code($0.name)], [.code($0.text())], [.place($0.origin.text)]])
            }, noun: Noun("field", "fields"))
    }
}

/// What the rows of a rule are for, in the order in which they stay where there is little room.
extension Rank {
    static let head = Rank(20, isNeeded: true)
    static let exception = Rank(21, isNeeded: true)
    static let owner = Rank(22)
    static let set = Rank(23)
    static let differingTitle = Rank(24)
    static let differing = Rank(25, noun: Noun("not by default", "not by default"))
    static let term = Rank(26)
    static let entry = Rank(27)
    static let byDefault = Rank(28)
    static let losing = Rank(29, noun: Noun("pattern", "patterns"))
}
