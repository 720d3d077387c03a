import Foundation

/// A page of the command as tests look at it.
public struct Page {
    /// The whole page.
    public let markup: String

    /// - Parameter markup: what the command wrote.
    public init(_ markup: String) { self.markup = markup }

    // MARK: Facts

    /// The parts of pages that quote or lay out facts from elsewhere: the lines of policies, the
    /// cells of a calendar. Each from a text up to another.
    private static let quotations = [
        ("<dt>written by</dt>", "</dd>"), ("<dt>command</dt>", "</dd>"), ("<dt>", "</dt>"),
        ("<section id=\"policy\"", "</section>"), ("<section id=\"lines\"", "</section>"),
        ("<table class=\"month\">", "</table>"),
    ]

    /// Words of the program in code, which are not facts.
    private static let words: Set<String> = [
        "hawser rule CODE", "--fix", "--fix-unsafe", "default", "default: deny", "(no subject)",
    ]

    /// What the page says besides words: text in code, and every word with a digit in it.
    public var facts: Set<String> {
        var body = markup[(markup.range(of: "<body>")?.upperBound ?? markup.startIndex)...]
        for (start, end) in Page.quotations {
            while let from = body.range(of: start),
                let to = body[from.upperBound...].range(of: end)
            {
                body.removeSubrange(from.lowerBound..<to.upperBound)
            }
        }
        var facts: Set<String> = []
        for part in body.components(separatedBy: "<code>").dropFirst() {
            facts.insert(Page.plain(part.components(separatedBy: "</code>")[0]))
        }
        // Text stands between a `>` and the next `<`; the page has no other `>`.
        for piece in body.split(separator: ">") {
            let text = Page.plain(String(piece.prefix { $0 != "<" }))
            for word in text.split(whereSeparator: { " ,;()".contains($0) })
            where word.contains(where: \.isNumber) {
                facts.insert(word.trimmingCharacters(in: CharacterSet(charactersIn: ":.")))
            }
        }
        return facts.subtracting(Page.words)
    }

    /// A text of the markup as a reader sees it.
    public static func plain(_ text: String) -> String {
        [("&lt;", "<"), ("&gt;", ">"), ("&quot;", "\""), ("&#39;", "'"), ("&amp;", "&")]
            .reduce(text) { $0.replacing($1.0, with: $1.1) }
    }

    /// The facts that a JSON document does not have.
    ///
    /// - Parameter escape: the escaping of control characters that pages have.
    public func facts(notIn json: String, escape: (String) -> String) throws -> [String] {
        let values = try Page.values(ofJSON: json).map(escape)
        let all = values.joined(separator: "\n")
        let numbers = Set(values)
        return facts.filter { fact in
            if all.contains(fact) { return false }
            // Durations are told in days, places as file, line and column, ports behind hosts, and
            // long names without their middle.
            return !fact.split(whereSeparator: { ":/→%…".contains($0) }).allSatisfy { part in
                if all.contains(part) { return true }
                guard let number = Int(part.filter(\.isNumber)) else { return false }
                return [1, 60, 3_600, 86_400].contains { numbers.contains(String(number * $0)) }
            }
        }.sorted()
    }

    /// Every text and number of a JSON document, and the number of entries of each list.
    public static func values(ofJSON json: String) throws -> [String] {
        values(
            try JSONSerialization.jsonObject(with: Data(json.utf8), options: .fragmentsAllowed))
    }

    private static func values(_ value: Any) -> [String] {
        switch value {
        case let text as String: return [text]
        case let number as NSNumber: return [number.stringValue]
        case let list as [Any]: return list.flatMap(values) + [String(list.count)]
        case let object as [String: Any]: return object.values.flatMap(values)
        default: return []
        }
    }

    // MARK: The frame

    /// The faults of the page's frame: things that it might fetch or run, links that lead nowhere,
    /// and repeated facts.
    public var flaws: [String] {
        var flaws: [String] = []
        let head =
            "<head><meta http-equiv=\"Content-Security-Policy\" content=\"default-src &#39;none&#39;; "
            + "base-uri &#39;none&#39;; form-action &#39;none&#39;; style-src &#39;sha256-"
        if !markup.contains(head) { flaws.append("the policy of its content is not first") }
        for word in [
            "<script", " style=\"", "<a href=\"http", " src=\"", "<img", "<link", " onerror=\"",
        ]
        where markup.contains(word) {
            flaws.append("it has \(word)")
        }
        let ids = markup.components(separatedBy: " id=\"").dropFirst()
            .map { String($0.prefix { $0 != "\"" }) }
        for id in Set(ids) where ids.filter({ $0 == id }).count > 1 {
            flaws.append("two things have the id \(id)")
        }
        let targets = markup.components(separatedBy: "href=\"#").dropFirst()
            .map { String($0.prefix { $0 != "\"" }) }
        for target in targets where !ids.contains(target) {
            flaws.append("a link leads to #\(target), which is not there")
        }
        return flaws
    }

    // MARK: For goldens

    /// The page without its style sheet, one element a line.
    public var readable: String {
        var page = markup
        if let start = page.range(of: "<style>"), let end = page.range(of: "</style>") {
            page.replaceSubrange(start.upperBound..<end.lowerBound, with: "…")
        }
        if let start = page.range(of: "sha256-"),
            let end = page[start.upperBound...].range(of: "&#39;")
        {
            page.replaceSubrange(start.upperBound..<end.lowerBound, with: "…")
        }
        return page.replacing("><", with: ">\n<")
    }
}
