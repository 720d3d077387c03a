import Foundation
import Testing

/// Counts the turns of phrase that make a sentence hard to read, and holds the counts down.
///
/// `plain-english.txt` has the counts of today. No count may grow. One that shrank is written down,
/// so that it cannot grow back: `UPDATE_GOLDEN=1 swift test --filter PlainEnglishTests` writes the
/// file. It refuses when the whole has grown; text that moved from one area to another has not.
@Suite struct PlainEnglishTests {
    /// A leading space stands for the beginning of a word.
    static let patterns = [
        ", and no ", " is no ", " are no ", " where nobody", " who asks", " alone.", " alone,",
        " aside.", " such a ", " and not a", " that of ", " those of ", " what is ", " what it ",
        " Says ", " Tells ", " tell what",
    ]

    /// `patterns`, in either case where they begin with a small letter, and `of a … what` within
    /// one sentence.
    private static let expression = Result {
        let alternatives = patterns.map { pattern in
            let text = pattern.drop { $0 == " " }
            let start = pattern.hasPrefix(" ") ? "(?<![\\p{L}\\p{N}-])" : ""
            let first = String(text.prefix(1))
            return start + "[\(first)\(first.uppercased())]"
                + NSRegularExpression.escapedPattern(for: String(text.dropFirst()))
        }
        let all = alternatives + ["(?<![\\p{L}\\p{N}-])of an? [^.,:;]{1,40} what "]
        return try NSRegularExpression(pattern: all.joined(separator: "|"))
    }

    /// The patterns that a text holds, in their order.
    static func hits(in text: String) throws -> [String] {
        try expression.get().matches(in: text, range: NSRange(text.startIndex..., in: text))
            .map { (text as NSString).substring(with: $0.range) }
    }

    /// The part of the tree that a file is counted with: a target of `Sources`, else a folder.
    static func area(of file: Tree.File) -> String {
        let parts = file.components
        switch parts[0] {
        case "Sources" where parts.count > 2: return "Sources/" + parts[1]
        case "Makefile", "Package.swift", ".ci": return "scripts"
        case _ where parts.count == 1: return "README.md"
        default: return parts[0]
        }
    }

    /// Every file with sentences, without the change log and copies of earlier files.
    static func files() throws -> [Tree.File] {
        var files = Tree.files(
            below: "Sources", "Tests", "Packaging", "grammar", "policies", "Documentation"
        ) { name in
            !name.hasSuffix(".txt") && !name.hasSuffix(".pem")
        }
        files.removeAll { $0.path.hasPrefix("Tests/Fuzz/Corpus/") }
        let scripts = try FileManager.default.contentsOfDirectory(
            atPath: Tree.root.appending(path: ".ci").path)
        let others =
            scripts.sorted().map { ".ci/\($0)" }
            + ["Makefile", "Package.swift", "README.md"]
            + [".github/CONTRIBUTING.md", ".github/SECURITY.md"]
        return try files + others.map { Tree.File(path: $0, text: try Tree.read($0)) }
    }

    /// One area's paragraphs of one kind, counted.
    struct Count {
        var hits = 0
        var lines = 0
        /// Each hit: file, line and pattern.
        var places: [String] = []

        var rate: String { String(format: "%.1f", 1000 * Double(hits) / Double(max(lines, 1))) }
    }

    /// The counts by area and kind, under the name that `plain-english.txt` has for both.
    static func counts() throws -> [String: Count] {
        var counts: [String: Count] = [:]
        for file in try files() {
            for paragraph in Prose.paragraphs(of: file) {
                let name = "\(area(of: file)) \(paragraph.kind)"
                let hits = try hits(in: paragraph.text)
                counts[name, default: Count()].lines += paragraph.lines
                counts[name, default: Count()].hits += hits.count
                counts[name, default: Count()].places += hits.map {
                    "\(file.path):\(paragraph.line): \($0)"
                }
            }
        }
        return counts
    }

    private static let path = "Tests/HouseTests/plain-english.txt"

    /// The counts of the file. Its other columns are as of its last writing, and are not read.
    private static func written() throws -> [String: Int] {
        var written: [String: Int] = [:]
        for line in try Tree.read(path).split(separator: "\n") where !line.hasPrefix("#") {
            let words = line.split(separator: " ")
            guard words.count >= 3 else { continue }
            written["\(words[0]) \(words[1])"] = Int(words[2])
        }
        return written
    }

