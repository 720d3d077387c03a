import Rendering
import TrustEngine

/// What every format says of the guards of a comparison.
enum GuardSentences {
    /// How many guards changed, in one line; nil where there is nothing to say.
    static func summary(_ guards: GuardAnswer?) -> String? {
        switch guards {
        case nil: return nil
        case .notCompared(let reason)?: return "guards: not compared: \(reason)"
        case .compared(let changes)?:
            guard !changes.isEmpty else { return nil }
            return "guards: \(counts(changes))"
        }
    }

    /// "1 weaker (assertion `x` is removed), 2 stricter": each kind of change with its number, and
    /// the first of the gravest.
    private static func counts(_ changes: [GuardChange]) -> String {
        let groups: [(String, [GuardChange])] = [
            ("weaker", changes.filter(\.fails)),
            ("to approve", changes.filter { $0.relation == .weaker && !$0.fails }),
            ("changed", changes.filter { $0.relation == .incomparable }),
            ("stricter", changes.filter { $0.relation == .stricter }),
        ]
        return groups.filter { !$0.1.isEmpty }.enumerated().map { index, group in
            let first = index == 0 ? group.1.first.map { " (\($0.sentence))" } ?? "" : ""
            return "\(group.1.count) \(group.0)\(first)"
        }.joined(separator: ", ")
    }

    /// The word of a change.
    static func word(_ change: GuardChange) -> String {
        switch change.relation {
        case .weaker: return change.isOfThisChange ? "to approve" : "weaker"
        case .incomparable: return "changed"
        case .stricter: return "stricter"
        case .equal: return "equal"
        }
    }

    /// What a reader must know besides the sentence, a line each.
    static func lines(_ change: GuardChange, most: Int) -> [String] {
        var lines = Cut.list(change.details, most: most)
        if change.isOfThisChange {
            lines.append("a change of this comparison needs it; it must be approved")
        }
        if let owner = change.oldOwner ?? change.newOwner { lines.append("owner \(owner)") }
        return lines
    }
}

extension DiffText {
    /// The line about guards that stands under the headline.
    static func guardLine(_ guards: GuardAnswer?) -> [String] {
        GuardSentences.summary(guards).map { [$0] } ?? []
    }

    /// The section about guards.
    static func guards(_ guards: GuardAnswer?, isSummary: Bool) -> [String] {
        let changes = guards?.changes ?? []
        let shown = isSummary ? changes.filter(\.needsApproval) : changes
        guard !shown.isEmpty else { return [] }
        return ["", "guards"]
            + shown.flatMap { change in
                ["  \(sign(change)) \(change.sentence)"]
                    + GuardSentences.lines(change, most: mostDetails).map { "      \($0)" }
                    + (change.place.map { ["      \($0.text)"] } ?? [])
            }
    }

    private static let mostDetails = 8

    private static func sign(_ change: GuardChange) -> String {
        switch change.relation {
        case .weaker: return "-"
        case .stricter: return "+"
        case .incomparable: return "~"
        case .equal: return "="
        }
    }
}

extension DiffJSON {
    /// The member `guards`; nil where it is not known whether there are any.
    static func guards(_ guards: GuardAnswer?) -> JSONValue? {
        switch guards {
        case nil: return nil
        case .notCompared(let reason)?:
            return .object([("compared", .bool(false)), ("reason", .string(reason))])
        case .compared(let changes)?:
            return .object([
                ("compared", .bool(true)), ("changes", .array(changes.map(guardChange))),
            ])
        }
    }

    private static func guardChange(_ change: GuardChange) -> JSONValue {
        .object([
            ("kind", .string(change.kind.rawValue)),
            ("relation", .string(DiffSentences.relation(change.relation))),
            ("name", .string(change.name)), ("sentence", .string(change.sentence)),
            ("details", .array(change.details.map { .string($0) })),
            (
                "place",
                change.place.map {
                    .object([
                        ("file", .string($0.file)), ("line", .integer($0.line)),
                        ("column", .integer($0.column)),
                        ("side", .string($0.isNew ? "new" : "old")),
                    ])
                }
            ), ("oldOwner", .optional(change.oldOwner)), ("newOwner", .optional(change.newOwner)),
            ("isOfThisChange", .bool(change.isOfThisChange)), ("fails", .bool(change.fails)),
            ("needsApproval", .bool(change.needsApproval)),
        ])
    }
}

