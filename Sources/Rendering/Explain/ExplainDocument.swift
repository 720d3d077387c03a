import PolicyReading
package import TrustEngine

/// Makes the document of an explanation: the answer in the first line, then its reasons, then the
/// changes that would give another answer.
///
/// One file because screen and trace share the words of every line. `ExplainDocument+Page.swift`
/// adds the parts that only a page has.
///
/// By default a text is a screen. It shows the failed checks, the side at fault, the owner of the
/// rule, the lines of the policy that decide, and the next action; it only counts the passed
/// checks. If the screen has a height, parts that do not fit are dropped in the order of the ranks
/// below. `everything` shows all checks of the deciding path, and adds every step of the trace.
package struct ExplainDocument {
    /// How much a text shows.
    package enum Detail: Hashable, Sendable {
        case screen
        case everything
    }

    /// Facts that the document shows besides the trace.
    package struct Options: Sendable {
        package var detail: Detail
        /// The values that the caller assumed, such as the port or the time, one line each.
        package var assumptions: [String]
        /// Commands that the reader can run next, ready to paste.
        package var commands: [String]
        /// The repairs to show, as `RepairProof` has them; nil for the repairs of `RepairFinder`,
        /// which are only words.
        package var repairs: [Repair]?
        /// The certificates at hand: presented ones and anchors.
        package var certificates: [CertificateFacts] = []
        /// The files of the policy; empty where only its table is at hand.
        package var files: [PolicySourceFile] = []
        /// The lines about a replayed receipt, for a page. A text has them before its first line.
        package var replay: [String] = []
        /// The command line that asked for the explanation.
        package var command: String?
        package var version = ""

        /// The options; by default for a file or a pipe.
        package init(
            detail: Detail = .screen, assumptions: [String] = [], commands: [String] = [],
            repairs: [Repair]? = nil
        ) {
            self.detail = detail
            self.assumptions = assumptions
            self.commands = commands
            self.repairs = repairs
        }
    }

    /// The first line of the text: verdict, host and reason, however wide.
    package static func firstLine(of explanation: Explanation) -> String {
        let line = ExplainDocument(explanation, explanation.table?.provenance(), nil, Options())
            .firstLine()
        return TerminalEscape.escape(line.word + line.rest)
    }

    let explanation: Explanation
    let outline: TraceOutline
    let places: PlaceFinder
    let table: PolicyTable?
    let options: Options
    let situation: Situation
    /// The path that the verdict rests on; nil where it rests on none.
    let decisive: TraceOutline.Candidate?

    /// The document of an explanation. Lines of the policy are cited where the table that judged
    /// carries provenance.
    package static func document(
        _ explanation: Explanation, _ options: Options = Options()
    ) -> Document {
        ExplainDocument(
            explanation, explanation.table?.provenance(), explanation.table, options
        ).document()
    }

    /// The text of an explanation; each line ends with a line feed. What `everything` shows is
    /// never cut.
    package static func text(
        _ explanation: Explanation, _ options: Options = Options(),
        colour: TextWriter.Colour = .plain, columns: Int = 100, rows: Int? = nil
    ) -> String {
        text(
            explanation, provenance: explanation.table?.provenance(), table: explanation.table,
            options, colour: colour, columns: columns, rows: rows)
    }

    /// The text with a provenance and a table that the caller chooses. Without a provenance no line
    /// is cited. Without a table no line is offered to be written into a rule.
    static func text(
        _ explanation: Explanation, provenance: Provenance?, table: PolicyTable? = nil,
        _ options: Options = Options(), colour: TextWriter.Colour = .plain, columns: Int = 100,
        rows: Int? = nil
    ) -> String {
        // A service explains every reject: what only pages have is not made.
        TextWriter.write(
            ExplainDocument(explanation, provenance, table, options).screen(), colour: colour,
            columns: columns, rows: options.detail == .everything ? nil : rows)
    }

    private init(
        _ explanation: Explanation, _ provenance: Provenance?, _ table: PolicyTable?,
        _ options: Options
    ) {
        self.explanation = explanation
        self.outline = TraceOutline(explanation.trace)
        self.places = PlaceFinder(
            provenance: provenance, profile: outline.rule?.profile ?? "baseline")
        self.table = table
        self.options = options
        self.situation = Situation(explanation, outline)
        self.decisive = outline.decisive(for: explanation.verdict)
    }

    private func document() -> Document {
        var document = screen()
        document.headline = headline()
        document.title =
            "\(explanation.verdict.isAccept ? "accept" : "reject") \(document.headline.title)"
        document.command = options.command
        document.sources = options.files
        document.footer = footer()
        document.findings = findings()
        document.suites = suites()
        document.blocks += page()
        return document
    }

    /// The blocks of a text.
    private func screen() -> Document {
        var document = Document(kind: "explain", version: options.version)
        document.wrapping = .columns
        document.blocks = answer()
        var tree = Tree()
        let assumptions = options.assumptions.map {
            Block.line(DocumentText($0), rank: .assumption, room: .screen)
        }
        switch options.detail {
        case .screen:
            screen(&tree)
            document.blocks += [.tree(tree, room: .screen)] + assumptions
            document.closing = closing()
        case .everything:
            everything(&tree)
            document.blocks += [.tree(tree, room: .screen)] + assumptions
            document.blocks += [.gap(), .line("every step:", room: .screen)]
            document.blocks.append(
                .tree(TraceSteps.tree(explanation.trace.steps, places: places), room: .screen))
        }
        return document
    }

    /// The screen of a verdict: what failed comes first.
    private func screen(_ page: inout Tree) {
        sideNodes(&page)
        ruleNodes(&page)
        for (index, violation) in violations.enumerated() {
            failureNode(violation, index == 0 ? .deciding : .failure, &page)
        }
        certificateNodes(&page)
        if let decisive {
            page.node(
                "path \(decisive.path.number)", PathWords.path(decisive.path), nil, .path)
        }
        for check in shownChecks() {
            for line in lines(of: check) {
                page.node(line.label, line.text, line.place, rank(of: check))
            }
        }
        otherPaths(&page)
        guaranteeNode(&page)
        noticeNodes(&page)
        wantedNodes(&page)
        repairNodes(&page)
    }

    /// The checks with a line on the screen besides those that failed: what a waiver or a report
    /// mode let through, and of an accept the checks that it rests on.
    private func shownChecks() -> [CheckStep] {
        (outline.requestChecks + (decisive?.checks ?? [])).filter { check in
            switch check.outcome {
            case .tolerated: return true
            case .passed: return explanation.verdict.isAccept && isWorthALine(check)
            case .failed, .notAsked: return false
            }
        }
    }

    private func rank(of check: CheckStep) -> Rank {
        if case .tolerated = check.outcome { return .reported }
        return .passed
    }

    /// The last line of the screen: how many checks passed, and what had no room.
    private func closing() -> Closing {
        let checks = outline.requestChecks + (decisive?.checks ?? [])
        let shown = Set(shownChecks())
        var passed = 0
        var unasked: [String] = []
        for check in checks where !shown.contains(check) {
            switch check.outcome {
            case .passed: passed += 1
            case .notAsked: unasked.append(CheckSentences.title(check.check))
            case .failed, .tolerated: break
            }
        }
        var parts: [String] = []
        if passed > 0 {
            let more = explanation.verdict.isAccept && !shown.isEmpty ? "more " : ""
            parts.append("\(passed) \(more)\(passed == 1 ? "check" : "checks") passed")
        }
        if !unasked.isEmpty { parts.append("not reached: \(unasked.joined(separator: ", "))") }
        return .counted(parts, pointer: "`--trace` shows everything")
    }

    /// Every check of the deciding path, and what the evaluation cost.
    private func everything(_ page: inout Tree) {
        sideNodes(&page)
        ruleNodes(&page)
        certificateNodes(&page)
        for check in outline.requestChecks where isWorthALine(check) { checkNode(check, &page) }
        if let decisive { pathNodes(decisive, &page) }
        otherPaths(&page)
        guaranteeNode(&page)
        noticeNodes(&page)
        wantedNodes(&page)
        repairNodes(&page)
        workNode(&page)
    }

    // MARK: The answer

    private func answer() -> [Block] {
        let line = firstLine()
        let sentence = VerdictSentence.text(explanation.verdict, outline, situation)
        return [
            .line(
                DocumentText(line.rest), word: Word(line.word, tone), rank: .needed, room: .screen)
        ]
            + (sentence.map {
                [.line(DocumentText("  " + $0), rank: .needed, room: .screen)]
            } ?? [])
    }

    var tone: Tone { explanation.verdict.isAccept ? .good : .bad }

    /// Every violation of a reject, by the side whose fault it is.
    var violations: [Violation] {
        explanation.verdict.violations.saferFirst(situation)
    }

    private func firstLine() -> (word: String, rest: String) {
        let isAccept = explanation.verdict.isAccept
        var line = ""
        if let request = outline.request {
            let host = request.canonicalHost ?? request.host
            line += " \(HostWithPort.text(host, request.port)) at \(request.time)"
        }
        if let rule = outline.rule {
            switch rule.selection {
            case .pattern: line += " by rule `\(rule.rule)`"
            case .defaultBody, .defaultDeny: line += " by `default`"
            }
        }
        if !isAccept {
            line += ": " + ExplainDocument.ids(violations).joined(separator: ", ")
        }
        return (isAccept ? "accept" : "reject", line)
    }

    // MARK: Side, rule and owner

    /// Whose side a reject is: every reading that is open, the safer first.
    private func sideNodes(_ page: inout Tree) {
        guard let first = violations.first else { return }
        for (index, reading) in first.readings(situation).enumerated() {
            page.node(
                index == 0 ? "side" : "or",
                "\(reading.side.name): \(reading.words)", nil, .deciding)
        }
    }

    /// The owner of the rule and its note. Both are the policy author's own text.
    private func authorNodes(_ page: inout Tree) {
        let authors = RuleAuthors(outline, table)
        guard outline.rule != nil, authors.isKnown else { return }
        let rule = outline.rule?.rule ?? ""
        let pointer = rule.isEmpty ? "/default" : "/rules/\(rule)"
        if let owner = authors.owner {
            let place = places.exact("\(pointer)/owner")?.description
            page.node(
                "owner", "`\(Words.shortened(owner, to: 200))`", place, .deciding)
        } else {
            page.node("owner", "no owner is written", nil, .deciding)
        }
        setNodes(&page)
        if let note = authors.note {
            page.node(
                "note", Words.shortened(note, to: 600),
                places.exact("\(pointer)/note")?.description, .note)
        }
    }

    /// The owners of the sets that the reject is about. The first two of the violation that decides
    /// always have room.
    private func setNodes(_ page: inout Tree) {
        let owners = SetOwners(outline, table, situation.facts)
        guard owners.isKnown else { return }
        let decisive = owners.sets(of: Array(violations.prefix(1)))
        for (index, set) in owners.sets(of: violations).enumerated() {
            let part = index < 2 && decisive.contains(set) ? Rank.deciding : .note
            guard let owner = set.owner else {
                page.node("owner", "no owner is written for \(set.name)", nil, .note)
                continue
            }
            page.node(
                "owner", "`\(Words.shortened(owner, to: 200))`, of \(set.name)",
                places.exact("/\(set.section.rawValue)/\(set.id)/owner")?.description, part)
        }
    }

    /// One violation, with the line of the policy that demands what failed.
    private func failureNode(
        _ violation: Violation, _ part: Rank, _ page: inout Tree
    ) {
        let check = CheckStep(path: 0, check: violation.check, outcome: .failed([violation]))
        let line = line(
            .bad("FAILED"), CheckSentences.title(violation.check), violation, suffix: "",
            place: citation(of: check, violation: violation))
        page.node(line.label, line.text, line.place, part)
        for detail in line.details { page.child("", detail, nil, .evidence) }
    }

    /// Ids of violations, each once, in their first order.
    package static func ids(_ violations: [Violation]) -> [String] {
        violations.map(\.id).unrepeated
    }

    // MARK: The rule and the chain

    private func ruleNodes(_ page: inout Tree) {
        guard let rule = outline.rule else { return }
        switch rule.selection {
        case .pattern(let pattern):
            let place = places.pattern(pattern, rule: rule.rule) ?? places.rule(rule.rule)
            page.node(
                "rule", "`\(rule.rule)`, selected by `\(pattern)`", place?.description, .deciding)
        case .defaultBody:
            page.node(
                "rule", "`default`: no pattern matches", places.rule("")?.description, .deciding)
        case .defaultDeny:
            page.node(
                "rule", "`default: deny`: no pattern matches", places.rule("")?.description,
                .deciding)
        }
        defer { authorNodes(&page) }
        let losers = outline.patterns.filter { $0.outcome != .selected }
        let shown = options.detail == .everything ? losers.count : 3
        for loser in losers.prefix(shown) {
            let place = places.pattern(loser.pattern, rule: loser.rule)
            page.child(
                "lost",
                "`\(loser.pattern)` of rule `\(loser.rule)`: "
                    + CheckSentences.reason(loser.outcome), place?.description, .lost)
        }
        if losers.count > shown { page.child("lost", Cut.more(losers.count - shown), nil, .lost) }
    }

    /// The presented certificates that no path used.
    private func certificateNodes(_ page: inout Tree) {
        for certificate in outline.certificates {
            guard case .setAside(let error) = certificate.status, certificate.index > 0 else {
                continue
            }
            page.node(
                "set aside",
                "certificate \(certificate.index + 1) of the chain: `\(error.field)` at "
                    + "octet \(error.offset): \(error.reason)", nil, .certificate)
        }
    }

    // MARK: Paths

    private func pathNodes(_ candidate: TraceOutline.Candidate, _ page: inout Tree) {
        page.node("path \(candidate.path.number)", PathWords.path(candidate.path), nil)
        let quiet = candidate.checks.filter { !isWorthALine($0) }
        for check in candidate.checks where isWorthALine(check) { checkChild(check, &page) }
        if !quiet.isEmpty {
            let titles = quiet.map { CheckSentences.title($0.check) }.joined(separator: ", ")
            page.child(.good("ok"), titles, "RFC 5280 §6.1")
        }
    }

    /// The paths that the verdict does not rest on: one line each, with the checks that failed.
    private func otherPaths(_ page: inout Tree) {
        let others = outline.candidates.filter { $0.path.number != decisive?.path.number }
        let shown = options.detail == .everything ? others.count : 3
        for other in others.prefix(shown) {
            page.node("path \(other.path.number)", PathWords.path(other.path), nil, .otherPath)
            let ids = ExplainDocument.ids(other.failures).joined(separator: ", ")
            page.child(
                ids.isEmpty ? Word.good("ok") : .bad("FAILED"), ids.isEmpty ? "not needed" : ids,
                nil, .otherPath)
        }
        if others.count > shown {
            page.node(
                "paths", Cut.more(others.count - shown, after: ": `--trace` shows them"), nil,
                .otherPath)
        }
    }

    /// Whether a check has a line of its own: it failed, it names both sides of its comparison, or
    /// the policy writes its demand. Keys of ML-DSA are named: which certificates of a path have
    /// one is asked as long as few have.
    private func isWorthALine(_ check: CheckStep) -> Bool {
        guard case .passed(let passed) = check.outcome else { return true }
        if case .keys(_, _, let found) = passed, !ExplainDocument.mldsa.isDisjoint(with: found) {
            return true
        }
        if CheckSentences.found(passed) != nil,
            !ExplainDocument.quietByDefault.contains(check.check)
        {
            return true
        }
        guard check.path != 0 else { return false }
        return outline.demands(of: check.check).contains { demand in
            guard let pointer = demand.pointer else { return false }
            if case .written = places.place(of: pointer) { return true }
            return false
        }
    }

    /// Checks whose sides are shown only where a policy file writes the demand.
    private static let quietByDefault: Set<Check> = [
        .pathLength, .extendedKeyUsage, .keys, .signatureAlgorithms,
    ]

    private static let mldsa = Set([KeyType.mldsa44, .mldsa65, .mldsa87].map(\.name))

    private func checkNode(_ check: CheckStep, _ page: inout Tree) {
        for line in lines(of: check) { page.node(line.label, line.text, line.place) }
    }

    private func checkChild(_ check: CheckStep, _ page: inout Tree) {
        for line in lines(of: check) {
            page.child(line.label, line.text, line.place)
            for detail in line.details { page.detail(detail) }
        }
    }

    private struct CheckLine {
        let label: Word
        let text: String
        let place: String
        var details: [String] = []
    }

    private func lines(of check: CheckStep) -> [CheckLine] {
        let title = CheckSentences.title(check.check)
        let place = citation(of: check)
        switch check.outcome {
        case .passed(let passed):
            let found = CheckSentences.found(passed).map { ": \($0)" } ?? ""
            return [CheckLine(label: .good("ok"), text: title + found, place: place)]
        case .failed(let violations):
            return violations.map {
                line(
                    .bad("FAILED"), title, $0, suffix: "", place: citation(of: check, violation: $0)
                )
            }
        case .tolerated(let reported):
            return reported.map {
                line(
                    Word("reported"), title, $0.violation,
                    suffix: " (\(CheckSentences.reason($0.reason)))",
                    place: citation(of: check, violation: $0.violation))
            }
        case .notAsked:
            return [
                CheckLine(
                    label: Word("skipped"),
                    text: "\(title): no signatures lead from here to an anchor", place: place)
            ]
        }
    }

    private func line(
        _ label: Word, _ title: String, _ violation: Violation, suffix: String, place: String
    ) -> CheckLine {
        var line = CheckLine(
            label: label,
            text: "\(title): \(violation.headline(situation))\(suffix)",
            place: citation(of: violation) ?? place)
        if case .pinMismatch(let mismatch) = violation.reason {
            line.details = PathWords.pins(mismatch, places: places)
        }
        line.details += evidence(of: violation)
        return line
    }

    /// The citation of a violation, where it rests on another line of the policy than its check.
    func citation(of violation: Violation) -> String? {
        if case .path(.standardNotMet(_, let demand, _)) = violation.reason {
            // A demand of issuance rejects by the policy's word.
            let pointer =
                demand.isIssuance ? outline.demands(of: .standard).last?.pointer : nil
            let place = pointer.flatMap { places.place(of: $0).text }
            let section = violation.citation
            return place.map { "\($0), \(section)" } ?? section
        }
        guard case .anchorConstraintNotMet(let failure) = violation.reason,
            let place = places.place(of: places.pointer(of: failure)).text
        else { return nil }
        return "\(place), \(violation.citation)"
    }

    /// Every piece of evidence behind a violation, one line each.
    private func evidence(of violation: Violation) -> [String] {
        let isWhole = options.detail == .everything
        let lines = violation.fields.flatMap { field in
            (field.answers ?? []).map {
                isWhole
                    ? EvidenceSentences.line($0)
                    : "\(EvidenceSentences.name($0)) \(EvidenceSentences.clause($0))"
            }
                + (field.timestamps ?? []).map(TransparencySentences.line)
        }
        let unread = violation["unread"]?.integer.map { Int($0) } ?? 0
        let more = unread + max(0, lines.count - 4)
        // The headline says already what one answer says.
        if !isWhole, lines.count == 1, violation.fields.contains(where: { $0.answers != nil }) {
            return []
        }
        guard !isWhole, more > unread else {
            return lines + (unread > 0 ? [Cut.more(unread, after: ", which are not read")] : [])
        }
        return lines.prefix(4) + [Cut.more(more)]
    }

    /// Where the policy makes the demand that a violation breaks.
    func pointer(of violation: Violation) -> String? {
        if case .anchorConstraintNotMet(let failure) = violation.reason {
            return places.pointer(of: failure)
        }
        return outline.demands(of: violation.check).last?.pointer.map {
            violation.pointer($0)
        }
    }

    /// The policy line and the section that a check is cited with.
    func citation(of check: CheckStep, violation: Violation? = nil) -> String {
        let pointer = outline.demands(of: check.check).last?.pointer.map { demand in
            violation.map { $0.pointer(demand) } ?? demand
        }
        let place = pointer.flatMap { places.place(of: $0).text }
        let rfc =
            violation.map(\.citation) ?? check.check.citation
        return place.map { "\($0), \(rfc)" } ?? rfc
    }

    // MARK: The end

    private func guaranteeNode(_ page: inout Tree) {
        guard explanation.verdict.isAccept, let decisive,
            let sentence = GuaranteeSentences.accept(outline, decisive)
        else { return }
        page.node("guarantee", sentence, nil, .notice)
    }

    private func noticeNodes(_ page: inout Tree) {
        guard case .accept(let acceptance) = explanation.verdict.outcome else { return }
        for notice in acceptance.notices {
            page.node("notice", "\(notice.id): \(CheckSentences.notice(notice))", nil, .notice)
        }
    }

    /// The addresses to fetch evidence from, each once.
    private func wantedNodes(_ page: inout Tree) {
        var seen: Set<String> = []
        let wanted = explanation.verdict.wanted.filter { seen.insert($0.url).inserted }
        let shown = options.detail == .everything ? wanted.count : 4
        for evidence in wanted.prefix(shown) {
            page.node(
                "wanted",
                "\(Words.shortened(evidence.url, to: 200)) for its "
                    + EvidenceSentences.noun(evidence.source), nil, .wanted)
        }
        if wanted.count > shown {
            page.node("wanted", Cut.more(wanted.count - shown), nil, .wanted)
        }
    }

    private func repairNodes(_ page: inout Tree) {
        let repairs = situation.repairs(
            explanation, outline, table, given: options.repairs)
        guard !repairs.isEmpty || !options.commands.isEmpty else { return }
        page.node(repairs.isEmpty ? "next" : "what would change it", "", nil)
        let shown = options.detail == .everything ? repairs : ExplainDocument.fewest(repairs)
        let action = ExplainDocument.firstAction(shown)
        let caution = shown.firstIndex { $0.kind == .caution }
        for (index, repair) in shown.enumerated() {
            page.child(
                "-", repair.text, nil,
                index == action ? .action : index == caution ? .caution : .repair,
                // What nothing else says keeps its text.
                brief: index == action && repair.brief?.isEmpty == true ? nil : repair.brief)
            page.snippet(
                "write \(repair.edit?.place ?? ""):", repair.snippet, .snippet,
                pointer: "; `--trace` shows the lines")
        }
        if shown.count < repairs.count {
            page.child(
                "-", Cut.more(repairs.count - shown.count, after: ": `--trace` shows them"), nil,
                .repair)
        }
        for command in options.commands { page.command(command, .command) }
    }

    /// The repair that a page always has room for beside a caution: the first action, otherwise the
    /// first repair that is not a caution.
    private static func firstAction(_ repairs: [Repair]) -> Int? {
        repairs.firstIndex { $0.kind == .action }
            ?? repairs.firstIndex { $0.kind == .change || $0.kind == .question }
            ?? repairs.firstIndex { $0.kind == .refusal }
    }

    /// Five repairs: every caution and what was proven among them, the others in their order. The
    /// advice to do nothing gives its place to something that can be done.
    private static func fewest(_ repairs: [Repair]) -> [Repair] {
        func isKept(_ repair: Repair) -> Bool { repair.isCaution || repair.edit != nil }
        let others = repairs.filter { !isKept($0) }
        let ranked = others.filter { $0.kind != .refusal } + others.filter { $0.kind == .refusal }
        let kept = Set(ranked.prefix(max(0, 5 - repairs.count(where: isKept))))
        return repairs.filter { isKept($0) || kept.contains($0) }
    }

    private func workNode(_ page: inout Tree) {
        guard let work = outline.work else { return }
        page.node(
            "work",
            "\(work.spent) of \(work.limit) cost units: "
                + Words.count(work.signatures, "signature") + ", "
                + Words.count(work.paths, "path"), nil)
        page.node("policy", explanation.verdict.policyDigest.text, nil)
        if let store = explanation.verdict.systemStoreDigest {
            page.node("system store", store.text, nil)
        }
        if let list = explanation.verdict.logListDigest { page.node("log list", list.text, nil) }
    }
}

