import Foundation
import PolicyTools
import Testing
import TrustEngine

@testable import HawserCommand

/// An editor that plays a script to a server in this process. Each step is handled to its end, with
/// the findings that follow, before the next one comes.
final class TestEditor: EditorChannel {
    /// Messages of the script, in octets as they come.
    private var steps: [() -> [UInt8]] = []
    /// Octets that come while the server works on the step before.
    private var meanwhile: [UInt8] = []
    private(set) var messages: [[String: Any]] = []
    private var frames = MessageFrames()
    private var number = 0
    /// The options of each run of the linter.
    var options = LintOptions(time: TestEditor.time)

    /// The instant that the suites judge at, by day.
    static let time = UTCInstant(text: "2026-06-01") ?? UTCInstant(secondsSinceEpoch: 0)

    // MARK: EditorChannel

    func receive(waits: Bool) -> [UInt8]? {
        if !meanwhile.isEmpty {
            defer { meanwhile = [] }
            return meanwhile
        }
        guard waits else { return [] }
        return steps.isEmpty ? nil : steps.removeFirst()()
    }

    func send(_ octets: [UInt8]) -> Bool {
        frames.add(octets)
        while let body = try? frames.next() {
            let object = try? JSONSerialization.jsonObject(with: Data(body))
            messages.append(object as? [String: Any] ?? ["unreadable": true])
        }
        return true
    }

    // MARK: The script

    func raw(_ octets: @autoclosure @escaping () -> [UInt8]) { steps.append(octets) }

    static func frame(_ object: [String: Any]) -> [UInt8] {
        var object = object
        object["jsonrpc"] = "2.0"
        let body = (try? JSONSerialization.data(withJSONObject: object)) ?? Data()
        return Array("Content-Length: \(body.count)\r\n\r\n".utf8) + body
    }

    func notify(_ method: String, _ params: [String: Any]) {
        raw(Self.frame(["method": method, "params": params]))
    }

    /// Adds a request; its answer is found by the number.
    @discardableResult
    func ask(
        _ method: String, _ params: @autoclosure @escaping () -> [String: Any],
        meanwhile: @escaping () -> [UInt8] = { [] }
    ) -> Int {
        number += 1
        let id = number
        steps.append { [unowned self] in
            self.meanwhile = meanwhile()
            return Self.frame(["id": id, "method": method, "params": params()])
        }
        return id
    }

    func start(_ capabilities: [String: Any] = [:], folder: URL? = nil) {
        var params: [String: Any] = ["capabilities": capabilities]
        if let folder {
            params["workspaceFolders"] = [["uri": Self.address(folder), "name": "test"]]
        }
        ask("initialize", params)
        notify("initialized", [:])
    }

    func open(_ file: URL, _ text: String) {
        notify(
            "textDocument/didOpen",
            [
                "textDocument": [
                    "uri": Self.address(file), "languageId": "yaml", "version": 1, "text": text,
                ]
            ])
    }

    func change(_ file: URL, version: Int, to text: String) {
        notify(
            "textDocument/didChange",
            [
                "textDocument": ["uri": Self.address(file), "version": version],
                "contentChanges": [["text": text]],
            ])
    }

    /// Runs the script, and ends the server as editors do.
    @discardableResult
    func run() throws -> HawserCommand.ExitStatus {
        ask("shutdown", [:])
        notify("exit", [:])
        let (options, base) = (self.options, FileManager.default.temporaryDirectory.path)
        let workspace = EditorWorkspace(crypto: Self.crypto) { options }
        return try LanguageServer(self, workspace, texts: OpenedTexts(in: base)).run()
    }

    static let crypto = LintedFolder.crypto

    // MARK: What was said

    static func address(_ file: URL) -> String {
        FileAddress.address(ofPath: file.resolvingSymlinksInPath().path)
    }

    func answer(_ id: Int) -> [String: Any]? {
        messages.first { $0["id"] as? Int == id && $0["method"] == nil }
    }

    func result(_ id: Int) -> Any? { answer(id)?["result"] }

    func failure(_ id: Int) -> Int? {
        (answer(id)?["error"] as? [String: Any])?["code"] as? Int
    }

    /// The findings that were sent last for a file; nil if none were sent.
    func findings(_ file: URL) -> [[String: Any]]? {
        let sent = messages.last { message in
            message["method"] as? String == "textDocument/publishDiagnostics"
                && (message["params"] as? [String: Any])?["uri"] as? String == Self.address(file)
        }
        return (sent?["params"] as? [String: Any])?["diagnostics"] as? [[String: Any]]
    }

    func codes(_ file: URL) -> [String]? {
        findings(file)?.compactMap { $0["code"] as? String }.sorted()
    }

    /// The methods of what the server sent by itself.
    var methods: [String] { messages.compactMap { $0["method"] as? String } }
}

/// The position of a text in another one, in units of UTF-16.
func position(of part: String, in text: String, plus: Int = 0) -> [String: Any] {
    guard let range = text.range(of: part) else { return ["line": 0, "character": 0] }
    let before = text[..<range.lowerBound]
    let line = before.filter { $0 == "\n" || $0 == "\r\n" }.count
    let start =
        before.lastIndex { $0 == "\n" || $0 == "\r\n" }
        .map { before.index(after: $0) } ?? before.startIndex
    return ["line": line, "character": before[start...].utf16.count + plus]
}

/// The parameters of a request about a position.
func at(_ file: URL, _ part: String, in text: String, plus: Int = 1) -> [String: Any] {
    [
        "textDocument": ["uri": TestEditor.address(file)],
        "position": position(of: part, in: text, plus: plus),
    ]
}