extension DiffMarkdown {
    /// The blocks about guards that stand above any fold: the counts, and a table of the changes
    /// that somebody must agree to.
    static func guards(_ guards: GuardAnswer?) -> [String] {
        guard let summary = GuardSentences.summary(guards) else { return [] }
        let changes = guards?.changes ?? []
        let grave = changes.filter(\.needsApproval)
        var blocks = ["**\(MarkdownText.prose(guardText(summary)))**"]
        guard !grave.isEmpty else { return blocks }
        let rows = grave.prefix(mostGuards).map { change in
            let words = [change.sentence] + GuardSentences.lines(change, most: 4)
            let place = change.place.map { MarkdownText.code(guardText($0.text)) } ?? ""
            return "| **\(GuardSentences.word(change))** | "
                + words.map { MarkdownText.prose(guardText($0)) }.joined(separator: "<br>")
                + " | \(place) |"
        }
        blocks.append((["| | Guard | Where |", "|---|---|---|"] + rows).joined(separator: "\n"))
        if grave.count > rows.count {
            blocks.append(
                "**\(grave.count - rows.count) of \(grave.count) guards are left out: the command "
                    + "at the end shows all of them.**")
        }
        return blocks
    }

    /// The rows of the table, and the scalars of one text in it: the comment has room for 60,000
    /// octets, and policies come first.
    private static let mostGuards = 12
    private static let mostOfOneGuard = 160

    private static func guardText(_ text: String) -> String {
        let scalars = text.unicodeScalars
        return scalars.count > mostOfOneGuard
            ? String(String.UnicodeScalarView(scalars.prefix(mostOfOneGuard))) + " …" : text
    }
}

extension DiffSARIF {
    /// The rules that results about guards name.
    static var guardRules: [JSONValue] { GuardRule.allCases.map(\.json) }

    /// A result for each guard that changed.
    ///
    /// - Parameters:
    ///   - firstRule: the number of the first of `guardRules` among all rules.
    ///   - statesSuppressions: whether results of the document state their suppressions.
    static func guards(
        _ guards: GuardAnswer, firstRule: Int, statesSuppressions: Bool
    ) -> [JSONValue] {
        guards.changes.compactMap { change in
            guard let rule = GuardRule(change.relation) else { return nil }
            let level = change.fails ? SARIFDocument.Level.error : rule.level
            var hash = StableHash()
            for text in [change.kind.rawValue, change.place?.file ?? "", change.name] {
                hash.combine(text.utf8)
            }
            let text = ([change.sentence] + GuardSentences.lines(change, most: 20))
                .joined(separator: "\n")
            return .object([
                ("ruleId", .string(rule.rawValue)),
                ("ruleIndex", .integer(firstRule + (GuardRule.allCases.firstIndex(of: rule) ?? 0))),
                ("level", .string(level.rawValue)), ("message", SARIFDocument.message(text)),
                ("locations", change.place.map { .array([location($0)]) }),
                ("partialFingerprints", .object([("hawserGuard/1", .string(hash.digits))])),
                ("suppressions", statesSuppressions ? .array([]) : nil),
            ])
        }
    }

    private static func location(_ place: GuardChange.Place) -> JSONValue {
        .object([
            (
                "physicalLocation",
                .object([
                    ("artifactLocation", SARIFDocument.artifact(place.file)),
                    (
                        "region",
                        .object([
                            ("startLine", .integer(place.line)),
                            ("startColumn", .integer(place.column)),
                        ])
                    ),
                ])
            )
        ])
    }

