import PolicyCompiler
import TestPKI
import Testing

/// Properties that hold for every text, tried on mutations of policies with a fixed seed.
@Suite struct SyntaxPropertyTests {
    static let seed: UInt64 = 0x5EED_2026

    @Test("a readable text is its scalars, its comments and punctuation", arguments: 0..<8)
    func lossless(_ round: Int) throws {
        var random = SplitMix(state: Self.seed &+ UInt64(round))
        for _ in 0..<40 {
            let text = Self.policy(&random)
            let tree = SyntaxParser.parse(
                SourceFile(path: "p.policy.yaml", bytes: Array(text.utf8)), fileIndex: 0)
            #expect(tree.diagnostics.isEmpty, "seed \(Self.seed) round \(round):\n\(text)")
            #expect(Self.printed(tree) == text, "seed \(Self.seed) round \(round)")
        }
    }

    @Test("no text stops the parser, and no error node is without a finding", arguments: 0..<16)
    func mutations(_ round: Int) {
        var random = SplitMix(state: Self.seed &+ 1000 &+ UInt64(round))
        for _ in 0..<60 {
            var bytes = Array(Self.policy(&random).utf8)
            for _ in 0..<Int.random(in: 1...4, using: &random) { Self.mutate(&bytes, &random) }
            let file = SourceFile(path: "p.policy.yaml", bytes: bytes)
            let tree = SyntaxParser.parse(file, fileIndex: 0)
            let hasError = tree.nodes.contains { $0.kind == .error }
            let says = "seed \(Self.seed) round \(round): \(String(decoding: bytes, as: UTF8.self))"
            #expect(!hasError || tree.diagnostics.contains { $0.severity == .error }, "\(says)")
            for span in tree.nodes.map(\.span) + tree.diagnostics.map(\.primary.span)
                + tree.comments
            {
                let inside = span.start >= 0 && span.start <= span.end && span.end <= bytes.count
                #expect(inside, "\(says)")
            }
            let again = SyntaxParser.parse(file, fileIndex: 0)
            #expect(again.diagnostics == tree.diagnostics, "\(says)")
        }
    }

    @Test("random bytes are read to the end")
    func noise() {
        var random = SplitMix(state: Self.seed &+ 7)
        for _ in 0..<200 {
            let bytes = (0..<Int.random(in: 0...200, using: &random)).map { _ in
                UInt8.random(in: 0...255, using: &random)
            }
            let tree = SyntaxParser.parse(
                SourceFile(path: "p.policy.yaml", bytes: bytes), fileIndex: 0)
            #expect(tree.file.bytes == bytes)
        }
    }

    @Test("many faults are told up to a bound, and the last one says that there are more")
    func bounded() {
        func parse(_ text: String) -> [Diagnostic] {
            SyntaxParser.parse(
                SourceFile(path: "p.policy.yaml", bytes: Array(text.utf8)), fileIndex: 0
            ).diagnostics
        }
        let errors = parse(String(repeating: "a: b: c\n", count: 200))
        #expect(errors.count == 65)
        #expect(errors.last?.notes.count == 1)
        let empty = parse("a: [" + String(repeating: "'', ", count: 3000) + "b]\n")
        #expect(empty.count == 1000)
        #expect(empty.last?.notes == ["2000 more findings of this file are not shown"])
        let hidden = parse("# " + String(repeating: "\u{200B}", count: 150) + "\n")
        #expect(hidden.count == 100)
        #expect(hidden.last?.notes.last == "50 more of the kind follow")
    }

    /// Scalars and comments in place, with the punctuation and blanks between them; anything else
    /// between them is shown as `<lost>`.
    static func printed(_ tree: SyntaxTree) -> String {
        var spans = tree.comments
        spans += tree.nodes.filter { $0.kind == .scalar }.map(\.span)
        spans.sort { $0.start < $1.start }
        var text: [UInt8] = []
        var last = 0
        for span in spans + [
            SourceSpan(file: 0, start: tree.file.bytes.count, end: tree.file.bytes.count)
        ] {
            // The comment on the line of `|` lies inside the scalar.
            if span.end <= last, span.start < last { continue }
            guard span.start >= last else { return "overlap at \(span.start)" }
            let gap = tree.file.bytes[last..<Int(span.start)]
            let isPunctuation = gap.allSatisfy { " \n\r\t-:,[]{}".utf8.contains($0) }
            text += isPunctuation ? Array(gap) : Array("<lost>".utf8)
            text += tree.file.bytes[Int(span.start)..<Int(span.end)]
            last = Int(span.end)
        }
        return String(decoding: text, as: UTF8.self)
    }

    /// A policy-shaped text: nested maps and lists, all styles, comments, letters of many widths.
    static func policy(_ random: inout SplitMix) -> String {
        var text = Bool.random(using: &random) ? "# päper 😀\n" : ""
        if Int.random(in: 0..<4, using: &random) == 0 { text += "---\n" }
        for index in 0..<Int.random(in: 1...5, using: &random) {
            text += "key\(index): " + value(indent: 2, depth: 0, &random)
        }
        return text
    }

    private static func value(indent: Int, depth: Int, _ random: inout SplitMix) -> String {
        let blanks = String(repeating: " ", count: indent)
        let comment = ["", " # é", "  # a: b"].randomElement(using: &random) ?? ""
        switch Int.random(in: 0..<(depth < 4 ? 9 : 6), using: &random) {
        case 0: return "plain wörds\(comment)\n"
        case 1: return "'it''s: quoted'\(comment)\n"
        case 2: return "\"d\\u00e9 # \\\"\(comment)\"\n"
        case 3: return "|\(comment)\n\(blanks)literal\n\n\(blanks)  # no comment\n"
        case 4: return "[a, 'b', {c: d}]\(comment)\n"
        case 5: return "{a: [b],\(comment)\n\(blanks)c: \"😀\" }\n"
        case 6:
            return "\(comment)\n"
                + (0..<3).map {
                    "\(blanks)k\($0): " + value(indent: indent + 2, depth: depth + 1, &random)
                }.joined()
        case 7:
            return "\(comment)\n"
                + (0..<2).map { _ in
                    "\(blanks)- " + value(indent: indent + 2, depth: depth + 1, &random)
                }.joined()
        default:
            return "\(comment)\n\(blanks)- a: b\n\(blanks)  c: "
                + value(indent: indent + 4, depth: depth + 1, &random)
        }
    }

    private static func mutate(_ bytes: inout [UInt8], _ random: inout SplitMix) {
        guard !bytes.isEmpty else { return }
        let pieces = [
            "\t", ": ", "- ", "[", "]", "{", "}", "\"", "'", "#", "\n", "&a ", "*a", "!t ", "? ",
            "---\n", "...\n", "%", "|\n", "> ", "\u{2028}", "\u{85}", "\u{FEFF}", "\r", "@", "`",
            "\\", "  ", ",", "\u{0}", "<<: ",
        ]
        let place = Int.random(in: 0..<bytes.count, using: &random)
        switch Int.random(in: 0..<4, using: &random) {
        case 0: bytes[place] = UInt8.random(in: 0...255, using: &random)
        case 1: bytes.removeSubrange(place..<min(bytes.count, place + 3))
        case 2: bytes.insert(contentsOf: bytes[place..<min(bytes.count, place + 20)], at: place)
        default:
            bytes.insert(
                contentsOf: Array((pieces.randomElement(using: &random) ?? "").utf8), at: place)
        }
    }
}
