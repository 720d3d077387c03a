import TrustEngine

/// What a page of an explanation has: the verdict, what failed, what would change it, the paths as
/// a drawing, the time line, and every check with both sides. It walks the same steps as the text,
/// and has its sentences.
extension ExplainDocument {
    func headline() -> Headline {
        Headline(
            target,
            words: [Word(explanation.verdict.isAccept ? "accept" : "reject", tone)]
                + ExplainDocument.ids(violations).map { .soft($0) },
            lead: VerdictSentence.text(explanation.verdict, outline, situation),
            fields: headFields())
    }

    /// The host that was asked for.
    private var target: String {
        outline.request.map { HostWithPort.text($0.canonicalHost ?? $0.host, $0.port) } ?? ""
    }

    private func headFields() -> [Field] {
        var rows: [Field] = []
        if let request = outline.request {
            rows.append(Field("judged at", .plain(request.time.description)))
        }
        if let rule = outline.rule {
            rows.append(ruleField(rule))
            let authors = RuleAuthors(outline, table)
            if authors.isKnown {
                rows.append(Field("owner", .plain(authors.owner ?? "no owner is written")))
            }
            if let note = authors.note { rows.append(Field("note", .plain(note))) }
        }
        let owners = SetOwners(outline, table, situation.facts)
        for set in owners.isKnown ? owners.sets(of: violations) : [] {
            let section = set.section == .anchors ? "anchor" : "pin"
            rows.append(
                Field(
                    "owner of \(section) set",
                    "`\(set.id)`: " + .plain(set.owner ?? "no owner is written"),
                    citation: places.named(set.section.rawValue, set.id)?.description))
        }
        if let first = violations.first {
            for (index, reading) in first.readings(situation).enumerated() {
                rows.append(
                    Field(
                        index == 0 ? "side" : "or",
                        DocumentText("\(reading.side.name): \(reading.words)")))
            }
        }
        return rows
    }

    private func ruleField(_ rule: RuleStep) -> Field {
        switch rule.selection {
        case .pattern(let pattern):
            let place = places.pattern(pattern, rule: rule.rule) ?? places.rule(rule.rule)
            return Field(
                "rule", "`\(rule.rule)`, selected by `\(pattern)`", citation: place?.description)
        case .defaultBody:
            return Field(
                "rule", "`default`: no pattern matches", citation: places.rule("")?.description)
        case .defaultDeny:
            return Field(
                "rule", "`default: deny`: no pattern matches",
                citation: places.rule("")?.description)
        }
    }

    /// The sections of a page.
    func page() -> [Block] {
        [
            .section("failed", "What failed", [failures()], rank: .deciding, room: .page),
            .section("change", "What would change it", [changes()], rank: .action, room: .page),
            .section("paths", "Paths", paths(), rank: .path, room: .page),
            .section("time", "Time", time(), rank: .path, room: .page),
            .section("checks", "Checks", checks(), isFolded: true, rank: .passed, room: .page),
            .section("told", "Reported and noticed", [told()], rank: .reported, room: .page),
            .section(
                "assumed", "Assumed",
                [.sentences(options.replay + options.assumptions, rank: .assumption)],
                rank: .assumption, room: .page),
        ]
    }

    // MARK: What failed

    private func failures() -> Block {
        let entries = violations.map { violation -> Entry in
            let check = CheckStep(path: 0, check: violation.check, outcome: .failed([violation]))
            var details: [String] = []
            if case .pinMismatch(let mismatch) = violation.reason {
                details = PathWords.pins(mismatch, places: places)
            }
            details += ExplainDocument.answers(of: violation)
            return Entry(
                word: .bad(violation.id), DocumentText(CheckSentences.title(violation.check)),
                citation: citation(of: violation) ?? citation(of: check, violation: violation),
                [
                    .line(DocumentText(violation.headline(situation))),
                    .sentences(details, noun: Noun("detail", "details"), rank: .evidence),
                ])
        }
        return .list(entries, noun: Noun("failure", "failures"), rank: .deciding)
    }

    /// What each piece of evidence behind a violation says.
    private static func answers(of violation: Violation) -> [String] {
        violation.fields.flatMap { field in
            (field.answers ?? []).map {
                "\(EvidenceSentences.name($0)) \(EvidenceSentences.clause($0))"
            } + (field.timestamps ?? []).map(TransparencySentences.line)
        }
    }

    // MARK: What would change it

