package import Rendering

/// The answer to a request: a status of HTTP (RFC 9110 section 15), a body, and header fields that
/// depend on the answer.
package struct ServiceAnswer: Hashable, Sendable {
    package let status: UInt16
    package let mediaType: String
    /// Further header fields, names in lower case.
    package var fields: [(name: String, value: String)] { pairs.map { ($0.name, $0.value) } }
    /// The body. Its JSON is one line or many lines; both end with a line feed.
    package let body: [UInt8]
    private let pairs: [Field]

    private struct Field: Hashable, Sendable {
        let name: String
        let value: String
    }

    package init(
        status: UInt16, mediaType: String, text: String, fields: [(String, String)] = []
    ) {
        self.status = status
        self.mediaType = mediaType
        body = Array(text.utf8)
        pairs = fields.map { Field(name: $0.0, value: $0.1) }
    }

    /// An answer in JSON, on one line.
    package init(status: UInt16, _ value: JSONValue, fields: [(String, String)] = []) {
        self.init(
            status: status, mediaType: ServiceAnswer.json, text: value.render() + "\n",
            fields: fields)
    }

    /// The answer to a request that could not be answered.
    package init(_ problem: ServiceProblem) {
        self.init(
            status: problem.code.status,
            .object([
                "schema": ServiceProblem.schema, "code": problem.code.rawValue,
                "error": problem.context, "pointer": problem.pointer,
            ]), fields: problem.code.fields)
    }

    /// The media type of JSON (RFC 8259 section 11).
    package static let json = "application/json"
    /// The media type of OpenMetrics 1.0.
    package static let openMetrics =
        "application/openmetrics-text; version=1.0.0; charset=utf-8"
}

/// Why a request has no answer.
package struct ServiceProblem: Error, Hashable, Sendable {
    /// The name and version of the format.
    package static let schema = "hawser/problem/1"

    /// The reasons, by their stable names.
    package enum Code: String, CaseIterable, Sendable {
        /// The octets are not a request of HTTP/1.1.
        case badRequest = "bad-request"
        /// The body is not JSON.
        case notJSON = "not-json"
        /// The body is JSON and not what the endpoint takes.
        case malformed
        /// The body names no port, and another port of the host may have another rule.
        case portUnknown = "port-unknown"
        /// The request has no token, or not the server's.
        case token
        /// The caller's user and groups are not among those that may ask.
        case caller
        /// The request comes from a page in a browser.
        case origin
        /// No endpoint has this path.
        case notFound = "not-found"
        /// The endpoint has another method.
        case method
        /// The client took too long to send its request.
        case timeout
        /// The body is longer than the server reads.
        case bodyTooLarge = "body-too-large"
        /// The body is not `application/json`.
        case mediaType = "media-type"
        /// `Expect` wants what the server does not do.
        case expectation
        /// `Host` is not the server's own address.
        case host
        /// The caller has too many connections.
        case callerConnections = "caller-connections"
        /// The header is longer than the server reads.
        case headerTooLarge = "header-too-large"
        /// The server has too many connections.
        case connections
        /// Too many requests wait for work that takes long.
        case busy
        /// The server is stopping.
        case stopping

        /// The status that the answer has.
        package var status: UInt16 {
            switch self {
            case .badRequest, .notJSON, .malformed, .portUnknown: return 400
            case .token: return 401
            case .caller, .origin: return 403
            case .notFound: return 404
            case .method: return 405
            case .timeout: return 408
            case .bodyTooLarge: return 413
            case .mediaType: return 415
            case .expectation: return 417
            case .host: return 421
            case .callerConnections: return 429
            case .headerTooLarge: return 431
            case .connections, .busy, .stopping: return 503
            }
        }

        /// Header fields that the status asks for.
        package var fields: [(String, String)] {
            switch self {
            case .token: return [("www-authenticate", "Bearer")]
            case .callerConnections, .connections, .busy, .stopping: return [("retry-after", "1")]
            case .badRequest, .notJSON, .malformed, .portUnknown, .caller, .origin, .notFound,
                .method, .timeout,
                .bodyTooLarge, .mediaType, .expectation, .host, .headerTooLarge:
                return []
            }
        }
    }

    package let code: Code
    /// What was found: lower case, no full stop. Text of the request in it is not escaped.
    package let context: String
    /// The value that is wrong, as a JSON pointer into the body; nil where no value is.
    package let pointer: String?

    package init(_ code: Code, _ context: String, pointer: String? = nil) {
        self.code = code
        self.context = context
        self.pointer = pointer
    }
}
