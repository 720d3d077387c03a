import PolicyCompiler
import Rendering
import TrustEngine

/// The sections of the page of a report, item by item. One file because the sections link to each
/// other by numbers that are given once.
struct UnitReportSections {
    typealias Context = UnitReportPages.Context
    typealias Item = UnitReportPages.Item
    typealias Part = UnitReportPages.Part

    private let report: UnitReport
    /// The number of the first class of each rule, which shows the facts about the whole rule.
    private let firsts: [String: Int]
    /// Whether every class shows its demands and links its place. Otherwise the page would be too
    /// long: the first class with some demands shows them, and places are only named.
    private let isShort: Bool
    /// The numbers of the classes, those that are decided alike together.
    private let groups: [[Int]]
    private let anchorNumbers: [String: Int]
    private let pinNumbers: [String: Int]

    init(_ report: UnitReport) {
        self.report = report
        isShort = UnitReportSections.isShort(report)
        groups = AlikeClasses(report.classes).groups
        firsts = Dictionary(
            report.classes.enumerated().map { ($1.rule.id, $0 + 1) },
            uniquingKeysWith: { first, _ in first })
        anchorNumbers = Dictionary(
            report.anchors.enumerated().map { ($1.id, $0 + 1) },
            uniquingKeysWith: { first, _ in first })
        pinNumbers = Dictionary(
            report.pins.enumerated().map { ($1.id, $0 + 1) },
            uniquingKeysWith: { first, _ in first })
    }

    /// Whether a report has so few classes that each shows everything.
    static func isShort(_ report: UnitReport) -> Bool { report.classes.count <= mostShown }

    /// In the order of the page.
    func parts() -> [Part] {
        var parts = [surface(), hosts(), anchors(), pins(), exceptions(), revocation()]
        if let findings = report.findings { parts.append(self.findings(findings)) }
        return parts
    }

    // MARK: The trust surface

    private func surface() -> Part {
        guard !report.surface.isEmpty else {
            return Part(
                id: "surface", title: "Trust surface",
                intro: [.element("p", "Nobody may vouch for any host: every host is denied.")])
        }
        let rows = report.surface.enumerated().map { index, row in
            Item(id: "surface-\(index + 1)", label: UnitReportSentences.authorities(row)) {
                context in
                let names = row.authorities.prefix(UnitReportSections.mostNames)
                let more = row.authorities.count - names.count
                return .element(
                    "tr", ["id": "surface-\(index + 1)", "class": PageFilter.row],
                    [
                        .element("th", ["scope": "row"], UnitReportSentences.authorities(row)),
                        .element(
                            "td",
                            UnitReportSections.separated(
                                row.sets.map { set in
                                    row.kind == .pinnedKeys
                                        ? self.pinLink(set, context)
                                        : self.anchorLink(set, context)
                                })),
                        .element("td", UnitReportSentences.surface(row)),
                        .element(
                            "td",
                            names.isEmpty
                                ? UnitReportSentences.authorities(row)
                                : names.joined(separator: "; ")
                                    + Cut.rest(more, before: "; and ")),
                    ])
            }
        }
        return Part(
            id: "surface", title: "Trust surface",
            intro: [SurfaceDrawing(report.surface, of: report.classes.count).figure()],
            wrapper: .table(["who may vouch", "anchor sets", "for how many hosts", "their names"]),
            items: rows)
    }

    // MARK: Hosts

    private func hosts() -> Part {
        return Part(
            id: "hosts", title: "Who may speak for which hosts",
            intro: [
                .element(
                    "p", ["class": "place"],
                    "Every host belongs to one class. A class stands below the class whose pattern "
                        + "covers it.")
            ], wrapper: .tree,
            items: groups.map(item), isIndexed: true)
    }