    private func changes() -> Block {
        guard !explanation.verdict.isAccept else { return .list([]) }
        let repairs = situation.repairs(explanation, outline, table, given: options.repairs)
        let entries = repairs.map { repair in
            Entry(
                DocumentText(repair.text),
                repair.edit.map { [.snippet("write \($0.place):", $0.lines)] } ?? [])
        }
        return .list(
            entries + options.commands.map { Entry("run next", [.command($0)]) },
            noun: Noun("repair", "repairs"), rank: .action)
    }

    // MARK: Paths

    private func paths() -> [Block] {
        guard !outline.candidates.isEmpty else { return [] }
        let facts = CertificateFacts.byFingerprint(options.certificates)
        let accepted = explanation.verdict.isAccept ? decisive?.path.number : nil
        let drawing = PathDrawing(
            outline.candidates, accepted: accepted, decisive: decisive?.path.number, facts: facts)
        let entries = outline.candidates.map { candidate -> Entry in
            let ids = ExplainDocument.ids(candidate.failures)
            let word: Word
            if candidate.path.number == accepted {
                word = .good("accepted")
            } else {
                word = ids.isEmpty ? .soft("not needed") : .bad(ids.joined(separator: ", "))
            }
            return Entry(
                word: word, "path \(candidate.path.number)",
                [.line(DocumentText(PathWords.path(candidate.path)))])
        }
        return [
            .drawing(drawing.figure()),
            .list(entries, noun: Noun("path", "paths"), rank: .path),
        ] + certificates(facts)
    }

    /// The certificates of all paths, each once, with their fields folded.
    private func certificates(_ facts: [Digest: CertificateFacts]) -> [Block] {
        var seen: Set<Digest> = []
        let all = outline.candidates.flatMap(\.path.certificates)
            .filter { seen.insert($0.fingerprint).inserted }
        let sections = all.map { reference -> Block in
            let rows = (facts[reference.fingerprint]?.facts ?? []).filter { !$0.values.isEmpty }
                .map { Field($0.title, .plain($0.values.joined(separator: ", "))) }
            return .section(
                "certificate",
                "\(Words.shortSubject(reference.subject)), \(PathDrawing.kind(reference))",
                [
                    .fields(
                        rows.isEmpty
                            ? [Field("SHA-256", .plain(reference.fingerprint.text))] : rows,
                        rank: .last)
                ], isFolded: true)
        }
        return [.section("certificates", "Certificates", sections)]
    }

    // MARK: Time

