import TrustEngine

/// Writes `show` for a terminal: the rule, its owner, its exceptions, anchors and pins, and the
/// fields that differ from the defaults. `RuleText` writes every field.
///
/// The text fits the page. Rows that do not fit are left out from the end of the least important
/// kind (`Rank`), and the last line counts every field that is not shown.
package struct RuleScreen {
    /// The size of a page.
    package struct Size: Hashable, Sendable {
        let columns: Int
        let rows: Int

        /// - Parameters:
        ///   - columns: columns of the terminal; fewer than 40 count as 40.
        ///   - rows: lines of the whole text; fewer than 8 count as 8.
        package init(columns: Int, rows: Int) {
            self.columns = max(40, columns)
            self.rows = max(8, rows)
        }

        /// The lines of a terminal of 80 columns and 24 lines without the prompt, and without
        /// two lines for notes on standard error.
        package static let usual = Size(columns: 80, rows: 21)
    }

    /// What a row is for, the most important first.
    private enum Rank: Int, Comparable {
        case head, exception, owner, set, differing, term, entry, usual, lost

        static func < (left: Rank, right: Rank) -> Bool { left.rawValue < right.rawValue }
    }

    /// One line of the text.
    private struct Row {
        let rank: Rank
        /// Escaped.
        let line: String
        /// The fields that the line shows.
        var shows: Set<Int> = []
    }

    private let rule: EffectiveRule
    private let size: Size
    /// The command that prints every field.
    private let command: String
    private let defaults: [String: JSONValue]
    private var rows: [Row] = []

    /// The text of a flattened rule; each line ends with a line feed.
    ///
    /// - Parameter command: the command line that prints every field.
    package static func render(_ rule: EffectiveRule, size: Size, command: String) -> String {
        var screen = RuleScreen(rule, size, command)
        screen.head()
        screen.body()
        return screen.text()
    }

    private init(_ rule: EffectiveRule, _ size: Size, _ command: String) {
        self.rule = rule
        self.size = size
        self.command = command
        let baseline = EffectiveRule(
            profile: BuiltInProfile.baseline.rawValue, parent: nil,
            requirements: BuiltInProfile.baseline.requirements, reportOnly: [],
            provenance: Provenance())
        defaults = Dictionary(
            baseline.fields.map { ($0.name, $0.value) }, uniquingKeysWith: { first, _ in first })
    }

    // MARK: The rule

    private mutating func head() {
        add(.head, RuleText.headline(rule), rule.location?.description)
        for (index, pattern) in rule.patterns.enumerated() {
            let text =
                pattern.outcome == .selected
                ? "  selected by `\(pattern.text)`"
                : "  not by `\(pattern.text)` of rule `\(pattern.rule)`, which is less specific"
            add(index == 0 ? .head : .lost, text, pattern.location?.description)
        }
        for sentence in rule.near?.sentences ?? [] {
            let lines = TextWrap.lines(
                TerminalEscape.escape(sentence), first: size.columns - 2, rest: size.columns - 4)
            for (index, line) in lines.enumerated() {
                rows.append(Row(rank: .head, line: (index == 0 ? "  " : "    ") + line))
            }
        }
    }

    private mutating func add(_ rank: Rank, _ text: String, _ place: String?) {
        let text = TerminalEscape.escape(text)
        let place = place.map { "  " + TerminalEscape.escape($0) } ?? ""
        let fits = TextWrap.columns(text + place) <= size.columns
        rows.append(
            Row(
                rank: rank,
                line: fits ? text + place : TextWrap.shortened(text, to: size.columns)))
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

    private mutating func body() {
        guard !rule.isDenied else { return }
        var own: [Shown] = []
        var sets: [Shown] = []
        var differing: [Shown] = []
        var entries: [String: Int] = [:]
        for (index, field) in rule.fields.enumerated() {
            guard let rank = rank(of: field, at: index), !followsAnother(field) else { continue }
            let shown = shown(field, at: index, rank)
            if rank == .entry {
                let group = RuleScreen.group(of: field)
                entries[group, default: 0] += 1
                if (entries[group] ?? 0) > RuleScreen.mostEntries { continue }
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
        let all = own + sets + differing
        let nameWidth = min(
            size.columns * 2 / 5,
            all.map { TextWrap.columns(name(of: rule.fields[$0.index])) }.max() ?? 0)
        rows.append(Row(rank: .head, line: ""))
        if owner.isEmpty {
            rows.append(Row(rank: .owner, line: "  \(padded("owner", nameWidth))  none"))
        }
        for shown in owner { add(shown, nameWidth) }
        for shown in own where rule.fields[shown.index].name != "owner" { add(shown, nameWidth) }
        for shown in sets { add(shown, nameWidth) }
        if !differing.isEmpty {
            rows.append(Row(rank: .differing, line: ""))
            rows.append(Row(rank: .differing, line: "other than by default:"))
            for shown in differing { add(shown, nameWidth) }
        }
        usual()
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
            return shown("\(subject), until \(RuleScreen.day(end))")
        }
        if rank == .exception {
            // The end of an exception and how far it goes are never cut off.
            let words = ["owner", "reason", "ticket", "note"]
            let limits = members.filter { $0.key != "until" && !words.contains($0.key) }
            let rest = words.compactMap { word in text(word).map { "\(word): \($0)" } }
            return shown(
                (["until \(RuleScreen.day(text("until") ?? ""))"]
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

    private mutating func add(_ shown: Shown, _ nameWidth: Int) {
        let field = rule.fields[shown.index]
        let name = padded(
            TextWrap.shortened(TerminalEscape.escape(name(of: field)), to: nameWidth), nameWidth)
        let value = TerminalEscape.escape(shown.value)
        let room = size.columns - nameWidth - 4
        let width = TextWrap.columns(value)
        let places = [true, false].map {
            TerminalEscape.escape(RuleScreen.place(field.origin, whole: $0))
        }
        // The place stands beside the whole value. Without room for both the value is kept; a
        // value that fills the line is cut for the short place.
        var place = places.first {
            max(width, RuleScreen.leastValue) + 2 + TextWrap.columns($0) <= room
        }
        if place == nil, width > room { place = places.last }
        if let chosen = place,
            chosen.isEmpty || RuleScreen.leastValue + 2 + TextWrap.columns(chosen) > room
        {
            place = nil
        }
        var line = "  \(name)  "
        if let place {
            let left = room - TextWrap.columns(place) - 2
            line += padded(TextWrap.shortened(value, to: left), RuleScreen.leastValue)
            line += "  " + place
        } else {
            line += TextWrap.shortened(value, to: room)
        }
        rows.append(Row(rank: shown.rank, line: line, shows: [shown.index]))
        guard let more = shown.more else { return }
        rows.append(
            Row(
                rank: .term,
                line: padded("", nameWidth + 4)
                    + TextWrap.shortened(TerminalEscape.escape(more), to: room)))
    }

    /// The columns that a value has at least, so that places stand below each other.
    private static let leastValue = 24

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

    private func padded(_ text: String, _ width: Int) -> String {
        text + String(repeating: " ", count: max(0, width - TextWrap.columns(text)))
    }

    // MARK: The defaults

    /// Demands that rejects are most often about, in the order in which they are named.
    private static let asked: [ProfileField] = [
        .revocationPreset, .tlsMinimumVersion, .rsaMinimum, .minimumHash, .keyPurposes,
        .maximumLifetime, .transparencyPreset,
    ]

    /// Names the demands of `asked` that have their default.
    private mutating func usual() {
        let rest = RuleScreen.asked.compactMap { asked in
            rule.fields.indices.dropFirst(rule.ruleFieldCount).first { index in
                let field = rule.fields[index]
                return field.name == asked.rawValue && rank(of: field, at: index) == nil
            }
        }
        guard !rest.isEmpty else { return }
        let list = rest.map { "\(rule.fields[$0].name) \(rule.fields[$0].text(most: 4))" }
        rows.append(Row(rank: .usual, line: ""))
        let lines = TextWrap.lines(
            TerminalEscape.escape("by default: " + list.joined(separator: "; ")),
            first: size.columns, rest: size.columns - 2)
        for (index, line) in lines.enumerated() {
            rows.append(
                Row(
                    rank: .usual, line: index == 0 ? line : "  " + line,
                    shows: index == 0 ? Set(rest) : []))
        }
    }

    // MARK: The page

    private func text() -> String {
        var kept = rows
        var isCut = false
        // The last line needs a row, too.
        while kept.count + 1 > size.rows, let least = kept.map(\.rank).max(), least > .exception,
            let last = kept.lastIndex(where: { $0.rank == least })
        {
            // A sentence is left out whole.
            if least == .usual {
                kept.removeAll { $0.rank == least }
            } else {
                kept.remove(at: last)
            }
            isCut = true
        }
        let hidden = rule.fields.indices.count - kept.reduce(0) { $0 + $1.shows.count }
        let lost = rows.count { $0.rank == .lost } - kept.count { $0.rank == .lost }
        var lines = kept.map(\.line)
        if hidden > 0 || isCut {
            let others =
                rows.count { $0.rank == .differing && !$0.shows.isEmpty }
                - kept.count { $0.rank == .differing && !$0.shows.isEmpty }
            let fields =
                Words.count(hidden, "more field")
                + (others == 0 ? "" : ", \(others) not by default")
                + (lost == 0 ? "" : ", \(Words.count(lost, "pattern"))")
            let whole = "\(fields): `\(command)`"
            let line =
                TextWrap.columns(TerminalEscape.escape(whole)) <= size.columns
                ? whole : "\(fields): add `--all`"
            lines += [TerminalEscape.escape(line)]
        }
        return RuleScreen.withoutEmptyPairs(lines).map { RuleText.trimmed($0) + "\n" }.joined()
    }

    /// Rows that were left out leave no two empty lines, and none at the start of a list.
    private static func withoutEmptyPairs(_ lines: [String]) -> [String] {
        var kept: [String] = []
        for line in lines where !(line.isEmpty && (kept.last?.isEmpty ?? true)) {
            kept.append(line)
        }
        return kept
    }
}
