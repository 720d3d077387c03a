package import TrustEngine

/// The files of a policy as numbered lines. Every line that a page cites is marked, and the page's
/// places are links to these lines.
package struct PolicySourceView {
    /// A line that a page cites.
    private struct Line: Hashable {
        let file: Int
        let number: Int
    }

    private let name: String
    private let files: [(path: String, lines: [String])]
    private let indices: [String: Int]
    /// The cited lines, each with the columns that are marked, from 0 and in scalars.
    private var cited: [Line: [Range<Int>]] = [:]

    /// Of a file of at most this many lines all are shown; of a longer one the lines around those
    /// that are cited.
    private let longest: Int
    /// The lines before and after a cited one that are shown of a long file.
    private let around: Int

    /// - Parameters:
    ///   - name: the beginning of the ids, where a page shows the files of two policies.
    ///   - longest: the most lines of a file that is shown whole.
    ///   - around: the lines before and after a cited one that are shown of a longer file.
    package init(
        _ files: [PolicySourceFile], name: String = "file", longest: Int = 200, around: Int = 6
    ) {
        self.name = name
        self.longest = longest
        self.around = around
        self.files = files.map { ($0.path, $0.lines) }
        indices = Dictionary(
            files.enumerated().map { ($1.path, $0) }, uniquingKeysWith: { first, _ in first })
    }

    /// A place as a link to its line, or as text where the file is not at hand.
    ///
    /// - Parameter end: the column after the last character that the place stands for, where it is
    ///   on the same line; nil where that is not known.
    package mutating func link(
        _ location: Provenance.Location?, before end: Int? = nil
    ) -> HTML {
        guard let location else { return .none }
        guard let line = cite(location, before: end) else { return HTML(location.description) }
        return .element("a", ["href": "#\(id(line))"], location.description)
    }

    /// A sentence that may begin with a place of a file at hand. The place is then a link.
    package mutating func link(text: String) -> HTML {
        guard let (location, rest) = Self.leadingPlace(of: text, in: { indices[$0] != nil }) else {
            return HTML(sentence: text)
        }
        return .joined([link(location), HTML(sentence: rest)])
    }

    /// The place that a text such as `policy.yaml:12:5 (rule `api`)` begins with, and the rest of
    /// the text; nil for a text that begins with no place.
    ///
    /// - Parameter isFile: whether a path is the path of a file at hand.
    package static func leadingPlace(
        of text: String, in isFile: (String) -> Bool
    ) -> (location: Provenance.Location, rest: String)? {
        for colon in text.indices where text[colon] == ":" {
            let file = String(text[..<colon])
            guard isFile(file) else { continue }
            let rest = text[text.index(after: colon)...]
            let digits = rest.prefix { $0 == ":" || $0.isNumber }
            let numbers = digits.split(separator: ":", omittingEmptySubsequences: false)
            guard numbers.count == 2, let line = Int(numbers[0]), let column = Int(numbers[1])
            else { continue }
            return (
                Provenance.Location(file: file, line: line, column: column),
                String(rest.dropFirst(digits.count))
            )
        }
        return nil
    }

    private mutating func cite(_ location: Provenance.Location, before end: Int?) -> Line? {
        guard let index = indices[location.file],
            (1...max(1, files[index].lines.count)).contains(location.line)
        else { return nil }
        let line = Line(file: index, number: location.line)
        let first = max(0, location.column - 1)
        if let end, end > location.column {
            cited[line, default: []].append(first..<end - 1)
        } else {
            cited[line, default: []] += []
        }
        return line
    }

    /// The number of cited lines.
    var citedLines: Int { cited.count }

    /// The cited files. Of a long file the lines around the cited ones are shown.
    package func content() -> [HTML] {
        Set(cited.keys.map(\.file)).sorted().flatMap { index -> [HTML] in
            let file = files[index]
            let all = 1...max(1, file.lines.count)
            let lines = Set(cited.keys.filter { $0.file == index }.map(\.number))
            let shown =
                file.lines.count <= longest
                ? Array(all)
                : Set(lines.flatMap { (($0 - around)...($0 + around)).clamped(to: all) }).sorted()
            var items: [HTML] = []
            var last = 0
            for number in shown {
                if number != last + 1 {
                    items.append(
                        .element("li", [.element("span", ["class": "number"], "⋮")]))
                }
                last = number
                items.append(item(Line(file: index, number: number)))
            }
            if last < file.lines.count {
                items.append(.element("li", [.element("span", ["class": "number"], "⋮")]))
            }
            return [
                .element("h3", [.element("code", file.path)]),
                .element("ol", ["class": "source"], items),
            ]
        }
    }

    private func item(_ line: Line) -> HTML {
        let marks = cited[line]
        return .element(
            "li", ["id": marks == nil ? nil : id(line), "class": marks == nil ? nil : "cited"],
            [
                .element("span", ["class": "number"], String(line.number)),
                .element("span", ["class": "code"], text(of: line)),
            ])
    }

    /// The text of a line with its marks.
    package func text(of file: String, line: Int) -> [HTML] {
        guard let index = indices[file], (1...max(1, files[index].lines.count)).contains(line)
        else { return [] }
        return text(of: Line(file: index, number: line))
    }

    /// The id of a line; nil where no place of the page is on it.
    package func id(of file: String, line: Int) -> String? {
        guard let index = indices[file] else { return nil }
        let line = Line(file: index, number: line)
        return cited[line] == nil ? nil : id(line)
    }

    private func text(of line: Line) -> [HTML] {
        let scalars = Array(files[line.file].lines[line.number - 1].unicodeScalars)
        var parts: [HTML] = []
        var next = 0
        func piece(_ range: Range<Int>) -> HTML {
            var text = String.UnicodeScalarView()
            text.append(contentsOf: scalars[range])
            return HTML(String(text))
        }
        let marks = (cited[line] ?? []).sorted { $0.lowerBound < $1.lowerBound }
        for mark in marks {
            let (start, end) = (max(next, mark.lowerBound), min(mark.upperBound, scalars.count))
            guard start < end else { continue }
            let range = start..<end
            parts.append(piece(next..<range.lowerBound))
            parts.append(.element("mark", [piece(range)]))
            next = range.upperBound
        }
        parts.append(piece(next..<scalars.count))
        return parts
    }

    private func id(_ line: Line) -> String { "\(name)-\(line.file + 1)-\(line.number)" }
}
