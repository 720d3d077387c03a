import Rendering
import TrustEngine

/// Writes a comparison as workflow commands, which a runner turns into annotations on the lines of
/// a pull request: what is weaker first, as errors, then what is incomparable, as warnings, then
/// what is stricter. At most ten of them, and then one notice with the total.
enum DiffGitHub {
    static func render(_ report: DiffReport) -> String {
        switch report.outcome {
        case .notCompared(let failure):
            return WorkflowCommand.line(.error, [], DiffReport.sentence(failure)) + "\n"
        case .compared(let diffs):
            var lines = guards(diffs)
            var seen: Set<String> = []
            for finding in diffs.flatMap(DiffFinding.all) {
                guard let kind = kind(of: finding) else { continue }
                let line = command(kind, finding, report)
                if seen.insert(line).inserted { lines.append((kind, line)) }
            }
            let sorted = WorkflowCommand.Kind.allCases.flatMap { kind in
                lines.filter { $0.kind == kind }.map(\.text)
            }
            let shown = sorted.prefix(WorkflowCommand.most)
            let cut =
                shown.count < sorted.count
                ? ["\(sorted.count) fields change, \(shown.count) of them are annotations"] : []
            let sum = WorkflowCommand.line(
                .notice, [("title", "hawser diff")],
                (diffs.map(DiffSentences.totals) + cut).joined(separator: "\n"))
            return (shown + [sum]).map { $0 + "\n" }.joined()
        }
    }

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
        let message = finding.lines.map(TerminalEscape.escape).joined(separator: "\n")
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
