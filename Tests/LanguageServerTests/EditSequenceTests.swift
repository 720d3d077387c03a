import Foundation
import PolicyTools
import TestPKI
import Testing
import TrustEngine

@testable import HawserCommand

/// Random and hostile edits: after any of them a server has the text that the editor has, and finds
/// in it what `lint` finds in files with these texts.
@Suite("edit sequences") struct EditSequenceTests {
    /// A generator that gives the same numbers for a seed on every machine (SplitMix64).
    struct Seeded: RandomNumberGenerator {
        var state: UInt64

        mutating func next() -> UInt64 {
            state &+= 0x9E37_79B9_7F4A_7C15
            var z = state
            z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
            z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
            return z ^ (z >> 31)
        }
    }

    /// The texts that are written: parts of policies, halves of pairs, line ends, and what editors
    /// hide.
    private static let words: [String] = [
        "acme", "  ", "\n", "\r\n", "\r", ":", "- ", "[", "]", "{", "}", "\"", "'", "#", "\t", "",
        "rules:\n  x:\n    hosts: [\"x.example\"]\n    anchors: [system]\n", "profile: org\n",
        "hawser: 1\n", "\u{FEFF}", "\u{85}", "\u{2028}", "\u{202E}", "\u{1F600}", "\u{E4}",
        "\u{0}", "&a", "*a", "!!x", "|\n", "null", "anchors: [acm]", "default: deny\n",
    ]
    private static let halves: [[UInt16]] = [
        [0xD83D], [0xDE00], [0xD83D, 0x0A], [0xDE00, 0xD83D],
    ]
    private static let parts: [[UInt16]] = words.map { Array($0.utf16) } + halves

    /// An editor's text by units, and where its lines begin.
    private static func starts(_ units: [UInt16]) -> [Int] {
        [0]
            + units.indices.filter { index in
                units[index] == 0x0A
                    || units[index] == 0x0D
                        && (index + 1 == units.count || units[index + 1] != 0x0A)
            }.map { $0 + 1 }
    }

    private static func position(_ index: Int, _ units: [UInt16]) -> [String: Any] {
        let lines = starts(units)
        let line = lines.lastIndex { $0 <= index } ?? 0
        return ["line": line, "character": index - lines[line]]
    }

    /// JSON of a text in which halves of pairs stand.
    private static func json(_ units: [UInt16]) -> String {
        "\""
            + units.map { unit in
                let digits = String(unit, radix: 16)
                return "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
            }.joined() + "\""
    }

    /// One random edit of a text: the JSON of the change, and the text after it.
    private static func edit(
        _ units: inout [UInt16], _ random: inout Seeded
    ) -> String {
        let lines = starts(units)
        // A position cannot stand between CR and LF: a line ends before both.
        func index() -> Int {
            var at = Int.random(in: 0...units.count, using: &random)
            if Bool.random(using: &random) { at = lines.randomElement(using: &random) ?? at }
            if at > 0, at < units.count, units[at - 1] == 0x0D, units[at] == 0x0A { at -= 1 }
            return at
        }
        var (from, to) = (index(), index())
        if from > to { swap(&from, &to) }
        // Short edits are usual.
        if to - from > 12, Int.random(in: 0..<8, using: &random) > 0 { to = from }
        let new = parts.randomElement(using: &random) ?? []
        let (start, end) = (position(from, units), position(to, units))
        units.replaceSubrange(from..<to, with: new)
        func text(_ place: [String: Any]) -> String {
            "{\"line\":\(place["line"] ?? 0),\"character\":\(place["character"] ?? 0)}"
        }
        return "{\"range\":{\"start\":\(text(start)),\"end\":\(text(end))},\"text\":\(json(new))}"
    }

    private static func saved(_ units: [UInt16]) -> [UInt8] {
        Array(String(decoding: units, as: UTF16.self).utf8)
    }

    @Test("a text follows every edit, by units of UTF-16 and by octets of UTF-8")
    func texts() throws {
        for seed in 0..<UInt64(Sample.isWhole ? 2_000 : 200) {
            var random = Seeded(state: seed)
            var units = Array(LanguageWorkshop.text.utf16.prefix(300))
            var text = EditorText(Self.saved(units))
            for _ in 0..<40 {
                let view = try JSONView(Array(Self.edit(&units, &random).utf8))
                let range = view["range"]
                let start = try #require(EditorPosition(range?["start"]))
                let end = try #require(EditorPosition(range?["end"]))
                text.replace(
                    from: start, to: end, .utf16, with: try #require(view["text"]?.octets))
            }
            #expect(text.saved == Self.saved(units), "seed \(seed)")
            #expect(text.lineCount == Self.starts(units).count, "seed \(seed)")
            // Positions and offsets are inverse at every character, in both encodings.
            let saved = text.saved
            for offset in stride(from: 0, through: saved.count, by: 17) {
                // No position stands between CR and LF.
                if offset > 0, offset < saved.count, saved[offset - 1] == 0x0D,
                    saved[offset] == 0x0A
                {
                    continue
                }
                for encoding in [PositionUnits.utf8, .utf16] {
                    let place = text.position(of: offset, encoding)
                    let back = text.offset(of: place, encoding)
                    #expect(
                        back <= offset && text.position(of: back, encoding) == place,
                        "seed \(seed) offset \(offset)")
                }
            }
        }
    }

