import PolicyCompiler
package import Rendering
import TrustEngine

/// Makes the document of a report: the trust surface, the hosts, anchors, pins, exceptions,
/// revocation and findings. Sections link to each other by the numbers of their entries: `c1` is
/// the first class, `a1` the first anchor set, `p1`, `e1` and `f1` the first pin set, exception and
/// finding. One file because the numbers are given once.
package struct ReportDocument {
    let report: UnitReport
    /// The number of the first class of each rule, which shows the facts about the whole rule.
    private let firsts: [String: Int]
    /// Whether every class shows its demands and links its place. Otherwise the page would be too
    /// long: the first class with some demands shows them, and places have no links.
    private let isShort: Bool
    /// The numbers of the classes; classes that are decided alike are one group.
    let groups: [[Int]]
    private let anchorNumbers: [String: Int]
    private let pinNumbers: [String: Int]

    /// The document of a report.
    package static func document(_ answer: UnitReportDocument) -> Document {
        let report = answer.report
        let teller = ReportDocument(report)
        var document = Document(kind: "report", version: answer.version)
        document.title = "report of \(report.name)"
        document.headline = Headline(
            report.name, lead: UnitReportSentences.lead(report), fields: teller.facts())
        document.blocks = teller.blocks()
        document.footer = [Field("policy", .code(report.policyDigest.text))]
        document.sources = report.files
        if !teller.isShort { document.sourceLines = (longest: 0, around: 1) }
        document.filter = "a host, a rule, an owner, a code"
        document.wrapping = .columns
        document.command = answer.command
        return document
    }

    private init(_ report: UnitReport) {
        self.report = report
        isShort = report.classes.count <= ReportDocument.mostShown
        groups = AlikeClasses(report.classes).groups
        func numbers(_ ids: [String]) -> [String: Int] {
            Dictionary(
                ids.enumerated().map { ($1, $0 + 1) }, uniquingKeysWith: { first, _ in first })
        }
        firsts = numbers(report.classes.map(\.rule.id))
        anchorNumbers = numbers(report.anchors.map(\.id))
        pinNumbers = numbers(report.pins.map(\.id))
    }

    // MARK: The head

    private func facts() -> [Field] {
        var fields = [
            Field("as of", .plain(report.time.description)),
            Field("ends are told up to", .plain(report.until.description)),
        ]
        if let findings = report.findings {
            fields.append(
                Field(
                    "findings",
                    .link(findings.tally, to: "findings")))
        }
        let next =
            report.next.map(UnitReportSentences.next)
            ?? "nothing up to \(report.until.description), as far as only the policy decides"
        return fields + [Field("rejects next", DocumentText(next))]
    }

    private func blocks() -> [Block] {
        [
            .line(.plain("report of \(report.name)"), room: .screen),
            .line(DocumentText(UnitReportSentences.lead(report)), room: .screen),
            .fields(facts(), room: .screen),
            section("surface", "Trust surface", surface()),
            section("hosts", "Who may speak for which hosts", hosts()),
            section("anchors", "Anchors", anchors()), section("pins", "Pins", pins()),
            section("exceptions", "Waivers and report-only, by end", exceptions()),
            section("revocation", "How soon a revocation takes effect", revocation()),
        ] + (report.findings.map { [section("findings", "Findings", findings($0))] } ?? [])
    }

    private func section(_ id: String, _ title: String, _ blocks: [Block]) -> Block {
        .section(id, title, blocks, screen: title)
    }

    /// Entries, or a sentence if there are none.
    func list(
        _ entries: [Entry], _ noun: Noun, _ rank: Rank = .usual, none: String
    ) -> [Block] {
        entries.isEmpty
            ? [.line(DocumentText(none), indent: 2)]
            : [.list(entries, noun: noun, rank: rank, indent: 2)]
    }

    // MARK: The trust surface

    private func surface() -> [Block] {
        guard !report.surface.isEmpty else {
            return [.line("Nobody may vouch for any host: every host is denied.", indent: 2)]
        }
        let rows = report.surface.enumerated().map { index, row in
            let who = UnitReportSentences.authorities(row)
            let names = row.authorities.isEmpty ? [who] : row.authorities
            return Row(
                [
                    [.plain(who)],
                    [.joined(row.sets.map(row.kind == .pinnedKeys ? pinLink : anchorLink))],
                    [.plain(UnitReportSentences.surface(row))],
                    [
                        .plain(
                            Cut.line(
                                names, most: ReportDocument.mostNames, between: "; ",
                                before: "; and "))
                    ],
                ], id: "surface-\(index + 1)")
        }
        return [
            .drawing(SurfaceDrawing(report.surface, of: report.classes.count).figure()),
            .table(
                "who may vouch for how many hosts",
                ["who may vouch", "anchor sets", "for how many hosts", "their names"], rows,
                widest: ReportDocument.widest, rank: .surface),
        ]
    }

    // MARK: Hosts

    private func hosts() -> [Block] {
        [
            .line(
                "Every host belongs to one class. A class stands below the class whose pattern "
                    + "covers it.", room: .page),
            .list(
                groups.map { $0.count == 1 ? one($0[0]) : alike($0) },
                noun: Noun("class", "classes"), rank: .hosts, indent: 2),
        ]
    }

    func label(_ number: Int) -> String {
        DiffSentences.text(report.classes[number - 1].hosts, exceptions: false)
    }

    private func one(_ number: Int) -> Entry {
        let own = report.classes[number - 1]
        let rule = own.rule.id.isEmpty ? "default" : "rule \(own.rule.id)"
        let words = DocumentText.code(label(number)) + terms(own, of: rule)
        return entry("c\(number)", own, words, placed(own) + shared(number, own))
    }

    /// Classes that are decided alike: their terms once, and below them each with its rule and the
    /// place of the rule.
    private func alike(_ numbers: [Int]) -> Entry {
        let first = report.classes[numbers[0] - 1]
        let rules = Set(numbers.map { report.classes[$0 - 1].rule.id }).count
        let by =
            rules == 1 ? "by rule \(first.rule.id)" : "by \(rules) rules that say the same"
        let members = numbers.map { number -> Entry in
            let own = report.classes[number - 1]
            var text = DocumentText.code(label(number)) + .plain("  rule \(own.rule.id) ")
            if let location = own.location { text = text + place(location) }
            if let pattern = own.pattern, pattern != label(number) {
                text = text + .plain(" by the pattern ") + .code(pattern)
            }
            return Entry(text, id: "c\(number)")
        }
        let words =
            DocumentText.code(label(numbers[0]))
            + terms(first, of: Cut.rest(numbers.count - 1, before: "and ") + " \(by)")
        let inside = first.outer.map { [Field("inside", classLink($0))] } ?? []
        return entry(
            "g\(numbers[0])", first, words,
            fields(inside) + shared(numbers[0], first, isOfGroup: true)
                + [Block.list(members, noun: Noun("class", "classes"), indent: 4)])
    }

    private func entry(
        _ id: String, _ own: UnitReport.HostEntry, _ words: DocumentText, _ blocks: [Block]
    ) -> Entry {
        var entry = Entry(words, hang: 6 + 2 * own.depth, blocks, id: id)
        entry.isFolded = true
        entry.depth = own.depth
        return entry
    }

    private func fields(_ rows: [Field], room: Room = .everywhere) -> [Block] {
        rows.isEmpty ? [] : [.fields(rows, labels: .fixed(14), room: room, indent: 4)]
    }

    /// The terms of a class that is folded, in short.
    ///
    /// - Parameter rules: the rules of the class, in words.
    private func terms(_ entry: UnitReport.HostEntry, of rules: String) -> DocumentText {
        let demands = report.demands[entry.demands]
        var words: [Word] = []
        var text = "  \(rules)" + (entry.rule.owner.map { ", owner \($0)" } ?? "")
        if demands.isDenied {
            words.append(.soft("denied"))
        } else {
            let told = Cut.list(
                written(demands, most: ReportDocument.mostTold), most: ReportDocument.mostTold)
            text += ": " + ([UnitReportSentences.anchors(demands)] + told).joined(separator: "; ")
            if !demands.pins.isEmpty {
                let pins = "pins \(UnitReportSentences.pins(demands))"
                words.append(demands.pinsBind ? .good(pins) : .warn(pins + ", not binding"))
            }
        }
        switch entry.comparison?.relation {
        case .weaker: words.append(.warn("weaker than around it"))
        case .stricter: words.append(.good("stricter than around it"))
        case .incomparable: words.append(.warn("neither stricter nor weaker than around it"))
        case .equal, nil: break
        }
        words += entry.exceptions.map { report.exceptions[$0] }.filter { $0.standing != .over }
            .map { Word.warn("\($0.kind.rawValue) \($0.check)") }
        return DocumentText(
            spans: [.plain(text)]
                + words.flatMap { [.plain("  "), .word($0)] as [DocumentText.Span] })
    }

    /// The facts that only one class has: its place in the tree and in the policy, its pattern and
    /// one of its hosts.
    private func placed(_ entry: UnitReport.HostEntry) -> [Block] {
        var rows: [Field] = []
        if let location = entry.location { rows.append(Field("decided at", place(location))) }
        if let pattern = entry.pattern,
            pattern != DiffSentences.text(entry.hosts, exceptions: false)
        {
            rows.append(Field("by the pattern", .code(pattern)))
        }
        if !entry.hosts.exceptions.isEmpty {
            let more = Cut.rest(entry.hosts.omitted, after: " patterns")
            rows.append(
                Field(
                    "except",
                    .joined(
                        entry.hosts.exceptions.map(DocumentText.code)
                            + (more.isEmpty ? [] : [.plain(more)]))))
        }
        rows.append(Field("such as", .code(entry.witness.text)))
        let inside = entry.outer.map { [Field("inside", classLink($0))] } ?? []
        return fields(inside, room: .page) + fields(rows)
    }

    /// The facts that all classes of a group have: how they compare, the owner, and the terms. A
    /// group shows the facts of its first class, without a link to another class of its rule.
    private func shared(
        _ number: Int, _ entry: UnitReport.HostEntry, isOfGroup: Bool = false
    ) -> [Block] {
        let demands = report.demands[entry.demands]
        var blocks: [Block] = []
        if let comparison = entry.comparison, comparison.relation != .equal {
            blocks = [
                .line(
                    DocumentText(UnitReportSentences.comparison(comparison) + ":"), indent: 4),
                .sentences(
                    Cut.list(comparison.fields.map(\.sentence), most: ReportDocument.mostFields),
                    room: .everywhere, indent: 6),
            ]
        }
        let first = firsts[entry.rule.id] ?? number
        guard first == number || isOfGroup else {
            return blocks
                + fields([Field("whole rule", DocumentText.plain("as for ") + classLink(first))])
        }
        var rows: [Field] = []
        if let owner = entry.rule.owner { rows.append(Field("owner", .plain(owner))) }
        if let note = entry.note { rows.append(Field("note", .plain(note))) }
        guard !demands.isDenied else { return blocks + fields(rows) }
        rows += [
            Field(
                "anchors",
                demands.arePinnedKeys
                    ? .plain(AnchorSetContents.pinnedKeysID)
                    : .joined(demands.anchors.map(anchorLink))),
            Field("pins", demands.pins.isEmpty ? "none" : .joined(demands.pins.map(pinLink))),
        ]
        if !entry.exceptions.isEmpty {
            let links = entry.exceptions.map { index in
                let exception = report.exceptions[index]
                return DocumentText.link(
                    "\(exception.kind.rawValue) \(exception.check) until "
                        + Words.day(exception.until), to: "e\(index + 1)")
            }
            rows.append(Field("exceptions", .joined(links)))
        }
        if let first = demands.classes.first, first != number, !isShort {
            rows.append(Field("all else", DocumentText.plain("as for ") + classLink(first)))
            return blocks + fields(rows)
        }
        rows += [
            Field(
                "strictness",
                .plain(
                    demands.strictness.map { "\($0.field.rawValue) \($0.value)" }
                        .joined(separator: "; "))),
            Field(
                "written",
                .plain(
                    written(demands, most: ReportDocument.mostNames).joined(separator: "; "))),
        ]
        if let guarantee = demands.guarantee {
            rows.append(Field("revocation", DocumentText(guarantee)))
        }
        return blocks + fields(rows)
    }

    /// The fields of a class except its anchors, pins and exceptions, each with its value.
    private func written(_ demands: UnitReport.Demands, most: Int) -> [String] {
        demands.fields.filter { field in
            !["anchors", "pins"].contains(field.name) && !field.name.hasPrefix("waivers.")
                && !field.name.hasPrefix("report-only.")
        }
        .map { "\($0.name) \($0.text(most: most))" }
    }

    // MARK: Links

    private func place(_ location: Provenance.Location) -> DocumentText {
        isShort ? .place(location.description) : .plain(location.description)
    }

    private func classLink(_ number: Int) -> DocumentText {
        .link("`\(label(number))`", to: "c\(number)")
    }

    private func anchorLink(_ id: String) -> DocumentText {
        anchorNumbers[id].map { .link(id, to: "a\($0)") } ?? .plain(id)
    }

    private func pinLink(_ id: String) -> DocumentText {
        pinNumbers[id].map { .link(id, to: "p\($0)") } ?? .plain(id)
    }

    /// The first links, and the number of the others.
    private func cut(_ links: [DocumentText], most: Int, after: String = "") -> DocumentText {
        .joined(
            links.prefix(most)
                + Cut.others(links.count - most, after: after).map(DocumentText.plain))
    }

    /// The rules that use something, with links to their first classes.
    private func uses(_ uses: UnitReport.Uses) -> Field {
        let links = uses.rules.map { id -> DocumentText in
            let name = UnitReportSentences.rule(id)
            return firsts[id].map { .link(name, to: "c\($0)") } ?? .plain(name)
        }
        let words = UnitReportSentences.uses(uses)
        return Field(
            "used by",
            links.isEmpty
                ? .plain(words)
                : DocumentText.plain(words + ": ") + cut(links, most: ReportDocument.mostNames))
    }

    // MARK: Anchors and pins

    private func anchors() -> [Block] {
        let entries = report.anchors.enumerated().map { index, own in
            Entry(
                .code(own.id),
                setFacts(own.id, own.owner, own.location, own.fields, own.uses)
                    + [Block.list(own.certificates.map(certificate), indent: 4)],
                id: "a\(index + 1)")
        }
        return list(
            entries, Noun("anchor set", "anchor sets"), none: "The policy has no anchor sets.")
    }

    private func certificate(_ own: UnitReport.AnchorCertificate) -> Entry {
        let rows = own.facts.facts.filter { !$0.values.isEmpty }.map { fact in
            Field(fact.title, .plain(fact.values.joined(separator: ", ")))
        }
        var entry = Entry(
            word: Word("\(own.standing.rawValue)  ", ReportDocument.tone(own.standing)),
            DocumentText(own.sentence), fields(rows, room: .page))
        entry.isFolded = true
        return entry
    }

    private func pins() -> [Block] {
        let entries = report.pins.enumerated().map { index, own in
            Entry(
                DocumentText(spans: [
                    .code(own.id), .plain("  "),
                    .word(Word(own.standing.rawValue, ReportDocument.tone(own.standing))),
                ]),
                own.sentences.map { Block.line(DocumentText($0), indent: 4) }
                    + setFacts(own.id, own.owner, own.location, own.fields, own.uses),
                id: "p\(index + 1)")
        }
        return list(entries, Noun("pin set", "pin sets"), none: "The policy has no pin sets.")
    }

    private static func tone(_ standing: UnitReport.Standing) -> Tone {
        switch standing {
        case .begins: return .soft
        case .lasts: return .good
        case .ends: return .warn
        case .over: return .bad
        }
    }

    private func setFacts(
        _ id: String, _ owner: String?, _ location: Provenance.Location?,
        _ terms: [EffectiveRule.Field], _ used: UnitReport.Uses
    ) -> [Block] {
        var rows = [uses(used)]
        if let owner { rows.append(Field("owner", .plain(owner))) }
        if let location { rows.append(Field("written at", .place(location.description))) }
        rows += terms.map { field in
            Field(
                ReportDocument.key(field.name, of: id),
                .plain(field.text(most: ReportDocument.mostNames)))
        }
        return fields(rows)
    }

    /// The name of a field without its set: `kind` of `anchors.acme.kind`, `[2] kind` if the set
    /// has several groups of members.
    private static func key(_ name: String, of id: String) -> String {
        guard let dot = name.firstIndex(of: ".") else { return name }
        var rest = name[name.index(after: dot)...].dropFirst(id.count)
        var group = ""
        if rest.hasPrefix("["), let end = rest.firstIndex(of: "]") {
            group = rest[...end] + " "
            rest = rest[rest.index(after: end)...]
        }
        return group + (rest.isEmpty ? "members" : rest.dropFirst())
    }

    // MARK: Exceptions and revocation

    private func exceptions() -> [Block] {
        let entries = report.exceptions.enumerated().map { index, own in
            var rows = [Field("until", .plain(own.until.description))]
            rows += [
                ("owner", own.owner), ("reason", own.reason), ("ticket", own.ticket),
                ("limit", own.limit), ("note", own.note),
            ].compactMap { name, text in text.map { Field(name, .plain($0)) } }
            if let location = own.origin?.location {
                rows.append(Field("written at", .place(location.description)))
            }
            return Entry(
                DocumentText(spans: [
                    .plain("\(own.kind.rawValue) \(own.check)  "),
                    .word(Word(own.standing.rawValue, own.standing == .over ? .soft : .warn)),
                ]),
                [Block.line(DocumentText(own.sentence), indent: 4)]
                    + fields(rows + [uses(own.uses)]),
                id: "e\(index + 1)")
        }
        return list(
            entries, Noun("exception", "exceptions"),
            none: "No rule that decides hosts has a waiver or a report mode.")
    }

    private func revocation() -> [Block] {
        var order: [String] = []
        var classes: [String: [Int]] = [:]
        for demands in report.demands {
            guard let guarantee = demands.guarantee else { continue }
            if classes[guarantee] == nil { order.append(guarantee) }
            classes[guarantee, default: []] += demands.classes
        }
        let entries = order.enumerated().map { index, guarantee in
            let links = (classes[guarantee] ?? []).sorted().map(classLink)
            let count = Words.count(links.count, "class", "classes") + " of hosts"
            return Entry(
                DocumentText(guarantee),
                [
                    .line(
                        DocumentText.plain("\(count): ")
                            + cut(links, most: ReportDocument.mostNames),
                        room: .screen, indent: 4),
                    .section(
                        "", count,
                        [
                            .line(
                                cut(
                                    links, most: ReportDocument.mostClasses,
                                    after: ", each of which says it"), room: .page)
                        ], isFolded: true, room: .page),
                ], id: "r\(index + 1)")
        }
        return list(entries, Noun("guarantee", "guarantees"), none: "Every host is denied.")
    }

    /// Most names of rules, authorities or members that are written out; JSON has all.
    private static let mostNames = 12
    /// Most classes that are linked from one guarantee.
    private static let mostClasses = 200
    /// Most fields of a comparison that are written out.
    private static let mostFields = 6
    /// Most fields that a folded class tells, and most members of each.
    private static let mostTold = 2
    /// The most classes of which each shows everything.
    private static let mostShown = 250
    /// The most columns that a cell of the trust surface is padded to.
    private static let widest = 44
}

extension Rank {
    fileprivate static let surface = Rank(45)
    fileprivate static let hosts = Rank(55)
}
