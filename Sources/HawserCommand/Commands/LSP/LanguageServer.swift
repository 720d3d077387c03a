import PolicyCompiler
import PolicyTools
import Rendering

/// The stream between the server and an editor.
protocol EditorChannel: AnyObject {
    /// Octets of the editor; empty if there are none now; nil after the last one.
    ///
    /// - Parameter waits: whether to wait until there are some.
    func receive(waits: Bool) -> [UInt8]?
    /// Sends octets; false if nobody reads them any more.
    func send(_ octets: [UInt8]) -> Bool
}

/// The server of `hawser lsp`: reads messages, keeps the documents, and answers.
///
/// One thread does everything. Before a message is handled and before an answer is sent, the server
/// reads what has come meanwhile. So a cancelled request is answered as such, and an answer that a
/// later change of a text has made stale is not sent. Findings are sent when no message waits.
final class LanguageServer {
    private enum State {
        case fresh, running, stopped
    }

    private let channel: any EditorChannel
    private let workspace: EditorWorkspace
    private let head = HeadComparison()
    private let texts: OpenedTexts
    private var client = EditorClient()
    private var frames = MessageFrames()
    private var state = State.fresh
    private var queue: [Result<EditorMessage, EditorError>] = []
    private var cancelled: Set<EditorMessage.RequestID> = []
    /// The request that is answered now.
    private var current: EditorMessage.RequestID?
    private var fault: MessageFrames.Fault?
    private var isAtEnd = false
    private var requests = 0
    /// The state of the documents of which findings were sent last.
    private var published = -1
    /// What was sent last, by address: the version and a hash of the findings.
    private var sent: [String: String] = [:]

    /// - Parameters:
    ///   - texts: writes texts that the editor opens.
    init(_ channel: any EditorChannel, _ workspace: EditorWorkspace, texts: OpenedTexts) {
        self.channel = channel
        self.workspace = workspace
        self.texts = texts
    }

    /// Serves until the editor ends the server. Clean if the editor shut it down before.
    func run() throws(CommandFailure) -> ExitStatus {
        defer { texts.remove() }
        while true {
            let isIdle = queue.isEmpty && (state != .running || published == workspace.changes)
            pump(waits: isIdle)
            if queue.isEmpty {
                if let fault {
                    throw .couldNotAsk("the editor's messages cannot be read: \(fault.context)")
                }
                if isAtEnd { return state == .stopped ? .clean : .findings }
                if state == .running { publish() }
                workspace.tidy()
                continue
            }
            if handle(queue.removeFirst()) { return state == .stopped ? .clean : .findings }
        }
    }

    // MARK: Messages

    /// The most messages that wait. More stay in the stream.
    private static let mostWaiting = 4_096

    /// Reads what the editor has sent.
    private func pump(waits: Bool) {
        var waits = waits
        while !isAtEnd, fault == nil, queue.count < LanguageServer.mostWaiting {
            guard let octets = channel.receive(waits: waits) else {
                isAtEnd = true
                return
            }
            guard !octets.isEmpty else { return }
            waits = false
            frames.add(octets)
            do throws(MessageFrames.Fault) {
                while let body = try frames.next() { add(body) }
            } catch {
                fault = error
            }
        }
    }

    private func add(_ body: [UInt8]) {
        do throws(EditorError) {
            let message = try EditorMessage(body)
            if case .notification(method: "$/cancelRequest", params: let params) = message {
                // Only requests that are not answered yet, so that the set stays small.
                if let id = EditorMessage.RequestID(params?["id"]), id == current || isWaiting(id) {
                    cancelled.insert(id)
                }
                return
            }
            queue.append(.success(message))
        } catch {
            queue.append(.failure(error))
        }
    }

    private func send(_ message: String) {
        if !channel.send(MessageFrames.framed(message)) { isAtEnd = true }
    }

    private func ask(_ method: String, _ params: JSONValue) {
        requests += 1
        send(ServerMessage.request("hawser-\(requests)", method, params))
    }

    /// Handles a message; true if the server is to end.
    private func handle(_ message: Result<EditorMessage, EditorError>) -> Bool {
        switch message {
        case .failure(let error): send(ServerMessage.failure(nil, error))
        case .success(.answer): break
        case .success(.notification(method: "exit", params: _)): return true
        case .success(.notification(let method, let params)):
            if state == .running { notice(method, params) }
        case .success(.request(let id, let method, let params)): answer(id, method, params)
        }
        return false
    }

