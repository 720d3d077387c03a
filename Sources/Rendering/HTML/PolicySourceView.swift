package import TrustEngine

/// The files of a policy as numbered lines. Every line that a page cites is marked, and the page's
/// places are links to these lines.
package struct PolicySourceView {
    /// A file of the policy.
    package struct File: Sendable {
        /// The path from the unit's root.
        let path: String
        let lines: [String]

        package init(path: String, text: String) {
            self.path = path
            lines = text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
        }
    }

    private let files: [File]
    /// The indices of files by their paths.
    private let indices: [String: Int]
    /// The cited lines of each file, by the file's index.
    private var cited: [Int: Set<Int>] = [:]

    /// Of a file of at most this many lines all are shown; of a longer one the lines around those
    /// that are cited.
    private let longest: Int
    private let around: Int

    /// - Parameter around: the lines before and after a cited one that are shown of a long file.
    package init(_ files: [File], longest: Int = 200, around: Int = 6) {
        self.files = files
        indices = Dictionary(
            zip(files.map(\.path), files.indices), uniquingKeysWith: { first, _ in first })
        self.longest = longest
        self.around = around
    }

    /// A place as a link to its line, or as text where the file is not at hand.
    package mutating func link(_ location: Provenance.Location?) -> HTML {
        guard let location else { return .none }
        guard let index = indices[location.file],
            (1...max(1, files[index].lines.count)).contains(location.line)
        else { return HTML(location.description) }
        cited[index, default: []].insert(location.line)
        return .element(
            "a", ["href": "#\(PolicySourceView.id(index, location.line))"], location.description)
    }

    /// The cited files. Of a long file the lines around the cited ones are shown.
    package func content() -> [HTML] {
        cited.keys.sorted().flatMap { index -> [HTML] in
            let file = files[index]
            let lines = cited[index] ?? []
            let isWhole = file.lines.count <= longest
            let all = 1...max(1, file.lines.count)
            let shown =
                isWhole
                ? Array(all)
                : Set(
                    lines.flatMap { (($0 - around)...($0 + around)).clamped(to: all) }
                ).sorted()
            var items: [HTML] = []
            var last = 0
            for number in shown {
                if number != last + 1, last > 0 {
                    items.append(
                        .element("li", [.element("span", ["class": "number"], "⋮")]))
                }
                last = number
                let isCited = lines.contains(number)
                items.append(
                    .element(
                        "li",
                        [
                            "id": isCited ? PolicySourceView.id(index, number) : nil,
                            "class": isCited ? "cited" : nil,
                        ],
                        [
                            .element("span", ["class": "number"], String(number)),
                            .element("span", ["class": "code"], file.lines[number - 1]),
                        ]))
            }
            return [
                .element("h3", [.element("code", file.path)]),
                .element("ol", ["class": "source"], items),
            ]
        }
    }

    private static func id(_ file: Int, _ line: Int) -> String { "file-\(file + 1)-\(line)" }
}