    /// One class, or several that are decided alike. The numbers are the numbers of the classes.
    private func item(_ numbers: [Int]) -> Item {
        let labels = numbers.map(label)
        guard numbers.count > 1 else {
            return Item(id: "c\(numbers[0])", label: labels[0], citations: isShort ? 1 : 0) {
                context in
                self.hosts(numbers[0], &context)
            }
        }
        return Item(
            id: "g\(numbers[0])", label: labels[0] + Cut.rest(numbers.count - 1, before: " and "),
            citations: isShort ? numbers.count : 0,
            members: zip(numbers, labels).map { ("c\($0)", $1) }
        ) { context in
            self.alike(numbers, &context)
        }
    }

    private func label(_ number: Int) -> String {
        DiffSentences.text(report.classes[number - 1].hosts, exceptions: false)
    }

    private func hosts(_ number: Int, _ context: inout Context) -> HTML {
        let entry = report.classes[number - 1]
        let words: [HTML] = [
            .element("code", label(number)),
            .element(
                "span", ["class": "soft"],
                entry.rule.id.isEmpty ? "default" : "rule \(entry.rule.id)"),
        ]
        return .element(
            "li", ["class": UnitReportSections.rowClass(entry)],
            [
                .element(
                    "details", ["id": "c\(number)"],
                    [
                        .element("summary", words + terms(entry)),
                        HTML.facts(
                            placed(entry, &context) + shared(number, entry, &context)),
                    ])
            ])
    }

    /// Classes that are decided alike: their terms once, and below them each with its rule and the
    /// place of the rule. Each is a row, so that the filter finds it.
    private func alike(_ numbers: [Int], _ context: inout Context) -> HTML {
        let entry = report.classes[numbers[0] - 1]
        let rules = Set(numbers.map { report.classes[$0 - 1].rule.id }).count
        let words: [HTML] = [
            .element("code", label(numbers[0])),
            .element("span", Cut.rest(numbers.count - 1, before: "and ")),
            .element(
                "span", ["class": "soft"],
                rules == 1
                    ? "by rule \(entry.rule.id)" : "by \(rules) rules that say the same"),
        ]
        var members: [HTML] = []
        for number in numbers {
            let one = report.classes[number - 1]
            var words: [HTML] = [
                .element("code", label(number)),
                .element("span", ["class": "soft"], " rule \(one.rule.id) "),
            ]
            if let location = one.location {
                words.append(
                    isShort ? context.source.link(location) : HTML(location.description))
            }
            if let pattern = one.pattern, pattern != label(number) {
                words += [HTML(" by the pattern "), .element("code", pattern)]
            }
            members.append(
                .element("li", ["id": "c\(number)", "class": PageFilter.row], words))
        }
        var facts: [(String, [HTML])] = []
        if let outer = entry.outer { facts.append(("inside", [classLink(outer, context)])) }
        facts += shared(numbers[0], entry, isOfGroup: true, &context)
        facts.append(("classes", [HTML("\(numbers.count), by \(rules) rules, below")]))
        return .element(
            "li", ["class": UnitReportSections.rowClass(entry)],
            [
                .element(
                    "details", ["id": "g\(numbers[0])", "class": PageFilter.group],
                    [
                        .element("summary", words + terms(entry)), HTML.facts(facts),
                        .element("ul", members),
                    ])
            ])
    }

    private static func rowClass(_ entry: UnitReport.HostEntry) -> String {
        let depth = min(entry.depth, deepest)
        return depth == 0 ? PageFilter.row : "\(PageFilter.row) d\(depth)"
    }