    private func isWaiting(_ id: EditorMessage.RequestID) -> Bool {
        queue.contains { message in
            guard case .success(.request(let waiting, method: _, params: _)) = message else {
                return false
            }
            return waiting == id
        }
    }

    /// Whether a message that waits changes a text.
    private var hasWaitingChange: Bool {
        queue.contains { message in
            guard case .success(.notification(method: let method, params: _)) = message else {
                return false
            }
            return Notice(rawValue: method).map { $0 != .saved } ?? false
        }
    }

    // MARK: Notices

    /// The notifications that change something.
    private enum Notice: String {
        case opened = "textDocument/didOpen"
        case changed = "textDocument/didChange"
        case closed = "textDocument/didClose"
        case saved = "textDocument/didSave"
        case files = "workspace/didChangeWatchedFiles"
        case folders = "workspace/didChangeWorkspaceFolders"
    }

    private func notice(_ method: String, _ params: JSONView?) {
        if method == "initialized" { return watch() }
        guard let notice = Notice(rawValue: method), let params = params?.object else { return }
        let document = params["textDocument"]?.object ?? [:]
        let address = document["uri"]?.text
        switch notice {
        case .opened:
            guard let address, let text = document["text"]?.octets else { return }
            workspace.open(address, version: document["version"]?.number ?? 0, text: text)
        case .changed:
            guard let address, let changes = params["contentChanges"] else { return }
            let units = workspace.units
            _ = workspace.edit(address, version: document["version"]?.number) { text in
                for change in changes.elements {
                    LanguageServer.apply(change.object, to: &text, units)
                }
            }
        case .closed:
            guard let address else { return }
            workspace.close(address)
            workspace.prune()
            head.prune(Set(workspace.openUnits.map(\.root)))
        case .saved:
            // The unit may be another one now: files that it names may have been saved with it.
            guard let address else { return }
            workspace.changed(workspace.documents[address]?.path)
            refreshLines()
        case .files:
            for change in params["changes"]?.elements ?? [] {
                guard let path = change["uri"]?.text.flatMap(FileAddress.path),
                    let real = DocumentPath.resolved(path)
                else { continue }
                workspace.changed(real)
            }
            refresh()
        case .folders:
            for folder in LanguageServer.addresses(params["event"]?["added"]) {
                workspace.add(folder: folder)
            }
            for folder in LanguageServer.addresses(params["event"]?["removed"]) {
                workspace.remove(folder: folder)
            }
            workspace.changed(nil)
        }
    }

    private static func addresses(_ folders: JSONView?) -> [String] {
        (folders?.elements ?? []).compactMap { $0["uri"]?.text }
    }

    private static func apply(
        _ change: [String: JSONView], to text: inout EditorText, _ units: PositionUnits
    ) {
        guard let new = change["text"]?.octets else { return }
        guard let range = change["range"]?.object else {
            text = EditorText(new)
            return
        }
        guard let start = EditorPosition(range["start"]), let end = EditorPosition(range["end"])
        else { return }
        text.replace(from: start, to: end, units, with: new)
    }

    /// Asks the editor to say which files change on disk.
    private func watch() {
        guard client.hasRegistration else { return }
        ask(
            "client/registerCapability",
            .object([
                "registrations": [
                    JSONValue.object([
                        "id": "hawser-files", "method": Notice.files.rawValue,
                        "registerOptions": JSONValue.object([
                            "watchers": ["yaml", "yml", "pem", "crt", "cer", "der", "json"].map {
                                JSONValue.object(["globPattern": "**/*.\($0)"])
                            }
                        ]),
                    ])
                ]
            ]))
    }

    /// Asks the editor to pull findings, lenses and hints again.
    private func refresh() {
        if client.hasPull, client.canRefreshPull {
            ask("workspace/diagnostic/refresh", .null)
        }
        refreshLines()
    }

    /// Asks the editor to pull lenses and hints again. In one document they depend on the other
    /// files of the unit, and an editor pulls findings again by itself.
    private func refreshLines() {
        if client.canRefreshLenses { ask("workspace/codeLens/refresh", .null) }
        if client.canRefreshHints { ask("workspace/inlayHint/refresh", .null) }
    }

