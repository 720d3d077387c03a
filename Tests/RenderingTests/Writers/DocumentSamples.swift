@testable import Rendering

/// Documents for tests of writers.
enum DocumentSamples {
    /// A document with every kind of block. `text` stands wherever an answer has text of strangers.
    static func all(_ text: String = "sample") -> Document {
        var tree = Tree()
        tree.node(.bad("FAILED"), text, "policy.yaml:2:3, RFC 5280 §6.1")
        tree.child("-", text, nil, .needed)
        tree.detail(text)
        tree.snippet("write policy.yaml:3:", ["  note: \(text)"])
        tree.command("hawser show \(ShellWords.line([text]))", .needed)
        var document = Document(kind: "sample", version: "0.1.0")
        document.headline = Headline(
            "answer of \(text)", words: [.bad("2 weaker"), .soft("1 equal")],
            lead: "because \(text)",
            fields: [Field("owner", .plain(text))])
        document.sources = [
            PolicySourceFile(path: "policy.yaml", text: "hawser: 1\nnote: x\nlast: \(text)")
        ]
        document.command = "hawser sample \(ShellWords.line([text]))"
        document.marker = ("hawser-sample", text)
        document.blocks = [
            .line("a line about `\(text)`", word: .warn("noticed ")),
            .gap(),
            .section(
                "tree", "A tree", [.tree(tree)], screen: "a tree"),
            .section(
                "fields", "Fields of \(text)",
                [
                    .fields(
                        [
                            Field("expected", .code(text), citation: "policy.yaml:2:1"),
                            Field("got", .plain(text)),
                        ], indent: 4)
                ], isFolded: true),
            .section(
                "table", "A table",
                [
                    .table(
                        "a caption of \(text)", ["name", "value", "where"],
                        [
                            Row([
                                [.code(text)], [.plain(text), "second"],
                                [.place("policy.yaml:3:1")],
                            ]),
                            Row([["short"], ["v"], ["nowhere"]]),
                        ])
                ]),
            .section(
                "list", "A list",
                [
                    .list(
                        [
                            Entry(
                                word: .bad("refuted  "), DocumentText(text),
                                citation: "policy.yaml:1:1",
                                [
                                    .fields(
                                        [Field("hosts", DocumentText(text))], labels: .fixed(12),
                                        indent: 2),
                                    .line(DocumentText(text), indent: 4),
                                ])
                        ])
                ]),
            .section("excerpt", "An excerpt", [Block(.excerpt(excerpt(text)))]),
            .command("hawser sample --all"),
            .snippet("write \(text):", ["rules:", "  \(text): x"]),
            Block(.drawing(.element("p", "a drawing")), room: .page),
            .line("for the screen alone", room: .screen), .line("for pages alone", room: .page),
        ]
        document.findings.run = .succeeded()
        document.findings.rules = [
            FindingRule(
                id: "sample-rule", title: "a title", explanation: "an explanation", help: "help",
                level: .error, isSecurity: true)
        ]
        document.findings.results = [finding(text)]
        document.findings.tally = .all(lines: ["one of \(text)"], noun: "things")
        document.suites = Suites([
            Suites.Suite(
                text,
                [
                    Suites.Case("passes", place: (text, 3), .passed),
                    Suites.Case(text, .failed(kind: "kind", message: text, lines: [text, "more"])),
                    Suites.Case("told", .told(lines: [text])),
                    Suites.Case("skipped", .skipped(message: text, lines: [])),
                    Suites.Case("broken", .error(kind: nil, message: text, lines: [])),
                ])
        ])
        return document
    }

    static func finding(_ text: String) -> Finding {
        var finding = Finding(
            rule: "sample-rule", level: .error, title: "a finding of \(text)",
            lines: [text, "more"],
            places: [
                FindingPlace(
                    file: text, line: 2, column: 3, end: FindingPlace.End(line: 2, column: 3)),
                FindingPlace(file: "policy.yaml", line: 9, column: 1, text: text),
            ])
        finding.names = [text]
        finding.fingerprint = ("sample/1", "f00d")
        return finding
    }

    static func excerpt(_ text: String) -> Excerpt {
        let line = Array("note: \(text.filter { $0 != "\n" })".utf8)
        return Excerpt(
            word: .bad("error[HW001]"), message: text,
            groups: [
                Excerpt.Group(
                    path: "policy.yaml", line: 9, column: 7,
                    lines: [
                        Excerpt.MarkedLine(
                            number: 7, octets: Array("first: 1".utf8)[...],
                            marks: [Excerpt.Mark(range: 0..<5, text: "first", isPrimary: false)]),
                        Excerpt.MarkedLine(
                            number: 9, octets: line[...],
                            marks: [
                                Excerpt.Mark(range: 6..<line.count, text: text, isPrimary: true)
                            ]),
                    ])
            ], notes: [("help", text)])
    }
}
