import Rendering
import TrustEngine

/// Writes a comparison as workflow commands, which a runner turns into annotations on the lines of
/// a pull request: weaker fields as errors, incomparable ones as warnings, stricter ones as
/// notices, the gravest first. Writes at most ten: one of each kind of change, then one of each
/// field and source, then others. The last line is a notice with the totals, which counts the
/// omitted fields by kind.
enum DiffGitHub {
    static func render(_ report: DiffReport) -> String {
        switch report.outcome {
        case .notCompared(let failure):
            return WorkflowCommand.line(.error, [], DiffReport.sentence(failure)) + "\n"
        case .compared(let answers):
            let guardLines = guards(answers.compactMap(\.guards))
            let room = WorkflowCommand.most - guardLines.count
            let findings = distinct(answers.map(\.diff))
            let order = FindingChoice.order(findings)
            let chosen = order.prefix(room)
            let lines =
                guardLines
                + chosen.sorted().compactMap { index in
                    kind(of: findings[index]).map { ($0, command($0, findings[index], report)) }
                }
            // A runner shows errors before warnings, in whatever order they come.
            let shown = WorkflowCommand.Kind.allCases.flatMap { kind in
                lines.filter { $0.0 == kind }.map(\.1)
            }
            let left = order.dropFirst(room).map { findings[$0] }
            let cut =
                left.isEmpty
                ? []
                : [
                    "\(findings.count) fields change, \(chosen.count) of them are annotations; left "
                        + "out: \(FindingChoice.counts(left)); all of them: \(report.command)"
                ]
            let sum = WorkflowCommand.line(
                .notice, [("title", "hawser diff")],
                (answers.map { DiffSentences.totals($0.diff) }
                    + answers.compactMap { ApprovalSentences($0.approvals).headline }
                    .map(TerminalEscape.escape) + cut).joined(separator: "\n"))
            return (shown + [sum]).map { $0 + "\n" }.joined()
        }
    }

    /// The findings of all comparisons that differ in anything, each once.
    private static func distinct(_ diffs: [PolicyDiff]) -> [DiffFinding] {
        let all = diffs.flatMap(DiffFinding.all).filter { kind(of: $0) != nil }
        guard diffs.count > 1 else { return all }
        var seen: Set<[String]> = []
        return all.filter {
            seen.insert([$0.fingerprint] + $0.lines(octets: mostOctets, command: "")).inserted
        }
    }

    /// GitHub shows 64 KB of a message.
    private static let mostOctets = 55_000

    /// Nil for a field that is equal. What a reviewer allowed fails nothing.
    private static func kind(of finding: DiffFinding) -> WorkflowCommand.Kind? {
        switch finding.relation {
        case .weaker: return finding.change.allowance == nil ? .error : .notice
        case .incomparable: return finding.change.allowance == nil ? .warning : .notice
        case .stricter: return .notice
        case .equal: return nil
        }
    }

    private static func command(
        _ kind: WorkflowCommand.Kind, _ finding: DiffFinding, _ report: DiffReport
    ) -> String {
        var properties: [(String, String)] = []
        if let place = finding.locations.first {
            properties = [
                ("file", report.path(of: place, in: finding.unit)),
                ("line", "\(place.location.line)"),
                ("col", "\(place.location.column)"),
            ]
        }
        let allowed = finding.change.allowance == nil ? "" : " (allowed)"
        properties.append(
            (
                "title",
                "hawser diff: \(DiffSentences.relation(finding.relation)) \(finding.path)\(allowed)"
            ))
        let message = finding.lines(octets: mostOctets, command: report.command)
            .map(TerminalEscape.escape).joined(separator: "\n")
        return WorkflowCommand.line(kind, properties, message)
    }
}

extension DiffReport {
    /// The path of a place's file from the folder in which the report is read. `unit` is the folder
    /// of another unit; nil for the one that was asked for.
    func path(
        of place: (location: Provenance.Location, isNew: Bool), in unit: String?
    ) -> String {
        let own = place.isNew ? folders.new : folders.old
        let folder = unit.map { $0 == "." ? "" : $0 } ?? own
        return folder.isEmpty ? place.location.file : "\(folder)/\(place.location.file)"
    }
}
