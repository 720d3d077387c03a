import Rendering
import TrustEngine

/// A message of JSON-RPC 2.0 from an editor.
enum EditorMessage {
    /// The number or the text by which an answer names its request.
    enum RequestID: Hashable {
        case number(Int)
        case text(String)

        init?(_ view: JSONView?) {
            if let number = view?.number {
                self = .number(number)
            } else if let text = view?.text {
                self = .text(text)
            } else {
                return nil
            }
        }

        var json: JSONValue {
            switch self {
            case .number(let number): return .integer(number)
            case .text(let text): return .string(text)
            }
        }
    }

    case request(RequestID, method: String, params: JSONView?)
    case notification(method: String, params: JSONView?)
    /// An answer to a request of the server.
    case answer(RequestID?, isError: Bool)

    /// Reads a message.
    init(_ octets: [UInt8]) throws(EditorError) {
        let whole: JSONView
        do throws(JSONReader.Problem) {
            whole = try JSONView(octets)
        } catch {
            let mended = MendedText.octets(octets)
            guard mended != octets, let view = try? JSONView(mended) else {
                throw EditorError(.parse, "not JSON at byte \(error.offset): \(error.reason)")
            }
            whole = view
        }
        guard whole.isObject else {
            throw EditorError(.invalidRequest, "a message is one object; batches are not read")
        }
        let members = whole.object
        guard members["jsonrpc"]?.text == "2.0" else {
            throw EditorError(.invalidRequest, "`jsonrpc` is not `2.0`")
        }
        let id = RequestID(members["id"])
        guard let written = members["method"] else {
            guard members["result"] != nil || members["error"] != nil else {
                throw EditorError(.invalidRequest, "the message has no `method`")
            }
            self = .answer(id, isError: members["error"] != nil)
            return
        }
        guard let method = written.text else {
            throw EditorError(.invalidRequest, "`method` is not a text")
        }
        if members["id"] != nil {
            guard let id else {
                throw EditorError(.invalidRequest, "`id` is neither a whole number nor a text")
            }
            self = .request(id, method: method, params: members["params"])
        } else {
            self = .notification(method: method, params: members["params"])
        }
    }
}

/// Why a request has no result.
struct EditorError: Error {
    /// The codes of JSON-RPC and of the Language Server Protocol.
    enum Code: Int {
        case parse = -32_700
        case invalidRequest = -32_600
        case methodNotFound = -32_601
        case invalidParams = -32_602
        case internalError = -32_603
        case notInitialized = -32_002
        case requestFailed = -32_803
        case serverCancelled = -32_802
        case contentModified = -32_801
        case requestCancelled = -32_800
    }

    let code: Code
    /// Lower case, no full stop.
    let message: String
    /// Whether the editor should ask again.
    var retriggers = false

    init(_ code: Code, _ message: String, retriggers: Bool = false) {
        self.code = code
        self.message = message
        self.retriggers = retriggers
    }

    static func invalid(_ what: String) -> EditorError { EditorError(.invalidParams, what) }
    static func failed(_ what: String) -> EditorError { EditorError(.requestFailed, what) }
}

/// Messages to an editor.
enum ServerMessage {
    static func result(_ id: EditorMessage.RequestID, _ value: JSONValue) -> String {
        JSONValue.members([("jsonrpc", "2.0".json), ("id", id.json), ("result", value)]).render()
    }

    static func failure(_ id: EditorMessage.RequestID?, _ error: EditorError) -> String {
        var members = [("code", error.code.rawValue.json), ("message", error.message.json)]
        if error.retriggers { members.append(("data", .object(["retriggerRequest": true]))) }
        return JSONValue.members([
            ("jsonrpc", "2.0".json), ("id", id?.json ?? .null), ("error", .members(members)),
        ]).render()
    }

    /// The notification of the findings in a document. Their list is text already: it may be most
    /// of the work of a change.
    static func findings(_ list: String, of address: String, version: Int?) -> String {
        var text = #"{"jsonrpc":"2.0","method":"textDocument/publishDiagnostics","params":"#
        text += String(JSONValue.object(["uri": address, "version": version]).render().dropLast())
        text += #","diagnostics":"#
        text += list
        text += "}}"
        return text
    }

    static func request(_ id: String, _ method: String, _ params: JSONValue) -> String {
        JSONValue.members([
            ("jsonrpc", "2.0".json), ("id", id.json), ("method", method.json), ("params", params),
        ]).render()
    }
}
