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