    /// The text of the file.
    private static func table(of counts: [String: Count]) -> String {
        func row(_ name: String, _ count: Count) -> String {
            let columns = [(name, 36), ("\(count.hits)", 6), ("\(count.lines)", 8)]
            return columns.map { $0.padding(toLength: $1, withPad: " ", startingAt: 0) }.joined()
                + count.rate
        }
        let total = counts.values.reduce(into: Count()) {
            $0.hits += $1.hits
            $0.lines += $1.lines
        }
        let head = """
            # Turns of phrase that PlainEnglishTests counts. Columns: area, kind, count, lines of prose,
            # count per 1,000 lines. A count may only shrink; UPDATE_GOLDEN=1 writes this file.

            """
        let rows = counts.sorted { $0.key < $1.key }.map { row($0.key, $0.value) }
        return head + (rows + ["# " + row("whole", total)]).joined(separator: "\n") + "\n"
    }

    @Test func countsOnlyShrink() throws {
        let counts = try PlainEnglishTests.counts()
        let written = try PlainEnglishTests.written()
        #expect(counts.values.reduce(0) { $0 + $1.lines } > 10_000)
        let whole = counts.values.reduce(0) { $0 + $1.hits }
        let allowed = written.values.reduce(0, +)
        if ProcessInfo.processInfo.environment["UPDATE_GOLDEN"] == "1", whole <= allowed {
            try Data(PlainEnglishTests.table(of: counts).utf8)
                .write(to: Tree.root.appending(path: PlainEnglishTests.path))
            return
        }
        for name in Set(counts.keys).union(written.keys).sorted() {
            let (count, limit) = (counts[name] ?? Count(), written[name] ?? 0)
            #expect(
                count.hits <= limit,
                """
                \(name): \(count.hits) turns of phrase of PlainEnglishTests.patterns in \
                \(count.lines) lines (\(count.rate) per 1,000); at most \(limit). Reword yours:
                \(count.places.joined(separator: "\n"))
                """)
            #expect(
                count.hits >= limit,
                """
                \(name): \(count.hits) now. Write this in \(PlainEnglishTests.path), which has \
                \(limit); UPDATE_GOLDEN=1 does.
                """)
        }
    }

    @Test(arguments: [
        ("Sources/A/B.swift", "/// There is none, and no\n/// file is read.\nlet a = 1\n", 1),
        ("Sources/A/B.swift", "let a = 1  // What is read.\n", 1),
        ("Sources/A/B.swift", "let a = \"nobody reads \\(b(\"x\")) \" + \"alone.\"\n", 1),
        ("Sources/A/B.swift", "let a = \"\"\"\n    such a \\\n    thing\n    \"\"\"\n", 1),
        ("Sources/A/B+Generated.swift", "/// What is read.\n", 0),
        ("Tests/A/B.swift", "let a = \"it is no message of the product\"\n", 0),
        ("Sources/A/b.h", "/* Says that\n * there are no files. */\n", 2),
        ("Packaging/a.py", "def a():\n    \"\"\"Tells the time\n\n    and not a date.\"\"\"\n", 2),
        (".ci/a", "#!/bin/sh\n# The word alone.\necho alone.\n", 1),
        ("Sources/README.md", "The order is that of\nthe files.\n\n```\nwho asks\n```\n", 1),
        ("grammar/language.md", "<!-- keys of a -->\nwhat is a\n<!-- end of keys -->\n", 0),
        ("grammar/a.yaml", "a:\n  title: these are no\n    words\n  b: of a rule what it is\n", 2),
        ("grammar/a.schema.json", "{\"description\": \"those of a set\"}\n", 1),
        ("Sources/A/B.swift", "/// It alone decides; somewhat is not counted.\n", 0),
    ])
    func aPlantedSentenceIsCounted(_ path: String, _ text: String, _ count: Int) throws {
        let paragraphs = Prose.paragraphs(of: Tree.File(path: path, text: text))
        let hits = try paragraphs.flatMap { try PlainEnglishTests.hits(in: $0.text) }
        #expect(hits.count == count, "\(hits)")
    }
}
