import Rendering
import TrustEngine

/// Makes the findings of a comparison: one for each field of each change, and one for each guard.
enum DiffFindings {
    /// The document for code scanning. Its findings are whole.
    static func document(_ report: DiffReport) -> Document {
        document(report) { results($0, report) }
    }

    /// The document for annotations, which GitHub shows beside lines of a pull request.
    static func annotations(_ report: DiffReport) -> Document {
        document(report) { answers in
            guards(answers.compactMap(\.guards)) + annotations(answers, report)
        }
    }

    private static func document(
        _ report: DiffReport, _ results: ([DiffAnswer]) -> [Finding]
    ) -> Document {
        var document = Document(kind: "diff", version: report.version)
        document.command = report.command
        let relations: [Relation] = [.weaker, .incomparable, .stricter]
        document.findings.rules = relations.compactMap(rule)
        switch report.outcome {
        case .notCompared(let failure):
            document.findings.run = .failed(DiffReport.sentence(failure))
        case .compared(let answers):
            document.findings.rules += relations.compactMap(guardRule)
            let approvals = answers.map { ApprovalSentences($0.approvals) }
            document.findings.run = .succeeded(
                answers.allSatisfy(\.approvals.isEmpty)
                    ? [:] : ["approvals": approvals.map(\.json)])
            document.findings.results = results(answers)
            document.findings.tally = .all(
                lines: answers.map { DiffSentences.totals($0.diff) }
                    + approvals.compactMap(\.headline), noun: "fields change")
        }
        return document
    }

    // MARK: Code scanning

    /// The findings of all comparisons, in the order in which a format shows them. If a later
    /// comparison repeats a finding, only the first one stays.
    private static func results(_ answers: [DiffAnswer], _ report: DiffReport) -> [Finding] {
        var seen: Set<String> = []
        let fields = answers.flatMap { answer -> [Finding] in
            // Two changes of one comparison may be of one field and one first class.
            var numbers: [String: Int] = [:]
            let findings = DiffFinding.all(answer.diff)
            return FindingChoice.order(findings).compactMap { index in
                let own = findings[index].fingerprint
                numbers[own, default: 0] += 1
                let number = numbers[own] ?? 1
                let key = number == 1 ? own : "\(own)-\(number)"
                guard let rule = rule(findings[index].relation), seen.insert(key).inserted
                else { return nil }
                var finding = finding(
                    findings[index], rule, report,
                    findings[index].lines(octets: .max, command: report.command))
                finding.names = findings[index].change.classes.map(\.text)
                finding.fingerprint = ("hawserDiff/1", key)
                return finding
            }
        }
        return fields
            + answers.compactMap(\.guards).flatMap(\.changes).compactMap { change in
                guard var finding = finding(change, most: 20) else { return nil }
                var hash = StableHash()
                for text in [change.kind.rawValue, change.place?.file ?? "", change.name] {
                    hash.combine(text.utf8)
                }
                finding.fingerprint = ("hawserGuard/1", hash.digits)
                return finding
            }
    }

    private static func finding(
        _ finding: DiffFinding, _ rule: FindingRule, _ report: DiffReport, _ lines: [String]
    ) -> Finding {
        let places = finding.locations.map { place in
            FindingPlace(
                file: report.path(of: place, in: finding.unit), line: place.location.line,
                column: place.location.column)
        }
        var result = Finding(
            rule: rule.id, level: rule.level,
            title: "hawser diff: \(DiffSentences.relation(finding.relation)) \(finding.path)",
            lines: lines, places: places)
        result.suppression = finding.change.allowance.map {
            Finding.Suppression(isInSource: false, reason: $0, word: "allowed")
        }
        return result
    }

    private static func finding(_ change: GuardChange, most: Int) -> Finding? {
        guard let rule = guardRule(change.relation) else { return nil }
        return Finding(
            rule: rule.id, level: change.fails ? .error : rule.level,
            title: "hawser diff: \(GuardSentences.word(change).text) \(change.kind.rawValue)",
            lines: [change.sentence] + GuardSentences.lines(change, most: most),
            places: change.place.map {
                [FindingPlace(file: $0.file, line: $0.line, column: $0.column)]
            } ?? [])
    }

    // MARK: Annotations

    /// GitHub shows 64 KB of a message.
    private static let mostOctets = 55_000
    /// The annotations that guards may take of the ten that GitHub shows.
    private static let mostGuards = 3

