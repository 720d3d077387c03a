/// The tables of a page, as its source has them.
enum MarkdownTable {
    /// Rows of every table below a heading, up to the next one, cells trimmed: those that stand
    /// under a line of dashes.
    static func rows(of page: String, below heading: String) -> [[String]] {
        let lines = page.split(separator: "\n", omittingEmptySubsequences: false)
        guard let start = lines.firstIndex(where: { $0 == heading }) else { return [] }
        var rows: [[String]] = []
        var isInTable = false
        for line in lines[(start + 1)...] {
            if line.hasPrefix("#") { break }
            guard line.hasPrefix("|") else {
                isInTable = false
                continue
            }
            if line.hasPrefix("|---") {
                isInTable = true
            } else if isInTable {
                rows.append(cells(line))
            }
        }
        return rows
    }

    private static func cells(_ line: Substring) -> [String] {
        line.split(separator: "|", omittingEmptySubsequences: false).dropFirst().dropLast()
            .map { $0.trimmingPrefix(" ") }.map { cell in
                String(cell.reversed().drop { $0 == " " }.reversed())
            }
    }

    /// The words that a cell has between backticks.
    static func code(_ cell: String) -> [String] {
        cell.split(separator: "`", omittingEmptySubsequences: false).enumerated()
            .filter { $0.offset % 2 == 1 }.map { String($0.element) }
    }
}
