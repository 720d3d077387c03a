import Foundation
import Testing
import TrustEngine

@testable import HawserCommand

/// What the server answers about documents of a unit.
@Suite("answers to editors") struct AnswerTests {
    private static let text = LanguageWorkshop.text

    /// An editor with the four files of the workshop open.
    private static func editor(
        _ workshop: LanguageWorkshop, _ capabilities: [String: Any] = [:]
    ) -> TestEditor {
        let editor = TestEditor()
        editor.start(capabilities, folder: workshop.folder)
        editor.open(workshop.policy, text)
        editor.open(workshop.other, LanguageWorkshop.otherText)
        editor.open(workshop.test, LanguageWorkshop.testText)
        editor.open(workshop.asserted, LanguageWorkshop.assertText)
        return editor
    }

    private static func hover(_ editor: TestEditor, _ id: Int) -> String? {
        let result = editor.result(id) as? [String: Any]
        return (result?["contents"] as? [String: Any])?["value"] as? String
    }

    /// The places of an answer: file name, line, first character.
    private static func places(_ editor: TestEditor, _ id: Int) -> [String] {
        (editor.result(id) as? [[String: Any]] ?? []).map { place in
            let range = place["range"] as? [String: Any]
            let start = range?["start"] as? [String: Any]
            let name = (place["uri"] as? String ?? "").split(separator: "/").last ?? ""
            return "\(name) \(start?["line"] ?? -1):\(start?["character"] ?? -1)"
        }
    }