    /// What a folded class tells: its owner and its terms, in short.
    private func terms(_ entry: UnitReport.HostEntry) -> [HTML] {
        let demands = report.demands[entry.demands]
        var words: [HTML] = []
        if let owner = entry.rule.owner {
            words.append(.element("span", ["class": "soft"], "of \(owner)"))
        }
        func word(_ mark: StaticString, _ text: String) {
            words.append(.element("span", ["class": "word \(mark)"], text))
        }
        if demands.isDenied {
            word("soft", "denied")
        } else {
            words.append(.element("span", UnitReportSentences.anchors(demands)))
            if !demands.pins.isEmpty {
                let names = "pins \(UnitReportSentences.pins(demands))"
                word(
                    demands.pinsBind ? "good" : "warn",
                    names + (demands.pinsBind ? "" : ", not binding"))
            }
            let written = UnitReportSections.written(demands, most: UnitReportSections.mostTold)
            for field in written.prefix(UnitReportSections.mostTold) {
                words.append(.element("span", field))
            }
            words += Cut.others(written.count - UnitReportSections.mostTold).map {
                HTML.element("span", ["class": "soft"], $0)
            }
        }
        switch entry.comparison?.relation {
        case .weaker: word("warn", "weaker than around it")
        case .stricter: word("good", "stricter than around it")
        case .incomparable: word("warn", "neither stricter nor weaker than around it")
        case .equal, nil: break
        }
        for index in entry.exceptions {
            let exception = report.exceptions[index]
            if exception.standing != .over {
                word("warn", "\(exception.kind.rawValue) \(exception.check)")
            }
        }
        return words
    }

    /// The facts that only one class has: its place in the tree and in the policy, its pattern and
    /// one of its hosts.
    private func placed(
        _ entry: UnitReport.HostEntry, _ context: inout Context
    ) -> [(String, [HTML])] {
        var rows: [(String, [HTML])] = []
        if let outer = entry.outer {
            rows.append(("inside", [classLink(outer, context)]))
        }
        if let location = entry.location {
            rows.append(
                (
                    "decided at",
                    [isShort ? context.source.link(location) : HTML(location.description)]
                ))
        }
        if let pattern = entry.pattern,
            pattern != DiffSentences.text(entry.hosts, exceptions: false)
        {
            rows.append(("by the pattern", [.element("code", pattern)]))
        }
        if !entry.hosts.exceptions.isEmpty {
            let omitted = entry.hosts.omitted
            let more = omitted > 0 ? [HTML(Cut.rest(omitted, after: " patterns"))] : []
            rows.append(
                (
                    "except",
                    UnitReportSections.separated(
                        entry.hosts.exceptions.map { .element("code", $0) } + more)
                ))
        }
        rows.append(("such as", [.element("code", entry.witness.text)]))
        return rows
    }

    /// The facts that all classes of a group have: how they compare, the owner, and the terms. In a
    /// group they are told of the first class, and never by a link to another class of its rule.
    private func shared(
        _ number: Int, _ entry: UnitReport.HostEntry, isOfGroup: Bool = false,
        _ context: inout Context
    ) -> [(String, [HTML])] {
        let demands = report.demands[entry.demands]
        var rows: [(String, [HTML])] = []
        if let comparison = entry.comparison, comparison.relation != .equal {
            let shown = comparison.fields.prefix(UnitReportSections.mostFields)
            let more = comparison.fields.count - shown.count
            rows.append(
                (
                    "against the rule around it",
                    [HTML(sentence: UnitReportSentences.comparison(comparison))]
                        + [
                            .element(
                                "ul",
                                shown.map { .element("li", [HTML(sentence: $0.sentence)]) }
                                    + Cut.others(more).map { HTML.element("li", $0) })
                        ]
                ))
        }
        let first = firsts[entry.rule.id] ?? number
        guard first == number || isOfGroup else {
            rows.append(("of the whole rule", [HTML("as for "), classLink(first, context)]))
            return rows
        }
        if let owner = entry.rule.owner { rows.append(("owner", [HTML(owner)])) }
        if let note = entry.note { rows.append(("note", [HTML(note)])) }
        guard !demands.isDenied else { return rows }
        rows.append(
            (
                "anchors",
                demands.arePinnedKeys
                    ? [HTML(AnchorSetContents.pinnedKeysID)]
                    : UnitReportSections.separated(demands.anchors.map { anchorLink($0, context) })
            ))
        rows.append(
            (
                "pins",
                demands.pins.isEmpty
                    ? [HTML("none")]
                    : UnitReportSections.separated(demands.pins.map { pinLink($0, context) })
            ))
        if !entry.exceptions.isEmpty {
            rows.append(
                (
                    "exceptions",
                    UnitReportSections.separated(
                        entry.exceptions.map { index in
                            let exception = report.exceptions[index]
                            return context.link(
                                "e\(index + 1)",
                                [
                                    HTML(
                                        "\(exception.kind.rawValue) \(exception.check) until "
                                            + Words.day(exception.until))
                                ])
                        })
                ))
        }
        if let first = demands.classes.first, first != number, !isShort {
            rows.append(("all else", [HTML("as for "), classLink(first, context)]))
            return rows
        }
        rows.append(
            (
                "strictness",
                [
                    HTML(
                        demands.strictness.map { "\($0.field.rawValue) \($0.value)" }
                            .joined(separator: "; "))
                ]
            ))
        rows.append(
            (
                "written",
                [
                    HTML(
                        UnitReportSections.written(demands, most: UnitReportSections.mostNames)
                            .joined(separator: "; "))
                ]
            ))
        if let guarantee = demands.guarantee {
            rows.append(("revocation", [HTML(sentence: guarantee)]))
        }
        return rows
    }

