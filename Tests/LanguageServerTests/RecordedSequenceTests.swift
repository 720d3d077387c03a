import Foundation
import Testing

@testable import HawserCommand

/// Edits that Neovim and Emacs have sent while random commands changed a policy
/// (`Integration/editor/sequences.py pack`). Each line of a file has the first text, the edits of
/// each message, and the text that they make of the first.
@Suite("recorded edits") struct RecordedSequenceTests {
    private struct Sequence {
        let first: String
        /// For each message its edits: a range and a text, or a whole text.
        let messages: [[[Any]]]
        let last: String

        init?(_ line: Substring) {
            guard
                let parts = try? JSONSerialization.jsonObject(with: Data(line.utf8)) as? [Any],
                parts.count == 3, let first = parts[0] as? String,
                let messages = parts[1] as? [[[Any]]], let last = parts[2] as? String
            else { return nil }
            (self.first, self.messages, self.last) = (first, messages, last)
        }

        /// The edits of each message as the protocol has them.
        var changes: [[[String: Any]]] {
            messages.map { edits in
                edits.map { edit in
                    guard edit.count == 5 else { return ["text": edit[0]] }
                    return [
                        "range": [
                            "start": ["line": edit[0], "character": edit[1]],
                            "end": ["line": edit[2], "character": edit[3]],
                        ], "text": edit[4],
                    ]
                }
            }
        }
    }

    private static func sequences(_ name: String) throws -> [Sequence] {
        let file = URL(filePath: #filePath).deletingLastPathComponent()
            .appending(path: "Recorded/\(name).jsonl")
        let text = try String(contentsOf: file, encoding: .utf8)
        return try text.split(separator: "\n").map { try #require(Sequence($0)) }
    }

    @Test(
        "the server has the editor's text, and finds what `lint` finds in it",
        arguments: ["neovim", "emacs"])
    func findings(_ name: String) throws {
        let sequences = try Self.sequences(name)
        #expect(sequences.count >= 40)
        let workshop = try LanguageWorkshop()
        let editor = TestEditor()
        editor.start()
        let address = TestEditor.address(workshop.policy)
        for sequence in sequences {
            editor.open(workshop.policy, sequence.first)
            for (number, changes) in sequence.changes.enumerated() {
                editor.notify(
                    "textDocument/didChange",
                    [
                        "textDocument": ["uri": address, "version": number + 2],
                        "contentChanges": changes,
                    ])
            }
            editor.notify("textDocument/didClose", ["textDocument": ["uri": address]])
        }
        try editor.run()
        var sent = editor.messages[...]
        for (number, sequence) in sequences.enumerated() {
            var text = EditorText(Array(sequence.first.utf8))
            for change in sequence.changes.joined() {
                let view = try JSONView(
                    Array(try JSONSerialization.data(withJSONObject: change)))
                guard let range = view["range"] else {
                    text = EditorText(try #require(view["text"]?.octets))
                    continue
                }
                text.replace(
                    from: try #require(EditorPosition(range["start"])),
                    to: try #require(EditorPosition(range["end"])), .utf16,
                    with: try #require(view["text"]?.octets))
            }
            #expect(text.saved == Array(sequence.last.utf8), "\(name) \(number)")
            // The findings of the last version, the first that come after the sequence before.
            let version = sequence.messages.count + 1
            let index = try #require(
                sent.firstIndex { message in
                    let params = message["params"] as? [String: Any]
                    return message["method"] as? String == "textDocument/publishDiagnostics"
                        && params?["uri"] as? String == address
                        && params?["version"] as? Int == version
                }, "\(name) \(number)")
            let items =
                (sent[index]["params"] as? [String: Any])?["diagnostics"] as? [[String: Any]]
            sent = sent[(index + 1)...]
            try workshop.write("policy.yaml", sequence.last)
            let wanted = try LintedFolder.findings(workshop.folder, editor.options)["policy.yaml"]
            #expect(
                (items ?? []).map(LintedFolder.item).sorted() == wanted ?? [], "\(name) \(number)")
        }
    }
}
