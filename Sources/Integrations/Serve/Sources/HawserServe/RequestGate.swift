#if Serve
import NIOHTTP1
import VerdictService

/// What a request must show before its body is read.
struct RequestGate: Sendable {
    /// The token that is wanted, and the port that `Host` may name; nil on a Unix socket, which
    /// browsers cannot reach, and where the kernel names the caller.
    struct Loopback: Sendable {
        let token: AccessToken
        let port: Int
    }

    let loopback: Loopback?
    let limits: ServerLimits

    /// What a head says of the body behind it.
    struct Announced {
        let endpoint: Endpoint
        /// Whether the client waits for a word before it sends the body.
        let waits: Bool
    }

    /// Whether octets follow the head.
    static func hasBody(_ head: HTTPRequestHead) -> Bool {
        head.headers.contains(name: "transfer-encoding")
            || head.headers["content-length"].contains { $0 != "0" }
    }

    /// Checks a head, by the rules that keep others out first.
    func check(_ head: HTTPRequestHead) throws(ServiceProblem) -> Announced {
        guard head.version.major == 1 else {
            throw ServiceProblem(.badRequest, "the version of HTTP is not 1.1 or 1.0")
        }
        // A page in a browser does not count as a program of this machine, whoever wrote it.
        guard !head.headers.contains(name: "origin") else {
            throw ServiceProblem(.origin, "a page in a browser may not ask: `Origin`")
        }
        if let loopback { try check(head, loopback) }
        guard let endpoint = Endpoint(rawValue: head.uri) else {
            let known = Endpoint.allCases.map { "`\($0.rawValue)`" }.joined(separator: ", ")
            throw ServiceProblem(
                .notFound,
                "nothing is at `\(head.uri.prefix(80))`; there are \(known), without a query")
        }
        guard head.method.rawValue == endpoint.method.rawValue else {
            throw ServiceProblem(
                .method, "`\(endpoint.rawValue)` takes \(endpoint.method.rawValue) alone")
        }
        let waits = try waits(head)
        try checkBody(head, of: endpoint)
        return Announced(endpoint: endpoint, waits: waits)
    }

    private func check(
        _ head: HTTPRequestHead, _ loopback: Loopback
    ) throws(ServiceProblem) {
        let hosts = head.headers["host"]
        guard hosts.count == 1, RequestGate.isLoopback(hosts[0], port: loopback.port) else {
            throw ServiceProblem(
                .host,
                "`Host` is to be 127.0.0.1, [::1] or localhost, with port \(loopback.port)")
        }
        let given = head.headers["authorization"]
        guard given.count == 1, loopback.token.matches(authorization: given[0]) else {
            throw ServiceProblem(.token, "the token is wanted: `Authorization: Bearer TOKEN`")
        }
    }

    /// Whether a value of `Host` is this machine's loopback with our port. A name that a
    /// stranger's server resolves to 127.0.0.1 is not (DNS rebinding).
    static func isLoopback(_ host: String, port: Int) -> Bool {
        let names = ["127.0.0.1", "[::1]", "localhost"]
        let text = host.lowercased()
        return names.contains { text == "\($0):\(port)" || (port == 80 && text == $0) }
    }

    private func waits(_ head: HTTPRequestHead) throws(ServiceProblem) -> Bool {
        let wanted = head.headers["expect"]
        guard let first = wanted.first else { return false }
        guard wanted.count == 1, first.lowercased() == "100-continue" else {
            throw ServiceProblem(
                .expectation, "`Expect: \(first.prefix(40))` is not met; 100-continue is")
        }
        return head.version.minor > 0
    }

    private func checkBody(
        _ head: HTTPRequestHead, of endpoint: Endpoint
    ) throws(ServiceProblem) {
        let most = limit(endpoint)
        if let length = head.headers.first(name: "content-length") {
            guard let octets = Int(length), octets <= most else { throw tooLarge(endpoint) }
        }
        guard endpoint.method == .post else { return }
        if let encoding = head.headers.first(name: "content-encoding"),
            encoding.lowercased() != "identity"
        {
            throw ServiceProblem(.mediaType, "a body with `Content-Encoding` is not read")
        }
        let types = head.headers["content-type"]
        guard types.count == 1, RequestGate.isJSON(types[0]) else {
            throw ServiceProblem(
                .mediaType, "`Content-Type` is to be `application/json`, in UTF-8")
        }
    }

    /// The most octets of a body. A question without a body has none.
    func limit(_ endpoint: Endpoint) -> Int {
        switch endpoint.method {
        case .get: return 0
        case .post: return limits.body
        }
    }

    func tooLarge(_ endpoint: Endpoint) -> ServiceProblem {
        switch endpoint.method {
        case .get:
            return ServiceProblem(
                .bodyTooLarge, "`\(endpoint.rawValue)` takes no body")
        case .post:
            return ServiceProblem(
                .bodyTooLarge, "the body has more than \(limits.body) octets")
        }
    }

    /// Only `application/json`, also with `charset=utf-8` (RFC 8259 section 8.1). The types that a
    /// form or a script may send without asking are not JSON.
    static func isJSON(_ value: String) -> Bool {
        let parts = value.lowercased().split(
            separator: ";", omittingEmptySubsequences: false
        ).map { $0.filter { $0 != " " && $0 != "\t" } }
        guard parts.first == "application/json" else { return false }
        return parts.dropFirst().allSatisfy {
            ["charset=utf-8", "charset=\"utf-8\""].contains($0)
        }
    }
}
#endif
