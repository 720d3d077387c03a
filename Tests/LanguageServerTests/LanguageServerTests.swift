import Foundation
import Testing
import TrustEngine

@testable import HawserCommand

/// The server of `hawser lsp` in this process: messages, life, texts, findings and answers.
@Suite("language server") struct LanguageServerTests {
    // MARK: Messages and life

    @Test("heads that cannot be read end the server, whatever length they claim")
    func hostileHeads() {
        let rows: [(head: String, fault: String)] = [
            ("Content-Length: 99999999999\r\n\r\n", "a length is not a whole number"),
            ("Content-Length: 999999999\r\n\r\n", "a length is not a whole number"),
            ("Content-Length: -1\r\n\r\n", "a length is not a whole number"),
            ("Content-Length: +1\r\n\r\n", "a length is not a whole number"),
            ("Content-Length: 0x10\r\n\r\n", "a length is not a whole number"),
            ("Content-Length:\r\n\r\n", "a length is not a whole number"),
            ("Content-Length: 2\r\nContent-Length: 3\r\n\r\n", "two lengths"),
            ("Content-Type: x\r\n\r\n", "no `Content-Length`"),
            ("Content-Length: 2\n\n", "CR LF"), ("no colon\r\n\r\n", "no `:`"),
            (": 2\r\n\r\n", "no `:`"),
            (String(repeating: "a", count: 5_000), "no end"),
            ("A: " + String(repeating: "b\r\nA: ", count: 2_000), "no end"),
        ]
        for row in rows {
            var frames = MessageFrames()
            frames.add(Array(row.head.utf8))
            do throws(MessageFrames.Fault) {
                _ = try frames.next()
                Issue.record("\(row.head.prefix(40)) is read")
            } catch {
                #expect(error.context.contains(row.fault), "\(row.head.prefix(40))")
            }
        }
    }

    @Test("messages are whole however the stream is cut, and blanks and other lines are read over")
    func frames() throws {
        let first =
            "Content-Type: application/vscode-jsonrpc; charset=utf-8\r\n"
            + "content-length:  5 \r\n\r\nhello"
        let octets = Array((first + "Content-Length: 0\r\n\r\nContent-Length: 2\r\n\r\nhi").utf8)
        for step in [1, 2, 3, 7, octets.count] {
            var frames = MessageFrames()
            var bodies: [String] = []
            var at = 0
            while at < octets.count {
                frames.add(Array(octets[at..<min(at + step, octets.count)]))
                at += step
                while let body = try frames.next() {
                    bodies.append(String(decoding: body, as: UTF8.self))
                }
            }
            #expect(bodies == ["hello", "", "hi"])
            #expect(frames.isAtEnd)
        }
    }

    @Test("the life of a server: first initialize, last exit, and errors by their codes")
    func life() throws {
        let editor = TestEditor()
        let early = editor.ask("textDocument/hover", [:])
        let first = editor.ask("initialize", ["capabilities": [:] as [String: Any]])
        let second = editor.ask("initialize", [:])
        let unknown = editor.ask("textDocument/moniker", [:])
        let missing = editor.ask("textDocument/hover", [:])
        let closed = editor.ask(
            "textDocument/hover", ["textDocument": ["uri": "file:///nowhere"]])
        editor.raw(TestEditor.frame(["method": "$/unknown", "params": [:] as [String: Any]]))
        editor.raw(Array("Content-Length: 3\r\n\r\n{a}".utf8))
        editor.raw(Array("Content-Length: 2\r\n\r\n[]".utf8))
        editor.raw(Array("Content-Length: 2\r\n\r\n{}".utf8))
        #expect(try editor.run() == .clean)
        #expect(editor.failure(early) == -32_002)
        #expect((editor.result(first) as? [String: Any])?["capabilities"] != nil)
        #expect(editor.failure(second) == -32_600)
        #expect(editor.failure(unknown) == -32_601)
        #expect(editor.failure(missing) == -32_602)
        #expect(editor.failure(closed) == -32_602)
        let nameless = editor.messages.filter { $0["id"] is NSNull }
            .compactMap { ($0["error"] as? [String: Any])?["code"] as? Int }
        #expect(nameless == [-32_700, -32_600, -32_600])
    }