/// What the lines of an explanation are for, in the order in which they stay where there is little
/// room. The answer and what decides it always stay.
extension Rank {
    static let deciding = Rank(1, isNeeded: true)
    static let action = Rank(2, isNeeded: true)
    static let caution = Rank(3, isNeeded: true)
    static let repair = Rank(4, noun: Noun("repair", "repairs"))
    /// What to do stays longer than the lines that do it.
    static let snippet = Rank(5)
    static let failure = Rank(6, noun: Noun("further failure", "further failures"))
    static let note = Rank(7, noun: Noun("note", "notes"))
    static let evidence = Rank(8, noun: Noun("detail", "details"))
    static let path = Rank(9, noun: Noun("path", "paths"))
    static let reported = Rank(10, noun: Noun("tolerated failure", "tolerated failures"))
    static let notice = Rank(11, noun: Noun("notice", "notices"))
    static let passed = Rank(12, noun: Noun("passed check", "passed checks"))
    static let assumption = Rank(13, noun: Noun("assumption", "assumptions"))
    static let wanted = Rank(14, noun: Noun("wanted address", "wanted addresses"))
    static let otherPath = Rank(15, noun: Noun("other path", "other paths"))
    static let certificate = Rank(
        16, noun: Noun("unreadable certificate", "unreadable certificates"))
    static let lost = Rank(17, noun: Noun("other pattern", "other patterns"))
    static let command = Rank(18, noun: Noun("command", "commands"))
}
