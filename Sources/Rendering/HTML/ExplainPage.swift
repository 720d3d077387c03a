package import TrustEngine

/// Writes `explain --format html`: the verdict, the paths as a drawing, the time line, every check
/// with both sides, and the lines of the policy. It walks the same steps as the other renderers
/// and has their sentences.
package struct ExplainPage {
    /// What the page shows besides the trace.
    package struct Input: Sendable {
        /// The certificates at hand: presented ones and anchors.
        package var certificates: [CertificateFacts]
        /// The files of the policy; empty where only its table is at hand.
        package var files: [PolicySourceView.File]
        package var assumptions: [String]
        package var commands: [String]
        package var repairs: [Repair]?
        /// The lines about a replayed receipt.
        package var replay: [String]
        package var version: String

        package init(
            certificates: [CertificateFacts] = [], files: [PolicySourceView.File] = [],
            assumptions: [String] = [], commands: [String] = [], repairs: [Repair]? = nil,
            replay: [String] = [], version: String
        ) {
            self.certificates = certificates
            self.files = files
            self.assumptions = assumptions
            self.commands = commands
            self.repairs = repairs
            self.replay = replay
            self.version = version
        }
    }

    private let explanation: Explanation
    private let outline: TraceOutline
    private let places: PlaceFinder
    private let situation: Situation
    private let input: Input
    private let decisive: TraceOutline.Candidate?
    private let facts: [Digest: CertificateFacts]

    /// The page of an explanation.
    package static func render(
        _ explanation: Explanation, _ input: Input
    ) -> String {
        var source = PolicySourceView(input.files)
        let page = ExplainPage(explanation, input)
        let head = page.head(&source)
        let sections = [
            HTMLPage.Section("failed", "What failed", page.failures(&source)),
            HTMLPage.Section("change", "What would change it", page.repairs()),
            HTMLPage.Section("paths", "Paths", page.paths()),
            HTMLPage.Section("time", "Time", page.time()),
            HTMLPage.Section("checks", "Checks", page.checks(&source)),
            HTMLPage.Section("told", "Reported and noticed", page.told()),
            HTMLPage.Section("assumed", "Assumed", page.assumed()),
            HTMLPage.Section("policy", "Policy", source.content()),
        ]
        let verdict = explanation.verdict.isAccept ? "accept" : "reject"
        return HTMLPage.render(
            title: "\(verdict) \(page.target)", kind: "explain", head: head, sections: sections,
            footer: page.footer())
    }

    private init(_ explanation: Explanation, _ input: Input) {
        self.explanation = explanation
        self.input = input
        outline = TraceOutline(explanation.trace)
        places = PlaceFinder(
            provenance: explanation.table?.provenance(),
            profile: outline.rule?.profile ?? "baseline")
        situation = Situation(explanation, outline)
        decisive = outline.decisive(for: explanation.verdict)
        facts = CertificateFacts.byFingerprint(input.certificates)
    }

    private var target: String {
        outline.request.map { HostWithPort.text($0.canonicalHost ?? $0.host, $0.port) } ?? ""
    }

    private var violations: [Violation] {
        SideSentences.ordered(explanation.verdict.violations, situation)
    }

    // MARK: The head

    private func head(_ source: inout PolicySourceView) -> [HTML] {
        let isAccept = explanation.verdict.isAccept
        let lead = VerdictSentence.text(explanation.verdict, outline, situation) ?? ""
        var rows: [(String, [HTML])] = []
        if let request = outline.request {
            rows.append(("judged at", [HTML(request.time.description)]))
        }
        if let rule = outline.rule {
            rows.append(("rule", ruleFact(rule, &source)))
            let authors = RuleAuthors(outline, explanation.table)
            if authors.isKnown {
                rows.append(("owner", [HTML(authors.owner ?? "no owner is written")]))
            }
            if let note = authors.note { rows.append(("note", [HTML(note)])) }
        }
        let owners = SetOwners(outline, explanation.table, situation.facts)
        if owners.isKnown {
            for set in owners.sets(of: violations) {
                rows.append(
                    (
                        "owner of \(set.section == .anchors ? "anchor" : "pin") set",
                        [
                            HTML(sentence: "`\(set.id)`: "),
                            HTML(set.owner ?? "no owner is written"),
                            HTML(" "), source.link(places.named(set.section.rawValue, set.id)),
                        ]
                    ))
            }
        }
        if let first = violations.first {
            for (index, reading) in SideSentences.readings(first, situation).enumerated() {
                rows.append(
                    (
                        index == 0 ? "side" : "or",
                        [HTML(sentence: "\(SideSentences.name(reading.side)): \(reading.words)")]
                    ))
            }
        }
        let ids = TraceText.ids(violations).map { id in
            HTML.joined([HTML(" "), .word(.soft, id)])
        }
        return [
            .element("h1", target),
            .element(
                "p",
                [
                    .element(
                        "span", ["class": "word verdict \(isAccept ? "good" : "bad")"],
                        isAccept ? "✓ accept" : "✗ reject")
                ] + ids),
            .element("p", ["class": "lead"], [HTML(sentence: lead)]),
            HTML.facts(rows),
        ]
    }

    private func ruleFact(_ rule: RuleStep, _ source: inout PolicySourceView) -> [HTML] {
        switch rule.selection {
        case .pattern(let pattern):
            let place = places.pattern(pattern, rule: rule.rule) ?? places.rule(rule.rule)
            return [
                HTML(sentence: "`\(rule.rule)`, selected by `\(pattern)` "), source.link(place),
            ]
        case .defaultBody:
            return [HTML(sentence: "`default`: no pattern matches "), source.link(places.rule(""))]
        case .defaultDeny:
            return [
                HTML(sentence: "`default: deny`: no pattern matches "),
                source.link(places.rule("")),
            ]
        }
    }

    // MARK: What failed

    private func failures(_ source: inout PolicySourceView) -> [HTML] {
        guard !violations.isEmpty else { return [] }
        var items: [HTML] = []
        for violation in violations {
            var parts: [HTML] = [
                .element(
                    "h3",
                    [
                        HTML(CheckSentences.title(violation.check) + " "),
                        .word(.bad, violation.id),
                    ]),
                .element(
                    "p", [HTML(sentence: ViolationSentences.headline(violation, situation))]),
                .element(
                    "p", ["class": "place"],
                    citation(of: violation, &source)),
            ]
            if case .pinMismatch(let mismatch) = violation.reason {
                parts.append(
                    .element(
                        "ul",
                        PathWords.pins(mismatch, places: places).map {
                            .element("li", [HTML(sentence: $0)])
                        }))
            }
            let answers = violation.fields.flatMap { field in
                (field.answers ?? []).map {
                    "\(EvidenceSentences.name($0)) \(EvidenceSentences.clause($0))"
                } + (field.timestamps ?? []).map(TransparencySentences.line)
            }
            if !answers.isEmpty {
                parts.append(
                    .element("ul", answers.map { .element("li", [HTML(sentence: $0)]) }))
            }
            items.append(.element("li", parts))
        }
        return [.element("ul", ["class": "list"], items)]
    }

    private func citation(
        of violation: Violation, _ source: inout PolicySourceView
    ) -> [HTML] {
        var pointer = outline.demands(of: violation.check).last?.pointer.map {
            ViolationSentences.pointer(of: violation, demand: $0)
        }
        if case .anchorConstraintNotMet(let failure) = violation.reason {
            pointer = places.pointer(of: failure)
        }
        return cited(pointer, CheckSentences.citation(of: violation), &source)
    }

    /// The place of a demand, and the section behind it.
    private func cited(
        _ pointer: String?, _ section: String, _ source: inout PolicySourceView
    ) -> [HTML] {
        guard let pointer else { return [HTML(section)] }
        let place = places.place(of: pointer)
        switch place {
        case .written(let location, let layer):
            var words = ", "
            if case .profile(let id) = layer { words = " (profile `\(id)`), " }
            return [source.link(location), HTML(sentence: words + section)]
        case .builtIn: return [HTML(sentence: (place.text ?? "") + ", " + section)]
        case .unknown: return [HTML(section)]
        }
    }

    // MARK: What would change it

    private func repairs() -> [HTML] {
        guard !explanation.verdict.isAccept else { return [] }
        let repairs = situation.repairs(
            explanation, outline, explanation.table, given: input.repairs)
        var items = repairs.map { repair -> HTML in
            var parts: [HTML] = [.element("p", [HTML(sentence: repair.text)])]
            if let edit = repair.edit {
                parts.append(
                    .element("p", ["class": "place"], [HTML(sentence: "write \(edit.place):")]))
                parts.append(HTML.code(edit.lines))
            }
            return .element("li", parts)
        }
        items += input.commands.map {
            .element("li", [.element("p", "run next"), HTML.code([$0])])
        }
        return items.isEmpty ? [] : [.element("ul", ["class": "list"], items)]
    }

    // MARK: Paths

    private func paths() -> [HTML] {
        guard !outline.candidates.isEmpty else { return [] }
        let accepted = explanation.verdict.isAccept ? decisive?.path.number : nil
        let drawing = PathDrawing(
            outline.candidates, accepted: accepted, decisive: decisive?.path.number, facts: facts)
        let rows = outline.candidates.map { candidate -> HTML in
            let ids = TraceText.ids(candidate.failures)
            let word: HTML
            if candidate.path.number == accepted {
                word = .word(.good, "accepted")
            } else if ids.isEmpty {
                word = .word(.soft, "not needed")
            } else {
                word = .word(.bad, ids.joined(separator: ", "))
            }
            return .element(
                "li",
                [
                    .element("p", [HTML("path \(candidate.path.number) "), word]),
                    .element("p", [HTML(sentence: PathWords.path(candidate.path))]),
                ])
        }
        return [drawing.figure(), .element("ul", ["class": "list"], rows)] + certificates()
    }

    /// The certificates of all paths, each once, with their fields folded.
    private func certificates() -> [HTML] {
        var seen: Set<Digest> = []
        let all = outline.candidates.flatMap(\.path.certificates)
            .filter { seen.insert($0.fingerprint).inserted }
        guard !all.isEmpty else { return [] }
        return [.element("h3", "Certificates")]
            + all.map { reference in
                let title = HTML.joined([
                    HTML(Words.shortSubject(reference.subject) + " "),
                    .element("span", ["class": "soft"], PathDrawing.kind(reference)),
                ])
                let own = facts[reference.fingerprint]?.facts ?? []
                let rows = own.filter { !$0.values.isEmpty }.map { fact in
                    (fact.title, [HTML(fact.values.joined(separator: ", "))])
                }
                return .element(
                    "details",
                    [
                        .element("summary", [title]),
                        HTML.facts(
                            rows.isEmpty
                                ? [("SHA-256", [HTML(reference.fingerprint.text)])] : rows),
                    ])
            }
    }

    // MARK: Time

    private func time() -> [HTML] {
        guard let request = outline.request else { return [] }
        var rows: [TimeDrawing.Row] = []
        let shown = decisive ?? outline.candidates.first
        for reference in shown?.path.certificates ?? [] {
            guard let own = facts[reference.fingerprint] else { continue }
            rows.append(
                TimeDrawing.Row(
                    title: Words.shortSubject(reference.subject),
                    from: own.notBefore, until: own.notAfter))
        }
        let checks = outline.requestChecks + (shown?.checks ?? [])
        for answer in checks.flatMap(ExplainPage.answers) {
            guard let from = answer.thisUpdate else { continue }
            let row = TimeDrawing.Row(
                title: EvidenceSentences.name(answer), from: from, until: answer.nextUpdate)
            if !rows.contains(row) { rows.append(row) }
        }
        for demand in outline.demands {
            let title = CheckSentences.title(demand.check)
            switch demand.enforcement {
            case .enforced, .reported(nil): continue
            case .waived(let until, _):
                rows.append(TimeDrawing.Row(title: "\(title): waived", from: nil, until: until))
            case .reported(let until?):
                rows.append(
                    TimeDrawing.Row(title: "\(title): reported only", from: nil, until: until))
            }
        }
        guard !rows.isEmpty else { return [] }
        return TimeDrawing(rows, judgedAt: request.time).content()
    }

    private static func answers(_ check: CheckStep) -> [RevocationAnswer] {
        switch check.outcome {
        case .passed(.revocation(let standings)?): return standings.flatMap(\.answers)
        case .failed(let violations):
            return violations.flatMap { $0.fields.flatMap { $0.answers ?? [] } }
        case .tolerated(let reported):
            return reported.flatMap { $0.violation.fields.flatMap { $0.answers ?? [] } }
        case .passed, .notAsked: return []
        }
    }

    // MARK: Checks

    private func checks(_ source: inout PolicySourceView) -> [HTML] {
        let checks = outline.requestChecks + (decisive?.checks ?? [])
        guard !checks.isEmpty else { return [] }
        var rows: [HTML] = []
        for check in checks {
            let word: HTML
            var sides: [HTML]
            switch check.outcome {
            case .passed(let passed):
                word = .word(.good, "passed")
                sides = CheckSentences.found(passed).map { [HTML(sentence: $0)] } ?? []
            case .failed(let violations):
                word = .word(.bad, "failed")
                sides = violations.map {
                    .element("p", [HTML(sentence: ViolationSentences.headline($0))])
                }
            case .tolerated(let reported):
                word = .word(.warn, "reported")
                sides = reported.map {
                    .element(
                        "p",
                        [
                            HTML(
                                sentence: ViolationSentences.headline($0.violation)
                                    + " (\(CheckSentences.reason($0.reason)))")
                        ])
                }
            case .notAsked:
                word = .word(.soft, "– not reached")
                sides = []
            }
            rows.append(
                .element(
                    "tr",
                    [
                        .element("td", [word]),
                        .element("th", ["scope": "row"], CheckSentences.title(check.check)),
                        .element("td", sides),
                        .element(
                            "td", ["class": "place"],
                            cited(
                                outline.demands(of: check.check).last?.pointer,
                                CheckSentences.citation(check.check), &source)),
                    ]))
        }
        let head = ["outcome", "check", "what was wanted and found", "demanded by"].map {
            HTML.element("th", ["scope": "col"], $0)
        }
        return [
            .element(
                "table", ["class": "wide"],
                [
                    .element(
                        "caption",
                        decisive.map { "the checks of the request and of path \($0.path.number)" }
                            ?? "the checks of the request"),
                    .element("thead", [.element("tr", head)]), .element("tbody", rows),
                ])
        ]
    }

    // MARK: The end

    private func told() -> [HTML] {
        var items: [(String, String)] = []
        if case .accept(let acceptance) = explanation.verdict.outcome {
            items += acceptance.reported.map {
                (
                    $0.violation.id,
                    ViolationSentences.headline($0.violation)
                        + " (\(CheckSentences.reason($0.reason)))"
                )
            }
            items += acceptance.notices.map { ($0.id, CheckSentences.notice($0)) }
        }
        var seen: Set<String> = []
        for wanted in explanation.verdict.wanted where seen.insert(wanted.url).inserted {
            items.append(
                ("wanted", "\(wanted.url) for its \(EvidenceSentences.noun(wanted.source))"))
        }
        for certificate in outline.certificates {
            guard case .setAside(let error) = certificate.status else { continue }
            items.append(("set aside", "certificate \(certificate.index + 1): \(error.details)"))
        }
        guard !items.isEmpty else { return [] }
        return [
            .element(
                "ul", ["class": "list"],
                items.map { word, text in
                    .element(
                        "li",
                        [
                            .element(
                                "p",
                                [
                                    .word(.warn, word),
                                    HTML(sentence: " " + text),
                                ])
                        ])
                })
        ]
    }

    private func assumed() -> [HTML] {
        let lines = input.replay + input.assumptions
        guard !lines.isEmpty else { return [] }
        return [.element("ul", lines.map { .element("li", [HTML(sentence: $0)]) })]
    }

    private func footer() -> [HTML] {
        let verdict = explanation.verdict
        var rows = [("policy", [HTML(verdict.policyDigest.text)])]
        if let store = verdict.systemStoreDigest {
            rows.append(("system store", [HTML(store.text)]))
        }
        if let list = verdict.logListDigest { rows.append(("log list", [HTML(list.text)])) }
        if let work = outline.work {
            rows.append(
                (
                    "work",
                    [
                        HTML(
                            "\(work.spent) of \(work.limit) cost units: "
                                + Words.count(work.signatures, "signature") + ", "
                                + Words.count(work.paths, "path"))
                    ]
                ))
        }
        rows.append(("written by", [HTML("hawser \(input.version)")]))
        return [HTML.facts(rows)]
    }
}