    // MARK: Requests

    private func answer(_ id: EditorMessage.RequestID, _ method: String, _ params: JSONView?) {
        current = id
        defer { current = nil }
        do throws(EditorError) {
            guard cancelled.remove(id) == nil else {
                throw EditorError(.requestCancelled, "cancelled")
            }
            let value = try result(method, params)
            pump(waits: false)
            guard cancelled.remove(id) == nil else {
                throw EditorError(.requestCancelled, "cancelled")
            }
            if method.hasPrefix("textDocument/"), hasWaitingChange {
                let isPull = method == "textDocument/diagnostic"
                throw EditorError(
                    isPull ? .serverCancelled : .contentModified, "a text has changed meanwhile",
                    retriggers: isPull)
            }
            send(ServerMessage.result(id, value))
            for address in texts.takeWaiting() where client.hasShowDocument {
                ask("window/showDocument", .object(["uri": address, "takeFocus": true]))
            }
        } catch {
            send(ServerMessage.failure(id, error))
        }
    }

    private func result(
        _ method: String, _ params: JSONView?
    ) throws(EditorError) -> JSONValue {
        switch state {
        case .fresh:
            guard method == "initialize" else {
                throw EditorError(.notInitialized, "`initialize` comes first")
            }
            return initialize(params)
        case .stopped:
            throw EditorError(.invalidRequest, "the server was shut down")
        case .running: break
        }
        switch method {
        case "initialize": throw EditorError(.invalidRequest, "`initialize` came before")
        case "shutdown":
            state = .stopped
            // Some editors kill the server right after `exit`.
            texts.remove()
            return .null
        default: break
        }
        guard let question = EditorQuestion(rawValue: method) else {
            throw EditorError(.methodNotFound, "`\(method)` is not answered here")
        }
        guard let params else { throw .invalid("`params` is missing") }
        return try question.answer(
            EditorAsk(
                params: params, workspace: workspace, client: client, head: head, texts: texts))
    }

    private func initialize(_ params: JSONView?) -> JSONValue {
        state = .running
        let capabilities = params?["capabilities"]
        client = EditorClient(capabilities)
        let offered = capabilities?.at("general", "positionEncodings")?.texts ?? []
        workspace.units = offered.contains(PositionUnits.utf8.rawValue) ? .utf8 : .utf16
        for folder in LanguageServer.addresses(params?["workspaceFolders"]) {
            workspace.add(folder: folder)
        }
        if workspace.folders.isEmpty, let root = params?["rootUri"]?.text {
            workspace.add(folder: root)
        }
        return ServerCapabilities.answer(units: workspace.units, client: client)
    }

    // MARK: Findings

    /// Sends the findings of every unit with an open document, unless a change comes meanwhile.
    private func publish() {
        let changes = workspace.changes
        var wanted: [String: (items: [JSONValue], document: EditorDocument?)] = [:]
        for document in workspace.documents.values where workspace.key(of: document) == nil {
            wanted[document.address] = (DiagnosticItems.of(document, workspace), document)
        }
        for key in workspace.openUnits {
            for (path, items) in DiagnosticItems.all(of: key, workspace) {
                let whole = DocumentPath.joined(key.root, path)
                wanted[workspace.address(of: path, in: key.root)] = (
                    items, workspace.document(ofPath: whole)
                )
            }
            pump(waits: false)
            if hasWaitingChange { return }
        }
        published = changes
        for address in sent.keys where wanted[address] == nil {
            wanted[address] = ([], workspace.documents[address])
        }
        for (address, (items, document)) in wanted.sorted(by: { $0.key < $1.key }) {
            // The editor asks itself for the findings of the documents that it has open.
            let isPulled = client.hasPull && document != nil
            let items = isPulled ? [] : items
            let list = JSONValue.array(items).render()
            let mark = "\(document?.version ?? -1) \(DiagnosticItems.resultID(list))"
            guard sent[address] != mark, !(items.isEmpty && sent[address] == nil && isPulled)
            else { continue }
            sent[address] = items.isEmpty && document == nil ? nil : mark
            send(ServerMessage.findings(list, of: address, version: document?.version))
        }
    }
}
