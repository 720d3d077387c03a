import Foundation
import Testing

@testable import HawserCommand

/// Semantic tokens: where they stand, how long they are in the units of the editor, and their
/// types.
@Suite("semantic tokens") struct TokenTests {
    private struct Token: Hashable, CustomStringConvertible {
        let line: Int
        let text: String
        let type: String
        let modifiers: Int

        var description: String { "\(line) `\(text)` \(type) \(modifiers)" }
    }

    private static let types = ["property", "variable", "enumMember", "number", "regexp"]

    /// The tokens of an answer, with their texts cut from the lines of the document.
    private static func tokens(
        _ editor: TestEditor, _ id: Int, in text: String, utf8: Bool = false
    ) throws -> [Token] {
        let result = try #require(editor.result(id) as? [String: Any])
        let data = try #require(result["data"] as? [Int])
        try #require(data.count.isMultiple(of: 5))
        let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
        var (line, character) = (0, 0)
        return try stride(from: 0, to: data.count, by: 5).map { at in
            #expect(data[at] >= 0 && data[at + 1] >= 0 && data[at + 2] > 0)
            if data[at] > 0 { character = 0 }
            line += data[at]
            character += data[at + 1]
            let whole = String(lines[line])
            let range = character..<character + data[at + 2]
            let part: String
            if utf8 {
                part = String(decoding: try #require(Array(whole.utf8)[in: range]), as: UTF8.self)
            } else {
                part = String(decoding: try #require(Array(whole.utf16)[in: range]), as: UTF16.self)
            }
            return Token(
                line: line, text: part, type: types[data[at + 3]], modifiers: data[at + 4])
        }
    }

    private static func whole(_ file: URL) -> [String: Any] {
        ["textDocument": ["uri": TestEditor.address(file)]]
    }

    private static let text = """
        hawser: 1
        default: deny
        anchors:
          acme: { files: [anchors/root.pem], owner: "😀 pki" }
        profiles:
          org:
            keys: { rsa-minimum: 3072 }
            validity: { maximum-lifetime: 90d }
        rules:
          api:
            hosts: ["api.acme.example", "**.ä😀.example", 'it''s']
            anchors: [acme, system]
            profile: org
            colour: green
            note: |
              rules: two
              lines

        """

    @Test("keys, ids, words, numbers and hosts have a type; free text and unknown keys have none")
    func policy() throws {
        let workshop = try LanguageWorkshop()
        let editor = TestEditor()
        editor.start()
        editor.open(workshop.policy, Self.text)
        let id = editor.ask("textDocument/semanticTokens/full", Self.whole(workshop.policy))
        try editor.run()
        let found = try Self.tokens(editor, id, in: Self.text).map(\.description)
        #expect(
            found == [
                "0 `hawser` property 0", "0 `1` number 0", "1 `default` property 0",
                "1 `deny` enumMember 0", "2 `anchors` property 0", "3 `acme` variable 1",
                "3 `files` property 0", "3 `owner` property 0", "4 `profiles` property 0",
                "5 `org` variable 1", "6 `keys` property 0", "6 `rsa-minimum` property 0",
                "6 `3072` number 0", "7 `validity` property 0", "7 `maximum-lifetime` property 0",
                "7 `90d` number 0", "8 `rules` property 0", "9 `api` variable 1",
                "10 `hosts` property 0", "10 `api.acme.example` regexp 0",
                "10 `**.ä😀.example` regexp 0", "10 `'it''s'` regexp 0",
                "11 `anchors` property 0", "11 `acme` variable 0", "11 `system` variable 2",
                "12 `profile` property 0", "12 `org` variable 0", "14 `note` property 0",
            ])
    }

    @Test("tests, assertions and allowances have tokens too")
    func others() throws {
        let workshop = try LanguageWorkshop()
        let editor = TestEditor()
        editor.start()
        let test = LanguageWorkshop.testText + "      pins.acme-api.keys.issuing: any\n"
        let allowance = workshop.folder.appending(path: "slow.allow.yaml")
        let allowed = """
            hawser-allow: 1
            allowances:
              slow:
                hosts: ["*.cdn.example"]
                field: revocation.preset
                until: 2027-01-31

            """
        editor.open(workshop.test, test)
        editor.open(workshop.asserted, LanguageWorkshop.assertText)
        editor.open(allowance, allowed)
        let ids = [workshop.test, workshop.asserted, allowance].map {
            editor.ask("textDocument/semanticTokens/full", Self.whole($0))
        }
        let none = editor.ask(
            "textDocument/semanticTokens/full", Self.whole(workshop.folder.appending(path: "x")))
        try editor.run()
        let tests = try Self.tokens(editor, ids[0], in: test).map(\.description)
        for wanted in [
            "1 `2027-01-15` number 0", "3 `api-is-pinned` variable 1",
            "4 `api.acme.example` regexp 0", "6 `api` variable 0", "8 `acme-api` variable 0",
            "9 `pins.` property 0", "9 `acme-api` variable 0", "9 `.keys.issuing` property 0",
        ] { #expect(tests.contains(wanted), "\(wanted): \(tests)") }
        let assertions = try Self.tokens(
            editor, ids[1], in: LanguageWorkshop.assertText
        ).map(\.description)
        for wanted in [
            "1 `assertions` property 0", "2 `shops-are-strict` variable 1",
            "3 `**.shop.example` regexp 0", "4 `profile` property 0", "4 `org` variable 0",
        ] { #expect(assertions.contains(wanted), "\(wanted): \(assertions)") }
        let allowances = try Self.tokens(editor, ids[2], in: allowed).map(\.description)
        for wanted in [
            "0 `1` number 0", "2 `slow` variable 1", "3 `*.cdn.example` regexp 0",
            "4 `field` property 0", "5 `2027-01-31` number 0",
        ] { #expect(allowances.contains(wanted), "\(wanted): \(allowances)") }
        #expect(editor.failure(none) == -32_602)
    }

    @Test("a range has the tokens of the whole document that touch it, in either encoding")
    func ranges() throws {
        let workshop = try LanguageWorkshop()
        for utf8 in [false, true] {
            let editor = TestEditor()
            editor.start(["general": ["positionEncodings": utf8 ? ["utf-8"] : ["utf-16"]]])
            editor.open(workshop.policy, Self.text)
            let all = editor.ask("textDocument/semanticTokens/full", Self.whole(workshop.policy))
            let lines = 0..<Self.text.split(separator: "\n").count
            let each = lines.map { line in
                editor.ask(
                    "textDocument/semanticTokens/range",
                    Self.whole(workshop.policy).merging([
                        "range": [
                            "start": ["line": line, "character": 0],
                            "end": ["line": line, "character": 999],
                        ]
                    ]) { $1 })
            }
            let bad = editor.ask(
                "textDocument/semanticTokens/range",
                Self.whole(workshop.policy).merging(["range": 7]) { $1 })
            try editor.run()
            let whole = try Self.tokens(editor, all, in: Self.text, utf8: utf8)
            for (line, id) in zip(lines, each) {
                let found = try Self.tokens(editor, id, in: Self.text, utf8: utf8)
                #expect(found.filter { $0.line == line } == whole.filter { $0.line == line })
                #expect(found.allSatisfy(whole.contains))
            }
            #expect(editor.failure(bad) == -32_602)
        }
    }

    @Test("random texts have tokens in order, of one line each, and without overlaps")
    func random() throws {
        for seed in 0..<UInt64(60) {
            var random = EditSequenceTests.Seeded(state: seed &+ 77)
            var units = Array(Self.text.utf16)
            for _ in 0..<Int.random(in: 1...6, using: &random) {
                let at = Int.random(in: 0..<units.count, using: &random)
                let end = min(units.count, at + Int.random(in: 0...9, using: &random))
                let new =
                    ["", " ", "\n", ": ", "[", "\"", "😀", "- ", "a", "#"]
                    .randomElement(using: &random) ?? ""
                units.replaceSubrange(at..<end, with: new.utf16)
            }
            let text = String(decoding: units, as: UTF16.self)
            let workshop = try LanguageWorkshop()
            let editor = TestEditor()
            editor.start()
            editor.open(workshop.policy, text)
            let id = editor.ask("textDocument/semanticTokens/full", Self.whole(workshop.policy))
            try editor.run()
            let data = (editor.result(id) as? [String: Any])?["data"] as? [Int] ?? [-1]
            for at in stride(from: 0, to: data.count, by: 5) {
                #expect(data[at + 2] > 0, "seed \(seed)")
                if at > 0, data[at] == 0 {
                    #expect(data[at + 1] >= data[at - 3], "seed \(seed): tokens overlap")
                }
            }
        }
    }
}

extension Array {
    fileprivate subscript(in range: Range<Int>) -> ArraySlice<Element>? {
        range.upperBound <= count ? self[range] : nil
    }
}