    /// The lines for a class beside its anchors, pins and exceptions: a field with its value each.
    private static func written(_ demands: UnitReport.Demands, most: Int) -> [String] {
        demands.fields.filter { field in
            !["anchors", "pins"].contains(field.name) && !field.name.hasPrefix("waivers.")
                && !field.name.hasPrefix("report-only.")
        }
        .map { "\($0.name) \($0.text(most: most))" }
    }

    // MARK: Links

    private func classLink(_ number: Int, _ context: Context) -> HTML {
        context.link(
            "c\(number)",
            [
                .element(
                    "code",
                    DiffSentences.text(report.classes[number - 1].hosts, exceptions: false))
            ])
    }

    private func anchorLink(_ id: String, _ context: Context) -> HTML {
        anchorNumbers[id].map { context.link("a\($0)", [HTML(id)]) } ?? HTML(id)
    }

    private func pinLink(_ id: String, _ context: Context) -> HTML {
        pinNumbers[id].map { context.link("p\($0)", [HTML(id)]) } ?? HTML(id)
    }

    private static func separated(_ items: [HTML]) -> [HTML] {
        items.enumerated().flatMap { $0 == 0 ? [$1] : [HTML(", "), $1] }
    }

    private static func word(_ standing: UnitReport.Standing) -> HTML {
        let mark: StaticString
        switch standing {
        case .begins: mark = "soft"
        case .lasts: mark = "good"
        case .ends: mark = "warn"
        case .over: mark = "bad"
        }
        return .element("span", ["class": "word \(mark)"], standing.rawValue)
    }

    /// The rules that use something, the first of them by name, with links to their classes.
    private func uses(_ uses: UnitReport.Uses, _ context: Context) -> [HTML] {
        let shown = uses.rules.prefix(UnitReportSections.mostNames)
        let more = uses.rules.count - shown.count
        let links = shown.map { id -> HTML in
            let name = HTML(UnitReportSentences.rule(id))
            return firsts[id].map { context.link("c\($0)", [name]) } ?? name
        }
        guard !links.isEmpty else { return [HTML(UnitReportSentences.uses(uses))] }
        return [HTML(UnitReportSentences.uses(uses) + ": ")]
            + UnitReportSections.separated(links + (more > 0 ? [HTML(Cut.rest(more))] : []))
    }

    private func setFacts(
        _ id: String, owner: String?, _ location: Provenance.Location?,
        _ fields: [EffectiveRule.Field], _ used: UnitReport.Uses, _ context: inout Context
    ) -> HTML {
        var rows: [(String, [HTML])] = [("used by", uses(used, context))]
        if let owner { rows.append(("owner", [HTML(owner)])) }
        if let location { rows.append(("written at", [context.source.link(location)])) }
        rows += fields.map { field in
            (
                UnitReportSections.key(field.name, of: id),
                [HTML(field.text(most: UnitReportSections.mostNames))]
            )
        }
        return HTML.facts(rows)
    }