    @Test("every request that the capabilities announce is answered, and only these")
    func capabilities() throws {
        let editor = TestEditor()
        let first = editor.ask(
            "initialize", ["capabilities": ["textDocument": ["diagnostic": [:]]]])
        try editor.run()
        let capabilities = try #require(
            (editor.result(first) as? [String: Any])?["capabilities"] as? [String: Any])
        let names = Set(capabilities.keys.filter { $0.hasSuffix("Provider") })
        #expect(
            names == [
                "diagnosticProvider", "hoverProvider", "definitionProvider", "referencesProvider",
                "renameProvider", "documentSymbolProvider", "workspaceSymbolProvider",
                "foldingRangeProvider", "documentFormattingProvider", "completionProvider",
                "codeActionProvider", "codeLensProvider", "inlayHintProvider",
                "executeCommandProvider", "semanticTokensProvider",
            ])
        // Renaming has a request of its own before it, and tokens have one for a part.
        #expect(EditorQuestion.allCases.count == names.count + 2)
        #expect(capabilities["positionEncoding"] as? String == "utf-16")
    }

    @Test("a server without exit ends with 1, and so does an exit without shutdown")
    func ends() throws {
        let editor = TestEditor()
        let workspace = EditorWorkspace(crypto: TestEditor.crypto) { editor.options }
        #expect(
            try LanguageServer(editor, workspace, texts: OpenedTexts(in: "/tmp")).run() == .findings
        )
        let other = TestEditor()
        other.start()
        other.notify("exit", [:])
        #expect(
            try LanguageServer(other, workspace, texts: OpenedTexts(in: "/tmp")).run() == .findings)
    }

    @Test("a cancelled request is answered as cancelled, and a stale answer is not sent")
    func cancellation() throws {
        let workshop = try LanguageWorkshop()
        let editor = TestEditor()
        editor.start(["textDocument": ["diagnostic": [:]]])
        editor.open(workshop.policy, LanguageWorkshop.text)
        let hover = at(workshop.policy, "acme:", in: LanguageWorkshop.text)
        // The number of the next request.
        let gone = editor.ask("textDocument/hover", hover) {
            TestEditor.frame(["method": "$/cancelRequest", "params": ["id": 2]])
        }
        #expect(gone == 2)
        let change = TestEditor.frame([
            "method": "textDocument/didChange",
            "params": [
                "textDocument": ["uri": TestEditor.address(workshop.policy), "version": 2],
                "contentChanges": [["text": LanguageWorkshop.text + "\n"]],
            ],
        ])
        let stale = editor.ask("textDocument/hover", hover) { change }
        let pull = editor.ask(
            "textDocument/diagnostic",
            ["textDocument": ["uri": TestEditor.address(workshop.policy)]]
        ) { change }
        let good = editor.ask("textDocument/hover", hover)
        // A cancelled request that waits behind another one is not begun.
        let both =
            TestEditor.frame(["id": 90, "method": "textDocument/hover", "params": hover])
            + TestEditor.frame(["id": 91, "method": "textDocument/hover", "params": hover])
            + TestEditor.frame(["method": "$/cancelRequest", "params": ["id": 91]])
        editor.raw(both)
        try editor.run()
        #expect(editor.failure(gone) == -32_800)
        #expect(editor.failure(stale) == -32_801)
        #expect(editor.failure(pull) == -32_802)
        #expect(editor.result(good) is [String: Any])
        #expect(editor.result(90) is [String: Any])
        #expect(editor.failure(91) == -32_800)
    }

    @Test("a message that is not UTF-8 is read: U+FFFD takes the place of each wrong octet")
    func notUnicode() throws {
        let rows: [(octets: [UInt8], text: String)] = [
            ([0xF0, 0x9F, 0x98, 0x6C], "\u{FFFD}\u{FFFD}\u{FFFD}l"),
            ([0xFF, 0xC3], "\u{FFFD}\u{FFFD}"),
            ([0xC0, 0x80], "\u{FFFD}\u{FFFD}"), ([0xC3, 0xA4, 0x80], "ä\u{FFFD}"),
            ([0xED, 0xA0, 0xBD, 0xED, 0xB8, 0x80], "\u{1F600}"),
            ([0xF4, 0x90, 0x80, 0x80], "\u{FFFD}\u{FFFD}\u{FFFD}\u{FFFD}"),
        ]
        for (octets, text) in rows {
            let message =
                Array("{\"jsonrpc\":\"2.0\",\"method\":\"x\",\"params\":{\"text\":\"".utf8)
                + octets + Array("\"}}".utf8)
            guard case .notification(method: "x", params: let params) = try EditorMessage(message)
            else {
                Issue.record("\(octets)")
                continue
            }
            #expect(params?["text"]?.octets == Array(text.utf8), "\(octets)")
        }
        #expect(throws: EditorError.self) { try EditorMessage([0x7B, 0xFF, 0x7D]) }
    }

    // MARK: Addresses

    @Test("addresses of files, in every form that editors write, and hostile ones")
    func addresses() {
        let rows: [(address: String, path: String?)] = [
            ("file:///a/b.yaml", "/a/b.yaml"), ("file:/a/b", "/a/b"),
            ("FILE://localhost/a%20b", "/a b"), ("file:///a/%C3%A4", "/a/ä"),
            ("file:///c%3A/x", "/c:/x"), ("file://host/a", nil), ("untitled:Untitled-1", nil),
            ("file:///a%00b", nil), ("file:///a%2", nil), ("file:///a%+1", nil),
            ("file:///a%FF", nil), ("http://localhost/a", nil), ("file:relative", nil), ("", nil),
        ]
        for row in rows { #expect(FileAddress.path(row.address) == row.path, "\(row.address)") }
        for path in ["/a b/ä#?%.yaml", "/x:y/[z]"] {
            #expect(FileAddress.path(FileAddress.address(ofPath: path)) == path)
        }
        for path in ["relative", "/a/../b", "/a/./b", "/", "/..", "/a/.."] {
            #expect(DocumentPath.resolved(path) == nil, "\(path)")
        }
    }

    // MARK: Findings

    @Test("findings follow texts that are not saved, over the files of a unit")
    func unsaved() throws {
        let workshop = try LanguageWorkshop()
        let editor = TestEditor()
        editor.start()
        editor.open(workshop.policy, LanguageWorkshop.text)
        editor.change(
            workshop.policy, version: 2,
            to: LanguageWorkshop.text.replacing("anchors: [acme]", with: "anchors: [acm]"))
        var seen: [[String]] = []
        editor.raw(
            {
                seen.append(editor.codes(workshop.policy) ?? []); return []
            }())
        // The other file uses what the first one defines, and the first one is not saved.
        editor.open(workshop.other, LanguageWorkshop.otherText)
        editor.change(
            workshop.policy, version: 3,
            to: LanguageWorkshop.text.replacing("  acme:", with: "  acme-2:"))
        editor.raw(
            {
                seen.append(editor.codes(workshop.other) ?? []); return []
            }())
        editor.notify(
            "textDocument/didClose",
            ["textDocument": ["uri": TestEditor.address(workshop.policy)]])
        editor.raw(
            {
                seen.append(editor.codes(workshop.other) ?? []); return []
            }())
        try editor.run()
        #expect(seen[0].contains("HW105"))
        #expect(seen[1] != seen[2])
        // The texts on disk are as they were.
        #expect(try String(contentsOf: workshop.policy, encoding: .utf8) == LanguageWorkshop.text)
    }

    @Test("an editor that pulls gets the same findings, unchanged ones by their name")
    func pull() throws {
        let workshop = try LanguageWorkshop()
        let text = LanguageWorkshop.text.replacing("anchors: [acme]", with: "anchors: [acm]")
        let pushed = TestEditor()
        pushed.start()
        pushed.open(workshop.policy, text)
        try pushed.run()
        let editor = TestEditor()
        editor.start(["textDocument": ["diagnostic": [:]]])
        editor.open(workshop.policy, text)
        let document: [String: Any] = ["textDocument": ["uri": TestEditor.address(workshop.policy)]]
        let first = editor.ask("textDocument/diagnostic", document)
        let again = editor.ask(
            "textDocument/diagnostic",
            document.merging(
                [
                    "previousResultId":
                        ((editor.result(first) as? [String: Any])?["resultId"] as? String) ?? ""
                ] as [String: Any]
            ) { $1 })
        try editor.run()
        let report = try #require(editor.result(first) as? [String: Any])
        let items = try #require(report["items"] as? [[String: Any]])
        let wanted = try #require(pushed.findings(workshop.policy))
        #expect(!items.isEmpty)
        #expect(items.map(LintedFolder.item) == wanted.map(LintedFolder.item))
        #expect((editor.result(again) as? [String: Any])?["kind"] as? String == "unchanged")
        #expect(editor.findings(workshop.policy)?.isEmpty ?? true)
    }

    @Test(
        "a buffer that no file of the unit may be is linted as such: misnamed, second policy.yaml")
    func misnamed() throws {
        let workshop = try LanguageWorkshop()
        let stray = workshop.folder.appending(path: "more/extra.yaml")
        let editor = TestEditor()
        editor.start()
        editor.open(stray, "hawser: 1\n")
        try editor.run()
        #expect(editor.codes(stray) == ["HW013"])
    }

    @Test("a policy outside any unit is a unit of its own, and other YAML is left alone")
    func loose() throws {
        let workshop = try LanguageWorkshop()
        let outside = workshop.folder.deletingLastPathComponent()
        let (policy, other) = (
            outside.appending(path: "loose.policy.yaml"), outside.appending(path: "compose.yaml")
        )
        let editor = TestEditor()
        editor.start()
        editor.open(policy, "hawser: 1\nrule: {}\n")
        editor.open(other, "services: {}\n")
        editor.notify(
            "textDocument/didOpen",
            ["textDocument": ["uri": "untitled:1", "version": 1, "text": "hawser: 1\n"]])
        try editor.run()
        #expect(editor.codes(policy)?.isEmpty == false)
        #expect(editor.codes(other)?.isEmpty ?? true)
    }

    @Test("tests, assertions and allowances have findings too, and files that change on disk count")
    func otherFiles() throws {
        let workshop = try LanguageWorkshop()
        let allowance = workshop.folder.appending(path: "unit.allow.yaml")
        let editor = TestEditor()
        editor.start(folder: workshop.folder)
        editor.open(
            workshop.test, LanguageWorkshop.testText.replacing("rule: api", with: "rule: none-such")
        )
        editor.open(
            workshop.asserted,
            LanguageWorkshop.assertText.replacing("profile: org", with: "profile: none-such"))
        editor.open(allowance, "hawser-allow: 1\nallowances:\n  x: { hosts: default }\n")
        var seen: [[String]] = []
        for file in [workshop.test, workshop.asserted, allowance] {
            editor.raw(
                {
                    seen.append(editor.codes(file) ?? [])
                    return []
                }())
        }
        // Another program changes the policy.
        editor.raw(
            {
                try? workshop.write(
                    "policy.yaml", LanguageWorkshop.text.replacing("  acme:", with: "  acm:"))
                return TestEditor.frame([
                    "method": "workspace/didChangeWatchedFiles",
                    "params": [
                        "changes": [
                            ["uri": TestEditor.address(workshop.policy), "type": 2]
                        ]
                    ],
                ])
            }())
        try editor.run()
        #expect(seen.count == 3 && seen.allSatisfy { !$0.isEmpty }, "\(seen)")
        // No document has the policy open, and its finding is sent all the same.
        #expect(editor.codes(workshop.policy)?.contains("HW105") == true)
    }

    @Test("an editor that offers UTF-8 gets it, and characters are octets then")
    func encoding() throws {
        let workshop = try LanguageWorkshop()
        let text = LanguageWorkshop.text.replacing(
            "owner: web", with: "owner: \"\u{1F600}\u{E4}web\"")
        let line = text.split(separator: "\n").firstIndex { $0.contains("web") } ?? 0
        let rows: [(offered: [String], unit: String, range: Range<Int>)] = [
            (["utf-16", "utf-8"], "utf-8", 16..<18), (["utf-16"], "utf-16", 14..<15),
            ([], "utf-16", 14..<15),
        ]
        for row in rows {
            let editor = TestEditor()
            let first = editor.ask(
                "initialize",
                ["capabilities": ["general": ["positionEncodings": row.offered]] as [String: Any]])
            editor.notify("initialized", [:])
            editor.open(workshop.policy, text)
            editor.notify(
                "textDocument/didChange",
                [
                    "textDocument": ["uri": TestEditor.address(workshop.policy), "version": 2],
                    "contentChanges": [
                        [
                            "range": [
                                "start": ["line": line, "character": row.range.lowerBound],
                                "end": ["line": line, "character": row.range.upperBound],
                            ], "text": "",
                        ]
                    ],
                ])
            let symbols = editor.ask(
                "textDocument/documentSymbol",
                ["textDocument": ["uri": TestEditor.address(workshop.policy)]])
            try editor.run()
            let capabilities = (editor.result(first) as? [String: Any])?["capabilities"]
            #expect((capabilities as? [String: Any])?["positionEncoding"] as? String == row.unit)
            let told = String(describing: editor.result(symbols) ?? "")
            #expect(told.contains("\u{1F600}web"), "\(row.unit)")
        }
    }
}