    /// The fields in the order of the changes. Findings of several comparisons that differ in
    /// nothing are one. A finding that is only counted has no lines.
    private static func annotations(
        _ answers: [DiffAnswer], _ report: DiffReport
    ) -> [Finding] {
        func lines(_ finding: DiffFinding) -> [String] {
            finding.lines(octets: mostOctets, command: report.command)
        }
        var seen: Set<[String]> = []
        let findings = answers.flatMap { DiffFinding.all($0.diff) }.filter { finding in
            finding.relation != .equal
                && (answers.count == 1
                    || seen.insert([finding.fingerprint] + lines(finding)).inserted)
        }
        let order = FindingChoice.order(findings)
        let choices = Dictionary(uniqueKeysWithValues: zip(order, order.indices))
        return findings.indices.compactMap { index in
            guard let rule = rule(findings[index].relation), let choice = choices[index]
            else { return nil }
            let isShown = choice < WorkflowCommand.most
            var finding = finding(
                findings[index], rule, report, isShown ? lines(findings[index]) : [])
            let kind = findings[index].ownKind
            finding.choice = choice
            finding.group = Finding.Group(order: kind.rawValue, words: kind.words)
            return finding
        }
    }

    /// The guards that somebody must approve, the gravest first: at most three. The last of them
    /// counts the others.
    private static func guards(_ guards: [GuardAnswer]) -> [Finding] {
        let changes = guards.flatMap(\.changes).filter(\.needsApproval)
        var findings = changes.prefix(mostGuards).compactMap { finding($0, most: 8) }
        for index in findings.indices { findings[index].isKept = true }
        if !findings.isEmpty {
            findings[findings.count - 1].lines += Cut.others(
                changes.count - findings.count, after: " guards change")
        }
        return findings
    }

    // MARK: Rules

    /// The meaning of a finding about the hosts of a change; nil for a field that is equal.
    private static func rule(_ relation: Relation) -> FindingRule? {
        let help = "`hawser help diff.md` prints what stricter means, field by field."
        switch relation {
        case .weaker:
            return FindingRule(
                id: "diff-weaker", title: "hosts accept what they refused",
                explanation:
                    "Under the new policy a field demands less for these hosts than under the old "
                    + "one, at some instant from the day of the comparison on.",
                help: help, level: .error, isSecurity: true)
        case .incomparable:
            return FindingRule(
                id: "diff-incomparable", title: "hosts accept other chains than before",
                explanation:
                    "Under the new policy a field demands something else for these hosts: it may "
                    + "accept what was refused, and refuse what was accepted.",
                help: help, level: .warning, isSecurity: true)
        case .stricter:
            return FindingRule(
                id: "diff-stricter", title: "hosts refuse what they accepted",
                explanation:
                    "Under the new policy a field demands more for these hosts. A server that does "
                    + "not meet it yet is refused.", help: help, level: .note, isSecurity: false)
        case .equal: return nil
        }
    }

    /// The meaning of a finding about a guard.
    private static func guardRule(_ relation: Relation) -> FindingRule? {
        let help = "`hawser help diff.md` prints what makes a guard weaker."
        switch relation {
        case .weaker:
            return FindingRule(
                id: "guard-weaker", title: "a guard of the policy is weaker",
                explanation:
                    "An assertion or a test is removed or demands less, or an allowance, an entry "
                    + "of a baseline or an ignore comment lets more pass than before.",
                help: help, level: .warning, isSecurity: false)
        case .incomparable:
            return FindingRule(
                id: "guard-changed", title: "a guard of the policy is another",
                explanation:
                    "A test, a workflow or a hook changes. Whether it guards less than before "
                    + "cannot be computed: read it.", help: help, level: .warning,
                isSecurity: false)
        case .stricter:
            return FindingRule(
                id: "guard-stricter", title: "a guard of the policy is stricter",
                explanation:
                    "An assertion or a test demands more than before, or an allowance, an entry of "
                    + "a baseline or an ignore comment lets less pass.",
                help: help, level: .note, isSecurity: false)
        case .equal: return nil
        }
    }
}

extension DiffReport {
    /// The path of a place's file from the folder in which the report is read. `unit` is the folder
    /// of another unit; nil for the one that was asked for.
    fileprivate func path(
        of place: (location: Provenance.Location, isNew: Bool), in unit: String?
    ) -> String {
        let own = place.isNew ? folders.new : folders.old
        let folder = unit.map { $0 == "." ? "" : $0 } ?? own
        return folder.isEmpty ? place.location.file : "\(folder)/\(place.location.file)"
    }
}