    /// The name of a field without its set: `kind` of `anchors.acme.kind`, `[2] kind` where the
    /// set has several groups of members.
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

    // MARK: Anchors

    private func anchors() -> Part {
        Part(
            id: "anchors", title: "Anchors",
            intro: report.anchors.isEmpty
                ? [.element("p", "The policy has no anchor sets.")] : [],
            items: report.anchors.enumerated().map { index, entry in
                Item(
                    id: "a\(index + 1)", label: entry.id,
                    citations: entry.location == nil ? 0 : 1
                ) { context in
                    .element(
                        "li", ["id": "a\(index + 1)", "class": PageFilter.row],
                        [
                            .element("h3", [.element("code", entry.id)]),
                            self.setFacts(
                                entry.id, owner: entry.owner, entry.location, entry.fields,
                                entry.uses, &context),
                        ] + entry.certificates.map(UnitReportSections.certificate))
                }
            })
    }

    private static func certificate(_ entry: UnitReport.AnchorCertificate) -> HTML {
        let rows = entry.facts.facts.filter { !$0.values.isEmpty }.map { fact in
            (fact.title, [HTML(fact.values.joined(separator: ", "))])
        }
        return .element(
            "details",
            [
                .element(
                    "summary",
                    [
                        word(entry.standing), HTML(" "), HTML(sentence: entry.sentence),
                    ]), HTML.facts(rows),
            ])
    }

    // MARK: Pins

    private func pins() -> Part {
        Part(
            id: "pins", title: "Pins",
            intro: report.pins.isEmpty ? [.element("p", "The policy has no pin sets.")] : [],
            items: report.pins.enumerated().map { index, entry in
                Item(
                    id: "p\(index + 1)", label: entry.id,
                    citations: entry.location == nil ? 0 : 1
                ) { context in
                    .element(
                        "li", ["id": "p\(index + 1)", "class": PageFilter.row],
                        [
                            .element(
                                "h3",
                                [
                                    .element("code", entry.id), HTML(" "),
                                    UnitReportSections.word(entry.standing),
                                ])
                        ] + entry.sentences.map { .element("p", [HTML(sentence: $0)]) } + [
                            self.setFacts(
                                entry.id, owner: entry.owner, entry.location, entry.fields,
                                entry.uses, &context)
                        ])
                }
            })
    }

    // MARK: Waivers and report modes

    private func exceptions() -> Part {
        Part(
            id: "exceptions", title: "Waivers and report-only, by end",
            intro: report.exceptions.isEmpty
                ? [.element("p", "No rule that decides hosts has a waiver or a report mode.")] : [],
            items: report.exceptions.enumerated().map { index, entry in
                Item(
                    id: "e\(index + 1)", label: "\(entry.kind.rawValue) \(entry.check)",
                    citations: entry.origin?.location == nil ? 0 : 1
                ) { context in
                    self.exception(index + 1, entry, &context)
                }
            })
    }

    private func exception(
        _ number: Int, _ entry: UnitReport.ExceptionEntry, _ context: inout Context
    ) -> HTML {
        var rows: [(String, [HTML])] = [("until", [HTML(entry.until.description)])]
        for (name, text) in [
            ("owner", entry.owner), ("reason", entry.reason), ("ticket", entry.ticket),
            ("limit", entry.limit), ("note", entry.note),
        ] {
            if let text { rows.append((name, [HTML(text)])) }
        }
        if let location = entry.origin?.location {
            rows.append(("written at", [context.source.link(location)]))
        }
        rows.append(("used by", uses(entry.uses, context)))
        return .element(
            "li", ["id": "e\(number)", "class": PageFilter.row],
            [
                .element(
                    "h3",
                    [
                        HTML("\(entry.kind.rawValue) \(entry.check) "),
                        .element(
                            "span",
                            ["class": entry.standing == .over ? "word soft" : "word warn"],
                            entry.standing.rawValue),
                    ]), .element("p", [HTML(sentence: entry.sentence)]), HTML.facts(rows),
            ])
    }