    private func time() -> [Block] {
        guard let request = outline.request else { return [] }
        let facts = CertificateFacts.byFingerprint(options.certificates)
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
        for answer in checks.flatMap(ExplainDocument.answers) {
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
        return TimeDrawing(rows, judgedAt: request.time).content().map { .drawing($0) }
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

    private func checks() -> [Block] {
        let checks = outline.requestChecks + (decisive?.checks ?? [])
        guard !checks.isEmpty else { return [] }
        let caption =
            decisive.map { "the checks of the request and of path \($0.path.number)" }
            ?? "the checks of the request"
        let rows = checks.map { check in
            Row([
                [.word(ExplainDocument.word(check))],
                [DocumentText(CheckSentences.title(check.check))],
                sides(check).map { DocumentText($0) }, [.place(citation(of: check))],
            ])
        }
        return [
            .table(
                caption, ["outcome", "check", "what was wanted and found", "demanded by"], rows,
                noun: Noun("check", "checks"), head: 1, rank: .passed)
        ]
    }

    private static func word(_ check: CheckStep) -> Word {
        switch check.outcome {
        case .passed: return .good("passed")
        case .failed: return .bad("failed")
        case .tolerated: return .warn("reported")
        case .notAsked: return .soft("– not reached")
        }
    }

    /// What a check wanted and found.
    private func sides(_ check: CheckStep) -> [String] {
        switch check.outcome {
        case .passed(let passed): return CheckSentences.found(passed).map { [$0] } ?? []
        case .failed(let violations): return violations.map { $0.headline }
        case .tolerated(let reported): return reported.map(ExplainDocument.sentence)
        case .notAsked: return []
        }
    }

    private static func sentence(_ reported: Reported) -> String {
        reported.violation.headline
            + " (\(CheckSentences.reason(reported.reason)))"
    }

    // MARK: The end

    private func told() -> Block {
        var items: [(String, String)] = []
        if case .accept(let acceptance) = explanation.verdict.outcome {
            items += acceptance.reported.map { ($0.violation.id, ExplainDocument.sentence($0)) }
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
        return .list(
            items.map { Entry(word: .warn($0), DocumentText($1)) }, noun: Noun("notice", "notices"),
            rank: .notice)
    }

    func footer() -> [Field] {
        let verdict = explanation.verdict
        var rows = [Field("policy", .plain(verdict.policyDigest.text))]
        if let store = verdict.systemStoreDigest {
            rows.append(Field("system store", .plain(store.text)))
        }
        if let list = verdict.logListDigest { rows.append(Field("log list", .plain(list.text))) }
        if let work = outline.work {
            rows.append(
                Field(
                    "work",
                    .plain(
                        "\(work.spent) of \(work.limit) cost units: "
                            + Words.count(work.signatures, "signature") + ", "
                            + Words.count(work.paths, "path"))))
        }
        return rows
    }

    // MARK: Findings and cases

    /// Every violation, and what was reported in place of rejecting, at the line that demands it.
    func findings() -> Findings {
        var findings = Findings()
        findings.run = .succeeded()
        findings.results = violations.map { finding($0, .error) }
        if case .accept(let acceptance) = explanation.verdict.outcome {
            findings.results += acceptance.reported.map { reported in
                var finding = self.finding(reported.violation, .warning)
                finding.lines[0] = ExplainDocument.sentence(reported)
                return finding
            }
        }
        var seen: Set<String> = []
        findings.rules = findings.results.compactMap { finding in
            guard seen.insert(finding.rule).inserted else { return nil }
            let check = (violations + reported).first { $0.id == finding.rule }?.check
            let title = check.map(CheckSentences.title) ?? finding.rule
            return FindingRule(
                id: finding.rule, title: "a certificate chain does not meet a demand: \(title)",
                explanation: "The check \"\(title)\" failed with `\(finding.rule)`.",
                help:
                    "`hawser explain HOST` shows the chain, every check, and what would change it.",
                level: .error, isSecurity: true)
        }
        return findings
    }

    private var reported: [Violation] {
        guard case .accept(let acceptance) = explanation.verdict.outcome else { return [] }
        return acceptance.reported.map(\.violation)
    }

    private func finding(_ violation: Violation, _ level: FindingLevel) -> Finding {
        var finding = Finding(
            rule: violation.id, level: level, title: "hawser explain: \(violation.id) of \(target)",
            lines: [violation.headline(situation)],
            places: locations(of: violation))
        if level == .error, let reading = violation.readings(situation).first {
            finding.lines.append("\(reading.side.name): \(reading.words)")
        }
        finding.lines += situation.repairs(explanation, outline, table, given: options.repairs)
            .map { "to change it: \($0.text)" }
        finding.names = [target]
        var hash = StableHash()
        for text in [target, outline.rule?.rule ?? "", violation.id] { hash.combine(text.utf8) }
        finding.fingerprint = ("hawserExplain/1", hash.digits)
        return finding
    }

    /// The line that demands what failed, and the line of the rule.
    private func locations(of violation: Violation) -> [FindingPlace] {
        var locations: [Provenance.Location] = []
        if case .written(let location, _)? = pointer(of: violation).map(places.place(of:)) {
            locations.append(location)
        }
        if let rule = outline.rule, let location = places.rule(rule.rule),
            !locations.contains(location)
        {
            locations.append(location)
        }
        return locations.map { FindingPlace(file: $0.file, line: $0.line, column: $0.column) }
    }

    /// A suite for the host, with a case for each check.
    func suites() -> Suites {
        let checks = outline.requestChecks + (decisive?.checks ?? [])
        var cases = checks.map { check -> Suites.Case in
            let outcome: Suites.Outcome
            switch check.outcome {
            case .passed: outcome = .passed
            case .failed(let violations):
                outcome = .failed(
                    kind: ExplainDocument.ids(violations).joined(separator: ", "),
                    message: sides(check).joined(separator: "; "), lines: [citation(of: check)])
            case .tolerated: outcome = .told(lines: sides(check))
            case .notAsked:
                outcome = .skipped(
                    message: "not reached", lines: [citation(of: check)])
            }
            return Suites.Case(CheckSentences.title(check.check), outcome)
        }
        // A violation that no check of the deciding path has fails a case too.
        let told = Set(checks.map(\.check))
        cases += violations.filter { !told.contains($0.check) }.map { violation in
            Suites.Case(
                CheckSentences.title(violation.check),
                .failed(
                    kind: violation.id, message: violation.headline(situation),
                    lines: []))
        }
        return Suites([Suites.Suite(target, cases)])
    }
}