    @Test("hover: the value that holds, the page of a key, sets, files and digests")
    func hovers() throws {
        let workshop = try LanguageWorkshop()
        let editor = Self.editor(workshop)
        let rows: [(file: URL, text: String, part: String, plus: Int, wanted: [String])] = [
            (workshop.policy, Self.text, "rsa-minimum", 2, ["keys.rsa-minimum: 3072", "RSA"]),
            (workshop.policy, Self.text, "  api:\n    hosts", 3, ["rule `api` decides", "org"]),
            (workshop.policy, Self.text, "acme:", 1, ["Acme Root"]),
            (workshop.policy, Self.text, "[acme]", 2, ["anchor set `acme`", "Acme Root"]),
            (workshop.policy, Self.text, "org\n    owner", 1, ["profile `org`", "baseline"]),
            (workshop.policy, Self.text, "anchors/root.pem", 1, ["Acme Root", "valid until"]),
            (workshop.policy, Self.text, "sha256/", 3, ["Acme Root"]),
            (workshop.policy, Self.text, "sha256/Gri", 3, ["no file of the unit"]),
            (workshop.policy, Self.text, "hosts:", 1, ["rules.hosts"]),
            (workshop.test, LanguageWorkshop.testText, "api.acme.example", 1, ["rule api"]),
            (workshop.test, LanguageWorkshop.testText, "expect:", 1, ["must come out"]),
            (workshop.asserted, LanguageWorkshop.assertText, "no-weaker-than", 1, ["compared"]),
        ]
        let ids = rows.map { row in
            editor.ask(
                "textDocument/hover", at(row.file, row.part, in: row.text, plus: row.plus))
        }
        let nothing = editor.ask(
            "textDocument/hover",
            [
                "textDocument": ["uri": TestEditor.address(workshop.policy)],
                "position": ["line": 9_999, "character": 9_999],
            ])
        try editor.run()
        for (row, id) in zip(rows, ids) {
            let text = try #require(Self.hover(editor, id), "\(row.part)")
            for part in row.wanted { #expect(text.contains(part), "\(row.part): \(text)") }
        }
        #expect(editor.result(nothing) is NSNull)
    }

    @Test("definitions and references of ids and files, over every kind of file")
    func navigation() throws {
        let workshop = try LanguageWorkshop()
        let editor = Self.editor(workshop)
        let fromTest = editor.ask(
            "textDocument/definition",
            at(workshop.test, "[acme]", in: LanguageWorkshop.testText, plus: 2))
        let fromAssertion = editor.ask(
            "textDocument/definition",
            at(workshop.asserted, "org", in: LanguageWorkshop.assertText))
        let file = editor.ask(
            "textDocument/definition", at(workshop.policy, "anchors/root.pem", in: Self.text))
        func references(_ whole: Bool) -> Int {
            editor.ask(
                "textDocument/references",
                at(workshop.policy, "acme:", in: Self.text)
                    .merging(["context": ["includeDeclaration": whole]]) { $1 })
        }
        let (all, others) = (references(true), references(false))
        try editor.run()
        #expect(Self.places(editor, fromTest) == ["policy.yaml 3:2"])
        #expect(Self.places(editor, fromAssertion) == ["policy.yaml 16:2"])
        #expect(Self.places(editor, file) == ["root.pem 0:0"])
        #expect(Self.places(editor, all).count == 4)
        #expect(Self.places(editor, others).count == 3)
    }

    @Test(
        "renaming changes every file, with the versions of open ones; names that cannot be are refused"
    )
    func rename() throws {
        let workshop = try LanguageWorkshop()
        let editor = Self.editor(
            workshop, ["workspace": ["workspaceEdit": ["documentChanges": true]]])
        func rename(_ part: String, _ name: String) -> Int {
            editor.ask(
                "textDocument/rename",
                at(workshop.policy, part, in: Self.text).merging(["newName": name]) { $1 })
        }
        let good = rename("acme:", "corp")
        let bad = ["Corp", "", "system", "no", "a b", "acme-"].map { rename("acme:", $0) }
        let nowhere = rename("owner: pki", "corp")
        let taken = rename("acme-api:", "acme-api")
        let builtIn = editor.ask(
            "textDocument/prepareRename", at(workshop.policy, "hawser", in: Self.text))
        try editor.run()
        let changes = try #require(
            (editor.result(good) as? [String: Any])?["documentChanges"] as? [[String: Any]])
        let files = changes.compactMap { change in
            let document = change["textDocument"] as? [String: Any]
            return (document?["version"] as? Int).map { version in
                "\((document?["uri"] as? String ?? "").split(separator: "/").last ?? "") \(version)"
            }
        }
        #expect(files == ["policy.yaml 1", "shop.policy.yaml 1", "unit.test.yaml 1"])
        for id in bad { #expect(editor.failure(id) == -32_803) }
        #expect(editor.failure(nowhere) == -32_803)
        #expect(editor.failure(taken) == nil)
        #expect(editor.result(builtIn) is NSNull)
    }

    @Test("completion: keys, words, ids, files and hosts, each with its text, also in broken lines")
    func completion() throws {
        let workshop = try LanguageWorkshop()
        func labels(_ text: String, _ file: URL? = nil) throws -> [String] {
            // The cursor stands at `|`.
            let editor = Self.editor(workshop)
            let plain = text.replacing("|", with: "")
            let file = file ?? workshop.policy
            editor.change(file, version: 2, to: plain)
            let id = editor.ask(
                "textDocument/completion",
                [
                    "textDocument": ["uri": TestEditor.address(file)],
                    "position": position(of: "|", in: text),
                ])
            try editor.run()
            let items = (editor.result(id) as? [String: Any])?["items"] as? [[String: Any]]
            return (items ?? []).compactMap { $0["label"] as? String }
        }
        let rule = Self.text
        #expect(try labels(rule + "    |").contains("revocation"))
        #expect(try !labels(rule + "    |").contains("hosts"))
        #expect(try labels(rule + "    re|\n").contains("report-only"))
        #expect(try labels(rule + "    revocation: { preset: | }\n") == ["best-effort", "require"])
        #expect(try labels(rule + "    revocation:\n      sources: [stapled, |]\n").contains("crl"))
        #expect(
            try labels(rule.replacing("anchors: [acme]", with: "anchors: [|]"))
                == ["acme", "system", "pinned-keys"])
        #expect(
            try labels(rule.replacing("profile: org", with: "profile: |"))
                == ["org", "baseline", "ats"])
        #expect(
            try labels(rule.replacing("- anchors/root.pem", with: "- |"))
                == ["anchors/other.pem", "anchors/root.pem"])
        #expect(try labels("hawser: 1\n|").contains("rules"))
        #expect(try labels("|").contains("hawser"))
        #expect(
            try labels(
                LanguageWorkshop.testText.replacing("host: api.acme.example", with: "host: |"),
                workshop.test) == ["api.acme.example"])
        #expect(
            try labels(
                LanguageWorkshop.testText.replacing("rule: api\n", with: "rule: |\n"),
                workshop.test) == ["api", "shop"])
        #expect(
            try labels(
                LanguageWorkshop.assertText.replacing("{ profile: org }", with: "{ | }"),
                workshop.asserted) == ["profile", "rule", "unit"])
    }

    @Test("symbols of a document and of units, folds and layout")
    func structure() throws {
        let workshop = try LanguageWorkshop()
        let editor = Self.editor(workshop)
        let document = ["textDocument": ["uri": TestEditor.address(workshop.policy)]]
        let symbols = editor.ask("textDocument/documentSymbol", document)
        let query = editor.ask("workspace/symbol", ["query": "SHO"])
        let folds = editor.ask("textDocument/foldingRange", document)
        let clean = editor.ask("textDocument/formatting", document)
        editor.change(
            workshop.policy, version: 2, to: Self.text.replacing("owner: web", with: "owner:   web")
        )
        let edits = editor.ask("textDocument/formatting", document)
        editor.change(workshop.policy, version: 3, to: Self.text + "  broken: [\n")
        let broken = editor.ask("textDocument/formatting", document)
        try editor.run()
        #expect(
            (editor.result(symbols) as? [[String: Any]])?.compactMap { $0["name"] as? String }
                == ["hawser", "default", "anchors", "pins", "profiles", "rules"])
        #expect(
            (editor.result(query) as? [[String: Any]])?.compactMap { $0["name"] as? String }
                == ["shop"])
        #expect((editor.result(folds) as? [[String: Any]])?.count ?? 0 > 4)
        #expect((editor.result(clean) as? [[String: Any]])?.isEmpty == true)
        #expect(
            (editor.result(edits) as? [[String: Any]])?.compactMap { $0["newText"] as? String }
                == ["    owner: web\n"])
        #expect((editor.result(broken) as? [[String: Any]])?.isEmpty == true)
    }

    @Test("fixes are offered one by one, unsafe ones by that name, and whole ones where asked for")
    func fixes() throws {
        let workshop = try LanguageWorkshop()
        let text = Self.text.replacing("\"api.acme.example\"", with: "\"API.acme.example\"")
            .replacing("profiles:\n", with: "profiles:\n  idle:\n    tls: { alpn: [h2] }\n")
        let editor = Self.editor(workshop)
        editor.change(workshop.policy, version: 2, to: text)
        func actions(_ only: [String]?) -> Int {
            var context: [String: Any] = ["diagnostics": [] as [Any]]
            if let only { context["only"] = only }
            return editor.ask(
                "textDocument/codeAction",
                [
                    "textDocument": ["uri": TestEditor.address(workshop.policy)],
                    "range": [
                        "start": ["line": 0, "character": 0],
                        "end": ["line": 99, "character": 0],
                    ], "context": context,
                ])
        }
        let (each, all, unsafe) = (
            actions(nil), actions(["source.fixAll"]), actions(["source.hawser"])
        )
        try editor.run()
        func list(_ id: Int) -> [[String: Any]] { editor.result(id) as? [[String: Any]] ?? [] }
        let safe = list(each).filter { $0["isPreferred"] as? Bool == true }
        #expect(!safe.isEmpty)
        for action in list(each) where action["edit"] != nil {
            let title = action["title"] as? String ?? ""
            #expect(
                (action["isPreferred"] as? Bool == true) != title.hasPrefix("unsafe"), "\(title)")
        }
        #expect(list(each).contains { ($0["title"] as? String)?.hasPrefix("Explain HW") == true })
        #expect(list(all).compactMap { $0["kind"] as? String } == ["source.fixAll.hawser"])
        #expect(list(unsafe).compactMap { $0["kind"] as? String } == ["source.hawser.fixUnsafe"])
        #expect(try String(contentsOf: workshop.policy, encoding: .utf8) == Self.text)
    }

    @Test("hints: the certificates behind files and digests, and the rule of a test's host")
    func hints() throws {
        let workshop = try LanguageWorkshop()
        let editor = Self.editor(workshop)
        func hints(_ file: URL) -> Int {
            editor.ask(
                "textDocument/inlayHint",
                [
                    "textDocument": ["uri": TestEditor.address(file)],
                    "range": [
                        "start": ["line": 0, "character": 0],
                        "end": ["line": 999, "character": 0],
                    ],
                ])
        }
        let (policy, test) = (hints(workshop.policy), hints(workshop.test))
        try editor.run()
        func labels(_ id: Int) -> [String] {
            (editor.result(id) as? [[String: Any]] ?? []).compactMap { $0["label"] as? String }
        }
        #expect(labels(policy).count == 2)
        #expect(labels(policy).allSatisfy { $0.contains("Acme Root") && $0.contains("until") })
        #expect(labels(test) == ["rule api"])
    }

    @Test(
        "hints: the rules that decide hosts inside patterns of policies, assertions and allowances")
    func deciders() throws {
        let workshop = try LanguageWorkshop()
        let editor = Self.editor(workshop)
        let other = """
            hawser: 1
            rules:
              shop:
                hosts: ["*.shop.example", "**.example", "10.0.0.0/8"]
                anchors: [acme]
              till:
                hosts: ["till.shop.example", "x.shop.example:8443", "10.1.2.3"]
                anchors: [acme]

            """
        let assertions = """
            hawser-assert: 1
            assertions:
              strict:
                hosts: ["**.shop.example", "a.shop.example", "other.test", "**.acme.example"]
                no-weaker-than: { profile: org }

            """
        let allowances = """
            hawser-allow: 1
            allowances:
              slow:
                hosts: ["till.shop.example"]

            """
        editor.change(workshop.other, version: 2, to: other)
        editor.change(workshop.asserted, version: 2, to: assertions)
        let allowed = workshop.folder.appending(path: "slow.allow.yaml")
        editor.open(allowed, allowances)
        let ids = [workshop.other, workshop.asserted, allowed].map { file in
            editor.ask(
                "textDocument/inlayHint",
                [
                    "textDocument": ["uri": TestEditor.address(file)],
                    "range": [
                        "start": ["line": 0, "character": 0],
                        "end": ["line": 99, "character": 0],
                    ],
                ])
        }
        let hover = editor.ask(
            "textDocument/hover", at(workshop.asserted, "**.shop", in: assertions))
        try editor.run()
        let labels = ids.map { id in
            (editor.result(id) as? [[String: Any]] ?? []).compactMap { $0["label"] as? String }
        }
        #expect(
            labels[0].sorted() == [
                "inside: rule till", "inside: rule till", "inside: rules api, till",
            ])
        #expect(
            labels[1] == ["rules shop, till", "rule shop", "default: deny", "rules api, shop"])
        #expect(labels[2] == ["rule till"])
        #expect(Self.hover(editor, hover)?.contains("rules shop, till") == true)
    }

    @Test("allowances: findings, hover, completion, layout and symbols as for policies")
    func allowances() throws {
        let workshop = try LanguageWorkshop()
        let editor = Self.editor(workshop)
        let file = workshop.folder.appending(path: "slow.allow.yaml")
        let text = """
            hawser-allow: 1
            allowances:
              slow:
                hosts:   ["*.shop.example"]
                field: revocation.preset
                from: require
                to: best-effort
                reason: the responder is replaced
                owner: web
                until: 2027-13-31

            """
        editor.open(file, text)
        let hover = editor.ask("textDocument/hover", at(file, "until", in: text))
        let symbols = editor.ask(
            "textDocument/documentSymbol", ["textDocument": ["uri": TestEditor.address(file)]])
        let good = text.replacing("2027-13-31", with: "2027-01-31")
        editor.change(file, version: 2, to: good)
        let layout = editor.ask(
            "textDocument/formatting", ["textDocument": ["uri": TestEditor.address(file)]])
        func completions(_ part: String, _ text: String) -> Int {
            editor.change(file, version: 3, to: text.replacing("|", with: ""))
            return editor.ask(
                "textDocument/completion",
                [
                    "textDocument": ["uri": TestEditor.address(file)],
                    "position": position(of: "|", in: text),
                ])
        }
        let keys = completions("al", good + "    |")
        let hosts = completions("h", good.replacing("\"*.shop.example\"", with: "\"|\""))
        let fields = completions(
            "f", good.replacing("field: revocation.preset", with: "field: tls.|"))
        try editor.run()
        let sent = editor.messages.first { message in
            (message["params"] as? [String: Any])?["uri"] as? String == TestEditor.address(file)
        }
        let first = (sent?["params"] as? [String: Any])?["diagnostics"] as? [[String: Any]]
        #expect((first ?? []).compactMap { $0["code"] as? String } == ["HW103"])
        #expect(Self.hover(editor, hover)?.contains("last day") == true)
        #expect((editor.result(symbols) as? [[String: Any]])?.count == 2)
        let edits = editor.result(layout) as? [[String: Any]] ?? []
        #expect(edits.count == 1)
        func labels(_ id: Int) -> [String] {
            let items = (editor.result(id) as? [String: Any])?["items"] as? [[String: Any]]
            return (items ?? []).compactMap { $0["label"] as? String }
        }
        #expect(labels(keys) == ["also"])
        #expect(labels(hosts).contains("*.shop.example"))
        #expect(labels(fields).contains("tls.minimum-version"))
    }

    // MARK: The last commit

    private static func git(_ arguments: [String], in folder: URL) throws {
        let process = Process()
        process.executableURL = URL(filePath: "/usr/bin/git")
        process.arguments =
            ["-c", "user.name=t", "-c", "user.email=t@example.com", "-c", "commit.gpgsign=false"]
            + arguments
        process.currentDirectoryURL = folder
        process.environment = ["PATH": "/usr/bin:/bin", "HOME": folder.path]
        process.standardOutput = FileHandle.nullDevice
        try process.run()
        process.waitUntilExit()
        try #require(process.terminationStatus == 0)
    }

    @Test(
        "lenses: classes of hosts, fields weaker than the last commit, and the texts behind them",
        .enabled(if: FileManager.default.isExecutableFile(atPath: "/usr/bin/git")))
    func lenses() throws {
        let workshop = try LanguageWorkshop()
        try Self.git(["init", "-q"], in: workshop.folder)
        try Self.git(["add", "."], in: workshop.folder)
        try Self.git(["commit", "-qm", "first"], in: workshop.folder)
        let editor = Self.editor(workshop, ["window": ["showDocument": ["support": true]]])
        let document = ["textDocument": ["uri": TestEditor.address(workshop.policy)]]
        let before = editor.ask("textDocument/codeLens", document)
        editor.change(
            workshop.policy, version: 2,
            to: Self.text.replacing("{ rsa-minimum: 3072 }", with: "{ rsa-minimum: 2048 }"))
        let after = editor.ask("textDocument/codeLens", document)
        func command(_ name: String, _ words: [String]) -> Int {
            editor.ask("workspace/executeCommand", ["command": name, "arguments": words])
        }
        let address = TestEditor.address(workshop.policy)
        let texts = [
            command("hawser.show", [address, "api"]), command("hawser.show", [address, ""]),
            command("hawser.diff", [address]), command("hawser.rule", ["HW211"]),
        ]
        let wrong = [
            command("hawser.none", ["x"]), command("hawser.show", [address, "no-such-rule"]),
            command("hawser.show", ["file:///nowhere"]), command("hawser.rule", ["../x"]),
            command("hawser.rule", []),
        ]
        try editor.run()
        func titles(_ id: Int) -> [String] {
            (editor.result(id) as? [[String: Any]] ?? []).compactMap {
                ($0["command"] as? [String: Any])?["title"] as? String
            }
        }
        #expect(
            titles(before) == [
                "decides every host that no pattern matches", "decides 2 classes of hosts",
            ])
        #expect(titles(after).contains("weaker than HEAD: keys.rsa-minimum"))
        let wanted = ["rule `api` decides", "deny", "keys.rsa-minimum", "HW211"]
        for (id, part) in zip(texts, wanted) {
            let text = (editor.result(id) as? [String: Any])?["text"] as? String
            #expect(text?.contains(part) == true, "\(part)")
        }
        for id in wrong { #expect(editor.failure(id) != nil) }
        #expect(editor.methods.filter { $0 == "window/showDocument" }.count == texts.count)
        // The files are gone with the server.
        let path = (editor.result(texts[0]) as? [String: Any])?["uri"] as? String
        let file = try #require(path.flatMap(FileAddress.path))
        #expect(!FileManager.default.fileExists(atPath: file))
    }

    @Test("a unit beside the workspace that an assertion names is not read, one inside is")
    func neighbours() throws {
        let workshop = try LanguageWorkshop()
        let outside = workshop.folder.deletingLastPathComponent().appending(path: "baseline")
        try FileManager.default.createDirectory(at: outside, withIntermediateDirectories: true)
        try Data("hawser: 1\ndefault: deny\n".utf8).write(
            to: outside.appending(path: "policy.yaml"))
        let text = LanguageWorkshop.assertText.replacing(
            "{ profile: org }", with: "{ unit: ../baseline }")
        func messages(_ folder: URL) throws -> [String] {
            let editor = TestEditor()
            editor.start(folder: folder)
            editor.open(workshop.asserted, text)
            try editor.run()
            return (editor.findings(workshop.asserted) ?? []).compactMap {
                $0["message"] as? String
            }
        }
        #expect(try messages(workshop.folder).contains { $0.contains("outside the folders") })
        let parent = workshop.folder.deletingLastPathComponent()
        #expect(try !messages(parent).contains { $0.contains("outside the folders") })
    }
}