    @Test("positions behind lines and texts are their ends, and none of them stops the server")
    func clamped() {
        let text = EditorText(Array("a😀b\r\nc\rd\n".utf8))
        let rows: [(line: Int, character: Int, offset: Int)] = [
            (0, 99, 6), (0, 2, 1), (0, 3, 5), (1, 0, 8), (1, 1, 9), (1, 5, 9), (2, 0, 10),
            (2, 9, 11), (3, 0, 12), (3, 7, 12), (99, 0, 12), (.max, .max, 12),
        ]
        for (line, character, offset) in rows {
            let position = EditorPosition(line: line, character: character)
            #expect(text.offset(of: position, .utf16) == offset, "\(position)")
        }
        #expect(text.lineCount == 4)
        let inside = EditorPosition(line: 0, character: 3)
        #expect(text.offset(of: inside, .utf8) == 1)
        #expect(text.position(of: 5, .utf16).character == 3)
        #expect(text.position(of: 5, .utf8).character == 5)
        #expect(text.position(of: .max, .utf8) == EditorPosition(line: 3, character: 0))
        #expect(text.position(of: -1, .utf8) == EditorPosition(line: 0, character: 0))
    }

    @Test("after random edits of a unit the server finds what `lint` finds in the same texts")
    func findings() throws {
        let seeds = Sample.isWhole ? 2_000 : 25
        // Other seeds in each run would not be repeated; these are the first of the whole run.
        for seed in 0..<UInt64(seeds) {
            var random = Seeded(state: seed &* 7_919 &+ 1)
            let workshop = try LanguageWorkshop()
            let files = [
                (workshop.policy, LanguageWorkshop.text),
                (workshop.other, LanguageWorkshop.otherText),
                (workshop.test, LanguageWorkshop.testText),
                (workshop.asserted, LanguageWorkshop.assertText),
            ]
            var texts = files.map { Array($0.1.utf16) }
            let editor = TestEditor()
            editor.start()
            for (file, text) in files { editor.open(file, text) }
            for version in 2..<Int.random(in: 4...12, using: &random) {
                let chosen = Int.random(in: 0..<files.count, using: &random)
                let changes = (0..<Int.random(in: 1...3, using: &random)).map { _ in
                    Self.edit(&texts[chosen], &random)
                }
                let body =
                    "{\"jsonrpc\":\"2.0\",\"method\":\"textDocument/didChange\",\"params\":{"
                    + "\"textDocument\":{\"uri\":\"\(TestEditor.address(files[chosen].0))\","
                    + "\"version\":\(version)},\"contentChanges\":["
                    + changes.joined(separator: ",") + "]}}"
                editor.raw(MessageFrames.framed(body))
            }
            try editor.run()
            for ((file, _), units) in zip(files, texts) {
                try Data(Self.saved(units)).write(to: file)
            }
            let wanted = try LintedFolder.findings(workshop.folder, editor.options)
            for (file, _) in files {
                let path = String(file.path.dropFirst(workshop.folder.path.count + 1))
                let found = (editor.findings(file) ?? []).map(LintedFolder.item).sorted()
                #expect(found == wanted[path] ?? [], "seed \(seed), \(path)")
            }
        }
    }

    @Test(
        "edits of a large policy, most of which is not read again, are followed by the same findings"
    )
    func large() throws {
        // Rules with findings: a host in capital letters, a rule that is never reached.
        let rules = (0..<80).map { number in
            "  r\(number):\n    hosts: [\"h\(number).example\", \"H\(number).org\"]\n"
                + "    anchors: [acme]\n    # hawser:ignore HW202 -- old\n    owner: web\n"
        }
        let text = LanguageWorkshop.text + rules.joined()
        for seed in 0..<UInt64(Sample.isWhole ? 500 : 6) {
            var random = Seeded(state: seed &* 31 &+ 5)
            let workshop = try LanguageWorkshop()
            var units = Array(text.utf16)
            let editor = TestEditor()
            editor.start()
            editor.open(workshop.policy, text)
            for version in 2..<9 {
                let before = units
                var change = Self.edit(&units, &random)
                // Most edits are small, and the text stays sound for some of them.
                for _ in 0..<4 where units.count + 40 < before.count {
                    units = before
                    change = Self.edit(&units, &random)
                }
                let body =
                    "{\"jsonrpc\":\"2.0\",\"method\":\"textDocument/didChange\",\"params\":{"
                    + "\"textDocument\":{\"uri\":\"\(TestEditor.address(workshop.policy))\","
                    + "\"version\":\(version)},\"contentChanges\":[\(change)]}}"
                editor.raw(MessageFrames.framed(body))
                // Every version is linted, as while somebody types.
                editor.ask(
                    "textDocument/foldingRange",
                    ["textDocument": ["uri": TestEditor.address(workshop.policy)]])
            }
            try editor.run()
            try Data(Self.saved(units)).write(to: workshop.policy)
            let wanted = try LintedFolder.findings(workshop.folder, editor.options)
            let found = (editor.findings(workshop.policy) ?? []).map(LintedFolder.item).sorted()
            #expect(found == wanted["policy.yaml"] ?? [], "seed \(seed)")
        }
    }
}
