import PolicyCompiler
import Rendering

/// The findings that a repository accepts for now, by their fingerprints: a file that `lint
/// --write-baseline` writes and `lint --baseline` reads. A fingerprint covers the file, the keys
/// and the text of a finding. A finding whose lines moved keeps its fingerprint; a second finding
/// of the same kind is new.
package struct LintBaseline: Hashable, Sendable {
    /// The name of the JSON format, with its version.
    package static let schema = "hawser/baseline/1"

    /// The fingerprints of the findings that are not reported.
    package let fingerprints: Set<String>

    /// Reads a file that `render` wrote.
    package init(_ bytes: [UInt8]) throws(LintBaselineProblem) {
        let tree = SyntaxParser.parse(SourceFile(path: "baseline", bytes: bytes), fileIndex: 0)
        let root = tree.root?.entries ?? []
        func value(_ name: String, in entries: [(key: SyntaxNode, value: SyntaxNode)])
            -> SyntaxNode?
        {
            entries.first { $0.key.text == name }?.value
        }
        guard tree.diagnostics.isEmpty, value("schema", in: root)?.text == LintBaseline.schema
        else {
            throw LintBaselineProblem(
                context: "it is no baseline: its `schema` is not `\(LintBaseline.schema)`")
        }
        var found: Set<String> = []
        for item in value("findings", in: root)?.items ?? [] {
            guard let text = value("fingerprint", in: item.entries)?.text, !text.isEmpty else {
                throw LintBaselineProblem(
                    context: "an entry of its `findings` has no `fingerprint`")
            }
            found.insert(text)
        }
        fingerprints = found
    }

    /// The file for the findings of a report that a baseline may hide. The same findings give the
    /// same octets. `findings` is left out if there are none, since a list may not be empty.
    package static func render(_ report: FindingReport) -> String {
        let listed = zip(report.findings, report.fingerprints)
            .filter { LintRules.isSuppressible($0.0.code) }
            .map { finding, mark -> JSONValue in
                let place = DiagnosticPlace(finding.primary.span, in: report.files)
                return .object([
                    "fingerprint": mark, "code": finding.code.rawValue, "file": place?.file.path,
                    "message": finding.message,
                ])
            }
        return JSONValue.object([
            "schema": schema, "findings": listed.isEmpty ? nil : listed,
        ]).render(.pretty) + "\n"
    }

    /// The number of fingerprints that no finding of a report has, suppressed ones included. These
    /// findings were fixed.
    package func stale(in report: FindingReport) -> Int {
        fingerprints.subtracting(report.fingerprints).subtracting(report.suppressedFingerprints)
            .count
    }
}

/// Why a file is not a baseline.
package struct LintBaselineProblem: Error, Hashable, Sendable {
    /// Lower case, no full stop. To be written after the file's name and a colon.
    package let context: String
}