    /// What a result says of a guard.
    private enum GuardRule: String, CaseIterable {
        case weaker = "guard-weaker"
        case changed = "guard-changed"
        case stricter = "guard-stricter"

        init?(_ relation: Relation) {
            switch relation {
            case .weaker: self = .weaker
            case .incomparable: self = .changed
            case .stricter: self = .stricter
            case .equal: return nil
            }
        }

        var level: SARIFDocument.Level {
            switch self {
            case .weaker, .changed: return .warning
            case .stricter: return .note
            }
        }

        private var title: String {
            switch self {
            case .weaker: return "a guard of the policy is weaker"
            case .changed: return "a guard of the policy is another"
            case .stricter: return "a guard of the policy is stricter"
            }
        }

        private var explanation: String {
            switch self {
            case .weaker:
                return "An assertion or a test is removed or demands less, or an allowance, an "
                    + "entry of a baseline or an ignore comment lets more pass than before."
            case .changed:
                return "A test, a workflow or a hook changes. Whether it guards less than before "
                    + "cannot be computed: read it."
            case .stricter:
                return "An assertion or a test demands more than before, or an allowance, an entry "
                    + "of a baseline or an ignore comment lets less pass."
            }
        }

        var json: JSONValue {
            .object([
                ("id", .string(rawValue)), ("shortDescription", SARIFDocument.text(title)),
                ("fullDescription", SARIFDocument.text(explanation)),
                (
                    "help",
                    SARIFDocument.text("`hawser help diff.md` prints what makes a guard weaker.")
                ),
                ("defaultConfiguration", .object([("level", .string(level.rawValue))])),
            ])
        }
    }
}

extension DiffGitHub {
    /// The annotations about guards, the gravest first: at most three, and the others are counted.
    static func guards(
        _ guards: [GuardAnswer]
    ) -> [(kind: WorkflowCommand.Kind, text: String)] {
        let changes = guards.flatMap(\.changes).filter(\.needsApproval)
        let shown = changes.prefix(mostGuards)
        return shown.enumerated().map { index, change in
            var properties: [(String, String)] = []
            if let place = change.place {
                properties = [
                    ("file", place.file), ("line", "\(place.line)"), ("col", "\(place.column)"),
                ]
            }
            properties.append(
                ("title", "hawser diff: \(GuardSentences.word(change)) \(change.kind.rawValue)"))
            var lines = [change.sentence] + GuardSentences.lines(change, most: 8)
            if index == shown.count - 1, changes.count > shown.count {
                lines.append(
                    Cut.more(
                        changes.count - shown.count, before: "and ", after: " guards change"))
            }
            return (
                change.fails ? .error : .warning,
                WorkflowCommand.line(
                    change.fails ? .error : .warning, properties,
                    lines.map { TerminalEscape.escape($0) }.joined(separator: "\n"))
            )
        }
    }

    /// The annotations that guards may take of the ten that GitHub shows.
    private static let mostGuards = 3
}

extension DiffPage {
    /// What a page shows of guards; empty where there is nothing to say.
    static func guards(_ guards: GuardAnswer?) -> [HTML] {
        guard let summary = GuardSentences.summary(guards) else { return [] }
        var parts = [HTML.paragraph(summary)]
        parts += HTML.list(
            (guards?.changes ?? []).map { change in
                let words: [HTML] = [
                    .word(mood(change), GuardSentences.word(change)), HTML(" "),
                    HTML(sentence: change.sentence),
                ]
                var item: [HTML] = [.element("p", words)]
                item += HTML.sentences(GuardSentences.lines(change, most: .max))
                if let place = change.place {
                    item.append(
                        .element("p", ["class": "place"], [.element("code", place.text)]))
                }
                return item
            })
        return parts
    }

    private static func mood(_ change: GuardChange) -> HTML.Mood {
        switch change.relation {
        case .weaker: return change.fails ? .bad : .warn
        case .incomparable: return .warn
        case .stricter: return .good
        case .equal: return .soft
        }
    }
}
