import Rendering
import TrustEngine

/// Writes coverages in the form of lcov's trace files (geninfo(1)): for each file of the policy the
/// lines with a rule, a pattern or a demand, each with the number of cases.
package enum CoverageLcov {
    /// The records of several units. A line that two units share, which a unit's folder does not
    /// allow, has the smaller number.
    ///
    /// - Parameter coverages: each with what makes a path that a reader can open of a file of its
    ///   unit.
    package static func render(
        _ coverages: [(coverage: PolicyCoverage, path: (String) -> String)]
    ) -> String {
        var files: [String: [Int: Int]] = [:]
        for (coverage, path) in coverages {
            for line in coverage.lines {
                let file = path(line.file)
                let known = files[file]?[line.line] ?? .max
                files[file, default: [:]][line.line] = min(known, line.hits)
            }
        }
        return files.sorted { $0.key < $1.key }.map { record(of: $0.key, $0.value) }.joined()
    }

    /// One file. The format has no way to quote a path, so a control character is written as for a
    /// terminal.
    private static func record(of file: String, _ hits: [Int: Int]) -> String {
        let lines = hits.sorted { $0.key < $1.key }
        return "TN:\nSF:\(TerminalEscape.escape(file))\n"
            + lines.map { "DA:\($0.key),\($0.value)\n" }.joined()
            + "LF:\(lines.count)\nLH:\(lines.count { $0.value > 0 })\nend_of_record\n"
    }
}