    // MARK: Revocation

    private func revocation() -> Part {
        var order: [String] = []
        var classes: [String: [Int]] = [:]
        for demands in report.demands {
            guard let guarantee = demands.guarantee else { continue }
            if classes[guarantee] == nil { order.append(guarantee) }
            classes[guarantee, default: []] += demands.classes
        }
        return Part(
            id: "revocation", title: "How soon a revocation takes effect",
            intro: order.isEmpty ? [.element("p", "Every host is denied.")] : [],
            items: order.enumerated().map { index, guarantee in
                let numbers = (classes[guarantee] ?? []).sorted()
                return Item(id: "r\(index + 1)", label: guarantee) { context in
                    let shown = numbers.prefix(UnitReportSections.mostClasses)
                    let more = numbers.count - shown.count
                    return .element(
                        "li", ["id": "r\(index + 1)", "class": PageFilter.row],
                        [
                            .element("p", [HTML(sentence: guarantee)]),
                            .element(
                                "details",
                                [
                                    .element(
                                        "summary",
                                        Words.count(numbers.count, "class", "classes")
                                            + " of hosts"),
                                    .element(
                                        "p",
                                        UnitReportSections.separated(
                                            shown.map { self.classLink($0, context) }
                                                + (more > 0
                                                    ? [
                                                        HTML(
                                                            Cut.rest(
                                                                more,
                                                                after: ", each of which says it"))
                                                    ]
                                                    : []))),
                                ]),
                        ])
                }
            })
    }

    // MARK: Findings

    private func findings(_ found: FindingReport) -> Part {
        var intro: [HTML] = []
        if found.findings.isEmpty {
            intro.append(.element("p", "The linter finds nothing."))
        }
        if !found.suppressed.isEmpty {
            intro.append(
                .element(
                    "p",
                    [
                        HTML(
                            sentence:
                                "\(Words.count(found.suppressed.count, "finding is", "findings are")) "
                                + "hidden by comments: "
                                + "`hawser lint --level audit` lists them.")
                    ]))
        }
        if !found.isWhole {
            intro.append(
                .element(
                    "p",
                    "Too many patterns or constraints overlap; not every rule on hosts and anchors "
                        + "could be applied."))
        }
        return Part(
            id: "findings", title: "Findings", intro: intro,
            items: alike(found.findings).map { numbers in
                UnitReportSections.item(numbers, found)
            })
    }

    /// The numbers of the findings, from 1: each by itself, or many that say the same of rules that
    /// say the same. The first of them has the place of the others.
    private func alike(_ findings: [Diagnostic]) -> [[Int]] {
        var names: Set<String> = []
        for number in groups.filter({ $0.count > 1 }).joined() {
            let entry = report.classes[number - 1]
            names.formUnion([entry.rule.id, label(number)] + [entry.pattern].compactMap(\.self))
        }
        let texts = findings.map { UnitReportSections.text($0, without: names) }
        var numbers: [[String]: [Int]] = [:]
        for (index, text) in texts.enumerated() { numbers[text, default: []].append(index + 1) }
        return texts.enumerated().flatMap { index, text -> [[Int]] in
            let all = numbers[text] ?? []
            guard all.count > UnitReportSections.mostAlike else { return [[index + 1]] }
            guard all.first == index + 1 else { return [] }
            // A page can be split between the parts.
            let most = UnitReportSections.mostOfOneGroup
            return stride(from: 0, to: all.count, by: most).map {
                Array(all[$0..<min($0 + most, all.count)])
            }
        }
    }

