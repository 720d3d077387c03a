import Foundation
import PolicyTools
import Testing

@testable import HawserCommand

/// What the server answers about `exports.yaml`.
@Suite("exports in editors") struct ExportsTests {
    private static let text = """
        hawser-exports: 1
        exports:
          android:
            to: nsc
            file: android/nsc.xml
            target-sdk: 36
          ios:
            to: ats-pins
            file: ios/Info.plist
            hosts:
              - "**.shop.example"

        """

    /// An editor with the policies of the workshop and a file of exports open.
    private static func editor(
        _ workshop: LanguageWorkshop, _ text: String = text
    ) -> (editor: TestEditor, file: URL) {
        let editor = TestEditor()
        editor.start(folder: workshop.folder)
        editor.open(workshop.policy, LanguageWorkshop.text)
        editor.open(workshop.other, LanguageWorkshop.otherText)
        let file = workshop.folder.appending(path: "exports.yaml")
        editor.open(file, text)
        return (editor, file)
    }

    private static func document(_ file: URL) -> [String: Any] {
        ["textDocument": ["uri": TestEditor.address(file)]]
    }

    @Test("findings of `export` follow the text, each with its code, its place and its other place")
    func findings() throws {
        let workshop = try LanguageWorkshop()
        let rows: [(old: String, new: String, codes: [String], line: Int)] = [
            ("to: nsc", "to: ncs", ["HX701"], 3),
            ("ats-pins\n", "ats-pins\n    target-sdk: 30\n", ["HX702"], 8),
            ("ios/Info", "../../../../../../../../../../../ios/Info", ["HX703"], 8),
            ("ios/Info.plist", "/etc/Info.plist", ["HX703"], 8),
            ("ios/Info.plist", "./android/../android/nsc.xml", ["HX704"], 8),
            ("target-sdk", "target-skd", ["HW004"], 5),
            ("to: nsc", "to: nsc", [], 0),
        ]
        let (editor, file) = Self.editor(workshop)
        var seen: [[[String: Any]]] = []
        for (version, row) in rows.enumerated() {
            editor.change(
                file, version: version + 2, to: Self.text.replacing(row.old, with: row.new))
            editor.raw(
                {
                    seen.append(editor.findings(file) ?? [])
                    return []
                }())
        }
        try editor.run()
        for (row, found) in zip(rows, seen) {
            #expect(found.compactMap { $0["code"] as? String } == row.codes, "\(row.new)")
            guard let first = found.first else { continue }
            let range = first["range"] as? [String: Any]
            #expect((range?["start"] as? [String: Any])?["line"] as? Int == row.line, "\(row.new)")
        }
        let related = seen[4].first?["relatedInformation"] as? [[String: Any]]
        let other = related?.first?["location"] as? [String: Any]
        #expect(other?["uri"] as? String == TestEditor.address(file))
        let start = (other?["range"] as? [String: Any])?["start"] as? [String: Any]
        #expect(start?["line"] as? Int == 2)
        // Nothing was written.
        #expect(!FileManager.default.fileExists(atPath: file.path))
    }

    @Test("paths may leave the unit inside its repository, and an editor is told as `export` tells")
    func repository() throws {
        let workshop = try LanguageWorkshop()
        let outside = Self.text.replacing("ios/Info.plist", with: "../ios/Info.plist")
        func codes() throws -> [String]? {
            let (editor, file) = Self.editor(workshop, outside)
            try editor.run()
            return editor.codes(file)
        }
        #expect(try codes() == ["HX703"])
        let top = workshop.folder.deletingLastPathComponent()
        try FileManager.default.createDirectory(
            at: top.appending(path: ".git"), withIntermediateDirectories: true)
        #expect(try codes()?.isEmpty ?? true)
    }

    @Test("files named `exports.yaml` of other programs are left alone, until a policy is there")
    func others() throws {
        let workshop = try LanguageWorkshop()
        let (editor, own) = Self.editor(workshop, "bundles: {}\n")
        let elsewhere = workshop.folder.appending(path: "more/exports.yaml")
        let outside = workshop.folder.deletingLastPathComponent().appending(path: "exports.yaml")
        let named = workshop.folder.deletingLastPathComponent().appending(path: "x/exports.yaml")
        editor.open(elsewhere, "bundles: {}\n")
        editor.open(outside, "bundles: {}\n")
        editor.open(named, "hawser-exports: 1\nexports: {}\n")
        let symbols = editor.ask("textDocument/documentSymbol", Self.document(elsewhere))
        try editor.run()
        #expect(editor.codes(own)?.isEmpty == false)
        #expect(editor.codes(named)?.isEmpty == false)
        #expect(editor.codes(elsewhere)?.isEmpty ?? true)
        #expect(editor.codes(outside)?.isEmpty ?? true)
        #expect((editor.result(symbols) as? [Any])?.isEmpty == true)
    }

