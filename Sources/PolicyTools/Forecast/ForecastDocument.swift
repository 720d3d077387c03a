import Rendering
import TrustEngine

/// Makes the document of a forecast, by month: each change with its reasons, rules, hosts, owner
/// and place. A page also has a calendar and the chains. Each change is a finding at the place of
/// its date.
struct ForecastDocument {
    private let forecast: Forecast
    /// The folder of the policy from the folder in which findings are read.
    private let folder: String

    /// The document of a forecast, or of the reason why there is none.
    static func document(_ report: ForecastReport) -> Document {
        var document = Document(kind: "forecast", version: report.version)
        document.command = report.command
        switch report.outcome {
        case .notAsked(let failure):
            let reason = ForecastSentences.notAsked(failure)
            document.headline = Headline("not asked")
            document.blocks = [.line(DocumentText(reason))]
            document.findings.run = .failed(reason)
        case .foreseen(let forecast):
            let teller = ForecastDocument(forecast: forecast, folder: report.folder)
            document.title = "forecast of \(forecast.name)"
            document.headline = teller.headline()
            document.blocks = teller.blocks()
            document.footer = [Field("policy", .code(forecast.policyDigest.text))]
            document.findings = teller.findings()
            document.sources = report.files
        }
        return document
    }

    /// The id of a change on a page, by its number from 0.
    static func id(_ number: Int) -> String { "change-\(number + 1)" }

    // MARK: Screen and page

    private func headline() -> Headline {
        var words = Forecast.Effect.allCases.map { effect in
            let count = forecast.count(effect)
            return Word(
                "\(count) \(ForecastSentences.count(effect, count))",
                count == 0 ? .soft : ForecastDocument.tone(effect))
        }
        if let failing = ForecastSentences.failing(forecast) {
            words.append(Word(failing, forecast.failures.isEmpty ? .good : .bad))
        }
        return Headline(
            "forecast of `\(forecast.name)`", words: words,
            fields: [
                Field("from", .plain(ForecastSentences.instant(forecast.since))),
                Field("until", .plain(ForecastSentences.instant(forecast.until))),
            ])
    }

    private static func tone(_ effect: Forecast.Effect) -> Tone {
        switch effect {
        case .rejects: return .bad
        case .accepts: return .good
        case .tells: return .warn
        }
    }

    private func blocks() -> [Block] {
        let months = self.months()
        let none = Block.line("nothing changes in this time", room: .page)
        let failing = ForecastSentences.failing(forecast).map {
            Block.line(DocumentText($0), room: .screen)
        }
        return [
            .line(DocumentText(ForecastSentences.headline(forecast)), room: .screen),
            .section(
                "calendar", "Calendar", ForecastMonths(forecast).content().map(Block.drawing),
                room: .page),
            .section("changes", "What changes", months.isEmpty ? [none] : months),
            .section("chains", "Chains", [chains()], rank: .last, room: .page),
            .section(
                "unjudged", "Not judged",
                [
                    .sentences(
                        forecast.unjudged, noun: Noun("chain", "chains"), room: .everywhere,
                        indent: 2)
                ], screen: "not judged"),
            .gap(), .line(DocumentText(ForecastSentences.totals(forecast)), room: .screen),
        ] + [failing].compactMap(\.self)
    }

    /// A section for each month in which something changes.
    private func months() -> [Block] {
        var months: [(title: String, entries: [Entry])] = []
        for (number, change) in forecast.changes.enumerated() {
            let title = ForecastSentences.month(change.instant)
            if months.last?.title != title { months.append((title, [])) }
            months[months.count - 1].entries.append(entry(change, number))
        }
        return months.enumerated().map { number, month in
            .section(
                "month-\(number + 1)", month.title,
                [.list(month.entries, noun: Noun("change", "changes"), indent: 2)],
                screen: month.title)
        }
    }

    private func entry(_ change: Forecast.Change, _ number: Int) -> Entry {
        var rows: [Field] = []
        if let verdict = change.verdict {
            rows += [
                Field("before", DocumentText(verdict.before)),
                Field("then", DocumentText(verdict.after)),
            ]
        }
        if !change.rules.isEmpty {
            rows.append(
                Field(
                    change.rules.count == 1 ? "rule" : "rules",
                    DocumentText(ForecastSentences.rules(change))))
        }
        if !change.hosts.isEmpty {
            rows.append(Field("hosts", .plain(ForecastSentences.hosts(change))))
        }
        if let owner = change.owner { rows.append(Field("owner", .plain(owner))) }
        if let origin = change.origin { rows.append(Field("place", .place(origin.text))) }
        let head =
            "\(ForecastSentences.instant(change.instant))  "
            + "\(ForecastSentences.effect(change.effect)): "
        return Entry(
            word: Word(head, ForecastDocument.tone(change.effect)), DocumentText(change.sentence),
            change.details.map { Block.line(DocumentText($0), indent: 12) }
                + [Block.fields(rows, labels: .fixed(8), indent: 4)],
            rank: .change(change.effect), id: ForecastDocument.id(number))
    }