    /// Everything that a finding says, without the names in backticks that are among `names`.
    private static func text(_ finding: Diagnostic, without names: Set<String>) -> [String] {
        let texts =
            [finding.code.rawValue, finding.severity.rawValue, finding.message] + finding.help
            + finding.notes + ([finding.primary] + finding.labels).map(\.text)
            + (finding.fix.map { [$0.title] } ?? [])
        return texts.map { text in
            text.split(separator: "`", omittingEmptySubsequences: false)
                .map { names.contains(String($0)) ? "" : String($0) }.joined(separator: "`")
        }
    }

    /// One finding, or several that say the same: the first as it is, the others folded.
    private static func item(_ numbers: [Int], _ found: FindingReport) -> Item {
        func one(_ number: Int, _ context: inout Context) -> HTML {
            finding(number, found.findings[number - 1], found.files, &context)
        }
        let first = found.findings[numbers[0] - 1]
        let citations = numbers.reduce(0) { $0 + 1 + found.findings[$1 - 1].labels.count }
        let code = first.code.rawValue
        guard numbers.count > 1 else {
            return Item(id: "f\(numbers[0])", label: code, citations: citations) { context in
                one(numbers[0], &context)
            }
        }
        return Item(
            id: "k\(numbers[0])", label: code, citations: citations,
            members: numbers.map { ("f\($0)", code) }
        ) { context in
            .element(
                "li", ["id": "k\(numbers[0])"],
                [
                    .element("ul", ["class": "list"], [one(numbers[0], &context)]),
                    .element(
                        "details", ["class": PageFilter.group],
                        [
                            .element(
                                "summary",
                                "\(code): "
                                    + Cut.rest(
                                        numbers.count - 1,
                                        after: " that say the same of other rules")
                            ),
                            .element(
                                "ul", ["class": "list"],
                                numbers.dropFirst().map { one($0, &context) }),
                        ]),
                ])
        }
    }

    private static func finding(
        _ number: Int, _ finding: Diagnostic, _ files: [SourceFile], _ context: inout Context
    ) -> HTML {
        let mark: StaticString
        switch finding.severity {
        case .error: mark = "bad"
        case .warning: mark = "warn"
        case .info: mark = "soft"
        }
        func place(_ label: Diagnostic.Label) -> HTML? {
            guard let place = DiagnosticPlace(label.span, in: files) else { return nil }
            let link = context.source.link(
                Provenance.Location(
                    file: place.file.path, line: place.start.line, column: place.start.column))
            return .element(
                "p", ["class": "place"],
                [link, HTML(sentence: label.text.isEmpty ? "" : ": \(label.text)")])
        }
        let places = ([finding.primary] + finding.labels).compactMap(place)
        let words = finding.help + finding.notes + (finding.fix.map { [$0.title] } ?? [])
        return .element(
            "li", ["id": "f\(number)", "class": PageFilter.row],
            [
                .element(
                    "h3",
                    [
                        HTML(sentence: finding.message + " "),
                        .element(
                            "span", ["class": "word \(mark)"],
                            "\(finding.severity.rawValue) \(finding.code.rawValue)"),
                    ])
            ] + places
                + (words.isEmpty
                    ? [] : [.element("ul", words.map { .element("li", [HTML(sentence: $0)]) })]))
    }

    /// Most names of rules, authorities or members that are written out; JSON has all.
    private static let mostNames = 12
    /// Most classes that are linked from one guarantee.
    private static let mostClasses = 200
    /// Most findings that say the same and stand one after another.
    private static let mostAlike = 7
    /// Most findings that are folded into one.
    private static let mostOfOneGroup = 500
    /// Most fields of a comparison that are written out.
    private static let mostFields = 6
    /// Most fields that a folded class tells, and most members of each.
    private static let mostTold = 2
    /// The deepest level that is indented by itself.
    private static let deepest = 4
    /// The most classes of which each shows everything.
    private static let mostShown = 250
}