    @Test("hover: keys, formats with their options and limits, and the rules behind a pattern")
    func hover() throws {
        let workshop = try LanguageWorkshop()
        let (editor, file) = Self.editor(workshop)
        let rows: [(part: String, plus: Int, wanted: [String])] = [
            ("target-sdk", 2, ["targetSdkVersion"]), ("exports:\n", 2, ["by its id"]),
            ("nsc\n", 1, ["Android Network Security", "`target-sdk`", "never checks `revocation"]),
            ("ats-pins", 1, ["App Transport Security", "Info.plist"]),
            ("ios/Info.plist", 2, ["repository"]), ("shop.example", 2, ["rule shop"]),
        ]
        let ids = rows.map {
            editor.ask("textDocument/hover", at(file, $0.part, in: Self.text, plus: $0.plus))
        }
        try editor.run()
        for (row, id) in zip(rows, ids) {
            let contents = (editor.result(id) as? [String: Any])?["contents"] as? [String: Any]
            let value = try #require(contents?["value"] as? String, "\(row.part)")
            for part in row.wanted { #expect(value.contains(part), "\(row.part): \(value)") }
        }
    }

    @Test("completion: keys, formats, options that the format takes, files of the unit, hosts")
    func completion() throws {
        let workshop = try LanguageWorkshop()
        try FileManager.default.createDirectory(
            at: workshop.folder.appending(path: "gateway"), withIntermediateDirectories: true)
        try workshop.write("gateway/backend-tls.yaml", "kind: BackendTLSPolicy\n")
        func items(_ text: String) throws -> [[String: Any]] {
            // The cursor stands at `|`.
            let (editor, file) = Self.editor(workshop, text.replacing("|", with: ""))
            let id = editor.ask(
                "textDocument/completion",
                Self.document(file).merging(["position": position(of: "|", in: text)]) { $1 })
            try editor.run()
            return (editor.result(id) as? [String: Any])?["items"] as? [[String: Any]] ?? []
        }
        func labels(_ text: String) throws -> [String] {
            try items(text).compactMap { $0["label"] as? String }
        }
        let text = Self.text
        #expect(try labels("|") == ["hawser-exports", "exports"])
        #expect(
            try labels(text.replacing("    target-sdk: 36\n", with: "    |\n"))
                == ["hosts", "target-sdk"])
        #expect(
            try labels(text.replacing("    hosts:\n      - \"**.shop.example\"\n", with: "    |\n"))
                == ["hosts"])
        let formats = try items(text.replacing("to: ats-pins", with: "to: |"))
        #expect(
            formats.compactMap { $0["label"] as? String } == ForeignTargets.all.map { $0.name })
        #expect(
            formats.contains {
                $0["label"] as? String == "envoy" && $0["detail"] as? String == "clusters of Envoy"
            })
        #expect(
            try labels(text.replacing("ios/Info.plist", with: "|"))
                == ["anchors/other.pem", "anchors/root.pem", "gateway/backend-tls.yaml"])
        #expect(
            try labels(text.replacing("**.shop.example", with: "|")).contains("*.shop.example"))
    }

    @Test("definition of an exported file, inside the unit and inside an opened folder alone")
    func definition() throws {
        let workshop = try LanguageWorkshop()
        let parent = workshop.folder.deletingLastPathComponent()
        for folder in [workshop.folder.appending(path: "android"), parent.appending(path: "ios")] {
            try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        }
        try workshop.write("android/nsc.xml", "<network-security-config />\n")
        try workshop.write("../ios/Info.plist", "<plist />\n")
        let text = Self.text.replacing("ios/Info.plist", with: "../ios/Info.plist")
        func places(_ opened: URL) throws -> [[String]] {
            let editor = TestEditor()
            editor.start(folder: opened)
            let file = workshop.folder.appending(path: "exports.yaml")
            editor.open(file, text)
            let ids = ["android/nsc.xml", "../ios/Info", "nsc\n"].map {
                editor.ask("textDocument/definition", at(file, $0, in: text))
            }
            try editor.run()
            return ids.map { id in
                (editor.result(id) as? [[String: Any]] ?? []).compactMap { $0["uri"] as? String }
            }
        }
        let android = TestEditor.address(workshop.folder.appending(path: "android/nsc.xml"))
        let ios = TestEditor.address(parent.appending(path: "ios/Info.plist"))
        #expect(try places(workshop.folder) == [[android], [], []])
        #expect(try places(parent) == [[android], [ios], []])
    }

    @Test("symbols, layout, hints, tokens and the page of a finding")
    func structure() throws {
        let workshop = try LanguageWorkshop()
        let crowded = Self.text.replacing("to: ats-pins", with: "to:   ats-pin")
        let (editor, file) = Self.editor(workshop, crowded)
        let whole: [String: Any] = [
            "start": ["line": 0, "character": 0], "end": ["line": 99, "character": 0],
        ]
        let symbols = editor.ask("textDocument/documentSymbol", Self.document(file))
        let layout = editor.ask("textDocument/formatting", Self.document(file))
        let hints = editor.ask(
            "textDocument/inlayHint", Self.document(file).merging(["range": whole]) { $1 })
        let tokens = editor.ask("textDocument/semanticTokens/full", Self.document(file))
        let actions = editor.ask(
            "textDocument/codeAction",
            Self.document(file).merging([
                "range": whole, "context": ["diagnostics": [] as [Any]],
            ]) { $1 })
        try editor.run()
        func list(_ id: Int) -> [[String: Any]] { editor.result(id) as? [[String: Any]] ?? [] }
        #expect(
            list(symbols).compactMap { $0["name"] as? String } == ["hawser-exports", "exports"])
        let inner = list(symbols).last?["children"] as? [[String: Any]]
        #expect(inner?.compactMap { $0["name"] as? String } == ["android", "ios"])
        #expect(list(layout).compactMap { $0["newText"] as? String } == ["    to: ats-pin\n"])
        #expect(list(hints).compactMap { $0["label"] as? String } == ["rule shop; default: deny"])
        let data = (editor.result(tokens) as? [String: Any])?["data"] as? [Int]
        // Eleven lines of keys and values, and two ids: `ats-pin` and the paths are plain.
        #expect(data?.count == 5 * 14)
        #expect(
            list(actions).compactMap { $0["title"] as? String } == ["Explain HX701 (rule HX701)"])
    }
}