    private func chains() -> Block {
        .table(
            "chains, as they are judged at the beginning",
            ["verdict", "host", "chain", "in words"],
            forecast.requests.map { request in
                Row([
                    [.word(request.accepts ? .good("accept") : .bad("reject"))],
                    [.plain(request.host)], [.plain(request.source)],
                    [DocumentText(request.headline)],
                ])
            }, noun: Noun("chain", "chains"), head: 1, rank: .last)
    }

    // MARK: Findings

    private func findings() -> Findings {
        var findings = Findings()
        findings.run = .succeeded(
            forecast.unjudged.isEmpty
                ? [:] : ["unjudged": forecast.unjudged])
        let kinds = Set(forecast.changes.map(\.kind))
        findings.rules = Forecast.Kind.allCases.filter(kinds.contains).map(ForecastDocument.rule)
        findings.results = zip(forecast.changes, forecast.identities).map(finding)
        if !forecast.unjudged.isEmpty {
            let unjudged = Finding(
                rule: "", level: .note, title: "hawser forecast: not judged",
                lines: Cut.list(forecast.unjudged, most: ForecastDocument.mostUnjudged))
            findings.annotations = [unjudged] + findings.results
        }
        return findings
    }

    /// Most sentences of one annotation about chains that were not judged.
    private static let mostUnjudged = 20

    private func finding(_ change: Forecast.Change, _ identity: String) -> Finding {
        let effect = ForecastSentences.effect(change.effect)
        let instant = ForecastSentences.instant(change.instant)
        var lines = ForecastSentences.lines(change)
        lines[0] = "\(instant), \(effect): \(lines[0])"
        var finding = Finding(
            rule: ForecastDocument.id(of: change.kind), level: level(of: change),
            title: "hawser forecast: \(effect), \(instant)", lines: lines,
            places: places(of: change))
        finding.names =
            change.verdict.map { [$0.host] } ?? change.hosts.map { DiffSentences.text($0) }
        finding.fingerprint = ("hawserForecast/1", identity)
        return finding
    }

    /// A reject that fails the run is an error. A change to accept is a warning: the policy then
    /// lets more pass.
    private func level(of change: Forecast.Change) -> FindingLevel {
        switch change.effect {
        case .rejects:
            return forecast.failUntil.map { change.instant <= $0 } == true ? .error : .warning
        case .accepts: return .warning
        case .tells: return .note
        }
    }

    /// The place of the date, then the places of the rules.
    private func places(of change: Forecast.Change) -> [FindingPlace] {
        func place(_ location: Provenance.Location, _ text: String = "") -> FindingPlace {
            FindingPlace(
                file: folder.isEmpty ? location.file : "\(folder)/\(location.file)",
                line: location.line, column: location.column, text: text)
        }
        let date = change.origin?.location
        let rules = change.rules.compactMap { rule -> FindingPlace? in
            guard let location = rule.location, location != date else { return nil }
            return place(location, rule.id.isEmpty ? "`default`" : "rule `\(rule.id)`")
        }
        return (date.map { [place($0)] } ?? []) + rules
    }

    private static func id(of kind: Forecast.Kind) -> String { "forecast-\(kind.rawValue)" }

    private static func rule(_ kind: Forecast.Kind) -> FindingRule {
        let title: String
        let explanation: String
        switch kind {
        case .waiver:
            title = "a waiver ends"
            explanation = "After its `until`, the policy rejects the failures that it lets pass."
        case .reportOnly:
            title = "an entry of `report-only` ends"
            explanation = "After its `until`, the policy rejects the failures that it only reports."
        case .pins:
            title = "a pin set ages, or its enforcement ends"
            explanation =
                "From `warn-from` on, accepts carry a notice. After `enforce-until`, `on-expiry` "
                + "decides."
        case .anchor:
            title = "the certificate of an anchor begins or ends"
            explanation = "From then on, paths can end at the anchor, or no longer can."
        case .lifetime:
            title = "a step of `validity.lifetime-steps` begins"
            explanation = "Certificates issued from then on have another maximum lifetime."
        case .window:
            title = "a window of `constraints` opens or closes"
            explanation = "Certificates issued or logged from then on count, or no longer count."
        case .logList:
            title = "the log list becomes too old"
            explanation = "From then on, `when-stale` decides."
        case .table:
            title = "the table expires"
            explanation = "From then on, every connection is rejected."
        case .verdict:
            title = "the verdict on a chain changes"
            explanation =
                "A date of the policy, of a certificate or of its evidence changes the verdict."
        }
        return FindingRule(
            id: id(of: kind), title: title, explanation: explanation,
            help: "`hawser help forecast.md` explains each kind of date.", level: .warning,
            isSecurity: false)
    }
}

// Rejects stay longest where there is little room.
extension Rank {
    fileprivate static func change(_ effect: Forecast.Effect) -> Rank {
        Rank(40 + effect.rank)
    }
}
