import PolicyCompiler
import Rendering
import TrustEngine

// The findings of the linter, as the last section of a report.
extension ReportDocument {
    func findings(_ found: FindingReport) -> [Block] {
        var notes: [String] = []
        if !found.suppressed.isEmpty {
            notes.append(
                "\(Words.count(found.suppressed.count, "finding is", "findings are")) hidden by "
                    + "comments: `hawser lint --level audit` lists them.")
        }
        if !found.isWhole {
            notes.append(
                "Too many patterns or constraints overlap; not every rule on hosts and anchors "
                    + "could be applied.")
        }
        let entries = alike(found.findings).flatMap { numbers -> [Entry] in
            let all = numbers.map { finding($0, found) }
            guard all.count > 1 else { return all }
            var rest = Entry(
                .plain(
                    "\(found.findings[numbers[0] - 1].code.rawValue): "
                        + Cut.rest(all.count - 1, after: " that say the same of other rules")),
                [.list(Array(all.dropFirst()), indent: 2)], id: "k\(numbers[0])")
            rest.isFolded = true
            return [all[0], rest]
        }
        return notes.map { Block.line(DocumentText($0), indent: 2) }
            + list(
                entries, Noun("finding", "findings"), .findings, none: "The linter finds nothing.")
    }

    /// The numbers of the findings, from 1: each by itself, or many that say the same of rules that
    /// say the same. The first of them has the place of the others.
    private func alike(_ findings: [Diagnostic]) -> [[Int]] {
        var names: Set<String> = []
        for number in groups.filter({ $0.count > 1 }).joined() {
            let entry = report.classes[number - 1]
            names.formUnion([entry.rule.id, label(number)] + [entry.pattern].compactMap(\.self))
        }
        let texts = findings.map { ReportDocument.text($0, without: names) }
        var numbers: [[String]: [Int]] = [:]
        for (index, text) in texts.enumerated() { numbers[text, default: []].append(index + 1) }
        return texts.enumerated().flatMap { index, text -> [[Int]] in
            let all = numbers[text] ?? []
            guard all.count > ReportDocument.mostAlike else { return [[index + 1]] }
            guard all.first == index + 1 else { return [] }
            // A page can be split between the parts.
            let most = ReportDocument.mostOfOneGroup
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

    private func finding(_ number: Int, _ found: FindingReport) -> Entry {
        let finding = found.findings[number - 1]
        let tone: Tone
        switch finding.severity {
        case .error: tone = .bad
        case .warning: tone = .warn
        case .info: tone = .soft
        }
        let places = ([finding.primary] + finding.labels).compactMap { label -> Block? in
            guard let place = DiagnosticPlace(label.span, in: found.files) else { return nil }
            let location = "\(place.file.path):\(place.start.line):\(place.start.column)"
            return .line(
                .place(location + (label.text.isEmpty ? "" : ": \(label.text)")), indent: 4)
        }
        let words = finding.help + finding.notes + (finding.fix.map { [$0.title] } ?? [])
        return Entry(
            word: Word("\(finding.severity.rawValue) \(finding.code.rawValue)  ", tone),
            DocumentText(finding.message), hang: 6,
            places
                + (words.isEmpty ? [] : [.sentences(words, room: .everywhere, indent: 4)]),
            id: "f\(number)")
    }

    /// Most findings that say the same and stand one after another.
    private static let mostAlike = 7
    /// Most findings that are folded into one.
    private static let mostOfOneGroup = 500
}

extension Rank {
    fileprivate static let findings = Rank(40)
}
